"""Expressions of primitive functions, with the names and fields of `tvm.tir`.

Expressions are immutable. Integers that count or index have the dtype "int32", as in TVM; the compiler computes them as `index`."""

from __future__ import annotations

from uma.tvm.runtime import DataType, Object, convert_dtype

__all__ = ["Add", "And", "Broadcast", "BufferLoad", "Call", "Cast", "Div", "EQ", "FloatImm", "FloorDiv", "FloorMod", "GE", "GT", "IntImm", "IterVar",
           "LE", "LT", "Let", "Max", "Min", "Mod", "Mul", "NE", "Not", "Or", "PrimExpr", "ProducerLoad", "Ramp", "Reduce", "Select", "SizeVar",
           "StringImm", "Sub", "Var", "const"]


class PrimExpr(Object):
    """An expression with one value; `dtype` is its type, "float32"."""

    dtype: str = "int32"

    def __add__(self, other):
        return _binary(Add, self, other)

    def __radd__(self, other):
        return _binary(Add, other, self)

    def __sub__(self, other):
        return _binary(Sub, self, other)

    def __rsub__(self, other):
        return _binary(Sub, other, self)

    def __mul__(self, other):
        return _binary(Mul, self, other)

    def __rmul__(self, other):
        return _binary(Mul, other, self)

    def __truediv__(self, other):
        return _divide(self, other)

    def __rtruediv__(self, other):
        return _divide(other, self)

    def __floordiv__(self, other):
        return _binary(FloorDiv, self, other)

    def __rfloordiv__(self, other):
        return _binary(FloorDiv, other, self)

    def __mod__(self, other):
        return _binary(FloorMod, self, other)

    def __rmod__(self, other):
        return _binary(FloorMod, other, self)

    def __neg__(self):
        return _binary(Sub, const(0, self.dtype), self)

    def __lt__(self, other):
        return _binary(LT, self, other)

    def __le__(self, other):
        return _binary(LE, self, other)

    def __gt__(self, other):
        return _binary(GT, self, other)

    def __ge__(self, other):
        return _binary(GE, self, other)

    def __eq__(self, other):
        if not isinstance(other, (PrimExpr, int, float)):
            return False
        return _binary(EQ, self, other)

    def __ne__(self, other):
        if not isinstance(other, (PrimExpr, int, float)):
            return True
        return _binary(NE, self, other)

    def __hash__(self):
        return id(self)

    def __bool__(self):
        raise ValueError(f"{self} is known when the network runs, not here; tir.all, tir.any and tir.if_then_else take conditions")

    def astype(self, dtype, span=None):
        dtype = convert_dtype(dtype)
        return self if dtype == self.dtype else _cast(self, dtype)

    def equal(self, other):
        return _binary(EQ, self, other)


class Var(PrimExpr):
    """A variable; two variables of the same name are different ones."""

    def __init__(self, name="v", dtype="int32", span=None):
        self.name = name
        self.name_hint = name
        self.dtype = convert_dtype(dtype)
        self.type_annotation = self.dtype

    def __str__(self):
        return self.name


class SizeVar(Var):
    """A variable that is no less than 0."""


class IterVar(PrimExpr):
    """A variable with its range: an axis of a computation. `iter_type` is DataPar (0) or CommReduce (2)."""

    DataPar = 0
    ThreadIndex = 1
    CommReduce = 2

    def __init__(self, dom, var, iter_type=0, thread_tag="", span=None):
        from uma.tvm.ir import Range

        if dom is not None and not isinstance(dom, Range):
            dom = Range(*dom) if isinstance(dom, (tuple, list)) else Range(0, dom)
        self.dom = dom
        self.var = var if isinstance(var, Var) else Var(var)
        self.iter_type = iter_type
        self.thread_tag = thread_tag
        self.dtype = self.var.dtype

    def __str__(self):
        return f"iter_var({self.var}, {self.dom})"


class IntImm(PrimExpr):
    """An integer."""

    def __init__(self, dtype, value, span=None):
        self.dtype = convert_dtype(dtype)
        self.value = int(value)

    def __int__(self):
        return self.value

    __index__ = __int__

    def __bool__(self):
        return self.value != 0

    def __eq__(self, other):
        if isinstance(other, (IntImm, FloatImm)):
            return self.value == other.value
        if isinstance(other, (int, float)):
            return self.value == other
        return super().__eq__(other)

    def __ne__(self, other):
        result = self.__eq__(other)
        return not result if isinstance(result, bool) else super().__ne__(other)

    def __hash__(self):
        return hash(self.value)

    def __str__(self):
        return str(bool(self.value) if self.dtype == "bool" else self.value)


