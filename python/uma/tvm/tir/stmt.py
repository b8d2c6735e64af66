"""Statements of primitive functions and buffers, with the names and fields of `tvm.tir`."""

from __future__ import annotations

import enum

from uma.tvm.ir import PointerType, PrimType
from uma.tvm.runtime import Object, convert_dtype
from uma.tvm.tir.expr import BufferLoad, IntImm, Var, as_expr, const

__all__ = ["Allocate", "AssertStmt", "AttrStmt", "Block", "BlockRealize", "Buffer", "BufferRegion", "BufferStore", "DeclBuffer", "Evaluate", "For", "ForKind",
           "IfThenElse", "LetStmt", "SeqStmt", "Stmt", "While", "decl_buffer", "stmt_list", "stmt_seq"]


class Buffer(Object):
    """A buffer: `data` is its pointer, `shape` its sizes."""

    def __init__(self, shape, dtype="float32", name="buffer", data=None, scope="global", strides=None, elem_offset=None):
        shape = shape if isinstance(shape, (list, tuple)) else [shape]
        self.shape = [as_expr(size) for size in shape]
        self.dtype = convert_dtype(dtype)
        self.name = name
        self._scope = scope
        self.data = data if data is not None else Var(name, "handle")
        self.data.type_annotation = PointerType(PrimType(self.dtype), scope)
        if not hasattr(self.data, "buffer_of_data"):
            self.data.buffer_of_data = self
        self.strides = list(strides or [])
        self.elem_offset = elem_offset or const(0)
        self.data_alignment = 64
        self.offset_factor = 1

    def scope(self):
        return self._scope

    def access_ptr(self, access_mask, ptr_type="handle", content_lanes=1, offset=0, extent=None):
        from uma.tvm.tir import tvm_access_ptr

        return tvm_access_ptr(self.dtype, self.data, offset, extent if extent is not None else 0, access_mask)

    def vload(self, begin, dtype=None):
        return BufferLoad(self, begin if isinstance(begin, (list, tuple)) else [begin])

    def vstore(self, begin, value):
        return BufferStore(self, value, begin if isinstance(begin, (list, tuple)) else [begin])

    def as_expr(self):
        return self.data

    def __getitem__(self, indices):
        return BufferLoad(self, indices if isinstance(indices, tuple) else [indices])

    def __str__(self):
        return f"{self.name}: Buffer[{tuple(map(int, self.shape))}, {self.dtype}]"


def decl_buffer(shape, dtype="float32", name="buffer", data=None, strides=None, elem_offset=None, scope="", data_alignment=-1, offset_factor=0,
                buffer_type="", axis_separators=None, span=None):
    """A buffer; with `data`, another view of the memory behind it."""
    return Buffer(shape, dtype, name, data, scope or "global", strides, elem_offset)


class Stmt(Object):
    """A statement; two are equal if they are the same object."""

    def __str__(self):
        from uma.tvm.tir._script import script

        return script(self)


class LetStmt(Stmt):
    def __init__(self, var, value, body, span=None):
        self.var, self.value, self.body = var, as_expr(value), body


class AttrStmt(Stmt):
    """`body` with an attribute."""

    def __init__(self, node, attr_key, value, body, span=None):
        self.node, self.attr_key, self.value, self.body = node, attr_key, value if value is None else as_expr(value), body


class AssertStmt(Stmt):
    def __init__(self, condition, message, body, span=None):
        self.condition, self.message, self.body = as_expr(condition), as_expr(message), body


class ForKind(enum.IntEnum):
    SERIAL = 0
    PARALLEL = 1
    VECTORIZED = 2
    UNROLLED = 3
    THREAD_BINDING = 4


class For(Stmt):
    """A loop over min <= loop_var < min + extent."""

    def __init__(self, loop_var, min, extent, kind=ForKind.SERIAL, body=None, thread_binding=None, annotations=None, span=None):
        self.loop_var = loop_var
        self.min = as_expr(min)
        self.extent = as_expr(extent)
        self.kind = ForKind(kind)
        self.body = body
        self.annotations = dict(annotations or {})

    min_value = property(lambda self: self.min)


