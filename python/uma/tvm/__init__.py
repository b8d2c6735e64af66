"""TVM's names for accelerators in Python. Code written for UMA changes its imports and nothing else:

    import uma.tvm as tvm
    from uma.tvm.relay.backend.contrib.uma.backend import UMABackend

docs/migration.md maps every name. The compiler behind it is the same as that of the command `uma`."""

import sys

from uma.tvm import contrib, ir, micro, relay, runtime, target, te, testing, tir, topi
from uma.tvm.ir import GlobalVar, IRModule, Op, transform
from uma.tvm.runtime import DataType, NDArray, Object, convert
from uma.tvm.runtime import ndarray as nd
from uma.tvm.tir import const

TVMError = __import__("uma").Error
sys.modules["uma.tvm.transform"] = transform
sys.modules["uma.tvm.nd"] = sys.modules["uma.tvm.runtime"]

__all__ = ["DataType", "GlobalVar", "IRModule", "NDArray", "Object", "Op", "TVMError", "const", "contrib", "convert", "ir", "micro", "nd", "relay", "runtime",
           "target", "te", "testing", "tir", "topi", "transform"]
