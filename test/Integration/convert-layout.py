"""A network in every layout of data and weights: the emitted C of the converted network gives the numbers of the original."""
# RUN: rm -rf %t && mkdir %t && %python -B %s %t | FileCheck %s
# REQUIRES: gcc

# CHECK-NOT: DIFFERENT
# CHECK: NHWC+HWIO: 19 outputs equal
# CHECK: NHWC+OHWI: 19 outputs equal
# CHECK: NHWC+OIHW: 19 outputs equal
# CHECK: NCHW+HWIO: 19 outputs equal
# CHECK: and back: 19 outputs equal, 0 transposes
# CHECK: another network: DIFFERENT

import pathlib
import subprocess
import sys

import numpy as np

FOLDER = pathlib.Path(sys.argv[1])

body: list[str] = []
outputs: list[str] = []


def emit(op: str, operands: str, types: str, result: str, attributes: str = "", output: bool = True) -> str:
    name = f"%v{len(body)}"
    operand_types = ", ".join(f"tensor<{type}>" for type in types.split())
    body.append(f"{name} = uma.graph.{op} {operands} {attributes} : ({operand_types}) -> tensor<{result}>")
    if output:
        outputs.append(f"{name} : tensor<{result}>")
    return name


# The weights are inputs, so that they differ from run to run of a seed; H and W differ so that no mistake hides.
inputs = "x:2x4x9x7xf32 w1:6x4x3x2xf32 w2:6x1x3x3xf32 w3:6x3x1x1xf32 c6:6xf32 s:6x1x1xf32 v:1x2x4x5x3xf32 w4:2x2x2x3x1xf32"
arguments = ", ".join(
    f'%{name}: tensor<{type}> {{uma.name = "{name}"}}' for name, type in (pair.split(":") for pair in inputs.split())
)
D = "2x6x9x7xf32"
conv = emit("conv2d", "%x, %w1", "2x4x9x7xf32 6x4x3x2xf32", D, "padding [1, 1, 1, 0]")
bias = emit("bias_add", f"{conv}, %c6", D + " 6xf32", D, output=False)
act = emit("prelu", f"{bias}, %s", D + " 6x1x1xf32", D)
depthwise = emit("conv2d", f"{act}, %w2", D + " 6x1x3x3xf32", D, "padding [1, 1, 1, 1] groups 6")
grouped = emit("conv2d", f"{depthwise}, %w3", D + " 6x3x1x1xf32", D, "groups 2")
residual = emit("add", f"{grouped}, {act}", D + " " + D, D)
both = emit("concatenate", f"{residual}, %x", D + " 2x4x9x7xf32", "2x10x9x7xf32", "axis -3")
emit("avg_pool2d", both, "2x10x9x7xf32", "2x10x5x3xf32",
     "size [3, 2] strides [2, 2] padding [1, 0, 1, 0] ceil_mode false count_include_pad true")
pool = emit("max_pool2d", residual, D, "2x6x5x4xf32", "size [2, 2] strides [2, 2] ceil_mode true")
emit("lrn", pool, "2x6x5x4xf32", "2x6x5x4xf32", "size 3")
padded = emit("pad", pool, "2x6x5x4xf32", "2x6x6x6xf32", 'before [0, 0, 0, 2] after [0, 0, 1, 0] mode "edge"')
emit("softmax", padded, "2x6x6x6xf32", "2x6x6x6xf32", "axis 1")
emit("mean", padded, "2x6x6x6xf32", "2x6xf32", "axis [2, 3]")
emit("sum", pool, "2x6x5x4xf32", "2x6x4xf32", "axis [2]")
emit("argmax", pool, "2x6x5x4xf32", "2x1x5x4xi64", "axis 1 keepdims true")
emit("cumsum", pool, "2x6x5x4xf32", "2x6x5x4xf32", "axis 3 reverse true")
slice_ = emit("strided_slice", pool, "2x6x5x4xf32", "2x3x5x2xf32", "[0, 4, 0, 1] size [2, 3, 5, 2] strides [1, -2, 1, 2]")
emit("batch_flatten", slice_, "2x3x5x2xf32", "2x30xf32")
gate = emit("global_avg_pool2d", residual, D, "2x6x1x1xf32", output=False)
emit("multiply", f"{residual}, {gate}", D + " 2x6x1x1xf32", D)
conv3 = emit("conv3d", "%v, %w4", "1x2x4x5x3xf32 2x2x2x3x1xf32", "1x2x4x5x3xf32", "padding [1, 1, 0, 0, 1, 0]",
             output=False)
emit("max_pool3d", conv3, "1x2x4x5x3xf32", "1x2x2x4x2xf32", "size [3, 2, 2]")


def write(name: str, lines: list[str]) -> pathlib.Path:
    names = ", ".join(output.split(" : ")[0] for output in outputs)
    types = ", ".join(output.split(" : ")[1] for output in outputs)
    results = ", ".join(f'{output.split(" : ")[1]} {{uma.name = "o{i}"}}' for i, output in enumerate(outputs))
    path = FOLDER / f"{name}.mlir"
    path.write_text(
        f'func.func @main({arguments}) -> ({results}) attributes {{uma.network = "net"}} {{\n  '
        + "\n  ".join(lines) + f"\n  return {names} : {types}\n}}\n"
    )
    return path


def convert(model: pathlib.Path, name: str, data: str, kernel: str) -> pathlib.Path:
    path = FOLDER / f"{name}.mlir"
    layouts = f"data-layout={data} kernel-layout={kernel}"
    subprocess.run(["uma-opt", model, f"--uma-graph-convert-layout={layouts}", "--canonicalize", "-o", path], check=True)
    return path


def run(model: pathlib.Path) -> list[np.ndarray]:
    folder = model.with_suffix("")
    subprocess.run(["uma", "run", model, "--seed", "7", "--output-dir", folder], check=True, stdout=subprocess.DEVNULL)
    return [np.load(folder / f"o{i}.npy") for i in range(len(outputs))]


def compare(name: str, expected: list[np.ndarray], actual: list[np.ndarray], note: str = "") -> None:
    # Reductions add up in another order.
    different = [
        i for i, (e, a) in enumerate(zip(expected, actual, strict=True))
        if e.shape != a.shape or not np.allclose(e, a, rtol=1e-5, atol=1e-5)
    ]
    print(f"{name}: DIFFERENT in {different}" if different else f"{name}: {len(expected)} outputs equal{note}")


original = write("original", body)
expected = run(original)
for data, kernel in ("NHWC", "HWIO"), ("NHWC", "OHWI"), ("NHWC", "OIHW"), ("NCHW", "HWIO"):
    compare(f"{data}+{kernel}", expected, run(convert(original, data + kernel, data, kernel)))
there = FOLDER / "NHWCHWIO.mlir"
back = convert(there, "back", "NCHW", "OIHW")
compare("and back", expected, run(back), f", {back.read_text().count('uma.graph.transpose')} transposes")
other = write("other", [line.replace("[0, 4, 0, 1]", "[0, 5, 0, 1]") for line in body])
compare("another network", expected, run(other))
