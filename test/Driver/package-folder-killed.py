"""A compile that is killed at any of its calls leaves the older package or the whole new one, beside it at most folders that the next
compile removes. Where the folder holds files of the user, these stay, each other file is the older or the newer one, and the next
compile works. By default it is killed at a third of the calls, others for each package; with --all, ctest's label `long`, at all of them."""
# REQUIRES: full
# RUN: rm -rf %t && mkdir %t && cp %S/Inputs/tiny.mlir %t && cc -shared -fPIC -o %t/faults.so %S/Inputs/faults.c -ldl
# RUN: %python -B %s %source/examples/digits/digits.onnx %t

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

STEP = 1 if "--all" in sys.argv else 3
digits, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
os.chdir(root)
pathlib.Path("other.mlir").write_text(pathlib.Path("tiny.mlir").read_text().replace('"tiny"', '"other"'))
PACKAGES = {"tiny": ["tiny.mlir"], "other": ["other.mlir"], "vanilla": [digits, "-a", "vanilla"], "mlf": ["tiny.mlir", "--format=mlf"]}
FOLDER = "outputs/package"


def start(arguments: list[str], folder: str, cwd: str = ".", **faults) -> subprocess.Popen:
    variables = {f"FAULT_{name.upper()}": str(value) for name, value in faults.items()}
    if faults:
        variables["LD_PRELOAD"] = str(root / "faults.so")
    return subprocess.Popen(["uma", "compile", *arguments, "-o", folder], env={**os.environ, **variables}, cwd=cwd,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def read(folder: str) -> dict[str, bytes]:
    """Returns the files of a folder, without those that only a later compile removes."""
    files = {str(path.relative_to(folder)): path.read_bytes() for path in pathlib.Path(folder).rglob("*") if path.is_file()}
    return {name: data for name, data in files.items() if not name.startswith((".uma-package-", ".uma-older-"))}


def begin(old: str | None, notes: bool) -> None:
    shutil.rmtree("outputs", ignore_errors=True)
    os.mkdir("outputs")
    if old:
        shutil.copytree(old, FOLDER)
        os.chmod(FOLDER, 0o750)
        if notes:
            pathlib.Path(FOLDER, "notes.txt").write_text("mine")


contents = {}
for name, arguments in PACKAGES.items():
    process = start(arguments, name)
    if process.wait() != 0:
        sys.exit(process.stderr.read())
    contents[name] = read(name)

killed = {}
for number, (old, new, notes) in enumerate(((None, "vanilla", False), ("other", "tiny", False), ("tiny", "vanilla", False), ("vanilla", "mlf", False),
                        ("other", "tiny", True))):
    mine = {"notes.txt": b"mine"} if notes else {}
    older, newer = contents.get(old, {}) | mine, contents[new] | mine
    for call in ("mkdir", "write", "linkat", "rename", "renameat2", "rmdir", "remove"):
        for at in range(1 + number % STEP, 200, STEP):
            begin(old, notes)
            process = start(PACKAGES[new], FOLDER, call=call, at=at, kill=int(signal.SIGKILL))
            status = process.wait()
            found = read(FOLDER) if os.path.exists(FOLDER) else {}
            what = f"{old} to {new}, {call} {at}: status {status}, {process.stderr.read()}, left {os.listdir('outputs')}, {sorted(found)}"
            if status not in (0, -signal.SIGKILL):
                sys.exit(what)
            if any(name != "package" and not name.startswith(".uma-package-") for name in os.listdir("outputs")):
                sys.exit(what)
            if not notes and found not in (older, newer) or status == 0 and found != newer:
                sys.exit(f"{what}: a mixture")
            if notes and (found.get("notes.txt") != b"mine" or
                          any(data not in (older.get(name), newer.get(name)) for name, data in found.items())):
                sys.exit(f"{what}: something else")
            if status == 0:
                break
            killed[old, new, notes] = killed.get((old, new, notes), 0) + 1
            # The next compile works, and leaves nothing.
            process = start(PACKAGES[new], FOLDER)
            if process.wait() != 0 or os.listdir("outputs") != ["package"] or read(FOLDER) != newer or \
                    any(name.startswith(".") for name in os.listdir(FOLDER)):
                sys.exit(f"{what}; then {process.stderr.read()}, {os.listdir('outputs')}, {os.listdir(FOLDER)}")
        else:
            sys.exit(f"{what}: still killed")
for key, least in (((None, "vanilla", False), 20), (("other", "tiny", False), 20), (("tiny", "vanilla", False), 20), (("other", "tiny", True), 25)):
    if killed[key] * STEP < least:
        sys.exit(f"{key}: killed at {killed[key]} calls, expected {least // STEP} or more")


# An exchanged folder has the permissions of the older one. It is exchanged, not changed: a reader keeps the older files.
def compile_over(old: str, new: str, cwd: str = ".", folder: str = FOLDER, **faults) -> bool:
    """Returns whether the folder is another one afterwards."""
    begin(old, notes=False)
    before = os.stat(FOLDER)
    process = start(PACKAGES[new], folder, cwd=cwd, **faults)
    after = os.stat(FOLDER) if process.wait() == 0 else sys.exit(process.stderr.read())
    if read(FOLDER) != contents[new] or os.listdir("outputs") != ["package"] or before.st_mode != after.st_mode:
        sys.exit(f"{old} to {new}: {os.listdir('outputs')}, {after}")
    return before.st_ino != after.st_ino


if not compile_over("other", "vanilla"):
    sys.exit("the folder is not exchanged")
# File systems that cannot exchange folders, and folders in which a shell is.
if compile_over("other", "vanilla", unsupported=1):
    sys.exit("the folder is exchanged")
PACKAGES["tiny"] = [str(root / "tiny.mlir")]  # for another working directory
if compile_over("other", "tiny", cwd=FOLDER, folder="."):
    sys.exit("the working directory is exchanged")
begin("other", notes=False)
before = os.stat(FOLDER)
shell = subprocess.Popen(["cat"], stdin=subprocess.PIPE, cwd=FOLDER)
status, after = start(["tiny.mlir"], FOLDER).wait(), os.stat(FOLDER)
shell.kill()
if status != 0 or before.st_ino != after.st_ino or read(FOLDER) != contents["tiny"]:
    sys.exit(f"the working directory of another process is exchanged: status {status}")

# A folder of a living process, and folders and files of the user, stay.
begin("other", notes=False)
for name in (".uma-mine", ".uma-package"):
    os.mkdir(f"outputs/{name}")
pathlib.Path("outputs/.uma-package-file").write_text("mine")
os.mkdir("outputs/.uma-package-stale")
slow = start(["tiny.mlir"], "outputs/slow", delay=1500000)
while not any(os.path.exists(f"outputs/{name}/metadata.json") for name in os.listdir("outputs") if name.startswith(".uma-package-")):
    if slow.poll() is not None:
        # It ended before it was seen.
        break
    time.sleep(0.001)
if start(["tiny.mlir"], FOLDER).wait() != 0 or slow.wait() != 0 or read("outputs/slow") != contents["tiny"]:
    sys.exit(f"slow: {slow.stderr.read()}, {os.listdir('outputs')}")
if sorted(os.listdir("outputs")) != [".uma-mine", ".uma-package", ".uma-package-file", "package", "slow"]:
    sys.exit(f"wrong folders are removed: {os.listdir('outputs')}")
