"""Reductions and other operators along an axis."""

import math

from fuzzing.graph import EPSILON, LARGEST, TYPES, Graph, NoOperands, Value
from fuzzing.operators.values import any_value, computed, generates, integer, like, steady


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
        # A product of fractions underflows in f16.
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
