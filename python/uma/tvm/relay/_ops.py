"""Relay's operators and the operators of `uma.graph` that they are."""

from __future__ import annotations

import uma


class OpInfo:
    """One operator. `fields` are Relay's attributes with their defaults; None is one that must be given. `to_graph` and `from_graph`
    translate attributes where the two differ: the first gets Relay's and the types of the arguments, the second the operation."""

    def __init__(self, relay, graph, fields=None, num_args=1, to_graph=None, from_graph=None):
        self.relay, self.graph, self.fields, self.num_args = relay, graph, dict(fields or {}), num_args
        self.to_graph = to_graph or (lambda attrs, types: {key: value for key, value in attrs.items() if value is not None})
        self.from_graph = from_graph or (lambda op: {key: value for key, value in op.get_attributes().items()})


REQUIRED = object()


def _axis(value, types):
    """An axis of the first tensor, counted from the front."""
    rank = len(types[0].shape)
    if not -rank <= int(value) < rank:
        raise ValueError(f"the axis is {value}, expected one of {rank} dimensions")
    return int(value) % rank


def _pair(value):
    return [int(v) for v in value] if isinstance(value, (list, tuple)) else [int(value)] * 2


def pad4(value):
    """Top, left, bottom and right of Relay's one, two or four numbers."""
    value = [int(v) for v in value] if isinstance(value, (list, tuple)) else [int(value)]
    if len(value) not in (1, 2, 4):
        raise ValueError(f"padding has one, two or four numbers, found {value}")
    return {1: value * 4, 2: value * 2, 4: value}[len(value)]


def _pad2(value):
    value = [int(v) for v in value] if isinstance(value, (list, tuple)) else [int(value)]
    return value * 2 if len(value) == 1 else value


def _conv_to_graph(attrs, types):
    result = {"strides": _pair(attrs["strides"]), "padding": pad4(attrs["padding"]), "dilations": _pair(attrs["dilation"]), "groups": int(attrs["groups"])}
    for key, default in (("data_layout", "NCHW"), ("kernel_layout", "OIHW")):
        if attrs[key] != default:
            result[key] = attrs[key]
    if attrs["out_dtype"] and attrs["out_dtype"] != types[0].dtype:
        result["out_dtype"] = attrs["out_dtype"]
    return result


def _kernel(op):
    layout = op.get_attribute("kernel_layout") or "OIHW"
    sizes = dict(zip(layout, op.operands[1].type.shape))
    return sizes["O"], [sizes["H"], sizes["W"]]


def _conv_from_graph(op):
    attributes = op.get_attributes()
    channels, kernel = _kernel(op)
    result = {
        "strides": attributes.get("strides", [1, 1]), "padding": attributes.get("padding", [0] * 4), "dilation": attributes.get("dilations", [1, 1]),
        "groups": attributes.get("groups", 1), "channels": channels, "kernel_size": kernel,
        "data_layout": attributes.get("data_layout", "NCHW"), "kernel_layout": attributes.get("kernel_layout", "OIHW"), "out_layout": "",
        "out_dtype": ""
    }
    if "out_dtype" in attributes:
        from uma.tvm.tir._types import to_dtype

        result["out_dtype"] = to_dtype(str(attributes["out_dtype"]))
    return result


def conv1d_from_graph(op):
    """The attributes of a convolution with a height of 1 as one of one dimension."""
    result = _conv_from_graph(op)
    result.update(strides=result["strides"][1:], dilation=result["dilation"][1:], kernel_size=result["kernel_size"][1:],
                  padding=[result["padding"][1], result["padding"][3]], data_layout="NCW", kernel_layout="OIW")
    return result


def is_conv1d(op):
    """Whether a conv2d has a height of 1, as one-dimensional convolutions have here."""
    return op.name == "uma.graph.conv2d" and op.operands[0].type.shape[2] == 1 and _kernel(op)[1][0] == 1 and \
        (op.get_attribute("data_layout") or "NCHW") == "NCHW"


