"""A unity build compiles the same files as a build per file, and adding the tests compiles none of them again.

`make demo` builds without the tests and `make test` adds them, so no flag of a library may depend on them.
utils/tidy.py has to find the same files with the same flags in both builds.
"""
# RUN: %python -B %s %source %build %cmake %cxx %t

import json
import pathlib
import re
import shutil
import subprocess
import sys

source, build, cmake, cxx, scratch = sys.argv[1:]
sys.path.insert(0, f"{source}/utils")
import tidy  # noqa: E402

cache = pathlib.Path(build, "CMakeCache.txt").read_text()
mlir = re.search(r"^MLIR_DIR:\w+=(.*)$", cache, re.MULTILINE)[1]
shutil.rmtree(scratch, ignore_errors=True)


def configure(folder: str, *options: str) -> pathlib.Path:
    path = pathlib.Path(scratch, folder)
    command = [cmake, "-S", source, "-B", str(path), "-G", "Ninja", f"-DCMAKE_CXX_COMPILER={cxx}", f"-DMLIR_DIR={mlir}"]
    done = subprocess.run([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout
    return path


def read_commands(path: pathlib.Path) -> dict[str, str]:
    entries = json.loads((path / "compile_commands.json").read_text())
    return {entry["file"]: entry["command"] for entry in entries}


def read_groups(path: pathlib.Path) -> dict[str, set[str]]:
    """The flags that utils/tidy.py checks each file with, but for the kind of position-independent code."""
    groups = tidy.find_groups(path, [])
    kinds = {"-fPIC", "-fPIE"}
    return {
        str(file): {flag.replace(str(path.resolve()), "BUILD") for flag in flags} - kinds
        for files, flags in groups
        for file in files
    }


unity = configure("unity", "-DUMA_UNITY_BUILD=ON", "-DUMA_BUILD_TESTS=OFF")
product = read_commands(unity)
configure("unity", "-DUMA_BUILD_TESTS=ON")
everything = read_commands(unity)
changed = [file for file, command in product.items() if everything.get(file) != command]
assert not changed, f"compiled again with the tests: {changed}"
assert len(everything) > len(product), "no tests in the build"

parts = list(unity.rglob("unity_*_cxx.cxx"))
sizes = [part.read_text().count("#include") for part in parts]
assert parts and max(sizes) <= 12, f"too many files in one translation unit: {sizes}"

per_file = read_groups(configure("per-file", "-DUMA_BUILD_TESTS=ON"))
together = read_groups(unity)
assert per_file.keys() == together.keys(), per_file.keys() ^ together.keys()
different = {file: per_file[file] ^ together[file] for file in per_file if per_file[file] != together[file]}
assert not different, different
assert len(per_file) > 300, f"{len(per_file)} files"
