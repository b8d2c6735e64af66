#!/usr/bin/python3
"""Runs clang-tidy with the project's .clang-tidy.

    utils/tidy.py BUILD [FOLDER...]

Checks every .cpp of the project in BUILD/compile_commands.json, or those below FOLDER, and
the headers they include. BUILD needs its generated headers only (`ninja uma-headers`).

clang-tidy spends most of its time on one file in MLIR's headers (3 to 5 s). Therefore the files of one
folder are checked together, as one translation unit that includes them all. The whole project takes two to
three minutes on two cores instead of ten. Files that do not compile together (two statics with one name)
are checked in halves. The disadvantage: findings that depend on a single file are missed, such as a
using-declaration that only another file uses.

In a unity build (UMA_UNITY_BUILD), the same files are checked with the same flags, in separate groups.

A folder without findings is not checked again until its files, the project's headers they include, their
flags, .clang-tidy or clang-tidy's version change. BUILD/tidy has a file for each clean state.
"""

import collections
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = shutil.which("clang-tidy-22") or shutil.which("clang-tidy")
# Only findings in our files. Generated files end in .inc; clang-tidy attributes findings in some of our
# definitions to them.
FILTER = f"^{re.escape(str(ROOT))}/(include|lib|python|tools|unittests)/.*\\.(h|cpp)$"
# Files in a group. Larger groups would leave a core idle at the end.
LARGEST_GROUP = 40


# Flags added by a unity build. Its precompiled header would hide missing includes.
PRECOMPILED = r"""-Winvalid-pch|(-Xclang )?-include(-pch)? (-Xclang )?("[^"]*cmake_pch[^"]*"|\S*cmake_pch\S*)"""


def compile_flags(entry: dict) -> tuple[str, ...]:
    """Returns the flags of a compile command without the compiler, its launcher and per-file arguments."""
    words = shlex.split(re.sub(PRECOMPILED, "", entry["command"]))
    flags, skip = [], True
    for word in words:
        if word in ("-o", "-c", "-MF", "-MT"):
            skip = True
        elif skip and not word.startswith("-"):
            skip = bool(not flags)
        else:
            skip = False
            flags.append(word)
    return tuple(flags)


def sources(entry: dict) -> list[pathlib.Path]:
    """Returns the files that a command compiles: in a unity build, those that CMake's unity file includes."""
    path = pathlib.Path(entry["directory"], entry["file"])
    if re.fullmatch(r"unity_\d+_cxx\.cxx", path.name):
        return [pathlib.Path(name) for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)]
    return [path]


def find_groups(build: pathlib.Path, folders: list[pathlib.Path]) -> list[tuple[list[pathlib.Path], tuple[str, ...]]]:
    """Returns groups of the project's files with their flags, by folder."""
    groups = collections.defaultdict(list)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        for path in sources(entry):
            generated = path.is_relative_to(build.resolve())
            wanted = not folders or any(path.is_relative_to(folder) for folder in folders)
            if path.suffix == ".cpp" and path.is_relative_to(ROOT) and not generated and wanted and path.exists():
                groups[path.parent, compile_flags(entry)].append(path)
    # Combine folders with a single file, except in tests and tools, whose names clash.
    for (folder, flags), paths in list(groups.items()):
        if len(set(paths)) == 1 and folder.is_relative_to(ROOT / "lib"):
            groups[ROOT, flags] += groups.pop((folder, flags))
    result = []
    for (_, flags), paths in groups.items():
        paths = sorted(set(paths))
        parts = -(-len(paths) // LARGEST_GROUP)
        result += [(paths[part::parts], flags) for part in range(parts)]
    # Longest first, so that no core is idle at the end.
    return sorted(result, key=lambda group: (-len(group[0]), group[0]))


@functools.cache
def included(path: pathlib.Path, build: pathlib.Path) -> list[pathlib.Path]:
    """Returns the project's files, including generated ones, that a file includes."""
    result = []
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE):
        for folder in (path.parent, ROOT / "include", build / "include"):
            if (folder / name).is_file():
                result.append((folder / name).resolve())
                break
    return result


