"""Deliberate mistakes in models, such as swapped operands. `fuzz-onnx.py --self-check` checks that no verdict accepts their results."""

import numpy as np
import onnx
from onnx import helper, numpy_helper

from .builder import NEW_TYPES


def swap(first: int = 0, second: int = 1):
    """Returns a mistake that swaps two operands."""

    def apply(node, _) -> bool:
        if len(node.input) <= second or node.input[first] == node.input[second]:
            return False
        node.input[first], node.input[second] = node.input[second], node.input[first]
        return True

    return apply


def change(name: str, compute, default=None):
    """Returns a mistake that sets an attribute to `compute` of its value, or of `default` if it is missing."""

    def apply(node, _) -> bool:
        found = [attribute for attribute in node.attribute if attribute.name == name]
        old = helper.get_attribute_value(found[0]) if found else default
        new = None if old is None else compute(old)
        if new is None or new == old:
            return False
        for attribute in found:
            node.attribute.remove(attribute)
        node.attribute.append(helper.make_attribute(name, new))
        return True

    return apply


def shift(pads) -> "list[int] | None":
    """Moves all windows by one along the last axis that has a border to take from."""
    pads, rank = list(pads), len(pads) // 2
    for axis in reversed(range(rank)):
        for take, give in ((axis + rank, axis), (axis, axis + rank)):
            if pads[take] > 0:
                pads[take] -= 1
                pads[give] += 1
                return pads
    return None


def add(index: int, number: int):
    """Returns a mistake that adds a number to a constant operand."""

    def apply(node, graph) -> bool:
        for tensor in graph.initializer:
            if len(node.input) > index and tensor.name == node.input[index] and tensor.data_type not in NEW_TYPES.values():
                array = numpy_helper.to_array(tensor)
                tensor.CopyFrom(numpy_helper.from_array((array + np.asarray(number, array.dtype)).astype(array.dtype), tensor.name))
                return True
        return False

    return apply


MISTAKES = {
    **{name: swap() for name in ("Sub", "Div", "Pow", "Mod", "Less", "GreaterOrEqual", "MatMul", "Concat", "BitShift")},
    "Where": swap(1, 2),
    **{name: change("pads", shift) for name in ("Conv", "MaxPool", "AveragePool", "LpPool", "ConvTranspose", "QLinearConv")},
    "CumSum": change("exclusive", lambda value: 1 - value, 0),
    "ArgMax": change("select_last_index", lambda value: 1 - value, 0),
    "LeakyRelu": change("alpha", lambda value: value * 1.01 + np.copysign(0.001, value), 0.01),
    "Softmax": change("axis", lambda value: value - 1 if value > 0 else None),
    "LogSoftmax": change("axis", lambda value: value - 1 if value > 0 else None),
    "Transpose": change("perm", lambda value: list(value)[::-1]),
    "Gather": add(1, -1),
    "Slice": add(1, 1),
    "QuantizeLinear": add(2, 1),
}


def with_mistake(model: onnx.ModelProto, operator: str) -> "onnx.ModelProto | None":
    """Returns the model with a mistake in the first node of an operator; None if that node has no place for it."""
    wrong = onnx.ModelProto()
    wrong.CopyFrom(model)
    node = next((node for node in wrong.graph.node if node.op_type == operator), None)
    return wrong if node and MISTAKES[operator](node, wrong.graph) else None
