"""Indices of largest and smallest elements, sorted selections, transposes and others along an axis, on vectors and without: the C's
numbers are the interpreter's. Rounding makes elements equal; the logarithm makes NaN and infinity."""
# REQUIRES: gcc, clang
# RUN: %python -B %s > %t.mlir
# RUN: %if full %{ env CFLAGS="-O1 -DUMA_LANES=16 -Wno-psabi" uma run %t.mlir --compare --seeds 2 --cc %gcc > %t.txt %}
# RUN: %if full %{ FileCheck %s --input-file %t.txt %}
# RUN: %if full %{ env CFLAGS="-O1 -DUMA_LANES=8 -Wno-psabi" uma run %t.mlir --compare --seeds 2 --cc %gcc > %t.8.txt %}
# RUN: %if full %{ FileCheck %s --input-file %t.8.txt %}
# RUN: env CFLAGS="-O1 -DUMA_LANES=4" uma run %t.mlir --compare --cc %gcc > %t.4.txt
# RUN: FileCheck %s --input-file %t.4.txt
# RUN: %if full %{ env CFLAGS="-O1 -DUMA_LANES=1" uma run %t.mlir --compare --seeds 2 --cc %gcc > %t.1.txt %}
# RUN: %if full %{ FileCheck %s --input-file %t.1.txt %}
# RUN: %if full %{ uma compile %t.mlir -o %t.c && cd %t.c && %gcc %strict -O1 -c rows.c && %clang %strict -O1 -c rows.c %}
# CHECK-NOT: DIFFERENT

body: list[str] = []
results: list[str] = []
inputs: dict[str, str] = {}


def get_type(shape: list[int], element: str = "f32") -> str:
    return f"tensor<{'x'.join(map(str, shape + [element]))}>"


def get_data(shape: list[int], element: str = "f32") -> str:
    """Returns an input: of floats, the logarithms of whole numbers."""
    name = "%x" + "_".join(map(str, shape)) + element
    if name in inputs:
        return name + "n" if element == "f32" else name
    inputs[name] = type = get_type(shape, element)
    if element != "f32":
        return name
    body.append(f"%s{name[1:]} = uma.graph.add {name}, {name} : ({type}, {type}) -> {type}")
    body.append(f"%d{name[1:]} = uma.graph.add %s{name[1:]}, %s{name[1:]} : ({type}, {type}) -> {type}")
    body.append(f"%w{name[1:]} = uma.graph.round %d{name[1:]} : ({type}) -> {type}")
    body.append(f"{name}n = uma.graph.log %w{name[1:]} : ({type}) -> {type}")
    return name + "n"


def emit(op: str, shape: list[int], result: list[int], attributes: str = "", element: str = "f32", to: str = "") -> None:
    type = get_type(result, to or element)
    data = get_data(shape, element)
    if op.endswith("pool2d"):  # NaN is not defined
        data = "%w" + data[1:-1]
    body.append(f"%r{len(results)} = uma.graph.{op} {data} {attributes} : ({get_type(shape, element)}) -> {type}")
    results.append(type)


for size in [1, 4, 13, 31, 64, 150]:
    for op in ("argmax", "argmin"):
        for last in ("", " select_last_index true"):
            emit(op, [3, size], [3], "axis 1" + last, to="i64")
            emit(op, [2, 5, size], [2, size], "axis 1" + last, to="i64")
    for k in {1, min(size, 5), size}:
        emit("topk", [3, size], [3, k], f"k {k} axis 1", to="i64")
        emit("topk", [3, size], [3, k], f"k {k} axis 1 is_ascend true", to="i64")
    for k in (1, 3, 5):
        emit("topk", [2, 5, size], [2, k, size], f"k {k} axis 1", to="i64")
    for options in ("", " exclusive true", " reverse true", " exclusive true reverse true"):
        emit("cumsum", [2, 5, size], [2, 5, size], "axis 1" + options)
    emit("sum", [3, 2, size], [2], "axis [0, 2]")
    emit("max", [3, 2, size], [2], "axis [0, 2]")
    for op in ("sin", "cos"):
        emit(op, [3, size], [3, size])
for op in ("global_avg_pool2d", "global_max_pool2d"):
    emit(op, [2, 3, 5, 7], [2, 3, 1, 1])
emit("max_pool2d", [2, 3, 5, 7], [2, 3, 1, 1], "size [5, 7]")
for shape, axes in [([3, 70, 9], [0, 2, 1]), ([150, 130], [1, 0]), ([5, 17, 6, 20], [3, 1, 0, 2]), ([2, 3, 64, 16], [0, 2, 3, 1]),
                    ([16, 5, 4], [2, 1, 0])]:
    for element in ("f32", "i32", "i8", "f16", "i64"):
        emit("transpose", shape, [shape[axis] for axis in axes], str(axes), element)

arguments = ", ".join(f"{name}: {type}" for name, type in inputs.items())
print(f'func.func @main({arguments}) -> ({", ".join(results)}) attributes {{uma.network = "rows"}} {{')
print("\n".join(body))
print(f"return {', '.join(f'%r{i}' for i in range(len(results)))} : {', '.join(results)}\n}}")
