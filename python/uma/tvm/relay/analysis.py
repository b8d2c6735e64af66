"""Questions about expressions, as `tvm.relay.analysis`."""

from __future__ import annotations

import numpy as np

from uma.tvm.relay import expr as r

__all__ = ["all_vars", "free_vars", "post_order_visit", "structural_equal"]


def post_order_visit(expr, fvisit):
    """Calls `fvisit` with every expression, inner ones first."""
    for node in r.post_order(expr):
        fvisit(node)


def all_vars(expr):
    return [node for node in r.post_order(expr) if isinstance(node, r.Var)]


def free_vars(expr):
    """The variables that no function in the expression has as parameters."""
    bound = {id(param) for node in r.post_order(expr) if isinstance(node, r.Function) for param in node.params}
    return [var for var in all_vars(expr) if id(var) not in bound]


def structural_equal(lhs, rhs):
    """Whether two expressions, functions or modules compute the same by the same operators."""
    if hasattr(lhs, "functions"):
        return lhs.functions.keys() == rhs.functions.keys() and all(structural_equal(f, rhs.functions[v]) for v, f in lhs.functions.items())
    return _key(lhs) == _key(rhs)


def _key(root):
    numbers, keys = {}, []
    for node in r.post_order(root):
        parts = [numbers[id(part)] for part in r.parts(node)]
        if isinstance(node, r.Var):
            key = ("var", str(node._type))
        elif isinstance(node, r.Constant):
            array = np.asarray(node.data)
            key = ("const", array.shape, str(array.dtype), array.tobytes())
        elif isinstance(node, r.Call):
            name = getattr(node.op, "name", getattr(node.op, "name_hint", ""))
            key = ("call", name, parts, sorted((k, str(list(v) if isinstance(v, (list, tuple)) else v)) for k, v in node.attrs.items()))
        else:
            key = (type(node).__name__, parts, getattr(node, "index", None))
        numbers[id(node)] = len(numbers)
        keys.append(key)
    return keys
