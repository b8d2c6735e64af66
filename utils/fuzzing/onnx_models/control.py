"""Operators that hold graphs."""

import numpy as np
from onnx import TensorProto, helper

from .builder import Model
from .registry import operator

BINARY = ("Add", "Sub", "Mul", "Max", "Min")


def info(name: str, shape, type=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, type, shape)


@operator("If", share=2)
def if_(m: Model) -> None:
    x = m.data(("float32",), (1, 3))
    known = m.chance(0.4)
    flag = np.asarray(m.chance(0.5))
    if m.chance(0.3):
        flag = flag.reshape(1)
    condition = m.constant(flag) if known else m.input(flag)
    branches = []
    for name in ("then", "else"):
        result = m.name("b")
        if m.chance(0.5):
            nodes = [helper.make_node(m.choice(BINARY), [x.name, x.name], [result])]
        else:
            middle = m.name("b")
            nodes = [helper.make_node("Sigmoid", [x.name], [middle]), helper.make_node("Mul", [middle, x.name], [result])]
        branches.append(helper.make_graph(nodes, name, [], [info(result, x.shape)]))
    m.add("If", [condition], [("float32", x.shape, False)], {"then_branch": branches[0], "else_branch": branches[1]})
    # The branches read x, which is then no output.


@operator("Loop", share=2)
def loop(m: Model) -> None:
    state = m.data(("float32",), (0, 2))
    trips = m.integer(1, 4)
    captured = m.new(state.shape, "float32", (-1, 1))
    number, going, carried, next_going, result, scanned = (m.name("b") for _ in range(6))
    nodes = [helper.make_node("Identity", [going], [next_going]),
             helper.make_node(m.choice(("Add", "Sub", "Max")), [carried, captured.name], [result])]
    outputs = [info(next_going, (), TensorProto.BOOL), info(result, state.shape)]
    scans = m.chance(0.6)
    if scans:
        if m.chance(0.5):
            as_float = m.name("b")
            nodes += [helper.make_node("Cast", [number], [as_float], to=TensorProto.FLOAT), helper.make_node("Mul", [as_float, result], [scanned])]
        else:
            nodes.append(helper.make_node("Sigmoid", [result], [scanned]))
        outputs.append(info(scanned, state.shape))
    body = helper.make_graph(nodes, "body", [info(number, (), TensorProto.INT64), info(going, (), TensorProto.BOOL), info(carried, state.shape)],
                             outputs)
    operands = [m.constant(np.asarray(trips, "int64")), m.constant(np.asarray(True)) if m.chance(0.7) else None, state]
    m.add("Loop", operands, [("float32", state.shape, False)] + [("float32", (trips, *state.shape), False)] * scans, {"body": body})


@operator("Scan", share=2)
def scan(m: Model) -> None:
    length, shape = m.integer(1, 4), m.shape(0, 2)
    batch = (m.integer(1, 2),) if m.opset < 9 else ()
    axis = m.integer(0, len(shape)) if m.opset >= 9 and m.chance(0.4) else 0
    sequence = (*batch, *shape[:axis], length, *shape[axis:])
    state = m.data(("float32",), (0, 9), (*batch, *shape))
    x = m.data(("float32",), (0, 9), sequence)
    carried, element, result, scanned = (m.name("b") for _ in range(4))
    nodes = [helper.make_node(m.choice(("Add", "Sub", "Max")), [carried, element], [result]), helper.make_node("Sigmoid", [result], [scanned])]
    body = helper.make_graph(nodes, "body", [info(carried, shape), info(element, shape)], [info(result, shape), info(scanned, shape)])
    attributes = {"body": body, "num_scan_inputs": 1}
    target = 0
    if m.opset < 9:
        attributes["directions"] = m.choice([None, [0], [1]])
    else:
        target = m.integer(0, len(shape)) if m.chance(0.4) else 0
        attributes.update(scan_input_axes=[axis - len(shape) - 1 if m.opset >= 11 and m.chance(0.3) else axis] if axis or m.chance(0.3) else None,
                          scan_output_axes=[target] if target or m.chance(0.3) else None,
                          scan_input_directions=m.choice([None, [0], [1]]), scan_output_directions=m.choice([None, [0], [1]]))
    stacked = (*batch, *shape[:target], length, *shape[target:])
    operands = ([None] if m.opset < 9 else []) + [state, x]
    m.add("Scan", operands, [("float32", (*batch, *shape), False), ("float32", stacked, False)], attributes)
