"""How each operator of uma.graph is put into a random graph: one function for a group of operators that are alike.

A function picks operands, says what is known about the result (see graph.py), and raises NoOperands where the
operator has no place. The types of results are computed here once more: where the verifier sees another one, one of
the two is wrong.
"""

import math

from fuzzing.graph import (COMPUTED, EPSILON, FLOATS, INTEGERS, LARGEST, SIGNED, TYPES, WHOLE, Graph, NoOperands,
                           Value, integer_range, width)

GENERATORS: dict = {}


def generates(weight: float = 1):
    def add(function):
        GENERATORS[function] = weight
        return function

    return add


# What operands have to be -------------------------------------------------------------------------------------------


def any_value(value: Value) -> bool:
    return True


def exact(value: Value) -> bool:
    return value.exact


def finite(value: Value) -> bool:
    return not value.special


def steady(value: Value) -> bool:
    """Finite, and close enough for an operator that makes errors larger."""
    return not value.special and (value.exact or value.rel < 4 * COMPUTED[value.type])


def small(bound: float):
    return lambda value: steady(value) and value.bound <= bound


# Results ------------------------------------------------------------------------------------------------------------


def like(value: Value, shape=None, **changes) -> Value:
    """A value with the elements of `value`, or some of them."""
    fields = dict(lo=value.lo, hi=value.hi, rel=value.rel, whole=value.whole, special=value.special)
    fields.update(changes)
    type = fields.pop("type", value.type)
    return Value(value.shape if shape is None else tuple(shape), type, **fields)


def merge(values: list[Value], shape, **changes) -> Value:
    """A value with elements of all of `values`."""
    fields = dict(lo=min(v.lo for v in values), hi=max(v.hi for v in values), rel=max(v.rel for v in values),
                  whole=all(v.whole for v in values), special=any(v.special for v in values))
    fields.update(changes)
    return Value(tuple(shape), values[0].type, **fields)


def computed(shape, type: str, bound: float, operands: list[Value], gain: float = 1, terms: int = 1,
             whole: bool = False, lo: float | None = None) -> Value:
    """A float that is computed from `operands`: by `terms` roundings, `gain` times as far apart as they are."""
    if whole and bound <= WHOLE[type] and all(v.whole and v.exact for v in operands):
        return Value(tuple(shape), type, -bound if lo is None else lo, bound, whole=True)
    rel = gain * (sum(v.rel for v in operands) + (terms + 2) * COMPUTED[type]) + EPSILON[type]
    return Value(tuple(shape), type, -bound if lo is None else lo, bound, rel=rel)


def integer(shape, type: str) -> Value:
    return Value(tuple(shape), type, *integer_range(type), whole=True)


def broadcast(*shapes) -> tuple[int, ...]:
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    result = []
    for sizes in zip(*padded):
        larger = [size for size in sizes if size != 1]
        result.append(larger[0] if larger else 1)
    return tuple(result)


def pair(g: Graph, accepts, types: list[str]) -> tuple[Value, Value]:
    """Two values that broadcast with each other."""
    lhs = g.pick(accepts, types)
    known = [v for v in g.pool if v is not lhs and v.type == lhs.type and accepts(v) and v.size <= 800
             and (g.has_empty or v.size) and fits(v.shape, lhs.shape)]
    if known and g.chance(0.6):
        rhs = g.random.choice(known)
    else:
        rhs = g.pick(accepts, [lhs.type], shape=g.broadcastable(lhs.shape))
    if math.prod(broadcast(lhs.shape, rhs.shape)) > 2000:
        raise NoOperands
    return (lhs, rhs) if g.chance(0.5) else (rhs, lhs)


def fits(a, b) -> bool:
    return all(x == y or x == 1 or y == 1 for x, y in zip(a[::-1], b[::-1]))


# Elementwise --------------------------------------------------------------------------------------------------------


@generates(4)
def arithmetic(g: Graph):
    op = g.random.choice(["add", "subtract", "multiply"])
    lhs, rhs = pair(g, finite, TYPES)
    shape = broadcast(lhs.shape, rhs.shape)
    if not lhs.is_float:
        g.emit(op + " {0}, {1}", [lhs, rhs], integer(shape, lhs.type))
        return
    if op == "subtract" and not (steady(lhs) and steady(rhs)):
        raise NoOperands  # what is left may be nothing but errors
    bound = lhs.bound * rhs.bound if op == "multiply" else lhs.bound + rhs.bound
    g.emit(op + " {0}, {1}", [lhs, rhs], computed(shape, lhs.type, bound, [lhs, rhs], 2, whole=True))


@generates()
def divide(g: Graph):
    type = g.random.choice(TYPES[:-1])
    lhs = g.pick(lambda v: steady(v) and v.size, [type])
    shape = g.broadcastable(lhs.shape)
    if type in FLOATS:
        rhs = g.constant(shape, type, 0.5, 4)
        g.emit("divide {0}, {1}", [lhs, rhs],
               computed(broadcast(lhs.shape, shape), type, lhs.bound / 0.5, [lhs, rhs], 8))
        return
    lo, hi = integer_range(type)
    rhs = g.constant(shape, type, 1, min(hi, 50)) if g.chance(0.6) or type[0] == "u" else g.constant(
        shape, type, max(lo, -50), -1)
    op = g.random.choice(["divide", "mod", "floor_mod"])
    g.emit(op + " {0}, {1}", [lhs, rhs], integer(broadcast(lhs.shape, shape), type))


@generates(0.7)
def float_mod(g: Graph):
    op = g.random.choice(["mod", "floor_mod"])
    lhs, rhs = pair(g, lambda v: v.exact and v.bound < 1e6, FLOATS)
    result = computed(broadcast(lhs.shape, rhs.shape), lhs.type, rhs.bound, [])
    result.special = True  # the remainder of a division by 0
    g.emit(op + " {0}, {1}", [lhs, rhs], result)


@generates(0.7)
def power(g: Graph):
    type = g.random.choice(TYPES[:-1])
    lhs = g.pick(lambda v: steady(v) and (not v.is_float or v.exact and v.bound <= 16), [type])
    shape = g.broadcastable(lhs.shape)
    if type in FLOATS:
        rhs = g.constant(shape, type, -2, 3, whole=g.chance(0.5))
        result = computed(broadcast(lhs.shape, shape), type, 16**3, [], 8)
        result.special = True  # roots of negative numbers, inverses of 0
    else:
        rhs = g.constant(shape, type, 0 if type[0] == "u" else -2, 5)
        result = integer(broadcast(lhs.shape, shape), type)
    g.emit("power {0}, {1}", [lhs, rhs], result)


