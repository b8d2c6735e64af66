"""As `tvm.micro`."""

from uma.tvm.micro import testing

__all__ = ["testing"]
