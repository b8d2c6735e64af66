"""Random ONNX models. `random_model(seed)` has one operator of the importer's rules, the next one for the next seed, or a chain
of up to six.

For a new operator of the importer, add a generator to the file of its group; `utils/fuzz-onnx.py --coverage` lists operators and
attributes without one.
"""

import random

from . import control, elementwise, matrices, movement, quantized, reductions, windows  # noqa: F401
from .builder import Model
from .registry import GENERATORS, NEWEST, REMOVED, SHARES, find_versions


def choose_opset(generator: random.Random, name: str, oldest: int) -> int:
    """Returns an operator set of one of the versions of an operator; often the one that changed it."""
    if "." in name:
        return generator.randint(13, 21)
    newest = REMOVED.get(name, NEWEST)
    versions = [oldest, *[version for version in find_versions(name) if oldest < version <= newest]]
    version = generator.choice(versions)
    following = min([other for other in versions if other > version], default=newest + 1) - 1
    return version if generator.random() < 0.4 else generator.randint(version, following)


def random_model(seed: int, oldest: "dict[str, int]", only=(), attempt: int = 0) -> "tuple[Model, str]":
    """Returns a model and the operator it is about. `oldest` holds the first operator set of each operator."""
    names = [name for name in sorted(oldest) if name in GENERATORS and (not only or name in only)]
    turns = [name for name in names for _ in range(SHARES[name])]
    random.Random(len(turns)).shuffle(turns)
    name = turns[seed % len(turns)]
    for trial in range(50):
        generator = random.Random(f"{seed}/{attempt}/{trial}")
        opset = choose_opset(generator, name, oldest[name])
        model = Model(f"{seed}/{attempt}/{trial}/model", opset)
        if name in ("QuantizeLinear", "DequantizeLinear") and opset >= 13 and generator.random() < 0.5:
            quantized.quantized_layer(model)
            return model, name
        GENERATORS[name](model)
        if not model.nodes or not model.results:
            continue
        others = [other for other in GENERATORS if oldest.get(other, NEWEST + 1) <= opset <= REMOVED.get(other, NEWEST)]
        for _ in range(generator.choice([0, 0, 0, 1, 1, 2, 3, 5])):
            GENERATORS[generator.choice(others)](model)
        return model, name
    raise ValueError(f"no model of {name} in 50 trials")
