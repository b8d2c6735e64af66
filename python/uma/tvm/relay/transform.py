"""Passes on Relay modules, as `tvm.relay.transform`: those that the compiler has a pass for, under Relay's names."""

from __future__ import annotations

from types import SimpleNamespace

import uma
from uma.tvm.ir.transform import Pass, PassContext, Sequential, make_decorator, module_pass
from uma.tvm.relay import _graph
from uma.tvm.relay import expr as r

__all__ = ["CanonicalizeOps", "EliminateCommonSubexpr", "FoldConstant", "FoldExplicitPadding", "FoldScaleAxis", "InferType", "PassContext", "RemoveUnusedFunctions",
           "Sequential", "SimplifyExpr", "SimplifyInference", "ToANormalForm", "function_pass", "module_pass"]


class _NativePass(Pass):
    """Passes of the compiler, on a module built of Relay's."""

    def __init__(self, name, pipeline):
        super().__init__(SimpleNamespace(name=name, opt_level=0, required=[]))
        self._pipeline = pipeline

    def run(self, mod, ctx):
        if any(function.origin for function in mod.functions.values() if isinstance(function, r.Function)):
            if self._pipeline:
                raise uma.Error(f"relay.transform.{self.info.name}() runs on modules of one's own; in an accelerator, the compiler's pass runs before "
                                "matching, or name it in a description: pass PRE_PARTITIONING \"…\"")
            return mod
        native = _graph.build_module(mod)
        if self._pipeline:
            native.run_pipeline(f"builtin.module({self._pipeline})")
        return _graph.read_into(native, mod.shallow_copy())


def InferType():
    """Infers the type of every expression, with the compiler's messages for what does not fit."""
    return _NativePass("InferType", "")


def FoldConstant():
    return _NativePass("FoldConstant", "uma-graph-fold-constant,canonicalize")


def SimplifyInference():
    return _NativePass("SimplifyInference", "uma-graph-simplify-inference")


def FoldScaleAxis():
    return _NativePass("FoldScaleAxis", "uma-graph-fold-scale-axis")


def SimplifyExpr():
    return _NativePass("SimplifyExpr", "canonicalize,cse")


def EliminateCommonSubexpr():
    return _NativePass("EliminateCommonSubexpr", "cse")


def FoldExplicitPadding():
    return _NativePass("FoldExplicitPadding", "canonicalize")


def RemoveUnusedFunctions(entry_functions=None):
    return _NativePass("RemoveUnusedFunctions", "symbol-dce")


def CanonicalizeOps():
    return _NativePass("CanonicalizeOps", "canonicalize")


def ToANormalForm():
    """Nothing: operators of a module are in an order already."""
    return _NativePass("ToANormalForm", "")


class FunctionPass(Pass):
    def __init__(self, info, function):
        super().__init__(info)
        self._function = function

    def run(self, mod, ctx):
        result = mod.shallow_copy()
        for var, function in mod.functions.items():
            if isinstance(function, r.Function):
                new = self._function(function, mod, ctx)
                if not isinstance(new, r.Function):
                    raise TypeError(f"the pass '{self.info.name}' gave {type(new).__name__}, expected a Function: does it end with 'return func'?")
                result.functions[var] = new
        return result


function_pass = make_decorator("transform_function", FunctionPass)
function_pass.__doc__ = "Makes a pass of a function (func, mod, ctx) -> func, or of a class with `transform_function(self, func, mod, ctx)`."
