"""The space of an exploration: the values of each swept attribute, and the points, numbered in row-major order."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping

from .. import Error, _uma

_MAX_VALUES = 10_000
_RANGE = re.compile(r"(-?\d+):(-?\d+)(?::(\*?)(-?\d+))?")


def parse_sweep(text: str) -> tuple[str, list[str]]:
    """Splits NAME=V1,V2 or NAME=FIRST:LAST[:STEP] or NAME=FIRST:LAST:*FACTOR into the name and the texts of the values."""
    name, equals, values = text.partition("=")
    name = name.strip()
    if not name or not equals or not values.strip():
        raise Error(f"--sweep={text}: expected NAME=V1,V2,…, NAME=FIRST:LAST:STEP or NAME=FIRST:LAST:*FACTOR")
    result = []
    for part in (each.strip() for each in values.split(",")):
        if match := _RANGE.fullmatch(part):
            result += map(str, _expand(text, *match.groups()))
        elif ":" in part:
            raise Error(f"--sweep={text}: '{part}' is no range; expected integers, FIRST:LAST:STEP or FIRST:LAST:*FACTOR")
        elif not part:
            raise Error(f"--sweep={text}: a value is empty")
        else:
            result.append(part)
    return name, result


def _expand(text: str, first: str, last: str, times: str, step: str) -> list[int]:
    """The values of a range, with its end."""
    value, end, step = int(first), int(last), int(step or 1)
    if times and (step < 2 or value < 1):
        raise Error(f"--sweep={text}: a range with a factor starts at 1 or more, and its factor is 2 or more")
    if not times and step < 1:
        raise Error(f"--sweep={text}: the step is {step}, expected 1 or more")
    if end < value:
        raise Error(f"--sweep={text}: the range ends at {end}, before {value}")
    values = []
    while value <= end:
        values.append(value)
        if len(values) > _MAX_VALUES:
            raise Error(f"--sweep={text}: the range has more than {_MAX_VALUES} values")
        value = value * step if times else value + step
    return values


def convert(name: str, value, default, accelerator: str):
    """Converts a value to the type of the attribute's default."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    expected = "true or false" if isinstance(default, bool) else "an integer" if isinstance(default, int) else "a text"
    if isinstance(default, bool):
        if text in ("true", "false"):
            return text == "true"
    elif isinstance(default, int):
        if isinstance(value, float) and value.is_integer():
            text = str(int(value))
        if re.fullmatch(r"-?\d+", text) and -(2**63) <= int(text) < 2**63:
            return int(text)
    elif isinstance(value, str):
        return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
    raise Error(f"attribute '{name}' of accelerator '{accelerator}' cannot be '{text}', expected {expected}")


class Space:
    """All combinations of the values of the swept attributes."""

    def __init__(self, sweep: Mapping[str, Iterable], defaults: Mapping[str, object], accelerator: str):
        if not sweep:
            known = ", ".join(defaults) or "none"
            raise Error(f"nothing is swept; give values of an attribute, e.g. --sweep NAME=32,64; '{accelerator}' has {known}")
        self.names: list[str] = []
        self.values: list[list] = []
        self.defaults = [defaults.get(name) for name in sweep]
        for name, values in sweep.items():
            if name not in defaults:
                known = list(defaults)
                hint = _uma.suggest(name, known) or f"; it has {', '.join(known) or 'none'}"
                raise Error(f"accelerator '{accelerator}' has no attribute '{name}'{hint}")
            if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
                raise Error(f"the values of '{name}' are {values!r}, expected a list such as [32, 64]")
            converted = [convert(name, value, defaults[name], accelerator) for value in values]
            if not converted:
                raise Error(f"attribute '{name}' has no values to try")
            if len(converted) > _MAX_VALUES:
                raise Error(f"attribute '{name}' has {len(converted)} values, at most {_MAX_VALUES} are allowed")
            for position, value in enumerate(converted):
                if value in converted[:position]:
                    raise Error(f"attribute '{name}' is swept over {_show(value)} twice")
            self.names.append(name)
            self.values.append(converted)
        self.size = math.prod(map(len, self.values))
        if self.size > 2**53:
            raise Error(f"the space has {self.size} points, at most 2^53 are allowed")

    def get_indices(self, number: int) -> list[int]:
        """The position of each attribute's value at a point."""
        indices = []
        for values in reversed(self.values):
            number, index = divmod(number, len(values))
            indices.append(index)
        return indices[::-1]

    def get_number(self, indices) -> int:
        number = 0
        for index, values in zip(indices, self.values):
            number = number * len(values) + index
        return number

    def get_values(self, number: int) -> dict:
        """The attributes of a point."""
        return {name: values[index] for name, values, index in zip(self.names, self.values, self.get_indices(number))}


def _show(value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def make_settings(values: Mapping[str, object]) -> list[str]:
    """Attributes as the list of accelerators takes them after a name."""
    return [f"{name}={_show(value)}" for name, value in values.items()]
