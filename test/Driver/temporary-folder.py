"""`uma run` and `uma tune` work whatever the folder for temporary files and the package's own are called, or say in one line why
no temporary file can be made."""
# RUN: rm -rf %t && mkdir %t && cp %S/Inputs/tiny.mlir %t && %python -B %s %source/examples/digits/digits.onnx %t

import os
import pathlib
import shutil
import subprocess
import sys

model, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
os.chdir(root)
NAMES = ["plain", "a b'c\"d$e$(HOME)f`g:h#i=j%k\\l;m&n*o[p~q!r", "100%%%%%%", "-C", "a\nb", " ä"]


def run(command: list[str], tmpdir: str) -> subprocess.CompletedProcess:
    return subprocess.run(["uma", *command], env={**os.environ, "TMPDIR": tmpdir}, capture_output=True, text=True)


def check(what: str, result: subprocess.CompletedProcess, folder: str) -> None:
    if result.returncode != 0 or result.stderr or os.listdir(folder):
        sys.exit(f"{what}: status {result.returncode}, {result.stderr}, left {os.listdir(folder)}")


os.makedirs("packages")
for name in NAMES:
    folder = f"temporary/{name}"
    os.makedirs(folder)
    # Of a model, of a package there, and of one in a folder of the same name; TMPDIR is absolute or not.
    check(repr(name), run(["run", "tiny.mlir", "--compare"], str(root / folder)), folder)
    package = f"packages/{name}"
    check(repr(name), run(["compile", model, "-a", "vanilla", "-o", package], folder), folder)
    before = sorted(pathlib.Path(package).rglob("*"))
    check(repr(name), run(["run", package], folder), folder)
    if sorted(pathlib.Path(package).rglob("*")) != before:
        sys.exit(f"{name!r}: the package did not stay as it was")
for name in ("a b$c:d", "relative"):
    os.makedirs(name)
    check(name, run(["tune", model, "-o", "tuning.json", "--candidates=2", "--rounds=1", "--cflags=-O0"], name), name)
os.environ.pop("TMP", None)
result = run(["run", "tiny.mlir"], "")
if result.returncode != 0 or sorted(os.listdir(".")) != ["a b$c:d", "packages", "relative", "temporary", "tiny.mlir", "tuning.json"]:
    sys.exit(f"empty: status {result.returncode}, {result.stderr}, {os.listdir('.')}")

pathlib.Path("file").touch()
os.symlink("nowhere", "dangling")
for tmpdir, reason in (
    ("missing", "No such file or directory"),
    ("/missing/folder", "No such file or directory"),
    ("file", "Not a directory"),
    ("dangling", "'dangling' is a symbolic link to 'nowhere', which does not exist"),
):
    for command in (["run", "tiny.mlir"], ["tune", model, "-o", "other.json"]):
        result = run(command, tmpdir)
        expected = f"uma: error: no temporary folder can be created in '{tmpdir}': {reason}; set TMPDIR to another folder\n"
        if (result.returncode, result.stderr) != (2, expected):
            sys.exit(f"{tmpdir}: status {result.returncode}, {result.stderr!r}, expected {expected!r}")
