"""Products of matrices."""

import math

from fuzzing.graph import FLOATS, INTEGERS, TYPES, Graph, Value, width
from fuzzing.operators.values import broadcast, computed, generates, integer, small, steady


def out_type(g: Graph, a: str, b: str) -> str:
    """Returns a type for products of integers."""
    needed = max(width(a), width(b), min(width(a) + width(b), 32))
    return g.random.choice([type for type in INTEGERS if width(type) >= needed])


def product(g: Graph, a: Value, b: Value, shape, terms: int) -> tuple[str, Value]:
    if a.is_float:
        return "", computed(shape, a.type, a.bound * b.bound * max(terms, 1), [a, b], 4, terms, whole=True)
    type = out_type(g, a.type, b.type)
    return f" out_dtype {type}", integer(shape, type)


def partner_types(g: Graph, type: str) -> list[str]:
    return [type] if type in FLOATS else [type, "i8", "ui8"]


@generates()
def dense(g: Graph):
    data = g.pick(steady, FLOATS + ["i8", "ui8", "i16", "i32"], rank_at_least=1)
    units = g.size()
    weight = g.pick(steady, partner_types(g, data.type), shape=(units, data.shape[-1]))
    text, result = product(g, data, weight, data.shape[:-1] + (units,), data.shape[-1])
    g.emit("dense {0}, {1}" + text, [data, weight], result)


@generates(1.5)
def batch_matmul(g: Graph):
    lhs = g.pick(steady, FLOATS + ["i8", "ui8", "i16", "i32"], rank_at_least=2)
    transpose_a, transpose_b = g.chance(0.4), g.chance(0.4)
    rows, inner = lhs.shape[-2:] if not transpose_a else lhs.shape[:-3:-1]
    columns = g.size()
    batch = g.broadcastable(lhs.shape[:-2])
    rhs = g.pick(steady, partner_types(g, lhs.type), shape=batch + ((columns, inner) if transpose_b else (inner, columns)))
    text, result = product(g, lhs, rhs, broadcast(lhs.shape[:-2], batch) + (rows, columns), inner)
    options = (" transpose_a true" if transpose_a else "") + (" transpose_b true" if transpose_b else "")
    g.emit("batch_matmul {0}, {1}" + options + text, [lhs, rhs], result)


@generates()
def attention(g: Graph):
    # Scores of up to 4 * 4 * depth: their absolute rounding error becomes a relative error of the exponential.
    query = g.pick(lambda v: v.exact and small(4)(v) and v.size, ["f32", "f64"], rank_at_least=2)
    rows, depth = query.shape[-2:]
    keys, columns = max(g.size(), 1), g.size()
    batch = g.broadcastable(query.shape[:-2])
    key = g.pick(lambda v: v.exact and small(4)(v), [query.type], shape=batch + (keys, depth))
    batch = broadcast(query.shape[:-2], batch)
    value = g.pick(lambda v: v.exact and small(8)(v), [query.type], shape=batch + (keys, columns))
    operands, options = [query, key, value], ""
    if g.chance(0.5):
        operands.append(g.pick(lambda v: v.exact and small(8)(v), [query.type], shape=(rows, keys)))
        options += " mask {3}"
    if g.chance(0.5):
        options += f" scale {g.random.choice([0.125, 0.5, 0.35355])}"
    g.emit("attention {0}, {1}, {2}" + options, operands,
           computed(batch + (rows, columns), query.type, value.bound, operands, 16 * depth + 16, keys))


EQUATIONS = ["ij,jk->ik", "ij,kj->ik", "bij,bjk->bik", "bij,bkj->bki", "ij->ji", "ii->i", "ii->", "ijk->j", "ij,ij->",
             "i,j->ij", "ij,jk,kl->il", "bhqd,bhkd->bhqk", "ijk,ijk->ik", "i,i->", "abc,cb->a", "ij,j->i", "ijj->i"]


@generates()
def einsum(g: Graph):
    equation = g.random.choice(EQUATIONS)
    terms, result_names = equation.split("->")
    type = g.random.choice(TYPES[:-1])
    sizes = {letter: g.random.randint(1, 4) for letter in sorted(set(terms) - {","})}
    operands = []
    for term in terms.split(","):
        # A dimension of size 1 broadcasts with others of the same name.
        shape = tuple(1 if g.chance(0.08) and terms.count(letter) > 1 else sizes[letter] for letter in term)
        operands.append(g.pick(lambda v: steady(v) and (not v.is_float or v.bound <= 64), [type], shape=shape))
    actual: dict[str, int] = {}
    for term, operand in zip(terms.split(","), operands):
        for letter, size in zip(term, operand.shape):
            actual[letter] = max(actual.get(letter, 1), size)
    shape = [actual[letter] for letter in result_names]
    count = math.prod(size for letter, size in actual.items() if letter not in result_names)
    result = integer(shape, type)
    if type in FLOATS:
        bound = math.prod(operand.bound for operand in operands) * count
        result = computed(shape, type, bound, operands, 4, count, whole=True)
    names = ", ".join("{%d}" % i for i in range(len(operands)))
    g.emit(f'einsum "{equation}" {names}', operands, result)


@generates(0.4)
def det(g: Graph):
    size = g.random.randint(1, 5)
    type = g.random.choice(FLOATS[:2])
    batch = g.shape(g.random.randint(0, 2))
    data = g.pick(lambda v: v.exact and small(1)(v), [type], shape=batch + (size, size))
    # Diagonally dominant, so no pivot is near 0.
    unit = g.constant((size, size), type, values=[8.0 * (i == j) for i in range(size) for j in range(size)])
    matrix = g.emit("add {0}, {1}", [data, unit], computed(data.shape, type, 9, [data, unit]))
    g.emit("det {0}", [matrix], computed(batch, type, 15.0**size, [matrix], 8, 20))