@generates(1.5)
def extremum(g: Graph):
    lhs, rhs = pair(g, any_value, TYPES)
    g.emit(g.random.choice(["maximum", "minimum"]) + " {0}, {1}", [lhs, rhs],
           merge([lhs, rhs], broadcast(lhs.shape, rhs.shape)))


@generates()
def sign_like(g: Graph):
    op = g.random.choice(["abs", "negative", "sign"])
    data = g.pick(exact if op == "sign" else any_value, TYPES[:-1])
    if not data.is_float:
        result = integer(data.shape, data.type)
    elif op == "sign":
        result = like(data, lo=-1, hi=1, whole=True)
    elif op == "abs":
        result = like(data, lo=max(data.lo, -data.hi, 0), hi=data.bound)
    else:
        result = like(data, lo=-data.hi, hi=-data.lo)
    g.emit(op + " {0}", [data], result)


@generates()
def rounding(g: Graph):
    data = g.pick(lambda v: v.exact and v.bound < WHOLE[v.type], FLOATS)
    g.emit(g.random.choice(["ceil", "floor", "round"]) + " {0}", [data],
           like(data, lo=math.floor(data.lo), hi=math.ceil(data.hi), whole=True))


# name: largest operand, largest result, how much further apart it makes values
SMOOTH = {"exp": (4, 55, 5), "erf": (8, 1, 2), "tanh": (8, 1, 2), "atan": (100, 1.6, 2), "sinh": (4, 28, 5),
          "cosh": (4, 28, 5), "asinh": (100, 6, 2), "sin": (8, 1, 12), "cos": (8, 1, 12), "sigmoid": (20, 1, 8),
          "softplus": (20, 21, 8), "hard_swish": (100, 100, 4), "silu": (20, 20, 8),
          "gelu": (20, 20, 8), "gelu {0} approximate": (20, 20, 8),
          "tan": (1.2, 2.6, 10)}
# These have poles and edges, and take only what is the same in both.
EDGED = {"log": 800, "sqrt": 1e10, "asin": 1.6, "acos": 3.2, "acosh": 20, "atanh": 40}


@generates(3)
def function(g: Graph):
    if g.chance(0.3):
        op = g.random.choice(sorted(EDGED))
        data = g.pick(lambda v: v.exact and v.bound < 1e6, FLOATS)
        result = computed(data.shape, data.type, EDGED[op], [], 8)
        result.special = True
    else:
        op = g.random.choice(sorted(SMOOTH))
        largest, bound, gain = SMOOTH[op]
        data = g.pick(small(largest), FLOATS)
        lowest = {"exp": 0, "cosh": 1, "sigmoid": 0, "softplus": 0}.get(op)
        result = computed(data.shape, data.type, bound, [data], gain, lo=lowest)
    g.emit(op if "{0}" in op else op + " {0}", [data], result)


@generates()
def activation(g: Graph):
    op = g.random.choice(["relu", "relu", "clip", "leaky_relu", "prelu"])
    if op == "relu":
        data = g.pick(any_value, TYPES)
        g.emit("relu {0}", [data], like(data, lo=max(0, data.lo), hi=max(0, data.hi)))
    elif op == "clip":
        data = g.pick(any_value, TYPES[:-1])
        low, high = sorted(g.random.randint(0 if data.type[0] == "u" else -3, 9) for _ in range(2))
        texts = [f"{low}.0", f"{high}.0"]
        if g.chance(0.3):
            high, texts[1] = data.hi, "0x7FF0000000000000"
        lo, hi = (min(max(x, low), max(low, high)) for x in (data.lo, data.hi))
        g.emit("clip {0} min %s max %s" % tuple(texts), [data], like(data, lo=min(lo, low), hi=max(hi, low)))
    elif op == "leaky_relu":
        data = g.pick(finite, FLOATS)
        g.emit("leaky_relu {0} alpha 0.25", [data], computed(data.shape, data.type, data.bound, [data], 2))
    else:
        data = g.pick(finite, FLOATS + INTEGERS)
        slope = g.pick(lambda v: v.exact and finite(v), [data.type], shape=g.broadcastable(data.shape))
        result = integer(data.shape, data.type)
        if data.is_float:
            result = computed(data.shape, data.type, data.bound * max(1, slope.bound), [data, slope], 2, whole=True)
        g.emit("prelu {0}, {1}", [data, slope], result)


@generates(2)
def comparison(g: Graph):
    op = g.random.choice(["equal", "not_equal", "greater", "greater_equal", "less", "less_equal"])
    lhs, rhs = pair(g, exact, TYPES)
    g.emit(op + " {0}, {1}", [lhs, rhs], integer(broadcast(lhs.shape, rhs.shape), "i1"))


@generates(0.5)
def float_class(g: Graph):
    data = g.pick(any_value, FLOATS)
    g.emit(g.random.choice(["isnan", "isinf"]) + " {0}", [data], integer(data.shape, "i1"))


@generates()
def logic(g: Graph):
    if g.chance(0.2):
        data = g.pick(any_value, ["i1"])
        g.emit("logical_not {0}", [data], integer(data.shape, "i1"))
        return
    lhs, rhs = pair(g, any_value, ["i1"])
    g.emit(g.random.choice(["logical_and", "logical_or", "logical_xor"]) + " {0}, {1}", [lhs, rhs],
           integer(broadcast(lhs.shape, rhs.shape), "i1"))


@generates()
def bits(g: Graph):
    if g.chance(0.15):
        data = g.pick(any_value, INTEGERS)
        g.emit("bitwise_not {0}", [data], integer(data.shape, data.type))
        return
    lhs, rhs = pair(g, any_value, INTEGERS)
    op = g.random.choice(["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"])
    g.emit(op + " {0}, {1}", [lhs, rhs], integer(broadcast(lhs.shape, rhs.shape), lhs.type))


@generates(1.5)
def where(g: Graph):
    x, y = pair(g, any_value, TYPES)
    shape = broadcast(x.shape, y.shape)
    condition = g.pick(any_value, ["i1"], shape=g.broadcastable(shape))
    g.emit("where {0}, {1}, {2}", [condition, x, y], merge([x, y], shape))


@generates(3)
def cast(g: Graph):
    type = g.random.choice(TYPES)
    if type not in FLOATS:
        data = g.pick(exact)
        result = integer(data.shape, type)
        lo, hi = integer_range(type)
        if lo <= data.lo and data.hi <= hi and not data.special and type != "i1":
            result.lo, result.hi = math.floor(data.lo), math.ceil(data.hi)
    else:
        data = g.pick(any_value)
        result = like(data, type=type)
        result.special |= data.bound > LARGEST[type]
        if not data.exact:
            result.rel += EPSILON[type]
        result.lo, result.hi = max(data.lo * 1.01, -LARGEST[type]), min(data.hi * 1.01, LARGEST[type])
        result.whole = data.whole and data.bound <= WHOLE[type]
        if result.whole:
            result.lo, result.hi = data.lo, data.hi
    g.emit("cast {0} to " + type, [data], result)


