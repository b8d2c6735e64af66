"""Attributes that are words: each unknown one is refused, with the words that are known."""
# RUN: rm -rf %t && mkdir %t && env PYTHONPATH=%S/Inputs %python -B %s %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# CHECK: 24 of 24 refused

import subprocess
import sys

import numpy as np
from model import write

IMAGE, VOLUME = "(float[1,2,4,4] x) => (float[] y)", "(float[1,2,4,4,4] x, float[1,2,2,2,3] g) => (float[] y)"
# Operator, attribute, model before and behind the attributes, operator set.
CASES = [
    ("Conv", "auto_pad", IMAGE, "(x, w)", 13), ("ConvTranspose", "auto_pad", IMAGE, "(x, w)", 13), ("MaxPool", "auto_pad", IMAGE, "(x)", 13),
    ("AveragePool", "auto_pad", IMAGE, "(x)", 13), ("Pad", "mode", IMAGE, "(x, p)", 13), ("DepthToSpace", "mode", IMAGE, "(x)", 13),
    ("Resize", "mode", IMAGE, "(x, _, s)", 13), ("Resize", "coordinate_transformation_mode", IMAGE, "(x, _, s)", 13),
    ("Resize", "nearest_mode", IMAGE, "(x, _, s)", 13), ("Resize", "keep_aspect_ratio_policy", IMAGE, "(x, _, _, t)", 18),
    ("Upsample", "mode", IMAGE, "(x, s)", 9), ("GridSample", "mode", "(float[1,2,4,4] x, float[1,2,2,2] g) => (float[] y)", "(x, g)", 16),
    ("GridSample", "padding_mode", "(float[1,2,4,4] x, float[1,2,2,2] g) => (float[] y)", "(x, g)", 16),
    ("GridSample", "mode", VOLUME, "(x, g)", 20), ("GridSample", "padding_mode", VOLUME, "(x, g)", 20),
    ("RoiAlign", "mode", "(float[1,2,4,4] x, float[3,4] r, int64[3] i) => (float[] y)", "(x, r, i)", 16),
    ("RoiAlign", "coordinate_transformation_mode", "(float[1,2,4,4] x, float[3,4] r, int64[3] i) => (float[] y)", "(x, r, i)", 16),
    ("BitShift", "direction", "(uint8[4] x, uint8[4] z) => (uint8[] y)", "(x, z)", 13),
    ("LSTM", "direction", "(float[3,1,2] x) => (float[] y)", "(x, a, a)", 14),
    ("ScatterElements", "reduction", "(float[4,4] x, int64[1,4] i, float[1,4] u) => (float[] y)", "(x, i, u)", 18),
    ("ScatterND", "reduction", "(float[4,4] x, int64[1,1] i, float[1,4] u) => (float[] y)", "(x, i, u)", 18),
    ("NegativeLogLikelihoodLoss", "reduction", "(float[2,3] x, int64[2] i) => (float[] y)", "(x, i)", 13),
    ("SoftmaxCrossEntropyLoss", "reduction", "(float[2,3] x, int64[2] i) => (float[] y)", "(x, i)", 13),
    ("Gelu", "approximate", IMAGE, "(x)", 20),
]
NEEDED = {"MaxPool": "kernel_shape=[2,2], ", "AveragePool": "kernel_shape=[2,2], ", "DepthToSpace": "blocksize=1, ", "LSTM": "hidden_size=2, ", "RoiAlign": "sampling_ratio=2, "}
weights = {"w": np.zeros((2, 2, 3, 3), "f4"), "p": np.array([0, 0, 1, 1, 0, 0, 1, 1]), "s": np.array([1, 1, 2, 2], "f4"), "t": np.array([1, 2, 8, 8]),
           "a": np.zeros((1, 8, 2), "f4")}
refused = 0
for operator, attribute, signature, operands, opset in CASES:
    used = {name: value for name, value in weights.items() if name in operands}
    write("net", f'{signature} {{ y = {operator}<{NEEDED.get(operator, "")}{attribute}="unheard_of">{operands} }}', opset=opset, **used)
    done = subprocess.run(["uma", "explain", f"{sys.argv[1]}/net.onnx"], capture_output=True, text=True)
    message = done.stderr
    if done.returncode == 2 and "unheard_of" in message and " expected " in message and message.count("\n") == 1:
        refused += 1
    else:
        print(operator, attribute, done.returncode, message, done.stdout[:200])
print(f"{refused} of {len(CASES)} refused")
