"""Passes on modules, as `tvm.ir.transform`."""

from __future__ import annotations

import contextlib
import inspect
from types import SimpleNamespace

import uma

__all__ = ["Pass", "PassContext", "Sequential", "module_pass"]


class PassContext(contextlib.AbstractContextManager):
    """The options under which passes run. The compiler here has its own options; these are kept for passes that read them."""

    _stack: list["PassContext"] = []

    def __init__(self, opt_level=2, required_pass=None, disabled_pass=None, instruments=None, config=None):
        self.opt_level = opt_level
        self.required_pass = list(required_pass or [])
        self.disabled_pass = list(disabled_pass or [])
        self.config = dict(config or {})

    @staticmethod
    def current():
        return PassContext._stack[-1] if PassContext._stack else PassContext()

    def __enter__(self):
        PassContext._stack.append(self)
        return self

    def __exit__(self, *exception):
        PassContext._stack.pop()


class Pass:
    """A pass: calling it with a module gives a module."""

    def __init__(self, info=None):
        self.info = info or SimpleNamespace(name=type(self).__name__, opt_level=0, required=[])
        self.pass_info = self.info

    def run(self, mod, ctx):
        raise NotImplementedError

    def __call__(self, mod):
        ctx = PassContext.current()
        if self.info.name in ctx.disabled_pass:
            return mod
        return self.run(mod, ctx)


class Sequential(Pass):
    """Several passes, one after the other."""

    def __init__(self, passes=None, opt_level=0, name="sequential", required=None):
        super().__init__(SimpleNamespace(name=name, opt_level=opt_level, required=list(required or [])))
        self.passes = list(passes or [])

    def run(self, mod, ctx):
        for each in self.passes:
            mod = each(mod)
        return mod


def make_decorator(method, make_pass):
    """A decorator of functions and of classes with `method`, like `module_pass`."""

    def decorate(pass_func=None, opt_level=None, name=None, required=None, traceable=False):
        if opt_level is None:
            raise ValueError("a pass needs an opt_level, e.g. @module_pass(opt_level=0)")

        def create(target):
            info = SimpleNamespace(name=name or target.__name__, opt_level=opt_level, required=list(required or []))
            if not inspect.isclass(target):
                return make_pass(info, target)
            if not hasattr(target, method):
                raise uma.Error(f"the pass '{target.__name__}' has no method '{method}'")

            def construct(*args, **kwargs):
                # Made anew where a pass is used, as its __init__ may take arguments.
                instance = target(*args, **kwargs)
                function = getattr(instance, method)
                result = make_pass(info, function)
                result._inst = instance
                return result

            construct.__name__ = construct.__qualname__ = target.__name__
            construct.__doc__ = target.__doc__
            construct.__wrapped__ = target
            return construct

        return create(pass_func) if pass_func is not None else create

    return decorate


class ModulePass(Pass):
    def __init__(self, info, function):
        super().__init__(info)
        self._function = function

    def run(self, mod, ctx):
        result = self._function(mod, ctx)
        from uma.tvm.ir import IRModule

        if not isinstance(result, IRModule):
            raise TypeError(f"the pass '{self.info.name}' gave {type(result).__name__}, expected an IRModule: does it end with 'return mod'?")
        return result


module_pass = make_decorator("transform_module", ModulePass)
module_pass.__doc__ = "Makes a pass of a function (mod, ctx) -> mod, or of a class with `transform_module(self, mod, ctx)`."
