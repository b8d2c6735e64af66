"""Whatever form a package has, it is whole or not there: a compile is killed or interrupted at each of its calls, and each of
them fails as on a full disk. An older package stays as it was. By default this happens at a third of the calls, others for each form; with
--all, ctest's label `long`, at all of them, and at 50 points in time."""
# REQUIRES: full
# RUN: rm -rf %t && mkdir %t && cp %S/Inputs/tiny.mlir %t && cc -shared -fPIC -o %t/faults.so %S/Inputs/faults.c -ldl
# RUN: %python -B %s %source/examples/digits/digits.onnx %t

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

digits, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
os.chdir(root)
STEP = 1 if "--all" in sys.argv else 3
POINTS = 50
FORMS = {
    "flat": ("package", ["tiny.mlir"]),
    "archive": ("package.tar", ["tiny.mlir", "--project=make,zephyr,esp-idf"]),
    "mlf": ("package", ["tiny.mlir", "--format=mlf"]),
    "mlf archive": ("package.tar", [digits, "-a", "vanilla", "--format=mlf"]),
    "image": ("package", ["tiny.mlir", "--weights=image", "--project=arduino"]),
}


def reset() -> None:
    # What runs the tests may ignore them, and children inherit that.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def start(arguments: list[str], output: str, **faults) -> subprocess.Popen:
    variables = {f"FAULT_{name.upper()}": str(value) for name, value in faults.items()}
    if faults:
        variables["LD_PRELOAD"] = str(root / "faults.so")
    return subprocess.Popen(["uma", "compile", *arguments, "-o", output], env={**os.environ, **variables}, preexec_fn=reset,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def read(path: pathlib.Path) -> dict[str, bytes]:
    """Returns everything at a path: a file, or the files of a folder."""
    if path.is_file():
        return {"": path.read_bytes()}
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


def has_unnamed_files() -> bool:
    with contextlib.suppress(OSError):
        os.close(os.open(".", os.O_TMPFILE | os.O_RDWR))
        return True
    return False


def check(what: str, name: str, old: dict | None, new: dict, succeeded: bool, killed: bool = False) -> bool:
    """Checks that the output is the new one, or the older one unless the command succeeded. Returns whether something else
    was left, of a process that was killed."""
    left = os.listdir("outputs")
    whole = [entry for entry in left if not killed or not entry.startswith((".uma-", name + "."))]
    has_others, left = left != whole, whole
    found = read(root / "outputs" / name) if left else None
    if left not in ([], [name]) or found not in ((new,) if succeeded else (old, new)):
        sys.exit(f"{what}: left {left}, {sorted(found) if found else found}")
    return has_others


def begin(old: dict | None, name: str) -> None:
    shutil.rmtree("outputs", ignore_errors=True)
    os.mkdir("outputs")
    if old is not None:
        copy = shutil.copytree if os.path.isdir("older-" + name) else shutil.copy
        copy("older-" + name, "outputs/" + name)


def kill_in_time(form: str, name: str, arguments: list[str], new: dict, duration: float) -> None:
    """Kills a compile with a new output at points in time, also between its calls."""
    ends, others = {True: 0, False: 0}, 0
    for point in range(POINTS):
        sent = (signal.SIGKILL, signal.SIGINT)[point % 2]
        begin(None, name)
        process = start(arguments, "outputs/" + name)
        time.sleep(duration * 1.1 * point / POINTS)
        process.send_signal(sent)
        status = process.wait()
        if status not in (0, -sent):
            sys.exit(f"{form}, {sent.name}: status {status}, {process.stderr.read()}")
        ends[status == 0] += 1
        others += check(f"{form}, {sent.name} at {point}", name, None, new, status == 0, sent == signal.SIGKILL)
    # A folder has a name of its own for the moment between its first file and its renaming.
    if has_unnamed_files() and others > POINTS // 10:
        sys.exit(f"{form}: {others} of {POINTS // 2} killed processes left something")
    if ends[False] < POINTS // 4:
        sys.exit(f"{form}: only {ends[False]} of {POINTS} were killed")


pathlib.Path("other.mlir").write_text(pathlib.Path("tiny.mlir").read_text().replace('"tiny"', '"other"'))
for name in ("package", "package.tar"):
    if start(["other.mlir"], "older-" + name).wait() != 0:
        sys.exit("the older package is not written")

points = 0
for number, (form, (name, arguments)) in enumerate(FORMS.items()):
    begin(None, name)
    started = time.monotonic()
    process = start(arguments, "outputs/" + name)
    if process.wait() != 0:
        sys.exit(process.stderr.read())
    duration, new = time.monotonic() - started, read(root / "outputs" / name)
    if STEP == 1:
        kill_in_time(form, name, arguments, new, duration)

    # At each call, with a new output: by a signal that can be handled, or by one that cannot.
    ended = 0
    for call in ("write", "mkdir", "rename", "linkat"):
        for at in range(1 + (number + 1) % STEP, 200, STEP):
            sent = (signal.SIGKILL, signal.SIGINT)[at % 2]
            begin(None, name)
            process = start(arguments, "outputs/" + name, call=call, at=at, kill=int(sent))
            status = process.wait()
            if status not in (0, -sent):
                sys.exit(f"{form}, {sent.name}: status {status}, {process.stderr.read()}")
            check(f"{form}, {sent.name} at {call} {at}", name, None, new, status == 0, sent == signal.SIGKILL)
            if status == 0:
                break
            ended += 1
        else:
            sys.exit(f"{form}: {call} is still killed")
    if ended * STEP < 5:
        sys.exit(f"{form}: only {ended} calls were killed")

    # By each call, with and without an older output.
    for old in (None, read(root / f"older-{name}")):
        for call in ("write", "mkdir", "rename", "linkat"):
            for at in range(1 + number % STEP, 200, STEP):
                begin(old, name)
                process = start(arguments, "outputs/" + name, call=call, at=at)
                status, errors = process.wait(), process.stderr.read()
                what = f"{form}, {call} {at}: status {status}, {errors}"
                check(what, name, old, new if status == 0 else old, status == 0)
                if status == 0:
                    break
                points += 1
                if status != 2 or len(errors.splitlines()) != 1 or "No space left on device" not in errors:
                    sys.exit(f"{what}: expected one error")
            else:
                sys.exit(f"{form}: {call} still fails")
if points * STEP < POINTS * len(FORMS):
    sys.exit(f"only {points} calls failed")
