"""Element types and functions of numbers in the names of MLIR and of TVM."""

from __future__ import annotations

import re

import uma

#: Functions of `math` by TVM's names; of several names for one, the first is read back.
MATH = {"exp": "exp", "log": "log", "log2": "log2", "log10": "log10", "log1p": "log1p", "exp2": "exp2", "sqrt": "sqrt", "rsqrt": "rsqrt",
         "tanh": "tanh", "sin": "sin", "cos": "cos", "tan": "tan", "atan": "atan", "asin": "asin", "acos": "acos", "sinh": "sinh",
         "cosh": "cosh", "erf": "erf", "floor": "floor", "ceil": "ceil", "trunc": "trunc", "round": "round", "nearbyint": "roundeven",
         "fabs": "absf", "abs": "absf", "pow": "powf", "isnan": "isnan"}
_TO_MLIR = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "bool": "i1", "index": "index"}


def to_mlir(dtype: str) -> str:
    """`f32` of "float32". Buffers hold integers without a sign."""
    if dtype in _TO_MLIR:
        return _TO_MLIR[dtype]
    match = re.fullmatch(r"u?int(8|16|32|64)", dtype)
    if not match:
        raise uma.Error(f"no buffer or number has the dtype '{dtype}' here, expected float16, float32, float64, bool or integers of 8 to 64 bits"
                        "; vectors come from loops of the kind 'vectorize'")
    return f"i{match[1]}"


def to_element(dtype: str) -> str:
    """`ui8` of "uint8": tensors have integers with a sign or without one."""
    return "u" + to_mlir(dtype) if dtype.startswith("uint") else to_mlir(dtype)


def to_dtype(element: str) -> str:
    """"float32" of `f32`; "int32" of `index`, as loops count in it."""
    if element == "index":
        return "int32"
    for dtype, mlir in _TO_MLIR.items():
        if element == mlir:
            return dtype
    match = re.fullmatch(r"(u|s)?i(8|16|32|64)", element)
    if not match:
        raise uma.Error(f"Python does not know elements of {element}")
    return ("uint" if match[1] == "u" else "int") + match[2]


def buffer_type(shape, dtype: str) -> str:
    return "memref<" + "".join(f"{int(size)}x" for size in shape) + to_mlir(dtype) + ">"
