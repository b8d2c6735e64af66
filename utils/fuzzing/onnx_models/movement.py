"""Operators that move, select, repeat or reshape elements."""

import math

import numpy as np

from .builder import FLOATS, NUMBERS, TYPES, Model, onnx_type
from .registry import operator


def factorize(m: Model, count: int) -> list[int]:
    """Returns random sizes with this product."""
    sizes = []
    while count > 1 and len(sizes) < 4:
        divisors = [divisor for divisor in range(1, count + 1) if count % divisor == 0]
        sizes.append(m.choice(divisors))
        count //= sizes[-1]
    return sizes + [count] * (count > 1 or not sizes or m.chance(0.2))


@operator("Concat")
def concat(m: Model) -> None:
    x = m.data(TYPES, (1, 4))
    axis = m.axis(x.rank) if m.opset >= 11 else m.integer(0, x.rank - 1)
    operands, total = [x], x.shape[axis]
    for _ in range(m.integer(0, 3)):
        shape = list(x.shape)
        shape[axis] = m.size()
        if m.chance(0.1):
            # Without elements.
            shape[axis] = 0
            operands.append(m.constant(np.zeros(shape, x.type)))
        else:
            operands.append(m.other(shape, x.type))
        total += shape[axis]
    m.random.shuffle(operands)
    shape = list(x.shape)
    shape[axis] = total
    is_default = m.opset < 4 and axis == 1 and m.chance(0.5)
    m.moved("Concat", operands, x.type, shape, {"axis": None if is_default else axis})


@operator("Flatten")
def flatten(m: Model) -> None:
    x = m.data(TYPES if m.opset >= 9 else FLOATS, (1, 4))
    axis = m.choice([None, *range(-x.rank if m.opset >= 11 else 0, x.rank + 1)])
    at = 1 if axis is None else axis % x.rank if axis < 0 else axis
    m.moved("Flatten", [x], x.type, (math.prod(x.shape[:at]), math.prod(x.shape[at:])), {"axis": axis})


@operator("Reshape", share=2)
def reshape(m: Model) -> None:
    x = m.data(TYPES if m.opset >= 5 else FLOATS)
    sizes = factorize(m, math.prod(x.shape))
    written = list(sizes)
    if m.chance(0.4):
        written[m.integer(0, len(written) - 1)] = -1
    for at in range(min(x.rank, len(sizes))):
        if written[at] == x.shape[at] and m.chance(0.4):
            written[at] = 0
    if math.prod(x.shape) == 1 and m.chance(0.3):
        sizes, written = [], []
    attributes = {}
    if m.opset >= 14 and 0 not in written:
        attributes["allowzero"] = m.choice([None, 0, 1])
    if m.opset < 5:
        m.moved("Reshape", [x], x.type, sizes, {"shape": written})
    else:
        m.moved("Reshape", [x, m.ints(written)], x.type, sizes, attributes)


@operator("Squeeze", "Unsqueeze")
def squeeze(m: Model, name: str) -> None:
    x = m.data(TYPES)
    if name == "Squeeze":
        ones = [axis for axis, size in enumerate(x.shape) if size == 1]
        chosen = ones if not ones or m.chance(0.3) else m.random.sample(ones, m.integer(1, len(ones)))
        shape = [size for axis, size in enumerate(x.shape) if axis not in chosen]
        if not ones and m.opset >= 13:
            # An empty list of axes squeezes nothing; without one, all dimensions of 1.
            return m.moved(name, [x], x.type, shape) and None
        rank = x.rank
    else:
        count = m.integer(1, 2)
        rank = x.rank + count
        chosen = m.random.sample(range(rank), count)
        sizes = iter(x.shape)
        shape = [1 if axis in chosen else next(sizes) for axis in range(rank)]
    axes = [axis - rank if m.opset >= 11 and m.chance(0.3) else axis for axis in chosen]
    omitted = name == "Squeeze" and (not axes or len(chosen) == len([size for size in x.shape if size == 1]) and m.chance(0.4))
    if m.opset < 13:
        m.moved(name, [x], x.type, shape, {"axes": None if omitted else axes})
    else:
        m.moved(name, [x] if omitted else [x, m.ints(axes)], x.type, shape)


