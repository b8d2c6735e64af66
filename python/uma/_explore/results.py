"""What `uma.explore` returns."""

from __future__ import annotations

import html

from .tables import make_rows


class Exploration(list):
    """The points that were evaluated, sorted by number: dicts with `attributes`, `objectives`, `models` and more (docs/explore.md).

    `results` is what explore.json holds."""

    def __init__(self, results: dict, points=None):
        super().__init__(results["points"] if points is None else points)
        self.results = results

    @property
    def front(self) -> Exploration:
        """The points of the Pareto front, by the first objective."""
        chosen = [point for point in self if point["front"]]
        return Exploration(self.results, sorted(chosen, key=lambda point: (*point["objectives"].values(), point["id"])))

    @property
    def failed(self) -> Exploration:
        """The points that failed; each has its `reason`."""
        return Exploration(self.results, [point for point in self if point["status"] == "failed"])

    def rows(self) -> list[dict]:
        """One flat dict for each point, with the columns of points.csv."""
        return make_rows({**self.results, "points": list(self)})

    def to_pandas(self):
        """The rows as a pandas.DataFrame, by number."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas needs pandas: 'apt-get install python3-pandas', or 'pip install pandas'; rows() needs nothing") from None
        return pandas.DataFrame(self.rows()).set_index("id") if self else pandas.DataFrame()

    def _cells(self) -> list[list[str]]:
        attributes = [attribute["name"] for attribute in self.results["attributes"]]
        shown = [name for name in self.results["objectives"] if name not in attributes]
        head = ["", "id", *attributes, *shown]
        rows = []
        for point in self:
            values = [point["attributes"][name] for name in attributes]
            values += [point["objectives"][name] for name in shown] if point["objectives"] else [point["reason"], *[""] * (len(shown) - 1)]
            rows.append(["*" if point["front"] else "", str(point["id"]), *map(_show, values)])
        return [head, *rows]

    def __str__(self) -> str:
        head, *rows = self._cells()
        done = [row for row, point in zip(rows, self) if point["objectives"]]
        widths = [max(len(row[column]) for row in [head, *done]) for column in range(len(head))]
        return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip() for row in [head, *rows])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """A table, which notebooks show."""
        head, *rows = self._cells()
        text = "".join(f"<th>{html.escape(cell)}</th>" for cell in head)
        body = "".join("<tr>" + "".join(f"<td style='text-align:right'>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table><thead><tr>{text}</tr></thead><tbody>{body}</tbody></table>"


def _show(value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:,}".replace(",", " ")
    return f"{value:.6g}" if isinstance(value, float) else str(value)
