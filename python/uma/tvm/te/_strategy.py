"""The loops of operators in matches: of an accelerator's strategies, or TOPI's."""

from __future__ import annotations

import uma
from uma.tvm import topi
from uma.tvm.relay import _graph, _ops
from uma.tvm.relay.op.strategy import OpStrategy
from uma.tvm.te.schedule import Schedule, create_schedule
from uma.tvm.te.tensor import Tensor, placeholder


def collect(backend):
    """The strategies of an accelerator, as (operator, level, function of the operation)."""
    by_graph = {}
    for relay, strategy, plevel in backend._strategies:
        by_graph.setdefault(_ops.BY_RELAY[relay].graph if relay in _ops.BY_RELAY else relay, []).append((relay, strategy, plevel))
    kinds = {_ops.BY_RELAY[name].graph for name in topi.COMPUTES} | set(by_graph)
    return [(kind, 10 if kind not in by_graph else max(10, *(level for _, _, level in by_graph[kind])),
             lambda op, own=tuple(by_graph.get(kind, ())): lower(backend, op, own)) for kind in sorted(kinds)]


def _choose(op, own):
    """The name of the operator in Relay, and the accelerator's strategy of the highest level unless the built-in one has a higher."""
    is_row = _ops.is_conv1d(op)
    fitting = [(relay, strategy, level) for relay, strategy, level in own if relay != "nn.conv1d" or is_row]
    # A strategy for nn.conv1d is meant for one-dimensional convolutions, also beside one for nn.conv2d.
    fitting.sort(key=lambda entry: (entry[2], entry[0] == "nn.conv1d"))
    if fitting and fitting[-1][2] >= 10:
        return fitting[-1][0], fitting[-1][1]
    names = {relay for relay, _, _ in own}
    if is_row and "nn.conv1d" in names:
        return "nn.conv1d", None
    return _ops.BY_GRAPH[op.name.removeprefix("uma.graph.")].relay, None


def lower(backend, op, own):
    """The text of the function that computes an operator."""
    from uma.tvm.target import Target

    relay, strategy = _choose(op, own)
    call = _graph.read_call(op, [])
    attrs = call.attrs
    if relay == "nn.conv1d":
        from uma.tvm.ir import Attrs

        attrs = Attrs(_ops.conv1d_from_graph(op))
    types = [_graph.tensor_type(value.type) for value in [*op.operands, op.result]]
    if None in types:
        raise uma.Error(f"the operator '{relay}' has tensors whose elements TVM does not know")
    shapes = [list(kind.concrete_shape) for kind in types]
    seen = [shape[:2] + shape[3:] if relay == "nn.conv1d" else shape for shape in shapes]
    inputs = [placeholder(shape, kind.dtype, f"p{number}") for number, (shape, kind) in enumerate(zip(seen[:-1], types))]
    out_type = type(types[-1])(seen[-1], types[-1].dtype)
    name, values = op.target
    target = Target.of(name, values)
    if strategy is None:
        outs, schedule = topi.COMPUTES[relay](attrs, inputs, out_type), None
    else:
        chosen = strategy(attrs, inputs, out_type, target)
        if not isinstance(chosen, OpStrategy) or not chosen.implementations:
            raise uma.Error(f"the strategy of '{relay}' gave {chosen!r}, expected an OpStrategy with an implementation: does it end with 'return strategy'?")
        best = max(chosen.implementations, key=lambda each: each.plevel)
        outs = best.compute(attrs, inputs, out_type)
        outs = list(outs) if isinstance(outs, (list, tuple)) else [outs]
        schedule = best.schedule(attrs, outs, target)
    if len(outs) != 1 or not isinstance(outs[0], Tensor):
        raise uma.Error(f"the compute of '{relay}' gave {outs!r}, expected one tensor")
    if [int(size) for size in outs[0].shape] != seen[-1] or outs[0].dtype != out_type.dtype:
        raise uma.Error(f"the compute of '{relay}' gives {outs[0]}, the operator {out_type}")
    if not isinstance(schedule, Schedule):
        schedule = create_schedule([outs[0].op])
    return schedule.lower([*inputs, outs[0]])

