"""The C that the emitted C needs."""

import pathlib


def gen_includes() -> str:
    """Text for the top of the emitted C. The file is copied into the package, which includes it from there."""
    return f'#include "{pathlib.Path(__file__).resolve().parent / "conv2dnchw.c"}"\n'
