"""Patterns of operators, as `tvm.relay.dataflow_pattern`.

A pattern becomes one or several patterns of a description, in the language of docs/description-language.md: one for each combination of
alternatives. What the language does not have is an error that says so."""

from __future__ import annotations

import uma
from uma.tvm.ir import TensorType
from uma.tvm.relay import _ops
from uma.tvm.runtime import convert_dtype

__all__ = ["DFPattern", "has_attr", "has_dtype", "has_shape", "has_type", "is_constant", "is_expr", "is_op", "is_tuple", "is_tuple_get_item", "is_var",
           "wildcard"]


class DFPattern:
    """A pattern of an expression."""

    def __call__(self, *args):
        args = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
        return CallPattern(self, list(args))

    def __or__(self, other):
        return AltPattern(self, other)

    def __add__(self, other):
        return is_op("add")(self, other)

    def __sub__(self, other):
        return is_op("subtract")(self, other)

    def __mul__(self, other):
        return is_op("multiply")(self, other)

    def __truediv__(self, other):
        return is_op("divide")(self, other)

    def has_attr(self, attrs):
        """Restricts attributes: `{"strides": [1, 1]}`."""
        return AttrPattern(self, dict(attrs))

    def has_type(self, ttype):
        """Restricts shape and dtype of a tensor."""
        if not isinstance(ttype, TensorType):
            raise TypeError(f"has_type takes a relay.TensorType, found {ttype!r}")
        return TypePattern(self, ttype.concrete_shape, ttype.dtype)

    def has_dtype(self, dtype):
        return TypePattern(self, None, convert_dtype(dtype))

    def has_shape(self, shape):
        return TypePattern(self, tuple(int(size) for size in shape), None)

    def optional(self, option_constructor):
        """This pattern, or `option_constructor(this)`, which is tried first."""
        return AltPattern(option_constructor(self), self)

    def dominates(self, parent, path=None):
        """This pattern with `parent` as its first open argument, with up to DEPTH of the operators of `path` between the two."""
        if path is None or isinstance(path, WildcardPattern):
            raise uma.Error("'dominates' needs a path that names operators, e.g. is_op('nn.relu')(wildcard()): a pattern here takes only operators that it names")
        chains = [parent]
        for _ in range(DEPTH):
            chains.append(_fill(path, chains[-1]))
        result = _fill(self, chains[0])
        for chain in chains[1:]:
            result = AltPattern(_fill(self, chain), result)
        return result

    def partition(self, expr, attrs=None, check=None):
        raise uma.Error("patterns are matched in the accelerator's partition: UMABackend._register_pattern takes them")

    rewrite = partition

    def match(self, expr):
        """Whether an expression matches."""
        return any(_matches(alternative, expr, {}) for alternative in expand(self))


class WildcardPattern(DFPattern):
    def redirect_to(self, pat):
        raise uma.Error("'redirect_to' has no counterpart: patterns here are not recursive")


class ConstantPattern(DFPattern):
    pass


class VarPattern(DFPattern):
    def __init__(self, name=""):
        self.name = name


class ExprPattern(DFPattern):
    """The operator `name`; calling it with patterns of the arguments gives the pattern."""

    def __init__(self, name):
        self.name = name
        self.info = _ops.lookup(name)


class CallPattern(DFPattern):
    def __init__(self, op, args):
        if isinstance(op, AttrPattern):  # is_op("nn.conv2d").has_attr(…)(…)
            self.op, self.attrs = op.pattern, dict(op.attrs)
        else:
            self.op, self.attrs = op, {}
        if not isinstance(self.op, ExprPattern):
            raise uma.Error("a pattern calls an operator: is_op('nn.relu')(…); 'wildcard()' as an operator has no counterpart")
        for arg in args:
            if not isinstance(arg, DFPattern):
                raise TypeError(f"an argument in a pattern of '{self.op.name}' is {arg!r}, expected a pattern such as wildcard()")
        self.args = args


