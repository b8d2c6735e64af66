"""Evaluates points on workers of Dask: on a cluster, or on processes that are started on this machine.

The study travels as a plugin, which the scheduler gives to each worker once, also to those that come later. Points travel in batches that
take a fraction of a second. A worker that is lost costs its batches, which the scheduler gives to others.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import pickle
import queue
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator

from .. import Error
from .._dask_runner import find_refusal
from .engine import Progressed, fail_point, make_environment
from .study import Study, get_build

#: Seconds to wait for a scheduler, for its workers, for those of this machine, for a scheduler that is silent, and between looks at it.
_CONNECT, _WORKERS, _START, _SILENCE, _LOOK = 30, 10, 60, 5, 0.5
#: Restarts of the workers of this machine without a finished point in between.
_RESTARTS = 3
#: Seconds that a batch takes, and the largest number of its points.
_BATCH_SECONDS, _BATCH_POINTS = 0.25, 64


def is_installed() -> bool:
    try:
        import distributed  # noqa: F401
    except ImportError:
        return False
    return True


def _make_plugin(name: str, pickled: bytes, build: str):
    from distributed.diagnostics.plugin import WorkerPlugin

    class StudyPlugin(WorkerPlugin):
        """A class of a function travels by value; what it calls is imported on the worker."""

        def setup(self, worker):
            from uma._explore.worker import add_study

            add_study(name, pickled, build)

        def teardown(self, worker):
            from uma._explore.worker import drop_study

            drop_study(name)

    return StudyPlugin()


#: Functions for workers. They travel as text: the module may be missing there, or be another one.
_SOURCE = """
def get_build():
    try:
        import uma
        from uma._explore.study import get_build
        return "uma " + get_build()
    except ImportError as error:
        import sys
        old = getattr(sys.modules.get("uma"), "__version__", None)
        return f"uma {old} without uma explore" if old else f"no module uma ({error})"


def evaluate(name, points, expected):
    found = get_build()
    if found != "uma " + expected:
        from distributed import get_worker
        return get_worker().address, found
    from uma._explore.worker import evaluate_points
    return evaluate_points(name, points)
