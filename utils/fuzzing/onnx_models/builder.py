"""Builder of random ONNX models with the data of their inputs.

Nothing here is shared with the importer: the types, attributes and shapes are those of the ONNX standard. Shapes of results
are only known where the generator of the next node needs them.
"""

import dataclasses
import math
import random

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOATS = ("float32", "float64", "float16")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
NUMBERS = FLOATS + INTEGERS
TYPES = NUMBERS + ("bool",)
# Weights of the choice of a type: float32 is what models have.
WEIGHTS = {"float32": 6, "float64": 1, "float16": 2}
# Values of onnx::TensorProto::DataType that Debian's onnx does not know.
NEW_TYPES = {"float8e4m3fn": 17, "float8e4m3fnuz": 18, "float8e5m2": 19, "float8e5m2fnuz": 20, "uint4": 21, "int4": 22,
             "uint2": 25, "int2": 26}


def onnx_type(name: str) -> int:
    if name in NEW_TYPES:
        return NEW_TYPES[name]
    if name == "bfloat16":
        return TensorProto.BFLOAT16
    return helper.np_dtype_to_tensor_dtype(np.dtype(name)) if hasattr(helper, "np_dtype_to_tensor_dtype") else \
        onnx.mapping.NP_TYPE_TO_TENSOR_TYPE[np.dtype(name)]


def is_special(array: np.ndarray) -> bool:
    return array.dtype.kind == "f" and not np.isfinite(array).all()


def narrow_tensor(values: np.ndarray, type: str, name: str) -> TensorProto:
    """Returns integers of 4 or 2 bits as a tensor, packed from the lowest bits on."""
    bits = int(type[-1])
    count = 8 // bits
    flat = values.astype(np.int64).ravel() & (2**bits - 1)
    flat = np.concatenate([flat, np.zeros(-len(flat) % count, np.int64)]).reshape(-1, count)
    packed = (flat << (np.arange(count) * bits)).sum(axis=1).astype(np.uint8)
    tensor = TensorProto(data_type=NEW_TYPES[type], name=name, dims=values.shape)
    tensor.raw_data = packed.tobytes()
    return tensor


@dataclasses.dataclass(eq=False)
class Tensor:
    name: str
    type: str  # as NumPy has it, or one of NEW_TYPES
    shape: "tuple[int, ...] | None"  # None: not known to the generator
    exact: bool = True  # equal in every bit, whoever computes it
    range: "tuple[float, float] | None" = None
    data: "np.ndarray | None" = None
    special: bool = False  # may hold NaN and infinities

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def is_float(self) -> bool:
        return self.type in FLOATS


