"""Computations of operators as tensor expressions, as `tvm.topi`, with TOPI's names of blocks."""

from __future__ import annotations

from uma.tvm import te, tir
from uma.tvm.relay import _ops
from uma.tvm.topi import nn
from uma.tvm.topi.nn import conv1d, conv2d, dense

__all__ = ["COMPUTES", "add", "clip", "divide", "maximum", "minimum", "multiply", "nn", "subtract"]


def _broadcast(name, combine):
    def function(lhs, rhs):
        rank = max(lhs.ndim, rhs.ndim)
        shapes = [[1] * (rank - t.ndim) + [int(size) for size in t.shape] for t in (lhs, rhs)]
        shape = [max(a, b) for a, b in zip(*shapes)]

        def element(tensor, own, indices):
            picked = [tir.const(0) if own[i] == 1 and shape[i] != 1 else indices[i] for i in range(rank)]
            return tensor(*picked[rank - tensor.ndim:])

        return te.compute(shape, lambda *i: combine(element(lhs, shapes[0], i), element(rhs, shapes[1], i)), name=f"T_{name}", tag="broadcast")

    function.__name__ = name
    function.__doc__ = f"`{name}`, element by element, with broadcasting."
    return function


add = _broadcast("add", lambda a, b: a + b)
subtract = _broadcast("subtract", lambda a, b: a - b)
multiply = _broadcast("multiply", lambda a, b: a * b)
divide = _broadcast("divide", lambda a, b: tir.div(a, b))
maximum = _broadcast("maximum", lambda a, b: tir.Max(a, b))
minimum = _broadcast("minimum", lambda a, b: tir.Min(a, b))


def clip(x, a_min, a_max):
    """min(max(x, a_min), a_max)."""
    return te.compute(x.shape, lambda *i: tir.Max(tir.Min(x(*i), tir.const(a_max, x.dtype)), tir.const(a_min, x.dtype)), name="compute", tag="elemwise")


def _dtype(attrs, inputs):
    return attrs.get_str("out_dtype") or inputs[0].dtype


def _conv2d(attrs, inputs, out_type):
    return [conv2d(inputs[0], inputs[1], attrs.get_int_tuple("strides"), attrs.get_int_tuple("padding"), attrs.get_int_tuple("dilation"),
                   attrs.get_str("data_layout"), _dtype(attrs, inputs), attrs.get_int("groups"), attrs.get_str("kernel_layout"))]


def _conv1d(attrs, inputs, out_type):
    return [conv1d(inputs[0], inputs[1], attrs.get_int_tuple("strides")[0], attrs.get_int_tuple("padding"), attrs.get_int_tuple("dilation")[0], "NCW",
                   _dtype(attrs, inputs), attrs.get_int("groups"))]


def _elementwise(function):
    return lambda attrs, inputs, out_type: [function(*inputs)]


#: Computations that accelerators in Python get where they have no strategy, by Relay's names.
COMPUTES = {
    "nn.conv2d": _conv2d,
    "nn.conv1d": _conv1d,
    "nn.dense": lambda attrs, inputs, out_type: [dense(inputs[0], inputs[1], None, _dtype(attrs, inputs))],
    "nn.bias_add": lambda attrs, inputs, out_type: [nn.bias_add(inputs[0], inputs[1], attrs.get_int("axis"))],
    "nn.relu": _elementwise(nn.relu),
    "clip": lambda attrs, inputs, out_type: [clip(inputs[0], attrs["a_min"], attrs["a_max"])],
    "add": _elementwise(add), "subtract": _elementwise(subtract), "multiply": _elementwise(multiply),
    "maximum": _elementwise(maximum), "minimum": _elementwise(minimum),
}
assert all(name in _ops.BY_RELAY for name in COMPUTES)
