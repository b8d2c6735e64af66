"""Files of the web, as `tvm.contrib.download`."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
import urllib.request

import uma

__all__ = ["download", "download_testdata"]


def download(url, path, overwrite=False, size_compare=False, retries=3):
    """Stores what `url` gives as `path`, completely or not at all."""
    path = pathlib.Path(path)
    if path.exists() and not overwrite:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file, urllib.request.urlopen(url, timeout=60) as source:
            shutil.copyfileobj(source, file)
    except OSError as problem:
        os.unlink(file.name)
        raise uma.Error(f"{url}: cannot be downloaded: {problem}") from None
    os.replace(file.name, path)


def download_testdata(url, relpath, module=None, overwrite=False):
    """The path of a file of the web, kept in the user's folder for caches."""
    root = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "uma" / "testdata"
    path = root / (module or "") / relpath
    download(url, path, overwrite)
    return str(path)
