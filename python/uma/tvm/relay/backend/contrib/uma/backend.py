"""The base class of accelerators in Python, as `tvm.relay.backend.contrib.uma.backend`."""

from __future__ import annotations

import inspect
import keyword
from abc import ABC, abstractmethod

import uma
from uma.tvm.relay.backend.contrib.uma.api.utils import PassPhase

__all__ = ["UMABackend"]

_GRAPH_PHASES = (PassPhase.PRE_PARTITIONING, PassPhase.POST_PARTITIONING_0, PassPhase.POST_PARTITIONING_1)


class UMABackend(ABC):
    """An accelerator. A subclass gives `target_name` and registers patterns, passes, strategies and C in its `__init__`.

    merge_compiler_regions: whether matches that touch become one function."""

    def __init__(self, merge_compiler_regions: bool = True) -> None:
        self._target_attrs: dict[str, str | int | bool] = {}
        self._relay_passes: list[tuple[PassPhase, object]] = []
        self._tir_passes: list[tuple[PassPhase, object]] = []
        self._patterns: list[tuple[str, object, object]] = []
        self._strategies: list[tuple[str, object, int]] = []
        self._includes: list[object] = []
        self._replace_call_extern = None
        self._merge_compiler_regions = merge_compiler_regions
        self._bridge = None

    @property
    @abstractmethod
    def target_name(self) -> str:
        """The accelerator's name, which is its target's too: a C identifier."""
        ...

    # Registration.

    def _register_target_attr(self, name: str, default: str | int | bool = "") -> None:
        """Adds an attribute of the target, which `tvm.target.Target` and `register` take as an option."""
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise uma.Error(f"the name of a target attribute is {name!r}, expected letters, digits and '_'")
        if not isinstance(default, (str, int, bool)):
            raise uma.Error(f"the target attribute '{name}' has a default of the type {type(default).__name__}, expected str, int or bool")
        self._target_attrs[name] = default

    def _check_pass(self, phase, tvm_pass, phases, method, where) -> PassPhase:
        if not isinstance(phase, PassPhase):
            raise uma.Error(f"the phase of a pass is {phase!r}, expected PassPhase.{phases[0].name}")
        if phase not in phases:
            names = ", ".join(each.name for each in phases)
            raise uma.Error(f"'{where}' has the phases {names}; {phase.name} is a phase of "
                            f"{'_register_tir_pass' if where == '_register_relay_pass' else '_register_relay_pass'}")
        if not hasattr(tvm_pass, method):
            what = "a class, expected an object of it: call it with ()" if inspect.isclass(tvm_pass) or inspect.isfunction(tvm_pass) else \
                f"of the type {type(tvm_pass).__name__}"
            raise uma.Error(f"the pass given to '{where}' is {what}")
        return phase

    def _register_relay_pass(self, phase: PassPhase, relay_pass) -> None:
        """Adds a pass on the graph; passes of one phase run in the order of registration."""
        phase = self._check_pass(phase, relay_pass, _GRAPH_PHASES, "__call__", "_register_relay_pass")
        if hasattr(relay_pass, "run_function"):
            raise uma.Error(f"'{relay_pass.info.name}' is a pass on primitive functions; _register_tir_pass takes it")
        if not hasattr(relay_pass, "info"):
            raise uma.Error(f"a graph pass is {relay_pass!r}, expected an object of a class under @module_pass, or a pass of relay.transform")
        self._relay_passes.append((phase, relay_pass))

    def _register_tir_pass(self, phase: PassPhase, tir_pass) -> None:
        """Adds a pass on the primitive functions of the accelerator."""
        phases = tuple(each for each in PassPhase if each not in _GRAPH_PHASES)
        self._tir_passes.append((self._check_pass(phase, tir_pass, phases, "run_function", "_register_tir_pass"), tir_pass))

    def _register_pattern(self, name: str, pattern, predicate=None) -> None:
        """Adds a pattern; those registered first are tried first. `predicate` gets the matched expression and returns whether the device takes
        it, or a text with the reason why not."""
        from uma.tvm.relay.dataflow_pattern import DFPattern

        if not isinstance(name, str) or not name.isidentifier():
            raise uma.Error(f"the name of a pattern is {name!r}, expected letters, digits and '_'")
        if not isinstance(pattern, DFPattern):
            raise uma.Error(f"the pattern '{name}' is {pattern!r}, expected one of relay.dataflow_pattern; did you forget to call the function that makes it?")
        if predicate is not None and not callable(predicate):
            raise uma.Error(f"the predicate of the pattern '{name}' is {predicate!r}, expected a function of the match")
        if any(other == name for other, _, _ in self._patterns):
            raise uma.Error(f"there is a pattern '{name}' already")
        self._patterns.append((name, pattern, predicate))

    def _register_operator_strategy(self, op: str, strategy, plevel: int = 11) -> None:
        """Adds a strategy for an operator; the highest level wins, and built-in strategies have 10."""
        from uma.tvm.relay import _ops

        info = _ops.lookup(op)
        if not callable(strategy):
            raise uma.Error(f"the strategy of '{op}' is {strategy!r}, expected a function of (attrs, inputs, out_type, target)")
        self._strategies.append((info.relay, strategy, int(plevel)))

    def _register_codegen(self, fmt: str = "c", includes=None, replace_call_extern=None, **kwargs) -> None:
        """Adds C. `includes` gives the text for the top of the C; `replace_call_extern` gives the C of a call, from its arguments."""
        fmt = kwargs.pop("format", fmt)
        if fmt != "c":
            raise uma.Error(f"_register_codegen has the format {fmt!r}, expected 'c'")
        for name in kwargs:
            names = ["includes", "replace_call_extern"]
            raise uma.Error(f"_register_codegen has no hook '{name}'{uma._uma.suggest(name, names) or '; hooks are includes and replace_call_extern'}")
        for name, hook in (("includes", includes), ("replace_call_extern", replace_call_extern)):
            if hook is not None and not callable(hook):
                raise uma.Error(f"the hook '{name}' is {hook!r}, expected a function")
        if includes is not None:
            self._includes.append(includes)
        if replace_call_extern is not None:
            self._replace_call_extern = replace_call_extern

    # Use.

    def register(self) -> None:
        """Makes the accelerator known: `tvm.target.Target(name)`, `build` and the calls of `uma` find it by its name."""
        from uma.tvm.relay.backend.contrib.uma import _bridge

        _bridge.register(self)

    def partition(self, mod, params=None):
        """The module with the accelerator's parts as functions of their own, whose attribute `Compiler` is its name."""
        from uma.tvm.relay.backend.contrib.uma import _bridge

        return _bridge.partition(self, mod, params)
