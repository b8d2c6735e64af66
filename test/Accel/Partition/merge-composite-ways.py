"""Graphs that leave a pattern much to decide, and one tensor that everything uses: matching and its reasons take
time in proportion to the graph, not to its square or to the ways there are."""
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %t | FileCheck %s

import os
import subprocess
import sys

os.chdir(sys.argv[1])
with open("npu.uma", "w") as file:
    file.write("""accelerator npu {
  pattern sums(a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: f32) {
    s = add(a, b)
    t = add(c, d)
    u = add(e, f)
    v = add(g, h)
    w = add(s, t)
    x = add(u, v)
    y = add(w, x)
    z = optional relu(y) | sigmoid(y)
    require elements(a) == 1, "never here"
    call npu_sums(a, b, c, d, e, f, g, h, z)
  }
  pattern sincos(x: f32[16]) {
    s = sin(x)
    c = cos(x)
    return s, c
    call npu_sincos(x, s, c)
  }
}
""")


def run(name, lines, options=""):
    with open(name + ".mlir", "w") as file:
        file.write("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n")
        file.writelines(line + "\n" for line in lines)
        file.write(f"  return %{len(lines) - 1} : tensor<4xf32>\n}}\n")
    result = subprocess.run(
        ["uma-opt", name + ".mlir", "--uma-accel-load=accelerators=./npu.uma", "--uma-accel-merge-composite" + options],
        capture_output=True, text=True, timeout=500)
    print(f"{name}: status {result.returncode}, {result.stdout.count('uma.graph.composite')} composites")
    print("\n".join(line for line in result.stderr.splitlines() if "warning" in line))


def unary(index, operator, operand):
    return f"  %{index} = uma.graph.{operator} %{operand} : (tensor<4xf32>) -> tensor<4xf32>"


# A tree of sums in which each pair of branches could be swapped.
# CHECK: sums: status 0, 0 composites
# CHECK: pattern 'sums' of accelerator 'npu' matched nothing: closest is {{.*}}, but never here (elements(a) == 1 with elements(a) = 4)
sums = [unary(0, "exp", "x")]
for i in range(1, 60):
    sums.append(f"  %{i} = uma.graph.add %{i - 1}, %{i // 2} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>")
for i in range(64):
    sums.append(unary(len(sums), "exp", i))
level = list(range(len(sums) - 64, len(sums)))
while len(level) > 1:
    above = []
    for left, right in zip(level[::2], level[1::2]):
        above.append(len(sums))
        sums.append(f"  %{len(sums)} = uma.graph.add %{left}, %{right} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>")
    level = above
run("sums", sums)

# One tensor with hundreds of uses, each of which could be the other result.
# CHECK: fan: status 0, 0 composites
# CHECK: pattern 'sincos' of accelerator 'npu' matched nothing
fan = [unary(i, "sin" if i % 2 else "cos", "x") for i in range(300)]
run("fan", fan, "=report=true")