class AltPattern(DFPattern):
    def __init__(self, left, right):
        self.left, self.right = left, right


class AttrPattern(DFPattern):
    def __init__(self, pattern, attrs):
        self.pattern, self.attrs = pattern, attrs


class TypePattern(DFPattern):
    def __init__(self, pattern, shape, dtype):
        self.pattern, self.shape, self.dtype = pattern, shape, dtype


class TuplePattern(DFPattern):
    def __init__(self, fields):
        self.fields = fields


class TupleGetItemPattern(DFPattern):
    def __init__(self, pattern, index):
        self.pattern, self.index = pattern, index


class NumberPattern(DFPattern):
    """A constant whose elements all equal a number."""

    def __init__(self, number):
        self.number = number


def is_op(op_name):
    """The pattern of an operator: `is_op("nn.conv2d")(wildcard(), is_constant())`."""
    return ExprPattern(op_name)


def wildcard():
    """Any tensor. Used twice, the same one."""
    return WildcardPattern()


def is_constant():
    """A constant tensor."""
    return ConstantPattern()


def is_var(name=""):
    """A tensor that is no constant."""
    return VarPattern(name)


def is_expr(expr):
    """A constant, by its value."""
    import numpy as np

    from uma.tvm.relay.expr import Constant

    if isinstance(expr, Constant) and np.asarray(expr.data).size and np.all(np.asarray(expr.data) == np.asarray(expr.data).flat[0]):
        return NumberPattern(np.asarray(expr.data).flat[0].item())
    raise uma.Error("is_expr takes a constant whose elements are equal")


def is_tuple(fields):
    """The tensors of a concatenation: `is_op("concatenate")(is_tuple([a, b]))`."""
    return TuplePattern(fields)


def is_tuple_get_item(tuple_value, index=None):
    """A result of an operator with several."""
    return TupleGetItemPattern(tuple_value, index)


def has_attr(attrs, pattern=None):
    return (pattern or wildcard()).has_attr(attrs)


def has_type(ttype, pattern=None):
    return (pattern or wildcard()).has_type(ttype)


def has_dtype(dtype, pattern=None):
    return (pattern or wildcard()).has_dtype(dtype)


def has_shape(shape, pattern=None):
    return (pattern or wildcard()).has_shape(shape)


# Alternatives. A node that is used twice is the same alternative at both places.

LIMIT = 64
#: The most operators between a pattern and its dominator.
DEPTH = 4


def _fill(pattern, value):
    """The pattern with `value` in the place of its first wildcard."""
    done = []

    def fill(node):
        if done:
            return node
        if isinstance(node, WildcardPattern):
            done.append(node)
            return value
        if isinstance(node, CallPattern):
            result = CallPattern(node.op, [fill(arg) for arg in node.args])
            result.attrs = dict(node.attrs)
            return result
        if isinstance(node, AttrPattern):
            return AttrPattern(fill(node.pattern), node.attrs)
        if isinstance(node, TypePattern):
            return TypePattern(fill(node.pattern), node.shape, node.dtype)
        if isinstance(node, AltPattern):
            left = AltPattern(fill(node.left), node.right)
            done.clear()
            left.right = fill(node.right)
            return left
        return node

    result = fill(pattern)
    if not done:
        raise uma.Error("'dominates' puts the parent in the place of a wildcard(), and there is none")
    return result


def expand(pattern):
    """The pattern without alternatives: one for each combination, in the order in which they are tried."""
    results = []
    choices = [[]]
    while choices:
        taken = choices.pop(0)
        trail = []
        copy = _choose(pattern, taken, trail, {})
        if len(trail) > len(taken):
            choices[:0] = [taken + [False], taken + [True]]
            continue
        results.append(copy)
        if len(results) > LIMIT:
            raise uma.Error(f"the pattern has more than {LIMIT} combinations of alternatives; register several patterns")
    return results


