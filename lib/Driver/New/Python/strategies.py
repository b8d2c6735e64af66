"""Loops of operators in matches."""

from uma.tvm import te
from uma.tvm.relay.op.strategy import OpStrategy, wrap_topi_schedule


def relu_compute(attrs, inputs, out_type):
    """The elements of the result."""
    data = inputs[0]
    return [te.compute(data.shape, lambda *i: te.max(data(*i), te.const(0, data.dtype)), name="relu")]


def relu_schedule(outs):
    """Their order: here as they are."""
    return te.create_schedule([out.op for out in outs])


def relu_strategy(attrs, inputs, out_type, target):
    """Used where a pattern takes a relu, e.g. conv2d_pattern().optional(lambda x: is_op("nn.relu")(x))."""
    strategy = OpStrategy()
    strategy.add_implementation(relu_compute, wrap_topi_schedule(relu_schedule), name="relu.@name@")
    return strategy
