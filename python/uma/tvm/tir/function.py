"""Primitive functions, as `tvm.tir.PrimFunc`."""

from __future__ import annotations

import copy

from uma.tvm.ir import Attrs
from uma.tvm.runtime import Object

__all__ = ["PrimFunc"]


class PrimFunc(Object):
    """A function on buffers: `params` are pointers, `buffer_map` gives the buffer of each, `attrs` has `global_symbol`, and `layer` and
    `relay_attrs` where the function computes one operator."""

    def __init__(self, params, body, ret_type=None, buffer_map=None, attrs=None, span=None):
        from uma.tvm.tir.expr import Var
        from uma.tvm.tir.stmt import Buffer

        self.buffer_map = dict(buffer_map or {})
        self.params = []
        for param in params:
            if isinstance(param, Buffer):
                var = Var(param.name, "handle")
                self.buffer_map[var] = param
                param = var
            self.params.append(param)
        self.body = body
        self.ret_type = ret_type
        self.attrs = attrs if isinstance(attrs, Attrs) else Attrs(attrs)
        self.origin = None  # the positions of the parameters that calls may write to, where the compiler knows them
        self.order = list(range(len(self.params)))  # of the parameters in the compiler's function

    def _changed(self, **fields):
        result = copy.copy(self)
        result.__dict__.update(fields)
        return result

    def with_body(self, new_body, span=None):
        return self._changed(body=new_body)

    def with_attr(self, attr_key_or_dict, attr_value=None):
        values = attr_key_or_dict if isinstance(attr_key_or_dict, dict) else {attr_key_or_dict: attr_value}
        return self._changed(attrs=Attrs({**dict(self.attrs.items()), **values}))

    def without_attr(self, attr_key):
        return self._changed(attrs=Attrs({key: value for key, value in self.attrs.items() if key != attr_key}))

    def script(self):
        return str(self)

    astext = script

    def __str__(self):
        from uma.tvm.tir._script import script

        return script(self)
