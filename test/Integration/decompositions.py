"""Convolutions of three dimensions, transposed ones with large strides or few channels, convolutions of groups of any size, products of two
inputs and einsum, on vectors and without, by one thread and by two: the C's numbers are the interpreter's."""
# REQUIRES: gcc, clang
# RUN: %python -B %s > %t.mlir
# RUN: %if full %{ env CFLAGS="-O1 -DUMA_LANES=16 -Wno-psabi" uma run %t.mlir --compare --seeds 2 --cc %gcc > %t.txt %}
# RUN: %if full %{ FileCheck %s --input-file %t.txt %}
# RUN: env CFLAGS="-O1 -DUMA_LANES=8 -Wno-psabi" uma run %t.mlir --compare --cc %gcc > %t.8.txt
# RUN: FileCheck %s --input-file %t.8.txt
# RUN: %if full %{ env CFLAGS="-O1 -DUMA_LANES=4" uma run %t.mlir --compare --seeds 2 --cc %gcc > %t.4.txt %}
# RUN: %if full %{ FileCheck %s --input-file %t.4.txt %}
# RUN: %if full %{ env CFLAGS="-O1 -DUMA_LANES=1" uma run %t.mlir --compare --seeds 2 --cc %gcc > %t.1.txt %}
# RUN: %if full %{ FileCheck %s --input-file %t.1.txt %}
# RUN: %if full %{ env CFLAGS="-O1 -fopenmp -Wno-psabi" uma run %t.mlir --compare --seeds 2 --cc %gcc --threads=openmp --lower=shared-work=0 > %t.2.txt %}
# RUN: %if full %{ FileCheck %s --input-file %t.2.txt %}
# RUN: %if full %{ uma compile %t.mlir -o %t.c && cd %t.c && %gcc %strict -O1 -c forms.c && %clang %strict -O1 -c forms.c %}
# CHECK: output0: equal to the reference interpreter
# CHECK: output40: equal to the reference interpreter
# CHECK-NOT: DIFFERENT

import random

numbers = random.Random(0)
body: list[str] = []
results: list[str] = []
inputs: dict[str, str] = {}


def get_type(*shape: int) -> str:
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def get_input(*shape: int) -> str:
    name = f"%x{len(inputs)}"
    inputs[name] = get_type(*shape)
    return name


def get_constant(*shape: int) -> str:
    name = f"%c{len(body)}"

    def write(sizes: tuple) -> str:
        if not sizes:
            return f"{numbers.uniform(-1, 1):.3f}"
        return "[" + ", ".join(write(sizes[1:]) for _ in range(sizes[0])) + "]"
    body.append(f"{name} = uma.graph.constant dense<{write(shape)}> : {get_type(*shape)}")
    return name


def emit(op: str, operands: list[tuple[str, tuple]], result: tuple, attributes: str = "") -> str:
    name = f"%v{len(body)}"
    types = ", ".join(get_type(*shape) for _, shape in operands)
    body.append(f"{name} = uma.graph.{op} {', '.join(value for value, _ in operands)} {attributes} : ({types}) -> {get_type(*result)}")
    return name


def finish(value: str, shape: tuple) -> None:
    results.append(get_type(*shape))
    body.append(f"%r{len(results) - 1} = uma.graph.relu {value} : ({results[-1]}) -> {results[-1]}")


def conv(op: str, data: tuple, weight: tuple, result: tuple, attributes: str = "") -> None:
    value = emit(op, [(get_input(*data), data), (get_constant(*weight), weight)], result, attributes)
    channels = (result[1],)
    finish(emit("bias_add", [(value, result), (get_constant(*channels), channels)], result), result)


# Three dimensions: strides, dilations, padding, batches, one plane, one row and column, groups.
conv("conv3d", (1, 3, 5, 6, 7), (8, 3, 3, 3, 3), (1, 8, 5, 6, 7), "padding [1, 1, 1, 1, 1, 1]")
conv("conv3d", (2, 4, 5, 7, 7), (6, 4, 2, 3, 3), (2, 6, 2, 3, 4), "strides [2, 2, 2] padding [0, 0, 1, 0, 0, 1] dilations [2, 1, 1]")
conv("conv3d", (1, 8, 3, 5, 5), (16, 4, 1, 3, 3), (1, 16, 2, 5, 5), "strides [2, 1, 1] padding [0, 1, 1, 0, 1, 1] groups 2")
conv("conv3d", (2, 4, 6, 3, 5), (8, 2, 3, 1, 1), (2, 8, 6, 3, 5), "padding [1, 0, 0, 1, 0, 0] groups 2")
conv("conv3d", (1, 4, 3, 3, 3), (4, 1, 3, 3, 3), (1, 4, 1, 1, 1), "groups 4")
conv("conv3d_transpose", (1, 4, 2, 3, 3), (4, 6, 2, 2, 2), (1, 6, 4, 6, 6), "strides [2, 2, 2]")
conv("conv3d_transpose", (2, 4, 3, 3, 2), (4, 3, 3, 3, 4), (2, 6, 6, 6, 4),
     "strides [2, 2, 2] padding [1, 1, 1, 1, 1, 1] output_padding [1, 1, 0] groups 2")
