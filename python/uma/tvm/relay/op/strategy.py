"""Strategies of operators, as `tvm.relay.op.strategy`."""

from __future__ import annotations

from uma.tvm.runtime import Object

__all__ = ["OpImplementation", "OpSpecialization", "OpStrategy", "naive_schedule", "schedule_injective", "wrap_compute_conv1d", "wrap_compute_conv2d",
           "wrap_compute_dense", "wrap_topi_compute", "wrap_topi_schedule"]


class OpImplementation(Object):
    """One way to compute an operator: tensors, and their schedule."""

    def __init__(self, compute, schedule, name, plevel):
        self._compute, self._schedule, self.name, self.plevel = compute, schedule, name, plevel

    def compute(self, attrs, inputs, out_type):
        return self._compute(attrs, inputs, out_type)

    def schedule(self, attrs, outs, target):
        return self._schedule(attrs, outs, target)


class OpSpecialization(Object):
    def __init__(self, implementations):
        self.implementations = implementations
        self.condition = None


class OpStrategy(Object):
    """Ways to compute an operator; the one of the highest level is taken."""

    def __init__(self):
        self.implementations = []

    @property
    def specializations(self):
        return [OpSpecialization(self.implementations)]

    def add_implementation(self, compute, schedule, name="default", plevel=10):
        """Adds a way: `compute(attrs, inputs, out_type)` gives a list of tensors, `schedule(attrs, outs, target)` a schedule."""
        if not callable(compute) or not callable(schedule):
            raise TypeError("an implementation has a function for the compute and one for the schedule; wrap_compute_… and wrap_topi_schedule make them")
        self.implementations.append(OpImplementation(compute, schedule, name, plevel))


def naive_schedule(attrs, outs, target):
    """Loops as they are."""
    from uma.tvm import te

    outs = outs if isinstance(outs, (list, tuple)) else [outs]
    return te.create_schedule([out.op for out in outs])


def schedule_injective(attrs, outs, target):
    return naive_schedule(attrs, outs, target)


def wrap_topi_schedule(topi_schedule):
    """Makes a schedule of a function of the results."""

    def wrapper(attrs, outs, target):
        return topi_schedule(outs)

    return wrapper


def wrap_topi_compute(topi_compute):
    def wrapper(attrs, inputs, out_type):
        return [topi_compute(*inputs)]

    return wrapper


def _as_list(result):
    return list(result) if isinstance(result, (list, tuple)) else [result]


def wrap_compute_conv2d(topi_compute, *, need_data_layout=False, need_kernel_layout=False, need_out_layout=False, has_groups=False, need_auto_scheduler_layout=False,
                        need_meta_schedule_layout=False):
    """Makes a compute of a function (data, kernel, strides, padding, dilation, …, out_dtype)."""

    def compute(attrs, inputs, out_type):
        args = [inputs[0], inputs[1], attrs.get_int_tuple("strides"), attrs.get_int_tuple("padding"), attrs.get_int_tuple("dilation")]
        if has_groups:
            args.append(attrs.get_int("groups"))
        if need_data_layout:
            args.append(attrs.get_str("data_layout"))
        if need_kernel_layout:
            args.append(attrs.get_str("kernel_layout"))
        if need_out_layout:
            args.append(attrs.get_str("out_layout"))
        args.append(attrs.get_str("out_dtype") or inputs[0].dtype)
        return _as_list(topi_compute(*args))

    return compute


def wrap_compute_conv1d(topi_compute):
    """Makes a compute of a function (data, kernel, strides, padding, dilation, layout, out_dtype)."""

    def compute(attrs, inputs, out_type):
        return _as_list(topi_compute(inputs[0], inputs[1], attrs.get_int_tuple("strides")[0], attrs.get_int_tuple("padding"),
                                     attrs.get_int_tuple("dilation")[0], attrs.get_str("data_layout"), attrs.get_str("out_dtype") or inputs[0].dtype))

    return compute


def wrap_compute_dense(topi_compute, need_auto_scheduler_layout=False, need_meta_schedule_layout=False):
    """Makes a compute of a function (data, weight, bias, out_dtype)."""

    def compute(attrs, inputs, out_type):
        return _as_list(topi_compute(inputs[0], inputs[1], None, attrs.get_str("out_dtype") or inputs[0].dtype))

    return compute