# Movement -----------------------------------------------------------------------------------------------------------


@generates()
def reshape(g: Graph):
    data = g.pick(any_value)
    factors, rest = [], data.size
    while rest > 1 and len(factors) < 5:
        divisors = [n for n in range(2, rest + 1) if rest % n == 0]
        factors.append(g.random.choice(divisors))
        rest //= factors[-1]
    factors += [rest] if rest != 1 else []
    while g.chance(0.3) and len(factors) < 5:
        factors.insert(g.random.randint(0, len(factors)), 1)
    shape = factors if data.size else [0]
    written = list(shape)
    if written and data.size and g.chance(0.3):
        written[g.random.randrange(len(written))] = -1
    g.emit("reshape {0} %s" % written, [data], like(data, shape))


@generates(0.5)
def batch_flatten(g: Graph):
    data = g.pick(any_value, rank_at_least=1)
    g.emit("batch_flatten {0}", [data], like(data, (data.shape[0], math.prod(data.shape[1:]))))


@generates(1.5)
def transpose(g: Graph):
    data = g.pick(any_value, rank_at_least=2)
    axes = g.random.sample(range(data.rank), data.rank)
    g.emit("transpose {0} %s" % axes, [data], like(data, [data.shape[axis] for axis in axes]))


@generates()
def concatenate(g: Graph):
    first = g.pick(any_value, rank_at_least=1)
    axis = g.axis(first.rank)
    inputs = [first]
    for _ in range(g.random.randint(0, 3)):
        shape = list(first.shape)
        shape[axis] = g.size()
        inputs.append(g.pick(any_value, [first.type], shape=first.shape if g.chance(0.3) else tuple(shape)))
    shape = list(first.shape)
    shape[axis] = sum(value.shape[axis] for value in inputs)
    operands = ", ".join("{%d}" % i for i in range(len(inputs)))
    g.emit(f"concatenate {operands} axis {axis}", inputs, merge(inputs, shape))


@generates(1.5)
def pad(g: Graph):
    data = g.pick(any_value)
    mode = g.random.choice(["constant", "constant", "edge", "reflect", "wrap"])
    largest = 3 if data.rank <= 3 else 1
    before, after = ([g.random.choice([0, 0, g.random.randint(0, largest)]) for _ in data.shape] for _ in range(2))
    if mode != "constant" and not data.size:
        raise NoOperands
    shape = [size + b + a for size, b, a in zip(data.shape, before, after)]
    value = g.random.choice([0, 0, 1]) if data.type == "i1" or not g.chance(0.5) else g.random.randint(0, 5)
    value = min(value, 1) if data.type == "i1" else value
    result = like(data, shape, lo=min(data.lo, value), hi=max(data.hi, value))
    text = f"pad {{0}} before {before} after {after}"
    text += f" value {value}.0" if mode == "constant" and value else ""
    g.emit(text + (f' mode "{mode}"' if mode != "constant" else ""), [data], result)


@generates(1.5)
def strided_slice(g: Graph):
    data = g.pick(any_value)
    begin, size, strides = [], [], []
    for extent in data.shape:
        stride = g.random.choice([1, 1, 1, 2, 3, -1, -2])
        first = g.random.randrange(extent) if extent else 0
        first = (0 if stride > 0 else max(extent - 1, 0)) if g.chance(0.4) else first
        room = (extent - first + stride - 1) // stride if stride > 0 else first // -stride + 1
        count = min(g.random.randint(1, max(room, 1)), room) if extent else 0
        begin.append(first), size.append(count), strides.append(stride)
    g.emit(f"strided_slice {{0}} {begin} size {size} strides {strides}", [data], like(data, size))


@generates()
def broadcast_to(g: Graph):
    data = g.pick(any_value)
    shape = [g.size() if size == 1 else size for size in data.shape]
    while g.chance(0.3) and len(shape) < 5:
        shape.insert(0, g.size())
    g.emit(f"broadcast_to {{0}} {shape}", [data], like(data, shape))


@generates(0.7)
def trilu(g: Graph):
    data = g.pick(any_value, rank_at_least=2)
    g.emit(f"trilu {{0}} k {g.random.randint(-4, 4)} upper {str(g.chance(0.5)).lower()}", [data],
           like(data, lo=min(0, data.lo), hi=max(0, data.hi)))


@generates(0.7)
def reverse_sequence(g: Graph):
    data = g.pick(any_value, rank_at_least=2)
    sequence, batch = g.random.sample(range(data.rank), 2)
    lengths = g.pick(any_value, SIGNED, shape=(data.shape[batch],))
    g.emit(f"reverse_sequence {{0}}, {{1}} seq_axis {sequence} batch_axis {batch}", [data, lengths], like(data))


# Indices ------------------------------------------------------------------------------------------------------------


def indices(g: Graph, shape, extent: int) -> Value:
    """Often in range, sometimes anything: what is out of range is clamped."""
    type = g.random.choice(["i64", "i64", "i32", "i8", "i16"])
    if g.chance(0.6):
        return g.constant(tuple(shape), type, max(-extent, -100), min(extent - 1, 100))
    return g.pick(any_value, [type], shape=tuple(shape))


@generates()
def take(g: Graph):
    data = g.pick(lambda v: v.size, rank_at_least=1)
    axis = g.random.randrange(data.rank)
    index = indices(g, g.shape(g.random.randint(0, 2)), data.shape[axis])
    g.emit(f"take {{0}}, {{1}} axis {axis - data.rank * g.chance(0.3)}", [data, index],
           like(data, data.shape[:axis] + index.shape + data.shape[axis + 1 :]))


def within(g: Graph, shape, axis: int) -> list[int]:
    return [g.random.randint(1, 4) if dim == axis else g.random.randint(1, size) for dim, size in enumerate(shape)]


@generates()
def gather(g: Graph):
    data = g.pick(lambda v: v.size, rank_at_least=1)
    axis = g.random.randrange(data.rank)
    index = indices(g, within(g, data.shape, axis), data.shape[axis])
    g.emit(f"gather {{0}}, {{1}} axis {axis}", [data, index], like(data, index.shape))


