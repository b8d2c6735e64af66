"""As `tvm.relay.build_module`."""

from __future__ import annotations

import uma
from uma.tvm.relay import _graph
from uma.tvm.relay.backend.contrib.uma import _bridge
from uma.tvm.relay.backend.contrib.uma._bridge import bind_params_by_name
from uma.tvm.target import Target

__all__ = ["bind_params_by_name", "build"]


def _targets(target):
    """Targets for the options of `uma.compile`, the accelerators only."""
    if target is None:
        return []
    if isinstance(target, dict):
        target = list(target.values())
    targets = [each if isinstance(each, Target) else Target(each) for each in (target if isinstance(target, (list, tuple)) else [target])]
    return [each for each in targets if each.name not in ("c", "llvm", "host")]


def build(mod, target=None, params=None, cc=""):
    """Compiles a module to C for its accelerators and the CPU: a uma.Network."""
    accelerators = []
    own = getattr(mod, "backend", None)  # the accelerator that partitioned the module
    for each in _targets(target):
        is_own = own is not None and own.target_name == each.name
        accelerators += [own if is_own else _bridge.registered[each.name], *each.setting.split(",")[1:]]
    if own is None:
        native = _graph.build_module(_bridge.bind_params(mod, params) if params else mod)
    else:
        native = mod.source
        if own not in accelerators:
            accelerators.insert(0, own)
    return uma.compile(native, accelerators, cc=cc)
