"""Small inputs that failed once, and the right values: computed by hand, by NumPy or by ONNX Runtime."""
# REQUIRES: cases, gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env CFLAGS=-O1 %python -B %s %cases %t %gcc | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# CHECK: 11 of 11 right

import os
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import numpy_helper

cases, folder, gcc = sys.argv[1:]
os.chdir(folder)
right = count = 0
# Takes a convolution, a bias and `relu` only.
pathlib.Path("npu.uma").write_text("""accelerator npu {
  include "npu.h"
  model "npu.c"
  pattern conv(x: f32[1, ic, ih, iw], w: f32[oc, ic, 3, 3], b: f32[oc]) {
    sums = conv2d(x, w, strides=[1, 1], dilations=[1, 1], groups=1, padding=same)
    biased = bias_add(sums, b, axis=1)
    y = relu(biased)
    call npu_conv(x, w, b, y, ic, oc, ih, iw)
  }
}
""")
pathlib.Path("npu.h").write_text("int npu_conv(const float *x, const float *w, const float *b, float *y, int ic, int oc, int ih, int iw);\n")
pathlib.Path("npu.c").write_text("""#include "npu.h"
int npu_conv(const float *x, const float *w, const float *b, float *y, int ic, int oc, int ih, int iw) {
  for (int o = 0; o < oc; ++o)
    for (int h = 0; h < ih; ++h)
      for (int v = 0; v < iw; ++v) {
        float sum = b[o];
        for (int c = 0; c < ic; ++c)
          for (int k = 0; k < 9; ++k) {
            int i = h + k / 3 - 1, j = v + k % 3 - 1;
            if (i >= 0 && i < ih && j >= 0 && j < iw)
              sum += x[(c * ih + i) * iw + j] * w[(o * ic + c) * 9 + k];
          }
        *y++ = sum > 0 ? sum : 0;
      }
  return 0;
}
""")


def check(case: str, inputs: dict, expected, tolerance=0.0, options=(), output="y", extension="onnx", says="") -> None:
    """Runs a case. An input is an array, or the name of a file of the case."""
    global right, count
    count += 1
    command = ["uma", "run", f"{cases}/{case}.{extension}", "--compare", "--cc", gcc, "--output-dir", case, *options]
    for name, value in inputs.items():
        path = f"{cases}/{value}" if isinstance(value, str) else f"{case}-{name}.npy"
        if not isinstance(value, str):
            np.save(path, value)
        command += ["--input", f"{name}={path}"]
    done = subprocess.run(command, capture_output=True, text=True)
    found = np.load(f"{case}/{output}.npy") if done.returncode == 0 else None
    if found is not None and np.allclose(found, expected, rtol=0, atol=tolerance) and says in done.stdout:
        right += 1
    else:
        print(case, done.returncode, done.stderr, done.stdout, found)


def convolve(data: np.ndarray, weights: np.ndarray, pad: int) -> np.ndarray:
    """Computes a convolution with a kernel of 3x3 and strides of 1."""
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(data, ((0, 0), (0, 0), (pad, pad), (pad, pad))), (3, 3), axis=(2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, weights)


def read_weights(name: str) -> dict:
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(f"{cases}/{name}.onnx").graph.initializer}


def mix(*shape: int) -> np.ndarray:
    return ((np.arange(np.prod(shape)) * 37 % 101 - 50) / 25).astype("f4").reshape(shape)


check("fail_01", {"v": "fail_01_v.npy", "t": "fail_01_t.npy"}, [[60, 70, 80], [180, 190, 200]], output="d")
image, weights = (np.arange(192) * 29 % 256).astype("u1").reshape(1, 3, 8, 8), read_weights("fail_02")
scaled = np.clip(image.astype("f4"), weights["lo"], weights["hi"]) * weights["k"]
check("fail_02", {"x": image}, convolve(scaled, weights["w"], 0), tolerance=1e-5)
check("fail_03", {"x": "fail_03_x.npy"}, [[4, 9], [0.25, 16]])
check("fail_04", {"x": "fail_04_x.npy"}, [[[[1, 3]]]])
check("fail_05", {"x": "fail_05_x.npy"}, [107, 107])
y = [-0.163216, -0.087128, -0.119022, 0.893785, 0.166767, 0.32109]
check("fail_06", {"x": "fail_06_x.npy"}, np.reshape(y, (2, 3)), tolerance=1e-6)
# ONNX Runtime's.
y = [2.575011, -1.385052, -0.5831546, 1.941217, 2.450748, -2.291178, -2.257134, -0.2934534]
check("fail_09", {"x": mix(1, 3, 16, 16)}, np.reshape(y, (1, 8, 1, 1)), tolerance=1e-4)
check("fail_11", {"x": np.array([[0, 3, 32767, -32768]], "i2")}, [0, 6, 65534, -65536], output="y", extension="tflite")
check("fail_13", {"x": "fail_13_x.npy"}, np.load(f"{cases}/fail_13_x.npy"))
data, weights = mix(1, 3, 8, 8), read_weights("fail_14")
expected = np.maximum(convolve(data, weights["w"], 1) + weights["bb"], 0)
check("fail_14", {"x": data}, expected, tolerance=1e-5, options=["-a", "npu.uma"], says="100.0 % of the MACs")
data, other = mix(2, 2, 4), mix(2, 8) + 1
check("fail_16", {"x": data, "q": other}, data.reshape(2, 8) + other, options=["--shape", "x=2x2x4"])
print(f"{right} of {count} right")
