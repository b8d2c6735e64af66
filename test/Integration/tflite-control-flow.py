"""IF and WHILE of TensorFlow Lite: known branches and loops are imported in place, others selected. The numbers are NumPy's."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/TFLite/Inputs:%S/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: branches: all 4 results equal
# CHECK-NEXT: loops: all 3 results equal
# CHECK-NEXT: nested: all 1 results equal
# RUN: uma-translate --import-tflite %t/loops.tflite | FileCheck %s --check-prefix=SHARED

# The weights of all steps are one constant.
# SHARED: uma.graph.constant {{.*}} : tensor<4x4xf32>
# SHARED-NOT: uma.graph.constant {{.*}} : tensor<4x4xf32>

import numpy as np
from tflite_group import Group

random = np.random.default_rng(5)


def floats(*shape: int) -> np.ndarray:
    return random.standard_normal(shape).astype(np.float32)


group = Group("branches")
model = group.model
x, y = floats(2, 3), floats(2, 3)
outputs: list[int] = []
with model.body(outputs) as add:
    a, b, s = model.input("a", (2, 3)), model.input("b", (2, 3)), model.tensor("sum", (2, 3))
    model.add("ADD", [a, b], [s])
    outputs += [s, a]
outputs = []
with model.body(outputs) as multiply:
    a, b, p = model.input("a", (2, 3)), model.input("b", (2, 3)), model.tensor("product", (2, 3))
    model.add("MUL", [a, b], [p])
    outputs += [p, b]
branches = {"options": "If", "then_subgraph_index": add, "else_subgraph_index": multiply}
group.check("IF", [(np.array([True]),), x, y], [x + y, x], **branches)
group.check("IF", [np.array([False]), x, y], [x * y, y], **branches)
group.run()

group = Group("loops")
model = group.model


def loop(condition, body, shape, steps, initial):
    """A loop with a counter and a value."""
    outputs: list[int] = []
    with model.body(outputs) as first:
        i, x, less = model.input("i", (), "int32"), model.input("x", shape), model.tensor("less", (), "bool")
        model.add("LESS", [i, model.constant("limit", np.int32(steps))], [less])
        outputs.append(less)
    outputs = []
    with model.body(outputs) as second:
        i, x, following = model.input("i", (), "int32"), model.input("x", shape), model.tensor("following", (), "int32")
        model.add("ADD", [i, model.constant("one", np.int32(1))], [following])
        outputs += [following, body(i, x)]
    count, result = model.tensor(f"count{condition}", (), "int32"), model.tensor(f"result{condition}", shape)
    operands = [model.constant("zero", np.int32(0)), group.operand(initial)]
    model.add("WHILE", operands, [count, result], "While", cond_subgraph_index=first, body_subgraph_index=second)
    group.outputs += [result]
    return f"result{condition}"


def dense(i, x):
    y = model.tensor("y", (2, 4))
    model.add("FULLY_CONNECTED", [x, model.constant("weights", weights), -1], [y], "FullyConnected", fused_activation_function="TANH")
    return y


def gather(i, x):
    row, y = model.tensor("row", (4,)), model.tensor("y", (2, 4))
    model.add("GATHER", [model.constant("rows", rows), i], [row], "Gather", axis=0)
    model.add("ADD", [x, row], [y], "Add")
    return y


weights, rows, initial = floats(4, 4), floats(5, 4), floats(2, 4)
value = initial
for _ in range(3):
    value = np.tanh(value @ weights.T)
group.expected[loop(0, dense, (2, 4), 3, initial)] = value.astype(np.float32)
group.expected[loop(1, gather, (2, 4), 5, initial)] = initial + rows.sum(0)
group.expected[loop(2, gather, (2, 4), 0, initial)] = initial
group.run()

# Branches and loops of one step, nested 1,000 deep.
group = Group("nested")
model, x = group.model, floats(2, 3)
with model.body() as isFirst:
    counter, _ = model.input("counter", (), "int32"), model.input("x", (2, 3))
    less = model.tensor("less", (), "bool")
    model.add("LESS", [counter, model.constant("one", np.int32(1))], [less])
    model.graph["outputs"] = [less]
for depth in range(1000):
    with model.body() as number:
        counter, data = model.input("counter", (), "int32"), model.input("x", (2, 3))
        result, following = model.tensor("result", (2, 3)), model.tensor("following", (), "int32")
        zero, one = model.constant("zero", np.int32(0)), model.constant("one", np.int32(1))
        if depth == 999:
            model.add("NEG", [data], [result])
        elif depth % 2:
            yes, unused = model.constant("yes", np.array([True])), model.tensor("unused", (), "int32")
            model.add("IF", [yes, zero, data], [unused, result], "If", then_subgraph_index=number + 1, else_subgraph_index=0)
        else:
            last = model.tensor("last", (), "int32")
            model.add("WHILE", [zero, data], [last, result], "While", cond_subgraph_index=isFirst, body_subgraph_index=number + 1)
        model.add("ADD", [counter, one], [following], "Add")
        model.graph["outputs"] = [following, result]
operands = [(np.int32(0),), x]
group.check("WHILE", operands, [np.int32(1), -x], "While", cond_subgraph_index=isFirst, body_subgraph_index=isFirst + 1)
del group.expected[next(iter(group.expected))]
group.outputs = group.outputs[1:]
group.run()