@generates()
def gather_nd(g: Graph):
    data = g.pick(lambda v: v.size, rank_at_least=1)
    batch = g.random.randint(0, data.rank - 1) if g.chance(0.4) else 0
    length = g.random.randint(1, data.rank - batch)
    shape = list(data.shape[:batch]) + [g.random.randint(1, 3) for _ in range(g.random.randint(0, 2))] + [length]
    index = indices(g, shape, min(data.shape[batch : batch + length]))
    g.emit(f"gather_nd {{0}}, {{1}} batch_dims {batch}", [data, index],
           like(data, index.shape[:-1] + data.shape[batch + length :]))


def scattered(g: Graph, data: Value, updates: Value) -> tuple[str, Value]:
    choices = ["none", "min", "max"]
    if not data.is_float or steady(data) and steady(updates):
        choices += ["add", "add"]
    if not data.is_float:
        choices += ["mul"]
    reduction = g.random.choice(choices)
    result = merge([data, updates], data.shape)
    if reduction in ("add", "mul"):
        if not data.is_float:
            result = integer(data.shape, data.type)
        else:
            # Every addition is rounded to the type.
            bound = data.bound + updates.bound * updates.size
            result = computed(data.shape, data.type, bound, [data, updates], 4, whole=True)
            result.rel += 0 if result.exact else updates.size * EPSILON[data.type]
    text = "" if reduction == "none" and g.chance(0.5) else f' reduction "{reduction}"'
    return text, result


@generates()
def scatter_elements(g: Graph):
    data = g.pick(lambda v: v.size, rank_at_least=1)
    axis = g.random.randrange(data.rank)
    index = indices(g, within(g, data.shape, axis), data.shape[axis])
    updates = g.pick(any_value, [data.type], shape=index.shape)
    text, result = scattered(g, data, updates)
    g.emit(f"scatter_elements {{0}}, {{1}}, {{2}} axis {axis}{text}", [data, index, updates], result)


@generates()
def scatter_nd(g: Graph):
    data = g.pick(lambda v: v.size, rank_at_least=1)
    length = g.random.randint(1, data.rank)
    shape = [g.random.randint(1, 3) for _ in range(g.random.randint(0, 2))] + [length]
    index = indices(g, shape, min(data.shape[:length]))
    updates = g.pick(any_value, [data.type], shape=index.shape[:-1] + data.shape[length:])
    text, result = scattered(g, data, updates)
    g.emit(f"scatter_nd {{0}}, {{1}}, {{2}}{text}", [data, index, updates], result)


@generates(0.7)
def one_hot(g: Graph):
    depth = g.random.randint(1, 6)
    index = indices(g, g.shape(g.random.randint(0, 3)), depth)
    on = g.pick(any_value, shape=())
    off = g.pick(any_value, [on.type], shape=())
    axis = g.random.randint(0, index.rank)
    shape = list(index.shape)
    shape.insert(axis, depth)
    g.emit(f"one_hot {{0}}, {{1}}, {{2}} depth {depth} axis {axis - (index.rank + 1) * g.chance(0.5)}",
           [index, on, off], merge([on, off], shape))


# Reductions ---------------------------------------------------------------------------------------------------------


@generates(2.5)
def reduction(g: Graph):
    op = g.random.choice(["sum", "mean", "prod", "max", "min"])
    extreme = op in ("max", "min")
    data = g.pick(any_value if extreme else steady, TYPES if extreme else TYPES[:-1])
    axes = g.random.sample(range(data.rank), g.random.randint(0, data.rank))
    reduced = set(axes) if axes else set(range(data.rank))
    keep = g.chance(0.4)
    shape = [1 if dim in reduced else size for dim, size in enumerate(data.shape) if keep or dim not in reduced]
    count = math.prod(data.shape[dim] for dim in reduced)
    if extreme:
        result = like(data, shape, special=data.special or count == 0)
        if count == 0 and not data.is_float:
            result = integer(shape, data.type)
    elif not data.is_float:
        result = integer(shape, data.type)
    elif op == "sum":
        result = computed(shape, data.type, data.bound * max(count, 1), [data], 8, count, whole=True)
    elif op == "mean":
        result = computed(shape, data.type, data.bound, [data], 8, count)
        result.special = count == 0
    else:
        if max(data.bound, 1) ** count > min(LARGEST[data.type], 1e20):
            raise NoOperands
        result = computed(shape, data.type, max(data.bound, 1) ** count, [data], max(count, 1), count, whole=True)
        # A product of fractions leaves the range of f16.
        if data.type == "f16" and not result.whole:
            raise NoOperands
    attributes = ""
    if axes:
        written = [axis - data.rank * g.chance(0.3) for axis in axes]
        attributes += f" axis {written}"
    g.emit(f"{op} {{0}}{attributes}{' keepdims true' if keep else ''}", [data], result)


@generates()
def arg_reduction(g: Graph):
    data = g.pick(lambda v: v.exact and v.size, rank_at_least=1)
    axis = g.axis(data.rank)
    keep = g.chance(0.4)
    shape = list(data.shape)
    extent = shape[axis]
    shape[axis : axis + 1 or None] = [1] if keep else []
    text = g.random.choice(["argmax", "argmin"]) + f" {{0}} axis {axis}" + (" keepdims true" if keep else "")
    result = Value(tuple(shape), "i64", 0, extent - 1, whole=True)
    g.emit(text + (" select_last_index true" if g.chance(0.4) else ""), [data], result)


@generates()
def topk(g: Graph):
    data = g.pick(lambda v: v.exact and v.size, rank_at_least=1)
    axis = g.axis(data.rank)
    shape = list(data.shape)
    extent = shape[axis]
    shape[axis] = g.random.randint(1, extent)
    text = f"topk {{0}} k {shape[axis]} axis {axis}" + (" is_ascend true" if g.chance(0.5) else "")
    g.emit(text, [data], Value(tuple(shape), "i64", 0, extent - 1, whole=True))


@generates()
def cumsum(g: Graph):
    data = g.pick(steady, TYPES[:-1], rank_at_least=1)
    axis = g.axis(data.rank)
    text = f"cumsum {{0}} axis {axis}" + (" exclusive true" if g.chance(0.4) else "")
    text += " reverse true" if g.chance(0.4) else ""
    count = max(data.shape[axis], 1)
    result = integer(data.shape, data.type)
    if data.is_float:
        result = computed(data.shape, data.type, data.bound * count, [data], 4, count, whole=True)
        result.rel += 0 if result.exact else count * EPSILON[data.type]
    g.emit(text, [data], result)


# Matrices -----------------------------------------------------------------------------------------------------------


def out_type(g: Graph, a: str, b: str) -> str:
    """A type for products of integers."""
    needed = max(width(a), width(b), min(width(a) + width(b), 32))
    return g.random.choice([type for type in INTEGERS if width(type) >= needed])


