"""Operators as functions, as `tvm.relay.op`: `relay.nn.conv2d(data, weight, …)`, `relay.add(a, b)`."""

from __future__ import annotations

import builtins
import types

import uma
from uma.tvm.relay import _ops
from uma.tvm.relay import expr as r
from uma.tvm.relay.op import strategy
from uma.tvm.relay.op.strategy import OpImplementation, OpSpecialization, OpStrategy

__all__ = ["OpImplementation", "OpSpecialization", "OpStrategy", "nn", "strategy"]


def _constructor(info):
    """The function that makes a call of an operator."""

    def function(*args, **kwargs):
        count = info.num_args
        if count == -1:
            fields, *rest = args
            tensors = [fields if isinstance(fields, r.Tuple) else r.Tuple(fields)]
        else:
            tensors, rest = list(args[:count]), args[count:]
            # Tensors may be given by name, in their order.
            for name in ("data", "weight", "bias", "lhs", "rhs", "gamma", "beta", "moving_mean", "moving_var", "x", "y", "indices", "condition"):
                if len(tensors) < count and name in kwargs:
                    tensors.append(kwargs.pop(name))
        if len(tensors) != builtins.abs(count):
            raise TypeError(f"'{info.relay}' has {builtins.abs(count)} tensors, found {len(tensors)}")
        attrs = {key: default for key, default in info.fields.items() if default is not _ops.REQUIRED}
        if len(rest) > len(info.fields):
            raise TypeError(f"'{info.relay}' has the attributes {', '.join(info.fields) or 'none'}; found {len(rest)}")
        attrs.update(zip(info.fields, rest))
        for name, value in kwargs.items():
            if name not in info.fields:
                raise TypeError(f"'{info.relay}' has no attribute '{name}'{uma._uma.suggest(name, list(info.fields)) or ''}")
            attrs[name] = value
        for name, default in info.fields.items():
            if default is _ops.REQUIRED and name not in attrs:
                raise TypeError(f"'{info.relay}' needs the attribute '{name}'")
        call = r.Call(info.relay, [r._as_expr(tensor) for tensor in tensors], attrs)
        return r.TupleWrapper(call, 3) if info.relay == "nn.batch_norm" else call

    function.__name__ = info.relay.rpartition(".")[2]
    function.__doc__ = f"`{info.relay}`: the operator `uma.graph.{info.graph}`, with Relay's attributes {', '.join(info.fields) or '(none)'}."
    return function


nn = types.ModuleType("uma.tvm.relay.op.nn", "Operators of neural networks.")
for _info in _ops.BY_RELAY.values():
    if _info.relay.startswith("nn."):
        setattr(nn, _info.relay.removeprefix("nn."), _constructor(_info))
    else:
        globals()[_info.relay] = _constructor(_info)
        __all__.append(_info.relay)


def get(op_name):
    from uma.tvm.ir import Op

    _ops.lookup(op_name)
    return Op.get(op_name)


def zeros(shape, dtype="float32"):
    import numpy as np

    return r.const(np.zeros([int(size) for size in shape], dtype))


def ones(shape, dtype="float32"):
    import numpy as np

    return r.const(np.ones([int(size) for size in shape], dtype))


__all__ += ["get", "ones", "zeros"]
