"""Inputs of `uma run` that do not fit: one line that names the input, what was found and what was expected."""
# RUN: rm -rf %t && mkdir %t && uma compile %source/examples/digits/digits.onnx -o %t/package
# RUN: %python -B %s %t %S/Inputs/status.py | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# RUN: not ls %t/outputs

import os
import subprocess
import sys

import numpy as np

os.chdir(sys.argv[1])


def run(*arguments):
    command = [sys.executable, sys.argv[2], "uma", "run", "package", "--output-dir", "outputs"]
    subprocess.run([*command, *arguments], check=True)


def put(name, array):
    np.save(name, array)


image = np.zeros((1, 1, 8, 8), "float32")
put("shape.npy", image[..., :7])
# CHECK: uma: error: input 'image': shape.npy: holds tensor<1x1x8x7xf32>, expected tensor<1x1x8x8xf32>
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image=shape.npy")
put("rank.npy", image[0])
# CHECK-NEXT: uma: error: input 'image': rank.npy: holds tensor<1x8x8xf32>, expected tensor<1x1x8x8xf32>
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image=rank.npy")
put("type.npy", image.astype("float64"))
# CHECK-NEXT: uma: error: input 'image': type.npy: holds tensor<1x1x8x8xf64>, expected tensor<1x1x8x8xf32>
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image=type.npy")
put("order.npy", np.asfortranarray(image))
# CHECK-NEXT: uma: error: input 'image': order.npy: is in Fortran order, expected C order (numpy.ascontiguousarray)
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image=order.npy")
put("endian.npy", image.astype(">f4"))
# CHECK-NEXT: uma: error: input 'image': endian.npy: is big-endian, expected little-endian
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image=endian.npy")
with open("shape.npy", "rb") as file, open("cut.npy", "wb") as cut:
    cut.write(file.read(50))
# CHECK-NEXT: uma: error: input 'image': cut.npy: is truncated in its header
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image=cut.npy")
with open("bytes.bin", "wb") as file:
    file.write(b"123")
# CHECK-NEXT: uma: error: input 'image': bytes.bin: has 3 bytes, expected 256 (tensor<1x1x8x8xf32>)
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image=bytes.bin")
# CHECK-NEXT: uma: error: input 'image': missing.npy: No such file or directory
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image=missing.npy")
# CHECK-NEXT: uma: error: input 'image': package: Is a directory
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image=package")
# CHECK-NEXT: uma: error: --input=imag=bytes.bin: the network has no input 'imag', it has 'image'; did you mean 'image'?
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "imag=bytes.bin")
# CHECK-NEXT: uma: error: --input=image: expected name=file
# CHECK-NEXT: status 2, 1 lines of errors
run("--input", "image")
# CHECK-NEXT: uma: error: input 'image': nowhere/input_0.pb: cannot be read: No such file or directory
# CHECK-NEXT: status 2, 1 lines of errors
run("--test-data", "nowhere")
