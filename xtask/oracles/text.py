"""Reads {"json": TEXT} a line; writes {"str": .., "repr": ..} of json.loads(TEXT)."""

import json
import sys

sys.set_int_max_str_digits(0)
for line in sys.stdin:
    value = json.loads(json.loads(line)["json"])
    print(json.dumps({"str": str(value), "repr": repr(value)}))
