"""Which points of a space are evaluated, in generations: all of a generation are evaluated before the next one is chosen."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager

from .. import Error
from .space import Space

#: What a search gets for the points of a generation: the objectives by number, None for a point that failed.
Objectives = dict[int, "tuple[float, ...] | None"]
Search = Generator[Iterable[int], Objectives, None]

#: Draws for one point that meets the constraints, before a search gives up.
_DRAWS = 200
#: Points of a generation, and generations without a new point after which the search ends.
_POPULATION, _PATIENCE = 40, 10
#: Objectives of a point that failed: worse than all others.
_FAILED = 1e18


def count(kind: str, space: Space, points: int | None) -> int:
    """The number of points that a search evaluates at most."""
    return space.size if kind == "grid" else min(space.size, points)


def search_grid(space: Space, is_allowed: Callable[[int], bool]) -> Search:
    yield filter(is_allowed, range(space.size))


def search_random(space: Space, is_allowed: Callable[[int], bool], points: int, seed: int) -> Search:
    """Points without repetition, each as likely as any other."""
    yield _draw(space, is_allowed, points, random.Random(seed), set())


def _draw(space: Space, is_allowed, points: int, generator: random.Random, known: set[int]) -> list[int]:
    """Draws up to `points` points that are not known and meet the constraints."""
    if space.size <= _DRAWS * points:
        rest = [number for number in range(space.size) if number not in known and is_allowed(number)]
        return generator.sample(rest, min(points, len(rest)))
    chosen: dict[int, None] = {}
    for _ in range(_DRAWS * points):
        number = generator.randrange(space.size)
        if number not in known and is_allowed(number):
            chosen[number] = None
            if len(chosen) == points:
                break
    return list(chosen)


@contextmanager
def _seeded(state: list) -> Iterator[None]:
    """DEAP draws from the generator of the module `random`, whose state stays as it was outside."""
    before = random.getstate()
    random.setstate(state[0])
    try:
        yield
    finally:
        state[0] = random.getstate()
        random.setstate(before)


def import_deap():
    try:
        from deap import base, tools
    except ImportError:
        raise Error("--search=front needs DEAP: 'apt-get install python3-deap', or 'pip install deap'; "
                    "--search=random needs nothing") from None
    return base, tools


def search_front(space: Space, is_allowed: Callable[[int], bool], points: int, seed: int, objectives: int) -> Search:
    """NSGA-II of DEAP (Deb et al. 2002) on the positions of the values. Only new points count."""
    base, tools = import_deap()

    class Fitness(base.Fitness):
        weights = (-1.0,) * objectives

    class Individual(list):
        def __init__(self, indices):
            super().__init__(indices)
            self.fitness = Fitness()

    generator = random.Random(seed)
    state = [generator.getstate()]
    size = max(4, min(_POPULATION, points // 5 // 4 * 4))
    known: Objectives = {}

    def rate(individuals):
        for individual in individuals:
            values = known[space.get_number(individual)]
            individual.fitness.values = values or (_FAILED,) * objectives

    numbers = _draw(space, is_allowed, min(size, points), generator, set())
    if not numbers:
        return
    known.update((yield numbers))
    population = [Individual(space.get_indices(number)) for number in numbers]
    rate(population)
    population = tools.selNSGA2(population, len(population))
    idle = 0
    while len(known) < points and idle < _PATIENCE:
        with _seeded(state):
            children = _breed(tools, Individual, space, population, is_allowed, known, min(size, points - len(known)))
        new = [number for number in dict.fromkeys(map(space.get_number, children)) if number not in known]
        idle = 0 if new else idle + 1
        if new:
            known.update((yield new))
        rate(children)
        with _seeded(state):
            population = tools.selNSGA2(_without_repetition(population + children), size)


def _without_repetition(individuals):
    return list({tuple(individual): individual for individual in individuals}.values())


def _breed(tools, make, space: Space, population, is_allowed, known, wanted: int):
    """Crosses and mutates until there are `wanted` children that are new, or until new ones are rare."""
    children: dict[int, list] = {}
    for _ in range(_DRAWS):
        # The tournament takes a multiple of 4; fewer have all the same chance.
        count = len(population) // 4 * 4
        parents = tools.selTournamentDCD(population[:count], count) if count else tools.selRandom(population, 2)
        for pair in zip(parents[::2], parents[1::2]):
            pair = [make(parent) for parent in pair]
            tools.cxUniform(*pair, indpb=0.5)
            for child in pair:
                _mutate(space, child)
                number = space.get_number(child)
                if len(children) < wanted and number not in known and number not in children and is_allowed(number):
                    children[number] = child
        if len(children) == wanted:
            break
    return list(children.values())


def _mutate(space: Space, child) -> None:
    """Moves some positions by one, or anywhere."""
    for place, values in enumerate(space.values):
        if random.random() < 1 / len(space.values):
            if random.random() < 0.7:
                child[place] = min(max(child[place] + random.choice((-1, 1)), 0), len(values) - 1)
            else:
                child[place] = random.randrange(len(values))


def make_search(kind: str, space: Space, is_allowed, points: int | None, seed: int, objectives: int) -> Search:
    if kind == "grid":
        return search_grid(space, is_allowed)
    if kind == "random":
        return search_random(space, is_allowed, points, seed)
    return search_front(space, is_allowed, points, seed, objectives)
