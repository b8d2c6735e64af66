"""The functions of <math.h> that the C has of its own: their errors, on scalars and on vectors of each width.

The bounds are in Inputs/math.c. Two builds try every 397th and every 401st float, the others fewer of them.
"""
# REQUIRES: gcc, clang
# RUN: %python -B %s > %t.mlir
# RUN: uma-opt %t.mlir --convert-uma-tir-to-emitc | uma-translate --uma-to-c -o %t.c
# RUN: %gcc %strict -Wno-psabi -DUMA_LANES=16 -c %t.c -o %t.o
# RUN: %if full %{ %clang %strict -Wno-psabi -DUMA_LANES=16 -c %t.c -o %t.o %}
# RUN: %if full %{ %gcc -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -Wno-psabi -DUMA_LANES=16 -c %t.c -o %t.o %}
# RUN: %if full %{ %clang -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -Wno-psabi -DUMA_LANES=16 -c %t.c -o %t.o %}
# DEFINE: %{flags} = -Wno-psabi -DUMA_LANES=16 -DGENERATED='"%t.c"' %S/Inputs/math.c -lm -o %t
# RUN: %gcc -std=c99 -O2 -march=native -DSTEP=397 %{flags} && %t
# RUN: %if full %{ %clang -std=c99 -O2 -march=native -ffp-contract=off -DSTEP=401 %{flags} && %t %}
# RUN: %if full %{ %gcc -std=gnu99 -O2 -DSTEP=9973 %{flags} && %t %}
# RUN: %if full %{ %clang -std=c99 -O2 -march=native -ffp-contract=on -DSTEP=9973 %{flags} && %t %}
# RUN: %if full %{ %gcc -O1 -fsanitize=undefined -fno-sanitize-recover=all -DSTEP=99991 %{flags} && %t %}
# RUN: %if full %{ %clang -O1 -fsanitize=undefined -fno-sanitize-recover=all -DSTEP=99991 %{flags} && %t %}

FUNCTIONS = ["exp", "log", "log1p", "tanh", "erf"]
VECTOR_FUNCTIONS = {"absf": "abs", "ceil": "", "floor": "", "roundeven": "rint", "sqrt": "", "rsqrt": ""}
BUFFERS = "%x: memref<16xf32>, %y: memref<16xf32>"


def scalar(op: str) -> None:
    print(f"""uma.tir.func @{op}_1({BUFFERS}) {{
  uma.tir.for %i = 0 to 16 {{
    %v = memref.load %x[%i] : memref<16xf32>
    %w = math.{op} %v : f32
    memref.store %w, %y[%i] : memref<16xf32>
  }}
}}""")


def vector(op: str, name: str, lanes: int) -> None:
    print(f"uma.tir.func @{name}_{lanes}({BUFFERS}) {{")
    for first in range(0, 16, lanes):
        print(f"""  %i{first} = arith.constant {first} : index
  %v{first} = vector.load %x[%i{first}] : memref<16xf32>, vector<{lanes}xf32>
  %w{first} = math.{op} %v{first} : vector<{lanes}xf32>
  vector.store %w{first}, %y[%i{first}] : memref<16xf32>, vector<{lanes}xf32>""")
    print("}")


def reduction(kind: str, lanes: int) -> None:
    print(f"""uma.tir.func @{kind}_{lanes}({BUFFERS}) {{
  %i = arith.constant 0 : index
  %v = vector.load %x[%i] : memref<16xf32>, vector<{lanes}xf32>
  %w = vector.reduction <{kind}>, %v : vector<{lanes}xf32> into f32
  memref.store %w, %y[%i] : memref<16xf32>
}}""")


for op in FUNCTIONS:
    scalar(op)
for lanes in 4, 8, 16:
    for op in FUNCTIONS:
        vector(op, op, lanes)
    for op, name in VECTOR_FUNCTIONS.items():
        vector(op, name or op, lanes)
for lanes in 2, 4, 8, 16:
    for kind in "add mul maximumf minimumf".split():
        reduction(kind, lanes)
