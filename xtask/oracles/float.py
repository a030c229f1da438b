"""Reads {"text": TEXT} a line; writes {"float": float.hex()} or {"float": null} where float(TEXT) raises."""

import json
import sys

for line in sys.stdin:
    try:
        value = float(json.loads(line)["text"]).hex()
    except ValueError:
        value = None
    print(json.dumps({"float": value}))
