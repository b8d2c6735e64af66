"""The digits demo from Python, in 15 lines: the accuracy of the C that `make demo` runs."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -W ignore -B %s %source/examples/digits | FileCheck %s --match-full-lines
# CHECK: 378 of 382 digits

import sys

import numpy as np
import uma

folder = sys.argv[1]
images = np.fromfile(f"{folder}/test_images.bin", np.uint8).reshape(-1, 1, 1, 8, 8) / np.float32(16)
labels = np.fromfile(f"{folder}/test_labels.bin", np.uint8)
net = uma.compile(f"{folder}/digits.onnx", accelerators=["vanilla"])
answers = [net.run({"image": image})["probabilities"].argmax() for image in images]
print((answers == labels).sum(), "of", len(labels), "digits")
