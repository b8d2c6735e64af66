"""The values that the calls of `uma` return."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from . import Module


class Explanation(list):
    """Where each operator runs and why not elsewhere: the dicts of `layers` in `uma explain --json` (docs/explain.md), with the other
    members as attributes."""

    def __init__(self, data):
        super().__init__(data["layers"])
        self.accelerators = data["accelerators"]
        self.totals = data["totals"]
        self.summary = data["summary"]
        self.policies = data["policies"]

    def _rows(self):
        for layer in self:
            shapes = ", ".join("x".join(map(str, result["shape"])) + " " + result["type"] for result in layer["results"])
            reason = layer["reasons"][0]["constraint"] if layer["reasons"] else ""
            yield layer["name"], layer["operator"], shapes, layer["target"], reason

    def _repr_html_(self) -> str:
        """A table, which notebooks show."""
        head = "".join(f"<th style='text-align:left'>{title}</th>" for title in ("layer", "operator", "result", "runs on", "why not on a device"))
        rows = "".join("<tr>" + "".join(f"<td style='text-align:left'>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in self._rows())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def __str__(self) -> str:
        rows = [("layer", "operator", "result", "runs on", "why not on a device"), *self._rows()]
        widths = [max(len(str(row[column])) for row in rows) for column in range(4)]
        return "\n".join("  ".join([*(str(cell).ljust(width) for cell, width in zip(row, widths)), str(row[4])]).rstrip() for row in rows)


class TestedLayer(NamedTuple):
    """A layer that `test` made, and what the device's C computed on it."""

    pattern: str
    layer: str
    status: str  # "equal", "failed" or "not run"
    message: str

    __test__ = False  # no test of pytest's


class TestResult(list):
    """The layers of a test; true if all are equal."""

    __test__ = False

    @property
    def failures(self) -> list[TestedLayer]:
        return [layer for layer in self if layer.status == "failed"]

    def __bool__(self) -> bool:
        return not self.failures and any(layer.status == "equal" for layer in self)


class Quantization(NamedTuple):
    """A quantized network and the differences to the float network; docs/quantize.md has the members of `report`."""

    module: Module
    report: dict
