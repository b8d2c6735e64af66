"""As `tvm.micro.testing`."""

from uma.tvm.micro.testing import aot_test_utils

__all__ = ["aot_test_utils"]
