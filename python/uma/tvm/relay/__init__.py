"""Networks as expressions, as `tvm.relay`."""

from __future__ import annotations

import sys

from uma.tvm.ir import GlobalVar, IRModule, TensorType, TupleType
from uma.tvm.relay import analysis, build_module, dataflow_pattern, expr_functor, frontend, op, transform
from uma.tvm.relay.build_module import build
from uma.tvm.relay.expr import Call, Constant, Expr, Function, If, Let, Tuple, TupleGetItem, TupleWrapper, Var, const, var
from uma.tvm.relay.expr_functor import ExprFunctor, ExprMutator, ExprVisitor
from uma.tvm.relay.op import *  # noqa: F403
from uma.tvm.relay.op import nn

sys.modules["uma.tvm.relay.nn"] = nn
