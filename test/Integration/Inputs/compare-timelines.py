"""Compares two timelines: the engine, start and duration of each event. Usage: compare-timelines.py A.json B.json

Also compares the layers of the events if B has them, as numbers that restart after each wait of the host."""

import collections
import json
import sys


def read(path):
    """Returns the layers of all events, by engine, start and duration."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    engines = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    layers = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X" and e["dur"] > 0:
            layers[engines[e["pid"], e["tid"]], e["ts"], e["dur"]].append(e["args"].get("layer"))
    return layers


def count(layers):
    return collections.Counter({key: len(values) for key, values in layers.items()})


expected, found = read(sys.argv[1]), read(sys.argv[2])
different = (count(expected) - count(found)) + (count(found) - count(expected))
print(f"{count(expected).total()} events, {different.total()} differ", *sorted(different)[:4])

waits = sorted(start for engine, start, _ in found if engine == "host")
names, numbers = collections.defaultdict(set), collections.defaultdict(set)
for (engine, start, duration), (number, *_) in found.items():
    if engine != "host" and number is not None:
        region = sum(wait <= start for wait in waits)
        name = expected[engine, start, duration][0]
        names[region, number].add(name)
        numbers[name].add((region, number))
if names:
    ambiguous = sum(len(v) != 1 for v in [*names.values(), *numbers.values()])
    print(f"{len(names)} numbers for {len(numbers)} layers, {ambiguous} ambiguous")
