"""Engines evaluate points somewhere. This one uses one process on this machine, so that a crash costs one point."""

from __future__ import annotations

import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .. import Error
from .evaluate import _fail
from .study import Study

#: Attempts for a point on which the process ends.
_ATTEMPTS = 2


class Progressed(NamedTuple):
    """A point that is done: its number and its results."""

    number: int
    results: dict


def make_environment() -> dict[str, str]:
    """The environment of processes that import this module."""
    folder = str(pathlib.Path(__file__).resolve().parents[2])
    paths = [folder, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(paths))}


def fail_point(study: Study, reason: str) -> dict:
    """The results of a point that cannot be evaluated."""
    return {"memory_bytes": None, "models": [_fail(model, reason) for model in study.models]}


class OneProcess:
    """Evaluates one point after the other in a process of its own."""

    workers = 1

    def __init__(self, study: Study):
        self.study = study
        self.process: subprocess.Popen | None = None
        # Whatever the process leaves is removed with it.
        self.folder = tempfile.TemporaryDirectory(prefix="uma-explore-")

    def _start(self) -> None:
        # In a session of its own: a Ctrl-C of the terminal is for this process, which ends that one.
        self.process = subprocess.Popen([sys.executable, "-m", "uma._explore.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   env={**make_environment(), "TMPDIR": self.folder.name}, start_new_session=True)
        pickle.dump(self.study, self.process.stdin)
        self.process.stdin.flush()

    def run(self, points: Iterable[tuple[int, dict]]) -> Iterator[Progressed]:
        for number, values in points:
            yield Progressed(number, self._evaluate(number, values))

    def _evaluate(self, number: int, values: dict) -> dict:
        for attempt in range(_ATTEMPTS):
            try:
                if self.process is None:
                    self._start()
                pickle.dump((number, values), self.process.stdin)
                self.process.stdin.flush()
                _, results, problem = pickle.load(self.process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError):
                status = self._end(kill=False)
                continue
            if problem is not None:
                raise Error(f"point {number} cannot be evaluated: {problem.strip().splitlines()[-1]}")
            return results
        how = f"signal {-status}" if status < 0 else f"exit code {status}"
        return fail_point(self.study, f"the compiler ended by {how}, {_ATTEMPTS} times")

    def _end(self, kill: bool) -> int:
        process, self.process = self.process, None
        if process is None:
            return 0
        for stream in (process.stdin, process.stdout):
            try:
                stream.close()
            except OSError:
                pass
        if kill:
            process.terminate()
        try:
            return process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def close(self) -> None:
        self._end(kill=False)
        self.folder.cleanup()

    def kill(self) -> None:
        """Ends at once, also amid a point."""
        self._end(kill=True)
        self.folder.cleanup()
