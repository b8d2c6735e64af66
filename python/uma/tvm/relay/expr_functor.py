"""Visitors and mutators of expressions, as `tvm.relay.expr_functor`. They do not recurse along a network, which may be deep, unless a
subclass does."""

from __future__ import annotations

from uma.tvm.relay import expr as r

__all__ = ["ExprFunctor", "ExprMutator", "ExprVisitor", "replace"]

_METHODS = {r.Call: "visit_call", r.Var: "visit_var", r.Constant: "visit_constant", r.Tuple: "visit_tuple", r.TupleGetItem: "visit_tuple_getitem",
            r.Function: "visit_function", r.Let: "visit_let"}


class ExprFunctor:
    """Calls the method for the kind of an expression, once for each."""

    def __init__(self):
        self.memo_map = {}

    def visit(self, expr):
        if id(expr) in self.memo_map:
            return self.memo_map[id(expr)][1]
        # Inner expressions first, so that the methods find their results.
        for node in r.post_order(expr.body if isinstance(expr, r.Function) else expr):
            if node is not expr and id(node) not in self.memo_map and not isinstance(node, r.Function):
                self.memo_map[id(node)] = node, self._dispatch(node)
        result = self._dispatch(expr)
        self.memo_map[id(expr)] = expr, result
        return result

    def _dispatch(self, node):
        method = _METHODS.get(type(node))
        if method is None:
            raise TypeError(f"no expression: {node!r}")
        return getattr(self, method)(node)


class ExprVisitor(ExprFunctor):
    """Visits every expression once."""

    def visit_var(self, var):
        pass

    def visit_constant(self, const):
        pass

    def visit_call(self, call):
        if isinstance(call.op, r.Function):
            self.visit(call.op)
        for arg in call.args:
            self.visit(arg)

    def visit_tuple(self, tup):
        for field in tup.fields:
            self.visit(field)

    def visit_tuple_getitem(self, op):
        self.visit(op.tuple_value)

    def visit_function(self, fn):
        for param in fn.params:
            self.visit(param)
        self.visit(fn.body)

    def visit_let(self, let):
        for part in r.parts(let):
            self.visit(part)


def _like(new, old):
    new.layer = old.layer
    return new


class ExprMutator(ExprFunctor):
    """Gives a new expression; what does not change stays the same object."""

    def visit_var(self, var):
        return var

    def visit_constant(self, const):
        return const

    def visit_call(self, call):
        op = self.visit(call.op) if isinstance(call.op, r.Function) else call.op
        args = [self.visit(arg) for arg in call.args]
        if op is call.op and all(new is old for new, old in zip(args, call.args)):
            return call
        return _like(r.Call(op, args, call.attrs), call)

    def visit_tuple(self, tup):
        fields = [self.visit(field) for field in tup.fields]
        return tup if all(new is old for new, old in zip(fields, tup.fields)) else _like(r.Tuple(fields), tup)

    def visit_tuple_getitem(self, op):
        value = self.visit(op.tuple_value)
        return op if value is op.tuple_value else _like(r.TupleGetItem(value, op.index), op)

    def visit_function(self, fn):
        params = [self.visit(param) for param in fn.params]
        body = self.visit(fn.body)
        if body is fn.body and all(new is old for new, old in zip(params, fn.params)):
            return fn
        result = r.Function(params, body, attrs=fn.attrs)
        result.origin = fn.origin
        return result

    def visit_let(self, let):
        return let


class _Replacer(ExprMutator):
    def __init__(self, by_id):
        super().__init__()
        self.by_id = by_id

    def visit_var(self, var):
        return self.by_id.get(id(var), var)


def replace(expr, by_id):
    """The expression with other ones in the place of variables, which are given by their ids."""
    return _Replacer(by_id).visit(expr)
