#!/usr/bin/python3
"""Plans hard random instances with uma-memplan.

    bench/memory-plans.py UMA_MEMPLAN [--count N] [--seed N] [--family NAME] [--keep DIR] [--large] [--check] [FILE.csv…]

Every instance has 100 to 450 buffers that fill a rectangle of time and memory, so that it is known to fit the lower bound: a sum of
sizes that is live at one time. They are written in MiniMalloc's format, without the offsets. Prints a table: how many the
exact search solves at this capacity, its processor time, and how much more the greedy planners need. With --large, also instances of 10,000 and
100,000 buffers, of the families and of two kinds like networks. With files, plans these instead, at --capacity (by default their bound). With --check, fails unless the
median is at most 0.5 s and 97 % are solved within 10 s (--check=steps: within the limit of the search, which counts steps), and if large instances miss the bound by more than 3 and 5 %.

Families differ in how the rectangle is divided:
  guillotine  cuts across time or memory, at random places
  pinwheel    also into five parts around a center, which no cut divides
  long        mostly cuts across memory, so that many buffers live long
  sections    long-lived buffers at the bottom; everything else ends at a few points in time
  equal       sizes are multiples of a 16th of the memory, so that many are equal
  dense       few distinct times, so that many buffers start and end together
  trimmed     like pinwheel, but some buffers are smaller or live shorter; one time stays full
  aligned     sizes just below multiples of 64, with an alignment of 64
"""

import argparse
import pathlib
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile

CAPACITY = 1 << 20
LARGE_CAPACITY = 1 << 24
FAMILIES = ["guillotine", "pinwheel", "long", "sections", "equal", "dense", "trimmed", "aligned"]

Rectangle = tuple[int, int, int, int]  # start, end, bottom, top


def divide(count: int, generator: random.Random, times: int, memory: int, unit: int, pinwheels: float, across: float) -> list[Rectangle]:
    """Divides a rectangle into about `count` parts. `pinwheels` is the chance of five parts, `across` of a cut across memory."""
    parts = [(0, times, 0, memory)]
    for _ in range(100 * count):
        if len(parts) >= count:
            break
        # Large parts are divided first, more or less.
        sample = generator.sample(range(len(parts)), min(len(parts), generator.choice([1, 2, 4, 8])))
        index = max(sample, key=lambda i: (parts[i][1] - parts[i][0]) * (parts[i][3] - parts[i][2]))
        start, end, bottom, top = parts[index]
        rows = (top - bottom) // unit
        if generator.random() < pinwheels and end - start >= 3 and rows >= 3 and len(parts) + 4 <= count:
            left, right = sorted(generator.sample(range(start + 1, end), 2))
            low, high = (bottom + unit * row for row in sorted(generator.sample(range(1, rows), 2)))
            pieces = [(start, right, bottom, low), (right, end, bottom, high), (left, end, high, top), (start, left, low, top),
                      (left, right, low, high)]
        elif generator.random() < across:
            if rows < 2:
                continue
            cut = bottom + unit * generator.randrange(1, rows)
            pieces = [(start, end, bottom, cut), (start, end, cut, top)]
        else:
            if end - start < 2:
                continue
            cut = generator.randrange(start + 1, end)
            pieces = [(start, cut, bottom, top), (cut, end, bottom, top)]
        parts[index : index + 1] = pieces
    return parts


