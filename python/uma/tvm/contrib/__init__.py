"""As `tvm.contrib`."""
