"""Explores a design before it is built: maps models on a description with all values of its attributes. docs/explore.md is the guide.

space.py has the points, expressions.py constraints and objectives, study.py what travels to workers, evaluate.py what happens at a
point, engine.py and dask_engine.py where, search.py which points, log.py and tables.py the files.
"""

from __future__ import annotations

import itertools
import os
import sys

from .. import Error, _uma
from .engine import OneProcess
from .evaluate import METRICS
from .expressions import Expression, split_list
from .log import Log, Memory
from .progress import Progress
from .results import Exploration
from .search import count, import_deap, make_search
from .space import Space, convert
from .study import Study, get_build, read_description, read_models
from .tables import Question, get_known_names, make_results, write_tables

SEARCHES = ("grid", "random", "front")
#: Points from which it pays to start several processes.
_MANY = 8
#: Points of a grid that are listed, to know how many meet the constraints.
_LISTED = 1_000_000
#: Points of a search that are evaluated without a number of points.
_DEFAULT_POINTS = 100


def explore(models, accelerator, sweep, *, constraints=(), objectives=(), search="grid", points=None, seed=0, simulate=False,
            allow_cpu=False, scheduler=None, workers=None, output=None, resume=False, accelerator_dirs=(), shapes=None, **options) -> Exploration:
    """See `uma.explore`."""
    question = make_question(models, accelerator, sweep, constraints, objectives, search, points, seed, simulate, allow_cpu,
                             accelerator_dirs, options, shapes)
    if workers is not None and (not isinstance(workers, int) or isinstance(workers, bool) or workers < 1):
        raise Error(f"workers is {workers!r}, expected a number of processes from 1")
    if scheduler is not None and workers is not None:
        raise Error("workers are processes on this machine; with a scheduler, its workers compute")
    if resume and output is None:
        raise Error("to resume, name the folder of the exploration as output")
    chosen = make_search(question.search["kind"], question.space, question.is_allowed, question.search["points"],
                         question.search["seed"], len(question.objectives))
    # Before there are files: mistakes in constraints show here.
    first = next(chosen, ())
    if question.space.size <= _LISTED:
        first = list(first)
    log = Memory() if output is None else Log(output, make_header(question), resume)
    try:
        _run(question, chosen, first, log, scheduler, workers)
        log.open()
    finally:
        log.close()
    results = make_results(question, log.known)
    if output is not None:
        write_tables(log.folder, results)
    return Exploration(results)


def make_question(models, accelerator, sweep, constraints, objectives, search, points, seed, simulate, allow_cpu, accelerator_dirs,
                  options, shapes=None) -> Question:
    """Reads and checks everything before the first point is evaluated."""
    known_options = ("cpu_cycles_per_mac", "lower", "merge_regions", "policy")
    for name in options:
        if name not in known_options:
            raise TypeError(f"unknown option '{name}'{_uma.suggest(name, list(known_options)) or '; options are ' + ', '.join(known_options)}")
    if search not in SEARCHES:
        raise Error(f"search is '{search}', expected grid, random or front{_uma.suggest(str(search), list(SEARCHES))}")
    if points is not None and search == "grid":
        raise Error("points is the number of points of search=random or search=front; a grid has all")
    if points is not None and (not isinstance(points, int) or isinstance(points, bool) or points < 1):
        raise Error(f"points is {points!r}, expected a number from 1")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise Error(f"seed is {seed!r}, expected a number from 0")
    if search == "front":
        import_deap()
    description = read_description(accelerator, accelerator_dirs, simulate)
    space = Space(sweep, description.attributes, description.name)
    study = Study(read_models(models, shapes), description, {name: value for name, value in options.items() if value is not None}, allow_cpu,
                  simulate)
    known = get_known_names(study, space.names)
    if isinstance(constraints, str) or isinstance(objectives, str):
        raise TypeError("constraints and objectives are lists of texts")
    default = ["cycles", "memory_bytes" if "memory_bytes" in known and description.memories else "dma_bytes"]
    texts = list(objectives) or default
    for position, text in enumerate(texts):
        if text in texts[:position]:
            raise Error(f"objective '{text}' is given twice")
    if points is None and search != "grid":
        points = _DEFAULT_POINTS
    return Question(study, space, [Expression("constraint", text, known) for text in constraints],
                    [Expression("objective", text, known) for text in texts], {"kind": search, "seed": seed, "points": points})


def make_header(question: Question) -> dict:
    """The first line of the log: what a run that goes on must have in common."""
    study, space = question.study, question.space
    return {"uma": get_build(), "accelerator": study.description.name,
            "models": [model.identify() for model in study.models],
            "attributes": [{"name": name, "values": values} for name, values in zip(space.names, space.values)],
            "constraints": [each.text for each in question.constraints], "objectives": [each.text for each in question.objectives],
            "search": question.search, "study": study.get_key()}


def _make_engine(question: Question, scheduler, workers: int | None, total: int):
    if scheduler is not None:
        from .dask_engine import OnDask

        return OnDask.at(question.study, scheduler)
    from . import dask_engine

    wanted = workers or (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    if wanted > 1 and (workers or total >= _MANY):
        if dask_engine.is_installed():
            return dask_engine.OnDask.here(question.study, min(wanted, total) if workers is None else workers)
        sys.stderr.write("uma: note: one core computes; install Dask to use all ('apt-get install python3-distributed')\n")
    return OneProcess(question.study)


def _run(question: Question, search, generation, log, scheduler, workers: int | None) -> None:
    """Evaluates the points that a search chooses, beginning with `generation`, and that the log does not have."""
    space, kind = question.space, question.search["kind"]
    total = count(kind, space, question.search["points"])
    if kind != "front" and isinstance(generation, list):
        total = len(generation)
    engine = progress = None
    try:
        while generation is not None:
            known: dict[int, tuple | None] = {}
            wanted, generation = itertools.tee(generation)
            missing = (number for number in wanted if number not in log.known)
            first = next(missing, None)
            if first is not None:
                if engine is None:
                    engine = _make_engine(question, scheduler, workers, total - len(log.known))
                    progress = Progress(total, question.objectives[0].text, engine.workers)
                    progress.skip(len(log.known))
                for number, results in engine.run((number, space.get_values(number)) for number in itertools.chain([first], missing)):
                    if number not in log.known:
                        log.add(number, results)
                        progress.add(question.rate(number, results)[1])
            for number in generation:
                objectives = question.rate(number, log.known[number])[1]
                known[number] = tuple(objectives.values()) if objectives else None
            try:
                generation = search.send(known)
            except StopIteration:
                generation = None
    except BaseException:
        if engine is not None:
            engine.kill()
            engine = None
        raise
    finally:
        if progress is not None:
            progress.close()
        if engine is not None:
            engine.close()


__all__ = ["METRICS", "Exploration", "explore", "split_list", "convert"]