class While(Stmt):
    def __init__(self, condition, body, span=None):
        self.condition, self.body = as_expr(condition), body


class Allocate(Stmt):
    """`body` with a buffer behind the pointer `buffer_var`."""

    def __init__(self, buffer_var, dtype, extents, condition=True, body=None, annotations=None, span=None):
        self.buffer_var = buffer_var
        self.dtype = convert_dtype(dtype)
        self.extents = [as_expr(extent) for extent in extents]
        self.condition = as_expr(condition)
        self.body = body
        self.annotations = dict(annotations or {})


class DeclBuffer(Stmt):
    def __init__(self, buffer, body, span=None):
        self.buffer, self.body = buffer, body


class BufferStore(Stmt):
    def __init__(self, buffer, value, indices, span=None):
        from uma.tvm.tir.expr import _cast

        self.buffer = buffer
        value = as_expr(value)
        self.value = value if value.dtype == buffer.dtype else _cast(value, buffer.dtype)
        self.indices = [as_expr(index) for index in indices]


class Evaluate(Stmt):
    """An expression for its effect, mostly a call."""

    def __init__(self, value, span=None):
        self.value = as_expr(value)


class SeqStmt(Stmt):
    """Statements in their order."""

    def __init__(self, seq, span=None):
        self.seq = list(seq)

    def __getitem__(self, index):
        return self.seq[index]

    def __len__(self):
        return len(self.seq)


class IfThenElse(Stmt):
    def __init__(self, condition, then_case, else_case=None, span=None):
        self.condition, self.then_case, self.else_case = as_expr(condition), then_case, else_case


class BufferRegion(Object):
    def __init__(self, buffer, region):
        self.buffer, self.region = buffer, list(region)

    def __str__(self):
        return f"{self.buffer.name}[{', '.join(f'{r.min}:{r.min + r.extent}' for r in self.region)}]"


class Block(Stmt):
    """A unit of computation; `name_hint` is its name. `alloc_buffers` live in it."""

    def __init__(self, iter_vars, reads, writes, name_hint, body, init=None, alloc_buffers=None, match_buffers=None, annotations=None, span=None):
        self.iter_vars = list(iter_vars)
        self.reads = list(reads)
        self.writes = list(writes)
        self.name_hint = name_hint
        self.body = body
        self.init = init
        self.alloc_buffers = list(alloc_buffers or [])
        self.match_buffers = list(match_buffers or [])
        self.annotations = dict(annotations or {})


class BlockRealize(Stmt):
    """A block with values for its variables."""

    def __init__(self, iter_values, predicate, block, span=None):
        self.iter_values = [as_expr(value) for value in iter_values]
        self.predicate = as_expr(predicate)
        self.block = block


def stmt_seq(*statements):
    """One statement of several."""
    flat = []
    for statement in statements:
        if isinstance(statement, SeqStmt):
            flat.extend(statement.seq)
        elif not (isinstance(statement, Evaluate) and isinstance(statement.value, IntImm)):
            flat.append(statement)
    if not flat:
        return Evaluate(0)
    return flat[0] if len(flat) == 1 else SeqStmt(flat)


def stmt_list(statement):
    return list(statement.seq) if isinstance(statement, SeqStmt) else [statement]


#: The statements and expressions in a statement, by the names of their fields.
STMT_FIELDS = {
    LetStmt: (("value",), ("body",)), AttrStmt: ((), ("body",)), AssertStmt: (("condition",), ("body",)), For: (("min", "extent"), ("body",)),
    While: (("condition",), ("body",)), Allocate: ((), ("body",)), DeclBuffer: ((), ("body",)), BufferStore: (("value",), ()),
    Evaluate: (("value",), ()), IfThenElse: (("condition",), ("then_case", "else_case")), Block: ((), ("init", "body")),
    BlockRealize: (("predicate",), ("block",)), SeqStmt: ((), ())
}
