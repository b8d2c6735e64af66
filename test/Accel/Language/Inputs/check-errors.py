# check-errors.py FOLDER UMA-OPT: loads every NAME.uma of a folder and checks that it fails with the lines of
# NAME.txt, in their order, and with no other error.
import pathlib
import subprocess
import sys

folder, tool = pathlib.Path(sys.argv[1]), sys.argv[2]
descriptions = sorted(folder.glob("*.uma"))
failures = 0
for description in descriptions:
    expected = description.with_suffix(".txt").read_text().splitlines()
    run = subprocess.run(
        [tool, f"--uma-accel-load=accelerators={description}"],
        input="module {}", capture_output=True, text=True)
    lines = [line for line in run.stderr.splitlines() if ": error:" in line or ": note:" in line]
    errors = sum(": error:" in line for line in lines)
    position = 0
    for line in lines:
        if position < len(expected) and expected[position] in line:
            position += 1
    wanted = sum(": error:" in line for line in expected)
    if run.returncode != 1 or position < len(expected) or errors != wanted:
        failures += 1
        print(f"{description.name}: status {run.returncode}, expected:", *expected, "found:", run.stderr, sep="\n  ")
print(f"{len(descriptions)} descriptions, {failures} wrong")
sys.exit(failures != 0 or len(descriptions) == 0)
