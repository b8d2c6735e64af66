"""Runners, as `tvm.micro.testing.aot_test_utils`."""

from uma.tvm.testing.aot import AOTTestRunner

__all__ = ["AOT_CORSTONE300_RUNNER", "AOT_DEFAULT_RUNNER"]

AOT_DEFAULT_RUNNER = AOTTestRunner()
AOT_CORSTONE300_RUNNER = AOTTestRunner(makefile="corstone300")
