"""Arithmetic, comparisons, activations, casts."""

import numpy as np

from .builder import FLOATS, INTEGERS, NEW_TYPES, NUMBERS, SIGNED, TYPES, UNSIGNED, Model, onnx_type
from .registry import operator

FLOAT8 = [name for name in NEW_TYPES if name.startswith("float8")]
# Integers of few bits, and their ranges.
NARROW = {"int4": (-8, 7), "uint4": (0, 15), "int2": (-2, 1), "uint2": (0, 3)}
# Operator: the range of its operand, if there is one, and that of its result.
FUNCTIONS = {
    "Acos": ((-1, 1), (0, 3.2)), "Acosh": ((1, 9), (0, 3)), "Asin": ((-1, 1), (-1.6, 1.6)), "Asinh": (None, None),
    "Atan": (None, (-1.6, 1.6)), "Atanh": ((-0.99, 0.99), (-2.7, 2.7)), "Cos": ((-9, 9), (-1, 1)), "Cosh": ((-4, 4), (1, 28)),
    "Erf": (None, (-1, 1)), "Exp": ((-6, 4), (0, 55)), "HardSwish": (None, None), "Log": ((0.01, 9), (-4.7, 2.2)), "Mish": (None, None),
    "Sigmoid": (None, (0, 1)), "Sin": ((-9, 9), (-1, 1)), "Sinh": ((-4, 4), (-28, 28)), "Softplus": (None, None),
    "Softsign": (None, (-1, 1)), "Sqrt": ((0, 9), (0, 3)), "Tan": ((-1.4, 1.4), (-6, 6)), "Tanh": (None, (-1, 1)),
}


@operator(*FUNCTIONS)
def function(m: Model, name: str) -> None:
    within, result = FUNCTIONS[name]
    # Outside of the range: NaN, infinities, large values.
    within = within if m.chance(0.8) else None
    x = m.data(FLOATS, within=within, special=within is None)
    (y,) = m.add(name, [x], [(x.type, x.shape)])
    y.special |= within is None
    y.range = result if within or name in ("Erf", "Sigmoid", "Softsign", "Tanh", "Atan") else None


@operator("Abs", "Neg", "Sign")
def sign(m: Model, name: str) -> None:
    x = m.data(NUMBERS if name != "Neg" else FLOATS + SIGNED, special=True, exact=name == "Sign")
    m.moved(name, [x], x.type, x.shape)


@operator("Ceil", "Floor", "Round")
def rounding(m: Model, name: str) -> None:
    x = m.data(FLOATS, special=True, exact=True)
    m.moved(name, [x], x.type, x.shape)


@operator("Reciprocal")
def reciprocal(m: Model) -> None:
    x = m.data(FLOATS, within=(0.1, 5))
    m.add("Reciprocal", [x], [(x.type, x.shape)])


@operator("IsInf", "IsNaN")
def is_special(m: Model, name: str) -> None:
    x = m.data(("float32", "float64") if name == "IsInf" and m.opset < 20 else FLOATS, special=True, exact=True)
    attributes = {}
    if name == "IsInf":
        attributes = {key: m.choice([None, 0, 1]) for key in ("detect_negative", "detect_positive")}
    m.add(name, [x], [("bool", x.shape)], attributes)


# Activations with attributes: the attribute, and its range.
ACTIVATIONS = {
    "Celu": {"alpha": (0.2, 3)}, "Elu": {"alpha": (-1, 3)}, "HardSigmoid": {"alpha": (0.05, 0.8), "beta": (-0.5, 1)},
    "LeakyRelu": {"alpha": (-1, 1)}, "Relu": {}, "Selu": {"alpha": (0.2, 2), "gamma": (0.2, 2)},
    "Shrink": {"bias": (-1, 1), "lambd": (0, 1.5)}, "Swish": {"alpha": (-2, 2)}, "ThresholdedRelu": {"alpha": (0, 2)},
}


