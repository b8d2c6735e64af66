"""Builds statements one after the other, as `tvm.tir.ir_builder`."""

from __future__ import annotations

import contextlib

import uma
from uma.tvm.tir.expr import BufferLoad, Var, as_expr
from uma.tvm.tir.stmt import (Allocate, AttrStmt, Buffer, BufferStore, Evaluate, For, ForKind, IfThenElse, LetStmt, Stmt, While, stmt_seq)

__all__ = ["BufferVar", "IRBuilder", "create"]


class BufferVar:
    """A buffer whose elements are read and written by `[ ]`, while a builder is at work."""

    def __init__(self, builder, buffer):
        self._builder = builder
        self._buffer = buffer

    asobject = lambda self: self._buffer.data  # noqa: E731

    def as_expr(self):
        return self._buffer.data

    @property
    def data(self):
        return self._buffer.data

    @property
    def dtype(self):
        return self._buffer.dtype

    @property
    def name(self):
        return self._buffer.name

    def _indices(self, index):
        index = list(index) if isinstance(index, (tuple, list)) else [index]
        if len(index) == 1 and len(self._buffer.shape) > 1:
            return [as_expr(index[0])]
        if len(index) != len(self._buffer.shape):
            raise ValueError(f"'{self.name}' has {len(self._buffer.shape)} dimensions, found {len(index)} indices")
        return index

    def __getitem__(self, index):
        return BufferLoad(self._buffer, self._indices(index))

    def __setitem__(self, index, value):
        self._builder.emit(BufferStore(self._buffer, value, self._indices(index)))


class IRBuilder:
    """Collects statements; `get` gives them as one."""

    def __init__(self):
        self._stack = [[]]

    def emit(self, stmt):
        """Adds a statement, or an expression for its effect. A function of the rest of the body is a scope around it."""
        self._stack[-1].append(stmt if isinstance(stmt, Stmt) or callable(stmt) else Evaluate(stmt))

    def _pop(self):
        body = []
        for entry in reversed(self._stack.pop()):
            body = [entry(stmt_seq(*body))] if callable(entry) and not isinstance(entry, Stmt) else [entry] + body
        return stmt_seq(*body)

    @contextlib.contextmanager
    def _scope(self, wrap, value=None):
        self._stack.append([])
        yield value
        body = self._pop()
        self.emit(wrap(body))

    def scope_attr(self, node, attr_key, value):
        self.emit(lambda body: AttrStmt(node, attr_key, value, body))

    def for_range(self, begin, end, name="i", dtype=None, kind="serial"):
        """`with ib.for_range(0, 8) as i:` is a loop. `kind` is serial, parallel, vectorize or unroll."""
        kinds = {"serial": ForKind.SERIAL, "parallel": ForKind.PARALLEL, "vectorize": ForKind.VECTORIZED, "unroll": ForKind.UNROLLED}
        if kind not in kinds:
            raise ValueError(f"a loop of the kind {kind!r}, expected {', '.join(kinds)}")
        var = Var(name, dtype or "int32")
        begin, end = as_expr(begin), as_expr(end)
        return self._scope(lambda body: For(var, begin, end - begin, kinds[kind], body), var)

    def while_loop(self, condition):
        return self._scope(lambda body: While(condition, body))

    def if_scope(self, cond):
        return self._scope(lambda body: IfThenElse(cond, body, None))

    def else_scope(self):
        """The other case of the `if_scope` just before."""
        scope = self._stack[-1]
        if not scope or not isinstance(scope[-1], IfThenElse) or scope[-1].else_case is not None:
            raise uma.Error("else_scope follows an if_scope")
        last = scope.pop()
        return self._scope(lambda body: IfThenElse(last.condition, last.then_case, body))

    def new_scope(self):
        return self._scope(lambda body: body)

    def let(self, var_name, value):
        value = as_expr(value)
        var = var_name if isinstance(var_name, Var) else Var(var_name, value.dtype)
        self.emit(lambda body: LetStmt(var, value, body))
        return var

    def allocate(self, dtype, shape, name="buf", axis_separators=None, scope="global"):
        shape = list(shape) if isinstance(shape, (list, tuple)) else [shape]
        buffer = Buffer(shape, dtype, name, scope=scope)
        self.emit(lambda body: Allocate(buffer.data, dtype, shape, True, body, {"buffer": buffer}))
        return BufferVar(self, buffer)

    def pointer(self, content_type, name="ptr", scope=""):
        return BufferVar(self, Buffer([0], content_type, name, scope=scope or "global"))

    def buffer_ptr(self, buf, shape=None):
        return BufferVar(self, buf)

    def likely(self, expr):
        return expr

    def get(self):
        """The statements as one; the builder is empty afterwards."""
        body = self._pop()
        if self._stack:
            self._stack = [[]]
            raise uma.Error("a scope of the builder is still open")
        self._stack = [[]]
        return body


def create():
    """A new builder."""
    return IRBuilder()
