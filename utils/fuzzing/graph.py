"""Builder and printer of random graphs of uma.graph.

Every value has bounds on its elements, so that operators are only added if the emitted C must agree with the
interpreter. `rel` bounds the difference between the two, relative to the largest element. Discontinuous operators
(floor, argmax, comparisons) only take values that are bit-identical in both.
"""

import dataclasses
import math
import random
import struct

FLOATS = ["f32", "f64", "f16", "bf16"]
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["ui8", "ui16", "ui32", "ui64"]
INTEGERS = SIGNED + UNSIGNED
TYPES = FLOATS + INTEGERS + ["i1"]
FORMATS = dict(zip(TYPES, ["f", "d", "e", "H", "b", "h", "i", "q", "B", "H", "I", "Q", "B"]))
# Unit roundoff of each type, and of the type in which the C computes.
EPSILON = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
COMPUTED = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-24, "bf16": 2.0**-24}
LARGEST = {"f64": 1e300, "f32": 1e37, "f16": 6e4, "bf16": 1e37}
# Integers up to these values are exact.
WHOLE = {"f64": 2.0**53, "f32": 2.0**24, "f16": 2.0**11, "bf16": 2.0**8}
# A quarter of the tolerance of `uma run --compare`.
BUDGET = {"f64": 2.5e-10, "f32": 2.5e-5, "f16": 2.5e-3, "bf16": 2.5e-3}


class NoOperands(Exception):
    """Raised if an operator cannot be added to this graph; another one is tried."""


def width(type: str) -> int:
    return int(type.lstrip("uibf"))


def integer_range(type: str) -> tuple[int, int]:
    bits = width(type)
    if type == "i1" or type.startswith("u"):
        return 0, 2**bits - 1
    return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1


@dataclasses.dataclass(eq=False)
class Value:
    shape: tuple[int, ...]
    type: str
    lo: float  # of the elements that are finite
    hi: float
    rel: float = 0  # largest difference between C and interpreter; 0 means bit-identical
    whole: bool = False  # all elements are integers that the type represents exactly
    special: bool = False  # elements may be infinite or NaN
    name: str = ""
    producer: "Operation | None" = None

    @property
    def is_float(self) -> bool:
        return self.type in FLOATS

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def bound(self) -> float:
        return max(abs(self.lo), abs(self.hi))

    @property
    def exact(self) -> bool:
        return self.rel == 0

    @property
    def text(self) -> str:
        return "tensor<" + "".join(f"{size}x" for size in self.shape) + self.type + ">"


@dataclasses.dataclass(eq=False)
class Operation:
    template: str  # `{0}` stands for operand 0
    operands: list[Value]
    results: list[Value]
    resource: str = ""  # the bytes of a dense_resource, in MLIR's hexadecimal

    def print(self) -> str:
        text = self.template.format(*(operand.name for operand in self.operands))
        names = ", ".join(result.name for result in self.results)
        if not self.operands:
            return f"{names} = {text}"
        types = ", ".join(result.text for result in self.results)
        if len(self.results) > 1:
            types = f"({types})"
        return f"{names} = {text} : ({', '.join(operand.text for operand in self.operands)}) -> {types}"