def product(g: Graph, a: Value, b: Value, shape, terms: int) -> tuple[str, Value]:
    if a.is_float:
        return "", computed(shape, a.type, a.bound * b.bound * max(terms, 1), [a, b], 4, terms, whole=True)
    type = out_type(g, a.type, b.type)
    return f" out_dtype {type}", integer(shape, type)


def partner_types(g: Graph, type: str) -> list[str]:
    return [type] if type in FLOATS else [type, "i8", "ui8"]


@generates()
def dense(g: Graph):
    data = g.pick(steady, FLOATS + ["i8", "ui8", "i16", "i32"], rank_at_least=1)
    units = g.size()
    weight = g.pick(steady, partner_types(g, data.type), shape=(units, data.shape[-1]))
    text, result = product(g, data, weight, data.shape[:-1] + (units,), data.shape[-1])
    g.emit("dense {0}, {1}" + text, [data, weight], result)


@generates(1.5)
def batch_matmul(g: Graph):
    lhs = g.pick(steady, FLOATS + ["i8", "ui8", "i16", "i32"], rank_at_least=2)
    transpose_a, transpose_b = g.chance(0.4), g.chance(0.4)
    rows, inner = lhs.shape[-2:] if not transpose_a else lhs.shape[:-3:-1]
    columns = g.size()
    batch = g.broadcastable(lhs.shape[:-2])
    rhs = g.pick(steady, partner_types(g, lhs.type), shape=batch + ((columns, inner) if transpose_b else (inner, columns)))
    text, result = product(g, lhs, rhs, broadcast(lhs.shape[:-2], batch) + (rows, columns), inner)
    options = (" transpose_a true" if transpose_a else "") + (" transpose_b true" if transpose_b else "")
    g.emit("batch_matmul {0}, {1}" + options + text, [lhs, rhs], result)


@generates()
def attention(g: Graph):
    # Scores of up to 4 * 4 * depth: the exponential makes of their rounding what it is relative to 1.
    query = g.pick(lambda v: v.exact and small(4)(v) and v.size, ["f32", "f64"], rank_at_least=2)
    rows, depth = query.shape[-2:]
    keys, columns = max(g.size(), 1), g.size()
    batch = g.broadcastable(query.shape[:-2])
    key = g.pick(lambda v: v.exact and small(4)(v), [query.type], shape=batch + (keys, depth))
    batch = broadcast(query.shape[:-2], batch)
    value = g.pick(lambda v: v.exact and small(8)(v), [query.type], shape=batch + (keys, columns))
    operands, options = [query, key, value], ""
    if g.chance(0.5):
        operands.append(g.pick(lambda v: v.exact and small(8)(v), [query.type], shape=(rows, keys)))
        options += " mask {3}"
    if g.chance(0.5):
        options += f" scale {g.random.choice([0.125, 0.5, 0.35355])}"
    g.emit("attention {0}, {1}, {2}" + options, operands,
           computed(batch + (rows, columns), query.type, value.bound, operands, 16 * depth + 16, keys))


EQUATIONS = ["ij,jk->ik", "ij,kj->ik", "bij,bjk->bik", "bij,bkj->bki", "ij->ji", "ii->i", "ii->", "ijk->j", "ij,ij->",
             "i,j->ij", "ij,jk,kl->il", "bhqd,bhkd->bhqk", "ijk,ijk->ik", "i,i->", "abc,cb->a", "ij,j->i", "ijj->i"]


@generates()
def einsum(g: Graph):
    equation = g.random.choice(EQUATIONS)
    terms, result_names = equation.split("->")
    type = g.random.choice(TYPES[:-1])
    sizes = {letter: g.random.randint(1, 4) for letter in sorted(set(terms) - {","})}
    operands = []
    for term in terms.split(","):
        # A dimension of size 1 broadcasts against the others of its name.
        shape = tuple(1 if g.chance(0.08) and terms.count(letter) > 1 else sizes[letter] for letter in term)
        operands.append(g.pick(lambda v: steady(v) and (not v.is_float or v.bound <= 64), [type], shape=shape))
    actual: dict[str, int] = {}
    for term, operand in zip(terms.split(","), operands):
        for letter, size in zip(term, operand.shape):
            actual[letter] = max(actual.get(letter, 1), size)
    shape = [actual[letter] for letter in result_names]
    count = math.prod(size for letter, size in actual.items() if letter not in result_names)
    result = integer(shape, type)
    if type in FLOATS:
        bound = math.prod(operand.bound for operand in operands) * count
        result = computed(shape, type, bound, operands, 4, count, whole=True)
    names = ", ".join("{%d}" % i for i in range(len(operands)))
    g.emit(f'einsum "{equation}" {names}', operands, result)


@generates(0.4)
def det(g: Graph):
    size = g.random.randint(1, 5)
    type = g.random.choice(FLOATS[:2])
    batch = g.shape(g.random.randint(0, 2))
    data = g.pick(lambda v: v.exact and small(1)(v), [type], shape=batch + (size, size))
    # Dominated by the diagonal: no pivot is near 0.
    unit = g.constant((size, size), type, values=[8.0 * (i == j) for i in range(size) for j in range(size)])
    matrix = g.emit("add {0}, {1}", [data, unit], computed(data.shape, type, 9, [data, unit]))
    g.emit("det {0}", [matrix], computed(batch, type, 15.0**size, [matrix], 8, 20))


# Networks -----------------------------------------------------------------------------------------------------------


@generates()
def bias_add(g: Graph):
    data = g.pick(finite, FLOATS + INTEGERS, rank_at_least=1)
    axis = g.random.randrange(data.rank)
    bias = g.pick(finite, [data.type], shape=(data.shape[axis],))
    result = integer(data.shape, data.type)
    if data.is_float:
        result = computed(data.shape, data.type, data.bound + bias.bound, [data, bias], 2, whole=True)
    g.emit("bias_add {0}, {1}" + ("" if axis == 1 else f" axis {axis - data.rank * g.chance(0.3)}"), [data, bias], result)


@generates()
def batch_norm(g: Graph):
    data = g.pick(small(100), FLOATS, rank_at_least=1)
    axis = g.random.randrange(data.rank)
    shape = (data.shape[axis],)
    gamma, beta, mean = (g.constant(shape, data.type, -2, 2) for _ in range(3))
    variance = g.constant(shape, data.type, 0.5, 4)
    bound = (data.bound + 2) * 2 / 0.7 + 2
    g.emit("batch_norm {0}, {1}, {2}, {3}, {4}" + ("" if axis == 1 else f" axis {axis}"),
           [data, gamma, beta, mean, variance], computed(data.shape, data.type, bound, [data], 16))