@operator(*ACTIVATIONS)
def activation(m: Model, name: str) -> None:
    types = {"Relu": FLOATS + SIGNED, "Shrink": NUMBERS, "Celu": ("float32",)}.get(name, FLOATS)
    x = m.data(types, special=True, exact=name in ("Shrink", "ThresholdedRelu"))
    attributes = {key: m.random.uniform(*limits) if m.chance(0.6) else None for key, limits in ACTIVATIONS[name].items()}
    if name == "Shrink" and not x.is_float:
        attributes = {key: value and round(value) for key, value in attributes.items()}
        if x.type in UNSIGNED:
            attributes["bias"] = abs(attributes["bias"] or 0)
        attributes = {key: value if value is None else float(value) for key, value in attributes.items()}
    if name == "Relu":
        m.moved(name, [x], x.type, x.shape)
    else:
        m.add(name, [x], [(x.type, x.shape)], attributes)


@operator("Gelu")
def gelu(m: Model) -> None:
    x = m.data(FLOATS)
    m.add("Gelu", [x], [(x.type, x.shape)], {"approximate": m.choice([None, "none", "tanh"])})


@operator("PRelu")
def prelu(m: Model) -> None:
    x = m.data(FLOATS + ("int32", "int64", "uint32", "uint64"), (1, 4))
    if m.opset < 7:
        shape = m.choice([(1,), x.shape[1:2] or (1,)])
    else:
        shape = tuple(1 if m.chance(0.4) else size for size in x.shape)[m.integer(0, x.rank) :]
    m.add("PRelu", [x, m.other(shape, x.type)], [(x.type, x.shape)])


# Binary operators --------------------------------------------------------


def aligned(m: Model, shape) -> "tuple[tuple[int, ...], dict]":
    """Returns the shape of the second operand of a binary operator before opset 7, and the attributes."""
    if m.chance(0.3) or not shape:
        return tuple(shape), {"broadcast": m.choice([None, 0, 1])}
    begin = m.integer(0, len(shape))
    end = m.integer(begin, len(shape))
    if end == len(shape) and m.chance(0.5):
        return tuple(shape[begin:]), {"broadcast": 1}
    return tuple(shape[begin:end]), {"broadcast": 1, "axis": begin}


def binary(m: Model, name: str, types, result=None, within=None, exact=False, safe=None, special=False):
    """Adds a binary operator. `safe` is the range of the second operand."""
    x = m.data(types, within=within, exact=exact, special=special)
    attributes = {}
    if m.opset < 7 and name in "Add And Div Equal Greater Less Mul Or Pow Sub Xor".split():
        shape, attributes = aligned(m, x.shape)
    else:
        shape = m.broadcastable(x.shape)
    if safe:
        y = m.new(shape, x.type, within=safe)
    elif exact:
        y = m.data([x.type], (0, 9), shape, exact=True, special=special, constant=0.3)
    else:
        y = m.other(shape, x.type, special=special)
    operands = [x, y]
    if m.opset >= 7 and m.chance(0.3) and not safe:
        operands.reverse()
    full = x.shape if m.opset < 7 else np.broadcast_shapes(x.shape, shape)
    return m.add(name, operands, [(result or x.type, full)], attributes)[0]


@operator("Add", "Mul", "Sub")
def arithmetic(m: Model, name: str) -> None:
    binary(m, name, NUMBERS if m.opset >= 14 else FLOATS + ("int32", "int64", "uint32", "uint64"), special=m.chance(0.3))


@operator("Div")
def divide(m: Model) -> None:
    # Division of integers by 0 ends ONNX Runtime.
    binary(m, "Div", NUMBERS if m.opset >= 14 else FLOATS + ("int32", "int64"), safe=(1, 9))


@operator("Mod")
def modulo(m: Model) -> None:
    x = m.data(NUMBERS, exact=True, within=(-50, 50))
    shape = m.broadcastable(x.shape)
    y = m.new(shape, x.type, within=m.choice([(1, 9), (-9, -1)]) if x.type not in UNSIGNED else (1, 9))
    m.add("Mod", [x, y], [(x.type, np.broadcast_shapes(x.shape, shape))], {"fmod": 1 if x.is_float else m.choice([None, 0, 1])})


