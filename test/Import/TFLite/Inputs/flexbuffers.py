"""Writes maps of numbers as FlexBuffers, the format of custom operators' options, from its specification."""

import struct

TYPES = {int: 1, float: 3, bool: 26}
MAP = 9
WIDTH = 2  # the binary logarithm of 4 bytes


def encode(values: dict[str, int | float | bool]) -> bytes:
    data = bytearray()
    keys = sorted(values)
    positions = []
    for key in keys:
        positions.append(len(data))
        data += key.encode() + b"\0"
    data += bytes(-len(data) % 4)
    data += struct.pack("<I", len(keys))
    vector = len(data)
    for position in positions:
        data += struct.pack("<I", len(data) - position)
    data += struct.pack("<II", len(data) - vector, 4)
    data += struct.pack("<I", len(keys))
    start = len(data)
    for key in keys:
        value = values[key]
        data += struct.pack("<f" if isinstance(value, float) else "<i", value)
    data += bytes(TYPES[type(values[key])] << 2 | WIDTH for key in keys)
    data += bytes(-len(data) % 4)
    return bytes(data) + struct.pack("<I", len(data) - start) + bytes([MAP << 2 | WIDTH, 4])
