"""Ways to run networks in tests, as `tvm.testing`."""

from __future__ import annotations

import numpy as np

__all__ = ["aot", "assert_allclose"]


def assert_allclose(actual, desired, rtol=1e-7, atol=1e-7, verbose=True):
    """Like NumPy's, of arrays of either kind."""
    np.testing.assert_allclose(np.asarray(actual), np.asarray(desired), rtol=rtol, atol=atol, verbose=verbose)


from uma.tvm.testing import aot  # noqa: E402
