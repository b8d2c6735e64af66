"""Results of `uma explore` from formulas, for the tests of its page."""

import itertools


def dominates(a, b):
    return all(x <= y for x, y in zip(a.values(), b.values())) and a != b


def make_point(number, values, models, objectives):
    """A point whose weights fit from 8 on; the cycles fall with the size of the memories and the bandwidth."""
    input_kib, weight_kib, bandwidth = values.get("input_kib", 16), values.get("weight_kib", 16), values.get("dma_bytes", 8)
    entries = []
    for m, model in enumerate(models):
        needed = 8 * (m + 1)
        if weight_kib < needed:
            reason = f"layer 'conv{m}' needs {needed * 1024} bytes of memory 'weights', which has {weight_kib * 1024}"
            entries.append({"model": model, "status": "failed", "reason": reason, "cycles": None, "dma_bytes": None, "macs": None,
                            "layers": 10, "offloaded": 9, "bound": {}, "bound_cycles": {}, "simulated": None})
            continue
        array, dma, latency = 40000 * (m + 1), 800000 // bandwidth // (1 + input_kib // 16), 5000 // input_kib
        entries.append({"model": model, "status": "done", "reason": "", "cycles": array + dma + latency,
                        "dma_bytes": 194560 * (m + 1) - 100 * input_kib, "macs": 12500000, "layers": 10, "offloaded": 9, "bound": {"array": 7, "dma": 2, "latency": 1},
                        "bound_cycles": {"array": array, "dma": dma, "latency": latency},
                        "simulated": {"cycles": array + dma + latency, "equal": True} if m == 0 else None})
    failed = [f"{entry['model']}: {entry['reason']}" for entry in entries if entry["status"] == "failed"]
    numbers = None
    if not failed:
        known = {"cycles": sum(entry["cycles"] for entry in entries), "dma_bytes": sum(entry["dma_bytes"] for entry in entries),
                 "input_kib + weight_kib": input_kib + weight_kib, "-macs": -12500000 * len(entries)}
        numbers = {objective: known[objective] for objective in objectives}
    return {"id": number, "attributes": values, "status": "failed" if failed else "done", "reason": failed[0] if failed else "",
            "objectives": numbers, "front": False, "models": entries}


def make(sweep, models=("net", "other net"), objectives=("cycles", "input_kib + weight_kib"), kind="grid",
         keep=lambda number: True):
    names = list(sweep)
    grid = list(itertools.product(*sweep.values()))
    points = [make_point(number, dict(zip(names, values)), models, objectives) for number, values in enumerate(grid)
              if keep(number)]
    done = [point for point in points if point["status"] == "done"]
    for point in done:
        point["front"] = not any(dominates(other["objectives"], point["objectives"]) for other in done)
    return {"format": "uma-explore", "version": 1, "uma": "uma 1.0", "created": None, "accelerator": "strawberry",
            "models": [{"name": name, "sha256": "0" * 64} for name in models],
            "attributes": [{"name": name, "values": values, "default": values[0]} for name, values in sweep.items()],
            "constraints": [], "objectives": list(objectives), "search": {"kind": kind, "seed": 7, "space": len(grid), "points": len(points)},
            "points": points}


def add_cpu(results, cycles):
    """Gives each model layers on the CPU, which the cycles of a simulator do not have."""
    for model in (model for point in results["points"] for model in point["models"]):
        if model["status"] == "done":
            model.update(device_cycles=model["cycles"], cpu_cycles=cycles, cycles=model["cycles"] + cycles)
            model["bound_cycles"]["cpu"] = cycles
    return results


HOSTILE = "</script><b onclick='x'>\u202e\x1b[31m\"&amp;"


def make_all():
    """Results by the name of their page."""
    small = {"input_kib": [8, 16, 32], "weight_kib": [4, 8, 16, 32]}
    hostile = make(small, models=[HOSTILE, HOSTILE + "2"], objectives=["cycles"])
    hostile["accelerator"] = HOSTILE
    hostile["constraints"] = [HOSTILE]
    hostile["attributes"][0]["name"] = HOSTILE
    hostile["objectives"] = [HOSTILE]
    for model in (model for point in hostile["points"] for model in point["models"]):
        if model["bound_cycles"]:
            model["bound_cycles"] = {"constructor": model["bound_cycles"]["array"], HOSTILE: model["bound_cycles"]["dma"]}
    for point in hostile["points"]:
        point["attributes"][HOSTILE] = point["attributes"].pop("input_kib")
        point["reason"] = point["reason"] and HOSTILE
        if point["objectives"]:
            point["objectives"] = {HOSTILE: point["objectives"]["cycles"]}
    return {
        "small": make(small),
        "none": make(small, keep=lambda number: False),
        "single": make({"input_kib": [16]}, models=["net"]),
        "failed": make({"input_kib": [8, 16], "weight_kib": [2, 4]}),
        "large": make({"input_kib": [*range(2, 42, 2)], "weight_kib": [*range(4, 44, 4)], "dma_bytes": [*range(1, 11)]},
                      models=["a", "b", "c"], objectives=["cycles", "dma_bytes", "input_kib + weight_kib"]),
        "one": make(small, objectives=["cycles"]),
        "four": make({**small, "dma_bytes": [1, 4, 64]}, objectives=["cycles", "dma_bytes", "input_kib + weight_kib", "-macs"]),
        "random": add_cpu(make({**small, "dma_bytes": [1, 4, 64], "kind": ["even", "odd"], "double": [False, True]}, kind="random",
                       keep=lambda number: number % 7 == 3), 20000),
        "hostile": hostile,
    }
