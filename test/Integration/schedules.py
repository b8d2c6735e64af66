"""Scheduled functions compute what the plain loops do. Schedules are drawn at random, primitive by primitive, in
transform scripts; what is refused is drawn again. Inputs are small integers, so that sums are exact in any order."""
# GCC does not see that what is used under one condition was set under the same.
# RUN: %python -B %s %t
# RUN: uma-opt %t.mlir --uma-lower --uma-emit-c | uma-translate --uma-to-c > %t.c
# RUN: %gcc -std=c99 -O1 -Wall -Wextra -Werror -Wno-maybe-uninitialized -fsanitize=address,undefined -fno-sanitize-recover=all %t.c %t.main.c -lm -o %t.exe
# RUN: %t.exe | FileCheck %s
# REQUIRES: full, gcc
# CHECK-NOT: differs
# CHECK: 16 scheduled functions are equal to the plain ones

import random
import re
import subprocess
import sys

LINALG = {
    # Extents that few factors divide.
    "matmul": """func.func @matmul(%a: memref<13x17xf32>, %b: memref<17x11xf32>, %c: memref<13x11xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<13x11xf32>)
  linalg.matmul ins(%a, %b : memref<13x17xf32>, memref<17x11xf32>) outs(%c : memref<13x11xf32>)
  return
}""",
    # A convolution whose input is scaled, then a ReLU.
    "conv": """func.func @conv(%x: memref<1x9x8x3xf32>, %w: memref<3x3x3x5xf32>, %y: memref<1x7x6x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<1x9x8x3xf32>
  %t = memref.alloc() : memref<1x7x6x5xf32>
  linalg.add ins(%x, %x : memref<1x9x8x3xf32>, memref<1x9x8x3xf32>) outs(%s : memref<1x9x8x3xf32>)
  linalg.fill ins(%zero : f32) outs(%t : memref<1x7x6x5xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%s, %w : memref<1x9x8x3xf32>, memref<3x3x3x5xf32>) outs(%t : memref<1x7x6x5xf32>)
  linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>],
                  iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%t : memref<1x7x6x5xf32>) outs(%y : memref<1x7x6x5xf32>) {
  ^bb0(%e: f32, %o: f32):
    %m = arith.maximumf %e, %zero : f32
    linalg.yield %m : f32
  }
  return
}""",
    # A chain with a reduction in the middle: every row less its largest element, transposed.
    "rows": """func.func @rows(%x: memref<7x10xf32>, %y: memref<10x7xf32>) {
  %low = arith.constant -100.0 : f32
  %two = memref.alloc() : memref<7x10xf32>
  %m = memref.alloc() : memref<7xf32>
  %d = memref.alloc() : memref<7x10xf32>
  linalg.add ins(%x, %x : memref<7x10xf32>, memref<7x10xf32>) outs(%two : memref<7x10xf32>)
  linalg.fill ins(%low : f32) outs(%m : memref<7xf32>)
  linalg.reduce ins(%two : memref<7x10xf32>) outs(%m : memref<7xf32>) dimensions = [1]
      (%in: f32, %acc: f32) {
        %max = arith.maximumf %in, %acc : f32
        linalg.yield %max : f32
      }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%two, %m : memref<7x10xf32>, memref<7xf32>) outs(%d : memref<7x10xf32>) {
  ^bb0(%e: f32, %max: f32, %o: f32):
    %s = arith.subf %e, %max : f32
    linalg.yield %s : f32
  }
  linalg.transpose ins(%d : memref<7x10xf32>) outs(%y : memref<10x7xf32>) permutation = [1, 0]
  return
}""",
    # Three neighbours of a doubled vector.
    "blur": """func.func @blur(%x: memref<23xf32>, %w: memref<3xf32>, %y: memref<21xf32>) {
  %zero = arith.constant 0.0 : f32
  %t = memref.alloc() : memref<23xf32>
  linalg.add ins(%x, %x : memref<23xf32>, memref<23xf32>) outs(%t : memref<23xf32>)
  linalg.fill ins(%zero : f32) outs(%y : memref<21xf32>)
  linalg.conv_1d ins(%t, %w : memref<23xf32>, memref<3xf32>) outs(%y : memref<21xf32>)
  return
}""",
}
SCHEDULES, STEPS = 4, 9


def optimize(text: str, *passes: str) -> str | None:
    run = subprocess.run(["uma-opt", "-", "--mlir-print-local-scope", *passes], input=text, text=True, capture_output=True)
    if run.returncode not in (0, 1):
        sys.exit(f"uma-opt ended with {run.returncode}:\n{run.stderr}\n{text}")
    return run.stdout if run.returncode == 0 else None


def function_of(module: str) -> str:
    return module[module.index("  uma.tir.func"):].split("  transform.named_sequence")[0].rstrip().removesuffix("}").rstrip()


def apply(function: str, steps: list[str]) -> str | None:
    script = "\n".join(["module attributes {transform.with_named_sequence} {", function,
                        "transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {",
                        *steps, "transform.yield", "}", "}"])
    done = optimize(script, "--transform-interpreter")
    return done and done[done.index("  uma.tir.func"):done.index("  transform.named_sequence")]


def loops_of(function: str) -> dict[str, int]:
    """The blocks, and how many loops each is in."""
    result, open_loops = {}, []
    for line in function.splitlines():
        indent = len(line) - len(line.lstrip())
        while open_loops and indent <= open_loops[-1] and line.strip():
            open_loops.pop()
        if match := re.match(r' *uma.tir.block "(.*?)"', line):
            result[match[1]] = len(open_loops)
        elif "uma.tir.for" in line:
            open_loops.append(indent)
    return result


