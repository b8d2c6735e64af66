"""Operators of TensorFlow Lite on 16 bits with --rounding=tflite: the bits of the formulas of its reference kernels, computed here in NumPy's
integers. utils/compare-tflite.py compares these numbers with TensorFlow Lite's."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/TFLite/Inputs:%S/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: 105 of 105 results equal

import subprocess
import sys

import numpy as np
from tflite_int16 import Int16Model

folder = sys.argv[1]
network = Int16Model(browser=False)
network.model.write("model", network.outputs)
command = ["uma", "run", f"{folder}/model.tflite", "--rounding=tflite", "--compare", "--output-dir", f"{folder}/out"]
for name, value in network.inputs.items():
    np.save(f"{folder}/{name}.npy", value)
    command += ["--input", f"{name}={folder}/{name}.npy"]
done = subprocess.run(command, capture_output=True, text=True)
if done.returncode:
    sys.exit(f"{done.stdout} {done.stderr}")
wrong = 0
for (name, value), operator in zip(network.expected.items(), network.model.graph["operators"]):
    actual = np.load(f"{folder}/out/{name}.npy")
    if not np.array_equal(actual, value):
        kind = network.model.json["operator_codes"][operator["opcode_index"]]["builtin_code"]
        print(f"{name} ({kind}): {(actual != value).sum()} of {value.size}, at most {np.abs(actual - value.astype(np.int64)).max()} apart")
        wrong += 1
print(f"{len(network.expected) - wrong} of {len(network.expected)} results equal")
