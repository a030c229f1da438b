"""Prints crates/holodeck-match/src/regex/tables.rs (pipe it through rustfmt): the character facts that Python 3.11's `re` goes by."""

import sys
import unicodedata

import _sre
from re._casefix import _EXTRA_CASES

assert unicodedata.unidata_version == "14.0.0", "run it with Python 3.11"
ALL = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def ranges(test):
    found = []
    for c in ALL:
        if test(chr(c)):
            if found and found[-1][1] == c - 1:
                found[-1][1] = c
            else:
                found.append([c, c])
    return found


def runs(mapping):
    """(first, last, step, distance) for maximal runs of equal distance and step 1 or 2."""
    found = []
    for c, to in sorted(mapping.items()):
        if found:
            first, last, step, distance = found[-1]
            gap = c - last
            if distance == to - c and gap in (1, 2) and step in (0, gap):
                found[-1] = [first, c, gap, distance]
                continue
        found.append([c, c, 0, to - c])
    return [[f, l, s or 1, d] for f, l, s, d in found]


def table(name, doc, rows, kind):
    flat = [v for row in rows for v in row]
    print(f"\n/// {doc}")
    print(f"pub(super) static {name}: [{kind}; {len(flat)}] = {flat};")


lower = {c: _sre.unicode_tolower(c) for c in ALL if _sre.unicode_tolower(c) != c}
upper = {c: ord(chr(c).upper()[0]) for c in ALL if ord(chr(c).upper()[0]) != c}
for c in ALL:
    assert _sre.unicode_iscased(c) == (c in lower or c in upper), hex(c)

sys.stdout.reconfigure(encoding="utf-8")
print("//! A pure table, written by `xtask/oracles/regex_tables.py`: Unicode 14.0 as Python 3.11's `re` sees it.")
print('#![expect(clippy::unreadable_literal, reason = "code points, written by a script")]')
table("WORD", "`\\w`: first and last of each range, flat.", ranges(lambda c: c.isalnum() or c == "_"), "u32")
table("DIGIT", "`\\d`: first and last of each range, flat.", ranges(str.isdecimal), "u32")
table("SPACE", "`\\s`: first and last of each range, flat.", ranges(str.isspace), "u32")
table("NAME_START", "What may begin a group name: ranges, flat.", ranges(str.isidentifier), "u32")
table("NAME_CONTINUE", "What may follow in a group name: ranges, flat.", ranges(lambda c: ("a" + c).isidentifier()), "u32")
table("LOWER", "Simple lower case: first, last, step, distance; flat.", runs(lower), "i32")
table("UPPER", "Simple upper case: first, last, step, distance; flat.", runs(upper), "i32")
extra = [[a, b] for a, others in sorted(_EXTRA_CASES.items()) for b in others]
table("SAME_UPPER", "Lower-case characters that also match each other, as they share their upper case: pairs, flat.", extra, "u32")
