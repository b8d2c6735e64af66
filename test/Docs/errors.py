"""Each command in the tables of docs/errors.md ends with the exit code and the message of its row."""
# RUN: rm -rf %t && mkdir %t && %python -B %s %source %t | FileCheck %s --match-full-lines
# REQUIRES: gcc
# CHECK: {{3[0-9]}} messages

import os
import pathlib
import re
import subprocess
import sys

source, folder = map(pathlib.Path, sys.argv[1:3])
page = (source / "docs/errors.md").read_text()
environment = dict(os.environ, UMA=str(source))


def run(command: str) -> tuple[int, str]:
    done = subprocess.run(["bash", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


setup = re.search(r"^```sh test\n(.*?)^```", page, re.M | re.S)[1]
status, text = run(setup)
assert status == 0, text
count = 0
for command, code, message in re.findall(r"^\| `([^`]*uma [^`]*)` \| (\d) \| `([^`]*)` \|", page, re.M):
    status, text = run(command)
    if status != int(code) or message not in text:
        sys.exit(f"{command}: expected {code} and '{message}', found {status}:\n{text}")
    count += 1
assert count == len(re.findall(r"^\| `(?:\w+=\S+ )?uma ", page, re.M))
print(f"{count} messages")
