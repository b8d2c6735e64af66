"""Runs a model on the simulator that a description names, by the commands `uma compile` and `uma run`."""

from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile

from .. import Error, _uma


def find_command() -> str:
    """Finds `uma` beside the module: in a build folder, and in an installation."""
    for folder in pathlib.Path(_uma.__file__).resolve().parents:
        path = folder / "bin" / "uma"
        if path.is_file():
            return str(path)
    raise Error("to simulate, the command 'uma' must be installed beside the module")


def _run(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run([find_command(), *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")


def _get_error(finished: subprocess.CompletedProcess) -> str:
    """The message of a command that failed."""
    lines = [line for line in finished.stderr.splitlines() if "error:" in line] or finished.stderr.splitlines()[-1:]
    text = lines[0].partition("error: ")[2] or lines[0] if lines else ""
    return text or (f"ended by signal {-finished.returncode}" if finished.returncode < 0 else f"ended with {finished.returncode}")


def simulate(place, model, accelerator: list[str]) -> dict:
    """Returns the cycles that the device's simulator takes for a run, and whether outputs are equal to the reference interpreter's."""
    options = []
    for name, value in place.study.options.items():
        if value is not None:
            options.append(f"--{name.replace('_', '-')}={value}")
    with tempfile.TemporaryDirectory(dir=place.folder) as folder:
        graph, package, trace = (f"{folder}/{name}" for name in (f"{model.name}.mlirbc", "package", "trace.json"))
        pathlib.Path(graph).write_bytes(model.code)
        finished = _run("compile", graph, "-a", ",".join(accelerator), "-o", package, *options)
        if finished.returncode:
            raise Error(f"uma compile: {_get_error(finished)}".replace(f"{folder}/", ""))
        finished = _run("run", package, f"--trace={trace}")
        if finished.returncode:
            raise Error(f"uma run --trace: {_get_error(finished)}".replace(f"{folder}/", ""))
        events = json.loads(pathlib.Path(trace).read_bytes())
        compared = _run("run", package, "--compare")
        if compared.returncode not in (0, 1):
            raise Error(f"uma run --compare: {_get_error(compared)}".replace(f"{folder}/", ""))
    if isinstance(events, dict):
        events = events["traceEvents"]
    cycles = max((event["ts"] + event["dur"] for event in events if event.get("ph") == "X"), default=0)
    return {"cycles": cycles, "equal": compared.returncode == 0}