def _conv1d_to_graph(attrs, types):
    stride, dilation = ([int(attrs[k][0])] if isinstance(attrs[k], (list, tuple)) else [int(attrs[k])] for k in ("strides", "dilation"))
    left, right = _pad2(attrs["padding"])
    result = {"strides": [1] + stride, "padding": [0, left, 0, right], "dilations": [1] + dilation, "groups": int(attrs["groups"])}
    if attrs["out_dtype"] and attrs["out_dtype"] != types[0].dtype:
        result["out_dtype"] = attrs["out_dtype"]
    return result


def _pool_to_graph(attrs, types):
    result = {"pool_size": _pair(attrs["pool_size"]), "strides": _pair(attrs["strides"]), "padding": pad4(attrs["padding"]),
              "dilations": _pair(attrs["dilation"]), "ceil_mode": bool(attrs["ceil_mode"])}
    if "count_include_pad" in attrs:
        result["count_include_pad"] = bool(attrs["count_include_pad"])
    if attrs["layout"] != "NCHW":
        result["data_layout"] = attrs["layout"]
    return result


def _pool_from_graph(op):
    attributes = op.get_attributes()
    attributes["dilation"] = attributes.pop("dilations", [1, 1])
    attributes["layout"] = attributes.pop("data_layout", "NCHW")
    return attributes


def _global_pool(attrs, types):
    return {} if attrs["layout"] == "NCHW" else {"data_layout": attrs["layout"]}


def _reduce_to_graph(attrs, types):
    rank = len(types[0].shape)
    axis = attrs["axis"]
    axis = list(range(rank)) if axis is None else [_axis(a, types) for a in (axis if isinstance(axis, (list, tuple)) else [axis])]
    if attrs["exclude"]:
        axis = [a for a in range(rank) if a not in axis]
    return {"axis": sorted(axis), "keepdims": bool(attrs["keepdims"])}


def _pad_to_graph(attrs, types):
    widths = [list(map(int, pair)) for pair in attrs["pad_width"]]
    return {"pad_before": [a for a, _ in widths], "pad_after": [b for _, b in widths], "pad_value": float(attrs["pad_value"]),
            "pad_mode": attrs["pad_mode"]}


def _pad_from_graph(op):
    a = op.get_attributes()
    return {"pad_width": [list(pair) for pair in zip(a["pad_before"], a["pad_after"])], "pad_mode": a.get("pad_mode", "constant"),
            "pad_value": a.get("pad_value", 0.0)}


def _reshape_to_graph(attrs, types):
    import numpy as np

    shape = list(types[0].concrete_shape)
    new = [int(n) if int(n) else shape[i] for i, n in enumerate(attrs["newshape"])]
    if any(n < -1 for n in new):
        raise ValueError(f"reshape to {attrs['newshape']}: expected sizes, 0 or -1")
    if -1 in new:
        rest = -int(np.prod(new)) or 1
        new[new.index(-1)] = int(np.prod(shape)) // rest
    return {"newshape": new}


def _transpose_to_graph(attrs, types):
    axes = attrs["axes"]
    return {"axes": [_axis(a, types) for a in axes] if axes else list(reversed(range(len(types[0].shape))))}


def _clip_to_graph(attrs, types):
    return {"a_min": float(attrs["a_min"]), "a_max": float(attrs["a_max"])}


_CONV = {"strides": (1, 1), "padding": (0, 0), "dilation": (1, 1), "groups": 1, "channels": None, "kernel_size": None, "data_layout": "NCHW",
         "kernel_layout": "OIHW", "out_layout": "", "out_dtype": ""}
_CONV1 = {**_CONV, "strides": 1, "padding": 0, "dilation": 1, "data_layout": "NCW", "kernel_layout": "OIW"}
_POOL = {"pool_size": (1, 1), "strides": (1, 1), "dilation": (1, 1), "padding": (0, 0), "layout": "NCHW", "out_layout": "", "ceil_mode": False}
_REDUCE = {"axis": None, "keepdims": False, "exclude": False}


