"""Modules, names and attributes, as `tvm.ir`."""

from __future__ import annotations

import uma
from uma.tvm.runtime import Object

__all__ = ["Array", "Attrs", "GlobalVar", "IRModule", "Map", "Op", "PointerType", "PrimType", "Range", "TensorType", "TupleType", "assert_structural_equal",
           "make_node", "structural_equal", "transform"]

Array = list
Map = dict


class Op(Object):
    """An operator by its name; Relay's have the prefix `nn.` of TVM."""

    _known: dict[str, "Op"] = {}

    def __init__(self, name):
        self.name = name

    @classmethod
    def get(cls, name):
        return cls._known.setdefault(name, cls(name))

    def __str__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, Op) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


class GlobalVar(Object):
    """The name of a function in a module."""

    def __init__(self, name_hint, type_annot=None):
        self.name_hint = name_hint

    def __eq__(self, other):
        return isinstance(other, GlobalVar) and self.name_hint == other.name_hint

    def __hash__(self):
        return hash(self.name_hint)

    def __str__(self):
        return f"@{self.name_hint}"


class Range(Object):
    """The integers from `min` on, `extent` of them: Range(extent) or Range(begin, end)."""

    def __init__(self, begin, end=None, span=None):
        from uma.tvm.tir.expr import as_expr

        self.min = as_expr(0 if end is None else begin)
        self.extent = as_expr(begin) if end is None else as_expr(end) - self.min

    @classmethod
    def from_min_extent(cls, min_value, extent, span=None):
        from uma.tvm.tir.expr import as_expr

        result = cls(0)
        result.min, result.extent = as_expr(min_value), as_expr(extent)
        return result

    def __str__(self):
        return f"range({self.min}, {self.min + self.extent})"


class Attrs(Object):
    """Attributes as members and by name: `attrs.strides`, `attrs["strides"]`, `attrs.get_int("groups")`."""

    def __init__(self, values=None, **more):
        self.__dict__["_values"] = {**(values or {}), **more}

    def _missing(self, name):
        names = list(self._values)
        return f"there is no attribute '{name}'{uma._uma.suggest(str(name), names) or '; there are ' + ', '.join(names)}"

    def __getattr__(self, name):
        if name.startswith("__") or name not in self._values:
            raise AttributeError(self._missing(name))
        return self._values[name]

    def __getitem__(self, name):
        if name not in self._values:
            raise KeyError(self._missing(name))
        return self._values[name]

    def __contains__(self, name):
        return name in self._values

    def keys(self):
        return self._values.keys()

    def items(self):
        return self._values.items()

    def get_int(self, name):
        return int(self[name])

    def get_str(self, name):
        return str(self[name])

    def get_int_tuple(self, name):
        return tuple(int(value) for value in self[name])

    def list_field_info(self):
        return [Attrs(name=name) for name in self._values]

    def __str__(self):
        return str(self._values)


DictAttrs = Attrs


class TensorType(Object):
    """The type of a tensor."""

    def __init__(self, shape, dtype="float32"):
        from uma.tvm.runtime import convert_dtype
        from uma.tvm.tir.expr import IntImm

        self.shape = [size if isinstance(size, IntImm) else IntImm("int32", size) for size in shape]
        self.dtype = convert_dtype(dtype)

    @property
    def concrete_shape(self):
        return tuple(int(size) for size in self.shape)

    def __eq__(self, other):
        return isinstance(other, TensorType) and self.concrete_shape == other.concrete_shape and self.dtype == other.dtype

    def __hash__(self):
        return hash((self.concrete_shape, self.dtype))

    def __str__(self):
        return f"Tensor[{self.concrete_shape}, {self.dtype}]"


class TupleType(Object):
    def __init__(self, fields):
        self.fields = list(fields)

    def __eq__(self, other):
        return isinstance(other, TupleType) and self.fields == other.fields

    def __str__(self):
        return f"({', '.join(map(str, self.fields))})"


class PrimType(Object):
    def __init__(self, dtype):
        self.dtype = dtype


class PointerType(Object):
    def __init__(self, element_type, storage_scope="global"):
        self.element_type = element_type
        self.storage_scope = storage_scope


class IRModule(Object):
    """Functions by name: Relay's or primitive ones."""

    def __init__(self, functions=None, type_definitions=None):
        self.functions = {}
        for name, function in (functions or {}).items():
            self[name] = function
        self.native = None  # the uma.Module that it came from

    @staticmethod
    def from_expr(expr, functions=None, type_defs=None):
        from uma.tvm.relay import Function, analysis

        if not isinstance(expr, Function):
            expr = Function(analysis.free_vars(expr), expr)
        module = IRModule(functions)
        module["main"] = expr
        return module

    def __getitem__(self, name):
        var = name if isinstance(name, GlobalVar) else GlobalVar(name)
        if var not in self.functions:
            names = [key.name_hint for key in self.functions]
            raise uma.Error(f"the module has no function '{var.name_hint}'{uma._uma.suggest(var.name_hint, names) or '; it has ' + ', '.join(names)}")
        return self.functions[var]

    def __setitem__(self, name, function):
        self.functions[name if isinstance(name, GlobalVar) else GlobalVar(name)] = function

    update_func = __setitem__

    def __contains__(self, name):
        return (name if isinstance(name, GlobalVar) else GlobalVar(name)) in self.functions

    def items(self):
        return self.functions.items()

    def functions_items(self):
        return list(self.functions.items())

    def get_global_vars(self):
        return list(self.functions)

    def get_global_var(self, name):
        self[name]
        return GlobalVar(name)

    def update(self, other):
        for var, function in other.functions.items():
            self[var] = function

    def remove(self, name):
        self[name]
        del self.functions[name if isinstance(name, GlobalVar) else GlobalVar(name)]

    def shallow_copy(self):
        copy = IRModule(self.functions)
        copy.native = self.native
        return copy

    def astext(self, show_meta_data=True):
        return str(self)

    def script(self):
        return str(self)

    def __str__(self):
        return "\n".join(f"def @{var.name_hint}{function}" for var, function in self.functions.items())


def structural_equal(lhs, rhs, map_free_vars=False):
    """Whether two functions or modules are the same up to the names of variables."""
    from uma.tvm.relay import analysis

    return analysis.structural_equal(lhs, rhs)


def assert_structural_equal(lhs, rhs, map_free_vars=False):
    if not structural_equal(lhs, rhs, map_free_vars):
        raise ValueError(f"the two differ:\n{lhs}\n{rhs}")


def make_node(name, **fields):
    """A node of attributes, e.g. `make_node("DictAttrs", key=1)`."""
    return Attrs(fields)


from uma.tvm.ir import transform  # noqa: E402  (it uses the classes above)
