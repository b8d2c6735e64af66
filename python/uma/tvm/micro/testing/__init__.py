"""As `tvm.micro`."""
