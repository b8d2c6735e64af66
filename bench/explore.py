#!/usr/bin/python3
"""Measures `uma explore`: the share of the front's hypervolume that searches find, and the time that an engine adds to a point.

  PYTHONPATH=build/python bench/explore.py [--seeds 8] [--check]

The space has 2,000 points of two small layers, and is evaluated once. --check fails if NSGA-II finds less than 95 % of the hypervolume with a
quarter of the points, or if an engine adds more than 3 ms to a point. Needs Dask and DEAP.
"""

import argparse
import pathlib
import sys
import tempfile
import os
import time

import numpy as np
from deap.tools import _hypervolume

import uma
from uma._explore import make_question
from uma._explore.dask_engine import OnDask
from uma._explore.engine import OneProcess
from uma._explore.evaluate import evaluate
from uma._explore.study import Workplace

INPUTS = pathlib.Path(__file__).resolve().parent.parent / "test/Python/Inputs/explore"
MODELS = [str(INPUTS / "convolution.mlir"), str(INPUTS / "product.mlir")]
SIZES = [1, 2, 3, 4, 6, 8, 10, 12, 14, 16]
SWEEP = {"input_kib": SIZES, "weight_kib": SIZES, "sum_kib": [2, 4, 8, 16, 32], "dma_bytes": [2, 4, 8, 16]}
OBJECTIVES = ["cycles", "memory_bytes", "attribute.dma_bytes"]


def measure_search(seeds: int) -> float:
    """Prints the shares of the searches, and returns the least one of NSGA-II."""

    def explore(**options):
        return uma.explore(MODELS, "strawberry", SWEEP, objectives=OBJECTIVES, workers=1, **options)

    grid = explore()
    values = np.array([list(point["objectives"].values()) for point in grid if point["status"] == "done"], float)
    low, high = values.min(0), values.max(0)

    def get_volume(points):
        front = np.array([list(point["objectives"].values()) for point in points.front], float)
        return _hypervolume.hv.hypervolume((front - low) / (high - low), np.full(len(low), 1.0001))

    whole, best = get_volume(grid), {point["id"] for point in grid.front}
    print(f"grid: {len(grid)} points, {len(grid.failed)} failed, {len(best)} on the front")
    least = 1.0
    for search in ("front", "random"):
        for seed in range(seeds):
            found = explore(search=search, points=len(grid) // 4, seed=seed)
            share = get_volume(found) / whole
            least = min(least, share) if search == "front" else least
            print(f"{search} {seed}: {len(found)} points, {100 * share:.2f} % of the hypervolume, "
                  f"{len(best & {point['id'] for point in found.front})} points of the front", flush=True)
    return least


def measure_engines() -> float:
    """Prints the time of points whose results are cached, and returns the largest one that an engine adds, in ms."""
    question = make_question(MODELS, "strawberry", SWEEP, (), OBJECTIVES, "grid", None, 0, False, False, (), {})
    points = [(number, question.space.get_values(number)) for number in range(question.space.size)]
    place = Workplace(question.study)
    start = time.monotonic()
    for _, attributes in points:
        evaluate(place, attributes)
    alone = (time.monotonic() - start) / len(points)
    place.close()
    print(f"no engine: {1000 * alone:.2f} ms a point")
    most = 0.0
    for make in (OneProcess, lambda study: OnDask.here(study, 1)):
        engine = make(question.study)
        results = engine.run(iter(points))
        next(results)
        start, cpu = time.monotonic(), time.process_time()
        count = sum(1 for _ in results)
        seconds, cpu = (time.monotonic() - start) / count, (time.process_time() - cpu) / count
        engine.close()
        most = max(most, 1000 * (seconds - alone))
        print(f"{type(engine).__name__}: {1000 * seconds:.2f} ms a point, {1000 * cpu:.2f} ms of the processor in the exploration", flush=True)
    return most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=8)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["UMA_CACHE_DIR"] = folder
        share, added = measure_search(options.seeds), measure_engines()
    return int(options.check and (share < 0.95 or added > 3))


if __name__ == "__main__":
    sys.exit(main())
