"""Instructions that `uma run --board` counts, against a loop in assembly whose length is known: exact, on each counter."""
# REQUIRES: full, board-arm, board-riscv32
# RUN: rm -rf %t && mkdir %t && uma compile %S/Inputs/quantized-dense.mlir -o %t/net
# RUN: %python -B %s %t | FileCheck %s --match-full-lines

import os
import re
import subprocess
import sys

os.chdir(sys.argv[1])
with open("net/net.c") as file:
    SOURCE = file.read()

# Two instructions for each iteration. GCC's own code for M0 is not in the unified syntax.
ARM = '__asm__ volatile(".syntax unified\\nmovs r3, #%d\\nlsls r3, r3, #10\\n1: subs r3, #1\\nbne 1b\\n%s" ::: "r3", "cc");'
LOOPS = {
    "arm": lambda k: ARM % (k, ""),
    "m0": lambda k: ARM % (k, ".syntax divided\\n"),
    "riscv": lambda k: '__asm__ volatile("li t6, %d\\nslli t6, t6, 10\\n1: addi t6, t6, -1\\nbnez t6, 1b\\n" ::: "t6");' % k,
}


def count(board, text):
    """Returns the instructions of the last layer and those of the whole run."""
    with open("net/net.c", "w") as file:
        file.write(text)
    command = ["uma", "run", "net", f"--board={board}", "--cflags=-O1"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    table = output.split("per MAC\n")[1].split("flash:")[0]
    rows = [re.search(r" {2,}([\d,]+)", line)[1].replace(",", "") for line in table.splitlines()]
    return [int(row) for row in rows[-2:]]


def check(board, loop):
    # Before the last layer of net_run: only the whole run has it. In the layer: both.
    call = SOURCE.rindex("UMA_PROFILE_BEGIN(", 0, SOURCE.index("int32_t net_run_layers"))
    inside = SOURCE.index("\n", call)
    # 30 * 1024 iterations more.
    loops = [LOOPS[loop](70), LOOPS[loop](100)]
    layer = [count(board, SOURCE[:inside] + text + SOURCE[inside:]) for text in loops]
    outside = [count(board, SOURCE[:call] + text + SOURCE[call:]) for text in loops]
    for name, (before, after) in {"in a layer": layer, "between layers": outside}.items():
        print(f"{board}, {name}: layer {after[0] - before[0]}, run {after[1] - before[1]}")


# CHECK: mps2-an386, in a layer: layer 61440, run 61440
# CHECK-NEXT: mps2-an386, between layers: layer 0, run 61440
check("mps2-an386", "arm")
# CHECK-NEXT: mps3-an547, in a layer: layer 61440, run 61440
# CHECK-NEXT: mps3-an547, between layers: layer 0, run 61440
check("mps3-an547", "arm")
# CHECK-NEXT: microbit, in a layer: layer 61440, run 61440
# CHECK-NEXT: microbit, between layers: layer 0, run 61440
check("microbit", "m0")
# CHECK-NEXT: riscv32-virt, in a layer: layer 61440, run 61440
# CHECK-NEXT: riscv32-virt, between layers: layer 0, run 61440
check("riscv32-virt", "riscv")
