"""LSTM on 8 bits with a cell state of 16 bits and --rounding=tflite: the numbers are those of the kernel of TensorFlow Lite Micro, computed
here in NumPy's integers."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/TFLite/Inputs:%S/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: lstm: 18 of 18 results equal
# CHECK-NEXT: weights of 16 steps: shared

import pathlib
import subprocess
import sys

import numpy as np
from fixed_point import scale
from tflite import Model
from tflite_int16 import logistic, tanh

random = np.random.default_rng(17)
model = Model()
inputs: dict[str, np.ndarray] = {}
expected: dict[str, np.ndarray] = {}
outputs: list[int] = []
ONE = 2.0**-12  # scale of the gates


def pick(dtype, *shape: int) -> np.ndarray:
    return random.integers(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, shape, dtype=dtype)


def limit(number: np.ndarray) -> np.ndarray:
    return np.clip(number, -(2**15), 2**15 - 1)


def run(data, weights, recurrences, biases, state, cell, scales, zeros, clip):
    """`data` is [steps, batch, inputs]. Gates are in the order input, forget, cell, output. Both sums of a gate are rounded."""
    x_scale, y_scale, cell_scale = scales
    states = []
    for step in data:
        gates = []
        for (w, w_scale), (r, r_scale), bias in zip(weights, recurrences, biases):
            sums = (step.astype(np.int64) - zeros[0]) @ w.astype(np.int64).T + bias
            back = (state.astype(np.int64) - zeros[1]) @ r.astype(np.int64).T
            parts = [limit(scale(number, float(np.float32(s) * np.float32(t)) / ONE))
                     for number, s, t in ((sums, x_scale, w_scale), (back, y_scale, r_scale))]
            gates.append(limit(parts[0] + parts[1]))
        enter, forget, out = (logistic(gates[gate], ONE) for gate in (0, 1, 3))
        kept = limit(scale(forget * cell, 2.0**-15))
        cell = limit(kept + limit(scale(enter * tanh(gates[2], ONE), 2.0**-30 / cell_scale)))
        if clip:
            bound = int(min(clip / cell_scale, 32767))
            cell = np.clip(cell, -bound, bound)
        state = np.clip(scale(tanh(cell, cell_scale) * out, 2.0**-30 / y_scale) + zeros[1], -128, 127)
        states.append(state)
    return np.stack(states), state, cell


for i, (cell_scale, clip, major) in enumerate([(2.0**-11, 0, False), (2.0**-12, 0, True), (2.0**-14, 0, False), (2.0**-9, 0, True),
                                               (2.0**-11, 2.5, False), (2.0**-15, 0.25, True)]):
    steps, batch, size, units = 1 if i == 3 else 4, 1 + i % 2, 5 + i, 3 + i
    x_scale, y_scale = (float(np.float32(random.uniform(0.004, 0.02))) for _ in range(2))
    zeros = [int(zero) for zero in random.integers(-128, 128, 2)]
    weights, recurrences = ([(pick(np.int8, units, count), float(np.float32(random.uniform(0.003, 0.02)))) for _ in range(4)]
                            for count in (size, units))
    biases = [random.integers(-20000, 20000, units, dtype=np.int32) for _ in range(4)]
    data, state, cell = pick(np.int8, steps, batch, size), pick(np.int8, batch, units), pick(np.int16, batch, units)
    results = run(data, weights, recurrences, biases, state, cell.astype(np.int64), (x_scale, y_scale, cell_scale), zeros, clip)

    inputs |= {f"x{i}": data if major else data.swapaxes(0, 1), f"h{i}": state, f"c{i}": cell}
    x = model.input(f"x{i}", inputs[f"x{i}"].shape, "int8", scale=x_scale, zero=zeros[0])
    constants = [model.constant(f"w{i}_{k}", value, scale=by, zero=0) for k, (value, by) in enumerate(weights + recurrences)]
    bias = [model.constant(f"b{i}_{k}", value, scale=x_scale * by, zero=0) for k, (value, (_, by)) in enumerate(zip(biases, weights))]
    variables = [model.tensor(f"h{i}", state.shape, "int8", scale=y_scale, zero=zeros[1], is_variable=True),
                 model.tensor(f"c{i}", cell.shape, "int16", scale=cell_scale, zero=0, is_variable=True)]
    expected[f"y{i}"] = results[0] if major else results[0].swapaxes(0, 1)
    expected |= {f"h{i}_next": results[1], f"c{i}_next": results[2]}
    outputs.append(model.tensor(f"y{i}", expected[f"y{i}"].shape, "int8", scale=y_scale, zero=zeros[1]))
    model.add("UNIDIRECTIONAL_SEQUENCE_LSTM", [x, *constants, *[-1] * 3, *bias, *[-1] * 2, *variables, *[-1] * 4], [outputs[-1]],
              "UnidirectionalSequenceLSTM", fused_activation_function="TANH", cell_clip=clip, time_major=major)

folder = sys.argv[1]
model.write("lstm", outputs)
command = ["uma", "run", f"{folder}/lstm.tflite", "--rounding=tflite", "--output-dir", folder]
for name, value in inputs.items():
    np.save(f"{folder}/{name}.npy", value)
    command += ["--input", f"{name}={folder}/{name}.npy"]
subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
equal = 0
for name, value in expected.items():
    actual = np.load(f"{folder}/{name}.npy")
    if np.array_equal(actual, value):
        equal += 1
    else:
        print(f"{name}: {value} expected, computed {actual}")
print(f"lstm: {equal} of {len(expected)} results equal")

# The steps of a layer share one copy of the weights, which are packed.
model = Model()
x = model.input("x", (1, 16, 64), "int8", scale=0.01, zero=0)
weights = [model.constant(f"w{k}", pick(np.int8, 64, 64), scale=0.01, zero=0) for k in range(8)]
bias = [model.constant(f"b{k}", np.zeros(64, np.int32), scale=1e-4, zero=0) for k in range(4)]
variables = [model.tensor("h", (1, 64), "int8", scale=0.01, zero=0, is_variable=True),
             model.tensor("c", (1, 64), "int16", scale=2.0**-11, zero=0, is_variable=True)]
y = model.tensor("y", (1, 16, 64), "int8", scale=0.01, zero=0)
model.add("UNIDIRECTIONAL_SEQUENCE_LSTM", [x, *weights, *[-1] * 3, *bias, *[-1] * 2, *variables, *[-1] * 4], [y],
          "UnidirectionalSequenceLSTM", fused_activation_function="TANH")
model.write("wide", [y])
subprocess.run(["uma", "compile", f"{folder}/wide.tflite", "--rounding=tflite", "-o", f"{folder}/wide_c"], check=True, stdout=subprocess.DEVNULL)
size = (pathlib.Path(folder) / "wide_c/wide_weights.bin").stat().st_size
print("weights of 16 steps: " + ("shared" if size < 200_000 else f"{size} bytes"))
