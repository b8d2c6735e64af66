#!/usr/bin/python3
"""Compares the emitted C with the reference interpreter on random graphs.

    utils/fuzz-graphs.py [--uma build/bin/uma] [--seed 1] [--count 100] [--jobs 2] [--keep DIR] [--print]
                         [--quantized [--accelerator NAME]] [--images] [--stripe-rows N] [--threads N]

Seed N gives the same graph on every machine: up to 25 operators of uma.graph on random shapes and types. Each graph is
compiled, built with `cc -O0`, run on the inputs of `uma run`, and compared with the interpreter; every fourth one
is partitioned for vanilla, and some have inputs and outputs inside the workspace, or several memories. --stripe-rows computes all
chains of convolutions by stripes of so many rows. --threads runs each loop that can be shared on so many threads. --quantized makes graphs of quantized layers instead, for the processors and the accelerator of
QUANTIZED_OPTIONS in turn, or for the accelerator that is named; --images makes networks of images in f32, for those of IMAGE_OPTIONS. Failures are printed with a command to reproduce them and a graph that is
reduced by removing operators:

    WRONG      the numbers differ from the interpreter's
    REFUSED    an error, although the graph is valid
    FAILED     the C did not build or did not run
    CRASH      ended by a signal
    HANG       took longer than --timeout seconds

Exits with 1 if there are any. See utils/fuzzing for how graphs are generated and which roundings may differ.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fuzzing.images import image_graph  # noqa: E402
from fuzzing.operators import random_graph  # noqa: E402
from fuzzing.quantized import quantized_graph  # noqa: E402

SIGNED = str(pathlib.Path(__file__).resolve().parent / "fuzzing/signed.uma")
# Options of `uma run` and of the C compiler.
QUANTIZED_OPTIONS = [([], ""), ([], "-march=native"), (["--cpu=x86-64-v3"], "-march=native"), (["--kernels=loops"], ""),
                     (["-a", "vanilla_int8"], ""), (["-a", SIGNED], ""), (["-a", "amx"], "-march=native"),
                     (["-a", "amx"], "-DUMA_AMX_MODEL -DUMA_LANES=16 -Wno-psabi"), (["--cpu=cortex-m0"], ""),
                     (["--cpu=cortex-m4", "-a", "arm_dsp"], "")]
IMAGE_OPTIONS = [([], ""), ([], "-march=native"), (["--cpu=x86-64-v4"], "-march=native"), (["--cpu=x86-64-v3"], "-march=native"),
                 ([], "-DUMA_LANES=16 -Wno-psabi"), ([], "-DUMA_LANES=8 -Wno-psabi"), (["--cpu=neoverse-n1"], "-DUMA_LANES=4 -Wno-psabi"),
                 (["--cpu=cortex-m4"], "")]
# Where the tensors are.
MEMORY_OPTIONS = [[], [], ["--io=inside"], [], ["--memory=tcm=1K", "--memory=sram=1G"], [], ["--memory=tcm=300", "--memory=sram=1G", "--io=inside"]]
KINDS = {0: "", 1: "WRONG", 2: "REFUSED", 3: "REFUSED", 4: "FAILED"}


def make_graph(options, seed: int):
    return quantized_graph(seed) if options.quantized else image_graph(seed) if options.images else random_graph(seed)


def check(options, graph, seed: int, path: pathlib.Path) -> tuple[str, str]:
    """Writes the graph to `path` and runs it. Returns the kind of the failure, or "", and the output of uma."""
    path.write_text(graph.print())
    command = [options.uma, "run", str(path), "--compare"]
    cflags = options.cflags
    if options.cpu:
        command += ["--cpu", options.cpu]
    lower = []
    if options.stripe_rows:
        lower.append(f"stripe-rows={options.stripe_rows}")
    if options.threads:
        lower.append("shared-work=0")
        command.append("--threads=openmp")
        cflags += " -fopenmp -Wno-psabi"
    if lower:
        command.append(f"--lower={' '.join(lower)}")
    if options.accelerator:
        command += ["-a", options.accelerator]
    elif options.cpu:
        pass
    elif options.quantized or options.images:
        choices = QUANTIZED_OPTIONS if options.quantized else IMAGE_OPTIONS
        more, instructions = choices[seed % len(choices)]
        command += more
        cflags += " " + instructions
    elif seed % 4 == 0:
        command += ["-a", "vanilla"]
    command += MEMORY_OPTIONS[seed % len(MEMORY_OPTIONS)]
    environment = dict(os.environ, CFLAGS=cflags, OMP_NUM_THREADS=str(max(options.threads, 1)))
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, env=environment)
    except subprocess.TimeoutExpired:
        return "HANG", ""
    # C has no empty tensors; uma reports those whose users are not folded.
    if done.returncode == 3 and re.search("has a tensor without elements|C has no empty arrays", done.stderr):
        return "", ""
    said = "\n".join(line for line in (done.stdout + done.stderr).splitlines()
                     if ": equal to" not in line and "warning:" not in line)
    return KINDS.get(done.returncode, "CRASH"), said


def shrink(options, graph, seed: int, kind: str, said: str, path: pathlib.Path):
    """Reduces the graph by removing outputs and operators while it fails in the same way."""

    def still_fails(part) -> bool:
        return bool(part.outputs) and check(options, part, seed, path)[0] == kind

    wrong = {name for name in re.findall(r"^out(\d+): DIFFERENT", said, re.M)}
    candidates = [value for value in graph.outputs if value.name[1:] in wrong] or graph.outputs
    for output in candidates:
        part = graph.slice([output])
        if still_fails(part):
            graph = part
            break
    # No input of a network is a quantized tensor.
    for operation in [] if options.quantized else list(graph.operations):
        if operation in graph.operations and operation.results[0] not in graph.outputs:
            part = graph.without(operation)
            if still_fails(part):
                graph = part
    return graph


def run(options, seed: int, folder: pathlib.Path):
    graph = make_graph(options, seed)
    path = folder / f"seed{seed}.mlir"
    kind, said = check(options, graph, seed, path)
    if kind:
        small = shrink(options, graph, seed, kind, said, folder / f"seed{seed}-small.mlir")
        _, said = check(options, small, seed, folder / f"seed{seed}-small.mlir")
        graph = small
    names = [operation.template.split()[0].removeprefix("uma.graph.") for operation in graph.operations]
    return kind, said, graph.print(), names


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first graph (default: %(default)s)")
    parser.add_argument("--count", type=int, default=100, help="how many graphs (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="graphs at the same time")
    parser.add_argument("--timeout", type=float, default=300, help="seconds for one graph (default: %(default)s)")
    parser.add_argument("--cflags", default="-O0", help="for the emitted C (default: %(default)s)")
    parser.add_argument("--quantized", action="store_true", help="graphs of quantized layers")
    parser.add_argument("--images", action="store_true", help="networks of images")
    parser.add_argument("--accelerator", help="an accelerator for all graphs, with its attributes: vta,batch=2")
    parser.add_argument("--cpu", help="the processor of all graphs")
    parser.add_argument("--threads", type=int, default=0, help="share loops among so many threads")
    parser.add_argument("--stripe-rows", type=int, help="compute by stripes of so many rows, see uma-graph-split-rows")
    parser.add_argument("--keep", type=pathlib.Path, help="write the graphs into this folder")
    parser.add_argument("--print", action="store_true", help="print graph --seed and end")
    options = parser.parse_args()
    if options.print:
        print(make_graph(options, options.seed).print(), end="")
        return 0
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)

    counts, operators = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = options.keep or pathlib.Path(scratch)
        seeds = range(options.seed, options.seed + options.count)
        for seed, (kind, said, text, names) in zip(seeds, pool.map(lambda seed: run(options, seed, folder), seeds)):
            counts[kind or "equal"] += 1
            operators.update(names)
            if kind:
                print(f"{kind} at seed {seed}; repeat with\n  utils/fuzz-graphs.py --uma {options.uma} --seed {seed} "
                      f"--count 1{' --quantized' * options.quantized}{' --images' * options.images}"
                      f"{f' --accelerator {options.accelerator}' if options.accelerator else ''}"
                      f"{f' --stripe-rows {options.stripe_rows}' if options.stripe_rows else ''}"
                      f"{f' --threads {options.threads}' if options.threads else ''}\n{said}\n\n{text}", flush=True)
            elif sys.stderr.isatty():
                print(f"\r{seed - options.seed + 1}/{options.count}", end="", file=sys.stderr, flush=True)
    last = options.seed + options.count - 1
    print(f"seeds {options.seed} to {last}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    print(f"{operators.total()} operators of {len(operators)} kinds")
    return 1 if counts.total() != counts["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
