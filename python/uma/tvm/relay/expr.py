"""Expressions of networks, with the names and fields of `tvm.relay`."""

from __future__ import annotations

import numpy as np

from uma.tvm.ir import Attrs, GlobalVar, Op, TensorType, TupleType
from uma.tvm.runtime import NDArray, Object, _walk

__all__ = ["Call", "Constant", "Expr", "Function", "If", "Let", "Tuple", "TupleGetItem", "TupleWrapper", "Var", "const", "var"]


class Expr(Object):
    """An expression of a network. `checked_type` is known after `relay.transform.InferType`, and in what the compiler passes to a pass."""

    _type = None
    layer = ""  # name of the model's layer

    @property
    def checked_type(self):
        if self._type is None:
            raise ValueError("the type is not known yet; relay.transform.InferType()(mod) infers it")
        return self._type

    checked_type_ = property(lambda self: self._type)

    def __add__(self, other):
        from uma.tvm import relay

        return relay.add(self, _as_expr(other))

    def __sub__(self, other):
        from uma.tvm import relay

        return relay.subtract(self, _as_expr(other))

    def __mul__(self, other):
        from uma.tvm import relay

        return relay.multiply(self, _as_expr(other))

    def __truediv__(self, other):
        from uma.tvm import relay

        return relay.divide(self, _as_expr(other))

    def __str__(self):
        return astext(self)


def _as_expr(value):
    return value if isinstance(value, Expr) else const(value, "float32")


class Var(Expr):
    """A parameter."""

    def __init__(self, name_hint, type_annotation=None):
        self.name_hint = name_hint
        self.type_annotation = type_annotation
        self._type = type_annotation
        self.vid = self


class Constant(Expr):
    """A constant tensor; `data` is an array."""

    def __init__(self, data):
        self.data = data if isinstance(data, NDArray) else NDArray(data)
        array = np.asarray(self.data)
        self._type = TensorType(array.shape, str(array.dtype))


class Call(Expr):
    """The application of an operator or function: `op`, `args`, `attrs`."""

    def __init__(self, op, args, attrs=None, type_args=None, span=None):
        self.op = Op.get(op) if isinstance(op, str) else op
        self.args = list(args)
        for arg in self.args:
            if not isinstance(arg, Expr):
                raise TypeError(f"an argument of '{getattr(self.op, 'name', self.op)}' is {arg!r}, expected an expression; relay.const makes one of a number")
        self.attrs = attrs if isinstance(attrs, Attrs) else Attrs(attrs)
        self.type_args = type_args


class Tuple(Expr):
    def __init__(self, fields, span=None):
        self.fields = list(fields)

    @property
    def checked_type(self):
        return TupleType([field.checked_type for field in self.fields])

    def __getitem__(self, index):
        return self.fields[index]

    def __len__(self):
        return len(self.fields)


class TupleGetItem(Expr):
    def __init__(self, tuple_value, index, span=None):
        self.tuple_value, self.index = tuple_value, index


class TupleWrapper:
    """A call with several results, which `[ ]` picks: what `relay.nn.batch_norm` gives."""

    def __init__(self, tuple_value, size):
        self.tuple_value, self.size = tuple_value, size

    def __getitem__(self, index):
        if not -self.size <= index < self.size:
            raise IndexError(f"there are {self.size} results, found the index {index}")
        return TupleGetItem(self.tuple_value, index % self.size)

    def __len__(self):
        return self.size

    def astuple(self):
        return self.tuple_value


class Let(Expr):
    def __init__(self, variable, value, body, span=None):
        self.var, self.value, self.body = variable, value, body


class If(Expr):
    def __init__(self, cond, true_branch, false_branch, span=None):
        raise NotImplementedError("networks here have no conditions on data: each operator runs in every run")


