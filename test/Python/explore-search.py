"""Searches of uma explore choose the same points for a seed wherever they are evaluated; expressions; the front; what is not installed."""
# REQUIRES: python
# RUN: env PYTHONPATH=%build/python %python -B %s %S/Inputs/explore | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import itertools
import pathlib
import random
import signal
import sys

import uma
from uma._explore import dask_engine, engine
from uma._explore.expressions import Expression, split_list
from uma._explore.search import make_search
from uma._explore.space import Space
from uma._explore.tables import find_front

inputs = pathlib.Path(sys.argv[1])
MODEL = str(inputs / "convolution.mlir")

# Expressions.
known = {"a": "", "b": "", "mode": ""}
values = {"a": 7, "b": 2, "mode": "fast"}
# CHECK: 3 3.5 1 49 True True False 2 7 -5 True
print(*(Expression("objective", text, known).evaluate(values) for text in (
    "a // b", "a / b", "a % b", "a ** b", "1 < b < a", 'mode == "fast" or a', "not a > b", "min(a, b)", "max(a, b, 3)", "b - a", "a != b and b")))
# CHECK-NEXT: ['a', 'min(a, b)', '-b']
print(split_list("a, min(a, b),-b"))
refused = ["a.__class__", "().a", "a[0]", "lambda: a", "a if b else 1", "f'{a}'", "{a}", "a and (b := 3)", "min(a)", "max(*a)", "print(a)", "a << b", "~a",
           "2 ** 300", "10 ** 100", "1e999", "a" * 3000, "(" * 300 + "a" + ")" * 300, "-" * 60 + "a", "", "a b", "None", "b'x'", "1j"]
for text in refused:
    try:
        Expression("objective", text, known).evaluate(values)
        print("evaluated", text[:30])
    except uma.Error as error:
        assert "\n" not in str(error) and str(error).startswith("objective '"), error
# CHECK-NEXT: 24 refused
print(len(refused), "refused")

# The front of random points is that of the definition.
for seed in range(20):
    generator = random.Random(seed)
    points = [{"status": "done", "front": False, "objectives": dict(zip("xyz", (generator.randrange(6) for _ in range(1 + seed % 3))))}
              for _ in range(60)]
    find_front(points)
    for point in points:
        mine = tuple(point["objectives"].values())
        better = any(other != mine and all(a <= b for a, b in zip(other, mine)) for other in (tuple(p["objectives"].values()) for p in points))
        assert point["front"] != better

# Numbers of points.
space = Space({"x": [1, 2, 3], "y": [True, False], "z": ["p", "q"]}, {"x": 0, "y": True, "z": "p"}, "device")
assert [tuple(space.get_values(number).values()) for number in range(space.size)] == list(itertools.product([1, 2, 3], [True, False], ["p", "q"]))
assert all(space.get_number(space.get_indices(number)) == number for number in range(space.size))

# Searches, on a space too large to evaluate: x has its minimum at 3, y at 7.
large = Space({"x": range(100), "y": range(100), "z": range(100)}, {"x": 0, "y": 0, "z": 0}, "device")


def is_allowed(number):
    return sum(large.get_values(number).values()) % 2 == 0


def follow(kind, seed, points=200, objectives=2):
    """Returns the points that a search chooses."""
    search = make_search(kind, large, is_allowed, points, seed, objectives)
    chosen, generation = [], next(search)
    while True:
        generation = list(generation)
        chosen += generation
        rated = {number: None if large.get_values(number)["z"] > 90 else
                 (abs(large.get_values(number)["x"] - 3), abs(large.get_values(number)["y"] - 7)) for number in generation}
        try:
            generation = search.send(rated)
        except StopIteration:
            return chosen


state = random.getstate()
for kind in ("random", "front"):
    try:
        first = follow(kind, 1)
        assert first == follow(kind, 1) != follow(kind, 2)
        assert len(first) == len(set(first)) == 200 and all(map(is_allowed, first))
        if kind == "front":
            best = min(abs(large.get_values(number)["x"] - 3) + abs(large.get_values(number)["y"] - 7) for number in first)
            assert best < min(abs(large.get_values(number)["x"] - 3) + abs(large.get_values(number)["y"] - 7) for number in follow("random", 1))
    except uma.Error as error:
        assert "python3-deap" in str(error)
assert random.getstate() == state
# CHECK-NEXT: searched
print("searched")
# No point meets the constraints, or fewer than asked for.
# CHECK-NEXT: [0, 0, 0] [0] 3
print([len(uma.explore(MODEL, "strawberry", {"input_kib": [2, 4]}, constraints=["input_kib > 4"], workers=1, **options))
       for options in ({}, {"search": "random"}, {"search": "random", "points": 1})],
      [point["id"] for point in uma.explore(MODEL, "strawberry", {"input_kib": [2, 4]}, constraints=["input_kib < 4"], search="random", seed=3, workers=1)],
      len(uma.explore(MODEL, "strawberry", {"input_kib": [2, 4, 6]}, search="random", points=50, workers=1)))

# A process that dies costs its point; one that dies once costs nothing.
study = uma._explore.make_question(MODEL, "strawberry", {"input_kib": [2, 4]}, (), (), "grid", None, 0, False, False, (), {}).study
one = engine.OneProcess(study)
results = []
for done in one.run([(0, {"input_kib": 2}), (1, {"input_kib": 4})]):
    results.append(done.results["models"][0]["status"])
    one.process.send_signal(signal.SIGKILL)
    one.process.wait()
one.close()
# CHECK-NEXT: ['done', 'done']
print(results)
python, sys.executable = sys.executable, "/bin/false"
one = engine.OneProcess(study)
# CHECK-NEXT: the compiler ended by exit code 1, 2 times
print(next(one.run([(0, {"input_kib": 2})])).results["models"][0]["reason"])
one.close()
sys.executable = python

# Without Dask, one core and a note; without DEAP and pandas, the names of their packages.
sys.stdout.flush()
sys.stderr = sys.stdout
for name in ("distributed", "deap", "pandas"):
    sys.modules[name] = None
assert not dask_engine.is_installed()
# CHECK-NEXT: uma: note: one core computes; install Dask to use all ('apt-get install python3-distributed')
# CHECK-NEXT: 2
print(len(uma.explore(MODEL, "strawberry", {"input_kib": [2, 4]}, workers=2)))
for call in (lambda: uma.explore(MODEL, "strawberry", {"input_kib": [2, 4]}, scheduler="tcp://127.0.0.1:1"),
             lambda: uma.explore(MODEL, "strawberry", {"input_kib": [2, 4]}, search="front"),
             lambda: uma.explore(MODEL, "strawberry", {"input_kib": [2]}, workers=1).to_pandas()):
    # CHECK-NEXT: a scheduler needs Dask: 'apt-get install python3-distributed', or 'pip install distributed'
    # CHECK-NEXT: --search=front needs DEAP: 'apt-get install python3-deap', or 'pip install deap'; --search=random needs nothing
    # CHECK-NEXT: to_pandas needs pandas: 'apt-get install python3-pandas', or 'pip install pandas'; rows() needs nothing
    try:
        call()
    except (uma.Error, ImportError) as error:
        print(error)