"""
_functions: dict = {"__name__": "uma_explore_functions"}
exec(_SOURCE, _functions)


def _silence() -> None:
    """Turns off the messages of Dask, which would hide ours: its modules have loggers with levels of their own."""
    for name in ["distributed", *logging.root.manager.loggerDict]:
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def connect(scheduler):
    """Connects to a scheduler by its address; a Client of the caller is used as it is. Returns the client and whether it is ours."""
    if not is_installed():
        raise Error("a scheduler needs Dask: 'apt-get install python3-distributed', or 'pip install distributed'")
    from distributed import Client
    from distributed.comm import get_address_host_port

    if isinstance(scheduler, Client):
        if scheduler.asynchronous:
            raise Error("the client of Dask is asynchronous; give one with asynchronous=False")
        return scheduler, False
    _silence()
    try:
        get_address_host_port(scheduler)
    except (ValueError, TypeError):
        raise Error(f"the scheduler is '{scheduler}', expected an address such as tcp://host:8786") from None
    if refusal := find_refusal(scheduler):
        raise Error(f"no scheduler answers at {scheduler}: {refusal}")
    try:
        return Client(scheduler, timeout=_CONNECT, set_as_default=False), True
    except (OSError, TimeoutError) as error:
        raise Error(f"no scheduler answers at {scheduler}: {' '.join(str(error).split()) or type(error).__name__}") from None
    except Exception as error:
        raise Error(f"the scheduler {scheduler} cannot be used: {' '.join(str(error).split())}") from None


def _describe(address: str, found: str) -> str:
    return f"worker {address} has {found}, this exploration uses uma {get_build()}"


class OnDask:
    """Evaluates points on all workers of a client."""

    def __init__(self, study: Study, client, owns_client: bool, cluster=None, command: list[str] | None = None, folder=None):
        """`command` starts workers on this machine, whose files are in `folder`."""
        self.study, self.client, self.owns_client = study, client, owns_client
        self.cluster, self.command, self.folder = cluster, command, folder
        self.processes: subprocess.Popen | None = None
        self.restarts = 0  # since a point was done
        self.seen = time.monotonic()  # the last time that there were workers
        self.name = f"uma-explore-{uuid.uuid4().hex[:12]}"
        self.seconds = 0.0  # for one point
        self.batches: dict = {}  # that workers have, by future, with the workers that may compute them, or None
        self.refused: dict[str, str] = {}  # workers that came later, with other builds
        self.workers = 0
        try:
            if command:
                self._start_processes()
            self._find_workers()
            self._check_builds()
            pickled = pickle.dumps(study)
            self.client.register_worker_plugin(_make_plugin(self.name, pickled, get_build()), name=self.name)
        except BaseException:
            self.kill()
            raise

    @classmethod
    def at(cls, study: Study, scheduler) -> OnDask:
        return cls(study, *connect(scheduler))

    @classmethod
    def here(cls, study: Study, workers: int) -> OnDask:
        """Starts processes on this machine, by the command of Dask: a script need not be importable for that."""
        from distributed import Client, LocalCluster

        _silence()
        # Whatever the workers leave is removed with it: they are killed at the end.
        folder = tempfile.TemporaryDirectory(prefix="uma-explore-")
        cluster = LocalCluster(n_workers=0, processes=True, dashboard_address="127.0.0.1:0", host="127.0.0.1")
        command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address, "--nworkers", str(workers), "--nthreads",
                   "1", "--no-dashboard", "--memory-limit", "0", "--death-timeout", "30", "--host", "127.0.0.1", "--local-directory", folder.name]
        return cls(study, Client(cluster, set_as_default=False), True, cluster, command, folder)

    def _start_processes(self) -> None:
        self.processes = subprocess.Popen(self.command, env={**make_environment(), "TMPDIR": self.folder.name}, stdin=subprocess.DEVNULL,
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def _keep_processes(self) -> None:
        """Restarts the workers of this machine if the process that supervises them ended, or if it gave up on them."""
        if self.processes is None:
            return
        now = time.monotonic()
        if self._get_workers():
            self.seen = now
        if self.processes.poll() is None and now - self.seen < _START:
            return
        if self.restarts == _RESTARTS:
            raise Error(f"the workers of Dask on this machine were lost {_RESTARTS + 1} times without a finished point; the points that are done are "
                        "kept: go on with --resume")
        self.restarts += 1
        self._end_processes()
        self._start_processes()
        self.seen = now

    def _end_processes(self) -> None:
        """Ends the workers and the process that supervises them."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.processes.pid, signal.SIGKILL)
        self.processes.wait()

    def _get_workers(self) -> dict:
        return self.client.scheduler_info()["workers"]

    def _find_workers(self) -> None:
        """Waits for workers: those of this machine have to start."""
        limit = _START if self.processes else _WORKERS
        end = time.monotonic() + limit
        while not self._get_workers():
            if self.processes and self.processes.poll() is not None:
                raise Error(f"the workers of Dask do not start: 'dask-worker' ended with {self.processes.returncode}")
            if time.monotonic() > end:
                address = self.client.scheduler.address
                raise Error(f"the scheduler {address} has no workers after {limit} s; start some with 'dask-worker {address}'")
            time.sleep(0.05)

    def _check_builds(self) -> None:
        for address, found in sorted(self.client.run(_functions["get_build"]).items()):
            if found != f"uma {get_build()}":
                raise Error(f"{_describe(address, found)}; install the same on both")

    def _count_threads(self) -> int:
        return sum(worker["nthreads"] for address, worker in self._get_workers().items() if address not in self.refused)

    def run(self, points: Iterable[tuple[int, dict]]) -> Iterator[Progressed]:
        points = iter(points)
        done: queue.SimpleQueue = queue.SimpleQueue()
        batches = self.batches

        def submit(batch):
            allowed = self._wait_for_allowed() if self.refused else None
            future = self.client.submit(_functions["evaluate"], self.name, batch, get_build(), pure=False, workers=allowed,
                                        key=f"{self.name}-{uuid.uuid4().hex[:12]}")
            batches[future] = batch, allowed
            future.add_done_callback(done.put)

        heard = 0.0
        while True:
            now = time.monotonic()
            if self.client.status == "running":
                if now - heard > _LOOK:
                    # Workers come and go.
                    self._keep_processes()
                    heard, self.workers = now, max(1, self._count_threads())
                    self._free_batches(submit)
            elif now - heard > _SILENCE:
                raise Error("the scheduler is lost; the points that are done are kept: go on with --resume")
            # Twice as many batches as threads, so that none waits.
            while len(batches) < 2 * self.workers:
                size = 1 if not self.seconds else max(1, min(_BATCH_POINTS, int(_BATCH_SECONDS / self.seconds)))
                batch = list(itertools.islice(points, size))
                if not batch:
                    break
                submit(batch)
            if not batches:
                return
            with contextlib.suppress(queue.Empty):
                future = done.get(timeout=_LOOK)
                if future in batches:
                    yield from self._collect(future, batches.pop(future)[0], submit)

    def _wait_for_allowed(self) -> list[str]:
        """Returns the workers that are not refused; those that were lost may come again."""
        end = time.monotonic() + _WORKERS
        while True:
            if allowed := [address for address in self._get_workers() if address not in self.refused]:
                return allowed
            if time.monotonic() > end:
                raise Error("no worker with this build of uma is left; the points that are done are kept: go on with --resume")
            time.sleep(_LOOK)

    def _free_batches(self, submit) -> None:
        """Gives batches whose workers are all lost to others. Dask does that itself for batches that all workers may compute."""
        known = self._get_workers()
        for future, (batch, allowed) in list(self.batches.items()):
            if allowed is not None and not any(address in known for address in allowed):
                del self.batches[future]
                self.client.cancel([future], force=True)
                submit(batch)

    def _collect(self, future, batch, submit) -> Iterator[Progressed]:
        """Takes the results of a batch. Points of a batch on which workers ended are tried alone."""
        from distributed import KilledWorker

        if future.status == "cancelled":
            raise Error("the scheduler is lost; the points that are done are kept: go on with --resume")
        try:
            seconds, results = future.result()
        except KilledWorker as error:
            if len(batch) > 1:
                for point in batch:
                    submit([point])
            else:
                lost = getattr(error, "last_worker", None)
                where = f", the last time {lost.address}" if lost is not None and self.processes is None else ""
                yield Progressed(batch[0][0], fail_point(self.study, f"workers ended while they evaluated the point{where}"))
            return
        except Exception as error:
            raise Error(f"points {', '.join(str(number) for number, _ in batch)} cannot be evaluated: {type(error).__name__}: "
                        f"{' '.join(str(error).split())}") from None
        if isinstance(seconds, str):
            # A worker that came later, and its build.
            if seconds not in self.refused:
                self.refused[seconds] = results
                sys.stderr.write(f"uma: warning: {_describe(seconds, results)}; it gets no points\n")
            submit(batch)
            return
        self.restarts = 0
        mean = seconds / len(batch)
        self.seconds = mean if not self.seconds else 0.7 * self.seconds + 0.3 * mean
        for number, result in results:
            yield Progressed(number, result)

    def close(self) -> None:
        self.kill()

    def kill(self) -> None:
        """Ends what this object has started, also amid points."""
        if self.processes is not None:
            self._end_processes()
            self.folder.cleanup()
        elif self.client.status == "running":
            # The scheduler may be lost.
            with contextlib.suppress(Exception):
                if self.batches:
                    self.client.cancel(list(self.batches), force=True)
                self.client.unregister_worker_plugin(self.name)
        if self.owns_client:
            with contextlib.suppress(Exception):
                self.client.close(timeout=1)
        if self.cluster is not None:
            with contextlib.suppress(Exception):
                self.cluster.close(timeout=1)
