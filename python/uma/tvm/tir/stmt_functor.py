"""Walks over statements, as `tvm.tir.stmt_functor`."""

from __future__ import annotations

from uma.tvm.runtime import Object, _walk
from uma.tvm.tir.expr import PrimExpr, Var
from uma.tvm.tir.stmt import STMT_FIELDS, BlockRealize, BufferStore, Evaluate, SeqStmt, Stmt, stmt_seq

__all__ = ["ir_transform", "post_order_visit", "pre_order_visit", "substitute"]


def _parts(node):
    """Nodes directly inside one."""
    if isinstance(node, PrimExpr):
        return node.children()
    if isinstance(node, SeqStmt):
        return node.seq
    parts = []
    if isinstance(node, BufferStore):
        parts += node.indices
    if isinstance(node, BlockRealize):
        parts += node.iter_values
    exprs, statements = STMT_FIELDS[type(node)]
    return parts + [part for field in exprs + statements if (part := getattr(node, field)) is not None]


def _check(node):
    if not isinstance(node, (PrimExpr, Stmt)):
        raise TypeError(f"expected a statement or an expression, found {type(node).__name__}")


def post_order_visit(stmt, fvisit):
    """Calls `fvisit` with every node, inner ones first, each once."""
    _check(stmt)
    for node in _walk.post_order([stmt], _parts):
        fvisit(node)


def pre_order_visit(stmt, fvisit):
    """Calls `fvisit` with every node, outer ones first; where it returns False, not with the nodes inside."""
    _check(stmt)
    stack = [stmt]
    seen = set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if fvisit(node) is not False:
            stack.extend(reversed(_parts(node)))


def copy_with(node, **fields):
    """A copy of a node with other fields."""
    copy = object.__new__(type(node))
    copy.__dict__.update(node.__dict__)
    copy.__dict__.update(fields)
    return copy


def rebuild(node, change):
    """The node with `change` applied to the nodes directly inside; itself if nothing changes."""
    if isinstance(node, PrimExpr):
        return node.with_children([change(part) for part in node.children()])
    if isinstance(node, SeqStmt):
        seq = [change(part) for part in node.seq]
        # A statement that became nothing drops out.
        return node if all(map(Object.same_as, seq, node.seq)) else stmt_seq(*[part for part in seq if part is not None])
    fields = {}
    for name in ("indices", "iter_values"):
        if name in node.__dict__:
            fields[name] = [change(part) for part in getattr(node, name)]
    exprs, statements = STMT_FIELDS[type(node)]
    for name in exprs + statements:
        part = getattr(node, name)
        if part is not None:
            fields[name] = change(part)
            if fields[name] is None and name in statements:
                fields[name] = Evaluate(0)
    is_same = all(all(map(Object.same_as, value, getattr(node, name))) if isinstance(value, list) else value is getattr(node, name)
                  for name, value in fields.items())
    return node if is_same else copy_with(node, **fields)


def _kind(node):
    return f"tir.{type(node).__name__}"


def ir_transform(stmt, preorder=None, postorder=None, only_enable=None):
    """Replaces nodes: `preorder` of a node gives another one, which is not visited further, or None; then its parts are transformed; then
    `postorder` of the result gives another one, or None. `only_enable` names the kinds of nodes that the two see, "tir.For"."""
    _check(stmt)
    for name in only_enable or []:
        if not isinstance(name, str) or not name.startswith("tir."):
            raise TypeError(f"only_enable has names like 'tir.For', found {name!r}")

    def transform(node):
        is_seen = only_enable is None or _kind(node) in only_enable
        if preorder is not None and is_seen:
            result = preorder(node)
            if result is not None:
                return result
        node = rebuild(node, transform)
        if postorder is not None and is_seen:
            result = postorder(node)
            if result is not None:
                return result
        return node

    return transform(stmt)


def substitute(node, vmap):
    """Replaces variables by expressions."""
    from uma.tvm.tir.expr import as_expr

    by_id = {id(var): as_expr(value) for var, value in (vmap.items() if hasattr(vmap, "items") else vmap(node) or {})}
    return ir_transform(node, lambda part: by_id.get(id(part)) if isinstance(part, Var) else None)
