"""Tensor expressions, as `tvm.te`."""

from uma.tvm.te.operation import create_prim_func
from uma.tvm.te.schedule import Schedule, Stage, create_schedule
from uma.tvm.te.tensor import *  # noqa: F403
from uma.tvm.te.tensor_intrin import TensorIntrin, decl_tensor_intrin
from uma.tvm.tir.expr import *  # noqa: F403
from uma.tvm.tir.op import (abs, all, any, ceil, cos, erf, exp, floor, floordiv, floormod, if_then_else, indexdiv, indexmod, isnan, log, max_value, min_value,
                            nearbyint, power, round, rsqrt, sigmoid, sin, sqrt, tan, tanh, trunc, truncdiv, truncmod)
