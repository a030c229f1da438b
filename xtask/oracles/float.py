"""Reads {"text": TEXT} a line; writes {"float": the bits of float(TEXT) in hexadecimal, or "nan", or null where it raises}."""

import json
import math
import struct
import sys

for line in sys.stdin:
    try:
        value = float(json.loads(line)["text"])
        shown = "nan" if math.isnan(value) else struct.pack(">d", value).hex()
    except ValueError:
        shown = None
    print(json.dumps({"float": shown}))
