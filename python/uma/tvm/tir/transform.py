"""Passes on primitive functions, as `tvm.tir.transform`."""

from __future__ import annotations

from uma.tvm.ir.transform import Pass, make_decorator

__all__ = ["PrimFuncPass", "prim_func_pass"]


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
