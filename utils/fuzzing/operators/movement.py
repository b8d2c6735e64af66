"""Operators that move elements."""

import math

from fuzzing.graph import SIGNED, Graph, NoOperands
from fuzzing.operators.values import any_value, generates, integer, like, merge


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


@generates(0.3)
def bitcast(g: Graph):
    # Inputs only: floats that are equal may differ in the sign of 0.
    type, integers = g.random.choice([("f16", "i16"), ("bf16", "ui16"), ("f32", "i32"), ("f32", "ui32"), ("f64", "i64"), ("f64", "ui64")])
    data = g.input((g.size(), g.size()), type)
    g.emit(f"bitcast {{0}} to {integers}", [data], integer(data.shape, integers))


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
