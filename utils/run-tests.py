#!/usr/bin/python3
"""Runs one tier of the tests with ctest, and says what it cost. docs/testing.md describes the tiers.

    utils/run-tests.py BUILD quick|full [--jobs N] [ARGUMENT OF CTEST...]

The quick tier fails if it takes more than BUDGET processor seconds. Seconds of the clock would depend on what else
runs on the machine. Processors differ, too, and slow down beside others: a fixed program runs before and after, and
the seconds are divided by how much slower it was than on the machine of the budget.
"""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys

#: Processor seconds of the quick tier, on the machine on which REFERENCE was measured: less than 10 minutes of two cores.
BUDGET = 800
#: Processor seconds of `calibrate` there.
REFERENCE = 0.25
#: Labels that each tier leaves out.
EXCLUDED = {"quick": "^(full|long|real-models)$", "full": "^(long|real-models)$"}


def calibrate() -> float:
    """Returns the processor seconds of a fixed program, the median of five runs."""
    code = "sum(hash(str(i)) & i for i in range(1800000))"
    runs = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, env={"PYTHONHASHSEED": "0"})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        runs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return sorted(runs)[2]


def print_costs(path: pathlib.Path, count: int = 12) -> None:
    """Prints the lit tests that took most processor time."""
    rows = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
    rows.sort(key=lambda row: -float(row[0]))
    if rows:
        print("lit tests by processor seconds: " + ", ".join(f"{name} {float(cpu):.0f}" for cpu, _, name in rows[:count]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("tier", choices=EXCLUDED)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="tests at the same time (default: %(default)s)")
    options, more = parser.parse_known_args()
    times = options.build / "test" / "processor-seconds.txt"
    times.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", str(options.build), "--parallel", str(options.jobs), "--output-on-failure",
               "--label-exclude", EXCLUDED[options.tier], *more]
    speed = [calibrate()]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status = subprocess.run(command, env={**os.environ, "UMA_TEST_TIER": options.tier}).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    speed.append(calibrate())
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    scaled = seconds * REFERENCE / max(REFERENCE, *speed)
    print_costs(times)
    print(f"{options.tier} tests: {seconds:.0f} processor seconds, {scaled:.0f} on the machine of the budget")
    if options.tier == "quick" and not more and scaled > BUDGET:
        print(f"error: the budget of the quick tier is {BUDGET} processor seconds (utils/run-tests.py): make tests cheaper, or leave "
              "some to the full tier (docs/testing.md)", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