conv("conv3d_transpose", (1, 2, 3, 3, 3), (2, 5, 3, 1, 1), (1, 5, 5, 3, 3))
# Transposed convolutions with many phases, and with few channels in a group.
conv("conv2d_transpose", (1, 3, 4, 5), (3, 5, 16, 10), (1, 5, 32, 25), "strides [8, 5] padding [4, 2, 4, 3]")
conv("conv2d_transpose", (1, 3, 3, 3), (3, 4, 3, 7), (1, 4, 13, 21), "strides [5, 7] padding [0, 0, 0, 0]")
conv("conv2d_transpose", (1, 6, 5, 5), (6, 1, 4, 4), (1, 6, 10, 10), "strides [2, 2] padding [1, 1, 1, 1] groups 6")
conv("conv2d_transpose", (1, 4, 4, 4), (4, 2, 3, 3), (1, 4, 8, 8), "strides [2, 2] padding [1, 1, 1, 1] output_padding [1, 1] groups 2")
# Groups of channels that are no whole blocks, alone and where a concatenation has no common block.
for groups, group_inputs, group_outputs in [(8, 12, 3), (8, 6, 12), (4, 5, 17), (3, 8, 20), (8, 4, 24)]:
    conv("conv2d", (1, groups * group_inputs, 7, 7), (groups * group_outputs, group_inputs, 1, 1), (1, groups * group_outputs, 7, 7),
         f"groups {groups}")
shape = (1, 20, 7, 7)
left, right = (emit("conv2d", [(get_input(*data), data), (get_constant(*weight), weight)], result, "groups 2")
               for data, weight, result in [((1, 8, 7, 7), (20, 4, 1, 1), shape), ((1, 6, 7, 7), (12, 3, 1, 1), (1, 12, 7, 7))])
finish(emit("concatenate", [(left, shape), (right, (1, 12, 7, 7))], (1, 32, 7, 7), "axis 1"), (1, 32, 7, 7))
# Blocking with wide vectors: short rows, strides that leave gaps.
conv("conv2d", (1, 64, 7, 7), (64, 64, 3, 3), (1, 64, 7, 7), "padding [1, 1, 1, 1]")
conv("conv2d", (1, 64, 15, 15), (128, 64, 1, 1), (1, 128, 8, 8), "strides [2, 2]")
conv("conv2d", (1, 128, 5, 5), (128, 128, 1, 1), (1, 128, 5, 5))


def product(left: tuple, right: tuple, result: tuple, attributes: str = "") -> None:
    finish(emit("batch_matmul", [(get_input(*left), left), (get_input(*right), right)], result, attributes), result)


# Products of two inputs: the second matrix in place, packed, transposed, a vector, a column, with batches.
product((5, 40), (40, 30), (5, 30))
product((1, 70), (70, 150), (1, 150))
product((33, 70), (70, 150), (33, 150))
product((33, 70), (150, 70), (33, 150), "transpose_b true")
product((1, 70), (150, 70), (1, 150), "transpose_b true")
product((70, 33), (70, 150), (33, 150), "transpose_a true")
product((33, 70), (70, 1), (33, 1))
product((33, 70), (70, 3), (33, 3))
product((3, 20, 17), (3, 17, 40), (3, 20, 40))
product((3, 20, 17), (17, 40), (3, 20, 40))
product((2, 3, 20, 17), (2, 3, 40, 17), (2, 3, 20, 40), "transpose_b true")
for left, right, result in [((4, 6), (5, 6), (4, 5)), ((2, 4, 6), (7, 6), (2, 4, 7))]:
    finish(emit("dense", [(get_input(*left), left), (get_input(*right), right)], result), result)
for equation, left, right, result in [("bqhd,bkhd->bhqk", (2, 9, 3, 8), (2, 5, 3, 8), (2, 3, 9, 5)), ("ij,kj->ki", (6, 8), (5, 8), (5, 6)),
                                      ("aib,bja->ji", (3, 4, 5), (5, 6, 3), (6, 4)), ("bij,bjk->bik", (2, 5, 6), (2, 6, 7), (2, 5, 7)),
                                      ("ij,ij->ij", (3, 4), (3, 4), (3, 4)), ("i,j->ij", (5,), (7,), (5, 7)), ("ij,j->i", (5, 8), (8,), (5,))]:
    finish(emit(f'einsum "{equation}"', [(get_input(*left), left), (get_input(*right), right)], result), result)

arguments = ", ".join(f"{name}: {type}" for name, type in inputs.items())
print(f'func.func @main({arguments}) -> ({", ".join(results)}) attributes {{uma.network = "forms"}} {{')
print("\n".join(body))
print(f"return {', '.join(f'%r{i}' for i in range(len(results)))} : {', '.join(results)}\n}}")
