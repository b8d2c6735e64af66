"""Softmax, normalisations and other parts of networks."""

import math

from fuzzing.graph import FLOATS, INTEGERS, Graph
from fuzzing.operators.values import computed, finite, generates, integer, small


@generates()
def bias_add(g: Graph):
    data = g.pick(finite, FLOATS + INTEGERS, rank_at_least=1)
    axis = g.random.randrange(data.rank)
    bias = g.pick(finite, [data.type], shape=(data.shape[axis],))
    result = integer(data.shape, data.type)
    if data.is_float:
        result = computed(data.shape, data.type, data.bound + bias.bound, [data, bias], 2, whole=True)
    g.emit("bias_add {0}, {1}" + ("" if axis == 1 else f" axis {axis - data.rank * g.chance(0.3)}"), [data, bias], result)


@generates()
def batch_norm(g: Graph):
    data = g.pick(small(100), FLOATS, rank_at_least=1)
    axis = g.random.randrange(data.rank)
    shape = (data.shape[axis],)
    gamma, beta, mean = (g.constant(shape, data.type, -2, 2) for _ in range(3))
    variance = g.constant(shape, data.type, 0.5, 4)
    bound = (data.bound + 2) * 2 / 0.7 + 2
    g.emit("batch_norm {0}, {1}, {2}, {3}, {4}" + ("" if axis == 1 else f" axis {axis}"),
           [data, gamma, beta, mean, variance], computed(data.shape, data.type, bound, [data], 16))


@generates()
def softmax(g: Graph):
    op = g.random.choice(["softmax", "log_softmax"])
    data = g.pick(small(8), FLOATS, rank_at_least=1)
    axis = g.axis(data.rank)
    count = data.shape[axis]
    g.emit(f"{op} {{0}}" + ("" if axis == -1 else f" axis {axis}"), [data],
           computed(data.shape, data.type, 1 if op == "softmax" else 16 + math.log(max(count, 1)), [data], 16, count))


@generates(1.5)
def normalization(g: Graph):
    op = g.random.choice(["layer_norm", "rms_norm", "group_norm", "lrn"])
    data = g.pick(lambda v: v.exact and small(16)(v) and v.size, FLOATS, rank_at_least=2)
    axis = g.random.randrange(data.rank)
    count = math.prod(data.shape[axis:])
    if op == "lrn":
        size = g.random.randint(1, 5)
        g.emit(f"lrn {{0}} size {size} alpha 0.5", [data], computed(data.shape, data.type, 16, [data], 8, size))
        return
    bound = 2 * math.sqrt(data.size) + 2
    shape = data.shape[axis:]
    text = f" axis {axis - data.rank * g.chance(0.5)}"
    if op == "group_norm":
        shape = (data.shape[1],)
        text = f" groups {g.random.choice([n for n in range(1, shape[0] + 1) if shape[0] % n == 0])}"
    operands = [data] + [g.constant(shape, data.type) for _ in range(1 if op == "rms_norm" else 2)]
    names = ", ".join("{%d}" % i for i in range(len(operands)))
    epsilon = " epsilon 1.0e-2" if g.chance(0.7) else ""
    result = computed(data.shape, data.type, bound, [data], 32, count)
    g.emit(f"{op} {names}{text}{epsilon}", operands, result)
