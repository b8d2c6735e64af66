"""As `tvm.relay.build_module`."""

from __future__ import annotations

__all__ = ["bind_params_by_name"]


def bind_params_by_name(func, params):
    """The function with these parameters as constants."""
    from uma.tvm.relay.backend.contrib.uma._bridge import bind_params_by_name as bind

    return bind(func, params)