class _Open(Exception):
    """An alternative that is not chosen yet."""


def _choose(pattern, taken, trail, memo):
    """A copy with alternatives chosen, in the order in which they are met; `trail` gets one entry more than `taken` has where another one
    is met."""
    try:
        return _copy(pattern, taken, trail, memo)
    except _Open:
        return None


def _copy(pattern, taken, trail, memo):
    if id(pattern) in memo:
        return memo[id(pattern)]
    if isinstance(pattern, AltPattern):
        trail.append(pattern)
        if len(trail) > len(taken):
            raise _Open
        result = _copy(pattern.right if taken[len(trail) - 1] else pattern.left, taken, trail, memo)
    elif isinstance(pattern, CallPattern):
        result = CallPattern(pattern.op, [_copy(arg, taken, trail, memo) for arg in pattern.args])
        result.attrs = dict(pattern.attrs)
    elif isinstance(pattern, AttrPattern):
        result = AttrPattern(_copy(pattern.pattern, taken, trail, memo), pattern.attrs)
    elif isinstance(pattern, TypePattern):
        result = TypePattern(_copy(pattern.pattern, taken, trail, memo), pattern.shape, pattern.dtype)
    elif isinstance(pattern, TuplePattern):
        result = TuplePattern(None if pattern.fields is None else [_copy(field, taken, trail, memo) for field in pattern.fields])
    elif isinstance(pattern, TupleGetItemPattern):
        result = TupleGetItemPattern(_copy(pattern.pattern, taken, trail, memo), pattern.index)
    else:
        result = pattern
    memo[id(pattern)] = result
    return result


# Text.

_ANY4 = ["any"] * 4
SHAPES = {"nn.conv2d": (_ANY4, _ANY4), "nn.conv1d": (["any", "any", 1, "any"], ["any", "any", 1, "any"]), "nn.dense": (["any"] * 2,) * 2,
          "nn.max_pool2d": (_ANY4,), "nn.avg_pool2d": (_ANY4,)}