@generates()
def softmax(g: Graph):
    op = g.random.choice(["softmax", "log_softmax"])
    data = g.pick(small(8), FLOATS, rank_at_least=1)
    axis = g.axis(data.rank)
    count = data.shape[axis]
    g.emit(f"{op} {{0}}" + ("" if axis == -1 else f" axis {axis}"), [data],
           computed(data.shape, data.type, 1 if op == "softmax" else 16 + math.log(max(count, 1)), [data], 16, count))


@generates(1.5)
def normalization(g: Graph):
    op = g.random.choice(["layer_norm", "rms_norm", "group_norm", "lrn"])
    data = g.pick(lambda v: v.exact and small(16)(v) and v.size, FLOATS, rank_at_least=2)
    axis = g.random.randrange(data.rank)
    count = math.prod(data.shape[axis:])
    if op == "lrn":
        size = g.random.randint(1, 5)
        g.emit(f"lrn {{0}} size {size} alpha 0.5", [data], computed(data.shape, data.type, 16, [data], 8, size))
        return
    bound = 2 * math.sqrt(data.size) + 2
    shape = data.shape[axis:]
    text = f" axis {axis - data.rank * g.chance(0.5)}"
    if op == "group_norm":
        shape = (data.shape[1],)
        text = f" groups {g.random.choice([n for n in range(1, shape[0] + 1) if shape[0] % n == 0])}"
    operands = [data] + [g.constant(shape, data.type) for _ in range(1 if op == "rms_norm" else 2)]
    names = ", ".join("{%d}" % i for i in range(len(operands)))
    epsilon = " epsilon 1.0e-2" if g.chance(0.7) else ""
    result = computed(data.shape, data.type, bound, [data], 32, count)
    g.emit(f"{op} {names}{text}{epsilon}", operands, result)


# Windows ------------------------------------------------------------------------------------------------------------


