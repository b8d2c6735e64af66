"""Primitive functions of tensors, as `tvm.te.create_prim_func`."""

from __future__ import annotations

import uma
from uma.tvm.ir import Range
from uma.tvm.runtime import _walk
from uma.tvm.te.tensor import COMBINERS, ComputeOp, ExternOp, PlaceholderOp
from uma.tvm.tir import expr as e
from uma.tvm.tir import stmt as s
from uma.tvm.tir._regions import as_buffer_regions
from uma.tvm.tir.function import PrimFunc
from uma.tvm.tir.stmt_functor import ir_transform, substitute

__all__ = ["create_prim_func"]


def order(outputs):
    """The operations behind tensors, producers first."""
    return _walk.post_order([tensor.op for tensor in outputs], lambda op: [tensor.op for tensor in op.input_tensors])


def unique_names(operations):
    """The names of the blocks: those of the operations, with a number where one has the name already."""
    names, taken = {}, set()
    for op in operations:
        name, number = op.name, 0
        while name in taken:
            number += 1
            name = f"{op.name}_{number}"
        taken.add(name)
        names[id(op)] = name
    return names


def _loads(expr, buffers):
    """The expression with loads of buffers in the place of elements of tensors."""

    def change(node):
        if isinstance(node, e.ProducerLoad):
            return e.BufferLoad(buffers[id(node.producer)], node.indices)
        return None

    return ir_transform(expr, None, change)


def _loops(op, name, buffers):
    """The loops and the block of a computation."""
    output = buffers[id(op.tensors[0])]
    axes = list(op.axis) + op.reduce_axis
    loop_vars = [e.Var(axis.var.name) for axis in axes]
    block_vars = [e.IterVar(Range(axis.dom.extent), e.Var(f"v_{axis.var.name}"), axis.iter_type) for axis in axes]
    # Blocks count from 0; axes may begin elsewhere.
    values = {axis.var: block.var + axis.dom.min for axis, block in zip(axes, block_vars)}
    indices = [block.var for block in block_vars[:len(op.axis)]]
    body, init = op.body[0], None
    if isinstance(body, e.Reduce):
        source = substitute(_loads(body.source, buffers), values)
        if body.condition is not None:
            source = e.Select(substitute(_loads(body.condition, buffers), values), source, body.init)
        init = s.BufferStore(output, body.init, indices)
        body = COMBINERS[body.combiner](e.BufferLoad(output, indices), source)
    else:
        body = substitute(_loads(body, buffers), values)
    store = s.BufferStore(output, body, indices)
    reads, writes = as_buffer_regions(store, block_vars, init)
    statement = s.BlockRealize(loop_vars, True, s.Block(block_vars, reads, writes, name, store, init))
    if not axes:
        return store
    for axis, var in reversed(list(zip(axes, loop_vars))):
        if not isinstance(axis.dom.extent, e.IntImm):
            raise uma.Error(f"the axis '{axis.var}' of '{op.name}' has an extent that is not known: {axis.dom.extent}")
        statement = s.For(var, 0, axis.dom.extent, s.ForKind.SERIAL, statement)
    return statement


def _replace_buffers(body, new_by_id):
    """The statements with other buffers."""
    from uma.tvm.tir.stmt_functor import copy_with

    def change(node):
        if isinstance(node, (e.BufferLoad, s.BufferStore)) and id(node.buffer.data) in new_by_id:
            return copy_with(node, buffer=new_by_id[id(node.buffer.data)])
        if isinstance(node, e.Var) and id(node) in new_by_id:
            return new_by_id[id(node)].data
        return None

    return ir_transform(body, None, change)


def create_prim_func(ops):
    """The function that computes tensors: `te.create_prim_func([A, B, C])`, with parameters in this order."""
    parameters = list(ops)
    outputs = [tensor for tensor in parameters if not isinstance(tensor.op, PlaceholderOp)]
    operations = order(outputs)
    names = unique_names(operations)
    buffers, buffer_map, params, local = {}, {}, [], []
    for tensor in parameters:
        buffer = s.Buffer(tensor.shape, tensor.dtype, names.get(id(tensor.op), tensor.name))
        buffers[id(tensor)] = buffer
        var = e.Var(tensor.name, "handle")
        params.append(var)
        buffer_map[var] = buffer
    statements = []
    for op in operations:
        if isinstance(op, PlaceholderOp):
            if id(op.tensors[0]) not in buffers:
                raise uma.Error(f"the tensor '{op.name}' is computed with but is no parameter of the function")
            continue
        for tensor in op.tensors:
            if id(tensor) not in buffers:
                buffers[id(tensor)] = s.Buffer(tensor.shape, tensor.dtype, names[id(op)])
                local.append(buffers[id(tensor)])
        if isinstance(op, ComputeOp):
            statements.append(_loops(op, names[id(op)], buffers))
        elif isinstance(op, ExternOp):
            new = {id(old.data): buffers[id(tensor)] for old, tensor in zip(op.input_placeholders, op.input_tensors)}
            new.update({id(old.data): buffers[id(tensor)] for old, tensor in zip(op.output_placeholders, op.tensors)})
            statements.append(_replace_buffers(op.body, new))
    body = s.stmt_seq(*statements)
    if local:
        body = s.BlockRealize([], True, s.Block([], [], [], "root", body, None, local))
    func = PrimFunc(params, body, None, buffer_map, {"global_symbol": "main", "tir.noalias": True})
    func.origin = [number for number, tensor in enumerate(parameters) if not isinstance(tensor.op, PlaceholderOp)]
    return func
