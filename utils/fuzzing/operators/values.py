"""Requirements on operands and bounds of results."""

import math

from fuzzing.graph import COMPUTED, EPSILON, WHOLE, Graph, NoOperands, Value, integer_range

GENERATORS: dict = {}


def generates(weight: float = 1):
    def add(function):
        GENERATORS[function] = weight
        return function

    return add


def any_value(value: Value) -> bool:
    return True


def exact(value: Value) -> bool:
    return value.exact


def finite(value: Value) -> bool:
    return not value.special


def steady(value: Value) -> bool:
    """Returns whether a value is finite and accurate enough for an operator that amplifies errors."""
    return not value.special and (value.exact or value.rel < 4 * COMPUTED[value.type])


def small(bound: float):
    return lambda value: steady(value) and value.bound <= bound


def like(value: Value, shape=None, **changes) -> Value:
    """Returns a value with all or some elements of `value`."""
    fields = dict(lo=value.lo, hi=value.hi, rel=value.rel, whole=value.whole, special=value.special)
    fields.update(changes)
    type = fields.pop("type", value.type)
    return Value(value.shape if shape is None else tuple(shape), type, **fields)


def merge(values: list[Value], shape, **changes) -> Value:
    """Returns a value with elements of all `values`."""
    fields = dict(lo=min(v.lo for v in values), hi=max(v.hi for v in values), rel=max(v.rel for v in values),
                  whole=all(v.whole for v in values), special=any(v.special for v in values))
    fields.update(changes)
    return Value(tuple(shape), values[0].type, **fields)


def computed(shape, type: str, bound: float, operands: list[Value], gain: float = 1, terms: int = 1,
             whole: bool = False, lo: float | None = None) -> Value:
    """Returns a float computed from `operands` with `terms` roundings; `gain` amplifies their differences."""
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
    """Picks two values that broadcast with each other."""
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
