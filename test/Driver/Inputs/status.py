"""Runs a command and prints what it says, its exit status and the number of lines of errors: FileCheck sees all three.
`--file-size=BYTES` before the command limits the size of the files it may write, as a full disk would."""

import resource
import subprocess
import sys

command = sys.argv[1:]
limit = None
if command[0].startswith("--file-size="):
    limit = int(command.pop(0).split("=")[1])


def restrict():
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))


result = subprocess.run(command, capture_output=True, timeout=600, preexec_fn=restrict)
errors = result.stderr.decode(errors="backslashreplace")
print(result.stdout.decode(errors="backslashreplace") + errors, end="")
print(f"status {result.returncode}, {len(errors.splitlines())} lines of errors")
