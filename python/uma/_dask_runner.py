"""Runs programs on workers of a Dask cluster, for `uma tune --scheduler`; needs `distributed`, and on the workers nothing of uma.

    python3 _dask_runner.py --scheduler=ADDRESS --resource=cpu=NAME --list
    python3 _dask_runner.py --scheduler=ADDRESS --resource=cpu=NAME --timeout=60 --worker=ADDRESS PROGRAM [ARGUMENT...]

The first form prints the addresses of the workers that have the resource. The second one sends the program to a worker, prints what it
prints there, and ends with its exit code. A worker runs one task at a time that asks for the resource. This file is run by its path,
because the package loads the compiler.
"""

from __future__ import annotations

import argparse
import logging
import socket
import sys
import time

#: Seconds to wait for the scheduler, between looks at a task, and without a sign of life after which a worker is lost. Workers
#: tell that they are alive about every second; the scheduler itself waits for minutes.
_PATIENCE, _PAUSE, _SILENCE = 30, 0.1, 15


class Problem(Exception):
    """A message for the user, in one line."""


def run_here(program: bytes, arguments: list[str], seconds: float):
    """Runs a program on the worker. Returns its exit code, or None at the time limit, its output and its errors. Travels by value."""
    import os
    import signal
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(prefix="uma-tune-") as folder:
        path = os.path.join(folder, "program")
        with open(path, "wb") as file:
            file.write(program)
        os.chmod(path, 0o700)
        process = subprocess.Popen([path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True)
        try:
            output, errors = process.communicate(timeout=seconds or None)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            return None, output, errors
        return process.returncode, output, errors


def find_refusal(address: str) -> str | None:
    """Returns why nothing can listen at an address of TCP, or None. Dask tries again until its time is over, and does not say why."""
    from distributed.comm import get_address_host_port

    if "://" in address and not address.startswith(("tcp://", "tls://")):
        return None
    try:
        socket.create_connection(get_address_host_port(address), timeout=_PATIENCE).close()
    except (ConnectionRefusedError, socket.gaierror) as error:
        return error.strerror
    except OSError:
        pass
    return None


def connect(address: str):
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError:
        raise Problem("Dask is not installed; on Debian, 'apt-get install python3-distributed'") from None
    # Its own messages would hide ours.
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    try:
        # A client with a wrong address would wait for itself at its end.
        get_address_host_port(address)
    except ValueError as error:
        raise Problem(f"expected the address of a scheduler, such as tcp://host:8786: {error}") from None
    if refusal := find_refusal(address):
        raise Problem(f"no scheduler answers: {refusal}")
    try:
        return Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise Problem(f"no scheduler answers: {' '.join(str(error).split())}") from None


def find_workers(client, resource: str) -> list[str]:
    workers = client.scheduler_info()["workers"]
    found = {address: worker for address, worker in workers.items() if worker["resources"].get(resource, 0) >= 1}
    if not found:
        raise Problem(f"none of its {len(workers)} workers has the resource '{resource}'")
    for address, worker in sorted(found.items()):
        if worker["nthreads"] != 1:
            raise Problem(f"worker {address} has {worker['nthreads']} threads, so that other work may run beside a measurement; "
                          "start it with --nthreads 1")
        if worker["resources"][resource] >= 2:
            raise Problem(f"worker {address} has {worker['resources'][resource]:g} of the resource '{resource}', so that two programs may "
                          "run there at the same time; give it 1")
    return sorted(found)


def run_there(client, options) -> int:
    with open(options.program, "rb") as file:
        program = file.read()
    future = client.submit(run_here, program, options.arguments, options.timeout, workers=[options.worker], resources={options.resource: 1},
                           allow_other_workers=False, pure=False, retries=0)
    # A task waits for a lost worker forever. Clocks of machines differ, so only changes of the times count.
    seen, heard = None, time.monotonic()
    while not future.done():
        worker = client.scheduler_info()["workers"].get(options.worker)
        if worker is None:
            raise Problem("the worker is lost")
        if worker["last_seen"] != seen:
            seen, heard = worker["last_seen"], time.monotonic()
        elif time.monotonic() - heard > _SILENCE:
            raise Problem(f"the worker is silent for {_SILENCE} s")
        try:
            future.result(timeout=_PAUSE)
        except TimeoutError:
            pass
        except Exception:
            break
    status, output, errors = future.result(timeout=_PATIENCE)
    sys.stdout.buffer.write(output)
    sys.stderr.buffer.write(errors)
    if status is None:
        raise Problem(f"it does not end within {options.timeout:g} s (--timeout sets the limit)")
    if status < 0:
        raise Problem(f"it ended by signal {-status}")
    return status


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scheduler", required=True)
    parser.add_argument("--resource", required=True)
    parser.add_argument("--timeout", type=float, default=0, help="seconds; 0 for no limit")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--worker")
    parser.add_argument("program", nargs="?")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    try:
        client = connect(options.scheduler)
        try:
            if options.list:
                print(*find_workers(client, options.resource), sep="\n")
                return 0
            return run_there(client, options)
        finally:
            client.close(timeout=1)
    except Problem as problem:
        print(problem, file=sys.stderr)
    except Exception as error:  # of Dask, or of the worker
        lines = str(error).split("\n")
        print(f"{type(error).__name__}: {lines[0]}" + (" (the scheduler is lost)" if not lines[0] else ""), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