class Graph:
    most_elements = 5000

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.inputs: list[Value] = []
        self.operations: list[Operation] = []
        self.outputs: list[Value] = []
        self.pool: list[Value] = []
        # Some graphs have dimensions of size 0.
        self.has_empty = self.random.random() < 0.04

    # Choices ---------------------------------------------------------------

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def size(self) -> int:
        if self.has_empty and self.chance(0.15):
            return 0
        return self.random.choice([1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9])

    def shape(self, rank: int | None = None) -> tuple[int, ...]:
        if rank is None:
            rank = self.random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5])
        while True:
            shape = tuple(self.size() for _ in range(rank))
            if math.prod(shape) <= 800:
                return shape

    def broadcastable(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Returns a random shape that broadcasts to `shape`."""
        part = shape[self.random.randint(0, len(shape)) if self.chance(0.3) else 0 :]
        return tuple(1 if self.chance(0.25) else size for size in part)

    def axis(self, rank: int) -> int:
        return self.random.randrange(rank) - (rank if self.chance(0.3) else 0)

    # Values ----------------------------------------------------------------

    def name(self) -> str:
        self.count = getattr(self, "count", -1) + 1
        return f"%{self.count}"

    def input(self, shape: tuple[int, ...], type: str) -> Value:
        """Adds an input with the values of `uma run`: floats in [-1, 1), 8-bit integers of any value, wider ones up to 1000."""
        if type in FLOATS:
            value = Value(shape, type, -1, 1)
        elif width(type) <= 8:
            value = Value(shape, type, *integer_range(type), whole=True)
        else:
            value = Value(shape, type, 0 if type.startswith("u") else -1000, 1000, whole=True)
        value.name = f"%in{len(self.inputs)}"
        self.inputs.append(value)
        self.pool.append(value)
        return value

    def constant(self, shape: tuple[int, ...], type: str, lo: float = -2, hi: float = 2, whole: bool = False,
                 values: list[float] | None = None) -> Value:
        count = math.prod(shape)
        def pick() -> float:
            if whole or type not in FLOATS:
                return self.random.randint(math.ceil(lo), math.floor(hi))
            return round(self.random.uniform(lo, hi) * 16) / 16  # exact in bf16, too

        if values is None and count and self.chance(0.15):
            values = [pick()]
        values = values if values is not None else [pick() for _ in range(count)]
        finite = [value for value in values if math.isfinite(value)] or [0]
        result = Value(shape, type, min(finite), max(finite), whole=all(value == int(value) for value in finite),
                       special=len(finite) != len(values), name=self.name())
        operation = Operation("", [], [result])
        if len(values) == count and count > 1 and self.chance(0.3) and type != "i1":
            # Like weights from an importer.
            bits = b"".join(self.encode(value, type) for value in values)
            operation.resource = f'"0x40000000{bits.hex().upper()}"'
            operation.template = f"uma.graph.constant dense_resource<r{result.name[1:]}> : {result.text}"
        else:
            text = self.literal(values[0], type) if values else ""
            if values and len(values) == count:
                text = self.nest([self.literal(value, type) for value in values], shape)
            operation.template = f"uma.graph.constant dense<{text}> : {result.text}"
        result.producer = operation
        self.operations.append(operation)
        self.pool.append(result)
        return result

    @staticmethod
    def encode(value: float, type: str) -> bytes:
        if type == "bf16":
            # Exact, because constants have few bits.
            return struct.pack("<f", value)[2:]
        return struct.pack("<" + FORMATS[type], value if type in FLOATS else int(value))

    @staticmethod
    def literal(value: float, type: str) -> str:
        if type == "i1":
            return "true" if value else "false"
        if type not in FLOATS:
            return str(int(value))
        if math.isfinite(value):
            return repr(float(value))
        bits = Graph.encode(value, type)
        return f"0x{bits[::-1].hex().upper()}"

    @staticmethod
    def nest(values: list, shape: tuple[int, ...]) -> str:
        if not shape:
            return str(values[0])
        step = len(values) // shape[0] if shape[0] else 0
        parts = (Graph.nest(values[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0]))
        return "[" + ", ".join(parts) + "]"

    def special(self, shape: tuple[int, ...], type: str) -> Value:
        """Adds a constant with infinities, NaNs, both zeros and halves."""
        choices = [math.inf, -math.inf, math.nan, 0.0, -0.0, 0.5, -1.5, 2.5, 1.0, -3.0]
        return self.constant(shape, type, values=[self.random.choice(choices) for _ in range(math.prod(shape))])

    def leaf(self, shape: tuple[int, ...], type: str) -> Value:
        if self.chance(0.6):
            return self.input(shape, type)
        if type in FLOATS:
            if self.chance(0.2) and math.prod(shape):
                return self.special(shape, type)
            return self.constant(shape, type, -4, 4, whole=self.chance(0.5))
        lo, hi = integer_range(type)
        if self.chance(0.2):
            edges = [lo, lo + 1, 0, 1, hi - 1, hi] if type != "i1" else [0, 1]
            return self.constant(shape, type, values=[self.random.choice(edges) for _ in range(math.prod(shape))])
        return self.constant(shape, type, max(lo, -100), min(hi, 100)) if self.chance(0.6) else self.constant(
            shape, type, lo, hi)

    def pick(self, accepts, types: list[str] = TYPES, shape: tuple[int, ...] | None = None,
             rank: int | None = None, rank_at_least: int = 0) -> Value:
        """Returns a value of one of `types` for which `accepts` is true. Creates one if the graph has none."""

        def fits(value: Value) -> bool:
            return (value.type in types and (shape is None or value.shape == shape)
                    and (rank is None or value.rank == rank) and value.rank >= rank_at_least
                    and (self.has_empty or value.size > 0) and value.size <= 800 and accepts(value))

        known = [value for value in self.pool if fits(value)]
        if known and self.chance(0.85):
            # Prefers late values, so that graphs get deep.
            return known[min(self.random.randrange(len(known)), len(known) - 1)
                         if self.chance(0.4) else max(0, len(known) - self.random.randint(1, 4))]
        for _ in range(20):
            if shape is None:
                wanted = self.shape(rank if rank is not None else (
                    None if rank_at_least == 0 else self.random.randint(rank_at_least, max(rank_at_least, 4))))
            else:
                wanted = shape
            likely = [type for type in types if type == "f32"] * 4
            mark = len(self.inputs), len(self.operations), len(self.pool)
            value = self.leaf(wanted, self.random.choice(types + likely))
            if fits(value):
                return value
            del self.inputs[mark[0] :], self.operations[mark[1] :], self.pool[mark[2] :]
        raise NoOperands

    def emit(self, template: str, operands: list[Value], result: Value) -> Value:
        return self.emit_all(template, operands, [result])[0]

    def emit_all(self, template: str, operands: list[Value], results: list[Value]) -> list[Value]:
        """Adds an operator. `template` is its text without the family's name; `{0}` is the first operand."""
        for result in results:
            if result.is_float and (result.rel > BUDGET[result.type] or result.bound > LARGEST[result.type]):
                raise NoOperands
            if result.size > self.most_elements:
                raise NoOperands
            if not result.is_float:
                lo, hi = integer_range(result.type)
                if result.lo < lo or result.hi > hi:
                    result.lo, result.hi = lo, hi
                result.rel, result.whole = 0, True
            elif result.whole and (result.rel or result.bound > WHOLE[result.type]):
                result.whole = False
            result.name = self.name()
        operation = Operation("uma.graph." + template, operands, results)
        for result in results:
            result.producer = operation
            if result.rank <= 6:
                self.pool.append(result)
        self.operations.append(operation)
        return results

    # Text ------------------------------------------------------------------

    def choose_outputs(self) -> None:
        used = {id(operand) for operation in self.operations for operand in operation.operands}
        results = [result for operation in self.operations if operation.operands for result in operation.results]
        self.outputs = [value for value in results if id(value) not in used or self.chance(0.1)]

    def slice(self, outputs: list[Value]) -> "Graph":
        """Returns the part of the graph that `outputs` need."""
        needed: set[int] = {id(output) for output in outputs}
        kept = []
        for operation in reversed(self.operations):
            if any(id(result) in needed for result in operation.results):
                kept.append(operation)
                needed.update(id(operand) for operand in operation.operands)
        part = Graph(0)
        part.operations = kept[::-1]
        part.outputs = outputs
        # The values of an input depend on its position, so all inputs stay.
        part.inputs = self.inputs
        return part

    def without(self, operation: Operation) -> "Graph":
        """Returns the graph with the results of `operation` replaced by inputs."""
        part = Graph(0)
        part.operations = [other for other in self.operations if other is not operation]
        part.inputs = self.inputs + operation.results
        part.outputs = [output for output in self.outputs if output not in operation.results]
        return part.slice(part.outputs) if part.outputs else part

    def print(self, network: str = "fuzz") -> str:
        arguments = ", ".join(f'{value.name}: {value.text} {{uma.name = "in{number}"}}'
                              for number, value in enumerate(self.inputs))
        results = ", ".join(f'{value.text} {{uma.name = "out{value.name[1:]}"}}' for value in self.outputs)
        lines = [f'func.func @main({arguments}) -> ({results}) attributes {{uma.network = "{network}"}} {{']
        lines += ["  " + operation.print() for operation in self.operations]
        names = ", ".join(value.name for value in self.outputs)
        lines += [f"  return {names} : {', '.join(value.text for value in self.outputs)}", "}"]
        resources = [(operation.results[0].name[1:], operation.resource)
                     for operation in self.operations if operation.resource]
        if resources:
            entries = ",\n".join(f"  r{name}: {data}" for name, data in resources)
            lines += ["{-# dialect_resources: { builtin: {", entries, "} } #-}"]
        return "\n".join(lines) + "\n"
