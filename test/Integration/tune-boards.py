"""`uma tune --run-with` on boards: in an emulator, and on several boards by a program that stands for ssh. One board runs one
program at a time, boards share the rounds, and one that hangs or fails is dropped with its name."""
# REQUIRES: full, gcc, cross-aarch64
# RUN: rm -rf %t && mkdir %t && %python -B %s %source/examples/digits/digits.onnx %t %S/Inputs/boards | FileCheck %s --match-full-lines

import collections
import json
import os
import pathlib
import subprocess
import sys

model, folder, boards = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
os.environ["PATH"] = boards + os.pathsep + os.environ["PATH"]
os.environ["BOARDS"] = str(folder)
(folder / "tmp").mkdir()
log = folder / "log"


def tune(*commands, output="tuning.json", options=(), rounds=4):
    """Returns the exit code, the messages, and the database."""
    log.write_text("")
    path = folder / output
    command = ["uma", "tune", model, "-o", str(path), "--candidates=2", f"--rounds={rounds}", "--cc=aarch64-linux-gnu-gcc",
               "--cflags=-O3 -static", *(f"--run-with={command}" for command in commands), *options]
    result = subprocess.run(command, capture_output=True, text=True)
    database = json.loads(path.read_text()) if path.exists() else None
    path.unlink(missing_ok=True)
    assert not list((folder / "tmp").iterdir()), "a program was left on the board"
    return result.returncode, result.stderr, database


def show(*commands, **more):
    code, messages, _ = tune(*commands, **more)
    print(messages.strip().replace(f"{folder}/", ""), f"({code})")


# An emulator, one board and two boards: the same layers; on boards whose times do not vary, the same winners.
code, messages, here = tune("qemu-aarch64", rounds=1)
assert (code, messages) == (0, ""), messages
code, messages, one = tune("ssh fair1", rounds=1)
assert (code, messages) == (0, ""), messages
code, messages, two = tune("ssh fair1", "ssh fair2")
assert (code, messages) == (0, ""), messages
for member in ("format", "version", "lanes", "processor", "compiler"):
    assert here[member] == one[member] == two[member], (here[member], one[member], two[member])
assert one["processor"] == "aarch64" and one["compiler"] == "aarch64-linux-gnu-gcc -O3 -static" and one["lanes"] == 4, one
assert [layer["workload"] for layer in here["layers"]] == [layer["workload"] for layer in one["layers"]]
assert one["layers"] == two["layers"], (one, two)
# CHECK: 5 layers
print(len(one["layers"]), "layers")

# Both boards take part, with one program at a time. The rounds are 1 for the lanes, 4 of 2 variants, and 4 of 2 to confirm.
counts, running = collections.Counter(), set()
for host, what in (line.split() for line in log.read_text().splitlines()):
    if what == "begin":
        assert host not in running, f"two programs on {host}"
        running.add(host)
        counts[host] += 1
    else:
        running.remove(host)
assert not running and sum(counts.values()) == 2 + 1 + 16 and min(counts.values()) >= 4, counts

# Boards that fail: their work goes to the others.
# CHECK-NEXT: uma: warning: 'ssh hangs' does not end within 10 s (--timeout sets the limit); it is dropped, 1 board is left (0)
show("ssh one", "ssh hangs", options=["--timeout=10"], rounds=1)
# CHECK-NEXT: uma: warning: 'ssh missing' fails: ssh: Could not resolve hostname missing; it is dropped, 2 boards are left (0)
show("ssh one", "ssh missing", "ssh two", rounds=1)
# CHECK-NEXT: uma: warning: 'ssh breaks' fails with status 255; it is dropped, 1 board is left (0)
code, messages, database = tune("ssh breaks", "ssh one")
print(messages.strip(), f"({code})")
assert len(database["layers"]) == 5
# CHECK-NEXT: uma: warning: 'ssh hangs1' does not end within 1 s (--timeout sets the limit); it is dropped, 1 board is left
# CHECK-NEXT: uma: error: 'ssh hangs2' does not end within 1 s (--timeout sets the limit); no board is left (4)
show("ssh hangs1", "ssh hangs2", options=["--timeout=1"])
# CHECK-NEXT: uma: error: 'ssh lies' fails: it does not tell its times (4)
show("ssh lies", options=["--cpu=cortex-a72"])
# CHECK-NEXT: uma: error: 'ssh nan' fails: it does not tell its times (4)
show("ssh nan", options=["--cpu=cortex-a72"])
# CHECK-NEXT: uma: error: 'ssh lanes' fails: it does not tell its times (4)
show("ssh lanes", options=["--cpu=cortex-a72"])
# CHECK-NEXT: uma: error: 'ssh full' fails: mktemp: failed to create directory: No space left on device (4)
show("ssh full")
# CHECK-NEXT: uma: error: 'qemu-x86_64' fails: qemu-x86_64: {{.*}}/digits: Invalid ELF image for this architecture (4)
show("qemu-x86_64")
# A program that hangs ends when its board is dropped.
hanging = (folder / "hanging").read_text().split()
assert len(hanging) == 3 and not any(os.path.exists(f"/proc/{pid}") for pid in hanging), hanging

# The processor is the board's, or the one that --cpu names; boards of different kinds are not compared.
# CHECK-NEXT: cortex-a72 cortex-a53 cortex-a72
names = [tune("ssh a72", rounds=1)[2], tune("ssh a53", rounds=1)[2], tune("ssh one", rounds=1, options=["--cpu=cortex-a72"])[2]]
print(*(database["processor"] for database in names))
# CHECK-NEXT: uma: error: 'ssh a72' has processor 'cortex-a72', 'ssh a53' has 'cortex-a53': times of different processors cannot be compared (2)
show("ssh a72", "ssh a53")
(folder / "known.json").write_text(json.dumps(names[1]))
# CHECK-NEXT: uma: error: known.json: was made for processor 'cortex-a53', this is 'cortex-a72'; give another file (2)
show("ssh a72", output="known.json")

# CHECK-NEXT: aarch64
print(tune("ssh greets", rounds=1)[2]["processor"])

# Wrong uses.
# CHECK-NEXT: uma: error: --run-with='': expected a command, such as 'qemu-aarch64' or 'ssh board' (2)
show("")
# CHECK-NEXT: uma: error: --run-with='no-such-program -x': no such program 'no-such-program' (2)
show("no-such-program -x")
# CHECK-NEXT: uma: error: --run-with='ssh': expected the name of a host after 'ssh' (2)
show("ssh")
# CHECK-NEXT: uma: error: --run-with='ssh one' is there twice: two programs would run on one board at the same time (2)
show("ssh one", "ssh two", "ssh one")
# CHECK-NEXT: uma: error: --cpu=native is this machine, not the one of --run-with; name its processor (2)
show("ssh one", options=["--cpu=native"])
# CHECK-NEXT: uma: error: --cpu: there is no processor 'cortex-a27'; did you mean {{.*}} (2)
show("ssh one", options=["--cpu=cortex-a27"])
# CHECK-NEXT: uma: error: --cpu=cortex-m4 has vectors of 1 lanes, but the C was compiled for 4; choose its compiler and flags with --cc and --cflags (2)
show("ssh one", options=["--cpu=cortex-m4"])
# The generic processor has all vectors.
# CHECK-NEXT: generic
print(tune("ssh one", rounds=1, options=["--cpu=generic"])[2]["processor"])