def draw(generator: random.Random, function: str) -> tuple[str, list[str]]:
    blocks = loops_of(function)
    steps: list[str] = []

    def handles(number: int) -> tuple[str, list[str]]:
        label = generator.choice(sorted(blocks))
        block, loops = f"%b{number}", [f"%l{number}_{i}" for i in range(blocks[label])]
        steps.append(f'{block} = transform.uma.get_block "{label}" in %root')
        if loops:
            steps.append(f"{', '.join(loops)} = transform.uma.get_loops {block}")
        return block, loops

    block, loops = handles(0)
    _, others = handles(1)
    primitive = generator.choice("""split split split reorder reorder fuse vectorize unroll parallel cache_read cache_write
        compute_at compute_at reverse_compute_at reverse_compute_at compute_inline reverse_compute_inline
        decompose_reduction rfactor rfactor""".split())
    loop = generator.choice(loops or ["%none"])
    if primitive == "split":
        step = f"%p, %q = transform.uma.split {loop} [?, {generator.randint(2, 6)}]"
    elif primitive == "reorder":
        step = "transform.uma.reorder " + ", ".join(generator.sample(loops, min(len(loops), generator.randint(2, 4))))
    elif primitive == "fuse":
        first = generator.randrange(max(1, len(loops)))
        step = "%f = transform.uma.fuse " + ", ".join(loops[first:first + 2])
    elif primitive in ("vectorize", "unroll", "parallel"):
        step = f"transform.uma.{primitive} {loop}"
    elif primitive.startswith("cache"):
        step = f"%c = transform.uma.{primitive} {block}[{generator.randint(0, 1)}] local"
    elif primitive.endswith("compute_at"):
        step = f"transform.uma.{primitive} {block}, {generator.choice(others or ['%none'])}"
    elif primitive in ("decompose_reduction", "rfactor"):
        step = f"%i = transform.uma.{primitive} {block}, {loop}"
    else:
        step = f"transform.uma.{primitive} {block}"
    return primitive, [*steps, step]


def main() -> None:
    output = sys.argv[1]
    functions, calls, used = [], [], {}
    for name, source in LINALG.items():
        # Buffers of the function are local: the workspace needs no caller then.
        plain = function_of(optimize(source, "--convert-linalg-to-uma-tir")).replace("alloc workspace", "alloc local")
        sizes = [[int(n) for n in shape.split("x")] for shape in re.findall(r"memref<([\dx]+)xf32>", source.split("\n")[0])]
        counts = [eval("*".join(map(str, shape))) for shape in sizes]
        buffers = "".join(f"  static float {name}_{i}[{n}]; fill({name}_{i}, {n});\n" for i, n in enumerate(counts))
        arguments = [f"{name}_{i}" for i in range(len(counts) - 1)]
        calls.append(f"{buffers}  {name}({', '.join([*arguments, f'{name}_{len(counts) - 1}'])});\n")
        functions.append(plain)
        for number in range(SCHEDULES):
            generator = random.Random(f"{name} {number}")
            function, left = plain, STEPS
            for _ in range(60):
                primitive, steps = draw(generator, function)
                if any("%none" in step for step in steps):
                    continue
                if changed := apply(function, steps):
                    function, left = changed, left - 1
                    used[primitive] = used.get(primitive, 0) + 1
                    if not left:
                        break
            renamed = f"{name}_s{number}"
            functions.append(function.replace(f"@{name}(", f"@{renamed}("))
            calls.append(f"  {{ static float out[{counts[-1]}]; fill(out, {counts[-1]}); {renamed}({', '.join([*arguments, 'out'])});"
                         f" check(\"{renamed}\", out, {name}_{len(counts) - 1}, {counts[-1]}); }}\n")
    missing = {"split", "reorder", "fuse", "vectorize", "unroll", "parallel", "cache_read", "cache_write", "compute_at", "reverse_compute_at",
               "compute_inline", "reverse_compute_inline", "decompose_reduction", "rfactor"} - set(used)
    if missing:
        sys.exit(f"no schedule uses {', '.join(sorted(missing))}: draw more")
    print(used)
    with open(output + ".mlir", "w") as file:
        file.write("\n".join(functions) + "\n")
    declarations = []
    for function in functions:
        head = function[:function.index("{\n")]
        count = head.count("memref<")
        parameters = ["const float *"] * (count - 1) + ["float *"]
        name = head[head.index("@") + 1:head.index("(")]
        declarations.append(f"int32_t {name}({', '.join(parameters)});\n")
    with open(output + ".main.c", "w") as file:
        file.write(f"""#include <stdint.h>
#include <stdio.h>
{''.join(declarations)}
static unsigned state = 1, same;
static void fill(float *x, int n) {{
  for (int i = 0; i < n; ++i) {{
    state = state * 1664525u + 1013904223u;
    x[i] = (float)((int)(state >> 20) % 9 - 4);
  }}
}}
static void check(const char *name, const float *x, const float *y, int n) {{
  for (int i = 0; i < n; ++i)
    if (x[i] != y[i]) {{
      printf("%s differs at %d: %g, expected %g\\n", name, i, x[i], y[i]);
      return;
    }}
  ++same;
}}
int main(void) {{
{''.join(calls)}  printf("%u scheduled functions are equal to the plain ones\\n", same);
  return 0;
}}
""")


main()
