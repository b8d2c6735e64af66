"""Compares two timelines: the engine, start and duration of each event. Usage: compare-timelines.py A.json B.json"""

import collections
import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    engines = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    return collections.Counter((engines[e["pid"], e["tid"]], e["ts"], e["dur"])
                               for e in events if e["ph"] == "X" and e["dur"] > 0)


expected, found = read(sys.argv[1]), read(sys.argv[2])
different = (expected - found) + (found - expected)
print(f"{expected.total()} events, {different.total()} differ", *sorted(different)[:4])