def state(paths: list[pathlib.Path], flags: tuple[str, ...], build: pathlib.Path, tool: str) -> str:
    """Returns a hash of everything that the findings in these files depend on."""
    seen, todo = set(), list(paths)
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += included(path, build)
    digest = hashlib.sha256("\0".join([tool, *flags, *map(str, paths)]).encode())
    for path in sorted(seen):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def hide_definitions(build: pathlib.Path, cache: pathlib.Path) -> tuple[str, ...]:
    """Returns flags to replace the generated definitions of operations by empty files, which saves half a minute on two cores.
    Functions that only these use then look unused; the build reports functions that really are."""
    folder = cache / "no-definitions"
    for path in (build / "include").rglob("*.cpp.inc"):
        empty = folder / path.relative_to(build / "include")
        empty.parent.mkdir(parents=True, exist_ok=True)
        empty.touch()
    return ("-I", str(folder), "-Wno-unused-function")


def tidy(paths: list[pathlib.Path], flags: tuple[str, ...], cache: pathlib.Path) -> set[str]:
    """Returns the findings in these files, each with the lines that clang-tidy prints for it."""
    unit = paths[0]
    if len(paths) > 1:
        name = hashlib.sha256("".join(map(str, paths)).encode()).hexdigest()[:16]
        unit = cache / f"{name}.cpp"
        unit.write_text("".join(f'#include "{path}"\n' for path in paths))
    command = [TIDY, "--quiet", f"--config-file={ROOT}/.clang-tidy", f"--header-filter={FILTER}", str(unit), "--"]
    done = subprocess.run([*command, *flags, "-Wno-unknown-warning-option"], cwd=cache, capture_output=True, text=True)
    if len(paths) > 1 and "[clang-diagnostic-error]" in done.stdout:
        # This takes twice the time; clashing names should be changed.
        clash = re.search(r"error: (.*) \[clang-diagnostic-error", done.stdout)
        print(f"tidy: {paths[0].parent.relative_to(ROOT)} is checked in halves: {clash and clash.group(1)}", file=sys.stderr)
        half = len(paths) // 2
        return tidy(paths[:half], flags, cache) | tidy(paths[half:], flags, cache)
    findings = re.split(r"^(?=\S+:\d+:\d+: (?:error|warning): )", done.stdout, flags=re.MULTILINE)
    findings = {text.replace(f"{ROOT}/", "") for text in findings if text.strip() and ".inc:" not in text.split(": ")[0]}
    if not done.stdout and done.returncode:
        findings.add(f"{unit}: {done.stderr.strip()}\n")
    return findings


def main() -> int:
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1], "compile_commands.json").exists():
        print("usage: utils/tidy.py BUILD [FOLDER...], BUILD being a configured build folder", file=sys.stderr)
        return 2
    if not TIDY:
        print("tidy: no clang-tidy-22; utils/install-dependencies.sh test installs it", file=sys.stderr)
        return 2
    build = pathlib.Path(sys.argv[1]).resolve()
    cache = pathlib.Path(os.environ.get("UMA_TIDY_CACHE", build / "tidy"))
    cache.mkdir(exist_ok=True)
    version = subprocess.run([TIDY, "--version"], check=True, capture_output=True, text=True).stdout
    tool = version + (ROOT / ".clang-tidy").read_text()
    findings, checked = set(), 0
    groups = find_groups(build, [pathlib.Path(folder).resolve() for folder in sys.argv[2:]])

    hidden = hide_definitions(build, cache)

    def check(group) -> tuple[int, set[str]]:
        clean = cache / f"{state(*group, build, tool)}.clean"
        if clean.exists():
            return 0, set()
        paths, flags = group
        found = tidy(paths, (*hidden[:2], *flags, *hidden[2:]), cache)
        if not found:
            clean.touch()
        return len(group[0]), found

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for count, found in pool.map(check, groups):
            checked += count
            findings |= found
    sys.stdout.write("".join(sorted(findings)))
    total = sum(len(paths) for paths, _ in groups)
    print(f"tidy: {len(findings)} findings in {total} files, {total - checked} of them known to be clean")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
