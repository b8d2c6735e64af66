"""The page of `uma explore`: one HTML file without other files, whose script draws what the results hold.

    text = write_page(results)

`results` is what `explore.json` holds. Headings, numbers and tables are HTML, for readers without scripts; the drawings and the
sliders are made by the scripts beside this file. HTMLPage.css, HTMLControls.css and HTMLPage.js are those of the pages of
`uma compile --report`. The same results give the same bytes.
"""

from __future__ import annotations

import html
import json
import pathlib
import unicodedata

_STYLES = ["HTMLPage.css", "HTMLControls.css", "explore.css"]
_SCRIPTS = ["HTMLPage.js", "explore.js", "plot.js", "point.js", "bounds.js"]
#: Rows of the table of failures: more would make the page slow, and `explore.json` has all.
_MAX_REASONS = 100
#: Characters that Unicode calls printable, but that are invisible or look like a space: U+00AD has the category Cf as others,
#: fillers and the blank of braille have that of letters and symbols.
_BLANK = set("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5") | {chr(c) for c in (*range(0xFE00, 0xFE10), *range(0x180B, 0x1810))}



def printable(text: str) -> str:
    """Replaces invisible characters by escapes such as `\\u202E`, as all texts of `uma`."""

    def shown(c: str) -> str:
        if c == " " or (unicodedata.category(c)[0] not in "CZ" and c not in _BLANK):
            return c
        code = ord(c)
        return "\\n" if c == "\n" else f"\\x{code:02X}" if code < 0x80 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"

    return text if text.isascii() and text.isprintable() else "".join(map(shown, text))


def _printable_values(value):
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable(str(name)): _printable_values(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_printable_values(member) for member in value]
    return value


def _is_number(value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(value) -> str:
    """Formats a number with separated thousands, another value as text."""
    if isinstance(value, bool):
        return str(value).lower()  # as in a description
    if not _is_number(value):
        return str(value)
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.6g}".replace(",", "\u00a0")
    return f"{int(value):,}".replace(",", "\u00a0")


def _plural(count: int, word: str) -> str:
    return f"{_number(count)} {word}" + ("" if count == 1 else "s")


def _file(name: str) -> str:
    return pathlib.Path(__file__).with_name(name).read_text(encoding="utf-8")


def _cell(value) -> str:
    if _is_number(value):
        return f'<td class="number" data-value="{value}">{_number(value)}</td>'
    return f"<td>{html.escape(_number(value))}</td>"


def _head(title: str, is_number: bool) -> str:
    return f'<th scope="col"{" class=" + chr(34) + "number" + chr(34) if is_number else ""}>{html.escape(title)}</th>'


def bound_cycles(point: dict) -> dict[str, float]:
    """Returns the cycles that each engine bounds, summed over the models of a point, the most first."""
    sums: dict[str, float] = {}
    for model in point["models"]:
        for engine, cycles in (model.get("bound_cycles") or {}).items():
            sums[engine] = sums.get(engine, 0) + cycles
    return dict(sorted(sums.items(), key=lambda item: (-item[1], item[0])))


