"""Quantized operators of ONNX and of ONNX Runtime's domain com.microsoft."""

import math

import numpy as np

from .builder import NEW_TYPES, Model, onnx_type
from .registry import operator
from .windows import window

BYTES = ("uint8", "int8")
MICROSOFT = "com.microsoft"


def scale(m: Model, shape=(), low: float = 0.005, high: float = 0.08):
    """Returns constant scales; some are powers of 2, for which many results lie in the middle of two integers."""
    values = m.numbers.uniform(low, high, shape)
    if m.chance(0.3):
        values = 2.0 ** np.round(np.log2(values))
    return m.constant(np.asarray(values, "float32"))


def zero_point(m: Model, type: str, shape=()):
    """Returns constant zero points, also those at the ends of the type."""
    limits = np.iinfo(type)
    values = m.array(shape, type) if m.chance(0.6) else np.full(shape, m.choice([limits.min, limits.max, 0, limits.min // 2 + 1]))
    return m.constant(np.asarray(values, type))


def stored(m: Model, shape, type: str, constant: float = 0.1):
    return m.data([type], (0, 9), tuple(shape), constant=constant)


def axis_parameters(m: Model, x, since: int):
    """Returns the shape of the scales for x, and the attributes."""
    if m.opset < since or not x.rank or m.chance(0.5):
        return (), {}
    axis = m.axis(x.rank)
    if x.rank > 1 and m.chance(0.3):
        axis = 1
        return (x.shape[1],), {}
    return (x.shape[axis],), {"axis": axis}


def blocks(m: Model, x):
    """Returns the shape of the scales of blocks of x, and the attributes."""
    axis = m.integer(0, x.rank - 1)
    sizes = [size for size in (2, 3, 4) if x.shape[axis] % size == 0]
    if not sizes:
        return None
    size = m.choice(sizes)
    shape = tuple(whole // size if at == axis else whole for at, whole in enumerate(x.shape))
    return shape, {"axis": axis, "block_size": size}


@operator("QuantizeLinear", share=4)
def quantize(m: Model) -> None:
    x = m.data(("float32",) if m.opset < 19 or m.chance(0.8) else ("float16",), exact=True)
    kinds = list(BYTES)
    if m.opset >= 21:
        kinds += ["uint16", "int16", "int4", "uint4"]
    if m.opset >= 19:
        kinds += ["float8e4m3fn", "float8e5m2"]
    to = m.choice(kinds)
    shape, attributes = axis_parameters(m, x, 13)
    if m.opset >= 21 and x.rank and m.chance(0.3):
        shape, attributes = blocks(m, x) or (shape, attributes)
    step = m.constant(m.array(shape, x.type, (0.01, 0.2)))
    operands = [x, step]
    if m.opset >= 23 and x.type == "float32" and m.chance(0.2):
        attributes["precision"] = onnx_type("float32")
    if to in NEW_TYPES:
        # No output has such a type: dequantize it again.
        if to.endswith("int4"):
            low = 0 if to == "uint4" else -8
            operands.append(m.constant(m.numbers.integers(low, low + 15, shape, endpoint=True), to) if m.chance(0.7) else None)
        if len(operands) < 3 or operands[2] is None:
            if m.opset < 21:
                return
            operands = operands[:2]
            attributes["output_dtype"] = onnx_type(to)
        if to.startswith("float8"):
            attributes["saturate"] = m.choice([None, 0, 1])
        (y,) = m.add("QuantizeLinear", operands, [(to, x.shape, True)], attributes)
        m.pool.remove(y)
        back = {key: attributes[key] for key in ("axis", "block_size") if key in attributes}
        m.add("DequantizeLinear", [y, *operands[1:]], [(x.type, x.shape, True)], back)
        return
    if to != "uint8" or m.chance(0.7):
        operands.append(zero_point(m, to, shape))
        if m.opset >= 21 and m.chance(0.2):
            attributes["output_dtype"] = onnx_type(to)
    m.add("QuantizeLinear", operands, [(to, x.shape, True)], attributes)


@operator("DequantizeLinear", share=4)
def dequantize(m: Model) -> None:
    kinds = ["uint8", "int8", "int32"] + ["uint16", "int16", "uint4", "int4"] * (m.opset >= 21) + ["int2", "uint2"] * (m.opset >= 25)
    kind = m.choice(kinds)
    to = "float32" if m.opset < 19 or m.chance(0.8) else "float16"
    if kind in NEW_TYPES:
        bits, signed = int(kind[-1]), kind[0] == "i"
        low = -(2 ** (bits - 1)) if signed else 0
        shape = m.shape(1, 3)
        x = m.constant(m.numbers.integers(low, low + 2**bits - 1, shape, endpoint=True), kind)
    else:
        x = m.data([kind], (0, 4), constant=0.3, within=(-70000, 70000) if kind == "int32" else None)
    shape, attributes = axis_parameters(m, x, 13)
    if m.opset >= 21 and x.rank and m.chance(0.3):
        shape, attributes = blocks(m, x) or (shape, attributes)
    operands = [x, m.constant(m.array(shape, to, (0.01, 0.2)))]
    if kind == "int32":
        operands += [m.constant(np.zeros(shape, "int32"))] if m.chance(0.2) else []
    elif kind in NEW_TYPES:
        if m.chance(0.6):
            operands.append(m.constant(m.numbers.integers(low, low + 2**bits - 1, shape, endpoint=True), kind))
    elif m.chance(0.8):
        operands.append(zero_point(m, kind, shape))
    if m.opset >= 23 and m.chance(0.3):
        attributes["output_dtype"] = onnx_type(to)
    m.add("DequantizeLinear", operands, [(to, x.shape, True)], attributes)


@operator("com.microsoft.QuantizeLinear", "com.microsoft.DequantizeLinear")
def microsoft_quantize(m: Model, name: str) -> None:
    kind = m.choice(["uint8", "int8", "uint16", "int16"])
    if name.endswith(".QuantizeLinear"):
        x = m.data(("float32",), exact=True)
        shape, attributes = axis_parameters(m, x, 0)
        m.add("QuantizeLinear", [x, scale(m, shape), zero_point(m, kind, shape)], [(kind, x.shape, True)], attributes, MICROSOFT)
    else:
        x = m.data([kind])
        shape, attributes = axis_parameters(m, x, 0)
        m.add("DequantizeLinear", [x, scale(m, shape), zero_point(m, kind, shape)], [("float32", x.shape, True)], attributes, MICROSOFT)


@operator("DynamicQuantizeLinear")
def dynamic_quantize(m: Model) -> None:
    x = m.data(("float32",), exact=True)
    m.add("DynamicQuantizeLinear", [x], [("uint8", x.shape, True), ("float32", (), True), ("uint8", (), True)])


# Products and convolutions -----------------------------------------------


@operator("ConvInteger", "QLinearConv", share=5)
def conv(m: Model, name: str) -> None:
    rank = m.choice([1, 2, 2, 2])
    sides = [m.integer(2, 9) for _ in range(rank)]
    channels = m.choice([1, 2, 3, 4, 8])
    found = window(m, sides)
    if not found:
        return
    kernel, attributes, shape = found
    groups = m.choice([g for g in range(1, channels + 1) if channels % g == 0]) if m.chance(0.4) else 1
    filters = groups * m.choice([1, 2, 3])
    a, b = m.choice([("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8")])
    x = stored(m, (m.integer(1, 2), channels, *sides), a)
    w = stored(m, (filters, channels // groups, *kernel), b, 0.9)
    attributes.update(group=groups, kernel_shape=kernel if m.chance(0.5) else None)
    result = (x.shape[0], filters, *shape)
    if name == "ConvInteger":
        operands = [x, w]
        if m.chance(0.7):
            operands.append(zero_point(m, a))
            if m.chance(0.6):
                operands.append(zero_point(m, b) if m.chance(0.8) else zero_point(m, b, (filters,)))
        m.add(name, operands, [("int32", result)], attributes)
        return
    per_channel = (filters,) if m.chance(0.4) else ()
    zeros = m.constant(np.zeros(per_channel, b)) if per_channel or m.chance(0.6) else zero_point(m, b)
    size = channels // groups * math.prod(kernel)
    operands = [x, scale(m), zero_point(m, a), w, scale(m, per_channel), zeros, scale(m, (), 0.02, 0.1 * math.sqrt(size)), zero_point(m, a)]
    if m.chance(0.6):
        operands.append(m.constant(m.array((filters,), "int32", (-3000, 3000))))
    m.add(name, operands, [(a, result)], attributes)


def product(m: Model, a_type: str, b_type: str, constant: float = 0.8):
    """Returns the operands of a product, the first one perhaps with a batch, and the shape of the result."""
    depth, columns = m.integer(1, 12), m.integer(1, 8)
    batch = m.shape(0, 2)
    rows = m.integer(1, 5)
    a = stored(m, (*batch, rows, depth), a_type)
    prefix = batch if m.chance(0.2) else ()
    b = stored(m, (*prefix, depth, columns), b_type, constant)
    return a, b, (*batch, rows, columns)


@operator("MatMulInteger", "QLinearMatMul", share=4)
def matmul(m: Model, name: str) -> None:
    a_type, b_type = m.choice([("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8")])
    a, b, shape = product(m, a_type, b_type)
    columns = b.shape[-1]
    if name == "MatMulInteger":
        operands = [a, b]
        if m.chance(0.7):
            operands.append(zero_point(m, a_type))
            if m.chance(0.6):
                operands.append(zero_point(m, b_type, m.choice([(), (columns,)]) if b.rank == 2 else ()))
        m.add(name, operands, [("int32", shape)])
        return
    per_column = (columns,) if m.chance(0.3) and b.rank == 2 else ()
    to = a_type
    operands = [a, scale(m), zero_point(m, a_type), b, scale(m, per_column), zero_point(m, b_type, per_column),
                scale(m, (), 0.02, 0.1 * math.sqrt(a.shape[-1])), zero_point(m, to)]
    m.add(name, operands, [(to, shape)])


@operator("com.microsoft.QGemm", share=2)
def qgemm(m: Model, _=None) -> None:
    rows, depth, columns = m.integer(1, 5), m.integer(1, 12), m.integer(1, 8)
    a_type, b_type = m.choice([("uint8", "uint8"), ("uint8", "int8"), ("int8", "int8")])
    transposed = m.choice([None, 0, 1])
    per_column = (columns,) if m.chance(0.3) else ()
    turned, alpha = m.choice([None, 0, 0, 1]), m.choice([None, 1.0, 1.0, 0.5, 3.0])
    a = stored(m, (depth, rows) if turned else (rows, depth), a_type)
    b = stored(m, (columns, depth) if transposed else (depth, columns), b_type, m.choice([1, 1, 0]))
    bias = m.new((columns,), "int32", (-3000, 3000), constant=0.7) if m.chance(0.6) else None
    operands = [a, scale(m), zero_point(m, a_type), b, scale(m, per_column), zero_point(m, b_type, per_column), bias]
    to = "float32"
    if m.chance(0.7):
        operands += [scale(m, (), 0.02, 0.1 * math.sqrt(depth)), zero_point(m, a_type)]
        to = a_type
    m.add("QGemm", operands, [(to, (rows, columns))], {"transB": transposed, "transA": turned, "alpha": alpha}, MICROSOFT)


@operator("com.microsoft.DynamicQuantizeMatMul", "com.microsoft.MatMulIntegerToFloat", share=2)
def to_float(m: Model, name: str) -> None:
    b_type = m.choice(BYTES)
    a_type = m.choice(BYTES) if b_type == "int8" else "uint8"
    is_dynamic = "Dynamic" in name
    a, b, shape = product(m, "uint8" if is_dynamic else a_type, b_type, 1)
    if is_dynamic:
        a = m.data(("float32",), (0, 9), a.shape, exact=True)
    columns = b.shape[-1]
    per_column = (columns,) if m.chance(0.4) and b.rank == 2 else ()
    zeros = zero_point(m, b_type, per_column) if m.chance(0.6) else None
    bias = m.new((columns,), "float32") if m.chance(0.5) else None
    if is_dynamic:
        operands = [a, b, scale(m, per_column), zeros, bias]
    else:
        operands = [a, b, scale(m), scale(m, per_column), zero_point(m, a_type) if m.chance(0.7) else None, zeros, bias]
    m.add(name.rpartition(".")[2], operands, [("float32", shape)], None, MICROSOFT)


@operator("com.microsoft.MatMulNBits", share=2)
def matmul_nbits(m: Model) -> None:
    bits, size = m.choice([4, 4, 8]), m.choice([16, 32])
    depth, columns = m.choice([8, 16, 20, 32, 40, 64]), m.integer(1, 6)
    count = -(-depth // size)
    a = m.data(("float32",), (0, 9), (*m.shape(0, 2), m.integer(1, 4), depth))
    b = m.constant(m.array((columns, count, size * bits // 8), "uint8"))
    scales = m.constant(m.array((columns, count), "float32", (0.01, 0.1)))
    zeros = m.constant(m.array((columns, -(-count * bits // 8)), "uint8")) if m.chance(0.5) else None
    bias = m.constant(m.array((columns,), "float32")) if m.chance(0.3) else None
    m.add("MatMulNBits", [a, b, scales, zeros, None, bias], [("float32", (*a.shape[:-1], columns))],
          {"K": depth, "N": columns, "bits": bits, "block_size": size, "accuracy_level": m.choice([None, 0, 1])}, MICROSOFT)


# Elementwise operators and pools -----------------------------------------


@operator("com.microsoft.QLinearAdd", "com.microsoft.QLinearMul", share=2)
def binary(m: Model, name: str) -> None:
    type = m.choice(BYTES)
    x = m.data([type], (1, 4))
    shape = m.broadcastable(x.shape)
    operands = []
    for operand in (x, stored(m, shape, type, 0.4)):
        operands += [operand, scale(m), zero_point(m, type) if m.chance(0.85) else None]
    operands += [scale(m, (), 0.02, 0.1), zero_point(m, type)]
    m.add(name.rpartition(".")[2], operands, [(type, np.broadcast_shapes(x.shape, shape))], None, MICROSOFT)


@operator("com.microsoft.QLinearLeakyRelu", "com.microsoft.QLinearSigmoid", "com.microsoft.QLinearSoftmax")
def function(m: Model, name: str) -> None:
    type = m.choice(BYTES)
    x = m.data([type], (1, 4))
    attributes = {}
    if name.endswith("LeakyRelu"):
        attributes["alpha"] = m.choice([None, 0.1, 0.3])
    is_softmax = name.endswith("Softmax")
    if is_softmax:
        attributes["opset"] = m.choice([11, 13])
        attributes["axis"] = m.choice([None, m.axis(x.rank)]) if x.rank > 1 else 0
    low, high = (0.004, 0.004) if is_softmax or name.endswith("Sigmoid") else (0.02, 0.1)
    operands = [x, scale(m, (), 0.02, 0.1), zero_point(m, type), scale(m, (), low, high + 1e-3),
                m.constant(np.asarray(np.iinfo(type).min, type)) if is_softmax else zero_point(m, type)]
    m.add(name.rpartition(".")[2], operands, [(type, x.shape)], attributes, MICROSOFT)


@operator("com.microsoft.QLinearWhere")
def where(m: Model) -> None:
    type = m.choice(BYTES)
    x = m.data([type], (1, 4))
    condition = m.broadcastable(x.shape)
    operands = [m.other(condition, "bool"), x, scale(m), zero_point(m, type), stored(m, x.shape, type), scale(m), zero_point(m, type),
                scale(m, (), 0.02, 0.1), zero_point(m, type)]
    m.add("QLinearWhere", operands, [(type, np.broadcast_shapes(condition, x.shape))], None, MICROSOFT)


@operator("com.microsoft.QLinearConcat")
def concat(m: Model) -> None:
    type = m.choice(BYTES)
    x = m.data([type], (1, 4))
    axis = m.integer(0, x.rank - 1)
    operands, total = [scale(m), zero_point(m, type)], 0
    for at in range(m.integer(1, 3)):
        shape = list(x.shape)
        if at:
            shape[axis] = m.size()
        total += shape[axis]
        operands += [x if not at else stored(m, shape, type), scale(m), zero_point(m, type)]
    shape[axis] = total
    m.add("QLinearConcat", operands, [(type, shape)], {"axis": axis}, MICROSOFT)


@operator("com.microsoft.QLinearAveragePool", "com.microsoft.QLinearGlobalAveragePool", share=2)
def pool(m: Model, name: str) -> None:
    type = m.choice(BYTES)
    rank = m.choice([1, 2, 2])
    is_global = "Global" in name
    sides = [m.integer(1, 8) for _ in range(rank if not is_global else 2)]
    x = stored(m, (m.integer(1, 2), m.integer(1, 5), *sides), type)
    operands = [x, scale(m), zero_point(m, type), scale(m), zero_point(m, type)]
    if is_global:
        last = m.choice([None, 0, 1])
        shape = (x.shape[0], 1, 1, x.shape[3]) if last else (*x.shape[:2], 1, 1)
        m.add("QLinearGlobalAveragePool", operands, [(type, shape)], {"channels_last": last}, MICROSOFT)
        return
    found = window(m, sides, dilates=False, pools=True, ceil=True)
    if found:
        kernel, attributes, shape = found
        attributes.update(kernel_shape=kernel, count_include_pad=m.choice([None, 0, 1]), channels_last=m.choice([None, 0]))
        attributes.pop("dilations")
        m.add("QLinearAveragePool", operands, [(type, shape and (*x.shape[:2], *shape))], attributes, MICROSOFT)


def quantized_layer(m: Model) -> None:
    """Adds a float layer between QuantizeLinear and DequantizeLinear, as frameworks write quantized networks."""
    type = m.choice(BYTES)
    layer = m.choice(["Conv", "MatMul", "Gemm", "Add", "Mul", "AveragePool", "MaxPool", "Relu", "Sigmoid", "Softmax", "Concat", "Clip",
                      "LeakyRelu", "Reshape", "GlobalAveragePool"])
    shape = (1, m.choice([1, 2, 4, 8]), m.integer(3, 7), m.integer(3, 7)) if layer != "Gemm" else (m.integer(1, 4), m.integer(2, 9))

    def wrap(x, **parameters):
        step, zero = scale(m, **parameters), zero_point(m, type)
        (y,) = m.add("QuantizeLinear", [x, step, zero], [(type, x.shape, True)])
        return m.add("DequantizeLinear", [y, step, zero], [("float32", x.shape, True)])[0]

    def weight(sizes):
        step = scale(m)
        return m.add("DequantizeLinear", [m.constant(m.array(sizes, "int8")), step, m.constant(np.asarray(0, "int8"))],
                     [("float32", sizes, True)])[0]

    x = wrap(m.input(m.array(shape, "float32")))
    attributes, operands, result = {}, [x], shape
    if layer == "Conv":
        filters = m.choice([1, 2, 4])
        operands.append(weight((filters, shape[1], 3, 3)))
        result = (1, filters, shape[2] - 2, shape[3] - 2)
    elif layer in ("MatMul", "Gemm"):
        operands.append(weight((shape[-1], 4)))
        result = (*shape[:-1], 4)
    elif layer in ("Add", "Mul", "Concat"):
        operands.append(wrap(m.input(m.array(shape, "float32"))))
        if layer == "Concat":
            attributes, result = {"axis": 1}, (1, 2 * shape[1], *shape[2:])
    elif layer in ("AveragePool", "MaxPool"):
        attributes, result = {"kernel_shape": [2, 2]}, (*shape[:2], shape[2] - 1, shape[3] - 1)
    elif layer == "GlobalAveragePool":
        result = (*shape[:2], 1, 1)
    elif layer == "Clip":
        operands += [m.constant(np.float32(0)), m.constant(np.float32(6))]
    elif layer == "Reshape":
        operands.append(m.ints([1, -1]))
        result = (1, math.prod(shape))
    (y,) = m.add(layer, operands, [("float32", result, True)], attributes)
    wrap(y, low=0.02, high=0.3)
