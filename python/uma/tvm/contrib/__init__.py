"""As `tvm.contrib`."""

from uma.tvm.contrib import download, utils

__all__ = ["download", "utils"]