class _Page:
    def __init__(self, results: dict):
        self.results = _printable_values(results)
        self.points = self.results["points"]
        self.done = [point for point in self.points if point["status"] == "done"]
        self.front = [point for point in self.done if point["front"]]
        self.failed = [point for point in self.points if point["status"] != "done"]
        self.objectives = self.results["objectives"]
        self.attributes = self.results["attributes"]

    def title(self) -> str:
        return f"Exploration of {self.results['accelerator']}"

    def summary(self) -> str:
        models = ", ".join(model["name"] for model in self.results["models"])
        search = self.results["search"]
        lines = [f"<b>{html.escape(models)}</b> on {html.escape(self.results['accelerator'])}"]
        how = {"grid": "all points of the grid", "random": "random points", "front": "a search for the front"}
        seed = "" if search["kind"] == "grid" else f", seed {_number(search['seed'])}"
        lines.append(f"{html.escape(how.get(search['kind'], search['kind']))}{seed}")
        for constraint in self.results["constraints"]:
            lines.append(f"only where <code>{html.escape(constraint)}</code>")
        return '<p class="command">' + "; ".join(lines) + "</p>\n"

    def sizes(self) -> str:
        cards = [("Points", _number(len(self.points)), f"of {_plural(self.results['search']['space'], 'point')} in the space"),
                 ("Pareto front", _number(len(self.front)), f"of {_plural(len(self.done), 'point')} that hold the models")]
        if self.failed:
            cards.append(("Failed", _number(len(self.failed)), "with their reasons below"))
        for objective in self.objectives if self.done else []:
            best = min(self.done, key=lambda point: (point["objectives"][objective], point["id"]))
            cards.append((f"Least {objective}", _number(best["objectives"][objective]), f"point {_number(best['id'])}"))
        return '<div class="sizes">\n' + "".join(
            f'<div class="size"><h3>{html.escape(title)}</h3><p><b>{html.escape(value)}</b></p>'
            f'<p class="faint">{html.escape(note)}</p></div>\n'
            for title, value, note in cards) + "</div>\n"

    def drawing(self, name: str, title: str) -> str:
        return (f'<section id="{name}">\n<h2>{title}</h2>\n<div class="tools" hidden></div>\n<div class="view"></div>\n'
                '<noscript><p class="faint">This part needs scripts; the tables do not.</p></noscript>\n</section>\n')

    def front_table(self) -> str:
        text = '<section id="table">\n<h2>Points of the Pareto front</h2>\n'
        if not self.front:
            return text + '<p class="faint">No point holds all models.</p>\n</section>\n'
        heads = [_head("Point", True)]
        # A device may have an attribute of the name of an objective.
        for attribute in self.attributes:
            name = attribute["name"] + (" (attribute)" if attribute["name"] in self.objectives else "")
            heads.append(_head(name, all(map(_is_number, attribute["values"]))))
        heads += [_head(objective, True) for objective in self.objectives]
        heads.append(_head("Mostly bound by", False))
        rows = []
        for point in self.front:
            bounds = bound_cycles(point)
            total = sum(bounds.values())
            engine, most = next(iter(bounds.items()), ("", 0))
            bound = f"{engine} ({100 * most / total:.0f}\u00a0%)" if total else ""
            cells = [_cell(point["id"]), *(_cell(point["attributes"][a["name"]]) for a in self.attributes),
                     *(_cell(point["objectives"][objective]) for objective in self.objectives), _cell(bound)]
            rows.append(f'<tr data-point="{point["id"]}">{"".join(cells)}</tr>\n')
        return (text + '<p class="faint">No other point is better in one objective without being worse in another one.</p>\n'
                '<div class="tools" hidden></div>\n<div class="wide"><table class="sortable front">\n'
                f'<thead><tr>{"".join(heads)}</tr></thead>\n<tbody>\n{"".join(rows)}</tbody></table></div>\n</section>\n')

    def failed_table(self) -> str:
        if not self.failed:
            return ""
        reasons: dict[str, list[dict]] = {}
        for point in self.failed:
            reasons.setdefault(point["reason"], []).append(point)
        order = sorted(reasons.items(), key=lambda item: (-len(item[1]), item[1][0]["id"]))
        rows = []
        for reason, points in order[:_MAX_REASONS]:
            values = []
            for attribute in self.attributes:
                found = [value for value in attribute["values"] if any(p["attributes"][attribute["name"]] == value for p in points)]
                if len(found) < len(attribute["values"]) or len(points) == 1:
                    values.append(f"{attribute['name']}\u00a0{', '.join(map(_number, found))}")
            rows.append(f'<tr data-point="{points[0]["id"]}">{_cell(len(points))}<td class="why">{html.escape(reason)}</td>'
                        f'<td class="faint">{html.escape("; ".join(values) or "all values")}</td></tr>\n')
        rest = sum(len(points) for _, points in order[_MAX_REASONS:])
        note = f'<p class="faint">{_plural(rest, "point")} with other reasons: see explore.json.</p>\n' if rest else ""
        return (f'<section id="failed">\n<h2>{_plural(len(self.failed), "failed point")}</h2>\n'
                '<table class="reasons">\n<thead><tr><th class="number" scope="col">Points</th><th scope="col">Reason</th>'
                f'<th scope="col">With</th></tr></thead>\n<tbody>\n{"".join(rows)}</tbody></table>\n{note}</section>\n')

    def print(self) -> str:
        style = "".join(map(_file, _STYLES))
        script = "".join(map(_file, _SCRIPTS))
        # Nothing in the data ends the element.
        data = json.dumps(self.results, ensure_ascii=False, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
        title = html.escape(self.title())
        body = f"<h1>{title}</h1>\n{self.summary()}{self.sizes()}"
        if not self.points:
            body += '<p class="faint">No point was evaluated: no combination of the values meets the constraints.</p>\n'
        else:
            body += ('<div class="columns">\n' + self.drawing("plot", "Objectives") + self.drawing("point", "A point") + "</div>\n"
                     + self.drawing("bounds", "What bounds each model") + self.front_table() + self.failed_table())
        body += f'<p class="faint">uma {html.escape(self.results["uma"].removeprefix("uma "))}</p>\n'
        return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" '
                f'content="width=device-width, initial-scale=1">\n<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}'
                f'<div id="tip" role="tooltip" hidden></div>\n<script type="application/json" id="data">{data}</script>\n'
                f"<script>{script}</script>\n</body>\n</html>\n")


def write_page(results: dict) -> str:
    """Returns the page of the results of `uma explore`, given as `explore.json` holds them."""
    return _Page(results).print()