class FloatImm(PrimExpr):
    """A floating-point number."""

    def __init__(self, dtype, value, span=None):
        self.dtype = convert_dtype(dtype)
        self.value = float(value)

    def __float__(self):
        return self.value

    def __eq__(self, other):
        if isinstance(other, (IntImm, FloatImm)):
            return self.value == other.value
        if isinstance(other, (int, float)):
            return self.value == other
        return super().__eq__(other)

    def __hash__(self):
        return hash(self.value)

    def __str__(self):
        return f"{self.dtype}({self.value!r})"


class StringImm(PrimExpr):
    """A text, e.g. the name of the function in a `call_extern`."""

    def __init__(self, value, span=None):
        self.value = value
        self.dtype = "handle"

    def __eq__(self, other):
        return self.value == (other.value if isinstance(other, StringImm) else other)

    def __ne__(self, other):
        return not self.__eq__(other)

    def __hash__(self):
        return hash(self.value)

    def __str__(self):
        return repr(self.value)


class _Binary(PrimExpr):
    symbol = ""

    def __init__(self, a, b, span=None):
        self.a, self.b = _promote(a, b)
        self.dtype = "bool" if isinstance(self, _Comparison) else self.a.dtype

    def __str__(self):
        return f"({self.a} {self.symbol} {self.b})" if not self.symbol.isalpha() else f"{self.symbol}({self.a}, {self.b})"


class Add(_Binary):
    symbol = "+"


class Sub(_Binary):
    symbol = "-"


class Mul(_Binary):
    symbol = "*"


class Div(_Binary):
    """Division; of integers, towards zero."""

    symbol = "/"


class Mod(_Binary):
    symbol = "truncmod"


class FloorDiv(_Binary):
    symbol = "//"


class FloorMod(_Binary):
    symbol = "%"


class Min(_Binary):
    symbol = "min"


class Max(_Binary):
    symbol = "max"


class _Comparison(_Binary):
    pass


class EQ(_Comparison):
    symbol = "=="

    def __bool__(self):
        return _is_same(self.a, self.b)


class NE(_Comparison):
    symbol = "!="

    def __bool__(self):
        return not _is_same(self.a, self.b)


class LT(_Comparison):
    symbol = "<"


class LE(_Comparison):
    symbol = "<="


class GT(_Comparison):
    symbol = ">"


class GE(_Comparison):
    symbol = ">="


class And(_Comparison):
    symbol = "&&"


class Or(_Comparison):
    symbol = "||"


class Not(PrimExpr):
    def __init__(self, a, span=None):
        self.a = as_expr(a)
        self.dtype = "bool"

    def __str__(self):
        return f"not {self.a}"


class Select(PrimExpr):
    """One of two values; both are computed."""

    def __init__(self, condition, true_value, false_value, span=None):
        self.condition = as_expr(condition)
        self.true_value, self.false_value = _promote(true_value, false_value)
        self.dtype = self.true_value.dtype

    def __str__(self):
        return f"select({self.condition}, {self.true_value}, {self.false_value})"


class Cast(PrimExpr):
    def __init__(self, dtype, value, span=None):
        self.dtype = convert_dtype(dtype)
        self.value = as_expr(value)

    def __str__(self):
        return f"{self.dtype}({self.value})"


class Let(PrimExpr):
    """A value with a name inside `body`."""

    def __init__(self, var, value, body, span=None):
        self.var, self.value, self.body = var, as_expr(value), as_expr(body)
        self.dtype = self.body.dtype

    def __str__(self):
        return f"let {self.var} = {self.value} in {self.body}"


class _Load(PrimExpr):
    def __init__(self, source, indices):
        self.indices = [as_expr(index) for index in indices]
        self.dtype = source.dtype
        self._source = source

    def __str__(self):
        return f"{self._source.name}[{', '.join(map(str, self.indices))}]"


class BufferLoad(_Load):
    """An element of a buffer."""

    def __init__(self, buffer, indices, span=None):
        super().__init__(buffer, indices)
        self.buffer = buffer


class ProducerLoad(_Load):
    """An element of a tensor of `te`."""

    def __init__(self, producer, indices, span=None):
        super().__init__(producer, indices)
        self.producer = producer


class Reduce(PrimExpr):
    """A reduction of `source` over `axis`. `combiner` is "sum", "max", "min" or "prod"."""

    def __init__(self, combiner, source, axis, condition=None, init=None):
        self.combiner = combiner
        self.source = as_expr(source)
        self.axis = list(axis)
        self.condition = None if condition is None else as_expr(condition)
        self.init = init
        self.dtype = self.source.dtype

    def __str__(self):
        return f"{self.combiner}({self.source}, axis=[{', '.join(str(axis.var) for axis in self.axis)}])"


class Call(PrimExpr):
    """A call of an operation such as `tir.call_extern`, whose name `op.name` gives."""

    def __init__(self, dtype, op, args, span=None):
        from uma.tvm.ir import Op

        self.dtype = convert_dtype(dtype)
        self.op = Op.get(op) if isinstance(op, str) else op
        self.args = [as_expr(arg) for arg in args]
        self.code = None  # C that stands for the call

    def __str__(self):
        return f"{self.op.name}({', '.join(map(str, self.args))})"


