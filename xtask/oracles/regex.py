"""Reads {"pattern": .., "subjects": [..]} a line; writes what Python's `re` makes of it.

{"error": .., "position": ..}, or {"full": "0110", "search": [[1, 2], null]}: for each subject whether `fullmatch` matches, and where
`search` found group 1 (the whole match where there is no group); "?" where CPython trips over itself. {"slow": true} where CPython takes too long.
{"pattern": .., "alphabet": "all" | "cased"} asks which characters of an alphabet the pattern matches alone: {"chars": ".."}.
"""

import json
import re
import signal
import sys
import warnings

import _sre

warnings.simplefilter("ignore")
SECONDS = 0.4
ALL = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
ALPHABETS = {
    "all": "".join(map(chr, ALL)),
    "cased": "".join(chr(c) for c in ALL if _sre.unicode_iscased(c)),
}


class Slow(Exception):
    pass


def stop(*_):
    raise Slow


def spans(compiled, subject):
    found = compiled.search(subject)
    if found is None:
        return None
    span = found.span(1 if compiled.groups else 0)
    return None if span == (-1, -1) else span


def answer(question):
    try:
        compiled = re.compile(question["pattern"])
    except re.error as error:
        return {"error": error.msg, "position": error.pos}
    except (OverflowError, RecursionError, ValueError) as error:
        return {"error": str(error), "position": None}
    if "alphabet" in question:
        return {"chars": "".join(c for c in ALPHABETS[question["alphabet"]] if compiled.fullmatch(c))}
    full, search = [], []
    for subject in question["subjects"]:
        try:
            matched = "1" if compiled.fullmatch(subject) else "0"
            found = spans(compiled, subject)
        except SystemError:  # a fault of CPython's: it matched, but cannot show its groups
            matched, found = "?", None
        full.append(matched)
        search.append(found)
    return {"full": "".join(full), "search": search}


signal.signal(signal.SIGALRM, stop)
for line in sys.stdin:
    question = json.loads(line)
    try:
        if "alphabet" not in question:
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
        said = answer(question)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except Slow:
        said = {"slow": True}
    print(json.dumps(said))
