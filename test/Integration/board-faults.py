"""`uma run --board` of a network that hangs, faults, uses too much memory or stack, or calls what firmware lacks: the reason, and
the layer. Each is a change of the C of a right package."""
# REQUIRES: board-arm, board-riscv32
# RUN: rm -rf %t && mkdir %t && uma compile %S/Inputs/quantized-dense.mlir -o %t/net
# RUN: %python -B %s %t %source/boards %S/../Driver/Inputs/status.py | FileCheck %s --implicit-check-not={{.}}

import os
import subprocess
import sys

os.chdir(sys.argv[1])
with open("net/net.c") as file:
    SOURCE = file.read()
# The last layer of net_run; the function after it runs parts of the network.
LAST = SOURCE.index("\n", SOURCE.rindex("UMA_PROFILE_BEGIN(", 0, SOURCE.index("int32_t net_run_layers")))


def run(board, code, functions="", options=()):
    """With `code` in the last layer and `functions` before the first function."""
    first = SOURCE.index("/* Layer ")
    with open("net/net.c", "w") as file:
        file.write(SOURCE[:first] + functions + SOURCE[first:LAST] + " " + code + SOURCE[LAST:])
    command = [sys.executable, sys.argv[3], "uma", "run", "net", f"--board={board}", "--output-dir=out", *options]
    subprocess.run(command, check=True)
    assert not os.path.exists("out")


def write_board(name, *edits):
    """Writes a description that differs from one of the table."""
    with open(os.path.join(sys.argv[2], f"{name}.json")) as file:
        text = file.read()
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    with open("board.json", "w") as file:
        file.write(text)
    return "./board.json"


# CHECK: uma: error: network 'net' failed on board 'mps2-an386': no end after 2 s in layer '[[LAYER:[^']*]]'; --timeout changes the limit
# CHECK-NEXT: status 4, 1 lines of errors
run("mps2-an386", "for (;;) {}", options=["--timeout=2"])
# CHECK-NEXT: uma: error: network 'net' failed on board 'riscv32-virt': no end after 2 s in layer '[[LAYER]]'; --timeout changes the limit
# CHECK-NEXT: status 4, 1 lines of errors
run("riscv32-virt", "for (;;) {}", options=["--timeout=2"])

# CHECK-NEXT: uma: error: network 'net' failed on board 'mps2-an386': HardFault: no memory at the accessed address, in function 'net_run' (pc 0x{{.*}}, address 0x70000000, cause 0x00008200) in layer '[[LAYER]]'
# CHECK-NEXT: status 4, 1 lines of errors
run("mps2-an386", "*(volatile int *)0x70000000 = 1;")
# CHECK-NEXT: uma: error: network 'net' failed on board 'mps2-an500': HardFault: undefined instruction, in function 'net_run' (pc 0x{{.*}}) in layer '[[LAYER]]'
# CHECK-NEXT: status 4, 1 lines of errors
run("mps2-an500", "__builtin_trap();")
# An access that a Cortex-M3 can do, and that a Cortex-M0+ cannot.
# CHECK-NEXT: uma: error: network 'net' failed on board 'mps2-an385-m0plus': HardFault: unaligned access, in function 'net_run' (pc 0x{{.*}}) in layer '[[LAYER]]'
# CHECK-NEXT: status 4, 1 lines of errors
run("mps2-an385-m0plus", "{ volatile uintptr_t p = 0x20000001; (void)*(volatile int *)p; }")
# CHECK-NEXT: uma: error: network 'net' failed on board 'microbit': HardFault, in function 'net_run' (pc 0x{{.*}}) in layer '[[LAYER]]'
# CHECK-NEXT: status 4, 1 lines of errors
run("microbit", "{ volatile uintptr_t p = 0x20000001; (void)*(volatile int *)p; }")
# Constants cannot be written.
# CHECK-NEXT: uma: error: network 'net' failed on board 'riscv32-virt': trap: no access to store to the address, in function 'net_run' (pc 0x{{.*}}, address 0x80000000, cause 0x00000007) in layer '[[LAYER]]'
# CHECK-NEXT: status 4, 1 lines of errors
run("riscv32-virt", "*(volatile int *)0x80000000 = 1;")

