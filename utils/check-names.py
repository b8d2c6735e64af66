#!/usr/bin/python3
"""Checks naming and layout rules of the repository.

- Names of passes determine paths: the pass `uma-graph-fold-constant` is
  lib/Graph/Transforms/FoldConstant.cpp, declared in include/uma/Graph/Transforms/Passes.td and tested in
  test/Graph/Transforms/fold-constant.mlir. `convert-tosa-to-uma-graph` is ConvertTosaToGraph.cpp.
- include/uma mirrors lib: the folder of a public header exists in lib.
- Every C++ file starts with a header that contains the file's name.
- At least a quarter of the lit files check an error.
- There are no machine-specific paths, markers of unfinished work or merge conflicts.
- Relative links in Markdown files refer to existing files and headings.

Prints every violation and exits with 1 if there are any.
"""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
problems = []


def tracked(*patterns: str) -> list[pathlib.Path]:
    """Returns files that git tracks or would add."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "--", *patterns]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in names.splitlines() if (ROOT / name).exists()]


def fail(path: pathlib.Path, message: str) -> None:
    problems.append(f"{path.relative_to(ROOT)}: {message}")


def camel(dashed: str) -> str:
    """Converts fold-constant to FoldConstant. The names TIR and EmitC keep their capitals."""
    names = {"tir": "TIR", "emitc": "EmitC", "c": "C", "to": "To"}
    return "".join(names.get(part, part.capitalize()) for part in dashed.split("-"))


def check_passes() -> None:
    # Prefix of the names of the passes in a folder.
    prefixes = {
        "CPU/Transforms": "uma-cpu-",
        "Graph/Transforms": "uma-graph-",
        "TIR/Transforms": "uma-tir-",
        "Accel/Language": "uma-accel-",
        "Accel/Mapping": "uma-accel-",
        "Accel/Partition": "uma-accel-",
        "Conversion": "uma-",
        "Pipelines": "uma-",
    }
    for td in tracked("include/uma/**/*Passes.td"):
        folder = str(td.parent.relative_to(ROOT / "include" / "uma"))
        for define, name in re.findall(r"def (\w+)\s*:\s*Pass<\"([\w-]+)\"", td.read_text()):
            prefix = prefixes[folder]
            # Conversions have names as upstream's: `convert-tosa-to-uma-graph`.
            if folder == "Conversion":
                if not re.fullmatch(r"convert-(uma-(graph|tir)-to-[\w-]+|\w+-to-uma-(graph|tir))", name):
                    fail(td, f"conversion '{name}' must be called 'convert-SOURCE-to-TARGET', with 'uma-graph' or 'uma-tir' as one of them")
                short = name.replace(prefix, "")
            elif name.startswith(prefix):
                short = name.removeprefix(prefix)
            else:
                fail(td, f"pass '{name}' of {folder} must start with '{prefix}'")
                continue
            stem = camel(short)
            if define.lower() != stem.lower() + "pass":
                fail(td, f"pass '{name}' is defined as {define}, expected {stem}Pass")
            if not any(path.stem.lower() == stem.lower() for path in tracked(f"lib/{folder}/**/*.cpp", f"lib/{folder}/*.cpp")):
                fail(td, f"pass '{name}' has no file lib/{folder}/{stem}.cpp")
            if not any(path.stem.startswith(short) for path in tracked(f"test/{folder}/**", f"test/{folder}/*")):
                fail(td, f"pass '{name}' has no test test/{folder}/{short}.mlir")


def check_headers() -> None:
    libraries = {path.parent.relative_to(ROOT / "lib") for path in tracked("lib/**/CMakeLists.txt")}
    for header in tracked("include/uma/**/*.h"):
        folder = header.parent.relative_to(ROOT / "include" / "uma")
        if folder.parts and folder not in libraries and not any(folder in library.parents for library in libraries):
            fail(header, f"lib/{folder} has no library that this header belongs to")
    for path in tracked("*.cpp", "*.h", "*.td"):
        first = path.read_text().split("\n", 1)[0]
        if path.name.removesuffix(".in") not in first:
            fail(path, f"the first line must name the file: //===- {path.name} - ...")


def check_error_tests() -> None:
    tests = [path for path in tracked("test/**") if path.suffix in {".mlir", ".test", ".uma", ".py"}]
    tests = [path for path in tests if "RUN:" in path.read_text(errors="replace")]
    errors = [path for path in tests if re.search(r"-verify-diagnostics|\bnot (--crash )?\w", path.read_text(errors="replace"))]
    if tests and len(errors) * 4 < len(tests):
        problems.append(f"test: {len(errors)} of {len(tests)} lit files check an error, expected a quarter or more")


def check_text() -> None:
    # Split so that this file does not match.
    unfinished = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK"]) + r"\b")
    machine = re.compile("/(" + "|".join(["work", "root", "farm"]) + ")/")
    for path in tracked():
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if re.search(r"\b(" + unfinished.pattern + ")", line):
                fail(path, f"line {number} is unfinished work: {line.strip()[:80]}")
            if re.match(r"(<{7}|>{7}) ", line):
                fail(path, f"line {number} is left from a merge")
            if machine.search(line):
                fail(path, f"line {number} has a path of one machine")


def anchors(path: pathlib.Path) -> set[str]:
    """Returns the anchors of a page: its headings in lower case, without punctuation, with dashes for spaces."""
    text = re.sub(r"^ *```.*?^ *```", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    result = set()
    for title in re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE):
        title = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower()
        result.add(re.sub(r"[^\w\- ]", "", title).replace(" ", "-"))
    return result


def check_links() -> None:
    files = set(tracked())
    known = files | {parent for path in files for parent in path.parents}
    for page in tracked("*.md"):
        text = re.sub(r"^ *```.*?^ *```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)[^)]*\)|\b(?:src|href)=\"([^\"]+)\"", text):
            link = link[0] or link[1]
            if re.match(r"[a-z]+:", link):
                continue
            name, _, anchor = link.partition("#")
            target = pathlib.Path(os.path.normpath(page.parent / name)) if name else page
            if target not in known:
                fail(page, f"the link '{link}' leads to no file of the repository")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                fail(page, f"the link '{link}' leads to no heading of {target.relative_to(ROOT)}")


for check in (check_passes, check_headers, check_error_tests, check_text, check_links):
    check()
for problem in sorted(problems):
    print(problem, file=sys.stderr)
sys.exit(1 if problems else 0)
