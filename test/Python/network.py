"""Networks from Python: inputs and outputs of all kinds, the numbers of the command line, nothing left behind."""
# REQUIRES: python
# RUN: rm -rf %t && mkdir -p %t/tmp
# RUN: env TMPDIR=%t/tmp PYTHONPATH=%build/python %python -B %s %source/examples/digits/digits.onnx %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# RUN: not ls %t/tmp/* && uma run %t/saved --compare

import os
import pathlib
import subprocess
import sys
import threading
import warnings

import numpy as np
import uma

digits, folder = sys.argv[1], pathlib.Path(sys.argv[2])

(folder / "many.mlir").write_text('''
func.func @main(%a: tensor<2x3xf32> {uma.name = "a"}, %b: tensor<3xi8> {uma.name = "b"}, %c: tensor<i1> {uma.name = "c"},
                %d: tensor<4xf16> {uma.name = "d"}, %e: tensor<2xui8> {uma.name = "e"})
    -> (tensor<3x2xf32> {uma.name = "at"}, tensor<3xi8> {uma.name = "bb"}, tensor<i1> {uma.name = "c"}, tensor<4xf16> {uma.name = "dr"},
        tensor<2xui8> {uma.name = "e"}) attributes {uma.network = "many"} {
  %0 = uma.graph.transpose %a [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = uma.graph.add %b, %b : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  %2 = uma.graph.relu %d : (tensor<4xf16>) -> tensor<4xf16>
  return %0, %1, %c, %2, %e : tensor<3x2xf32>, tensor<3xi8>, tensor<i1>, tensor<4xf16>, tensor<2xui8>
}
''')
many = uma.compile(folder / "many.mlir")
# CHECK: many ['a float32 (2, 3)', 'b int8 (3,)', 'c bool ()', 'd float16 (4,)', 'e uint8 (2,)']
print(many.name, [f"{tensor.name} {tensor.dtype} {tensor.shape}" for tensor in many.inputs])
# Arrays need not be contiguous.
a = np.arange(12, dtype=np.float32).reshape(3, 4).T[::2]
outputs = many.run({"a": a, "b": np.array([1, -2, 3], np.int8), "c": np.array(True), "d": np.array([-1, 0, 0.5, 2], np.float16),
                    "e": np.array([200, 255], np.uint8)})
# CHECK-NEXT: at (3, 2) float32 [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
# CHECK-NEXT: bb (3,) int8 [2, -4, 6]
# CHECK-NEXT: c () bool [True]
# CHECK-NEXT: dr (4,) float16 [0.0, 0.0, 0.5, 2.0]
# CHECK-NEXT: e (2,) uint8 [200, 255]
for name, array in outputs.items():
    print(name, array.shape, array.dtype, array.ravel().tolist())

# A pattern that matched nothing is a warning of Python.
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    uma.compile(folder / "many.mlir", accelerators=["vanilla"])
# CHECK-NEXT: CompilerWarning {{.*}}vanilla.uma:6:11: warning: pattern 'conv2d' of accelerator 'vanilla' matched nothing: the graph has no 'conv2d'
for warning in caught:
    print(warning.category.__name__, warning.message)

# The same bits as the command line, from several threads.
net = uma.compile(digits, accelerators=["vanilla"])
image = np.random.default_rng(1).random((1, 1, 8, 8), np.float32)
np.save(folder / "image.npy", image)
subprocess.run(["uma", "run", digits, "-a", "vanilla", "--input", f"image={folder}/image.npy", "--output-dir", folder / "out"],
               check=True, stdout=subprocess.DEVNULL)
expected = np.load(folder / "out" / "probabilities.npy")
answers = []
threads = [threading.Thread(target=lambda: answers.append(net.run({"image": image})["probabilities"])) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
# CHECK-NEXT: 8 True
print(len(answers), all(np.array_equal(answer, expected) for answer in answers))

net.save(folder / "saved")
subprocess.run(["uma", "compile", digits, "-a", "vanilla", "-o", folder / "compiled"], check=True, stdout=subprocess.DEVNULL)
# CHECK-NEXT: saved 0
print("saved", subprocess.run(["diff", "-r", folder / "saved", folder / "compiled"]).returncode)

# Two networks at once; what was built goes with the objects, the rest when Python ends.
# CHECK-NEXT: 2 folders
# CHECK-NEXT: 1 folders
print(len(os.listdir(folder / "tmp")), "folders")
del many
print(len(os.listdir(folder / "tmp")), "folders")
