#!/usr/bin/python3
"""Compares the emitted C with ONNX Runtime, operator by operator: the forms of bench/forms.py on one core.

    bench/operators.py [FORM...] [--match REGEX] [--list] [--json FILE] [--check]

Each form is a network of its own, with inputs and outputs in ONNX's layouts, so that conversions of layouts count on both sides. ONNX
Runtime's times are given without the overhead of a call, which is the time of a network of one Identity. Both sides alternate; times are
medians and a ratio is ONNX Runtime's time / ours. If the processor has AMX, quantized forms are compiled with its description, since ONNX
Runtime uses it, too.

Exits with 1 if a form fails or differs from ONNX Runtime and, with --check, if a target is missed: all ratios at least 0.95, 95 % of
them at least 1, geometric mean at least 1.7; of quantized forms, all at least 1 and geometric mean at least 2.
"""

import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shlex
import statistics
import sys

import forms
import marks
import sides

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
#: Ratio that every form, and the share of the forms, and the geometric mean reaches.
TARGETS = {"f32": (0.95, (0.95, 1.0), 1.7), "int8": (1.0, (1.0, 1.0), 2.0)}
#: Largest difference relative to the largest element: other orders of sums, roundings of f16, steps of quantized results.
ERRORS = {"f32": 1e-4, "f16": 4e-3, "int8": 0.02}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("names", nargs="*", metavar="FORM", help="which forms (default: all)")
    add("--match", metavar="REGEX", help="only forms whose name this matches")
    add("--list", action="store_true", help="print the names of the forms and exit")
    add("--uma", default=str(ROOT / "build/bin/uma"), help="the compiler (default: %(default)s)")
    add("--folder", type=pathlib.Path, default=ROOT / "build/bench/operators", help="for models and packages (default: %(default)s)")
    add("--npm", type=pathlib.Path, default=ROOT / "build/real-models", help="for onnxruntime-node (default: %(default)s)")
    add("--cc", default="cc", help="the C compiler (default: %(default)s)")
    add("--cflags", default="-O3 -march=native", help="its flags (default: %(default)s)")
    add("--options", default="", help="more options of uma compile")
    add("--no-amx", action="store_true", help="compile quantized forms without the description of AMX")
    add("--threads", type=int, default=1, help="of both sides; more than one builds with OpenMP (default: %(default)s)")
    add("--core", type=int, default=0, help="the first core to run on, by number (default: %(default)s)")
    add("--realtime", action="store_true", help="run both sides before all other processes of their cores (chrt; for root)")
    add("--rounds", type=int, default=9, help="turns of each side (default: %(default)s)")
    add("--turn", type=float, default=20, help="milliseconds of a turn (default: %(default)s)")
    add("--budget", type=float, default=2, help="seconds for a form's turns (default: %(default)s)")
    add("--json", type=pathlib.Path, metavar="FILE", help="write all that is measured")
    add("--check", action="store_true", help="fail where a target is missed")
    options = parser.parse_args()
    for name in options.names:
        if name not in forms.FORMS:
            parser.error(f"no form '{name}'; --list prints their names")
    chosen = options.names or list(forms.FORMS)
    options.chosen = [forms.FORMS[name] for name in chosen if not options.match or re.search(options.match, name)]
    if not options.chosen:
        parser.error("no form is left to measure")
    if options.list:
        print("\n".join(form.name for form in options.chosen))
        sys.exit(0)
    if not pathlib.Path(options.uma).is_file():
        parser.error(f"{options.uma} is not there: build it first, or name one with --uma")
    options.cores = list(range(options.core, options.core + options.threads))
    options.cc = shlex.split(options.cc)
    options.amx = not options.no_amx and marks.has_amx()
    sides.Process.prefix = ["chrt", "--rr", "1"] if options.realtime else []
    return options


def build(options: argparse.Namespace, form: forms.Form) -> tuple[sides.Package, list[dict]]:
    """Writes the model and its inputs and builds the package."""
    folder = options.folder / form.name
    folder.mkdir(parents=True, exist_ok=True)
    graph = forms.Graph()
    form.build(graph)
    graph.save(folder / "form.onnx")
    inputs = []
    for number, (name, values) in enumerate(graph.inputs.items()):
        (folder / f"input{number}.bin").write_bytes(values.tobytes())
        inputs.append({"name": name, "type": str(values.dtype), "shape": list(values.shape), "file": str(folder / f"input{number}.bin")})
    threads = (["--threads=openmp"], ["-fopenmp"]) if options.threads > 1 else ([], [])
    arguments = threads[0] + shlex.split(options.options)
    if form.kind == "int8" and options.amx:
        arguments += ["-a", "amx"]
    package = sides.make_package(options.uma, folder / "form.onnx", folder / "package", arguments)
    sides.build_package(package, options.cc, shlex.split(options.cflags) + threads[1])
    return package, inputs


