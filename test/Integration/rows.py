"""Rows and columns of each length, on vectors and without: the C's numbers are the interpreter's."""
# REQUIRES: gcc, clang
# RUN: %python -B %s > %t.mlir
# RUN: uma run %t.mlir --compare --cc %gcc > %t.txt
# RUN: FileCheck %s --input-file %t.txt
# RUN: uma compile %t.mlir -o %t.c && cd %t.c && %gcc %strict -O1 -c rows.c && %clang %strict -O1 -c rows.c
# CHECK-NOT: DIFFERENT

body: list[str] = []
results: list[str] = []
inputs: dict[str, str] = {}


def get_input(shape: list[int]) -> str:
    name = "%x" + "_".join(map(str, shape))
    inputs[name] = f"tensor<{'x'.join(map(str, shape))}xf32>"
    return name


def emit(op: str, shapes: list[list[int]], result: list[int], attributes: str = "") -> None:
    operands = [get_input(shape) for shape in shapes]
    types = ", ".join(inputs[operand] for operand in operands)
    type = f"tensor<{'x'.join(map(str, result + ['f32']))}>"
    body.append(f"%r{len(results)} = uma.graph.{op} {', '.join(operands)} {attributes} : ({types}) -> {type}")
    results.append(type)


REDUCTIONS = "sum mean prod max min".split()
for size in [1, 3, 4, 5, 7, 8, 13, 16, 31, 64, 77, 128, 200]:
    for op in "softmax log_softmax".split():
        emit(op, [[3, size]], [3, size])
        emit(op, [[2, 5, size]], [2, 5, size], "axis 1")
    for op in REDUCTIONS:
        emit(op, [[3, size]], [3], "axis [1]")
        emit(op, [[2, 5, size]], [2, size], "axis [1]")
    emit("layer_norm", [[3, size], [size], [size]], [3, size], "axis -1 epsilon 1.0e-5")
    emit("rms_norm", [[3, size], [size]], [3, size], "axis -1 epsilon 1.0e-5")
    emit("group_norm", [[2, 6, size], [6], [6]], [2, 6, size], "groups 3 epsilon 1.0e-5")
for op in REDUCTIONS[:2] + REDUCTIONS[3:]:
    emit(op, [[2, 3, 9, 9]], [2, 3, 1, 1], "axis [2, 3] keepdims true")
    emit(op, [[4, 3, 8]], [8], "axis [0, 1]")
    emit(op, [[4, 1, 3, 8]], [3], "axis [0, 3, 1]")
emit("layer_norm", [[2, 3, 5, 4], [5, 4], [5, 4]], [2, 3, 5, 4], "axis 2 epsilon 1.0e-5")

# A row times a matrix: groups of rows and columns, and rests of both.
for depth, columns in [(1, 256), (5, 300), (8, 1024), (19, 1029), (24, 2051)]:
    emit("batch_matmul", [[1, 1, depth], [1, depth, columns]], [1, 1, columns])

# Transposes: neighbours that stay neighbours, and others.
for shape, axes in [
    ([1, 12, 3, 8], [0, 2, 1, 3]),
    ([2, 3, 32, 48], [0, 1, 3, 2]),
    ([2, 3, 4, 5], [3, 1, 0, 2]),
    ([17, 33], [1, 0]),
    ([2, 3, 4, 5], [2, 3, 0, 1]),
    ([1, 5, 1, 7], [3, 2, 1, 0]),
    ([1, 1], [1, 0]),
    ([6, 1, 7], [1, 0, 2]),
]:
    emit("transpose", [shape], [shape[axis] for axis in axes], str(axes))

# Functions on vectors.
for op in "exp log tanh erf sigmoid silu gelu softplus sqrt abs floor ceil round".split():
    emit(op, [[5, 77]], [5, 77])

arguments = ", ".join(f"{name}: {type}" for name, type in inputs.items())
print(f'func.func @main({arguments}) -> ({", ".join(results)}) attributes {{uma.network = "rows"}} {{')
print("\n".join(body))
print(f"return {', '.join(f'%r{i}' for i in range(len(results)))} : {', '.join(results)}\n}}")
