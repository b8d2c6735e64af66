"""The results of an exploration as data: objectives, the Pareto front, and the files explore.json, points.csv and index.html."""

from __future__ import annotations

import csv
import io
import json
import pathlib
from typing import NamedTuple

from .. import Error
from .evaluate import METRICS
from .expressions import Expression
from .log import write_whole
from .space import Space
from .study import Study, get_build

#: Numbers of a point, besides those that are sums over its models.
_OF_POINT = ("memory_bytes",)


class Question(NamedTuple):
    """What is asked about the points of a space."""

    study: Study
    space: Space
    constraints: list[Expression]
    objectives: list[Expression]
    search: dict  # kind, seed, points

    def get_attributes(self, number: int) -> dict:
        """All attributes of a point, swept or not."""
        return {**self.study.description.attributes, **self.space.get_values(number)}

    def is_allowed(self, number: int) -> bool:
        """Evaluates the constraints that need no results."""
        attributes = self.get_attributes(number)
        values = {**attributes, **{f"attribute.{name}": value for name, value in attributes.items()}}
        return all(each.evaluate(values) for each in self.constraints if each.names <= values.keys())

    def rate(self, number: int, results: dict) -> tuple[str, dict | None]:
        """Returns why a point failed, or an empty text and its objectives."""
        models = results["models"]
        for model in models:
            if model["status"] != "done":
                return f"{model['model']}: {model['reason']}", None
        values = make_names(self.get_attributes(number), results)
        for constraint in self.constraints:
            if not constraint.evaluate(values):
                found = ", ".join(f"{name} = {values[name]}" for name in sorted(constraint.names))
                return f"constraint '{constraint.text}' does not hold: {found}", None
        return "", {each.text: _simplify(each.evaluate(values)) for each in self.objectives}


def _simplify(value):
    """A whole number as an integer."""
    value = int(value) if isinstance(value, bool) else value
    if isinstance(value, str):
        raise Error(f"an objective is the text '{value}', expected a number")
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def make_names(attributes: dict, results: dict) -> dict:
    """The names of expressions, with their values at a point."""
    metrics = {name: _add(model[name] for model in results["models"]) for name in METRICS}
    metrics.update({name: results[name] for name in _OF_POINT if results[name] is not None})
    names = {**attributes, **metrics}
    names.update({f"attribute.{name}": value for name, value in attributes.items()})
    names.update({f"metric.{name}": value for name, value in metrics.items()})
    for model in results["models"]:
        names.update({f"{model['model']}.{name}": model[name] for name in METRICS})
    return names


def get_known_names(study: Study, swept) -> dict[str, str]:
    """All names that expressions may use; a text says why one must not be used."""
    known = {name: "" for name in [*study.description.attributes, *METRICS]}
    if None not in study.description.memories.values():
        known.update(dict.fromkeys(_OF_POINT, ""))
    for name in list(known):
        if name in study.description.attributes:
            known[f"attribute.{name}"] = ""
        if name in METRICS or name in _OF_POINT:
            known[f"metric.{name}"] = ""
            if name in swept:
                known[name] = f"names '{name}', which is an attribute and a metric; write attribute.{name} or metric.{name}"
    for model in study.models:
        known.update({f"{model.name}.{name}": "" for name in METRICS})
    return known


def _add(values):
    values = list(values)
    return None if None in values else sum(values)


def find_front(points: list[dict]) -> None:
    """Marks the points that no other point is better than: as good in all objectives, and better in one."""
    done = [(tuple(point["objectives"].values()), point) for point in points if point["status"] == "done"]
    front: list[tuple] = []
    for values in sorted({values for values, _ in done}):
        # In this order, only an earlier one can be better.
        if not any(all(a <= b for a, b in zip(other, values)) for other in front):
            front.append(values)
    chosen = set(front)
    for values, point in done:
        point["front"] = values in chosen


def make_results(question: Question, known: dict[int, dict]) -> dict:
    """The contents of explore.json; docs/explore.md has the schema."""
    points = []
    for number in sorted(known):
        results = known[number]
        reason, objectives = question.rate(number, results)
        point = {"id": number, "attributes": question.space.get_values(number), "status": "failed" if reason else "done",
                 "reason": reason, "objectives": objectives, "front": False, "memory_bytes": results["memory_bytes"],
                 "models": results["models"]}
        points.append(point)
    find_front(points)
    space, study = question.space, question.study
    return {"format": "uma-explore", "version": 1, "uma": get_build(), "created": None, "accelerator": study.description.name,
            "models": [model.identify() for model in study.models],
            "attributes": [{"name": name, "values": values, "default": default}
                           for name, values, default in zip(space.names, space.values, space.defaults)],
            "constraints": [each.text for each in question.constraints], "objectives": [each.text for each in question.objectives],
            "search": {"kind": question.search["kind"], "seed": question.search["seed"], "space": space.size, "points": len(points)},
            "points": points}


def make_rows(results: dict) -> list[dict]:
    """One flat row for each point: attributes, objectives, sums and the numbers of each model."""
    rows = []
    for point in results["points"]:
        row = {"id": point["id"], "status": point["status"], "front": point["front"], **point["attributes"]}

        def put(name, value, prefix):
            row[name if name not in point["attributes"] else f"{prefix}.{name}"] = value

        metrics = {name: _add(model[name] for model in point["models"]) for name in METRICS}
        metrics["memory_bytes"] = point["memory_bytes"]
        for name, value in metrics.items():
            put(name, value, "metric")
        for name in results["objectives"]:
            if name not in row:
                row[name] = point["objectives"][name] if point["objectives"] else None
        for model in point["models"]:
            for name in METRICS:
                row[f"{model['model']}.{name}"] = model[name]
            if model["simulated"]:
                row[f"{model['model']}.simulated_cycles"] = model["simulated"]["cycles"]
                row[f"{model['model']}.equal"] = model["simulated"]["equal"]
        row["reason"] = point["reason"]
        rows.append(row)
    return rows


def make_csv(results: dict) -> str:
    rows = make_rows(results)
    columns = list(dict.fromkeys(column for row in rows for column in row if column != "reason")) + ["reason"]
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: str(value).lower() if isinstance(value, bool) else value for name, value in row.items()})
    return text.getvalue()


def write_tables(folder: pathlib.Path, results: dict) -> None:
    from .._explore_page import write_page

    write_whole(folder / "explore.json", json.dumps(results, ensure_ascii=False, indent=1) + "\n")
    write_whole(folder / "points.csv", make_csv(results))
    write_whole(folder / "index.html", write_page(results))
