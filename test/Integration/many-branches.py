"""A network of 200 branches, first the wide layers of all, then the narrow ones: each branch runs by itself in the C, which needs less
than a tenth of the memory, and computes the same. There are more layers than are ordered exactly."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t && %python -B %s %t

import pathlib
import re
import subprocess
import sys

COUNT = 200
folder = pathlib.Path(sys.argv[1])
weights, wide, narrow = [], [], []
for i in range(COUNT):
    weights += [f"%v{i} = uma.graph.constant dense<{i % 7 - 3}.5> : tensor<256x8xf32>",
                f"%w{i} = uma.graph.constant dense<{i % 5 - 2}.25> : tensor<4x256xf32>"]
    wide.append(f"%a{i} = uma.graph.dense %x, %v{i} : (tensor<1x8xf32>, tensor<256x8xf32>) -> tensor<1x256xf32>")
    narrow.append(f"%b{i} = uma.graph.dense %a{i}, %w{i} : (tensor<1x256xf32>, tensor<4x256xf32>) -> tensor<1x4xf32>")
operands, types = ", ".join(f"%b{i}" for i in range(COUNT)), ", ".join(["tensor<1x4xf32>"] * COUNT)
result = f"tensor<1x{4 * COUNT}xf32>"
body = [*weights, *wide, *narrow, f"%y = uma.graph.concatenate {operands} axis 1 : ({types}) -> {result}", f"return %y : {result}"]
model = folder / "branches.mlir"
model.write_text(f'func.func @main(%x: tensor<1x8xf32>) -> {result} attributes {{uma.network = "branches"}} {{\n  ' + "\n  ".join(body) + "\n}\n")
subprocess.run(["uma", "compile", model, "-o", folder / "package"], check=True)
size = int(re.search(r"BRANCHES_WORKSPACE_SIZE (\d+)", (folder / "package/branches.h").read_text())[1])
if size * 10 > COUNT * 256 * 4:
    sys.exit(f"the workspace takes {size} bytes")
subprocess.run(["uma", "run", folder / "package", "--compare"], check=True)