class PatternText:
    """The text of one pattern without alternatives."""

    def __init__(self, name):
        self.name = name
        self.inputs = {}  # id -> [name, is constant, shape, dtype]
        self.statements = []
        self.names = {}

    def text(self, pattern):
        root = self.tensor(pattern)
        if root in {entry[0] for entry in self.inputs.values()}:
            raise uma.Error(f"the pattern '{self.name}' has no operator")
        inputs = ", ".join(name + self.type(shape, dtype, is_constant) for name, is_constant, shape, dtype in self.inputs.values())
        return f"  pattern {self.name}({inputs}) {{\n" + "".join(f"    {line}\n" for line in self.statements) + "    lower\n  }\n"

    @staticmethod
    def type(shape, dtype, is_constant=False):
        from uma.tvm.tir._types import to_element

        if shape is None and dtype is None:
            return ": const f16|bf16|f32|f64|i1|i8|u8|i16|i32|i64" if is_constant else ""
        element = to_element(dtype).replace("ui", "u") if dtype else ""
        sizes = "" if shape is None else "[" + ", ".join(map(str, shape)) + "]"
        return f": {'const ' if is_constant else ''}{element}{sizes}"

    def input(self, node, is_constant=False, shape=None, dtype=None):
        if id(node) not in self.inputs:
            self.inputs[id(node)] = [f"x{len(self.inputs)}", is_constant, shape, dtype]
        return self.inputs[id(node)][0]

    def tensor(self, node, attrs=None, shape=None, dtype=None):
        """The name of a tensor."""
        if isinstance(node, AttrPattern):
            return self.tensor(node.pattern, {**(attrs or {}), **node.attrs}, shape, dtype)
        if isinstance(node, TypePattern):
            return self.tensor(node.pattern, attrs, node.shape if shape is None else shape, node.dtype if dtype is None else dtype)
        if isinstance(node, TupleGetItemPattern):
            if node.index in (None, 0):
                return self.tensor(node.pattern, attrs, shape, dtype)
            raise uma.Error(f"the pattern '{self.name}' takes result {node.index} of an operator; operators here have one result")
        if isinstance(node, CallPattern):
            if id(node) not in self.names:
                self.names[id(node)] = self.call(node, {**node.attrs, **(attrs or {})}, shape, dtype)
            return self.names[id(node)]
        if attrs:
            raise uma.Error(f"the pattern '{self.name}' asks for attributes of a tensor; write is_op(…)(…).has_attr({attrs})")
        if isinstance(node, (WildcardPattern, VarPattern, ConstantPattern)):
            return self.input(node, isinstance(node, ConstantPattern), shape, dtype)
        if isinstance(node, NumberPattern):
            return repr(node.number)
        if isinstance(node, TuplePattern):
            raise uma.Error(f"the pattern '{self.name}' has a tuple that is no argument of 'concatenate'")
        if isinstance(node, ExprPattern):
            raise uma.Error(f"the pattern '{self.name}' names the operator '{node.name}' without its arguments: is_op('{node.name}')(wildcard(), …)")
        raise uma.Error(f"the pattern '{self.name}' has a {type(node).__name__}, which has no counterpart")

    def call(self, node, attrs, shape, dtype):
        info = node.op.info
        args = node.args
        if info.num_args == -1:
            args = args[0].fields if len(args) == 1 and isinstance(args[0], TuplePattern) else args
            if args is None or any(isinstance(arg, WildcardPattern) for arg in node.args) and len(node.args) == 1:
                raise uma.Error(f"the pattern '{self.name}' has a 'concatenate' of any number of tensors; is_tuple([…]) says how many")
        elif info.num_args is not None and len(args) != info.num_args:
            raise uma.Error(f"the pattern '{self.name}' gives '{info.relay}' {len(args)} arguments, it has {info.num_args}")
        tensors = [self.tensor(arg) for arg in args]
        # The ranks that the operator has, so that `uma.test` can make operands.
        for tensor, sizes in zip(tensors, SHAPES.get(info.relay, ())):
            entry = next((entry for entry in self.inputs.values() if entry[0] == tensor), None)
            if entry is not None and entry[2] is None:
                entry[2] = sizes
        values = attribute_texts(info, attrs, self.name)
        name = f"y{len(self.statements)}"
        kind = self.type(shape, dtype) if shape is not None or dtype is not None else ""
        self.statements.append(f"{name}{kind} = {info.graph}({', '.join(tensors + values)})")
        return name


_ATTRIBUTE_NAMES = {"dilation": "dilations", "layout": "data_layout"}


def attribute_texts(info, attrs, pattern):
    """The attributes of an operator in a pattern: what is not named may have any value."""
    defaults = uma._uma.graph_attributes(info.graph)
    given = {}
    for key, value in attrs.items():
        graph = _ATTRIBUTE_NAMES.get(key, key)
        if info.relay in ("nn.conv2d", "nn.conv1d") and key in ("kernel_size", "channels", "out_dtype", "out_layout"):
            continue  # sizes, which the match's predicate checks
        if info.fields and key not in info.fields or graph not in defaults:
            raise uma.Error(f"the pattern '{pattern}' asks for the attribute '{key}' of '{info.relay}'"
                            f"{uma._uma.suggest(key, list(info.fields)) or '; it has ' + (', '.join(info.fields) or 'none')}")
        given[graph] = attribute_text(info, key, value)
    # Results of another type than the data's are computed otherwise: a pattern takes them only where it says so.
    return [f"{name}={given.get(name, 'any')}" for name in defaults if name != "out_dtype" or "out_dtype" in attrs]


