"""Folders, as `tvm.contrib.utils`."""

from __future__ import annotations

import os
import tempfile as _tempfile

__all__ = ["TempDirectory", "tempdir"]


class TempDirectory:
    """A folder that vanishes with this object, unless `keep_for_debug`."""

    def __init__(self, custom_path=None, keep_for_debug=None):
        self._temp = None if custom_path or keep_for_debug else _tempfile.TemporaryDirectory(prefix="uma-")
        self.temp_dir = custom_path or (self._temp.name if self._temp else _tempfile.mkdtemp(prefix="uma-"))
        os.makedirs(self.temp_dir, exist_ok=True)

    @property
    def path(self):
        return self.temp_dir

    def relpath(self, name):
        return os.path.join(self.temp_dir, name)

    def listdir(self):
        return os.listdir(self.temp_dir)

    def remove(self):
        if self._temp is not None:
            self._temp.cleanup()

    def __fspath__(self):
        return self.temp_dir

    __str__ = __fspath__


def tempdir(custom_path=None, keep_for_debug=None):
    """A new folder."""
    return TempDirectory(custom_path, keep_for_debug)