@operator("Identity")
def identity(m: Model) -> None:
    x = m.data(TYPES)
    m.moved("Identity", [x], x.type, x.shape)


@operator("Transpose", share=2)
def transpose(m: Model) -> None:
    x = m.data(TYPES, (0, 5))
    perm = m.random.sample(range(x.rank), x.rank)
    if not perm or m.chance(0.2):
        m.moved("Transpose", [x], x.type, x.shape[::-1])
    else:
        m.moved("Transpose", [x], x.type, [x.shape[axis] for axis in perm], {"perm": perm})


@operator("Pad", share=4)
def pad(m: Model) -> None:
    x = m.data((TYPES if m.opset >= 13 else NUMBERS) if m.opset >= 11 else FLOATS, (1, 4))
    mode = m.choice(["constant", "constant", "edge", "reflect"] + ["wrap"] * (m.opset >= 19))
    axes = m.axes(x.rank) if m.opset >= 18 and m.chance(0.5) else list(range(x.rank))
    pads = [[], []]
    shape = list(x.shape)
    for axis in axes:
        size = x.shape[axis]
        most = size - 1 if mode == "reflect" else size if mode == "wrap" else 4
        for side in pads:
            crop = m.chance(0.15) and mode == "constant" and shape[axis] > 1
            side.append(-1 if crop else m.integer(0, min(most, 4)) if m.chance(0.7) else 0)
            shape[axis] += side[-1]
    pads = pads[0] + pads[1]
    value = m.choice([None, 0, 1, -2.5])
    if mode != "constant":
        value = None
    attributes = {"mode": None if mode == "constant" and m.chance(0.5) else mode}
    if m.opset < 11:
        m.moved("Pad", [x], x.type, shape, {**attributes, "pads": pads, "value": value and float(value)})
        return
    if x.type == "bool" or "uint" in x.type:
        value = value if value is None else abs(int(value))
    fill = None if value is None else m.constant(np.asarray(value).astype(x.type))
    operands = [x, m.ints(pads), fill]
    if m.opset >= 18 and axes != list(range(x.rank)) or m.opset >= 18 and m.chance(0.3):
        kind = m.choice(["int32", "int64"])
        operands.append(m.constant(np.asarray(axes, kind)))
    m.moved("Pad", operands, x.type, shape, attributes)


def slice_bounds(m: Model, size: int, has_steps: bool) -> tuple[int, int, int]:
    """Returns start, end and step of a slice with at least one element, also beyond the ends."""
    while True:
        step = m.choice([1, 1, 2, 3, -1, -1, -2, -5]) if has_steps else 1
        start, end = m.integer(-size - 3, size + 3), m.integer(-size - 3, size + 3)
        if m.chance(0.2):
            start, end = m.choice([(0, 2**31 - 1), (-1, -(2**31)), (2**63 - 1, -(2**63))])
        if len(range(size)[slice(start, end, step)]) > 0:
            return start, end, step


@operator("Slice", share=4)
def slice_(m: Model) -> None:
    x = m.data(TYPES, (1, 4))
    axes = m.axes(x.rank, negative=m.opset >= 10)
    if m.chance(0.3):
        axes = list(range(len(axes)))
    bounds = [slice_bounds(m, x.shape[axis], m.opset >= 10) for axis in axes]
    starts, ends, steps = (list(values) for values in zip(*bounds))
    shape = list(x.shape)
    for axis, start, end, step in zip(axes, starts, ends, steps):
        shape[axis] = len(range(shape[axis])[slice(start, end, step)])
    omitted = axes == list(range(len(axes))) and m.chance(0.6)
    if m.opset < 10:
        m.moved("Slice", [x], x.type, shape, {"starts": starts, "ends": ends, "axes": None if omitted else axes})
        return
    kind = "int32" if all(abs(value) < 2**31 for value in starts + ends) and m.chance(0.3) else "int64"
    lists = [starts, ends, None if omitted else axes, None if set(steps) == {1} and m.chance(0.7) else steps]
    operands = [values if values is None else m.constant(np.asarray(values, kind)) for values in lists]
    m.moved("Slice", [x, *operands], x.type, shape)


