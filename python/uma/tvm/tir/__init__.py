"""Primitive functions: expressions, statements, schedules and passes, as `tvm.tir`."""

from uma.tvm.tir import _parts, ir_builder, stmt_functor, transform  # noqa: F401  (the first gives expressions their methods)
from uma.tvm.tir.expr import *  # noqa: F403
from uma.tvm.tir.function import PrimFunc
from uma.tvm.tir.op import *  # noqa: F403
from uma.tvm.tir.schedule import Schedule
from uma.tvm.tir.stmt import *  # noqa: F403
from uma.tvm.te.tensor import max, min, prod, sum  # noqa: E402, F401  (te builds on the names above)
