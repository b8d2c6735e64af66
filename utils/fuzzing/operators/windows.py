"""Operators with windows: convolutions and pools."""

import math

from fuzzing.graph import FLOATS, TYPES, Graph, NoOperands, Value
from fuzzing.operators.values import computed, generates, integer, like, small, steady
from fuzzing.operators.matrices import partner_types, product


class Window:
    """Random window over `spatial`: attributes of the operator and sizes of its result."""

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
    """Returns the shape in `layout`: replaces its letters by sizes; D, H and W are the spatial ones."""
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
    # Layers that the accelerator of the tutorial supports: same padding, odd kernels.
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
