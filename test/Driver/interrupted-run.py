"""A signal to a command that builds C ends what it has started, too: the compilation of the model, the C compiler, the network's
program, and one that ignores the signal. Nothing is left in the folder for temporary files."""
# REQUIRES: full
# RUN: rm -rf %t && mkdir %t && %python -B %s %source/examples/digits/digits.onnx %dialects/vanilla/vanilla.uma %t

import glob
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

model, description, root = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# C compilers that never end; the second ignores signals.
for name, trap in (("slow-cc", ""), ("stubborn-cc", "trap '' INT TERM HUP\n")):
    (root / name).write_text(f'#!/bin/sh\n{trap}echo $$ > "$MARK"\nwhile :; do sleep 0.05; done\n')
    (root / name).chmod(0o755)
# A network that never ends.
subprocess.run(["uma", "compile", model, "-o", root / "package"], check=True, stdout=subprocess.DEVNULL)
with (root / "package/digits.c").open("a") as file:
    file.write("\n__attribute__((constructor)) static void hang(void) {\n  volatile int go = 1;\n  while (go) {\n  }\n}\n")


def reset():
    # What runs the tests may ignore them, and children inherit that.
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


def find_processes(text: str) -> list[int]:
    """Those with `text` in the command line or among the variables of the environment."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdecimal() and int(name) != os.getpid():
                lines = pathlib.Path("/proc", name, "cmdline").read_bytes() + pathlib.Path("/proc", name, "environ").read_bytes()
                if text.encode() in lines:
                    found.append(int(name))
        except OSError:
            pass
    return found


def get_program(process: int) -> str:
    try:
        return os.readlink(f"/proc/{process}/exe")
    except OSError:
        return ""


def wait_for(what: str, process: subprocess.Popen, condition) -> None:
    end = time.monotonic() + 600
    while not condition():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(f"{what}: did not start, status {process.poll()}")
        time.sleep(0.002)


def is_running(pattern: str) -> bool:
    return any(find_processes(path) for path in glob.glob(pattern))


tune = ["tune", model, "-o", "{}/tuning.json", "--candidates=2", "--rounds=10000", "--cflags=-O0"]
CASES = {
    "the model's compilation": (["run", model], "uma-run-*"),
    "the C compiler": (["run", model, f"--cc={root}/slow-cc"], "mark"),
    "a compiler that ignores signals": (["run", model, f"--cc={root}/stubborn-cc"], "mark"),
    "the network": (["run", str(root / "package")], "uma-run-*/build/digits"),
    "the network under --compare": (["run", str(root / "package"), "--compare"], "uma-run-*/build/digits"),
    "the compiler of check": (["check", description, f"--cc={root}/slow-cc"], "mark"),
    "the compiler of test": (["test", description, f"--cc={root}/slow-cc"], "mark"),
    "the compiler of tune": ([*tune, f"--cc={root}/slow-cc"], "mark"),
    "tune": (tune, "uma-tune-*/0/digits"),
}
for number, (what, (command, stage)) in enumerate(CASES.items()):
    number = SIGNALS[number % len(SIGNALS)]
    with tempfile.TemporaryDirectory(dir=root) as folder:
        environment = {**os.environ, "TMPDIR": folder, "MARK": folder + "/mark"}
        command = ["uma", *(argument.replace("{}", folder) for argument in command)]
        process = subprocess.Popen(command, preexec_fn=reset, start_new_session=True, env=environment, stderr=subprocess.PIPE)
        is_program = stage.endswith("digits")
        wait_for(what, process, lambda: is_running(f"{folder}/{stage}") if is_program else glob.glob(f"{folder}/{stage}"))
        process.send_signal(number)
        try:
            status = process.wait(timeout=600)
        except subprocess.TimeoutExpired:
            status = None
        for name in ("mark", "tuning.json"):
            pathlib.Path(folder, name).unlink(missing_ok=True)
        left, processes = os.listdir(folder), find_processes(folder)
        for child in processes:
            os.kill(child, signal.SIGKILL)
        if status != -number or left or processes:
            sys.exit(f"{what}, {number.name}: status {status}, left {left} and processes {processes}, {process.stderr.read()}")

# Killed, it can remove nothing any more, but the network ends with it.
with tempfile.TemporaryDirectory(dir=root) as folder:
    process = subprocess.Popen(["uma", "run", str(root / "package")], preexec_fn=reset, env={**os.environ, "TMPDIR": folder})
    wait_for("kill", process, lambda: is_running(f"{folder}/uma-run-*/build/digits"))
    process.kill()
    process.wait()
    end = time.monotonic() + 600
    while (processes := find_processes(folder)) and time.monotonic() < end:
        time.sleep(0.01)
    for child in processes:
        os.kill(child, signal.SIGKILL)
    if processes:
        sys.exit(f"kill: left processes {processes}")

# A crash of what does the work leaves nothing either, and is not hidden.
with tempfile.TemporaryDirectory(dir=root) as folder:
    process = subprocess.Popen(["uma", "run", str(root / "package")], preexec_fn=reset, env={**os.environ, "TMPDIR": folder}, stderr=subprocess.DEVNULL)
    wait_for("crash", process, lambda: is_running(f"{folder}/uma-run-*/build/digits"))
    workers = [child for child in find_processes(folder) if child != process.pid and get_program(child) == get_program(process.pid)]
    for worker in workers:
        os.kill(worker, signal.SIGSEGV)
    status = process.wait(timeout=600)
    if not workers or status != -signal.SIGSEGV or os.listdir(folder) or find_processes(folder):
        sys.exit(f"crash: workers {workers}, status {status}, left {os.listdir(folder)}, {find_processes(folder)}")