@operator("Split", share=2)
def split(m: Model) -> None:
    x = m.data(TYPES, (1, 4), accept=lambda shape: max(shape) > 1)
    axis = m.choice([axis for axis, size in enumerate(x.shape) if size > 1])
    size = x.shape[axis]
    parts = m.integer(1, min(size, 4))
    cuts = sorted(m.random.sample(range(1, size), parts - 1))
    sizes = [end - begin for begin, end in zip([0, *cuts], [*cuts, size])]
    attributes = {"axis": axis - x.rank if m.opset >= 11 and m.chance(0.3) else axis}
    if axis == 0 and m.chance(0.5):
        attributes = {}
    operands = [x]
    if m.opset >= 18 and m.chance(0.4):
        part = -(-size // parts)
        parts = -(-size // part)
        sizes = [min(part, size - at * part) for at in range(parts)]
        attributes["num_outputs"] = parts
    elif len(set(sizes)) > 1 or m.opset >= 18 or m.chance(0.5):
        if m.opset >= 13:
            operands.append(m.ints(sizes))
        else:
            attributes["split"] = sizes
    results = [(x.type, [part if at == axis else whole for at, whole in enumerate(x.shape)], x.exact) for part in sizes]
    m.add("Split", operands, results, attributes)


@operator("Expand")
def expand(m: Model) -> None:
    x = m.data(TYPES)
    shape = m.broadcastable(x.shape) if m.chance(0.5) else (m.size(), *[m.size() if size == 1 else size for size in x.shape])
    full = np.broadcast_shapes(shape, x.shape)
    if math.prod(full) > m.most_elements:
        shape = full = x.shape
    m.moved("Expand", [x, m.ints(shape)], x.type, full)


@operator("Tile")
def tile(m: Model) -> None:
    x = m.data(TYPES if m.opset >= 6 else FLOATS, (1, 4))
    if m.opset < 6:
        axis, count = m.integer(0, x.rank - 1), m.integer(1, 3)
        shape = [size * count if at == axis else size for at, size in enumerate(x.shape)]
        m.moved("Tile", [x, m.constant(np.asarray(count, x.type)), m.constant(np.asarray(axis, x.type))], x.type, shape)
        return
    repeats = [m.choice([1, 1, 2, 3]) for _ in x.shape]
    m.moved("Tile", [x, m.ints(repeats)], x.type, [size * count for size, count in zip(x.shape, repeats)])


@operator("DepthToSpace", "SpaceToDepth")
def blocks(m: Model, name: str) -> None:
    size = m.choice([1, 2, 3])
    square = size * size if name == "DepthToSpace" else 1
    side = size if name == "SpaceToDepth" else 1

    def accept(shape) -> bool:
        return shape[1] % square == 0 and shape[2] % side == 0 and shape[3] % side == 0

    shape = (m.integer(1, 2), m.integer(1, 3) * square, m.integer(1, 4) * side, m.integer(1, 4) * side)
    found = [t for t in m.pool if t.shape is not None and t.rank == 4 and not t.special and t.type in FLOATS and accept(t.shape)]
    x = m.choice(found) if found and m.chance(0.7) else m.new(shape, m.type(FLOATS if m.opset < 13 else NUMBERS))
    n, c, h, w = x.shape
    if name == "DepthToSpace":
        mode = m.choice([None, "DCR", "CRD"]) if m.opset >= 11 else None
        m.moved(name, [x], x.type, (n, c // square, h * size, w * size), {"blocksize": size, "mode": mode})
    else:
        m.moved(name, [x], x.type, (n, c * size * size, h // size, w // size), {"blocksize": size})


@operator("CenterCropPad")
def center_crop_pad(m: Model) -> None:
    x = m.data(FLOATS + ("int32", "int64", "uint8"), (1, 4))
    axes = m.axes(x.rank)
    if m.chance(0.3):
        axes = list(range(x.rank))
    target = [m.integer(1, 9) for _ in axes]
    shape = list(x.shape)
    for axis, size in zip(axes, target):
        shape[axis] = size
    if math.prod(shape) <= m.most_elements:
        omitted = axes == list(range(x.rank)) and m.chance(0.5)
        m.moved("CenterCropPad", [x, m.ints(target)], x.type, shape, {"axes": None if omitted else axes})


@operator("Trilu")
def trilu(m: Model) -> None:
    x = m.data(NUMBERS + ("bool",), (2, 4))
    operands = [x] if m.chance(0.3) else [x, m.constant(np.asarray(m.integer(-4, 4), "int64"))]
    m.moved("Trilu", operands, x.type, x.shape, {"upper": m.choice([None, 0, 1])})


@operator("ReverseSequence")
def reverse_sequence(m: Model) -> None:
    x = m.data(TYPES, (2, 4))
    time = m.choice([0, 1])
    batch = 1 - time
    lengths = m.array((x.shape[batch],), "int64", (1, x.shape[time]))
    operand = m.input(lengths, (1, x.shape[time])) if m.chance(0.5) else m.constant(lengths)
    is_default = time == 0 and m.chance(0.5)
    m.moved("ReverseSequence", [x, operand], x.type, x.shape, {} if is_default else {"time_axis": time, "batch_axis": batch})


# Indices -----------------------------------------------------------------


def indices(m: Model, shape, size: int, negative: bool = True, types=("int64", "int64", "int32")):
    """Returns a tensor of indices into a dimension, a third of them negative."""
    low = -size if negative and m.chance(0.4) else 0
    return m.new(shape, m.choice(types), within=(low, size - 1), constant=0.4)


@operator("Gather", "GatherElements")
def gather(m: Model, name: str) -> None:
    x = m.data(TYPES, (1, 4))
    written = m.axis(x.rank) if m.opset >= 11 else m.integer(0, x.rank - 1)
    axis = written % x.rank
    if name == "Gather":
        shape = m.shape(0, 2)
        full = x.shape[:axis] + shape + x.shape[axis + 1 :]
    else:
        shape = full = tuple(m.size() if at == axis else m.integer(1, size) for at, size in enumerate(x.shape))
    if math.prod(full) <= m.most_elements:
        operand = indices(m, shape, x.shape[axis], m.opset >= 11)
        m.moved(name, [x, operand], x.type, full, {"axis": None if axis == 0 and m.chance(0.4) else written})


def multi_indices(m: Model, prefix, sizes, unique: bool = False):
    """Returns a tensor of tuples of indices into dimensions of these sizes."""
    count = math.prod(prefix)
    if unique:
        chosen = m.random.sample(range(math.prod(sizes)), count)
        table = np.stack(np.unravel_index(chosen, sizes), -1)
    else:
        table = np.stack([m.array((count,), "int64", (0, size - 1)) for size in sizes], -1)
    if m.chance(0.4):
        table = np.where(m.numbers.random(table.shape) < 0.4, table - np.asarray(sizes), table)
    table = table.reshape(*prefix, len(sizes)).astype(np.int64)
    return m.input(table) if m.chance(0.5) else m.constant(table)


@operator("GatherND")
def gather_nd(m: Model) -> None:
    x = m.data(TYPES, (1, 4))
    batch = m.integer(0, x.rank - 1) if m.opset >= 12 and m.chance(0.5) else 0
    depth = m.integer(1, x.rank - batch)
    prefix = x.shape[:batch] + m.shape(0 if batch else 1, 2)
    full = prefix + x.shape[batch + depth :]
    if math.prod(full) <= m.most_elements:
        table = multi_indices(m, prefix, x.shape[batch : batch + depth])
        m.moved("GatherND", [x, table], x.type, full, {"batch_dims": batch if batch or m.opset >= 12 and m.chance(0.2) else None})


@operator("ScatterND")
def scatter_nd(m: Model) -> None:
    reduction = m.choice([None, None, "none", "add", "mul"] + ["max", "min"] * (m.opset >= 18)) if m.opset >= 16 else None
    x = m.data(NUMBERS if reduction not in (None, "none") else TYPES, (1, 3))
    depth = m.integer(1, x.rank)
    sizes = x.shape[:depth]
    unique = reduction in (None, "none")
    prefix = (m.integer(1, min(6, math.prod(sizes))),) if unique else (m.integer(1, 6),)
    table = multi_indices(m, prefix, sizes, unique)
    updates = m.other(prefix + x.shape[depth:], x.type)
    exact = x.exact and updates.exact and (unique or reduction in ("max", "min") or not x.is_float)
    m.add("ScatterND", [x, table, updates], [(x.type, x.shape, exact)], {"reduction": reduction})


@operator("Scatter", "ScatterElements", share=2)
def scatter_elements(m: Model, name: str) -> None:
    reduction = None
    if name == "ScatterElements" and m.opset >= 16:
        reduction = m.choice([None, None, "none", "add", "mul"] + ["max", "min"] * (m.opset >= 18))
    x = m.data(NUMBERS if reduction not in (None, "none") else TYPES, (1, 3))
    written = m.axis(x.rank) if m.opset >= 11 else m.integer(0, x.rank - 1)
    axis = written % x.rank
    shape = tuple(m.integer(1, size) for size in x.shape)
    if reduction in (None, "none"):
        # The order of updates of one element is not defined.
        size = x.shape[axis]
        table = np.empty(shape, np.int64)
        for place in np.ndindex(*shape[:axis], *shape[axis + 1 :]):
            at = place[:axis] + (slice(None),) + place[axis:]
            table[at] = m.random.sample(range(size), shape[axis])
        if m.opset >= 11 and m.chance(0.4):
            table = np.where(m.numbers.random(shape) < 0.4, table - size, table)
        table = m.input(table) if m.chance(0.5) else m.constant(table)
    else:
        table = indices(m, shape, x.shape[axis])
    updates = m.other(shape, x.type)
    exact = x.exact and updates.exact and (reduction in (None, "none", "max", "min") or not x.is_float)
    m.add(name, [x, table, updates], [(x.type, x.shape, exact)],
          {"axis": None if axis == 0 and m.chance(0.4) else written, "reduction": reduction})


@operator("TensorScatter")
def tensor_scatter(m: Model) -> None:
    mode = m.choice([None, "linear", "circular"])
    x = m.data(TYPES, (2, 4))
    axis = m.integer(1, x.rank - 1)
    length = x.shape[axis]
    count = m.integer(1, length)
    updates = m.other([count if at == axis else size for at, size in enumerate(x.shape)], x.type)
    operands = [x, updates]
    if m.chance(0.7):
        operands.append(m.new((x.shape[0],), "int64", (0, length - 1 if mode == "circular" else length - count)))
    m.moved("TensorScatter", operands, x.type, x.shape, {"mode": mode, "axis": None if axis == x.rank - 2 else axis - x.rank * m.chance(0.5)})


@operator("OneHot")
def one_hot(m: Model) -> None:
    depth = m.integer(1, 6)
    shape = m.shape(0, 3)
    # Indices outside of the depth give rows of the off value.
    x = m.new(shape, m.choice(["int64", "int32", "float32"]), within=(-depth - 1, depth + 1))
    if x.data.dtype.kind == "f":
        x = m.input(np.trunc(x.data))
    axis = m.choice([None, m.axis(len(shape) + 1)])
    at = len(shape) if axis is None else axis % (len(shape) + 1)
    kind = m.choice(["float32", "int64", "float32", "int32"])
    number = m.constant(np.asarray(depth, m.choice(["int64", "float32", "int32"])).reshape(m.choice([(), (1,)])))
    values = m.new((2,), kind)
    m.add("OneHot", [x, number, values], [(kind, shape[:at] + (depth,) + shape[at:], True)], {"axis": axis})


@operator("Compress")
def compress(m: Model) -> None:
    x = m.data(TYPES, (1, 4))
    axis = m.choice([None, m.axis(x.rank)]) if m.opset >= 11 else m.choice([None, m.integer(0, x.rank - 1)])
    size = math.prod(x.shape) if axis is None else x.shape[axis]
    condition = m.array((m.integer(1, size),), "bool")
    condition[m.integer(0, len(condition) - 1)] = True
    count = int(condition.sum())
    shape = (count,) if axis is None else tuple(count if at == axis % x.rank else size for at, size in enumerate(x.shape))
    m.moved("Compress", [x, m.constant(condition)], x.type, shape, {"axis": axis})


# Constants ---------------------------------------------------------------


def with_input(m: Model, tensor) -> None:
    """Adds an input to a constant, so that the model has one."""
    if tensor.type in ("float32", "float64", "int32", "int64") and m.chance(0.5):
        m.add("Add" if m.opset >= 7 else "Sum", [m.input(m.array(tensor.shape, tensor.type)), tensor], [(tensor.type, tensor.shape)])


@operator("Constant")
def constant(m: Model) -> None:
    from onnx import helper, numpy_helper

    kinds = ["value"] + ["value_float", "value_floats", "value_int", "value_ints"] * (m.opset >= 12) + ["sparse_value"] * (m.opset >= 11)
    kind = m.choice(kinds)
    if kind == "value":
        array = m.array(m.shape(0, 3), m.type(TYPES))
        (y,) = m.add("Constant", [], [(array.dtype.name, array.shape, True)], {kind: numpy_helper.from_array(array)})
    elif kind == "sparse_value":
        shape = m.shape(1, 2)
        places = sorted(m.random.sample(range(math.prod(shape)), m.integer(1, math.prod(shape))))
        values = m.array((len(places),), "float32")
        table = np.asarray(places, np.int64) if m.chance(0.5) else np.stack(np.unravel_index(places, shape), -1).astype(np.int64)
        sparse = helper.make_sparse_tensor(numpy_helper.from_array(values), numpy_helper.from_array(table), shape)
        (y,) = m.add("Constant", [], [("float32", shape, True)], {kind: sparse})
    else:
        scalar = kind in ("value_float", "value_int")
        element = "float32" if "float" in kind else "int64"
        array = m.array(() if scalar else (m.size(),), element)
        (y,) = m.add("Constant", [], [(element, array.shape, True)], {kind: array.item() if scalar else array.tolist()})
    with_input(m, y)


@operator("ConstantOfShape")
def constant_of_shape(m: Model) -> None:
    from onnx import numpy_helper

    shape, value = m.shape(0, 3), None
    if m.chance(0.7):
        value = m.array((1,), m.type(TYPES))
    (y,) = m.add("ConstantOfShape", [m.ints(shape)], [(value.dtype.name if value is not None else "float32", shape, True)],
                 {"value": None if value is None else numpy_helper.from_array(value)})
    with_input(m, y)


@operator("EyeLike")
def eye_like(m: Model) -> None:
    x = m.data(NUMBERS + ("bool",), (2, 2))
    to = m.choice([None, "float32", "int32", "float64", "int64", "bool", "uint8"])
    m.add("EyeLike", [x], [(to or x.type, x.shape, True)],
          {"dtype": to and onnx_type(to), "k": m.choice([None, -2, -1, 1, 2, 3])})


@operator("Range")
def range_(m: Model) -> None:
    kind = m.choice(["float32", "float64", "int16", "int32", "int64"])
    step = m.choice([-3, -2, -1, 1, 2, 5]) if "int" in kind else m.choice([-1.5, -0.25, 0.5, 0.3, 2])
    start = m.integer(-9, 9)
    values = [start, start + step * m.integer(1, 9) + m.choice([0, 1 if step > 0 else -1]), step]
    y = m.add("Range", [m.constant(np.asarray(value, kind)) for value in values], [(kind, None)])[0]
    y.exact = "int" in kind


@operator("Shape", "Size")
def shape_(m: Model, name: str) -> None:
    x = m.data(TYPES)
    attributes = {}
    shape = x.shape
    if name == "Shape" and m.opset >= 15:
        attributes = {key: m.choice([None, m.integer(-5, 5)]) for key in ("start", "end")}
        clamp = lambda value: min(max(value + x.rank if value < 0 else value, 0), x.rank)  # noqa: E731
        begin = clamp(attributes["start"] or 0)
        end = x.rank if attributes["end"] is None else clamp(attributes["end"])
        shape = x.shape[begin : max(begin, end)]
        if not shape:
            attributes, shape = {}, x.shape
    if name == "Size" or shape:
        (y,) = m.add(name, [x], [("int64", (len(shape),) if name == "Shape" else (), True)], attributes)
        with_input(m, y)


@operator("NonZero", "Unique")
def of_constant(m: Model, name: str) -> None:
    x = m.constant(m.array(m.shape(1, 3), m.choice(["float32", "int64", "int32", "float64", "int8"])))
    if name == "NonZero":
        if np.count_nonzero(x.data):
            m.add(name, [x], [("int64", (x.rank, int(np.count_nonzero(x.data))), True)])
        return
    results = [(x.type, None, True)] + [("int64", None, True) if m.chance(0.7) else None for _ in range(3)]
    m.add(name, [x], results, {"axis": m.choice([None, m.axis(x.rank)]), "sorted": m.choice([None, 0, 1])})
