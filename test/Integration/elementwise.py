"""Every elementwise operator on types of each kind: the numbers of the emitted C are those of the interpreter."""
# RUN: %python -B %s > %t.mlir
# RUN: uma run %t.mlir --compare --cc %gcc > %t.txt
# RUN: FileCheck %s --input-file %t.txt
# REQUIRES: gcc
# CHECK-NOT: DIFFERENT

FLOATS = ["f32", "f64", "f16", "bf16"]
INTEGERS = ["i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"]
FUNCTIONS = """ceil floor round exp log sqrt erf sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
    sigmoid softplus hard_swish silu gelu""".split()
PREDICATES = "equal not_equal greater greater_equal less less_equal".split()
SHAPE, OTHER = "2x3x4x", "3x1x"

body: list[str] = []
results: list[str] = []


def emit(op: str, operands: str, types: list[str], result: str, attributes: str = "") -> None:
    operand_types = ", ".join(f"tensor<{type}>" for type in types)
    body.append(f"%r{len(results)} = uma.graph.{op} {operands} {attributes} : ({operand_types}) -> tensor<{result}>")
    results.append(f"tensor<{result}>")


def unary(op: str, type: str, result: str = "", attributes: str = "") -> None:
    emit(op, f"%x_{type}", [SHAPE + type], SHAPE + (result or type), attributes)


def binary(op: str, type: str, result: str = "", rhs: str = "") -> None:
    emit(op, f"%x_{type}, {rhs or '%y_' + type}", [SHAPE + type, OTHER + type], SHAPE + (result or type))


def casts(type: str) -> None:
    for to in FLOATS + INTEGERS + ["i1"]:
        if to != type:
            unary("cast", type, to, f"to {to}")


for type in FLOATS:
    for op in FUNCTIONS + ["relu", "abs", "negative", "sign"]:
        unary(op, type)
    unary("isnan", type, "i1")
    unary("isinf", type, "i1")
    unary("gelu", type, attributes="approximate")
    unary("leaky_relu", type, attributes="alpha 0.1")
    for op in "add subtract multiply divide mod floor_mod power maximum minimum prelu".split():
        binary(op, type)
    for op in PREDICATES:
        binary(op, type, "i1")
    casts(type)

for type in INTEGERS:
    for op in "abs negative sign relu bitwise_not".split():
        unary(op, type)
    for op in """add subtract multiply power maximum minimum prelu bitwise_and bitwise_or bitwise_xor left_shift
            right_shift""".split():
        binary(op, type)
    # No divisor is 0, one is -1.
    body.append(f"%d_{type} = uma.graph.constant dense<[[{-1 if type[0] == 'i' else 1}], [3], [7]]> : tensor<3x1x{type}>")
    for op in "divide mod floor_mod".split():
        binary(op, type, rhs=f"%d_{type}")
    # Fewer than the bits, as many, and more.
    body.append(f"%s_{type} = uma.graph.constant dense<[[3], [{type.strip('ui')}], [100]]> : tensor<3x1x{type}>")
    for op in "left_shift right_shift".split():
        binary(op, type, rhs=f"%s_{type}")
    for op in PREDICATES:
        binary(op, type, "i1")
    casts(type)

for op in PREDICATES + "maximum minimum logical_and logical_or logical_xor".split():
    binary(op, "i1")
unary("logical_not", "i1")
casts("i1")
for type in FLOATS + INTEGERS + ["i1"]:
    emit("where", f"%y_i1, %x_{type}, %y_{type}", [OTHER + "i1", SHAPE + type, OTHER + type], SHAPE + type)

arguments = [f"%x_{type}: tensor<{SHAPE}{type}>, %y_{type}: tensor<{OTHER}{type}>" for type in FLOATS + INTEGERS + ["i1"]]
print(f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)})")
print("attributes {uma.network = \"elementwise\"} {")
print("\n".join(body))
print(f"return {', '.join(f'%r{i}' for i in range(len(results)))} : {', '.join(results)}\n}}")