class Model:
    most_elements = 3000

    def __init__(self, seed: str, opset: int):
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(self.random.getrandbits(64))
        self.opset = opset
        self.inputs: list[Tensor] = []
        self.constants: list[TensorProto] = []
        self.nodes: list[onnx.NodeProto] = []
        self.pool: list[Tensor] = []
        self.results: list[Tensor] = []
        self.domains: set[str] = set()
        self.used_attributes: set[tuple[str, str]] = set()
        self.count = 0

    # Choices ---------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def choice(self, values):
        return self.random.choice(values)

    def integer(self, low: int, high: int) -> int:
        """Returns a number from `low` to `high`, both included."""
        return self.random.randint(low, high)

    def type(self, types) -> str:
        return self.random.choices(types, [WEIGHTS.get(type, 1) for type in types])[0]

    def size(self) -> int:
        return self.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9])

    def shape(self, low: int, high: int) -> tuple[int, ...]:
        while True:
            shape = tuple(self.size() for _ in range(self.integer(low, high)))
            if math.prod(shape) <= self.most_elements:
                return shape

    def axis(self, rank: int) -> int:
        """Returns an axis, also a negative one."""
        return self.integer(-rank, rank - 1)

    def axes(self, rank: int, low: int = 1, negative: bool = True) -> list[int]:
        axes = self.random.sample(range(rank), self.integer(min(low, rank), rank))
        return [axis - rank if negative and self.chance(0.3) else axis for axis in axes]

    # Data ------------------------------------------------------------------

    def array(self, shape, type: str, within=None, special: bool = False) -> np.ndarray:
        shape = tuple(shape)
        if type == "bool":
            return self.numbers.random(shape) < 0.5
        if type in FLOATS:
            low, high = within or (-3, 3)
            values = self.numbers.uniform(low, high, shape)
            if not within and self.chance(0.2):
                values = np.round(values * 2) / 2  # halves, zeros and equal elements
            values = np.asarray(values, dtype=type)
            if special and self.chance(0.25):
                odd = self.numbers.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], shape)
                values = np.where(self.numbers.random(shape) < 0.3, odd, values).astype(type)
            return values
        limits = np.iinfo(type)
        low, high = (limits.min, limits.max) if self.chance(0.3) or type == "uint8" else (max(limits.min, -9), 9)
        if within:
            low, high = max(limits.min, int(within[0])), min(limits.max, int(within[1]))
        return self.numbers.integers(low, high, shape, dtype=type, endpoint=True)

    def name(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def input(self, array: np.ndarray, within=None) -> Tensor:
        array = np.asarray(array)
        tensor = Tensor(self.name("x"), array.dtype.name, array.shape, range=within, data=array, special=is_special(array))
        self.inputs.append(tensor)
        self.pool.append(tensor)
        return tensor

    def constant(self, array, type: "str | None" = None, within=None) -> Tensor:
        """Returns a constant: an initializer, or a node Constant."""
        array = np.asarray(array, dtype=type if type not in NEW_TYPES else None)
        name = self.name("c")
        if type in NEW_TYPES:
            self.constants.append(narrow_tensor(array, type, name))
            return Tensor(name, type, array.shape)
        proto = numpy_helper.from_array(array, name)
        if self.chance(0.8):
            self.constants.append(proto)
        else:
            self.nodes.append(helper.make_node("Constant", [], [name], value=proto))
        return Tensor(name, array.dtype.name, array.shape, range=within, data=array, special=is_special(array))

    def ints(self, values) -> Tensor:
        return self.constant(np.asarray(values, np.int64))

    def new(self, shape, type: str, within=None, special: bool = False, constant: float = 0.25) -> Tensor:
        """Returns an input, or a constant with that probability."""
        array = self.array(shape, type, within, special)
        return self.constant(array, within=within) if self.chance(constant) else self.input(array, within)

    def data(self, types, ranks=(0, 4), shape=None, exact: bool = False, within=None, special: bool = False,
             constant: float = 0.05, accept=None) -> Tensor:
        """Returns a result of a node before, an input or a constant. `exact` excludes results that may differ in the last bit,
        `within` those that may be outside of a range, and NaN and infinities are only in data with `special`."""

        def fits(tensor: Tensor) -> bool:
            if tensor.shape is None or tensor.type not in types or exact and not tensor.exact or tensor.special and not special:
                return False
            if within and not (tensor.range and within[0] <= tensor.range[0] and tensor.range[1] <= within[1]):
                return False
            if shape is not None and tensor.shape != tuple(shape):
                return False
            return ranks[0] <= tensor.rank <= ranks[1] and (not accept or accept(tensor.shape))

        found = [tensor for tensor in self.pool if fits(tensor)]
        if found and self.chance(0.85):
            return self.choice(found[-2:])
        while True:
            sizes = self.shape(*ranks) if shape is None else shape
            if not accept or accept(sizes):
                return self.new(sizes, self.type(types), within, special, constant)

    def other(self, shape, type: str, constant: float = 0.3, within=None, special: bool = False) -> Tensor:
        """Returns a further operand of exactly this shape and type."""
        return self.data([type], (0, 9), tuple(shape), within=within, special=special, constant=constant)

    def broadcastable(self, shape) -> tuple[int, ...]:
        """Returns a shape that broadcasts with `shape`, and not only to it."""
        if self.chance(0.35):
            return tuple(shape)
        sizes = [1 if self.chance(0.35) else size for size in shape][self.integer(0, len(shape)) :] if self.chance(0.7) else list(shape)
        sizes = [self.size() if size == 1 and self.chance(0.25) else size for size in sizes]
        full = list(shape)
        for at in range(1, len(sizes) + 1):
            if full[-at] != 1 and sizes[-at] not in (1, full[-at]):
                sizes[-at] = full[-at]
        if len(sizes) == len(full) < 4 and self.chance(0.15):
            sizes.insert(0, self.choice([1, 2]))
        return tuple(sizes) if math.prod(np.broadcast_shapes(tuple(sizes), tuple(shape))) <= self.most_elements else tuple(shape)

    # Nodes -----------------------------------------------------------------

    def add(self, operator: str, operands, results, attributes=None, domain: str = "") -> list[Tensor]:
        """Adds a node. `operands` may hold None for omitted ones; `results` are (type, shape) or (type, shape, exact), or
        None for omitted ones. Returns the tensors of the results."""
        attributes = {name: value for name, value in (attributes or {}).items() if value is not None}
        tensors = []
        inexact = any(operand is not None and not operand.exact for operand in operands)
        for result in results:
            if result is None:
                tensors.append(None)
                continue
            type, shape, *rest = result
            exact = rest[0] if rest else not inexact and type not in FLOATS
            tensors.append(Tensor(self.name("y"), type, None if shape is None else tuple(int(size) for size in shape), exact))
        names = ["" if operand is None else operand.name for operand in operands]
        while names and not names[-1]:
            names.pop()
        outputs = [tensor.name if tensor else "" for tensor in tensors]
        node = helper.make_node(operator, names, outputs, name=self.name("n"), domain=domain, **attributes)
        self.nodes.append(node)
        full = f"{domain}.{operator}" if domain else operator
        self.used_attributes.update((full, name) for name in attributes)
        if domain:
            self.domains.add(domain)
        for tensor in filter(None, tensors):
            tensor.special = tensor.type in FLOATS and any(operand is not None and operand.special for operand in operands)
            self.results.append(tensor)
            if tensor.shape is not None and math.prod(tensor.shape) > 0:
                self.pool.append(tensor)
        return tensors

    def moved(self, operator: str, operands, type: str, shape, attributes=None) -> Tensor:
        """Adds a node that only moves or selects elements of its operands."""
        exact = all(operand.exact for operand in operands if operand)
        (result,) = self.add(operator, operands, [(type, shape, exact)], attributes)
        ranges = [operand.range for operand in operands if operand and operand.type == type]
        if ranges and all(ranges):
            result.range = (min(low for low, _ in ranges), max(high for _, high in ranges))
        return result


def all_inputs(node) -> list[str]:
    """Returns the names that a node reads, also those read by its graphs."""
    names = list(node.input)
    for attribute in node.attribute:
        if attribute.HasField("g"):
            for inner in attribute.g.node:
                names += all_inputs(inner)
            names += [output.name for output in attribute.g.output]
    return names