def measure(options: argparse.Namespace, runtime: pathlib.Path, package: sides.Package, inputs: list[dict]) -> dict:
    """Runs both sides in turns."""
    folder, processes = package.folder.parent, []
    try:
        processes.append(sides.start_runtime(runtime, folder / "form.onnx", inputs, options.cores, options.threads))
        processes.append(sides.Process("ours", [package.get_runner(), *[tensor["file"] for tensor in inputs]], options.cores,
                options.threads))
        error = sides.compare(processes[1], processes[0], package.metadata, folder)
        for process in processes:
            process.turn = options.turn
        rounds, lost = sides.interleave(processes, options.rounds, options.budget, 0.05 if options.threads > 1 else 0)
    finally:
        for process in processes:
            process.close()
    theirs, ours = (statistics.median(process.times) for process in processes)
    return {"ort_ms": theirs, "ms": ours, "error": error, "rounds": rounds, "lost": lost}


def get_mean(ratios: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def get_missed(kind: str, rows: list[dict]) -> list[str]:
    least, (share, wanted), mean = TARGETS[kind]
    missed = [f"{row['form']}: ratio {row['ratio']:.2f}, expected {least:g} or more" for row in rows if row["ratio"] < least]
    reached = statistics.fmean(row["ratio"] >= wanted for row in rows)
    if reached < share:
        missed.append(f"{kind}: {100 * reached:.1f} % of the forms have a ratio of {wanted:g} or more, expected {100 * share:g} %")
    if get_mean([row["ratio"] for row in rows]) < mean:
        missed.append(f"{kind}: geometric mean {get_mean([row['ratio'] for row in rows]):.2f}, expected {mean:g} or more")
    return missed


def main() -> int:
    options = parse()
    options.folder.mkdir(parents=True, exist_ok=True)
    runtime = sides.find_runtime(options.npm)
    if not runtime:
        sys.exit("ONNX Runtime is missing: there is nothing to compare with")
    identity = forms.Form("identity", "f32", lambda graph: graph.add("Identity", graph.input(1, 16)))
    overhead = measure(options, runtime, *build(options, identity))["ort_ms"]
    print(f"{sides.get_processor()}, {options.threads} thread{'s'[: options.threads > 1]}; a call of ONNX Runtime takes {overhead:.3f} ms",
            flush=True)
    print(f"{'form':34} {'ORT ms':>9} {'ours ms':>9} {'ratio':>6} {'error':>8}", flush=True)
    rows, failed = [], []
    # The next package is built on another core, where there is one, while one is measured.
    others = os.sched_getaffinity(0) - set(options.cores)
    if others:
        os.sched_setaffinity(0, others)
    with concurrent.futures.ThreadPoolExecutor(1) as builder:
        pending = [builder.submit(build, options, form) for form in options.chosen]
        if not others:
            concurrent.futures.wait(pending)
        for form, package in zip(options.chosen, pending):
            try:
                numbers = measure(options, runtime, *package.result())
            except sides.Failure as failure:
                failed.append(f"{form.name}: {failure}")
                print(f"{form.name:34} FAILED: {failure}", flush=True)
                continue
            row = {"form": form.name, "kind": form.kind, **numbers, "ratio": max(numbers["ort_ms"] - overhead, 1e-4) / numbers["ms"]}
            rows.append(row)
            print(f"{form.name:34} {row['ort_ms'] - overhead:9.4f} {row['ms']:9.4f} {row['ratio']:6.2f} {row['error']:8.1e}"
                  + (f"  other processes took {100 * row['lost']:.0f} %" if row["lost"] > 0.02 else ""), flush=True)
            limit = ERRORS.get(form.name[:3], ERRORS[form.kind])
            if not row["error"] <= limit:
                failed.append(f"{form.name}: differs by {row['error']:.2g} of the largest element, expected {limit:g} or less")
    missed = []
    for kind in TARGETS:
        chosen = [row for row in rows if row["kind"] == kind]
        if chosen:
            ratios = [row["ratio"] for row in chosen]
            print(f"{kind}: {len(chosen)} forms, geometric mean of ratios {get_mean(ratios):.2f}, least {min(ratios):.2f}, "
                  f"{sum(ratio < 1 for ratio in ratios)} below 1")
            missed += get_missed(kind, chosen) if options.check else []
    if options.json:
        options.json.write_text(json.dumps({"processor": sides.get_processor(), "threads": options.threads, "overhead_ms": overhead,
                "forms": rows,
                                            "failed": failed, "missed": missed}, indent=1) + "\n")
    for what, lines in (("failed", failed), ("missed", missed)):
        for line in lines:
            print(f"{what}: {line}", file=sys.stderr)
    return 1 if failed or missed else 0


if __name__ == "__main__":
    sys.exit(main())
