"""Closed and full standard streams: exit codes stay the documented ones, and no file that is opened takes a stream's place."""
# REQUIRES: full
# RUN: rm -rf %t && mkdir %t && cp %S/Inputs/tiny.mlir %t && %python -B %s %source/examples/digits/digits.onnx %dialects/vanilla/vanilla.uma %t

import os
import pathlib
import subprocess
import sys

model, description = map(os.path.abspath, sys.argv[1:3])
os.chdir(sys.argv[3])
pathlib.Path("bad.uma").write_text("accelerator\n")
pathlib.Path("wide.uma").write_bytes(pathlib.Path(description).read_bytes().replace(b"  ", b"    "))
pathlib.Path("network.mlir").write_bytes(pathlib.Path("tiny.mlir").read_bytes())


def run(command: str, redirects: str) -> tuple[int, str]:
    result = subprocess.run(["sh", "-c", f"{command} {redirects}"], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


FULL, CLOSED = "uma: error: standard output: No space left on device\n", "uma: error: standard output: Bad file descriptor\n"
LOST = ["uma: warning: standard output: " + problem + "; the files are written\n" for problem in ("No space left on device", "Bad file descriptor")]
# What a command prints to standard output is lost, or to standard error.
PRINTING = ["uma list", "uma --help", "uma compile --help", f"uma check {description}", f"uma format {description}", "uma explain tiny.mlir", "uma run tiny.mlir", "uma list --operators"]
# Commands whose results are files succeed without standard output.
WRITING = {"uma compile tiny.mlir -o out": "out", "uma new device": "device"}
FAILING = {"uma": 2, "uma nothing": 2, "uma compile": 2, "uma check bad.uma": 2, "uma run missing.onnx": 2, "uma format --check wide.uma": 1, f"uma compile {model} --source-size=x -o out": 2, "uma run tiny.mlir --cc=false": 4}
for command in PRINTING:
    for redirects, expected in ((">/dev/full", (2, FULL)), (">&-", (2, CLOSED)), (">/dev/full 2>&-", (2, "")), (">&- 2>/dev/full", (2, "")), ("2>/dev/full", 0), ("2>&-", 0), ("<&-", 0), ("<&- >&- 2>&-", 2)):
        found = run(command, redirects)
        if (found[0] if isinstance(expected, int) else found) != expected:
            sys.exit(f"{command} {redirects}: found {found}, expected {expected}")
for command, output in WRITING.items():
    for redirects, expected in ((">/dev/full", LOST[0]), (">&-", LOST[1]), (">/dev/full 2>&-", ""), ("| true", "status 0\n")):
        subprocess.run(["rm", "-rf", output], check=True)
        found = run("(" + command + "; echo status $? >&2)" if "|" in redirects else command, redirects)
        if found != (0, expected) or not os.path.exists(output):
            sys.exit(f"{command} {redirects}: found {found}, expected {expected}")
for command, code in FAILING.items():
    for redirects in ("2>/dev/full", "2>&-", ">/dev/full 2>&-", "<&- >&- 2>&-"):
        found = run(command, redirects)
        if found[0] != code:
            sys.exit(f"{command} {redirects}: found {found}, expected {code}")
# Whoever read the output has gone: an error of output without a message.
found = run("(uma list --operators; echo status $? >&2)", "| true")
if found != (0, "status 2\n"):
    sys.exit(f"a closed pipe: {found}")

# Messages and outputs land in no file.
def read(folder: str) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


for source in (model, "tiny.mlir"):
    subprocess.run(["uma", "compile", source, "-a", "vanilla", "-o", "whole"], check=True, capture_output=True)
    for redirects in (">&-", "2>&-", "<&- >&- 2>&-"):
        run(f"uma compile {source} -a vanilla -o closed", redirects)
        if read("closed") != read("whole"):
            sys.exit(f"{source} {redirects}: the package differs")
before = read(".")
for command in ("uma-opt network.mlir", "uma-opt --unknown network.mlir", "uma-opt bad.uma", "uma-translate --import-onnx tiny.mlir", "uma check bad.uma"):
    for redirects in (">&-", "2>&-", "<&- >&- 2>&-"):
        found = run(command, redirects)
        if found[0] not in (1, 2) and redirects != "2>&-":
            sys.exit(f"{command} {redirects}: status {found}")
        if read(".") != before:
            sys.exit(f"{command} {redirects}: a file was changed")
for redirects in ("2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
    run("uma-opt bad.uma -o opt.mlir", redirects)
    run(f"uma-translate --import-onnx {model} -o onnx.mlir", redirects)
    subprocess.run(["uma-translate", "--import-onnx", model, "-o", "expected.mlir"], check=True)
    if pathlib.Path("onnx.mlir").read_bytes() != pathlib.Path("expected.mlir").read_bytes() or os.path.exists("opt.mlir"):
        sys.exit(f"{redirects}: messages are in the output")
