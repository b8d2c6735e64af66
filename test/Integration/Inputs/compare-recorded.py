"""Compares outputs with recorded ones: compare-recorded.py RECORDED OUTPUTS.

RECORDED is a folder with manifest.json and raw little-endian tensors, OUTPUTS what `uma run --output-dir` wrote.
Prints a line per output and exits with 1 where one is further away than 1e-4, absolutely or relative to its largest
element."""

import json
import os
import sys

import numpy as np

LIMIT = 1e-4
recorded, outputs = sys.argv[1:]
with open(os.path.join(recorded, "manifest.json")) as file:
    manifest = json.load(file)
right = len(manifest["outputs"]) > 0
for output in manifest["outputs"]:
    expected = np.fromfile(os.path.join(recorded, output["file"]), output["dtype"]).reshape(output["shape"])
    actual = np.load(os.path.join(outputs, output["name"] + ".npy"))
    assert actual.shape == expected.shape and actual.dtype == expected.dtype, (actual.shape, actual.dtype)
    error = np.abs(actual.astype(np.float64) - expected).max()
    relative = error / np.abs(expected).max()
    # Written so that NaN is wrong.
    close = bool(error <= LIMIT and relative <= LIMIT)
    right = right and close
    print(f"{output['name']}: {'equal' if close else 'DIFFERENT'}, {error:.3g} absolute, {relative:.3g} relative")
sys.exit(0 if right else 1)