# A stack that is too small: known before the run, or with a recursion, in it.
# CHECK-NEXT: uma: error: network 'net' needs a stack of {{[0-9]+}} bytes, board 'mps2-an386' reserves 8192 ('stack'): net_run > deep
# CHECK-NEXT: status 4, 1 lines of errors
DEEP = "__attribute__((noinline)) static void deep(void) { volatile char a[20000]; a[0] = 1; (void)a[1]; }\n"
run("mps2-an386", "deep();", DEEP)
RECURSION = """__attribute__((noinline)) static int recur(volatile int *p) {
  volatile int a[20];
  a[0] = *p;
  return a[0] < 0 ? 0 : recur(a) + a[0];
}
"""
# CHECK-NEXT: uma: error: network 'net' failed on board 'mps2-an386': HardFault: the stack of 8192 bytes is used up{{.*}} in layer '[[LAYER]]'
# CHECK-NEXT: status 4, 1 lines of errors
run("mps2-an386", "{ volatile int x = 1; recur(&x); }", RECURSION)
# CHECK-NEXT: uma: error: network 'net' failed on board 'microbit': HardFault: the stack of 4096 bytes is used up{{.*}} in layer '[[LAYER]]'
# CHECK-NEXT: status 4, 1 lines of errors
run("microbit", "{ volatile int x = 1; recur(&x); }", RECURSION)
# CHECK-NEXT: uma: error: network 'net' failed on board 'riscv32-virt': trap: the stack of 8192 bytes is used up{{.*}} in layer '[[LAYER]]'
# CHECK-NEXT: status 4, 1 lines of errors
run("riscv32-virt", "{ volatile int x = 1; recur(&x); }", RECURSION)

# CHECK-NEXT: uma: error: the C of 'net' calls malloc, printf, which firmware cannot have
# CHECK-NEXT: status 4, 1 lines of errors
run("mps2-an386", '(void)printf("%p %d", malloc(3), 1);', "#include <stdio.h>\n#include <stdlib.h>\n")
# CHECK-NEXT: uma: error: network 'net' failed on board 'mps2-an386': the run ended with status 7 in layer '[[LAYER]]'
# CHECK-NEXT: status 4, 1 lines of errors
run("mps2-an386", "if (v1 != NULL) { return 7; }")

# A board with less memory.
# CHECK-NEXT: uma: error: network 'net' does not fit board 'mps2-an386': memory 'flash' has 1,000 bytes, {{[0-9,]+}} are needed: {{.*}}code {{[0-9,]+}}, {{.*}}runner of uma {{[0-9,]+}}
# CHECK-NEXT: status 4, 1 lines of errors
run(write_board("mps2-an386", ('"0x00000000", "bytes": 4194304', '"0x00000000", "bytes": 1000')), "")
# CHECK-NEXT: uma: error: network 'net' does not fit board 'mps2-an386': memory 'ram' has 8,500 bytes, {{[0-9,]+}} are needed: workspace {{[0-9,]+}}, inputs and outputs {{[0-9,]+}}, reserved stack 8,192, stack of faults 512
# CHECK-NEXT: status 4, 1 lines of errors
run(write_board("mps2-an386", ('"0x20000000", "bytes": 4194304', '"0x20000000", "bytes": 8500')), "")
# A counter that does not count what its description says.
# CHECK-NEXT: uma: error: board 'mps2-an386': its counter is off by -40000.0 in a loop of 200000 instructions; correct 'counter' in its description
# CHECK-NEXT: status 2, 1 lines of errors
run(write_board("mps2-an386", ('"ticks": 32, "instructions": 5', '"ticks": 32, "instructions": 4')), "")
# An emulator that fails.
# CHECK-NEXT: uma: error: network 'net' failed on board 'mps2-an386': 'qemu-system-arm' ended with status 1: qemu-system-arm: unsupported machine type
# CHECK-NEXT: status 4, 1 lines of errors
run(write_board("mps2-an386", ('"-M", "mps2-an386"', '"-M", "mps2-an999"')), "")
# A source that is nowhere.
# CHECK-NEXT: uma: error: board 'mps2-an386': there is no source 'timer.c' in '.'
# CHECK-NEXT: status 2, 1 lines of errors
run(write_board("mps2-an386", ("fpgaio_counter.c", "timer.c")), "")
