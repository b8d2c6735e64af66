"""Types and arrays with the names of `tvm.runtime`."""

from __future__ import annotations

import re

import numpy as np

__all__ = ["DataType", "NDArray", "Object", "convert", "convert_dtype", "ndarray"]


class Object:
    """A node of the compiler's data. Nodes are compared by identity, as `same_as` does."""

    span = None  # TVM's place in a source; layers have names here

    def same_as(self, other) -> bool:
        return self is other

    def __repr__(self):
        return str(self)

    def __str__(self):
        return f"<{type(self).__name__}>"


_DTYPE = re.compile(r"(float|bfloat|int|uint|bool|handle)(\d*)(?:x(\d+))?")


def convert_dtype(dtype) -> str:
    """The name of a type: of `"float32"`, NumPy's dtypes, `int`."""
    if isinstance(dtype, DataType):
        return dtype.name
    if isinstance(dtype, str) and _DTYPE.fullmatch(dtype):
        return dtype
    try:
        return str(np.dtype(dtype))
    except TypeError:
        raise TypeError(f"there is no dtype {dtype!r}, expected e.g. 'float32', 'int8' or 'bool'") from None


class DataType:
    """A type as TVM writes it: "float32", "int8", "float32x4"."""

    def __init__(self, name):
        self.name = convert_dtype(name)
        match = _DTYPE.fullmatch(self.name)
        self.type = match[1]
        self.bits = int(match[2] or {"bool": 1, "handle": 64}.get(match[1], 32))
        self.lanes = int(match[3] or 1)
        self.itemsize = (self.bits + 7) // 8

    @property
    def is_float(self):
        return self.type in ("float", "bfloat")

    def __str__(self):
        return self.name

    __repr__ = __str__

    def __eq__(self, other):
        return self.name == str(other)

    def __hash__(self):
        return hash(self.name)


class NDArray(Object):
    """An array of numbers: a NumPy array with TVM's methods."""

    def __init__(self, array):
        self._array = np.asarray(array)

    def numpy(self):
        return self._array.copy()

    asnumpy = numpy

    def __array__(self, dtype=None, copy=None):
        return self._array if dtype is None else self._array.astype(dtype)

    @property
    def shape(self):
        return self._array.shape

    @property
    def dtype(self):
        return str(self._array.dtype)

    def __str__(self):
        return str(self._array)


class ndarray:
    """`tvm.nd`."""

    NDArray = NDArray

    @staticmethod
    def array(values, device=None):
        return NDArray(np.array(values))

    @staticmethod
    def empty(shape, dtype="float32", device=None):
        return NDArray(np.empty(shape, dtype))


def convert(value):
    """Numbers as expressions; lists of these; other values as they are."""
    from uma.tvm.tir.expr import as_expr

    if isinstance(value, (list, tuple)):
        return [convert(entry) for entry in value]
    return value if isinstance(value, (str, Object, dict)) or value is None or callable(value) else as_expr(value)