@operator("Pow")
def power(m: Model) -> None:
    x = m.data(("float32", "float64", "float16", "int32", "int64") if m.opset >= 12 else FLOATS, within=(0.3, 3))
    if m.opset < 7:
        shape, attributes = aligned(m, x.shape)
        m.add("Pow", [x, m.new(shape, x.type, within=(-2, 3))], [(x.type, x.shape)], attributes)
        return
    kind = x.type if m.opset < 12 or m.chance(0.5) else m.type(("float32", "float64", "int32", "int64"))
    shape = m.broadcastable(x.shape) if m.chance(0.6) else ()
    limits = (0, 3) if not x.is_float else (-3, 3)
    y = m.new(shape, kind, within=limits, constant=0.6)
    if m.chance(0.4) and kind in FLOATS:
        y = m.constant(np.full(shape, m.choice([0, 0.5, 1, 2, 3] if not x.is_float else [-1, -0.5, 0, 0.5, 1, 2, 3]), kind))
    m.add("Pow", [x, y], [(x.type, np.broadcast_shapes(x.shape, shape))])


@operator("Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual")
def comparison(m: Model, name: str) -> None:
    types = NUMBERS + (("bool",) if name == "Equal" else ())
    if m.opset < 9 and name in ("Greater", "Less"):
        types = FLOATS
    elif m.opset < 11 and name == "Equal":
        types = ("bool", "int32", "int64")
    binary(m, name, types, "bool", exact=True, special=True)


@operator("And", "Or", "Xor")
def logical(m: Model, name: str) -> None:
    binary(m, name, ("bool",))


@operator("Not")
def logical_not(m: Model) -> None:
    x = m.data(("bool",))
    m.add("Not", [x], [("bool", x.shape)])


@operator("BitwiseAnd", "BitwiseOr", "BitwiseXor")
def bitwise(m: Model, name: str) -> None:
    binary(m, name, INTEGERS)


@operator("BitwiseNot")
def bitwise_not(m: Model) -> None:
    x = m.data(INTEGERS)
    m.add("BitwiseNot", [x], [(x.type, x.shape)])


@operator("BitShift")
def shift(m: Model) -> None:
    x = m.data(UNSIGNED)
    shape = m.broadcastable(x.shape)
    y = m.new(shape, x.type, within=(0, np.dtype(x.type).itemsize * 8 - 1))
    m.add("BitShift", [x, y], [(x.type, np.broadcast_shapes(x.shape, shape))], {"direction": m.choice(["LEFT", "RIGHT"])})


@operator("Max", "Mean", "Min", "Sum")
def variadic(m: Model, name: str) -> None:
    types = FLOATS if name in ("Mean", "Sum") or m.opset < 12 else NUMBERS
    x = m.data(types, special=True)
    operands, shape = [x], x.shape
    for _ in range(m.choice([0, 1, 1, 2, 3])):
        size = x.shape if m.opset < 8 else m.broadcastable(shape)
        operands.append(m.other(size, x.type, special=True))
        shape = np.broadcast_shapes(shape, size)
    m.random.shuffle(operands)
    if name in ("Max", "Min"):
        m.moved(name, operands, x.type, shape)
    else:
        m.add(name, operands, [(x.type, shape)])


@operator("Where")
def where(m: Model) -> None:
    x = m.data(TYPES)
    condition, other = m.broadcastable(x.shape), m.broadcastable(x.shape)
    if m.chance(0.5):
        other = x.shape
    try:
        shape = np.broadcast_shapes(x.shape, condition, other)
    except ValueError:
        condition, other, shape = x.shape, x.shape, x.shape
    operands = [x, m.other(other, x.type)]
    if m.chance(0.4):
        operands.reverse()
    m.moved("Where", [m.other(condition, "bool"), *operands], x.type, shape)


@operator("Clip")
def clip(m: Model) -> None:
    x = m.data(NUMBERS if m.opset >= 12 else FLOATS, special=True)
    low, high = (m.integer(-4, 1), m.integer(0, 5)) if x.type not in UNSIGNED else (m.integer(0, 9), m.integer(5, 200))
    low, high = m.choice([None, 0, low]), m.choice([None, 0 if m.chance(0.2) else high, 6])
    if m.opset < 11:
        attributes = {"min": low if low is None else float(low), "max": high if high is None else float(high)}
        m.moved("Clip", [x], x.type, x.shape, attributes)
        return
    limits = [None if value is None else np.asarray(value, x.type) for value in (low, high)]
    operands = [value if value is None else m.constant(value) if m.chance(0.7) else m.input(value) for value in limits]
    m.moved("Clip", [x, *operands], x.type, x.shape)


