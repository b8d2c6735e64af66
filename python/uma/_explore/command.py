"""The command `uma explore`: `python3 command.py REQUEST` with the options as JSON, which lib/Driver/Explore.cpp writes.

Run by its path; the folder that holds the module takes the place of this one among those to import from.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import warnings


def _fail(message: str, code: int = 2) -> int:
    for number, line in enumerate(message.splitlines() or [""]):
        # A message of the compiler is about a file, or about the call.
        prefix = "" if number or ": error: " in line else "uma: error: "
        print(f"{prefix}{line}", file=sys.stderr)
    return code


def _read_number(option: str, text: str) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 15:
        raise ValueError(f"--{option}={text}: expected a number")
    return int(text)


def main(request: dict) -> int:
    try:
        from uma import CompilerWarning, Error
        from uma._explore import explore, split_list
        from uma._explore.space import parse_sweep
    except ImportError as error:
        return _fail(f"uma explore: {sys.executable} cannot load the Python module 'uma': {error}")
    # A pattern that matches nothing is no news for every model.
    warnings.simplefilter("ignore", CompilerWarning)
    # After a lost scheduler, Dask's event loop would log its own errors.
    for name in ("asyncio", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        for option, word in (("accelerator", "-a ACCELERATOR"), ("sweep", "--sweep NAME=VALUES"), ("output", "-o FOLDER")):
            if not request[option]:
                raise Error(f"uma explore: expected {word}")
        sweep: dict = {}
        for text in request["sweep"]:
            name, values = parse_sweep(text)
            if name in sweep:
                raise Error(f"--sweep={text}: '{name}' is swept twice; write all its values in one list")
            sweep[name] = values
        shapes: dict = {}
        for text in request["shapes"]:
            name, _, sizes = text.rpartition("=")
            if not name:
                raise Error(f"--shape={text}: expected NAME=1x3x32x32, or MODEL:NAME=1x3x32x32")
            if name in shapes:
                raise Error(f"--shape={text}: '{name}' has sizes already")
            shapes[name] = sizes.split("x")
        numbers = {name: _read_number(name, request[name]) for name in ("points", "seed", "workers")}
        per_mac = request["cpu_cycles_per_mac"]
        found = explore(request["models"], request["accelerator"], sweep, constraints=request["constraints"],
                        objectives=[text for each in request["objectives"] for text in split_list(each)], search=request["search"],
                        points=numbers["points"], seed=numbers["seed"] or 0, simulate=request["simulate"], allow_cpu=request["allow_cpu"],
                        scheduler=request["scheduler"] or None, workers=numbers["workers"], output=request["output"],
                        resume=request["resume"], accelerator_dirs=request["accelerator_dirs"], shapes=shapes, lower=request["lower"] or None,
                        cpu_cycles_per_mac=None if per_mac == 1 else per_mac)
    except (Error, ValueError) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        print(f"uma: interrupted; repeat the command with --resume to go on with what {request['output']} has", file=sys.stderr)
        # As a process that does not handle the signal.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGINT)
    try:
        _print_front(found, request["output"])
        sys.stdout.flush()
    except OSError as error:
        # The results are whole: files. Python would flush the rest when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            print(f"uma: warning: standard output: {error.strerror}; the files are written", file=sys.stderr)
    return 1 if any(model["simulated"] and not model["simulated"]["equal"] for point in found for model in point["models"]) else 0


#: Rows of the table on standard output.
_ROWS = 20


def _print_front(found, folder: str) -> None:
    front, failed = found.front, found.failed
    if front:
        rows = str(front).splitlines()
        print("\n".join(row[3:] for row in rows[: _ROWS + 1]))
        if len(rows) > _ROWS + 1:
            print(f"and {len(rows) - _ROWS - 1} more")
        print()
    text = f"{len(found)} points, {len(front)} on the Pareto front"
    if failed:
        text += f", {len(failed)} failed"
    print(f"{text}: {os.path.join(folder, 'index.html')}")
    if failed and not front:
        print(f"point {failed[0]['id']}: {failed[0]['reason']}")
    simulated = [model for point in found for model in point["models"] if model["simulated"]]
    if simulated:
        unlike = sum(model["simulated"]["cycles"] != model["device_cycles"] for model in simulated)
        differ = sum(not model["simulated"]["equal"] for model in simulated)
        print(f"{len(simulated)} runs simulated: {differ} with other outputs than the CPU, {unlike} with other cycles than predicted")


if __name__ == "__main__":
    # Modules of this folder have names that others have, too.
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.exit(main(json.loads(sys.argv[1])))
