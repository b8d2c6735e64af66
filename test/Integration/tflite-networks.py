"""MLPerf Tiny's int8 networks with --rounding=tflite on 100 inputs each: the C computes the integers that NumPy computes by the
published formulas of TensorFlow Lite's kernels (Inputs/tflite_integers.py)."""
# REQUIRES: full, gcc, mlperf-tiny
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %models/mlperf_tiny %t | FileCheck %s
# CHECK: ad01_int8: 64000 of 64000 equal
# CHECK: kws_ref_model: 1200 of 1200 equal
# CHECK: pretrainedResnet_quant: 1000 of 1000 equal
# CHECK: vww_96_int8: 200 of 200 equal
# CHECK: str_ww_ref_model: 300 of 300 equal

import pathlib
import sys

from tflite_integers import Network, run_c

models, scratch = sys.argv[1:]
for name in "ad01_int8", "kws_ref_model", "pretrainedResnet_quant", "vww_96_int8", "str_ww_ref_model":
    model = f"{models}/{name}.tflite"
    network = Network(model)
    inputs = network.make_inputs(100)
    expected = network.run(inputs)
    found = run_c(model, inputs, pathlib.Path(scratch, name), "--rounding=tflite", cc="gcc")
    print(f"{name}: {(found == expected.reshape(found.shape)).sum()} of {expected.size} equal", flush=True)
