"""Wrong use of `uma quantize` and wrong calibration files: one line that names what was found and expected, no output."""
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t %S/Inputs/status.py %source/examples/digits/digits.onnx | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# RUN: not ls %t/out.mlir %t/report.json

import os
import pathlib
import random
import shutil
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

folder, status, digits = sys.argv[1:]
os.chdir(folder)


def run(*arguments, model="digits.onnx"):
    subprocess.run([sys.executable, status, "uma", "quantize", model, *arguments], check=True)


def save(name, array):
    path = pathlib.Path(name)
    path.parent.mkdir(exist_ok=True)
    np.save(path, array)


def write_model(name, nodes, inputs, constants, output):
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info(i, TensorProto.FLOAT, [1, 4]) for i in inputs],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, [1, 4])],
        [numpy_helper.from_array(value, key) for key, value in constants.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)]), name + ".onnx")


shutil.copy(digits, "digits.onnx")
image = np.zeros((1, 1, 8, 8), "float32")
save("good/0.npy", image + 1)
out = ["-o", "out.mlir", "--json", "report.json"]
good = ["--calibration", "good", *out]

# CHECK: uma: error: --calibration is missing: the folder of the samples
# CHECK-NEXT: status 2, 1 lines of errors
run("-o", "out.mlir")
# CHECK-NEXT: uma: error: -o is missing: the file where the quantized network goes
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "good")
# CHECK-NEXT: uma: error: -o out.c: expected a file ending in .mlir or .mlirbc
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "good", "-o", "out.c")
# CHECK-NEXT: uma: error: --calibration=none: no such folder; expected a folder of samples
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "none", *out)
os.mkdir("empty")
# CHECK-NEXT: uma: error: --calibration=empty: holds no samples; expected at least one .npy, .pb or .bin file
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "empty", *out)
pathlib.Path("text").mkdir()
pathlib.Path("text/readme.txt").write_text("no sample")
# CHECK-NEXT: uma: error: calibration file text/readme.txt: expected a file ending in .npy, .pb or .bin
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "text", *out)
save("shape/1.npy", image[..., :7])
# CHECK-NEXT: uma: error: calibration input 'image': shape/1.npy: holds tensor<1x1x8x7xf32>, expected tensor<1x1x8x8xf32>
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "shape", *out)
save("nan/1.npy", image * np.nan)
# CHECK-NEXT: uma: error: calibration input 'image': nan/1.npy: holds NaN or an infinity; expected finite numbers
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "nan", *out)
save("huge/1.npy", image + np.float32(3e38))
# CHECK-NEXT: uma: error: calibration file huge/1.npy: layer '{{.*}}' computes NaN or an infinity; leave the sample out or correct the model
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "huge", *out)
# CHECK-NEXT: uma: error: --keep-float=conv11: the network has no such layer; did you mean 'conv1'?
# CHECK-NEXT: status 2, 1 lines of errors
run("--keep-float=conv11", *good)
# CHECK-NEXT: uma: error: --percentile=20.00: expected a number above 50 and at most 100
# CHECK-NEXT: status 2, 1 lines of errors
run("--method=percentile", "--percentile=20", *good)
# CHECK-NEXT: uma: error: --error-budget=-1.00: expected a positive number
# CHECK-NEXT: status 2, 1 lines of errors
run("--error-budget=-1", *good)
# CHECK-NEXT: uma: error: --error-budget=1e-30: the least error with a layer on integers is {{[0-9.e-]+}}; expected a larger budget
# CHECK-NEXT: status 3, 1 lines of errors
run("--error-budget=1e-30", *good)
# CHECK-NEXT: uma: error: out.mlir: is the file of two outputs; expected one each
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "good", "-o", "out.mlir", "--html", "out.mlir")
# CHECK-NEXT: uma: error: report.json: is the file of two outputs; expected one each
# CHECK-NEXT: status 2, 1 lines of errors
run("--html", "report.json", *good)
# A full disk: the network does not fit.
# CHECK-NEXT: uma: error: out.mlir: cannot be written: File too large
# CHECK-NEXT: status 2, 1 lines of errors
subprocess.run([sys.executable, status, "--file-size=20000", "uma", "quantize", "digits.onnx", "--calibration", "good", "-o", "out.mlir"], check=True)
# CHECK-NEXT: uma: error: --percentile is for --method=percentile
# CHECK-NEXT: status 2, 1 lines of errors
run("--percentile=99", *good)
# CHECK-NEXT: uma: {{.*}}for the --method option: Cannot find option named 'median'!{{.*}}
# CHECK-NEXT: status 2, 1 lines of errors
run("--method=median", *good)
# CHECK-NEXT: uma: error: none.onnx: no such file
# CHECK-NEXT: status 2, 1 lines of errors
run(*good, model="none.onnx")
# CHECK-NEXT: uma: error: no/such/out.mlir: cannot be written: No such file or directory
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "good", "-o", "no/such/out.mlir")

write_model("sigmoid", [helper.make_node("Sigmoid", ["x"], ["y"])], ["x"], {}, "y")
save("four/0.npy", np.ones((1, 4), "float32"))
# CHECK-NEXT: uma: error: sigmoid.onnx: no layer can be computed on integers; docs/quantize.md lists those that can
# CHECK-NEXT: status 3, 1 lines of errors
run("--calibration", "four", *out, model="sigmoid.onnx")
write_model("sum", [helper.make_node("Add", ["a", "b"], ["y"])], ["a", "b"], {}, "y")
# CHECK-NEXT: uma: error: calibration file four/0.npy: the network has 2 inputs; expected a folder for each sample with a file for each input
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "four", *out, model="sum.onnx")
pathlib.Path("pairs").mkdir()
save("pairs/0/a.npy", np.ones((1, 4), "float32"))
# CHECK-NEXT: uma: error: calibration sample pairs/0: has no file for input 'b', expected b.npy, .pb or .bin
# CHECK-NEXT: status 2, 1 lines of errors
run("--calibration", "pairs", *out, model="sum.onnx")
save("pairs/0/b.npy", np.ones((1, 4), "float32"))
run_sum = ["uma", "quantize", "sum.onnx", "--calibration", "pairs", "-o", "sum.mlir"]
subprocess.run(run_sum, check=True, stdout=subprocess.DEVNULL)
run_again = ["uma", "quantize", "sum.mlir", "--calibration", "pairs", *out]
# CHECK-NEXT: uma: error: sum.mlir: layer 'b' is quantized already; expected a network of floats
# CHECK-NEXT: status 3, 1 lines of errors
subprocess.run([sys.executable, status, *run_again], check=True)

# Damaged samples: an exit code of the list and at most one line of errors.
# CHECK-NEXT: 60 damaged files
draw = random.Random(7)
whole = pathlib.Path("good/0.npy").read_bytes()
os.mkdir("damaged")
for _ in range(60):
    data = bytearray(whole[: draw.randrange(len(whole)) if draw.random() < 0.3 else len(whole)])
    for _ in range(draw.randrange(4)):
        if data:
            data[draw.randrange(len(data))] = draw.randrange(256)
    pathlib.Path("damaged/0.npy").write_bytes(data)
    command = ["uma", "quantize", "digits.onnx", "--calibration", "damaged", "-o", "damaged.mlir"]
    result = subprocess.run(command, capture_output=True, timeout=600)
    errors = result.stderr.decode(errors="replace").splitlines()
    if result.returncode not in (0, 2) or len(errors) != (result.returncode == 2):
        print(bytes(data), result.returncode, errors)
print("60 damaged files")
