"""Operations of MLIR in Python: what `Module.edit` gives to a function.

    def double_relu(module):
        for op in module.walk():
            if op.name == "uma.graph.relu":
                twice = uma.ir.Builder.after(op).create("uma.graph.relu", [op.result])
                …

    module.edit(double_relu)

Operations, values and types belong to that call; used later, or after an operation was erased, they raise an uma.Error."""

from __future__ import annotations

from collections.abc import MutableMapping

from . import _uma
from ._uma.ir import Attribute, Block, Builder, Operation, Type, Value

__all__ = ["Attribute", "Attributes", "Block", "Builder", "Operation", "Type", "Value"]


class Attributes(MutableMapping):
    """The attributes of an operation by name. Integers, floats, texts, lists and dicts are Python's; others are `Attribute`s."""

    def __init__(self, op: Operation):
        self._op = op

    def __getitem__(self, name):
        value = self._op.get_attribute(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name, value):
        self._op.set_attribute(name, value)

    def __delitem__(self, name):
        if not self._op.remove_attribute(name):
            raise KeyError(name)

    def __iter__(self):
        return iter(self._op.get_attributes())

    def __len__(self):
        return len(self._op.get_attributes())

    def __repr__(self):
        return repr(self._op.get_attributes())


Operation.attributes = property(Attributes, doc="its attributes, as a mapping that can be changed")
del _uma