class Ramp(PrimExpr):
    """Lanes with a distance: the index of a vector access. The compiler makes vectors from loops of the kind VECTORIZED."""

    def __init__(self, base, stride, lanes, span=None):
        self.base, self.stride, self.lanes = as_expr(base), as_expr(stride), int(lanes)
        self.dtype = f"{self.base.dtype}x{self.lanes}"


class Broadcast(PrimExpr):
    def __init__(self, value, lanes, span=None):
        self.value, self.lanes = as_expr(value), int(lanes)
        self.dtype = f"{self.value.dtype}x{self.lanes}"


def const(value, dtype=None, span=None):
    """A number as an expression; without a dtype, of int32 or float32."""
    if isinstance(value, PrimExpr):
        return value
    if dtype is None:
        dtype = "bool" if isinstance(value, bool) else "int32" if hasattr(value, "__index__") else "float32"
    dtype = convert_dtype(dtype)
    return FloatImm(dtype, value) if DataType(dtype).is_float else IntImm(dtype, value)


def as_expr(value):
    """An expression from what users write: a number, a text, an axis, a tensor's element or a buffer."""
    if isinstance(value, IterVar):
        return value.var
    if isinstance(value, PrimExpr):
        return value
    if isinstance(value, str):
        return StringImm(value)
    if hasattr(value, "as_expr"):
        return value.as_expr()
    if isinstance(value, (bool, int, float)) or hasattr(value, "__index__") or hasattr(value, "__float__"):
        return const(value)
    raise TypeError(f"expected an expression or a number, found {value!r} of the type {type(value).__name__}")


def _promote(a, b):
    """Both as expressions of one dtype: a number takes the other's, an integer that of a float."""
    is_number = [not isinstance(x, (PrimExpr, str)) and not hasattr(x, "as_expr") for x in (a, b)]
    a, b = as_expr(a), as_expr(b)
    if a.dtype == b.dtype:
        return a, b
    floats = [DataType(x.dtype).is_float for x in (a, b)]
    if is_number[1] and (floats[0] or not floats[1]):
        return a, const(b.value, a.dtype)
    if is_number[0] and (floats[1] or not floats[0]):
        return const(a.value, b.dtype), b
    if floats[0] != floats[1]:
        return (a, _cast(b, a.dtype)) if floats[0] else (_cast(a, b.dtype), b)
    if DataType(a.dtype).bits >= DataType(b.dtype).bits:
        return a, _cast(b, a.dtype)
    return _cast(a, b.dtype), b


def _cast(value, dtype):
    return const(value.value, dtype) if isinstance(value, (IntImm, FloatImm)) else Cast(dtype, value)


_FOLD = {"Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b, "FloorDiv": lambda a, b: a // b,
         "FloorMod": lambda a, b: a % b, "LT": lambda a, b: a < b, "LE": lambda a, b: a <= b, "GT": lambda a, b: a > b,
         "GE": lambda a, b: a >= b, "Min": min, "Max": max}


def _binary(kind, a, b):
    """The operation, computed at once where both are integers."""
    node = kind(a, b)
    a, b = node.a, node.b
    if isinstance(a, IntImm) and isinstance(b, IntImm) and kind.__name__ in _FOLD and not (b.value == 0 and kind in (FloorDiv, FloorMod)):
        return const(_FOLD[kind.__name__](a.value, b.value), "bool" if node.dtype == "bool" else a.dtype)
    is_zero = [isinstance(x, IntImm) and x.value == 0 for x in (a, b)]
    is_one = [isinstance(x, IntImm) and x.value == 1 for x in (a, b)]
    if is_zero[1] and kind in (Add, Sub) or is_one[1] and kind in (Mul, FloorDiv):
        return a
    if is_zero[0] and kind is Add or is_one[0] and kind is Mul:
        return b
    return node


def _divide(a, b):
    a, b = _promote(a, b)
    if not DataType(a.dtype).is_float:
        raise TypeError("integers are divided by '//', tir.truncdiv or tir.floordiv, which say how they round")
    return Div(a, b)


def _is_same(a, b):
    if a is b:
        return True
    if type(a) is not type(b) or isinstance(a, Var):
        return False
    if isinstance(a, (IntImm, FloatImm, StringImm)):
        return a.value == b.value
    children = [list(x.children()) for x in (a, b)]
    return len(children[0]) == len(children[1]) > 0 and all(map(_is_same, *children)) and \
        getattr(a, "buffer", None) is getattr(b, "buffer", None) and getattr(a, "dtype", None) == getattr(b, "dtype", None) and \
        getattr(getattr(a, "op", None), "name", None) == getattr(getattr(b, "op", None), "name", None)
