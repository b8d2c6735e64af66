"""Intrinsics, as `tvm.te.decl_tensor_intrin`."""

from __future__ import annotations

import uma
from uma.tvm.runtime import Object

__all__ = ["TensorIntrin", "decl_tensor_intrin"]


class TensorIntrin(Object):
    """A computation that a C function does: `op` says what, `body` calls it."""

    def __init__(self, name, op, inputs, buffers, body):
        self.name, self.op, self.inputs, self.buffers, self.body = name, op, inputs, buffers, body


def decl_tensor_intrin(op, fcompute, name="tensor_intrin", binds=None, scalar_params=None, default_buffer_params=None):
    """An intrinsic that computes `op`. `fcompute(ins, outs)` gives the call."""
    from uma.tvm.tir.stmt import Buffer, Evaluate, Stmt

    inputs = list(op.input_tensors)
    binds = binds or {}
    buffers = [binds.get(tensor) or Buffer(tensor.shape, tensor.dtype, tensor.name) for tensor in inputs + op.tensors]
    body = fcompute(buffers[:len(inputs)], buffers[len(inputs):])
    if isinstance(body, tuple):
        body = body[0]
    return TensorIntrin(name, op, inputs, buffers, body if isinstance(body, Stmt) else Evaluate(body))


def apply(native, loop, intrin):
    """Replaces a loop by the call of an intrinsic."""
    from uma.tvm.te.operation import create_prim_func
    from uma.tvm.tir import expr as e
    from uma.tvm.tir._text import print_function
    from uma.tvm.tir.stmt_functor import post_order_visit

    calls = []
    post_order_visit(intrin.body, lambda node: calls.append(node) if isinstance(node, e.Call) and node.op.name == "tir.call_extern" else None)
    if len(calls) != 1:
        raise uma.Error(f"the intrinsic '{intrin.name}' has {len(calls)} calls of call_extern, expected one")
    func = create_prim_func([*intrin.inputs, *intrin.op.tensors])
    numbers = {id(buffer.data): f"@{position}@" for position, buffer in enumerate(intrin.buffers)}
    for position, buffer in enumerate(intrin.buffers):
        for dim, stride in enumerate(buffer.strides):
            if isinstance(stride, e.Var):
                numbers[id(stride)] = f"@{position}.{dim}@"
    pieces = []
    for arg in calls[0].args[1:]:
        if isinstance(arg, e.Call) and arg.op.name == "tir.tvm_access_ptr":
            arg = arg.args[1]
        if id(arg) in numbers:
            pieces.append(numbers[id(arg)])
        elif isinstance(arg, (e.IntImm, e.FloatImm)):
            pieces.append(repr(arg.value))
        else:
            raise uma.Error(f"the intrinsic '{intrin.name}' passes {arg}; expected pointers of its buffers, their strides and numbers")
    name = calls[0].args[0].value
    text = "module {\n" + print_function(func, "intrinsic", func.origin) + "}\n"
    native.tensorize(loop, text, name, f"{name}({', '.join(pieces)})")
