"""Operators whose numbers were those of ONNX Runtime (1.30) when this was written, unless a comment says otherwise. One network."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/ONNX/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: 8 of 8 results equal

import subprocess
import sys

from model import np, write

folder = sys.argv[1]
INPUTS = {
    "x": (np.arange(18) * 7 % 11).astype(np.float32).reshape(1, 2, 3, 3),
    "g": np.array([-1.5, -0.25, 1.25, 0.5, 0.25, -1.75, 0.75, 2], np.float32).reshape(1, 2, 2, 2),
    "q": (np.arange(12) * 29 % 256).astype(np.uint8).reshape(2, 3, 2),
    "i": (np.arange(20) * 13 % 256).astype(np.uint8).reshape(1, 1, 5, 4),
    "n": np.arange(-4, 5, dtype=np.int8),
    "r": np.arange(7, dtype=np.float32),
    "o": np.arange(4, dtype=np.uint8).reshape(4, 1),
}
NODES = """
  border = GridSample<mode="cubic", padding_mode="border", align_corners=1>(x, g)
  halves = GridSample<mode="cubic", padding_mode="border">(x, g)
  kept = Resize<mode="cubic", coordinate_transformation_mode="tf_half_pixel_for_nn">(x, _, _, sizes)
  last = com.microsoft.QLinearSoftmax<opset=11>(q, s, z, t, z)
  outside = com.microsoft.QLinearAveragePool<kernel_shape=[2,3], strides=[2,2], ceil_mode=1, count_include_pad=1>(i, s, v, s, v)
  shrunk = Shrink<bias=1.75, lambd=1.5>(n)
  third = Resize<nearest_mode="floor">(r, _, scales)
  ones = com.microsoft.QLinearSoftmax<opset=13>(o, s, z, u, z)
"""
EXPECTED = {
    # A cubic curve reads the border beside the image, and is not evaluated at the border.
    "border": [7.981201, 0.984375, 6.9079742, 1.765625, 7.7070312, 11.284546, 2.6194153, 7.2734375],
    "halves": [6.5063477, 1.1503906, 6.3276367, 0.7128906, 7.470215, 9.653868, 2.1191406, 9.502441],
    # Channels, which keep their number, are not shifted by half an element.
    "kept": [2.83725, 6.7682514, 2.7682507, 9.240752, 6.14275, 2.1427498, 10.4375, 5.40625, 1.40625, 8.939245, 4.9392476, 0.93924946,
             8.952752, 4.952751, 0.9527502, 7.768252, 3.768251, 2.83725, 7.14275, 3.1427498, 9.240752, 6.40625, 2.40625, 10.4375,
             5.9392467, 1.9392489, 8.939245, 5.9527507, 1.9527502, 8.952752],
    # The default axis is the last one for any `opset`.
    "last": [99, 157, 99, 157, 99, 157, 99, 157, 249, 7, 99, 157],
    # Elements that the last windows read behind the padding are counted.
    "outside": [39, 42, 143, 111, 115, 86],
    # Integers are rounded to zero.
    "shrunk": [-2, -1, 0, 0, 0, 0, 0, 1, 2],
    # (0 + 0.5) / (1 / 3) - 0.5 is 1 in f32.
    "third": [1.0, 4.0],
    # 1 / 0.0044 rounded down: ONNX Runtime's product exceeds f32, and gives 0.
    "ones": [227, 227, 227, 227],
}  # fmt: skip

inputs = "float[1,2,3,3] x, float[1,2,2,2] g, uint8[2,3,2] q, uint8[1,1,5,4] i, int8[9] n, float[7] r, uint8[4,1] o"
outputs = ", ".join(("float" if "." in str(numbers) else "int8" if min(numbers) < 0 else "uint8") + f"[] {name}" for name, numbers in EXPECTED.items())
write("net", f"({inputs}) => ({outputs}) {{ {NODES} }}", opset=20, domains=("com.microsoft",), sizes=np.array([1, 2, 5, 3]),
      s=np.float32(1 / 64), t=np.float32(1 / 256), u=np.float32(0.0044), v=np.uint8(9), z=np.uint8(0), scales=np.float32([1 / 3]))
command = ["uma", "run", f"{folder}/net.onnx", "--output-dir", f"{folder}/out"]
for name, array in INPUTS.items():
    np.save(f"{folder}/{name}.npy", array)
    command += ["--input", f"{name}={folder}/{name}.npy"]
done = subprocess.run(command, capture_output=True, text=True)
if done.returncode:
    sys.exit(done.stderr)
equal = 0
for name, numbers in EXPECTED.items():
    found = np.load(f"{folder}/out/{name}.npy").ravel()
    if np.allclose(found, numbers, rtol=1e-5, atol=1e-5 if found.dtype.kind == "f" else 0):
        equal += 1
    else:
        print(f"{name} is {found}")
print(f"{equal} of {len(EXPECTED)} results equal")
