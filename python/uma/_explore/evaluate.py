"""Evaluates a point: maps each model, adds up its cycles and, on request, runs it on the device's model."""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile

from .. import Error, _finish, _options, _uma
from .log import seal, unseal
from .simulate import simulate
from .space import make_settings
from .study import StudyModel, Workplace, describe, get_cache_folder

#: What `uma explain` says about a layer that a memory cannot hold; test/Python/explore-points.py compares the two.
_SHORTAGE = re.compile(r"needs \d+ bytes of memory '[^']*' \(.*\), which has \d+")

#: The numbers of a model, which objectives and constraints name; for several models, their sums.
METRICS = ("cycles", "device_cycles", "cpu_cycles", "dma_bytes", "macs", "layers", "offloaded", "commands")


def evaluate(place: Workplace, values: dict) -> dict:
    """Returns the results of a point: `memory_bytes`, None where a memory has no limit, and one entry for each model."""
    study = place.study
    accelerator = [place.description, *study.description.settings, *make_settings(values)]
    try:
        memories = describe(accelerator, [])["memories"].values()
    except Error as error:
        # The description refuses the values, for example a memory without bytes.
        reason = _get_reason(place, error)
        return {"memory_bytes": None, "models": [_fail(model, reason) for model in study.models]}
    total = None if None in memories else sum(memories)
    models = [_look_up(place, model, key, accelerator, values) for model, key in zip(study.models, place.model_keys)]
    return {"memory_bytes": total, "models": models}


def _get_reason(place: Workplace, error: Error) -> str:
    """A message without the folder of this process, in one line."""
    if not os.path.exists(place.description):
        # A point must not fail for that.
        raise OSError(f"{place.description} was removed while points are evaluated")
    return " ".join(str(error).replace(f"{place.folder}/description/", "").replace("<bytes>: error: ", "").split())


def _fail(model: StudyModel, reason: str) -> dict:
    empty = dict.fromkeys(METRICS)
    return {"model": model.name, "status": "failed", "reason": reason, **empty, "bound": {}, "bound_cycles": {}, "simulated": None}


def _look_up(place: Workplace, model: StudyModel, key: str, accelerator: list[str], values: dict) -> dict:
    """Takes the result of an earlier exploration, or computes and keeps it."""
    cache = get_cache_folder("points")
    path = None
    if cache is not None:
        path = cache / hashlib.sha256(f"{key} {json.dumps(values, sort_keys=True)}".encode()).hexdigest()
        try:
            _, result = unseal(json.loads(path.read_bytes()))
            return {"model": model.name, **result}
        except (OSError, ValueError, TypeError, RecursionError):
            pass  # computed again
    result = _map(place, model, accelerator)
    # A simulation may fail for reasons of the machine.
    if path is not None and (result["status"] == "done" or not place.study.simulate):
        _keep(path, {name: member for name, member in result.items() if name != "model"})
    return result


def _keep(path, result: dict) -> None:
    """Writes a file whole or not at all. A cache that cannot be written is no error."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False) as file:
            json.dump(seal(0, result), file)
        os.replace(file.name, path)
    except OSError:
        pass


def _map(place: Workplace, model: StudyModel, accelerator: list[str]) -> dict:
    study = place.study
    try:
        text, messages = _uma.explain_mapping(_options(model.code, accelerator, **study.options))
        mapping = json.loads(_finish(text, [message for message in messages if message[0] != "warning"]))
    except Error as error:
        return _fail(model, _get_reason(place, error))
    layers, device = mapping["layers"], study.description.name
    placement = mapping["placement"]
    on_cpu = [layer for layer in placement if layer["target"] != device]
    bound: dict[str, int] = {}
    bound_cycles: dict[str, int] = {}
    for layer in layers:
        bound[layer["bound"]] = bound.get(layer["bound"], 0) + 1
        bound_cycles[layer["bound"]] = bound_cycles.get(layer["bound"], 0) + layer["cycles"]
    per_mac = study.options.get("cpu_cycles_per_mac") or 1
    cpu_cycles = round(sum(layer["macs"] for layer in on_cpu) * per_mac)
    if on_cpu:
        bound["cpu"], bound_cycles["cpu"] = len(on_cpu), cpu_cycles
    device_cycles = sum(layer["cycles"] for layer in layers)
    result = {"model": model.name, "status": "done", "reason": "", "cycles": device_cycles + cpu_cycles, "device_cycles": device_cycles,
              "cpu_cycles": cpu_cycles, "dma_bytes": sum(layer["loaded_bytes"] for layer in layers),
              "macs": sum(layer["macs"] for layer in placement), "layers": len(placement), "offloaded": len(placement) - len(on_cpu),
              "commands": sum(layer["commands"] for layer in layers), "bound": dict(sorted(bound.items())),
              "bound_cycles": dict(sorted(bound_cycles.items())), "simulated": None}
    reason = _find_problem(study.allow_cpu, device, layers, placement, on_cpu)
    if reason:
        counted = {name: result[name] for name in ("macs", "layers", "offloaded")}
        return {**_fail(model, reason), **counted}
    if study.simulate:
        try:
            result["simulated"] = simulate(place, model, accelerator)
        except Error as error:
            return {**result, "status": "failed", "reason": _get_reason(place, error)}
    return result


def _find_problem(allow_cpu: bool, device: str, layers, placement, on_cpu) -> str:
    """Returns why the device cannot compute a model, or an empty text."""
    if not allow_cpu:
        for layer in on_cpu:
            if found := _SHORTAGE.search(layer["reason"] or ""):
                return f"layer '{layer['name']}' {found[0]}"
    if len(on_cpu) == len(placement):
        reason = on_cpu[0]["reason"] if on_cpu else "no layer multiplies"
        return f"no layer runs on '{device}': " + (f"layer '{on_cpu[0]['name']}': {reason}" if on_cpu else reason)
    mapped = {layer["name"] for layer in layers}
    for layer in placement:
        if layer["target"] == device and layer["name"] not in mapped:
            return f"layer '{layer['name']}' has no predicted cycles: its pattern has no 'tile'"
    return ""
