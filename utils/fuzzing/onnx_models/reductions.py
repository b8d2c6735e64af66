"""Reductions, operators along an axis, normalizations and losses."""

import math

import numpy as np

from .builder import FLOATS, Model
from .registry import operator


@operator("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum",
          "ReduceSumSquare", share=2)
def reduction(m: Model, name: str) -> None:
    selects = name in ("ReduceMax", "ReduceMin")
    types = FLOATS + ("int32", "int64", "uint32", "uint64") + (("int8", "uint8") if selects and m.opset >= 12 else ())
    if selects and m.opset >= 20:
        types += ("bool",)
    # No sum of integers exceeds its type, which the standard does not define.
    type = m.type(types)
    within = (0.1, 3) if name in ("ReduceLogSum", "ReduceProd") else None if type in FLOATS or selects else (-9, 9)
    x = m.data((type,), (0, 4), within=within)
    keepdims = m.choice([None, 0, 1])
    attributes, operands = {"keepdims": keepdims}, [x]
    axes = m.axes(x.rank, negative=m.opset >= 11) if x.rank and m.chance(0.8) else []
    has_input = m.opset >= (13 if name == "ReduceSum" else 18)
    chosen = [axis % x.rank for axis in axes] or list(range(x.rank))
    if has_input:
        attributes["noop_with_empty_axes"] = m.choice([None, 0, 1])
        if axes or m.chance(0.4):
            operands.append(m.ints(axes))
        if not axes and attributes["noop_with_empty_axes"]:
            chosen = []
    elif axes:
        attributes["axes"] = axes
    is_noop = not chosen and x.rank
    shape = [1 if at in chosen else size for at, size in enumerate(x.shape) if at not in chosen or keepdims != 0]
    exact = x.exact and (selects or not x.is_float) and not is_noop
    m.add(name, operands, [(x.type, shape, exact)], attributes)


@operator("ArgMax", "ArgMin")
def arg_reduction(m: Model, name: str) -> None:
    x = m.data(FLOATS + ("int32", "int8", "uint8", "int64"), (1, 4), exact=True)
    written = m.axis(x.rank) if m.opset >= 11 else m.integer(0, x.rank - 1)
    axis = written % x.rank
    keepdims = m.choice([None, 0, 1])
    shape = [1 if at == axis else size for at, size in enumerate(x.shape) if at != axis or keepdims != 0]
    m.add(name, [x], [("int64", shape, True)],
          {"axis": None if axis == 0 and m.chance(0.5) else written, "keepdims": keepdims,
           "select_last_index": m.choice([None, 0, 1]) if m.opset >= 12 else None})


@operator("CumProd", "CumSum")
def cumulative(m: Model, name: str) -> None:
    x = m.data(("float32", "float64", "int32", "int64"), (1, 4))
    axis = m.constant(np.asarray(m.axis(x.rank), m.choice(["int32", "int64"])).reshape(m.choice([(), (1,)])))
    m.add(name, [x, axis], [(x.type, x.shape)], {"exclusive": m.choice([None, 0, 1]), "reverse": m.choice([None, 0, 1])})


@operator("TopK", share=2)
def top_k(m: Model) -> None:
    x = m.data(("float32", "float64") + (("int32", "int64") if m.opset >= 11 else ()), (1, 4), exact=True)
    written = m.axis(x.rank) if m.opset >= 11 else m.integer(0, x.rank - 1)
    axis = written % x.rank
    k = m.integer(1, x.shape[axis])
    shape = [k if at == axis else size for at, size in enumerate(x.shape)]
    attributes = {"axis": None if axis == x.rank - 1 and m.chance(0.4) else written}
    operands = [x]
    if m.opset < 10:
        attributes["k"] = k
    else:
        operands.append(m.ints([k]))
    if m.opset >= 11:
        # Not sorted, the order is free.
        attributes.update(largest=m.choice([None, 0, 1]), sorted=m.choice([None, 1]))
    m.add("TopK", operands, [(x.type, shape, True), ("int64", shape, True)], attributes)


# Normalizations ----------------------------------------------------------


@operator("Hardmax", "LogSoftmax", "Softmax")
def softmax(m: Model, name: str) -> None:
    x = m.data(FLOATS, (1, 4), exact=name == "Hardmax")
    axis = m.choice([None, m.axis(x.rank) if m.opset >= 11 else m.integer(0, x.rank - 1)])
    if axis is None and m.opset < 13 and x.rank < 2:
        axis = 0
    (y,) = m.add(name, [x], [(x.type, x.shape, name == "Hardmax")], {"axis": axis})
    y.range = (0, 1) if name != "LogSoftmax" else None


def parameters(m: Model, count: int, type: str, channels: int, within=(0.3, 2)):
    return [m.new((channels,), type, within if at == 0 else (-1, 1), constant=0.7) for at in range(count)]


