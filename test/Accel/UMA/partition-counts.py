"""What TVM's tests of UMA count: the partitions of a ResNet and of an MLP, with regions merged and not, through
uma-partition and through the default flow, step by step."""
# REQUIRES: mlperf-tiny
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %models/mlperf_tiny %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import subprocess
import sys

import onnx

models, folder = sys.argv[1:]
MATRIX_UNIT = """accelerator matrix_unit {
  pattern dense_relu(x: f32[n, k], w: f32[m, k], b: f32[m]) {
    y = dense(x, w)
    t = bias_add(y, b, axis=any)
    r = relu(t)
    call matrix_unit_dense(x, w, b, r, n, m, k, 1)
  }
  pattern dense(x: f32[n, k], w: f32[m, k], b: f32[m]) {
    y = dense(x, w)
    t = bias_add(y, b, axis=any)
    call matrix_unit_dense(x, w, b, t, n, m, k, 0)
  }
}
"""
with open(f"{folder}/matrix_unit.uma", "w") as file:
    file.write(MATRIX_UNIT)


def partitions(module: str, *passes: str) -> int:
    told = subprocess.run(["uma-opt", module, *passes], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    return sum("func.func private" in line and "uma.target" in line for line in told.stdout.splitlines())


def eligible(path: str) -> int:
    """The layers that the device takes by its description, counted on the model's own nodes."""
    graph = onnx.load(path).graph
    shapes = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    count = 0
    for node in graph.node:
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        if node.op_type == "Conv":
            kernel = shapes[node.input[1]][2:]
            same = attributes.get("auto_pad") in (b"SAME_UPPER", b"SAME_LOWER") or all(
                pad == size // 2 for pad, size in zip(attributes.get("pads", [0] * 4), kernel * 2))
            count += (same and attributes.get("strides", [1, 1]) == [1, 1] and attributes.get("group", 1) == 1
                      and all(size % 2 for size in kernel))
        count += node.op_type in ("Gemm", "MatMul") and "autoencoder" in path
    return count


for name, accelerator, target in [("ic_resnet8_float", "vanilla", "vanilla"),
                                  ("ad_autoencoder_float", f"{folder}/matrix_unit.uma", "matrix_unit")]:
    module = f"{folder}/{name}.mlir"
    subprocess.run(["uma-translate", "--import-onnx", f"{models}/{name}.onnx", "-o", module], check=True)
    for merge in ("false", "true"):
        whole = partitions(module, f"--uma-partition=accelerators={accelerator} merge-regions={merge}")
        steps = partitions(module, f"--uma-accel-load=accelerators={accelerator}", "--uma-graph-default",
                           "--uma-accel-merge-composite", "--uma-accel-annotate-target",
                           f"--uma-accel-merge-compiler-regions=merge-regions={merge}", "--uma-accel-partition-graph")
        print(f"{name}, {target}, merge {merge}: {whole} partitions, {steps} step by step,"
              f" {eligible(f'{models}/{name}.onnx')} layers of the model")

# Between two convolutions of the ResNet stands a relu, which Vanilla does not take; all of the MLP is one region.
# CHECK: ic_resnet8_float, vanilla, merge false: 5 partitions, 5 step by step, 5 layers of the model
# CHECK: ic_resnet8_float, vanilla, merge true: 5 partitions, 5 step by step, 5 layers of the model
# CHECK: ad_autoencoder_float, matrix_unit, merge false: 10 partitions, 10 step by step, 10 layers of the model
# CHECK: ad_autoencoder_float, matrix_unit, merge true: 1 partitions, 1 step by step, 10 layers of the model
