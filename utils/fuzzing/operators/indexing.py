"""Operators whose indices are data."""

from fuzzing.graph import EPSILON, Graph, Value
from fuzzing.operators.values import any_value, computed, generates, integer, like, merge, steady


def indices(g: Graph, shape, extent: int) -> Value:
    """Returns indices that are often in range and sometimes not; operators clamp them."""
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
            # The type rounds every addition.
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
