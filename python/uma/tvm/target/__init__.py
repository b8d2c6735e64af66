"""Targets, as `tvm.target`: an accelerator's name and the values of its attributes."""

from __future__ import annotations

import uma
from uma.tvm.runtime import Object

__all__ = ["Target"]


class Target(Object):
    """`Target("c")`, the CPU; `Target("npu")` or `Target("npu -sram=64")`, an accelerator that was registered, with its attributes;
    `Target("npu", host=Target("c"))`."""

    _stack: list["Target"] = []

    def __init__(self, target="c", host=None, **attrs):
        from uma.tvm.relay.backend.contrib.uma import _bridge

        if isinstance(target, Target):
            self.name, self.attrs, self.host = target.name, {**target.attrs, **attrs}, host or target.host
            return
        if isinstance(target, dict):
            attrs = {**{key: value for key, value in target.items() if key != "kind"}, **attrs}
            target = target["kind"]
        name, *options = str(target).split()
        self.name = name
        self.host = Target(host) if host is not None else None
        backend = _bridge.registered.get(name)
        if backend is None and name not in ("c", "llvm", "host"):
            known = sorted(_bridge.registered)
            raise uma.Error(f"there is no target '{name}'{uma._uma.suggest(name, known + ['c'])}: call register() of its UMABackend first")
        known = dict(backend._target_attrs) if backend is not None else {}
        for option in options:
            key, separator, value = option.lstrip("-").partition("=")
            if not option.startswith("-") or not separator:
                raise uma.Error(f"the option '{option}' of the target '{name}' is not of the form -NAME=VALUE")
            attrs[key.replace("-", "_") if key not in known else key] = value
        for key, value in attrs.items():
            if key not in known:
                if backend is None:
                    continue
                raise uma.Error(f"the target '{name}' has no attribute '{key}'{uma._uma.suggest(key, list(known)) or '; it has ' + (', '.join(known) or 'none')}")
            attrs[key] = _convert(name, key, value, known[key])
        self.attrs = {**known, **attrs}

    @classmethod
    def of(cls, name, attrs):
        """The target of a function, with the values that the compiler has."""
        result = cls("c")
        result.name, result.attrs = name, dict(attrs)
        return result

    @property
    def kind(self):
        return self

    @property
    def options(self):
        return self.attrs

    @staticmethod
    def current(allow_none=True):
        if Target._stack:
            return Target._stack[-1]
        return None if allow_none else Target("c")

    def __enter__(self):
        Target._stack.append(self)
        return self

    def __exit__(self, *exception):
        Target._stack.pop()

    @property
    def setting(self):
        """As `uma compile -a` takes it: `npu,sram=64`."""
        texts = {True: "true", False: "false"}
        return ",".join([self.name] + [f"{key}={texts[value] if isinstance(value, bool) else value}" for key, value in self.attrs.items()])

    def __str__(self):
        return " ".join([self.name] + [f"-{key}={value}" for key, value in self.attrs.items()])


def _convert(target, key, value, default):
    """A value of the attribute's type."""
    if isinstance(default, bool):
        texts = {"1": True, "true": True, "True": True, "0": False, "false": False, "False": False}
        if isinstance(value, bool):
            return value
        if str(value) in texts:
            return texts[str(value)]
        raise uma.Error(f"the attribute '{key}' of the target '{target}' is {value!r}, expected true or false")
    if isinstance(default, int):
        try:
            return int(value)
        except (TypeError, ValueError):
            raise uma.Error(f"the attribute '{key}' of the target '{target}' is {value!r}, expected an integer") from None
    if not isinstance(value, str):
        raise uma.Error(f"the attribute '{key}' of the target '{target}' is {value!r}, expected a text")
    return value