def _drop(*names):
    return lambda attrs, types: {key: value for key, value in attrs.items() if key not in names and value is not None}


_INFOS = [
    OpInfo("nn.conv2d", "conv2d", _CONV, 2, _conv_to_graph, _conv_from_graph),
    OpInfo("nn.conv1d", "conv2d", _CONV1, 2, _conv1d_to_graph, _conv_from_graph),
    OpInfo("nn.dense", "dense", {"units": None, "out_dtype": ""}, 2,
           lambda attrs, types: {"out_dtype": attrs["out_dtype"]} if attrs["out_dtype"] and attrs["out_dtype"] != types[0].dtype else {},
           lambda op: {"units": op.operands[1].type.shape[0], "out_dtype": ""}),
    OpInfo("nn.batch_matmul", "batch_matmul", {"out_dtype": "", "transpose_a": False, "transpose_b": True}, 2, _drop("out_dtype")),
    OpInfo("nn.bias_add", "bias_add", {"axis": 1}, 2, lambda attrs, types: {"axis": _axis(attrs["axis"], types)}),
    OpInfo("nn.relu", "relu"),
    OpInfo("nn.leaky_relu", "leaky_relu", {"alpha": REQUIRED}),
    OpInfo("nn.prelu", "prelu", {"axis": 1}, 2, _drop("axis")),
    OpInfo("nn.softmax", "softmax", {"axis": -1}, 1, lambda attrs, types: {"axis": _axis(attrs["axis"], types)}),
    OpInfo("nn.log_softmax", "log_softmax", {"axis": -1}, 1, lambda attrs, types: {"axis": _axis(attrs["axis"], types)}),
    OpInfo("nn.max_pool2d", "max_pool2d", _POOL, 1, _pool_to_graph, _pool_from_graph),
    OpInfo("nn.avg_pool2d", "avg_pool2d", {**_POOL, "count_include_pad": False}, 1, _pool_to_graph, _pool_from_graph),
    OpInfo("nn.global_max_pool2d", "global_max_pool2d", {"layout": "NCHW", "out_layout": ""}, 1, _global_pool, _pool_from_graph),
    OpInfo("nn.global_avg_pool2d", "global_avg_pool2d", {"layout": "NCHW", "out_layout": ""}, 1, _global_pool, _pool_from_graph),
    OpInfo("nn.batch_flatten", "batch_flatten"),
    OpInfo("nn.pad", "pad", {"pad_width": REQUIRED, "pad_value": 0.0, "pad_mode": "constant"}, 1, _pad_to_graph, _pad_from_graph),
    OpInfo("nn.batch_norm", "batch_norm", {"axis": 1, "epsilon": 1e-5, "center": True, "scale": True}, 5, _drop("center", "scale")),
    OpInfo("nn.layer_norm", "layer_norm", {"axis": -1, "epsilon": 1e-5, "center": True, "scale": True}, 3, _drop("center", "scale")),
    OpInfo("nn.lrn", "lrn", {"size": 5, "axis": 1, "bias": 2.0, "alpha": 1e-5, "beta": 0.75}, 1, _drop("axis")),
    OpInfo("clip", "clip", {"a_min": REQUIRED, "a_max": REQUIRED}, 1, _clip_to_graph),
    OpInfo("cast", "cast", {"dtype": REQUIRED}, 1, lambda attrs, types: {"dtype": attrs["dtype"]}, None),
    OpInfo("reshape", "reshape", {"newshape": REQUIRED}, 1, _reshape_to_graph),
    OpInfo("transpose", "transpose", {"axes": None}, 1, _transpose_to_graph),
    OpInfo("concatenate", "concatenate", {"axis": 0}, -1,
           lambda attrs, types: {"axis": _axis(attrs["axis"], types)}),
    OpInfo("strided_slice", "strided_slice", {"begin": REQUIRED, "end": None, "strides": None, "slice_mode": "end", "axes": None}, 1,
           lambda attrs, types: slice_attributes(attrs, types[0].concrete_shape),
           lambda op: {"begin": op.get_attribute("begin"), "strides": op.get_attribute("strides"), "slice_mode": "end", "axes": None,
                       "end": [b + n * s for b, n, s in zip(*map(op.get_attribute, ("begin", "size", "strides")))]}),
    OpInfo("broadcast_to", "broadcast_to", {"shape": REQUIRED}, 1, lambda attrs, types: {"shape": [int(n) for n in attrs["shape"]]}),
    OpInfo("take", "take", {"axis": None, "mode": "clip", "batch_dims": 0}, 2, _drop("mode", "batch_dims")),
    OpInfo("where", "where", {}, 3),
    OpInfo("argmax", "argmax", {"axis": REQUIRED, "keepdims": False, "select_last_index": False, "exclude": False}, 1,
           lambda attrs, types: {"axis": _axis(attrs["axis"] if not isinstance(attrs["axis"], (list, tuple)) else attrs["axis"][0], types),
                                 "keepdims": bool(attrs["keepdims"])}),
]
_INFOS += [OpInfo(name, name, _REDUCE, 1, _reduce_to_graph) for name in ("sum", "mean", "max", "min", "prod")]
_INFOS += [OpInfo(name, name, {}, 2) for name in ("add", "subtract", "multiply", "divide", "power", "maximum", "minimum", "mod", "floor_mod", "equal",
                                                  "not_equal", "greater", "greater_equal", "less", "less_equal", "logical_and", "logical_or",
                                                  "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")]
