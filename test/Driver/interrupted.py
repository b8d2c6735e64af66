"""An interrupted compilation leaves nothing behind, or the whole package where it was just done; interrupted tuning leaves
nothing, whether it is building or measuring. A report appears with its package."""
# REQUIRES: full
# RUN: %python -B %s %source/examples/digits/digits.onnx

import glob
import os
import signal
import subprocess
import sys
import tempfile
import time

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def reset():
    # What runs the tests may ignore them, and children inherit that.
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


for number in SIGNALS:
    with tempfile.TemporaryDirectory() as folder:
        command = ["uma", "compile", sys.argv[1], "-o", folder + "/package"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=reset)
        # The first file is there long before the last one.
        while not os.listdir(folder) and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(number)
        status = process.wait()
        left = os.listdir(folder)
        if status not in (0, -number) or (status == 0) > (left == ["package"]) or left not in ([], ["package"]):
            sys.exit(f"{number.name}: status {status}, left {left}")
        if left and not os.path.exists(folder + "/package/metadata.json"):
            sys.exit(f"{number.name}: the package is not whole")

# A page is there if and only if its package is, whenever the signal comes.
whole = 0
for moment in range(24):
    with tempfile.TemporaryDirectory() as folder:
        command = ["uma", "compile", sys.argv[1], "-o", folder + "/package", "--report", folder + "/page.html"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=reset)
        number = SIGNALS[moment % len(SIGNALS)]
        start = time.monotonic()
        if moment:
            time.sleep(whole * moment / 20)
            process.send_signal(number)
        status = process.wait()
        # The first run shows how long one takes.
        whole = whole or time.monotonic() - start
        left = sorted(os.listdir(folder))
        if status not in (0, -number) or (status == 0) > bool(left) or left not in ([], ["package", "page.html"]):
            sys.exit(f"report, {number.name}: status {status}, left {left}")

# The last one measures soon after its second program is there.
for number, stage, pause in ((signal.SIGINT, "0/package", 0), (signal.SIGTERM, "1/package", 0), (signal.SIGINT, "1/digits", 1)):
    with tempfile.TemporaryDirectory() as folder:
        # Many rounds: it does not end by itself.
        command = ["uma", "tune", sys.argv[1], "-o", folder + "/tuning.json", "--candidates=2", "--rounds=10000", "--cflags=-O0"]
        # A keyboard interrupts the C compiler and the network as well.
        process = subprocess.Popen(command, preexec_fn=reset, start_new_session=True, env={**os.environ, "TMPDIR": folder})
        end = time.monotonic() + 600
        while not glob.glob(f"{folder}/uma-tune-*/{stage}") and process.poll() is None:
            if time.monotonic() > end:
                os.killpg(process.pid, signal.SIGKILL)
                sys.exit(f"tune: no {stage} after ten minutes")
            time.sleep(0.001)
        time.sleep(pause)
        os.killpg(process.pid, number)
        status = process.wait()
        left = os.listdir(folder)
        if status != -number or left:
            sys.exit(f"tune, {number.name} at {stage}: status {status}, left {left}")
