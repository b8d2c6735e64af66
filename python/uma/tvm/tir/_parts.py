"""The expressions inside an expression, for walks and replacements."""

from __future__ import annotations

from uma.tvm.tir import expr as e

_FIELDS = {
    e.Not: ("a",), e.Select: ("condition", "true_value", "false_value"), e.Cast: ("value",), e.Let: ("value", "body"), e.Ramp: ("base", "stride"),
    e.Broadcast: ("value",)
}


def children(self):
    """The expressions in this one."""
    if isinstance(self, e._Binary):
        return [self.a, self.b]
    if isinstance(self, e._Load):
        return list(self.indices)
    if isinstance(self, e.Call):
        return list(self.args)
    if isinstance(self, e.Reduce):
        return [self.source] + ([self.condition] if self.condition is not None else [])
    return [getattr(self, field) for field in _FIELDS.get(type(self), ())]


def with_children(self, new):
    """A copy with other expressions in it; itself if they are the same."""
    old = self.children()
    if all(a is b for a, b in zip(old, new)):
        return self
    copy = object.__new__(type(self))
    copy.__dict__.update(self.__dict__)
    if isinstance(self, e._Binary):
        copy.a, copy.b = new
    elif isinstance(self, e._Load):
        copy.indices = list(new)
    elif isinstance(self, e.Call):
        copy.args = list(new)
    elif isinstance(self, e.Reduce):
        copy.source = new[0]
        copy.condition = new[1] if len(new) > 1 else None
    else:
        for field, value in zip(_FIELDS[type(self)], new):
            setattr(copy, field, value)
    return copy


e.PrimExpr.children = children
e.PrimExpr.with_children = with_children