@operator("Dropout")
def dropout(m: Model) -> None:
    x = m.data(FLOATS)
    operands, attributes = [x], {"seed": m.choice([None, 5]) if m.opset >= 12 else None}
    if m.opset < 12:
        attributes["ratio"] = m.choice([None, 0.25])
    elif m.chance(0.6):
        operands.append(m.constant(np.asarray(m.choice([0.0, 0.3]), "float32")))
        if m.chance(0.5):
            operands.append(m.constant(np.asarray(False)))
    mask = "bool" if m.opset >= 10 else x.type
    m.add("Dropout", operands, [(x.type, x.shape, x.exact)] + ([(mask, x.shape, True)] if m.chance(0.4) and m.opset >= 10 else []),
          attributes)


# Casts -------------------------------------------------------------------


def can_cast(x, to: str) -> bool:
    """Returns whether C and ONNX define the cast of all elements."""
    if to in INTEGERS and x.is_float:
        limits = np.iinfo(to)
        return bool(x.range and x.range[0] > limits.min - 1 and x.range[1] < limits.max + 1)
    # ONNX Runtime keeps the float32 between a cast to float16 and the next node, so that nothing becomes infinite.
    return to != "float16" or x.type in ("bool", "int8", "uint8", "float16") or bool(x.range and max(map(abs, x.range)) < 6e4)


@operator("Cast", share=3)
def cast(m: Model) -> None:
    kind = m.random.random()
    if kind < 0.25 and m.opset >= 13:
        # Through a type that no input or output has.
        names = ["bfloat16"] + FLOAT8 * (m.opset >= 19) + ["int4", "uint4"] * (m.opset >= 21) + ["int2", "uint2"] * (m.opset >= 25)
        to = m.choice(names)
        # Casts of numbers outside of an integer's range are not defined.
        # ONNX Runtime rounds fractions to integers of 4 bits; ONNX's reference truncates them.
        x = m.data(("float32", "float16"), exact=True, special=True) if to not in NARROW else m.new(
            m.shape(0, 4), m.choice(["int32", "uint8"]), within=NARROW[to])
        if to in NARROW and m.chance(0.5):
            type = m.choice(["float32", "float16"])
            (x,) = m.add("Cast", [x], [(type, x.shape, True)], {"to": onnx_type(type)})
        saturate = m.choice([None, 0, 1]) if to.startswith("float8") else None
        (narrow,) = m.add("Cast", [x], [(to, x.shape, x.exact)], {"to": onnx_type(to), "saturate": saturate})
        m.pool.remove(narrow)
        m.add("Cast", [narrow], [(x.type, x.shape, x.exact)], {"to": onnx_type(x.type)})
        return
    x = m.data(TYPES, exact=True, within=(0, 100) if kind < 0.5 else (-100, 100) if kind < 0.6 else None)
    to = m.type([name for name in TYPES if can_cast(x, name)])
    (y,) = m.add("Cast", [x], [(to, x.shape, True)],
                 {"to": onnx_type(to), "saturate": m.choice([None, 0, 1]) if m.opset >= 19 and m.chance(0.2) else None})
    y.range = x.range


@operator("CastLike")
def cast_like(m: Model) -> None:
    x = m.data(TYPES, exact=True, within=m.choice([(0, 100), None]))
    to = m.type([name for name in TYPES if can_cast(x, name)])
    m.add("CastLike", [x, m.new(m.shape(0, 2), to)], [(to, x.shape, True)])


@operator("BitCast")
def bit_cast(m: Model) -> None:
    x = m.data(NUMBERS, exact=True, special=True)
    size = np.dtype(x.type).itemsize
    to = m.choice([name for name in NUMBERS if np.dtype(name).itemsize == size])
    (result,) = m.add("BitCast", [x], [(to, x.shape, True)], {"to": onnx_type(to)})
    result.special = result.is_float