class Function(Expr):
    """A function; `attrs` has `Compiler` and `global_symbol` where an accelerator takes it, and `Composite` for a match of a pattern."""

    def __init__(self, params, body, ret_type=None, type_params=None, attrs=None, span=None):
        self.params = list(params)
        self.body = body
        self.ret_type = ret_type
        self.type_params = list(type_params or [])
        self.attrs = attrs if isinstance(attrs, Attrs) else Attrs(attrs)
        self.origin = None  # the function of the compiler that this one was read from

    def with_attr(self, attr_key_or_dict, attr_value=None):
        values = attr_key_or_dict if isinstance(attr_key_or_dict, dict) else {attr_key_or_dict: attr_value}
        result = Function(self.params, self.body, self.ret_type, None, Attrs({**dict(self.attrs.items()), **values}))
        result.origin = self.origin
        return result

    def __call__(self, *args):
        return Call(self, args)


def var(name_hint, type_annotation=None, shape=None, dtype="float32"):
    """A parameter: `relay.var("x", shape=(1, 3, 8, 8))`."""
    if shape is not None:
        if type_annotation is not None:
            raise ValueError("a variable has either a type or a shape")
        type_annotation = TensorType(shape, dtype)
    return Var(name_hint, type_annotation)


def const(value, dtype=None):
    """A constant."""
    if isinstance(value, NDArray):
        return Constant(value)
    array = np.asarray(value)
    if dtype is None and not isinstance(value, (np.ndarray, np.generic)):
        dtype = {"float64": "float32", "int64": "int32"}.get(str(array.dtype), str(array.dtype))
    return Constant(NDArray(array.astype(dtype) if dtype else array))


def parts(expr):
    """The expressions directly inside one."""
    if isinstance(expr, Call):
        return ([expr.op] if isinstance(expr.op, Function) else []) + expr.args
    if isinstance(expr, Tuple):
        return expr.fields
    if isinstance(expr, TupleGetItem):
        return [expr.tuple_value]
    if isinstance(expr, Function):
        return expr.params + [expr.body]
    if isinstance(expr, Let):
        return [expr.var, expr.value, expr.body]
    return []


def post_order(expr):
    """All expressions in one, inner ones first, each once."""
    return _walk.post_order([expr], parts)


def astext(expr, indent=""):
    """Operators as numbered lines; functions that are called show theirs."""
    names, lines = {}, []
    body = expr.body if isinstance(expr, Function) else expr
    inside = {id(part) for node in post_order(body) if isinstance(node, Function) for part in post_order(node)[:-1]}
    for node in post_order(body):
        if id(node) in inside and not isinstance(node, Function):
            continue
        if isinstance(node, Var):
            names[id(node)] = f"%{node.name_hint}"
        elif isinstance(node, Constant):
            names[id(node)] = f"const{list(np.asarray(node.data).shape)}"
        elif isinstance(node, Call):
            number = sum(name.startswith("%") and name[1:].isdigit() for name in names.values())
            names[id(node)] = f"%{number}"
            attrs = "".join(f", {key}={value}" for key, value in node.attrs.items() if value not in (None, ""))
            op = node.op.name if isinstance(node.op, Op) else f"@{node.op.name_hint}" if isinstance(node.op, GlobalVar) else names[id(node.op)]
            lines.append(f"{indent}  %{number} = {op}({', '.join(names.get(id(arg), '?') for arg in node.args)}{attrs});")
        elif isinstance(node, Tuple):
            names[id(node)] = f"({', '.join(names.get(id(field), '?') for field in node.fields)})"
        elif isinstance(node, TupleGetItem):
            names[id(node)] = f"{names.get(id(node.tuple_value), '?')}.{node.index}"
        elif isinstance(node, Function):
            names[id(node)] = "fn " + astext(node, indent + "  ")
        else:
            names[id(node)] = f"<{type(node).__name__}>"
    lines.append(f"{indent}  {names[id(body)]}")
    if not isinstance(expr, Function):
        return "\n".join(lines)
    params = ", ".join(f"%{param.name_hint}: {param.type_annotation}" for param in expr.params)
    attrs = ", ".join(f"{key}={value!r}" for key, value in expr.attrs.items())
    return f"({params}{', ' if attrs else ''}{attrs}) {{\n" + "\n".join(lines) + f"\n{indent}}}"
