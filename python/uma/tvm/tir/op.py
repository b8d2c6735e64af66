"""Functions that make expressions, as `tvm.tir`."""

from __future__ import annotations

from uma.tvm.runtime import DataType
from uma.tvm.tir import expr as e
from uma.tvm.tir.stmt import Buffer

__all__ = ["abs", "all", "any", "address_of", "call_extern", "call_intrin", "call_packed", "call_pure_extern", "ceil", "cos", "div", "erf", "exp", "exp2",
           "floor", "floordiv", "floormod", "if_then_else", "indexdiv", "indexmod", "isnan", "likely", "log", "log10", "log2", "max_value", "min_value",
           "nearbyint", "pow", "power", "round", "rsqrt", "sigmoid", "sin", "sqrt", "tan", "tanh", "trunc", "truncdiv", "truncmod", "tvm_access_ptr"]


def call_extern(dtype, func_name, *args, span=None):
    """A call of a C function. Buffers and their pointers become pointers; the C function returns an int, the status of the device."""
    return e.Call(dtype, "tir.call_extern", [e.StringImm(func_name), *map(_argument, args)])


def call_pure_extern(dtype, func_name, *args, span=None):
    """A call of a function of C's <math.h>: "expf"."""
    return e.Call(dtype, "tir.call_pure_extern", [e.StringImm(func_name), *map(_argument, args)])


def call_packed(*args, span=None):
    raise NotImplementedError("packed functions belong to TVM's runtime; the C here calls C functions: tir.call_extern('int32', 'name', …)")


def call_intrin(dtype, func_name, *args, span=None):
    return e.Call(dtype, func_name, list(map(_argument, args)))


def _argument(arg):
    return arg.data if isinstance(arg, Buffer) else arg


def tvm_access_ptr(ptype, data, offset, extent, rw_mask):
    """A pointer into a buffer; rw_mask 1 reads, 2 writes."""
    return e.Call("handle", "tir.tvm_access_ptr", [e.StringImm(str(ptype)), _argument(data), offset, extent, rw_mask])


def address_of(buffer_load, span=None):
    load = buffer_load if isinstance(buffer_load, e.BufferLoad) else e.BufferLoad(buffer_load, [0] * len(buffer_load.shape))
    call = e.Call("handle", "tir.address_of", [])
    call.args = [load]
    return call


def if_then_else(cond, t, f, span=None):
    """One of two values, of which only that one is computed."""
    t, f = e._promote(t, f)
    return e.Call(t.dtype, "tir.if_then_else", [cond, t, f])


def _unary(name):
    def function(x, span=None):
        x = e.as_expr(x)
        if not DataType(x.dtype).is_float:
            x = e._cast(x, "float32")
        return e.Call(x.dtype, f"tir.{name}", [x])

    function.__name__ = name
    function.__doc__ = f"`{name}` of a floating-point number."
    return function


exp, exp2, log, log2, log10, sqrt, rsqrt, tanh, sigmoid, sin, cos, tan, erf, floor, ceil, trunc, round, nearbyint = map(
    _unary, ["exp", "exp2", "log", "log2", "log10", "sqrt", "rsqrt", "tanh", "sigmoid", "sin", "cos", "tan", "erf", "floor", "ceil", "trunc", "round",
             "nearbyint"])


def abs(x, span=None):
    x = e.as_expr(x)
    return e.Call(x.dtype, "tir.fabs", [x]) if DataType(x.dtype).is_float else e.Select(x < 0, -x, x)


def isnan(x, span=None):
    return e.Call("bool", "tir.isnan", [x])


def pow(x, y, span=None):
    x, y = e._promote(x, y)
    return e.Call(x.dtype, "tir.pow", [x, y])


power = pow


def likely(cond, span=None):
    return e.as_expr(cond)


def all(*args, span=None):
    """Whether all conditions hold."""
    args = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    result = e.as_expr(args[0])
    for arg in args[1:]:
        result = e.And(result, arg)
    return result


def any(*args, span=None):
    args = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    result = e.as_expr(args[0])
    for arg in args[1:]:
        result = e.Or(result, arg)
    return result


def div(a, b, span=None):
    a, b = e._promote(a, b)
    return e.Div(a, b)


truncdiv = div


def truncmod(a, b, span=None):
    return e.Mod(a, b)


def floordiv(a, b, span=None):
    return e._binary(e.FloorDiv, a, b)


def floormod(a, b, span=None):
    return e._binary(e.FloorMod, a, b)


indexdiv, indexmod = floordiv, floormod


def min_value(dtype, span=None):
    """The least number of a type."""
    return _limit(dtype, "min")


def max_value(dtype, span=None):
    return _limit(dtype, "max")


def _limit(dtype, which):
    import numpy as np

    return e.const(getattr((np.finfo if DataType(dtype).is_float else np.iinfo)(dtype), which).item()
                   if DataType(dtype).is_float else getattr(np.iinfo(dtype), which), dtype)
