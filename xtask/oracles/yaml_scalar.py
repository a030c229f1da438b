"""Reads {"yaml": TEXT} a line, a document whose mapping has the key `v` or `k`; writes {"type", "value"} of what PyYAML's safe loader makes of that value: integers in digits, floats by their bits in hexadecimal. {"raises": true} where it raises."""

import json
import math
import struct
import sys

import yaml


def shown(value):
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        sys.set_int_max_str_digits(0)
        return str(value)
    if isinstance(value, float):
        return "nan" if math.isnan(value) else struct.pack(">d", value).hex()
    if isinstance(value, (list, tuple)):
        return [shown(item) for item in value]
    if isinstance(value, dict):
        return [[shown(key), shown(item)] for key, item in value.items()]
    return str(value)


for line in sys.stdin:
    try:
        document = yaml.safe_load(json.loads(line)["yaml"])
        value = document["v"] if "v" in document else document["k"]
        answer = {"type": type(value).__name__, "value": shown(value)}
    except Exception:
        answer = {"raises": True}
    print(json.dumps(answer))