_INFOS += [OpInfo(name, name) for name in ("abs", "negative", "sign", "ceil", "floor", "round", "exp", "log", "sqrt", "erf", "sin", "cos", "tan", "asin",
                                           "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sigmoid", "logical_not", "bitwise_not",
                                           "isnan", "isinf")]

BY_RELAY = {info.relay: info for info in _INFOS}
BY_GRAPH = {info.graph: info for info in reversed(_INFOS)}
#: Operators that quantize explicitly in Relay; tensors have quantized types here.
QNN = ("qnn.conv2d", "qnn.dense", "qnn.add", "qnn.requantize", "qnn.quantize", "qnn.dequantize", "qnn.conv1d", "qnn.mul", "qnn.concatenate")


def slice_attributes(attrs, shape):
    """Begin, number and distance of the elements along every axis."""
    begin, end, strides = [], [], []
    axes = list(attrs["axes"]) if attrs["axes"] is not None else list(range(len(attrs["begin"])))
    for axis, size in enumerate(shape):
        if axis not in axes or axes.index(axis) >= len(attrs["begin"]):
            begin, end, strides = begin + [0], end + [size], strides + [1]
            continue
        at = axes.index(axis)
        step = int(attrs["strides"][at]) if attrs["strides"] else 1
        stop = int(attrs["end"][at]) if attrs["end"] else size
        if attrs["slice_mode"] == "size":
            stop = size if stop < 0 else int(attrs["begin"][at]) + stop
        first, last, step = slice(int(attrs["begin"][at]), stop, step).indices(size)
        begin.append(first)
        end.append(last)
        strides.append(step)
    return {"begin": begin, "size": [len(range(b, e, s)) for b, e, s in zip(begin, end, strides)], "strides": strides}


def lookup(name):
    """The operator that Relay calls `name`. Operators that only `uma.graph` has are called by their names there."""
    info = BY_RELAY.get(name)
    if info is None and name not in QNN and name in graph_names():
        info = OpInfo(name, name, {}, None)
    if info is not None:
        return info
    if name in QNN:
        raise uma.Error(f"'{name}': quantized tensors have quantized types here, and patterns in Python are for plain ones; a description (`.uma`) with "
                        "'requantize' takes them, see docs/description-language.md#quantized-tensors")
    known = list(BY_RELAY) + sorted(graph_names())
    raise uma.Error(f"there is no operator '{name}'{uma._uma.suggest(name, known)}")


_names = None


def graph_names():
    """The operators of `uma.graph`."""
    global _names
    if _names is None:
        _names = set(uma._uma.graph_operators())
    return _names