@operator("BatchNormalization", share=2)
def batch_normalization(m: Model) -> None:
    x = m.data(FLOATS, (2, 5))
    channels = x.shape[1]
    kind = x.type if m.opset < 15 or m.chance(0.7) else "float32"
    scale, bias, mean = parameters(m, 3, kind, channels)
    variance = m.new((channels,), kind, (0.2, 2), constant=0.7)
    attributes = {"epsilon": m.choice([None, 1e-3]), "momentum": m.choice([None, 0.7])}
    if m.opset < 7:
        attributes["is_test"] = 1
    if m.opset < 9:
        attributes["spatial"] = m.choice([None, 1])
    results = [(x.type, x.shape)]
    if m.opset >= 14 and math.prod(x.shape) > channels:
        attributes["training_mode"] = m.choice([None, 0, 0, 1])
        if attributes["training_mode"]:
            results += [(kind, (channels,))] * 2
    m.add("BatchNormalization", [x, scale, bias, mean, variance], results, attributes)


@operator("InstanceNormalization")
def instance_normalization(m: Model) -> None:
    x = m.data(FLOATS, (3, 4), accept=lambda shape: math.prod(shape[2:]) > 1)
    m.add("InstanceNormalization", [x, *parameters(m, 2, x.type, x.shape[1])], [(x.type, x.shape)], {"epsilon": m.choice([None, 1e-3])})


@operator("GroupNormalization")
def group_normalization(m: Model) -> None:
    x = m.data(FLOATS, (3, 4), accept=lambda shape: math.prod(shape[2:]) > 1)
    groups = m.choice([count for count in range(1, x.shape[1] + 1) if x.shape[1] % count == 0])
    size = groups if m.opset < 21 else x.shape[1]
    m.add("GroupNormalization", [x, *parameters(m, 2, x.type, size)], [(x.type, x.shape)],
          {"num_groups": groups, "epsilon": m.choice([None, 1e-3]), "stash_type": m.choice([None, 1]) if m.opset >= 21 else None})


@operator("LayerNormalization", "RMSNormalization", share=2)
def layer_normalization(m: Model, name: str) -> None:
    x = m.data(FLOATS, (1, 4), accept=lambda shape: shape[-1] > 1)
    axis = m.choice([None, m.axis(x.rank)])
    at = x.rank - 1 if axis is None else axis % x.rank
    if math.prod(x.shape[at:]) < 2:
        axis, at = None, x.rank - 1
    shape = x.shape[at:]
    if m.chance(0.2):
        shape = tuple(1 if m.chance(0.5) else size for size in shape)
    operands = [x, m.new(shape, x.type, (0.3, 2), constant=0.7)]
    if name == "LayerNormalization" and m.chance(0.6):
        operands.append(m.new(shape, x.type, (-1, 1), constant=0.7))
    reduced = [size if dim < at else 1 for dim, size in enumerate(x.shape)]
    results = [(x.type, x.shape)]
    if name == "LayerNormalization" and m.chance(0.3):
        results += [("float32", reduced)] * 2
    m.add(name, operands, results, {"axis": axis, "epsilon": m.choice([None, 1e-3]), "stash_type": m.choice([None, 1])})


@operator("LRN")
def lrn(m: Model) -> None:
    x = m.data(FLOATS, (4, 4))
    m.add("LRN", [x], [(x.type, x.shape)],
          {"size": m.choice([1, 3, 5]), "alpha": m.choice([None, 0.02]), "beta": m.choice([None, 0.5]), "bias": m.choice([None, 2.0])})


@operator("LpNormalization")
def lp_normalization(m: Model) -> None:
    x = m.data(FLOATS, (1, 4))
    m.add("LpNormalization", [x], [(x.type, x.shape)], {"axis": m.choice([None, m.axis(x.rank)]), "p": m.choice([None, 1, 2])})


@operator("MeanVarianceNormalization")
def mean_variance_normalization(m: Model) -> None:
    x = m.data(FLOATS, (4, 4), accept=lambda shape: shape[0] * shape[2] * shape[3] > 4)
    axes = m.choice([None, [0, 2, 3], [1, 2, 3], [0, 1, 2, 3], [-1, -2]])
    size = math.prod(x.shape[axis] for axis in axes or (0, 2, 3))
    m.add("MeanVarianceNormalization", [x], [(x.type, x.shape)], {"axes": axes if size > 4 else None})


# Losses ------------------------------------------------------------------


@operator("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss", share=2)
def loss(m: Model, name: str) -> None:
    x = m.data(("float32", "float64", "float16"), (2, 4))
    classes, shape = x.shape[1], x.shape[:1] + x.shape[2:]
    target = m.new(shape, m.choice(["int64", "int32"]), within=(0, classes - 1))
    reduction = m.choice([None, "none", "sum", "mean"])
    ignored = m.choice([None, m.integer(0, classes - 1)]) if classes > 1 else None
    if ignored is not None and (target.data == ignored).all():
        ignored = None
    operands = [x, target] + ([m.new((classes,), x.type, (0.2, 2))] if m.chance(0.5) else [])
    results = [(x.type, shape if reduction == "none" else ())]
    if name == "SoftmaxCrossEntropyLoss" and m.chance(0.5):
        results.append((x.type, x.shape))
    m.add(name, operands, results, {"reduction": reduction, "ignore_index": ignored})
