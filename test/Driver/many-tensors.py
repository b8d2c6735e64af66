"""Networks with thousands of operands, inputs and outputs take work and memory that grow with their number, not with its square: four
times as many at most seven times as much, of the processor's time in one run."""
# RUN: rm -rf %t && mkdir %t && %python -B %s %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import os
import sys

import onnx
from onnx import TensorProto, helper

os.chdir(sys.argv[1])
COUNT, FACTOR, MOST = 1500, 4, 7


def measure(name: str, count: int, nodes, inputs, outputs) -> tuple[float, float]:
    """Returns seconds of the processor, and MB."""
    info = lambda tensor: helper.make_tensor_value_info(tensor[0], TensorProto.FLOAT, tensor[1])
    graph = helper.make_graph(nodes(count), name, list(map(info, inputs(count))), list(map(info, outputs(count))))
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), "net.onnx")
    child = os.spawnlp(os.P_NOWAIT, "uma", "uma", "compile", "net.onnx", "-o", f"{name}-{count}.tar")
    _, status, usage = os.wait4(child, 0)
    if status:
        print(f"{name}: status {status}")
    return usage.ru_utime, usage.ru_maxrss / 1000


def relus(count: int):
    return [helper.make_node("Relu", ["x"], [f"y{i}"]) for i in range(count)]


KINDS = {
    "operands": (lambda n: [helper.make_node("Concat", ["x"] * n, ["y"], axis=0)], lambda n: [("x", [1, 4])], lambda n: [("y", [n, 4])]),
    "inputs": (lambda n: [helper.make_node("Concat", [f"x{i}" for i in range(n)], ["y"], axis=0)], lambda n: [(f"x{i}", [1, 1]) for i in range(n)],
               lambda n: [("y", [n, 1])]),
    "parts": (lambda n: [helper.make_node("Split", ["x"], [f"y{i}" for i in range(n)], axis=0)], lambda n: [("x", [n, 4])],
              lambda n: [(f"y{i}", [1, 4]) for i in range(n)]),
    "outputs": (relus, lambda n: [("x", [1, 4])], lambda n: [(f"y{i}", [1, 4]) for i in range(n)]),
}
sys.stdout.reconfigure(line_buffering=True)
base = measure("empty", 1, *KINDS["outputs"])
for kind, parts in KINDS.items():
    few, many = (measure(kind, count, *parts) for count in (COUNT, FACTOR * COUNT))
    ratios = [(b - c) / max(a - c, floor) for a, b, c, floor in zip(few, many, base, (0.05, 10))]
    print(f"{kind}: {'linear' if max(ratios) <= MOST else (few, many, base)}")
# CHECK: wrote empty-1.tar
# CHECK-COUNT-2: wrote operands-{{.*}}
# CHECK: operands: linear
# CHECK-COUNT-2: wrote inputs-{{.*}}
# CHECK: inputs: linear
# CHECK-COUNT-2: wrote parts-{{.*}}
# CHECK: parts: linear
# CHECK-COUNT-2: wrote outputs-{{.*}}
# CHECK: outputs: linear
