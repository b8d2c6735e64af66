"""Passes on primitive functions, as `tvm.tir.transform`."""

from __future__ import annotations

from types import SimpleNamespace

from uma.tvm.ir.transform import Pass, make_decorator

#: Passes of TVM that the compiler runs by itself in its phases.
BUILT_IN = ("CompactBufferAllocation", "ConvertBlocksToOpaque", "FlattenBuffer", "HoistIfThenElse", "InjectDoubleBuffer", "LoopPartition", "LowerInitBlock",
            "LowerOpaqueBlock", "NarrowDataType", "RemoveNoOp", "RewriteUnsafeSelect", "Simplify", "StorageFlatten", "StorageRewrite", "UnrollLoop",
            "VectorizeLoop")
__all__ = ["PrimFuncPass", "prim_func_pass", *BUILT_IN]


class PrimFuncPass(Pass):
    """A pass that changes each primitive function."""

    def __init__(self, info, function):
        super().__init__(info)
        self._function = function

    def run_function(self, func, mod, ctx):
        from uma.tvm.tir.function import PrimFunc

        result = self._function(func, mod, ctx)
        if not isinstance(result, PrimFunc):
            raise TypeError(f"the pass '{self.info.name}' gave {type(result).__name__}, expected a PrimFunc: does it end with 'return func'?")
        return result

    def run(self, mod, ctx):
        from uma.tvm.tir.function import PrimFunc

        result = mod.shallow_copy()
        for var, func in mod.functions.items():
            if isinstance(func, PrimFunc):
                result.functions[var] = self.run_function(func, mod, ctx)
        return result


prim_func_pass = make_decorator("transform_function", PrimFuncPass)
prim_func_pass.__doc__ = "Makes a pass of a function (func, mod, ctx) -> func, or of a class with `transform_function(self, func, mod, ctx)`."


def _built_in(name):
    def make(*args, **kwargs):
        return PrimFuncPass(SimpleNamespace(name=name, opt_level=0, required=[]), lambda func, mod, ctx: func)

    make.__name__ = name
    make.__doc__ = f"`{name}`, which the compiler runs by itself; where it is registered, it does nothing more."
    return make


for _name in BUILT_IN:
    globals()[_name] = _built_in(_name)
