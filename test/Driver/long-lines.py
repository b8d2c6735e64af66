"""A line of 100,000 operands is read in a time that grows with its length, not with its square: well below a second of the
processor's time, of which a square takes 10 or more."""
# RUN: rm -rf %t && mkdir %t && %python -B %s %t | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import os
import resource
import subprocess
import sys

os.chdir(sys.argv[1])
COUNT, LIMIT = 100000, 5


def run(name, text, *command):
    with open(name, "w") as file:
        file.write(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(["uma", *command], capture_output=True, text=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    print((done.stdout + done.stderr).splitlines()[-1])
    if seconds > LIMIT:
        print(f"{name}: {seconds:.1f} s")


def describe(name, inputs, operator, call):
    text = f"""accelerator npu {{
  include "npu.h"
  pattern long({inputs}) {{
    y = {operator}
    call npu_long({call})
  }}
}}
"""
    run(name, text, "check", "--no-header", name)


many = ", ".join(["x"] * COUNT)
# CHECK: call.uma: accelerator 'npu', 1 pattern, no errors
describe("call.uma", "x: f32[n]", "relu(x)", "x, y, " + ", ".join(["n"] * COUNT))
# CHECK-NEXT: operator.uma: accelerator 'npu', 1 pattern, no errors
describe("operator.uma", "x: f32[n]", f"concatenate({many}, axis=0)", "x, y, n")
# CHECK-NEXT: inputs.uma: accelerator 'npu', 1 pattern, no errors
names = [f"x{i}" for i in range(COUNT)]
describe("inputs.uma", ", ".join(f"{name}: f32[n]" for name in names), f"concatenate({', '.join(names)}, axis=0)", "x0, y, n")
# CHECK-NEXT: unknown.uma:4:9: error: unknown operator 'rely'; did you mean 'relu'?
describe("unknown.uma", "x: f32[n]", f"rely({many})", "x, y, n")
# CHECK-NEXT: sum.uma:5:{{[0-9]+}}: error: the expression is nested too deeply
describe("sum.uma", "x: f32[n]", "relu(x)", "x, y, " + " + ".join(["n"] * COUNT))

# Each of as many errors and warnings has a place in the line.
# CHECK-NEXT: attributes.uma:4:{{[0-9]+}}: error: operator 'relu' has no attribute 'a{{[0-9]+}}'; it has none
describe("attributes.uma", "x: f32[n]", f"relu(x, {', '.join(f'a{i}=1' for i in range(COUNT // 4))})", "x, y, n")
# CHECK-NEXT: {{ +}}^
run("statements.uma", "accelerator npu {\n  include \"npu.h\"\n  " + "; ".join(f"attribute a{i} = 1" for i in range(COUNT // 4)) +
    "\n  pattern p(x: f32[n]) {\n    y = relu(x)\n    call npu(x, y)\n  }\n}\n", "check", "--no-header", "statements.uma")

# CHECK-NEXT: {{ *}}1 no pattern for 'concatenate'
run("concatenate.mlir", f"""func.func @main(%x: tensor<1xf32>) -> tensor<{COUNT}xf32> attributes {{uma.network = "net"}} {{
  %y = uma.graph.concatenate {", ".join(["%x"] * COUNT)} axis 0 : ({", ".join(["tensor<1xf32>"] * COUNT)}) -> tensor<{COUNT}xf32>
  return %y : tensor<{COUNT}xf32>
}}
""", "explain", "concatenate.mlir", "-a", os.path.join(os.environ["UMA_ACCELERATOR_PATH"], "vanilla", "vanilla.uma"))