def attribute_text(info, key, value):
    if info.relay == "nn.conv1d" and key in ("strides", "dilation"):
        value = value[0] if isinstance(value, (list, tuple)) else value
        return f"[_{key}_rows, {value}]"
    if info.relay == "nn.conv1d" and key == "padding":
        left, right = _ops._pad2(value)
        return f"[0, {left}, 0, {right}]"
    if info.relay == "nn.conv1d" and key in ("data_layout", "kernel_layout"):
        return {"NCW": '"NCHW"', "OIW": '"OIHW"'}.get(value, '"none"')
    if key == "padding":
        value = _ops.pad4(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(str(int(entry)) for entry in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        import json

        return json.dumps(value)
    default = info.fields.get(key)
    return repr(float(value)) if isinstance(default, float) or key in ("a_min", "a_max", "alpha", "epsilon") else str(value)


def size_constraints(pattern):
    """The attributes in `has_attr` that are sizes of tensors here: pairs of an operator and its attributes."""
    found = []

    def visit(node, attrs):
        if isinstance(node, AttrPattern):
            visit(node.pattern, {**attrs, **node.attrs})
        elif isinstance(node, TypePattern):
            visit(node.pattern, attrs)
        elif isinstance(node, CallPattern):
            sizes = {key: value for key, value in {**node.attrs, **attrs}.items() if key in ("kernel_size", "channels", "out_dtype", "units")}
            if sizes and node.op.name.startswith("nn."):
                found.append((node.op.info.graph, sizes))
            for arg in node.args:
                visit(arg, {})
        elif isinstance(node, TuplePattern):
            for field in node.fields or []:
                visit(field, {})

    visit(pattern, {})
    return found


def _matches(pattern, expr, bound):
    """Whether an expression of Relay matches a pattern without alternatives."""
    import numpy as np

    from uma.tvm.relay import expr as r

    if id(pattern) in bound:
        return bound[id(pattern)] is expr
    if isinstance(pattern, AttrPattern):
        if not _matches(pattern.pattern, expr, bound) or not isinstance(expr, r.Call):
            return False
        return all(key in expr.attrs and _same(expr.attrs[key], value) for key, value in pattern.attrs.items())
    if isinstance(pattern, TypePattern):
        kind = expr._type
        return kind is not None and (pattern.shape is None or kind.concrete_shape == tuple(pattern.shape)) and \
            (pattern.dtype is None or kind.dtype == pattern.dtype) and _matches(pattern.pattern, expr, bound)
    if isinstance(pattern, CallPattern):
        if not isinstance(expr, r.Call) or getattr(expr.op, "name", None) != pattern.op.name or len(expr.args) != len(pattern.args):
            return False
        if not all(key in expr.attrs and _same(expr.attrs[key], value) for key, value in pattern.attrs.items()):
            return False
        result = all(_matches(arg, value, bound) for arg, value in zip(pattern.args, expr.args))
    elif isinstance(pattern, TuplePattern):
        result = isinstance(expr, r.Tuple) and (pattern.fields is None or len(pattern.fields) == len(expr.fields) and
                                                all(map(lambda a, b: _matches(a, b, bound), pattern.fields, expr.fields)))
    elif isinstance(pattern, TupleGetItemPattern):
        result = isinstance(expr, r.TupleGetItem) and pattern.index in (None, expr.index) and _matches(pattern.pattern, expr.tuple_value, bound)
    elif isinstance(pattern, ConstantPattern):
        result = isinstance(expr, r.Constant)
    elif isinstance(pattern, VarPattern):
        result = isinstance(expr, r.Var) and pattern.name in ("", expr.name_hint)
    elif isinstance(pattern, NumberPattern):
        result = isinstance(expr, r.Constant) and bool(np.all(np.asarray(expr.data) == pattern.number))
    else:
        result = True
    if result:
        bound[id(pattern)] = expr
    return result


def _same(a, b):
    if isinstance(a, (list, tuple)) or isinstance(b, (list, tuple)):
        return isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)) and [int(x) for x in a] == [int(x) for x in b]
    return a == b
