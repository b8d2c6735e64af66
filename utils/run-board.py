#!/usr/bin/env python3
"""Runs a package on a board in QEMU and prints instructions per layer.

  utils/run-board.py PACKAGE [BOARD] [CFLAGS]     BOARD: m4 (default), m7, m3, m0

A first version of `uma run --board`, to measure with.
"""
import glob, json, os, re, subprocess, sys, tempfile

BOARDS = {
    "m4": ("mps2-an386", "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"),
    "m7": ("mps2-an500", "-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16"),
    "m3": ("mps2-an385", "-mcpu=cortex-m3 -mthumb"),
    "m0": ("mps2-an385", "-mcpu=cortex-m0plus -mthumb -DBOARD_NO_UNALIGNED"),
}
LINKER = """MEMORY {
 flash (rx) : ORIGIN = 0, LENGTH = 4M
 ram (rw) : ORIGIN = 0x20000000, LENGTH = 4M
}
ENTRY(reset_handler)
SECTIONS {
 .vectors : { KEEP(*(.vectors)) } >flash
 .text : { *(.text*) *(.rodata*) } >flash
 .stack (NOLOAD) : { uma_stack_begin = .; . += 16K; uma_stack_end = .; . += 1K; uma_handler_stack_end = .; } >ram
 .data : { uma_data_begin = .; *(.data*) . = ALIGN(4); uma_data_end = .; } >ram AT>flash
 uma_data_load = LOADADDR(.data);
 .bss : { uma_bss_begin = .; *(.bss*) *(COMMON) . = ALIGN(4); uma_bss_end = .; } >ram
}
"""
here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "boards")
package = os.path.abspath(sys.argv[1])
machine, cpu = BOARDS[sys.argv[2] if len(sys.argv) > 2 else "m4"]
flags = sys.argv[3] if len(sys.argv) > 3 else "-O2"
meta = json.load(open(f"{package}/metadata.json"))
name = meta["name"]

with tempfile.TemporaryDirectory() as work:
    header = f'#include "{name}.h"\nstruct file {{ const char *path; void *data; uintptr_t bytes; }};\n'
    declared = {"inputs": [], "outputs": []}
    for kind in declared:
        for i, tensor in enumerate(meta[kind]):
            header += f'static unsigned char {kind}{i}[{tensor["bytes"]}] __attribute__((aligned(64)));\n'
            declared[kind].append(f'{{"{kind}{i}", {kind}{i}, {tensor["bytes"]}}}')
            data = bytes((7 * j * j + j) % 61 for j in range(tensor["bytes"]))
            if kind == "inputs":
                open(f"{work}/{kind}{i}", "wb").write(data)
    header += f'static unsigned char workspace[{meta["workspace"]["bytes"]} + 1] __attribute__((aligned(64)));\n'
    for kind, list in declared.items():
        header += f'static const struct file runner_{kind}[] = {{{", ".join(list)}}};\n#define RUNNER_{kind.upper()} {len(list)}\n'
    arguments = [f"(void *){kind}{i}" for kind in declared for i in range(len(meta[kind]))]
    header += f'#define runner_run() {name}_run({", ".join(arguments)}, workspace)\n'
    open(f"{work}/runner.h", "w").write(header)
    open(f"{work}/uma_profile.h", "w").write(
        "void runner_begin(int index, const char *layer);\nvoid runner_end(int index);\n"
        "#define UMA_PROFILE_BEGIN(index, layer) runner_begin(index, layer)\n"
        "#define UMA_PROFILE_END(index, layer) runner_end(index)\n")
    open(f"{work}/board.ld", "w").write(LINKER)
    common = f"arm-none-eabi-gcc -std=gnu99 {cpu} {flags} -ffunction-sections -fdata-sections -DUMA_PROFILE -DBOARD_FPGAIO=0x40028000u -I{work} -I{here} -I{package}".split()
    sources = [f"{package}/{file}" for file in meta["sources"]]
    sources += glob.glob(f"{package}/devices/*/*.c")
    sources += [f"{here}/{file}" for file in ("runner.c", "cortex_m.c", "fpgaio_counter.c")]
    objects = []
    for source in sources:
        own = ["-mno-unaligned-access", "-fno-tree-loop-distribute-patterns", "-Os"] if source.startswith(here) and "NO_UNALIGNED" not in cpu else []
        objects.append(f"{work}/{len(objects)}.o")
        subprocess.check_call(common + own + ["-c", source, "-o", objects[-1]])
    subprocess.check_call(common + ["-nostartfiles", "-Wl,--gc-sections", "-T", f"{work}/board.ld", "-o", f"{work}/program", *objects, "-lm"])
    print(subprocess.check_output(["arm-none-eabi-size", f"{work}/program"], text=True), end="")
    log = subprocess.run(["qemu-system-arm", "-M", machine, "-nographic", "-monitor", "none", "-serial", "none", "-icount", "shift=8",
                          "-semihosting-config", "enable=on,target=native", "-kernel", f"{work}/program"],
                         cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600).stdout.decode(errors="replace")
    if "--log" in sys.argv:
        print(log)

names, total, counts, empty = {}, 0, {}, 0
for line in log.splitlines():
    word = line.split()
    if line.startswith("@begin"):
        names[word[1]] = " ".join(word[2:])
    elif line.startswith("@end"):
        ticks = int(word[2], 16) * 5 / 32
        if word[1] == "ffffffff":
            empty = ticks
        else:
            counts[word[1]] = counts.get(word[1], 0) + ticks - empty
    elif line.startswith("@spin"):
        last = int(word[1], 16), int(word[2], 16) * 5 / 32
        print(f"loop of {last[0]} instructions: {last[1]:.1f} counted")
    elif not line.startswith("@total"):
        print(line)
for index, count in counts.items():
    print(f"{count:14,.0f}  {int(index, 16):3} {names[index]}")
total = sum(counts.values())
macs = sum(target["macs"] for target in meta["targets"])
print(f"{total:14,.0f}  in layers, {total / max(macs, 1):.2f} for each of {macs:,} MACs")