class Window:
    """A random window over `spatial`; the operator's attributes and the sizes of its result."""

    def __init__(self, g: Graph, spatial, kernel=None, needs_data: bool = False, can_ceil: bool = False,
                 is_plain: bool = False):
        rank = len(spatial)
        self.kernel = kernel or [g.random.randint(1, 3 if g.chance(0.8) else 5) for _ in spatial]
        self.strides = [g.random.choice([1, 1, 2, 3]) for _ in spatial]
        self.dilations = [g.random.choice([1, 1, 1, 2]) for _ in spatial]
        self.ceil = can_ceil and g.chance(0.3)
        if is_plain:
            self.strides = self.dilations = [1] * rank
        self.extent = [(k - 1) * d + 1 for k, d in zip(self.kernel, self.dilations)]
        self.padding = [g.random.choice([0, 0, 1, g.random.randint(0, 2)]) for _ in range(2 * rank)]
        if is_plain:
            self.padding = [e // 2 for e in self.extent] * 2
        self.outputs = []
        for i, size in enumerate(spatial):
            before, after = self.padding[i], self.padding[i + rank]
            if needs_data and (max(before, after) >= self.extent[i] or before and self.dilations[i] > size):
                raise NoOperands
            slack = size + before + after - self.extent[i]
            if size < 1 or slack < 0:
                raise NoOperands
            output = slack // self.strides[i] + 1
            if self.ceil:
                output += slack % self.strides[i] != 0
                output -= (output - 1) * self.strides[i] >= size + before
            self.outputs.append(output)

    def text(self, with_defaults: bool = False) -> str:
        rank = len(self.strides)
        parts = [("strides", self.strides, [1] * rank), ("padding", self.padding, [0] * 2 * rank),
                 ("dilations", self.dilations, [1] * rank)]
        return "".join(f" {name} {value}" for name, value, default in parts if with_defaults or value != default)

    @property
    def taps(self) -> int:
        return math.prod(self.kernel)


LAYOUTS = {2: [("NCHW", "OIHW"), ("NHWC", "HWIO"), ("NHWC", "OHWI"), ("NCHW", "HWIO")],
           3: [("NCDHW", "OIDHW"), ("NDHWC", "DHWIO"), ("NCDHW", "ODHWI")]}


def order(layout: str, sizes: dict[str, list[int]]) -> tuple[int, ...]:
    """`layout` with its letters replaced by sizes; D, H and W stand for the spatial ones."""
    result, spatial = [], iter(sizes["spatial"])
    for letter in layout:
        result.append(next(spatial) if letter in "DHW" else sizes[letter][0])
    return tuple(result)


@generates(4)
def convolution(g: Graph):
    rank = 2 if g.chance(0.8) else 3
    layout, kernel_layout = g.random.choice(LAYOUTS[rank][:1] * 3 + LAYOUTS[rank])
    types = FLOATS if g.chance(0.8) else ["i8", "ui8", "i16"]
    data = g.pick(lambda v: steady(v) and v.size, types, rank=rank + 2)
    channels = data.shape[layout.index("C")]
    spatial = [size for letter, size in zip(layout, data.shape) if letter in "DHW"]
    groups = g.random.choice([n for n in range(1, channels + 1) if channels % n == 0]) if g.chance(0.4) else 1
    outputs = groups * g.random.randint(1, 3)
    # What the accelerator of the tutorial takes: same padding, odd kernels.
    is_plain = rank == 2 and g.chance(0.4)
    window = Window(g, spatial, [g.random.choice([1, 3]) for _ in spatial] if is_plain else None, is_plain=is_plain)
    weight = g.pick(steady, partner_types(g, data.type), shape=order(
        kernel_layout, {"O": [outputs], "I": [channels // groups], "spatial": window.kernel}))
    shape = order(layout, {"N": [data.shape[0]], "C": [outputs], "spatial": window.outputs})
    text, result = product(g, data, weight, shape, window.taps * channels // groups)
    text = (f" groups {groups}" if groups != 1 else "") + (f' layout "{layout}"' if layout[1] != "C" else "") + (
        f' kernel_layout "{kernel_layout}"' if kernel_layout[:2] != "OI" else "") + text
    g.emit(f"conv{rank}d {{0}}, {{1}}{window.text()}{text}", [data, weight], result)


@generates()
def transposed_convolution(g: Graph):
    rank = 2 if g.chance(0.7) else 3
    data = g.pick(lambda v: steady(v) and v.size <= 200 and v.size, FLOATS, rank=rank + 2)
    channels, spatial = data.shape[1], data.shape[2:]
    groups = g.random.choice([n for n in range(1, channels + 1) if channels % n == 0]) if g.chance(0.4) else 1
    outputs = g.random.randint(1, 3)
    kernel = [g.random.randint(1, 3) for _ in spatial]
    strides = [g.random.randint(1, 2) for _ in spatial]
    dilations = [g.random.choice([1, 1, 2]) for _ in spatial]
    padding = [g.random.choice([0, 0, 1]) for _ in range(2 * rank)]
    output_padding = [g.random.choice([0, 0, 1]) for _ in spatial]
    shape = [data.shape[0], outputs * groups]
    for i, size in enumerate(spatial):
        shape.append((size - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 - padding[i] - padding[i + rank]
                     + output_padding[i])
    if min(shape) < 1:
        raise NoOperands
    weight = g.pick(steady, [data.type], shape=(channels, outputs, *kernel))
    text, result = product(g, data, weight, shape, math.prod(kernel) * channels)
    g.emit(f"conv{rank}d_transpose {{0}}, {{1}} strides {strides} padding {padding} output_padding {output_padding} "
           f"dilations {dilations} groups {groups}", [data, weight], result)


@generates(0.5)
def deformable_convolution(g: Graph):
    data = g.pick(lambda v: v.exact and steady(v) and v.size, FLOATS[:2], rank=4)
    n, channels, *spatial = data.shape
    groups = g.random.choice([k for k in range(1, channels + 1) if channels % k == 0])
    offset_groups = g.random.choice([k for k in range(1, channels + 1) if channels % k == 0])
    window = Window(g, spatial)
    weight = g.pick(steady, [data.type], shape=(groups * g.random.randint(1, 2), channels // groups, *window.kernel))
    taps = offset_groups * window.taps
    offset = g.pick(lambda v: v.exact and small(4)(v), [data.type], shape=(n, 2 * taps, *window.outputs))
    operands, mask = [data, offset, weight], ""
    if g.chance(0.5):
        operands.append(g.pick(lambda v: v.exact and small(4)(v), [data.type], shape=(n, taps, *window.outputs)))
        mask = " mask {3}"
    terms = window.taps * channels
    result = computed((n, weight.shape[0], *window.outputs), data.type, data.bound * weight.bound * 4 * terms,
                      [data, weight], 8, terms)
    g.emit(f"deformable_conv2d {{0}}, {{1}}, {{2}}{mask}{window.text()} groups {groups} offset_groups {offset_groups}",
           operands, result)


@generates(0.5)
def col2im(g: Graph):
    spatial = [g.random.randint(1, 5) for _ in range(g.random.randint(1, 3))]
    window = Window(g, spatial)
    n, channels = g.random.randint(1, 2), g.random.randint(1, 2)
    data = g.pick(steady, TYPES[:-1], shape=(n, channels * window.taps, math.prod(window.outputs)))
    shape = (n, channels, *spatial)
    result = integer(shape, data.type)
    if data.is_float:
        result = computed(shape, data.type, data.bound * window.taps, [data], 4, window.taps, whole=True)
    g.emit(f"col2im {{0}} image {spatial} block {window.kernel}{window.text(True)}", [data], result)


@generates(2.5)
def pool(g: Graph):
    rank = 2 if g.chance(0.75) else 3
    is_max = g.chance(0.5)
    layout = g.random.choice(LAYOUTS[rank][:2])[0]
    data = g.pick((lambda v: v.size) if is_max else (lambda v: steady(v) and v.size), TYPES if is_max else FLOATS,
                  rank=rank + 2)
    spatial = [size for letter, size in zip(layout, data.shape) if letter in "DHW"]
    window = Window(g, spatial, needs_data=True, can_ceil=True)
    shape = order(layout, {"N": [data.shape[0]], "C": [data.shape[layout.index("C")]], "spatial": window.outputs})
    text = f"size {window.kernel}{window.text()}{' ceil_mode true' if window.ceil else ''}"
    if is_max:
        result = like(data, shape)
    else:
        text += " count_include_pad true" if g.chance(0.4) else ""
        result = computed(shape, data.type, data.bound, [data], 8, window.taps)
    text += f' layout "{layout}"' if layout[1] != "C" else ""
    g.emit(f"{'max' if is_max else 'avg'}_pool{rank}d {{0}} {text}", [data], result)


@generates()
def any_pool(g: Graph):
    is_max = g.chance(0.5)
    data = g.pick((lambda v: v.exact and v.size) if is_max else (lambda v: steady(v) and v.size),
                  TYPES if is_max else FLOATS, rank_at_least=3)
    if data.rank > 5:
        raise NoOperands
    window = Window(g, data.shape[2:], needs_data=is_max, can_ceil=True)
    shape = data.shape[:2] + tuple(window.outputs)
    text = f"size {window.kernel}{window.text(True)}{' ceil_mode true' if window.ceil else ''}"
    if is_max:
        text += " column_major true" if g.chance(0.4) else ""
        g.emit("max_pool_indices {0} " + text, [data], Value(shape, "i64", 0, data.size, whole=True))
        return
    p = g.random.randint(1, 3)
    if data.bound > 30:
        raise NoOperands
    g.emit(f"lp_pool {{0}} {text} p {p}", [data],
           computed(shape, data.type, data.bound * window.taps, [data], 8, window.taps, lo=0))


@generates()
def global_pool(g: Graph):
    is_max = g.chance(0.5)
    layout = g.random.choice(["NCHW", "NHWC"])
    data = g.pick((lambda v: v.size) if is_max else (lambda v: steady(v) and v.size), TYPES if is_max else FLOATS, rank=4)
    shape = [1 if letter in "HW" else size for letter, size in zip(layout, data.shape)]
    result = like(data, shape) if is_max else computed(
        shape, data.type, data.bound, [data], 8, data.size // math.prod(shape))
    g.emit(f"global_{'max' if is_max else 'avg'}_pool2d {{0}}" + (f' layout "{layout}"' if layout == "NHWC" else ""),
           [data], result)


# Images, signals, recurrent layers ----------------------------------------------------------------------------------


@generates(0.7)
def interpolate(g: Graph):
    data = g.pick(lambda v: steady(v) and v.size, FLOATS, rank_at_least=1)
    axis = g.random.randrange(data.rank)
    elements, terms = g.random.randint(1, 6), g.random.randint(1, 4)
    index = indices(g, (elements, terms), data.shape[axis])
    weights = g.pick(small(4), [g.random.choice([data.type, "f32"])], shape=(elements, terms))
    shape = list(data.shape)
    shape[axis] = elements
    result = computed(shape, data.type, data.bound * weights.bound * terms, [data, weights], 8, terms)
    g.emit(f"interpolate {{0}}, {{1}}, {{2}} axis {axis - data.rank * g.chance(0.3)}", [data, index, weights], result)


@generates(0.7)
def grid_sample(g: Graph):
    data = g.pick(lambda v: steady(v) and v.size, FLOATS[:2], rank=4)
    method = g.random.choice(["bilinear", "bicubic", "nearest"])
    shape = (data.shape[0], g.random.randint(1, 4), g.random.randint(1, 4), 2)
    # Nearest neighbours jump: positions are halves of whole ones only by chance where they are random.
    grid = g.pick(lambda v: v.exact and small(2)(v) and not (method == "nearest" and v.whole), [data.type], shape=shape)
    padding = g.random.choice(["zeros", "border", "reflection"])
    result = computed((data.shape[0], data.shape[1], *shape[1:3]), data.type, data.bound * 3, [data], 32)
    g.emit(f'grid_sample {{0}}, {{1}} method "{method}" padding "{padding}"'
           f'{" align_corners true" if g.chance(0.5) else ""}', [data, grid], result)


@generates(0.5)
def roi_align(g: Graph):
    data = g.pick(lambda v: steady(v) and v.size, FLOATS[:2], rank=4)
    regions = g.random.randint(1, 3)
    corners = [g.random.randint(0, 16) / 4 + (k >= 2) * 2 for _ in range(regions) for k in range(4)]
    rois = g.constant((regions, 4), data.type, values=corners)
    batch = indices(g, (regions,), data.shape[0])
    size = [g.random.randint(1, 3) for _ in range(2)]
    g.emit(f"roi_align {{0}}, {{1}}, {{2}} pooled_size {size} spatial_scale {g.random.choice(['1.0', '0.5', '0.3'])} "
           f'sample_ratio {g.random.randint(1, 3)} mode "{g.random.choice(["avg", "max"])}" '
           f"aligned {str(g.chance(0.5)).lower()}", [data, rois, batch],
           computed((regions, data.shape[1], *size), data.type, data.bound, [data], 32, 36))


@generates(0.5)
def dft(g: Graph):
    type = g.random.choice(FLOATS)
    shape = g.shape(g.random.randint(1, 3)) + (g.random.randint(1, 2),)
    data = g.pick(steady, [type], shape=shape)
    axis = g.random.randrange(len(shape) - 1)
    length = g.random.randint(1, 6)
    twiddle = g.pick(small(2), [type], shape=(length, 2))
    is_onesided = g.chance(0.4)
    result_shape = list(shape[:-1]) + [2]
    result_shape[axis] = length // 2 + 1 if is_onesided else length
    g.emit(f"dft {{0}}, {{1}} axis {axis}{' onesided true' if is_onesided else ''}", [data, twiddle],
           computed(result_shape, type, data.bound * twiddle.bound * 2 * length, [data, twiddle], 8, length))


GATES = {"lstm": 4, "gru": 3, "rnn": 1}
FUNCTIONS = {"lstm": 3, "gru": 2, "rnn": 1}
SQUASHING = ["sigmoid", "tanh", "hard_sigmoid", "softsign"]
UNBOUNDED = ["affine", "elu", "leaky_relu", "relu", "scaled_tanh", "softplus", "thresholded_relu"]


@generates(1.5)
def recurrent(g: Graph):
    op = g.random.choice(["lstm", "gru", "rnn"])
    type = g.random.choice(FLOATS)
    steps, batch, inputs, units = (g.random.randint(1, 4) for _ in range(4))
    direction = g.random.choice(["forward", "reverse", "bidirectional"])
    directions = 2 if direction == "bidirectional" else 1
    rows = GATES[op] * units
    state = (directions, batch, units)
    operands = [g.pick(small(2), [type], shape=(steps, batch, inputs))]
    operands += [g.constant((directions, rows, columns), type, -1, 1) for columns in (inputs, units)]
    text = f"{op} {{0}}, {{1}}, {{2}}"

    def optional(name: str, value: Value) -> None:
        nonlocal text
        text += f" {name} {{{len(operands)}}}"
        operands.append(value)

    if g.chance(0.6):
        optional("bias", g.constant((directions, 2 * rows), type, -1, 1))
    if g.chance(0.3):
        optional("sequence_lens", g.pick(any_value, SIGNED, shape=(batch,)))
    if g.chance(0.4):
        optional("initial_h", g.pick(small(2), [type], shape=state))
    if op == "lstm" and g.chance(0.4):
        optional("initial_c", g.pick(small(2), [type], shape=state))
    if op == "lstm" and g.chance(0.3):
        optional("peephole", g.constant((directions, 3 * units), type, -1, 1))
    if op == "lstm" and g.chance(0.2):
        text += " input_forget true"
    if op == "gru" and g.chance(0.5):
        text += " linear_before_reset true"
    if direction != "forward":
        text += f' direction "{direction}"'
    if g.chance(0.4):
        count = FUNCTIONS[op] * directions
        names = [g.random.choice(SQUASHING if steps > 2 else SQUASHING + UNBOUNDED) for _ in range(count)]
        text += " activations [" + ", ".join(f'"{name}"' for name in names) + "]"
        if g.chance(0.4):
            for attribute in ("alphas", "betas"):
                text += f" {attribute} [" + ", ".join(f"{g.random.choice([0.5, 0.25, 1.0])}" for _ in names) + "]"
    if g.chance(0.2):
        text += " clip 2.5"
    # Every step rounds the states to the type.
    shapes = [(steps, *state), state, state][: 3 if op == "lstm" else 2]
    results = [computed(shape, type, 4.0**steps * 4, operands[:1], 4, 16 * steps) for shape in shapes]
    for result in results:
        result.rel = result.rel + steps * 2 * EPSILON[type] * (1 if type in ("f32", "f64") else 0.25)
    g.emit_all(text, operands, results)


def random_graph(seed: int) -> Graph:
    g = Graph(seed)
    for _ in range(g.random.randint(1, 3)):
        g.leaf(g.shape(), g.random.choice(TYPES + ["f32"] * 4))
    generators, weights = list(GENERATORS), list(GENERATORS.values())
    wanted, tries = g.random.randint(3, 25), 0
    while sum(bool(operation.operands) for operation in g.operations) < wanted and tries < 200:
        tries += 1
        mark = len(g.inputs), len(g.operations), len(g.pool)
        try:
            g.random.choices(generators, weights)[0](g)
        except NoOperands:
            del g.inputs[mark[0] :], g.operations[mark[1] :], g.pool[mark[2] :]
    g.choose_outputs()
    if not g.outputs:
        raise AssertionError(f"seed {seed} gives a graph without operators")
    return g.slice(g.outputs)
