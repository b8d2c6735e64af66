"""The process that evaluates points: beside the exploration on this machine, or a worker of Dask.

On this machine: `python3 -m uma._explore.worker` reads a study and then numbered points from standard input, pickled, and writes
their results to standard output.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
import traceback

from .evaluate import evaluate
from .study import Study, Workplace, get_build

#: The studies of this process by their names, and those that are unpacked.
_studies: dict[str, bytes] = {}
_places: dict[str, Workplace] = {}
_lock = threading.Lock()


class Refused(RuntimeError):
    """A worker with another build of the compiler."""


def add_study(name: str, pickled: bytes, build: str) -> None:
    """Receives a study. A worker of another version or build must not compute points of it."""
    if get_build() != build:
        raise Refused(f"it has uma {get_build()}, the exploration uses uma {build}")
    _studies[name] = pickled


def drop_study(name: str) -> None:
    with _lock:
        _studies.pop(name, None)
        place = _places.pop(name, None)
    if place is not None:
        place.close()


def evaluate_points(name: str, points: list[tuple[int, dict]]):
    """Returns the time that the points took, and their results by number. Runs on a worker of Dask."""
    with _lock:
        if name not in _places:
            _places[name] = Workplace(pickle.loads(_studies[name]))
        place = _places[name]
    start = time.perf_counter()
    results = [(number, evaluate(place, values)) for number, values in points]
    return time.perf_counter() - start, results


def _serve() -> None:
    """Serves the process at the other end of the pipes until it closes them."""
    requests, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    # Whatever prints must not print into the answers.
    os.dup2(2, 1)
    study: Study = pickle.load(requests)
    place = Workplace(study)
    try:
        while True:
            try:
                number, values = pickle.load(requests)
            except EOFError:
                return
            try:
                answer = number, evaluate(place, values), None
            except Exception:
                answer = number, None, traceback.format_exc()
            pickle.dump(answer, answers)
            answers.flush()
    finally:
        place.close()


if __name__ == "__main__":
    _serve()
