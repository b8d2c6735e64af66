"""Quantization from Python: samples from an iterator, the report, and errors that tell the sample by its number."""
# REQUIRES: python
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%build/python %python -B %s %source/examples/digits %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import pathlib
import sys

import numpy as np
import uma

folder, scratch = map(pathlib.Path, sys.argv[1:])
images = np.fromfile(folder / "test_images.bin", np.uint8).reshape(-1, 1, 1, 8, 8).astype(np.float32) / 16
labels = np.fromfile(folder / "test_labels.bin", np.uint8)
module, report = uma.quantize(folder / "digits.onnx", (image for image in images[:20]), html=scratch / "report.html")

# CHECK: uma-quantize 20 5 ['image', 'relu1']
print(report["format"], report["samples"], report["integer_layers"], [layer["name"] for layer in report["layers"]][:2])
# CHECK-NEXT: True
print((scratch / "report.html").read_text().startswith("<!DOCTYPE html>"))

# The numbers are those of a network of integers, and it still reads digits.
integers, floats = uma.compile(module), uma.compile(folder / "digits.onnx")
right = sum(int(integers.run({"image": image})["probabilities"].argmax() == label) for image, label in zip(images, labels))
# CHECK-NEXT: True
print(right / len(labels) > 0.97)
first = {"image": images[0]}
# CHECK-NEXT: False
print(np.array_equal(integers.run(first)["probabilities"], floats.run(first)["probabilities"]))

# A dict is a sample, too; a layer can stay in f32.
module, report = uma.quantize(folder / "digits.onnx", [{"image": image} for image in images[:3]], method="mse", keep_float=["dense"])
# CHECK-NEXT: ['dense'] mse
print(report["float_layers"], report["method"])


def refuse(*arguments, **options):
    try:
        uma.quantize(folder / "digits.onnx", *arguments, **options)
        print("no exception")
    except (uma.Error, TypeError) as error:
        print(error)


# CHECK-NEXT: samples: holds no samples; expected at least one .npy, .pb or .bin file
refuse([])
# CHECK-NEXT: calibration input 'image': 00000001.npy: {{.*}}1x1x8x8{{.*}}
refuse([images[0], images[0][0]])
# CHECK-NEXT: calibration input 'image': 00000000.npy: holds NaN or an infinity; expected finite numbers
refuse([images[0] * np.nan])
# CHECK-NEXT: calibration sample 00000000: has no file for input 'image', expected image.npy, .pb or .bin
refuse([{"imgae": images[0]}])
# CHECK-NEXT: method is 'minmix', expected minmax, percentile or mse; did you mean 'minmax'?
refuse(images[:1], method="minmix")
# CHECK-NEXT: --keep-float=dens: the network has no such layer; did you mean 'dense'?
refuse(images[:1], keep_float=["dens"])
# CHECK-NEXT: keep_float is a list; write keep_float=['dense']
refuse(images[:1], keep_float="dense")

# Options of the command: integers without floats, plain loops, a processor; and a name that is none.
plain = uma.compile(module, requantize="fixed-point", kernels="loops", cpu="x86-64-v2").run(first)["probabilities"]
# CHECK-NEXT: True
print(np.abs(plain - integers.run(first)["probabilities"]).max() < 0.1)
try:
    uma.compile(module, rounding="tflight")
except uma.Error as error:
    # CHECK-NEXT: option 'rounding' is 'tflight': expected float or tflite; did you mean 'tflite'?
    print(error)
