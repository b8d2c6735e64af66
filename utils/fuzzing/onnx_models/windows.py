"""Convolutions, pools, resampling."""

import math

import numpy as np

from .builder import FLOATS, Model
from .registry import operator


def image(m: Model, types, least: int = 1, most: int = 3, channels=None):
    """Returns data of `least` to `most` spatial dimensions."""
    accept = (lambda shape: shape[1] == channels) if channels else None
    found = [t for t in m.pool if t.shape is not None and t.type in types and not t.special and least + 2 <= t.rank <= most + 2
             and (not accept or accept(t.shape)) and math.prod(t.shape) <= 2000]
    if found and m.chance(0.8):
        return m.choice(found[-2:])
    rank = m.random.choices(range(least, most + 1), [{1: 2, 2: 6, 3: 1}[rank] for rank in range(least, most + 1)])[0]
    sides = [m.integer(1, 11 if rank < 3 else 5) for _ in range(rank)]
    return m.new((m.choice([1, 1, 2]), channels or m.choice([1, 2, 3, 4, 6, 8]), *sides), m.type(types), constant=0.05)


def window(m: Model, sides, kernel=None, dilates: bool = True, pools: bool = False, ceil: bool = False):
    """Returns a kernel, the attributes of a window and the spatial shape of the result, or None if the window does not fit."""
    rank = len(sides)
    kernel = kernel or [m.choice([1, 2, 3, 3, 4, 5]) for _ in sides]
    strides = [m.choice([1, 1, 2, 3]) for _ in sides] if m.chance(0.6) else None
    dilations = [m.choice([1, 1, 2, 3]) for _ in sides] if dilates and m.chance(0.4) else None
    step, dilation = strides or [1] * rank, dilations or [1] * rank
    extent = [(size - 1) * by + 1 for size, by in zip(kernel, dilation)]
    attributes = {"strides": strides, "dilations": dilations}
    auto_pad = m.choice([None, None, "NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"])
    pads = [0] * (2 * rank)
    if auto_pad in (None, "NOTSET") and m.chance(0.7):
        pads = [m.integer(0, (min(extent[at % rank], kernel[at % rank]) - 1) if pools else extent[at % rank]) for at in range(2 * rank)]
        attributes["pads"] = pads
    attributes["auto_pad"] = auto_pad
    if auto_pad and auto_pad.startswith("SAME"):
        shape = [-(-size // by) for size, by in zip(sides, step)]
    else:
        shape = [(size + pads[at] + pads[at + rank] - extent[at]) // step[at] + 1 for at, size in enumerate(sides)]
        if any(size + pads[at] + pads[at + rank] < extent[at] for at, size in enumerate(sides)):
            return None
    if ceil:
        attributes["ceil_mode"] = m.choice([None, 0, 1, 1])
        if attributes["ceil_mode"]:
            shape = None
    return kernel, attributes, shape


@operator("Conv", share=6)
def conv(m: Model) -> None:
    x = image(m, FLOATS)
    found = window(m, x.shape[2:])
    if not found:
        return
    kernel, attributes, shape = found
    groups = m.choice([g for g in range(1, x.shape[1] + 1) if x.shape[1] % g == 0]) if m.chance(0.5) else 1
    filters = groups * m.choice([1, 1, 2, 3])
    w = m.new((filters, x.shape[1] // groups, *kernel), x.type, (-1, 1), constant=0.8)
    operands = [x, w] + ([m.new((filters,), x.type, constant=0.8)] if m.chance(0.5) else [])
    attributes.update(group=groups if groups > 1 or m.chance(0.3) else None, kernel_shape=kernel if m.chance(0.5) else None)
    m.add("Conv", operands, [(x.type, (x.shape[0], filters, *shape))], attributes)


@operator("ConvTranspose", share=5)
def conv_transpose(m: Model) -> None:
    x = image(m, ("float32", "float32", "float16", "float64"))
    rank = x.rank - 2
    kernel = [m.choice([1, 2, 3, 4]) for _ in range(rank)]
    strides = [m.choice([1, 2, 3]) for _ in range(rank)] if m.chance(0.7) else None
    dilations = [m.choice([1, 2]) for _ in range(rank)] if m.chance(0.3) else None
    step, by = strides or [1] * rank, dilations or [1] * rank
    attributes = {"strides": strides, "dilations": dilations, "kernel_shape": kernel if m.chance(0.5) else None}
    extra = [0] * rank
    if m.chance(0.3):
        extra = [m.integer(0, max(step[at], by[at]) - 1) for at in range(rank)]
        attributes["output_padding"] = extra
    full = [(size - 1) * step[at] + (kernel[at] - 1) * by[at] + 1 + extra[at] for at, size in enumerate(x.shape[2:])]
    kind = m.choice(["none", "pads", "pads", "auto", "shape"])
    if kind == "pads":
        pads = [m.integer(0, min(kernel[at] - 1, (full[at] - 1) // 2)) for at in range(rank)] * 2
        attributes["pads"] = pads
        shape = [size - pads[at] - pads[at + rank] for at, size in enumerate(full)]
    elif kind == "auto":
        attributes["auto_pad"] = m.choice(["VALID", "NOTSET", "SAME_UPPER", "SAME_LOWER"])
        shape = full if not attributes["auto_pad"].startswith("SAME") else [size * step[at] for at, size in enumerate(x.shape[2:])]
    elif kind == "shape":
        shape = [m.integer(max(1, size - kernel[at] + 1), size) for at, size in enumerate(full)]
        attributes["output_shape"] = shape
        attributes["auto_pad"] = m.choice([None, "SAME_UPPER", "SAME_LOWER"])
    else:
        shape = full
    if min(shape) < 1:
        return
    groups = m.choice([g for g in range(1, x.shape[1] + 1) if x.shape[1] % g == 0]) if m.chance(0.4) else 1
    filters = m.choice([1, 2, 3])
    w = m.new((x.shape[1], filters, *kernel), x.type, (-1, 1), constant=0.8)
    operands = [x, w] + ([m.new((groups * filters,), x.type, constant=0.8)] if m.chance(0.5) else [])
    attributes["group"] = groups if groups > 1 or m.chance(0.3) else None
    m.add("ConvTranspose", operands, [(x.type, (x.shape[0], groups * filters, *shape))], attributes)


@operator("DeformConv", share=2)
def deform_conv(m: Model) -> None:
    x = image(m, ("float32", "float64"), 2, 2)
    found = window(m, x.shape[2:], [m.choice([1, 2, 3]) for _ in range(2)])
    if not found or found[1].pop("auto_pad") not in (None, "NOTSET"):
        return
    kernel, attributes, shape = found
    divisors = [g for g in range(1, x.shape[1] + 1) if x.shape[1] % g == 0]
    groups, offset_groups = m.choice(divisors), m.choice(divisors)
    filters = groups * m.choice([1, 2])
    points = offset_groups * kernel[0] * kernel[1]
    w = m.new((filters, x.shape[1] // groups, *kernel), x.type, (-1, 1), constant=0.8)
    offset = m.new((x.shape[0], 2 * points, *shape), x.type, (-2, 2))
    operands = [x, w, offset, m.new((filters,), x.type) if m.chance(0.5) else None,
                m.new((x.shape[0], points, *shape), x.type, (0, 1)) if m.chance(0.5) else None]
    attributes.update(group=groups, offset_group=offset_groups, kernel_shape=kernel if m.chance(0.5) else None)
    m.add("DeformConv", operands, [(x.type, (x.shape[0], filters, *shape))], attributes)


@operator("Col2Im")
def col2im(m: Model) -> None:
    rank = m.choice([1, 2, 2])
    sides = [m.integer(3, 8) for _ in range(rank)]
    found = window(m, sides, [m.choice([1, 2, 3]) for _ in range(rank)])
    if not found or found[1].pop("auto_pad") not in (None, "NOTSET"):
        return
    kernel, attributes, shape = found
    n, c = m.integer(1, 2), m.integer(1, 3)
    x = m.data(("float32",), shape=(n, c * math.prod(kernel), math.prod(shape)))
    m.add("Col2Im", [x, m.ints(sides), m.ints(kernel)], [(x.type, (n, c, *sides))], attributes)


# Pools -------------------------------------------------------------------


@operator("AveragePool", "LpPool", "MaxPool", share=5)
def pool(m: Model, name: str) -> None:
    types = FLOATS + (("int8", "uint8") if name == "MaxPool" and m.opset >= 12 else ())
    x = image(m, types if name != "LpPool" else ("float32",))
    has_ceil = m.opset >= (18 if name == "LpPool" else 10)
    dilates = m.opset >= {"MaxPool": 10, "AveragePool": 19, "LpPool": 18}[name]
    found = window(m, x.shape[2:], dilates=dilates, pools=True, ceil=has_ceil)
    if not found:
        return
    kernel, attributes, shape = found
    attributes["kernel_shape"] = kernel
    full = None if shape is None else (*x.shape[:2], *shape)
    exact = name == "MaxPool" and x.exact
    results = [(x.type, full, exact)]
    if name == "AveragePool" and m.opset >= 7:
        attributes["count_include_pad"] = m.choice([None, 0, 1])
    if name == "LpPool":
        attributes["p"] = m.choice([None, 1, 2, 3])
    if name == "MaxPool" and m.opset >= 8 and m.chance(0.3) and x.exact:
        attributes["storage_order"] = m.choice([None, 0, 1])
        results.append(("int64", full, True))
    m.add(name, [x], results, attributes)


@operator("GlobalAveragePool", "GlobalLpPool", "GlobalMaxPool")
def global_pool(m: Model, name: str) -> None:
    x = image(m, FLOATS if name != "GlobalLpPool" else ("float32",))
    m.add(name, [x], [(x.type, (*x.shape[:2], *[1] * (x.rank - 2)), name == "GlobalMaxPool" and x.exact)],
          {"p": m.choice([None, 1, 3]) if name == "GlobalLpPool" else None})


@operator("MaxUnpool")
def max_unpool(m: Model) -> None:
    rank = m.choice([1, 2, 2, 3])
    kernel = [m.choice([1, 2, 3]) for _ in range(rank)]
    sides = [m.integer(1, 4) for _ in range(rank)]
    n, c = m.integer(1, 2), m.integer(1, 3)
    shape = (n, c, *sides)
    full = (n, c, *[side * size for side, size in zip(sides, kernel)])
    x = m.data(("float32",), shape=shape)
    # Each element goes to a place of its own in the window of its result.
    table = np.empty(shape, np.int64)
    for place in np.ndindex(*shape):
        target = (*place[:2], *[at * size + m.integer(0, size - 1) for at, size in zip(place[2:], kernel)])
        table[place] = np.ravel_multi_index(target, full)
    operands = [x, m.input(table) if m.chance(0.5) else m.constant(table)]
    attributes = {"kernel_shape": kernel, "strides": kernel}
    m.moved("MaxUnpool", operands, x.type, full, attributes)


# Resampling --------------------------------------------------------------


@operator("Upsample", share=2)
def upsample(m: Model) -> None:
    mode = m.choice(["nearest", "linear"])
    x = image(m, ("float32", "int32", "uint8") if mode == "nearest" else ("float32",), 1 if mode == "nearest" else 2, 2)
    scales = [1.0, 1.0, *[m.choice([1, 2, 3, 1.5, 2.5]) for _ in x.shape[2:]]]
    shape = [math.floor(size * scale) for size, scale in zip(x.shape, scales)]
    result = [(x.type, shape, x.exact and mode == "nearest")]
    if m.opset < 9:
        m.add("Upsample", [x], result, {"mode": mode, "scales": [float(scale) for scale in scales]})
    else:
        m.add("Upsample", [x, m.constant(np.asarray(scales, "float32"))], result, {"mode": mode})


@operator("Resize", share=12)
def resize(m: Model) -> None:
    mode = m.choice(["nearest", "nearest", "linear", "linear", "cubic"]) if m.opset >= 11 else m.choice(["nearest", "linear"])
    x = image(m, ("float32", "int32", "uint8", "int8") if mode == "nearest" else ("float32",), 2 if mode != "nearest" else 1,
              3 if mode != "cubic" else 2)
    attributes = {"mode": None if mode == "nearest" and m.chance(0.4) else mode}
    rank = x.rank
    resized = list(range(2, rank))
    # Halves, thirds and whole numbers, for which positions are between elements.
    scales = [1.0] * 2 + [m.choice([0.5, 0.6, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 1 / 3]) for _ in resized]
    scales = [scale if math.floor(size * np.float32(scale)) >= 1 else 1.0 for size, scale in zip(x.shape, scales)]
    if m.opset < 11:
        shape = [math.floor(size * np.float32(scale)) for size, scale in zip(x.shape, scales)]
        m.add("Resize", [x, m.constant(np.asarray(scales, "float32"))], [(x.type, shape, x.exact and mode == "nearest")], attributes)
        return
    coordinates = m.choice([None, "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"]
                           + ["tf_half_pixel_for_nn"] * (m.opset < 13) + ["half_pixel_symmetric"] * (m.opset >= 19))
    attributes["coordinate_transformation_mode"] = coordinates
    if mode == "nearest":
        attributes["nearest_mode"] = m.choice([None, "round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
    if mode == "cubic":
        attributes["cubic_coeff_a"] = m.choice([None, -0.5])
        attributes["exclude_outside"] = m.choice([None, 0, 1])
    axes = None
    if m.opset >= 18 and m.chance(0.4):
        axes = resized if m.chance(0.7) else resized[::-1]
    if m.opset >= 18 and mode != "nearest" and coordinates != "tf_crop_and_resize" and m.chance(0.3):
        attributes["antialias"] = 1
    listed = axes or range(rank)
    by_sizes = m.chance(0.4)
    sizes = [math.floor(size * np.float32(scale)) for size, scale in zip(x.shape, scales)]
    shape = tuple(sizes)
    if by_sizes and axes and m.chance(0.5):
        attributes["keep_aspect_ratio_policy"] = m.choice(["stretch", "not_larger", "not_smaller"])
        shape = None if attributes["keep_aspect_ratio_policy"] != "stretch" else shape
    if axes:
        attributes["axes"] = [axis - rank if m.chance(0.2) else axis for axis in axes]
    roi = None
    if coordinates == "tf_crop_and_resize":
        begin = [m.choice([0, 0.1, 0.25]) for _ in listed]
        end = [m.choice([1, 0.8, 1.2]) for _ in listed]
        begin, end = [[value if axis > 1 else fixed for value, axis in zip(values, listed)] for values, fixed in ((begin, 0), (end, 1))]
        roi = m.constant(np.asarray(begin + end, "float32"))
        attributes["extrapolation_value"] = m.choice([None, 1.5]) if x.is_float else None
    elif m.opset < 13:
        roi = m.constant(np.zeros(0, "float32"))
    number = m.constant(np.asarray([scales[axis] for axis in listed], "float32")) if not by_sizes else None
    if number is None and m.opset < 13:
        number = m.constant(np.zeros(0, "float32"))
    operands = [x, roi, number] + ([m.ints([sizes[axis] for axis in listed])] if by_sizes else [])
    m.add("Resize", operands, [(x.type, shape, x.exact and mode == "nearest")], attributes)


# Sampling ----------------------------------------------------------------


@operator("GridSample", share=3)
def grid_sample(m: Model) -> None:
    x = image(m, ("float32",), 2, 3 if m.opset >= 20 else 2)
    modes = ["bilinear", "nearest", "bicubic"] if m.opset < 20 else ["linear", "nearest"] + ["cubic"] * (x.rank == 4)
    sides = [m.integer(1, 5) for _ in x.shape[2:]]
    grid = m.new((x.shape[0], *sides, x.rank - 2), x.type, (-1.3, 1.3))
    m.add("GridSample", [x, grid], [(x.type, (*x.shape[:2], *sides))],
          {"mode": m.choice([None, *modes]), "padding_mode": m.choice([None, "zeros", "border", "reflection"]),
           "align_corners": m.choice([None, 0, 1])})


@operator("AffineGrid")
def affine_grid(m: Model) -> None:
    n, rank = m.integer(1, 3), m.choice([2, 2, 3])
    sides = [m.integer(1, 5) for _ in range(rank)]
    theta = m.data(("float32", "float64"), shape=(n, rank, rank + 1))
    m.add("AffineGrid", [theta, m.ints([n, 3, *sides])], [(theta.type, (n, *sides, rank))], {"align_corners": m.choice([None, 0, 1])})


@operator("RoiAlign", share=2)
def roi_align(m: Model) -> None:
    x = image(m, ("float32", "float64"), 2, 2)
    count, height, width = m.integer(1, 3), m.integer(1, 4), m.integer(1, 4)
    corners = m.array((count, 2), x.type, (0, 5))
    rois = m.input(np.concatenate([corners, corners + m.array((count, 2), x.type, (0.5, 6))], 1))
    batch = m.new((count,), "int64", (0, x.shape[0] - 1))
    m.add("RoiAlign", [x, rois, batch], [(x.type, (count, x.shape[1], height, width))],
          {"output_height": height, "output_width": width, "sampling_ratio": m.choice([1, 2, 3]), "mode": m.choice([None, "avg", "max"]),
           "spatial_scale": m.choice([None, 0.5]),
           "coordinate_transformation_mode": m.choice([None, "half_pixel", "output_half_pixel"]) if m.opset >= 16 else None})
