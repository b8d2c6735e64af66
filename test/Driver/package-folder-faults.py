"""Whatever fails while a package is written, the folder is as it was or has the whole new package; and of several compiles into
one folder at once each succeeds and one has the last word."""
# REQUIRES: full
# RUN: rm -rf %t && mkdir %t && cp %S/Inputs/tiny.mlir %t && cc -shared -fPIC -o %t/faults.so %S/Inputs/faults.c -ldl
# RUN: %python -B %s %source/examples/digits/digits.onnx %t

import contextlib
import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import sys

digits, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
os.chdir(root)
pathlib.Path("other.mlir").write_text(pathlib.Path("tiny.mlir").read_text().replace('"tiny"', '"other"'))


def start(arguments: list[str], folder: str, **faults) -> subprocess.Popen:
    variables = {f"FAULT_{name.upper()}": str(value) for name, value in faults.items()}
    environment = {**os.environ, **variables, "LD_PRELOAD": str(root / "faults.so")}
    return subprocess.Popen(["uma", "compile", *arguments, "-o", folder], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def read(folder: str) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}


packages = {"tiny": ["tiny.mlir"], "other": ["other.mlir"], "digits": [digits], "vanilla": [digits, "-a", "vanilla"]}
contents = {}
for name, arguments in packages.items():
    process = start(arguments, name)
    if process.wait() != 0:
        sys.exit(process.stderr.read())
    contents[name] = read(name)
notes = {"notes.txt": b"mine"}
os.mkdir("outputs")


def fail_each(old: str | None, new: str, call: str) -> int:
    """Fails each of the calls that a compile makes, one at a time. Returns how many these are."""
    folder = "outputs/package"
    for at in range(1, 200):
        shutil.rmtree(folder, ignore_errors=True)
        if old:
            shutil.copytree(old, folder)
            pathlib.Path(folder, "notes.txt").write_bytes(notes["notes.txt"])
        process = start(packages[new], folder, call=call, at=at)
        status, errors = process.wait(), process.stderr.read()
        what = f"{old} to {new}, {call} {at}: status {status}, {errors}, left {os.listdir('outputs')}"
        if status == 0:
            if read(folder) != {**contents[new], **(notes if old else {})} or os.listdir("outputs") != ["package"]:
                sys.exit(f"{what}: the package is not whole")
            return at - 1
        if status != 2 or len(errors.splitlines()) != 1 or "No space left on device" not in errors:
            sys.exit(f"{what}: expected one error")
        if os.listdir("outputs") != (["package"] if old else []):
            sys.exit(what)
        if old and read(folder) != {**contents[old], **notes}:
            sys.exit(f"{what}: the older package is damaged")
        if old and any(not any(path.iterdir()) for path in pathlib.Path(folder).rglob("*") if path.is_dir()):
            sys.exit(f"{what}: a folder was left")
    sys.exit(f"{old} to {new}: {call} still fails")


def has_unnamed_files(folder: str) -> bool:
    with contextlib.suppress(OSError):
        os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR))
        return True
    return False


for old, new, call, least in (
    (None, "tiny", "mkdir", 1),
    (None, "tiny", "rename", 1),
    (None, "tiny", "write", 5),
    (None, "tiny", "linkat", 8 if has_unnamed_files("outputs") else 0),
    ("other", "tiny", "mkdir", 2),
    ("other", "tiny", "rename", 15),
    ("vanilla", "tiny", "rename", 20),
    ("tiny", "vanilla", "mkdir", 5),
):
    if (found := fail_each(old, new, call)) < least:
        sys.exit(f"{old} to {new}: only {found} calls of {call} failed")
shutil.rmtree("outputs/package")

for old in (None, "empty", "other"):
    if old == "empty":
        os.mkdir("outputs/package")
    elif old:
        shutil.copytree(old, "outputs/package")
    for _ in range(3):
        processes = [start(arguments, "outputs/package", delay=2000) for arguments in packages.values()]
        errors = [process.stderr.read() for process in processes]
        if any(process.wait() for process in processes):
            sys.exit(f"at once: {errors}")
        if read("outputs/package") not in contents.values() or os.listdir("outputs") != ["package"]:
            sys.exit(f"at once: a mixture, {os.listdir('outputs')}")
        if not old:
            shutil.rmtree("outputs/package")
    shutil.rmtree("outputs/package", ignore_errors=True)

# While another process has the folder's lock a compile waits, until a signal ends it.
shutil.copytree("other", "outputs/package")
lock = os.open("outputs/package", os.O_RDONLY)
fcntl.flock(lock, fcntl.LOCK_EX)
for number in (signal.SIGTERM, None):
    process = start(["tiny.mlir"], "outputs/package")
    try:
        process.wait(timeout=0.5)
        sys.exit(f"locked: {process.stderr.read()}")
    except subprocess.TimeoutExpired:
        pass
    if number:
        process.send_signal(number)
    else:
        os.close(lock)
    status, expected = process.wait(), contents["other" if number else "tiny"]
    if status != (-number if number else 0) or read("outputs/package") != expected:
        sys.exit(f"locked, {number}: status {status}, {process.stderr.read()}")
