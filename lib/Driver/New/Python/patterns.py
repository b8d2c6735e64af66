"""What the accelerator takes."""

from uma.tvm.relay.dataflow_pattern import is_op, wildcard


def conv2d_pattern():
    """A convolution of floats without groups that moves by one."""
    pattern = is_op("nn.conv2d")(wildcard().has_dtype("float32"), wildcard().has_dtype("float32"))
    return pattern.has_attr({"strides": [1, 1], "dilation": [1, 1], "groups": 1, "data_layout": "NCHW", "kernel_layout": "OIHW"})


def same_padding(extract):
    """The accelerator computes one image, and pads such that the result has its size. The text says why a layer stays on the CPU."""
    kernel = [int(size) for size in extract.attrs.kernel_size]
    if int(extract.args[0].checked_type.shape[0]) != 1:
        return "it has several images"
    if any(size % 2 == 0 for size in kernel):
        return f"the kernel is {kernel}, the accelerator needs odd sizes"
    padding = [int(size) for size in extract.attrs.padding]
    wanted = [kernel[0] // 2, kernel[1] // 2] * 2
    return padding == wanted or f"the padding is {padding}, the accelerator pads by {wanted}"
