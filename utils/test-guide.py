#!/usr/bin/python3
"""Runs the commands of a guide, so that what it says stays true.

  utils/test-guide.py GUIDE.md [BUILD]

Reads the fenced code blocks of GUIDE.md whose first line says what they are, and
handles them in the order of the page, in an empty folder:

  ```c file=mydev.c       writes the file (append=mydev.c adds to its end)
  ```sh test              runs the commands with `bash -e`; status 0 is expected
  ```sh test status=2     the same, expecting another status
  ```text output          consecutive lines of what the commands before it print; runs of
                          blanks count as one, an empty line or `...` skips lines

All other blocks are left alone. BUILD/bin comes first on PATH, and the variable UMA is the folder of
the sources. Prints what failed, with its line in the page, and exits with 1.
"""

import os
import pathlib
import re
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
    """The first expected line that `printed` does not hold after the one before it."""
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


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    guide = pathlib.Path(sys.argv[1])
    environment = dict(os.environ, UMA=str(ROOT))
    if len(sys.argv) == 3:
        tools = pathlib.Path(sys.argv[2]).resolve() / "bin"
        environment["PATH"] = f"{tools}{os.pathsep}{environment['PATH']}"

    def fail(line: int, message: str, printed: str = "") -> NoReturn:
        sys.exit(f"{guide}:{line}: {message}\n{printed}".rstrip())

    printed, commands = "", 0
    with tempfile.TemporaryDirectory(prefix="uma-guide-") as folder:
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
    return 0


sys.exit(main())
