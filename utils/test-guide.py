#!/usr/bin/python3
"""Tests the commands of a guide.

  utils/test-guide.py GUIDE.md ... [BUILD] [--file NAME=PATH]...

Processes the fenced code blocks of GUIDE.md with the following first lines, in the
order of the page, in an empty folder. Several pages share it, as the chapters of a tutorial:

  ```c file=mydev.c       writes the file (append=mydev.c adds to its end)
  ```sh test              runs the commands with `bash -e`; status 0 is expected
  ```sh test status=2     as above, but expects another status
  ```text output          consecutive lines of the output of the commands before it; runs of
                          blanks count as one, an empty line or `...` skips lines

Files that a page takes for granted, such as a model, are given by --file: a copy of PATH is NAME in
the folder. Other blocks are ignored. BUILD/bin comes first on PATH, `python3` is the interpreter that runs
this script, and the variable UMA is the folder of the sources. If a block fails, prints its line
in the page and exits with 1.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NoReturn

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^(`{3,}|~{3,})(.*)$")


def blocks(text: str):
    """Yields (line number, words after the fence, lines) of each code block."""
    fence, words, body, start = "", [], [], 0
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if not fence and match:
            fence, words, body, start = match[1], match[2].split(), [], number
        elif fence and line.strip() == fence:
            yield start, words, body
            fence = ""
        elif fence:
            body.append(line)


def squeeze(line: str) -> str:
    return " ".join(line.split())


def find_missing(expected: list[str], printed: list[str]) -> str | None:
    """Returns the first expected line that is missing in `printed` after the previous one, or None."""
    at, strict = 0, False
    for line in map(squeeze, expected):
        if line in ("", "..."):
            strict = False
            continue
        end = at + 1 if strict else len(printed)
        if line not in printed[at:end]:
            return line
        at = printed.index(line, at, end) + 1
        strict = True
    return None


def run_guide(guide: pathlib.Path, folder: str, environment: dict[str, str]) -> None:
    def fail(line: int, message: str, printed: str = "") -> NoReturn:
        sys.exit(f"{guide}:{line}: {message}\n{printed}".rstrip())

    printed, commands = "", 0
    for line, words, body in blocks(guide.read_text()):
        options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        marks = [word for word in words[1:] if "=" not in word]
        name = options.get("file") or options.get("append")
        if name:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a" if "append" in options else "w") as file:
                file.write("\n".join(body) + "\n")
        elif "test" in marks:
            commands += 1
            run = subprocess.run(["bash", "-e", "-c", "\n".join(body)], cwd=folder, env=environment, text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            printed = run.stdout
            wanted = int(options.get("status", 0))
            if run.returncode != wanted:
                fail(line, f"status {run.returncode}, expected {wanted}", printed)
        elif "output" in marks:
            missing = find_missing(body, [squeeze(text) for text in printed.splitlines()])
            if missing is not None:
                fail(line, f"not printed in this place: {missing}", printed)
    if not commands:
        fail(1, "has no block marked 'sh test'")
    print(f"{guide}: {commands} blocks of commands ran as the page says")


def main() -> int:
    files = [sys.argv[at + 1].split("=", 1) for at, word in enumerate(sys.argv) if word == "--file"]
    names = [word for at, word in enumerate(sys.argv[1:]) if "--file" not in (word, sys.argv[at])]
    guides = [pathlib.Path(name) for name in names if name.endswith(".md")]
    builds = names[len(guides):]
    if not guides or len(builds) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    environment = dict(os.environ, UMA=str(ROOT))
    if builds:
        tools = pathlib.Path(builds[0]).resolve() / "bin"
        environment["PATH"] = f"{tools}{os.pathsep}{environment['PATH']}"

    with tempfile.TemporaryDirectory(prefix="uma-guide-") as folder, \
         tempfile.TemporaryDirectory(prefix="uma-guide-python-") as shims:
        # The guide needs NumPy, which another interpreter on PATH may lack.
        python = pathlib.Path(shims, "python3")
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        python.chmod(0o755)
        environment["PATH"] = f"{shims}{os.pathsep}{environment['PATH']}"
        for name, path in files:
            shutil.copyfile(path, pathlib.Path(folder, name))
        for guide in guides:
            run_guide(guide, folder, environment)
    return 0


sys.exit(main())
