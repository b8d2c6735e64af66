"""Computations of neural networks, as `tvm.topi.nn`."""

from __future__ import annotations

from uma.tvm import te, tir

__all__ = ["bias_add", "conv1d", "conv1d_ncw", "conv2d", "conv2d_nchw", "conv2d_nhwc", "dense", "depthwise_conv2d_nchw", "pad", "relu"]


def _numbers(value, count):
    value = [int(v) for v in value] if isinstance(value, (list, tuple)) else [int(value)] * count
    return value


def _pads(padding, count):
    """Numbers before and after each dimension, of one, one per dimension or all."""
    padding = _numbers(padding, count)
    padding = padding * (2 * count) if len(padding) == 1 else padding * 2 if len(padding) == count else padding
    return padding[:count], padding[count:]


def pad(data, pad_before, pad_after=None, pad_value=0.0, name="pad_temp", pad_mode="constant"):
    """The tensor with elements `pad_value` around it."""
    before = _numbers(pad_before, data.ndim)
    after = _numbers(pad_before if pad_after is None else pad_after, data.ndim)
    shape = [int(size) + b + a for size, b, a in zip(data.shape, before, after)]
    value = tir.const(pad_value, data.dtype)

    def element(*indices):
        conditions, inner = [], []
        for i, b, a, size in zip(indices, before, after, data.shape):
            inner.append(i - b)
            if b:
                conditions.append(i >= b)
            if a:
                conditions.append(i < size + b)
        return tir.if_then_else(tir.all(*conditions), data(*inner), value) if conditions else data(*inner)

    return te.compute(shape, element, name=name, tag="injective,pad")


def relu(x):
    """max(x, 0)."""
    return te.compute(x.shape, lambda *i: tir.Max(x(*i), tir.const(0, x.dtype)), name="T_relu", tag="elemwise")


def bias_add(data, bias, axis=1):
    axis %= data.ndim
    return te.compute(data.shape, lambda *i: data(*i) + bias(i[axis]), name="T_add", tag="broadcast")


def _out_dtype(dtype, data):
    return dtype or data.dtype


def conv2d_nchw(Input, Filter, stride, padding, dilation, out_dtype=None, groups=1):
    """Convolution of NCHW data and OIHW weights: a block `pad_temp`, then `conv2d_nchw` in the loops nn, ff, yy, xx, rc, ry, rx."""
    return _conv_nchw(Input, Filter, stride, padding, dilation, out_dtype, groups, "conv2d_nchw" if groups == 1 else "group_conv2d_nchw")


def depthwise_conv2d_nchw(Input, Filter, stride, padding, dilation, out_dtype=None):
    return _conv_nchw(Input, Filter, stride, padding, dilation, out_dtype, int(Input.shape[1]), "DepthwiseConv2d")


def _conv_nchw(data, weight, stride, padding, dilation, out_dtype, groups, name):
    (sh, sw), (dh, dw) = _numbers(stride, 2), _numbers(dilation, 2)
    n, channels, height, width = (int(size) for size in data.shape)
    filters, depth, kh, kw = (int(size) for size in weight.shape)
    (top, left), (bottom, right) = _pads(padding, 2)
    out_h = (height + top + bottom - dh * (kh - 1) - 1) // sh + 1
    out_w = (width + left + right - dw * (kw - 1) - 1) // sw + 1
    dtype = _out_dtype(out_dtype, data)
    temp = pad(data, [0, 0, top, left], [0, 0, bottom, right], name="pad_temp")
    rc = te.reduce_axis((0, depth), name="rc")
    ry = te.reduce_axis((0, kh), name="ry")
    rx = te.reduce_axis((0, kw), name="rx")
    per_group = filters // groups

    def channel(ff):
        return rc.var if groups == 1 else ff // per_group * depth + rc.var

    return te.compute((n, filters, out_h, out_w), lambda nn, ff, yy, xx: te.sum(
        temp(nn, channel(ff), yy * sh + ry.var * dh, xx * sw + rx.var * dw).astype(dtype) * weight(ff, rc.var, ry.var, rx.var).astype(dtype),
        axis=[rc, ry, rx]), name=name, tag="conv2d_nchw")


