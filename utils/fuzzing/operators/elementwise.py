"""Elementwise operators."""

import math

from fuzzing.graph import EPSILON, FLOATS, INTEGERS, LARGEST, TYPES, WHOLE, Graph, NoOperands, integer_range
from fuzzing.operators.values import (any_value, broadcast, computed, exact, finite, generates, integer, like, merge,
                                      pair, small, steady)


@generates(4)
def arithmetic(g: Graph):
    op = g.random.choice(["add", "subtract", "multiply"])
    lhs, rhs = pair(g, finite, TYPES)
    shape = broadcast(lhs.shape, rhs.shape)
    if not lhs.is_float:
        g.emit(op + " {0}, {1}", [lhs, rhs], integer(shape, lhs.type))
        return
    if op == "subtract" and not (steady(lhs) and steady(rhs)):
        raise NoOperands  # cancellation may leave only rounding errors
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


# name: largest operand, largest result, amplification of differences
SMOOTH = {"exp": (4, 55, 5), "erf": (8, 1, 2), "tanh": (8, 1, 2), "atan": (100, 1.6, 2), "sinh": (4, 28, 5),
          "cosh": (4, 28, 5), "asinh": (100, 6, 2), "sin": (8, 1, 12), "cos": (8, 1, 12), "sigmoid": (20, 1, 8),
          "softplus": (20, 21, 8), "hard_swish": (100, 100, 4), "silu": (20, 20, 8),
          "gelu": (20, 20, 8), "gelu {0} approximate": (20, 20, 8),
          "tan": (1.2, 2.6, 10)}
# These have poles and edges, and only take bit-identical values.
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
