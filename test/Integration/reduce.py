"""Reductions, orders, scans, norms and matrix products on every type: the C's numbers are the interpreter's."""
# RUN: %python -B %s > %t.mlir
# RUN: uma run %t.mlir --compare --cc %gcc > %t.txt
# RUN: FileCheck %s --input-file %t.txt
# REQUIRES: gcc
# CHECK-NOT: DIFFERENT

FLOATS = ["f32", "f64", "f16", "bf16"]
INTEGERS = ["i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64"]

body: list[str] = []
results: list[str] = []


def emit(op: str, types: list[str], result: str, attributes: str = "", before: str = "") -> None:
    operands = ", ".join("%t" + type.replace("x", "_") for type in types)
    operand_types = ", ".join(f"tensor<{type}>" for type in types)
    body.append(
        f"%r{len(results)} = uma.graph.{op} {before} {operands} {attributes} : ({operand_types}) -> tensor<{result}>"
    )
    results.append(f"tensor<{result}>")


for type in FLOATS + INTEGERS + ["i1"]:
    data = "2x3x4x" + type
    for op in "max min sum mean prod".split()[: 2 if type == "i1" else 5]:
        emit(op, [data], type)
        emit(op, [data], "3x" + type, "axis [0, 2]")
        emit(op, [data], "2x1x4x" + type, "axis [1] keepdims true")
    for op in "argmax argmin".split():
        emit(op, [data], "2x4xi64", "axis 1")
        emit(op, [data], "2x3x1xi64", "axis -1 keepdims true select_last_index true")
    emit("topk", [data], "2x2x4xi64", "k 2 axis 1")
    emit("topk", [data], "2x3x4xi64", "k 4 is_ascend true")
    if type == "i1":
        continue
    emit("cumsum", [data], data, "axis 1")
    emit("cumsum", [data], data, "axis 2 exclusive true reverse true")
    emit("einsum", [data, data], "4x3x" + type, before='"ijk,ljk->kj"')
    emit("einsum", [data], "2x3x" + type, before='"ijk->ij"')

for type in FLOATS:
    data = "2x3x4x" + type
    for axis in 0, 1, 2:
        emit("softmax", [data], data, f"axis {axis}")
        emit("log_softmax", [data], data, f"axis {axis}")
    emit("layer_norm", [data, "4x" + type, "4x" + type], data)
    emit("layer_norm", [data, "3x4x" + type, "3x4x" + type], data, "axis 1")
    emit("rms_norm", [data, "3x4x" + type], data, "axis -2")
    emit("group_norm", [data, "3x" + type, "3x" + type], data, "groups 1")
    emit("group_norm", [data, "3x" + type, "3x" + type], data, "groups 3")
    for size in 1, 2, 5:
        emit("lrn", [data], data, f"size {size} alpha 0.5")
    emit("batch_matmul", [data, "4x3x" + type], "2x3x3x" + type)
    emit("batch_matmul", [data, data], "2x4x4x" + type, "transpose_a true")
    emit("det", ["2x4x4x" + type], "2x" + type)

for lhs, rhs in ("i8", "ui8"), ("ui8", "ui8"), ("ui8", "i8"), ("i16", "i8"), ("i32", "i32"):
    emit("batch_matmul", [f"2x3x4x{lhs}", f"3x4x{rhs}"], "2x3x3xi32", "transpose_b true out_dtype i32")

arguments = []
for type in FLOATS + INTEGERS + ["i1"]:
    for shape in "2x3x4x", "2x4x4x", "4x3x", "3x4x", "3x", "4x":
        arguments.append(f"%t{(shape + type).replace('x', '_')}: tensor<{shape}{type}>")
names = ", ".join(f"%r{number}" for number in range(len(results)))
print(f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) attributes {{uma.network = \"reduce\"}} {{")
print("\n".join("  " + line for line in body))
print(f"  return {names} : {', '.join(results)}\n}}")
