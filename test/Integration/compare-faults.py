"""Faults planted in the model of a device: plain `uma run --compare` finds each one, names the layer and the pattern,
and exits with 1, or with 4 where the device itself fails. The network ends in a softmax of few classes, which hides
most of them from a look at its outputs."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/../Import/ONNX/Inputs CFLAGS=-O0 %python -B %s %t %S/Inputs/faulty/faulty.uma %full | FileCheck %s --implicit-check-not=MISSED

import concurrent.futures
import os
import re
import subprocess
import sys

import numpy as np
from model import write

folder, description = sys.argv[1:3]
random = np.random.default_rng(0)
write(
    "net",
    "(float[1,2,5,7] x) => (float[1,3] y) {"
    " c = Conv<pads=[1,1,1,1]>(x, w1) r = Relu(c) d = Conv<pads=[1,1,1,1]>(r, w2) f = Flatten(d)"
    " g = Gemm<transB=1>(f, w3, b3) y = Softmax(g) }",
    w1=random.uniform(-1, 1, (4, 2, 3, 3)).astype(np.float32),
    w2=random.uniform(-1, 1, (3, 4, 3, 3)).astype(np.float32),
    w3=random.uniform(-0.1, 0.1, (3, 105)).astype(np.float32),
    b3=random.uniform(-0.1, 0.1, 3).astype(np.float32),
)

# What the message has to say beside the layer. All but the first group are differences, exit code 1.
FAILURES = {
    "crash": "crashed (Segmentation fault)",
    "abort": "crashed (Aborted)",
    "exit": "ended the program with status 0",
    "division": "crashed (Floating point exception)",
    "recursion": "crashed (Segmentation fault)",
    "hang": "did not return within 2 s",
    "status": "failed with status 7",
    "writes-weights": "crashed (Segmentation fault)",
    "dense-crash": "faulty_dense(",
    "bias-hang": "faulty_bias(",
    "bias-status": "failed with status -4",
}
DIFFERENCES = {
    "writes-input": "changes its input 'x' (280 bytes)",
    "behind-by-a-byte": "writes outside of 'y' (560 bytes): 1 bytes from byte 560 on",
    "in-front": "writes outside of 'y' (560 bytes): 4 bytes from 4 bytes in front of it on",
    "clears-too-much": "writes outside of 'y' (560 bytes): 32 bytes from byte 560 on",
    "row-behind": "writes outside of 'y' (560 bytes): 28 bytes from byte 560 on",
    "bias-behind": "writes outside of 'y' (12 bytes): 4 bytes from byte 12 on",
    "first-element": "y[0, 0, 0, 0] is 0, expected",
    "one-element": "(1 of 140 elements differ), seed 0",
    "nan": "y[0, 3, 4, 6] is nan, expected",
    "infinity": "is inf, expected",
    "zeros": "is 0, expected",
    "fifth-call": ", seed 2",
    "kept-sum": "[0, 0, 0, 2]",
    "kept-weights": "'Conv_2'",
    "scale": "elements differ",
    "relu": "is 0, expected -",
    "saturates": "is 0.899999976",
    "brain-float": "elements differ",
    "swapped-sizes": "elements differ",
    "skipped-channel": "y[0, 3, 0, 0] is uninitialised",
    "skipped-corner": "y[0, 0, 0, 6] is uninitialised: never written, or computed from memory that nobody wrote; expected",
    "skipped-input-channel": "elements differ",
    "wrong-side": "elements differ",
    "flipped-kernel": "elements differ",
    "transposed-kernel": "elements differ",
    "wraps-around": "elements differ",
    "reads-behind": "is uninitialised",
    "accumulates": "y[0, 0, 0, 0] is uninitialised",
    "channels-last": "elements differ",
    "short-sum": "elements differ",
    "no-bias": "elements differ",
}


#: Those of the quick tests.
SAMPLE = ["crash", "hang", "status", "writes-weights", "dense-crash", "bias-behind", "nan", "fifth-call", "kept-weights", "skipped-corner"]


def run(fault: str, *options: str) -> tuple[int, str]:
    # Only what hangs has to meet the limit.
    limit = ["--timeout=2"] if fault.endswith("hang") else []
    command = ["uma", "run", f"{folder}/package", *limit, *(options or ["--compare"])]
    environment = dict(os.environ, FAULT=fault)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


subprocess.run(
    ["uma", "compile", f"{folder}/net.onnx", "-a", description, "-o", f"{folder}/package"], check=True
)


def check(fault: str) -> str:
    code, text = run(fault)
    fails = fault in FAILURES
    expected = (FAILURES | DIFFERENCES)[fault]
    layer = re.search(r"layer '(\w+)'", text)
    pattern = fails or re.search(r"\(faulty\.uma:\d+\)", text)
    found = code == (4 if fails else 1) and expected in text and layer and pattern
    return f"{fault}: exit {code}, layer {layer and layer[1]}" + ("" if found else f" MISSED {expected!r}\n{text}")


print("none:", *run("none"))
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    faults = list(FAILURES | DIFFERENCES) if "--full" in sys.argv else SAMPLE
    for line in pool.map(check, faults):
        print(line)
print(len(faults), "faults")
print("layers:", *run("one-element", "--compare=layers"))
print("crash:", *run("dense-crash"))
write("idle", "(float[1,4] x) => (float[1,4] y) { y = Sigmoid(x) }")
done = subprocess.run(["uma", "run", f"{folder}/idle.onnx", "-a", description, "--compare"], capture_output=True, text=True)
print("idle:", done.returncode, done.stderr.splitlines()[-1], done.stdout)

# CHECK: none: 0 y: equal to the reference interpreter, max error {{.*}}, 8 seeds
# CHECK-NEXT: faulty: 3 calls in each run, 4 of 7 operators, 100.0 % of the MACs
# CHECK: crash: exit 4, layer Conv_0
# CHECK: dense-crash: exit 4, layer Gemm_4
# CHECK: bias-behind: exit 1, layer Gemm_4
# CHECK: kept-weights: exit 1, layer Conv_2
# CHECK: {{42|10}} faults
# All layers that are wrong, each on right data.
# CHECK: layers: 1 y: equal to the reference interpreter
# CHECK-NEXT: layer 'Conv_0' on faulty, pattern 'conv2d' (faulty.uma:6): y[0, 2, 0, 0] is {{.*}}, expected {{.*}} (1 of 140 elements differ), seed 0
# CHECK-NEXT: layer 'Conv_2' on faulty, pattern 'conv2d' (faulty.uma:6): y[0, 1, 2, 3] is {{.*}}, expected {{.*}} (1 of 105 elements differ), seed 0
# CHECK-NEXT: layer 'Conv_0' on faulty: DIFFERENT, max error {{.*}} of the largest element, 1 calls
# CHECK-NEXT: layer 'Conv_2' on faulty: DIFFERENT
# CHECK-NEXT: layer 'Gemm_4' on faulty: equal
# CHECK: crash: 4 uma: error: network 'net' failed: layer 'Gemm_4' on device 'faulty', faulty_dense(x=f32[1, 105], w=f32[3, 105], t=f32[1, 3], n=3, k=105) (faulty.uma:11): crashed (Segmentation fault)
# CHECK: idle: 0 uma: warning: no layer of 'idle' runs on accelerator 'faulty': 0 % of the MACs; 'uma explain MODEL -a faulty' says why
# CHECK-NEXT: faulty: 0 calls in each run, 0 of 1 operators, 0.0 % of the MACs
