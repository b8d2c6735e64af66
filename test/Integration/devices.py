"""Three devices, each described from its header alone: a product of matrices with leading dimensions, a convolution with a
configuration struct and enums, a fused layer with a struct by value and flags. Their descriptions pass their tests, and they
take most of the multiplications of networks that nobody wrote for them.
"""
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %S/Inputs/devices %S/../.. %models | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# REQUIRES: full, gcc

import os
import pathlib
import re
import subprocess
import sys

FOLDER, DEVICES, ROOT, MODELS = (pathlib.Path(argument).resolve() for argument in sys.argv[1:5])
sys.path.insert(0, str(ROOT / "bench"))
sys.dont_write_bytecode = True


def uma(*arguments) -> str:
    done = subprocess.run(["uma", *map(str, arguments)], capture_output=True, text=True, env={**os.environ, "CFLAGS": "-O2"})
    if done.returncode:
        sys.exit(f"uma {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}")
    return done.stdout


def share(model: pathlib.Path, device: str, kinds: str) -> float:
    """The percentage of the multiplications of these operators that the device takes."""
    mine = whole = 0
    for line in uma("explain", model, "-a", DEVICES / f"{device}.uma").splitlines():
        row = re.match(rf"\S+ +({kinds}) +(\S+) +(\d[\d ]*)(?: |$)", line)
        if row:
            macs = int(row.group(3).replace(" ", ""))
            whole += macs
            mine += macs * (row.group(2) == device)
    return 100 * mine / whole


for device in ("tg", "cv", "fz"):
    # No test of a description fails.
    uma("test", DEVICES / f"{device}.uma", "--cc", os.environ.get("CC", "gcc"))
    lines = [line for line in (DEVICES / f"{device}.uma").read_text().splitlines() if line.strip() and not line.startswith("#")]
    print(f"{device}: {'at most 25' if len(lines) <= 25 else len(lines)} lines, tested")
# CHECK: tg: at most 25 lines, tested
# CHECK-NEXT: cv: at most 25 lines, tested
# CHECK-NEXT: fz: at most 25 lines, tested

import models  # noqa: E402, needs the path

networks = {"mobilenet-v2": FOLDER / "mobilenet_v2.onnx", "bert": FOLDER / "bert.onnx", "digits": ROOT / "examples/digits/digits.onnx",
            "resnet8": MODELS / "mlperf_tiny/ic_resnet8_float.onnx"}
models.MODELS["mobilenet-v2"]().save(networks["mobilenet-v2"])
models.bert(layers=1, tokens=32, hidden=192, heads=4, inner=768).save(networks["bert"])
BARS = {("tg", "conv2d|dense|batch_matmul|attention"): {"mobilenet-v2": 85, "resnet8": 95, "bert": 90, "digits": 80},
        ("cv", "conv2d"): {"mobilenet-v2": 85, "resnet8": 85, "digits": 85},
        ("fz", "conv2d"): {"mobilenet-v2": 95, "resnet8": 95, "digits": 95}}
for (device, kinds), bars in BARS.items():
    for name, bar in bars.items():
        if not networks[name].exists():
            print(f"{device}: {name}: skipped, {networks[name]} is missing")
            continue
        taken = share(networks[name], device, kinds)
        # The large one takes seconds to interpret, and has no layer that the others lack.
        if name != "mobilenet-v2":
            uma("run", networks[name], "-a", DEVICES / f"{device}.uma", "--compare", "--seeds=1")
        print(f"{device}: {name}: {f'at least {bar}' if taken >= bar else f'{taken:.1f}'} % of the multiplications")
# CHECK-NEXT: tg: mobilenet-v2: at least 85 % of the multiplications
# CHECK-NEXT: tg: resnet8: {{at least 95 % of the multiplications|skipped, .*}}
# CHECK-NEXT: tg: bert: at least 90 % of the multiplications
# CHECK-NEXT: tg: digits: at least 80 % of the multiplications
# CHECK-NEXT: cv: mobilenet-v2: at least 85 % of the multiplications
# CHECK-NEXT: cv: resnet8: {{at least 85 % of the multiplications|skipped, .*}}
# CHECK-NEXT: cv: digits: at least 85 % of the multiplications
# CHECK-NEXT: fz: mobilenet-v2: at least 95 % of the multiplications
# CHECK-NEXT: fz: resnet8: {{at least 95 % of the multiplications|skipped, .*}}
# CHECK-NEXT: fz: digits: at least 95 % of the multiplications