def trim(parts: list[Rectangle], generator: random.Random, times: int, unit: int) -> list[Rectangle]:
    """Makes some buffers smaller or shorter, except for those live at one time."""
    full = generator.randrange(times)
    trimmed = []
    for start, end, bottom, top in parts:
        chance = 1.0 if start <= full < end else generator.random()
        if chance < 0.05 and end - start > 4:
            start += generator.randrange((end - start) // 4)
        elif chance < 0.1 and top - bottom > 8 * unit:
            top -= unit * generator.randrange((top - bottom) // unit // 8)
        trimmed.append((start, end, bottom, top))
    return trimmed


def make_instance(family: str, generator: random.Random, count: int | None = None, capacity: int = CAPACITY) -> tuple[list[Rectangle], int]:
    """Returns the buffers, in random order, and their alignment."""
    count = count or generator.randint(100, 450)
    unit = generator.choice([1, 64, 512, 1024])
    times = generator.choice([2 * count, 20 * count, capacity])
    alignment = 1
    if family == "guillotine":
        parts = divide(count, generator, times, capacity, unit, 0, 0.5)
    elif family == "pinwheel":
        parts = divide(count, generator, times, capacity, unit, 0.3, 0.5)
    elif family == "long":
        parts = divide(count, generator, times, capacity, unit, 0.1, 0.75)
    elif family == "sections":
        base = 1024 * generator.randrange(64, 400)
        number = generator.randint(3, 8)
        cuts = [0, *sorted(generator.sample(range(1, times), number - 1)), times]
        parts = divide(count // 8, generator, times, base, unit, 0.1, 0.7)
        for start, end in zip(cuts, cuts[1:]):
            section = divide((count - count // 8) // number, generator, end - start, capacity - base, unit, 0.1, 0.5)
            parts += [(start + a, start + b, base + c, base + d) for a, b, c, d in section]
    elif family == "equal":
        parts = divide(count, generator, times, capacity, capacity // 16, 0.2, 0.4)
    elif family == "dense":
        parts = divide(count, generator, max(30, count // 3), capacity, unit, 0.1, 0.5)
    elif family == "trimmed":
        parts = trim(divide(count, generator, times, capacity, unit, 0.1, 0.5), generator, times, unit)
    else:
        alignment = 64
        parts = divide(count, generator, times, capacity, 64, 0.1, 0.5)
        # Buffers at the top keep their size, which decides that of the arena.
        parts = [(a, b, c, d if d == capacity else d - generator.randrange(64)) for a, b, c, d in parts]
    generator.shuffle(parts)
    return parts, alignment


def make_large(kind: str, count: int, generator: random.Random) -> list[Rectangle]:
    """Returns buffers for which no plan is known."""
    result = []
    for step in range(count):
        size = 64 * generator.randrange(1, 64) * generator.choice([1, 1, 1, 4, 16, 64])
        if kind == "network":  # most tensors are read by the next layer, some by a later one
            start, length = step, 2 if generator.random() < 0.8 else generator.randrange(2, 12)
        else:  # local: many live together, some long
            start = generator.randrange(count // 4)
            length = 1 + int(generator.expovariate(1 / 8)) if generator.random() < 0.95 else generator.randrange(1, 400)
        result.append((start, start + length, 0, size))
    return result


def write(path: pathlib.Path, parts: list[Rectangle], alignment: int) -> None:
    lines = ["id,lower,upper,size" + (",alignment" if alignment > 1 else "")]
    for number, (start, end, bottom, top) in enumerate(parts):
        lines.append(f"b{number},{start},{end},{top - bottom}" + (f",{alignment}" if alignment > 1 else ""))
    path.write_text("\n".join(lines) + "\n")


def plan(tool: str, path: pathlib.Path, *options: str) -> tuple[int, int, float]:
    """Returns the size of the plan, the bound and the processor time in seconds. The plan is checked."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = path.with_suffix(".plan.csv")
    output.unlink(missing_ok=True)
    result = subprocess.run([tool, path, "-o", output, *options], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    found = re.search(r"buffers?: (\d+) bytes; (?:lower bound (\d+)|proven smallest)", result.stdout)
    if result.returncode > 1 or not found:
        sys.exit(f"{path}: {result.stderr or result.stdout}")
    if output.exists():
        subprocess.run([tool, "--check", output], check=True, stdout=subprocess.DEVNULL)
        output.unlink()
    size = int(found[1])
    return size, int(found[2] or size), seconds


def report(name: str, rows: list[dict]) -> None:
    solved = [row for row in rows if row["solved"]]
    times = [row["seconds"] for row in rows]
    quick = sum(row["solved"] and row["seconds"] <= 10 for row in rows)
    print(f"| {name} | {len(rows)} | {len(solved)} | {statistics.median(times):.3f} | {100 * quick / len(rows):.1f} % | "
          + " | ".join(f"{statistics.mean(row[other] for row in rows):.1f} %" for other in ("size", "conflict", "climb")) + " |", flush=True)


def measure(tool: str, path: pathlib.Path, capacity: int | None, limit: float) -> dict:
    bound = plan(tool, path, "--algorithm=greedy-by-size")[1]
    capacity = capacity or bound
    # The limit is one of steps: 100 million take about a second.
    size, _, seconds = plan(tool, path, f"--capacity={capacity}", f"--step-limit={int(limit * 100)}")
    row = {"solved": size <= capacity, "seconds": seconds, "capacity": capacity}
    for key, algorithm in (("size", "greedy-by-size"), ("conflict", "greedy-by-conflict"), ("climb", "hill-climb")):
        row[key] = 100 * (plan(tool, path, f"--algorithm={algorithm}")[0] - capacity) / capacity
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", help="uma-memplan")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="instances of your own")
    parser.add_argument("--count", type=int, default=500, help="number of instances (default 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", choices=FAMILIES, help="only this family")
    parser.add_argument("--capacity", type=int, help="capacity for files")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the instances")
    parser.add_argument("--large", action="store_true", help="also 10,000 and 100,000 buffers")
    parser.add_argument("--limit", type=float, default=12, help="limit of the search, about seconds (default 12)")
    parser.add_argument("--check", nargs="?", const="all", choices=["all", "steps"], help="fail if a target is missed")
    arguments = parser.parse_intermixed_args()
    folder = arguments.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    failed = False

    print("| instances | number | solved | median s | within 10 s | greedy by size | by conflict | hill climb |")
    print("|---|---|---|---|---|---|---|---|")
    if arguments.files:
        for path in arguments.files:
            copy = folder / path.name
            copy.write_bytes(path.read_bytes())
            report(path.name, [measure(arguments.tool, copy, arguments.capacity, arguments.limit)])
        return 0
    families: dict[str, list[dict]] = {}
    for number in range(arguments.count):
        family = arguments.family or FAMILIES[number % len(FAMILIES)]
        parts, alignment = make_instance(family, random.Random(f"{arguments.seed} {family} {number}"))
        path = folder / f"{number:03}-{family}.csv"
        write(path, parts, alignment)
        row = measure(arguments.tool, path, CAPACITY, arguments.limit)
        if not row["solved"]:
            print(f"not solved: {path.name}", file=sys.stderr, flush=True)
        families.setdefault(family, []).append(row)
    for family, rows in families.items():
        report(family, rows)
    everything = [row for rows in families.values() for row in rows]
    if everything:
        report("all", everything)
        by_steps = arguments.check == "steps"
        quick = sum(row["solved"] and (by_steps or row["seconds"] <= 10) for row in everything)
        failed = not by_steps and statistics.median(row["seconds"] for row in everything) > 0.5 or quick < 0.97 * len(everything)

    if arguments.large:
        print("\n| large instance | buffers | bound | gap | s |\n|---|---|---|---|---|")
        for count, most_gap, most_seconds in ((10000, 3, 5), (100000, 5, 60)):
            for kind in [arguments.family] if arguments.family else ["network", "local", *FAMILIES]:
                generator = random.Random(f"{arguments.seed} {kind} {count}")
                path = folder / f"{kind}-{count}.csv"
                if kind in FAMILIES:
                    write(path, *make_instance(kind, generator, count, LARGE_CAPACITY))
                else:
                    write(path, make_large(kind, count, generator), 1)
                size, bound, seconds = plan(arguments.tool, path)
                gap = 100 * (size - bound) / bound
                failed |= gap > most_gap or seconds > most_seconds
                print(f"| {kind} | {count} | {bound} | {gap:.2f} % | {seconds:.1f} |", flush=True)
    return int(arguments.check and failed)


if __name__ == "__main__":
    sys.exit(main())
