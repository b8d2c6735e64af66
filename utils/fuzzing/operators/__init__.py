"""Generators that add operators of uma.graph to a random graph: one function per group of similar operators, one file
per family.

A function picks operands, computes bounds of the result (see graph.py), and raises NoOperands if the operator cannot
be added. Result types are computed independently of the compiler. If the verifier infers another type, one of the two
is wrong.
"""

import importlib

from fuzzing.graph import TYPES, Graph, NoOperands
from fuzzing.operators.values import GENERATORS

# The result of a seed depends on this order.
FAMILIES = "elementwise movement indexing reductions matrices networks windows signals".split()
for family in FAMILIES:
    importlib.import_module(f"fuzzing.operators.{family}")


def random_graph(seed: int) -> Graph:
    g = Graph(seed)
    for _ in range(g.random.randint(1, 3)):
        g.leaf(g.shape(), g.random.choice(TYPES + ["f32"] * 4))
    generators, weights = list(GENERATORS), list(GENERATORS.values())
    wanted, tries = g.random.randint(3, 25), 0
    while sum(bool(operation.operands) for operation in g.operations) < wanted and tries < 200:
        tries += 1
        mark = len(g.inputs), len(g.operations), len(g.pool)
        try:
            g.random.choices(generators, weights)[0](g)
        except NoOperands:
            del g.inputs[mark[0] :], g.operations[mark[1] :], g.pool[mark[2] :]
    g.choose_outputs()
    if not g.outputs:
        raise AssertionError(f"seed {seed} gives a graph without operators")
    return g.slice(g.outputs)