def conv2d_nhwc(Input, Filter, stride, padding, dilation, out_dtype="float32", auto_scheduler_rewritten_layout="", kernel_layout="HWIO", groups=1):
    """Convolution of NHWC data."""
    (sh, sw), (dh, dw) = _numbers(stride, 2), _numbers(dilation, 2)
    n, height, width, channels = (int(size) for size in Input.shape)
    sizes = dict(zip(kernel_layout, (int(size) for size in Filter.shape)))
    (top, left), (bottom, right) = _pads(padding, 2)
    out_h = (height + top + bottom - dh * (sizes["H"] - 1) - 1) // sh + 1
    out_w = (width + left + right - dw * (sizes["W"] - 1) - 1) // sw + 1
    dtype = _out_dtype(out_dtype, Input)
    temp = pad(Input, [0, top, left, 0], [0, bottom, right, 0], name="pad_temp")
    ry = te.reduce_axis((0, sizes["H"]), name="ry")
    rx = te.reduce_axis((0, sizes["W"]), name="rx")
    rc = te.reduce_axis((0, sizes["I"]), name="rc")
    per_group = sizes["O"] // groups

    def weight(ff):
        places = {"O": ff, "I": rc.var, "H": ry.var, "W": rx.var}
        return Filter(*[places[letter] for letter in kernel_layout])

    return te.compute((n, out_h, out_w, sizes["O"]), lambda nn, yy, xx, ff: te.sum(
        temp(nn, yy * sh + ry.var * dh, xx * sw + rx.var * dw, rc.var if groups == 1 else ff // per_group * sizes["I"] + rc.var).astype(dtype)
        * weight(ff).astype(dtype), axis=[ry, rx, rc]), name="conv2d_nhwc", tag="conv2d_nhwc")


def conv2d(data, kernel, strides, padding, dilation, data_layout="NCHW", out_dtype=None, groups=1, kernel_layout=""):
    """Convolution in either layout."""
    if data_layout == "NCHW" and kernel_layout in ("", "OIHW"):
        if groups > 1 and groups == int(data.shape[1]) == int(kernel.shape[0]):
            return depthwise_conv2d_nchw(data, kernel, strides, padding, dilation, out_dtype)
        return conv2d_nchw(data, kernel, strides, padding, dilation, out_dtype, groups)
    if data_layout == "NHWC":
        return conv2d_nhwc(data, kernel, strides, padding, dilation, out_dtype or data.dtype, kernel_layout=kernel_layout or "HWIO", groups=groups)
    raise ValueError(f"a convolution of {data_layout} data and {kernel_layout} weights; layouts are NCHW with OIHW, and NHWC")


def conv1d_ncw(data, kernel, strides=1, padding="VALID", dilation=1, out_dtype=None, groups=1):
    """Convolution in one dimension: a block `pad_temp`, then `conv1d_ncw` in the loops b, c, w, rc, rw."""
    stride, dilation = _numbers(strides, 1)[0], _numbers(dilation, 1)[0]
    n, channels, width = (int(size) for size in data.shape)
    filters, depth, kw = (int(size) for size in kernel.shape)
    (left,), (right,) = ([0], [0]) if padding == "VALID" else _pads(padding, 1)
    out_w = (width + left + right - dilation * (kw - 1) - 1) // stride + 1
    dtype = _out_dtype(out_dtype, data)
    temp = pad(data, [0, 0, left], [0, 0, right], name="pad_temp")
    rc = te.reduce_axis((0, depth), name="rc")
    rw = te.reduce_axis((0, kw), name="rw")
    per_group = filters // groups
    return te.compute((n, filters, out_w), lambda b, c, w: te.sum(
        temp(b, rc.var if groups == 1 else c // per_group * depth + rc.var, w * stride + rw.var * dilation).astype(dtype)
        * kernel(c, rc.var, rw.var).astype(dtype), axis=[rc, rw]), name="conv1d_ncw", tag="conv1d_ncw")


def conv1d(data, kernel, strides=1, padding="VALID", dilation=1, data_layout="NCW", out_dtype=None, groups=1):
    if data_layout != "NCW":
        raise ValueError(f"a one-dimensional convolution of {data_layout} data; the layout is NCW")
    return conv1d_ncw(data, kernel, strides, padding, dilation, out_dtype, groups)


def dense(tensor_a, tensor_b, bias=None, out_dtype=None, transpose_a=False, transpose_b=True, auto_scheduler_rewritten_layout="", meta_schedule_original_shape=None):
    """data * weight^T: a block `T_matmul_NT` in the loops i, j, k."""
    m, depth = (int(size) for size in tensor_a.shape)
    dtype = out_dtype or tensor_a.dtype
    k = te.reduce_axis((0, depth), name="k")
    n = int(tensor_b.shape[0 if transpose_b else 1])
    name = "T_matmul_NT" if transpose_b else "T_matmul_NN"
    result = te.compute((m, n), lambda i, j: te.sum(
        tensor_a(i, k.var).astype(dtype) * (tensor_b(j, k.var) if transpose_b else tensor_b(k.var, j)).astype(dtype), axis=k), name=name, tag="dense")
    return result if bias is None else te.compute((m, n), lambda i, j: result(i, j) + bias(j), name="T_add", tag="broadcast")
