#!/usr/bin/python3
"""Compares the emitted C with ONNX Runtime: run time of models, and time and memory to compile them.

    bench/run.py [MODEL.onnx...] [--models mobilenet-v1,resnet-50] [--layers] [--json FILE] [--html FILE] [--check]

Models are those of bench/models.py, the float networks of MLPerf Tiny if ../shared/models has them, and any given
file. Both sides get the same input, alternate on the same cores, and are timed per call. Printed times are
medians. docs/benchmarks.md describes the columns.

Exits with 1 if a model fails or differs from ONNX Runtime and, with --check, if a target is missed.
"""

import argparse
import json
import os
import pathlib
import platform
import shlex
import statistics
import subprocess
import sys

import layers
import marks
import report as reports
import sides

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
REAL = [model.name for model in sides.real_models.MODELS]
GENERATED = ["mobilenet-v1", "mobilenet-v2", "resnet-18", "resnet-50", "bert"]
MORE = ["squeezenet", "densenet", "u-net", "u-net-resized", "shufflenet-v2", "shufflenet-v1", "shufflenet-v1-g4", "shufflenet-v1-g8",
        "efficientnet-b0", "yolo", "mobilenet-v3", "deeplab", "deeplab-513", "style-transfer", "vit", "whisper", "wavenet",
        "convnext", "swin", "gpt", "inception", "regnet", "ghostnet", "espcn", "crnn"]
INT8 = [*marks.TINY_INT8, *[name + "-int8" for name in GENERATED if name != "bert"]]
GROUPS = {"real": REAL, "more": MORE, "int8": INT8}
NARROW = {"sse4.2": "-msse4.2", "avx2": "-mavx2 -mfma"}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("files", nargs="*", type=pathlib.Path, help="more models; alone, if --models is not given")
    add("--uma", default=str(ROOT / "build/bin/uma"), help="the compiler (default: %(default)s)")
    add("--models", help=f"names by commas, of {', '.join(marks.TINY + GENERATED)} (default: all of these), identity, tiny, "
        f"{', '.join(MORE)}, or more for these, {', '.join(INT8)}, or int8 for these, and from npm {', '.join(REAL)}, or real for all of npm's")
    add("--shape", action="append", default=[], metavar="NAME=1x3x32x32", help="sizes of an input that a file leaves open")
    add("--shared", type=pathlib.Path, default=ROOT / "../shared/models", help="where MLPerf Tiny is (default: ../shared/models)")
    add("--folder", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages (default: %(default)s)")
    add("--npm", type=pathlib.Path, default=ROOT / "build/real-models", help="for onnxruntime-node (default: %(default)s)")
    add("--no-runtime", action="store_true", help="without ONNX Runtime")
    add("--cc", default="cc", help="the C compiler (default: %(default)s)")
    add("--cflags", default="-O3 -march=native", help="its flags (default: %(default)s)")
    add("--options", default="", help="more options of uma compile")
    add("--variant", action="append", default=[], metavar="NAME=OPTIONS", help="beside it, what these options of uma compile make")
    add("--vary", action="store_true", help="beside it, the same C with narrower vectors of this machine")
    add("--bf16", action="store_true", help="beside it, products in bf16, where the processor has instructions for them")
    add("--amx", action="store_true", help="beside it, AMX, where the processor has it")
    add("--threads", type=int, default=1, help="of both sides; more than one builds with OpenMP, and one thread beside it")
    add("--cores", help="which to run on, by commas (default: the first ones)")
    add("--realtime", action="store_true", help="run both sides before all other processes of these cores (chrt; for root)")
    add("--rounds", type=int, default=9, help="turns of each side (default: %(default)s)")
    add("--budget", type=float, default=20, help="seconds for a model's turns (default: %(default)s)")
    add("--layers", type=int, nargs="?", const=20, metavar="N", help="also each layer; prints the N slowest (default: %(const)s)")
    add("--json", type=pathlib.Path, metavar="FILE", help="write all that is measured")
    add("--html", type=pathlib.Path, metavar="FILE", help="write a chart")
    add("--check", action="store_true", help="fail where a mark of bench/marks.py is missed")
    options = parser.parse_args()
    options.cores = [int(core) for core in options.cores.split(",")] if options.cores else \
        sorted(os.sched_getaffinity(0))[: options.threads]
    if len(options.cores) < options.threads:
        parser.error(f"{options.threads} threads need as many cores, this machine lends {len(options.cores)}")
    if not pathlib.Path(options.uma).is_file():
        parser.error(f"{options.uma} is not there: build it first, or name one with --uma")
    if options.vary and platform.machine() != "x86_64":
        parser.error(f"--vary knows the vectors of x86_64, this is {platform.machine()}")
    for text in options.variant:
        name, equals, _ = text.partition("=")
        if not equals or name in ("ours", "one-thread", *NARROW):
            parser.error(f"--variant wants NAME=OPTIONS with a name of its own, found '{text}'")
    for file in options.files:
        if not file.is_file():
            parser.error(f"{file}: no such file")
    options.cc = shlex.split(options.cc)
    # Round robin, because one of Node's threads may spin while it waits for another one on the same core.
    sides.Process.prefix = ["chrt", "--rr", "1"] if options.realtime else []
    options.shape = [f"--shape={shape}" for shape in options.shape]
    # The sums of layers have targets.
    options.printed = options.layers or 0
    options.profile = options.layers is not None or options.check or options.vary
    return options


def find_models(options: argparse.Namespace, names: list[str]) -> list[sides.Source]:
    listed = subprocess.run([HERE / "models.py", "--list"], capture_output=True, text=True, check=True).stdout.split()
    sources = []
    for name in [part for name in names for part in GROUPS.get(name, [name])]:
        if name in REAL:
            found = sides.find_real_model(name, options.npm, options.folder)
            sources += [found] if found else []
            continue
        if name in marks.TINY + marks.TINY_INT8:
            path = options.shared / "mlperf_tiny" / f"{name}.onnx"
            if not path.exists():
                print(f"{name}: skipped, {path} is not there", file=sys.stderr)
                continue
        elif name in listed:
            path, source = options.folder / f"{name}.onnx", HERE / "models.py"
            changed = max(file.stat().st_mtime for file in (source, *(HERE / f"{part}.py" for part in ("networks", "quantized", "sequences", "modern"))))
            if not path.exists() or path.stat().st_mtime < changed:
                subprocess.run([source, name, path], check=True)
        else:
            sys.exit(f"no model '{name}'; there are {', '.join(marks.TINY + marks.TINY_INT8 + listed + REAL)}")
        sources.append(sides.Source(name, path))
    return sources


def make_variants(options: argparse.Namespace) -> list[sides.Variant]:
    flags, arguments = shlex.split(options.cflags), shlex.split(options.options)
    threaded = [*arguments, "--threads=openmp"] if options.threads > 1 else arguments
    openmp = ["-fopenmp"] if options.threads > 1 else []
    variants = [sides.Variant("ours", threaded, flags + openmp, options.threads)]
    if options.threads > 1:
        variants.append(sides.Variant("one-thread", arguments, flags, 1))
    for text in options.variant:
        name, _, more = text.partition("=")
        variants.append(sides.Variant(name, [*threaded, *shlex.split(more)], flags + openmp, options.threads))
    if options.bf16:
        variants.append(sides.Variant("bf16", [*threaded, "--math=bf16"], flags + openmp, options.threads))
    if options.amx and marks.has_amx():
        for name, math in (("amx", []), ("amx-bf16", ["--math=bf16"])):
            variants.append(sides.Variant(name, [*threaded, "-a", "amx", *math], flags + openmp, options.threads))
    if options.vary:
        plain = [flag for flag in flags if not flag.startswith("-m")]
        for name, narrow in NARROW.items():
            variants.append(sides.Variant(name, threaded, plain + narrow.split() + openmp, options.threads))
    return variants


def run(options: argparse.Namespace, runtime: pathlib.Path | None, source: sides.Source, peaks: sides.Peaks) -> dict:
    """Measures one model and returns its results."""
    folder, model = options.folder / source.name, source.path
    folder.mkdir(parents=True, exist_ok=True)
    macs = layers.get_macs(options.uma, model, source.uma)
    total = sum(count for _, count in macs.values())
    result = {"model": source.name, "file_bytes": model.stat().st_size, "macs": total, "variants": {}}
    variants, packages, processes, reference, units = make_variants(options), {}, [], None, {}
    try:
        for variant in variants:
            packages[variant.name] = sides.make_package(options.uma, model, folder / variant.name, source.uma + variant.uma)
            sides.build_package(packages[variant.name], options.cc, variant.cflags)
        metadata = packages["ours"].metadata
        inputs = sides.write_inputs(metadata, folder, source.values)
        files = [tensor["file"] for tensor in inputs]
        if runtime:
            reference = sides.start_runtime(runtime, model, inputs + source.constants, options.cores, options.threads)
            processes.append(reference)
        for variant in variants:
            package = packages[variant.name]
            process = sides.Process(variant.name, [package.get_runner(), *files], options.cores, variant.threads)
            processes.append(process)
            error = sides.compare(process, reference, metadata, folder) if reference else None
            result["variants"][variant.name] = {"error": error, **package.get_numbers()}
        for variant in variants:
            if tuple(variant.cflags) not in units:
                units[tuple(variant.cflags)] = peaks.start(variant.cflags)
                processes.append(units[tuple(variant.cflags)])
        result["rounds"], result["lost"] = sides.interleave(processes, options.rounds, options.budget, 0.05 if options.threads > 1 else 0)
    finally:
        for process in processes:
            process.close()
    if reference:
        result["ort_times"], result["ort_ms"] = reference.times, statistics.median(reference.times)
    for variant, process in zip(variants, processes[1 if reference else 0:]):
        numbers, unit = result["variants"][variant.name], units[tuple(variant.cflags)]
        numbers["times"], numbers["ms"] = process.times, statistics.median(process.times)
        numbers["gflops"] = 2 * total / numbers["ms"] / 1e6
        numbers["peak"] = 1e3 / statistics.median(unit.times) * variant.threads
        numbers["of_peak"] = sides.get_share(total, process.times, unit.times, variant.threads)
        if reference:
            numbers["ratio"] = result["ort_ms"] / numbers["ms"]
    if options.profile:
        topology = layers.Topology(model)
        theirs = layers.profile_runtime(runtime, model, inputs + source.constants, options, folder, topology) if runtime else {}
        for variant in variants:
            numbers = result["variants"][variant.name]
            runs = max(1, min(1000, int(100 * options.budget / numbers["ms"])))
            ours = layers.profile_ours(options, packages[variant.name], variant, files, runs, peaks)
            numbers["layers"] = layers.join(ours, theirs, macs, topology)
            numbers["sums"] = layers.summarise(numbers["layers"], ours, theirs, topology)
    return result


COLUMNS = [("model", 26), ("ORT ms", 9), ("ours ms", 9), ("ratio", 6), ("net", 6), ("GFLOP/s", 8), ("peak", 6),
           ("error", 8), ("weights", 9), ("workspace", 9), ("compile", 8), ("memory", 7), ("cc", 7), ("source", 7), ("rounds", 6)]


def print_row(cells: list[str]) -> None:
    print("  ".join(cell.ljust(width) if not i else cell.rjust(width)
                    for i, (cell, (_, width)) in enumerate(zip(cells, COLUMNS))), flush=True)


def print_result(options: argparse.Namespace, result: dict, overhead: float | None) -> None:
    for name, variant in result["variants"].items():
        has_runtime = "ort_ms" in result
        variant["net"] = (result["ort_ms"] - overhead) / variant["ms"] if has_runtime and overhead is not None else None
        print_row([
            result["model"] if name == "ours" else f"  {name}",
            f"{result['ort_ms']:.3f}" if has_runtime else "-",
            f"{variant['ms']:.3f}",
            f"{variant['ratio']:.3f}" if has_runtime else "-",
            f"{variant['net']:.3f}" if variant["net"] is not None else "-",
            f"{variant['gflops']:.1f}",
            reports.get_percent(variant["of_peak"]),
            f"{variant['error']:.1e}" if has_runtime else "-",
            f"{variant['weights_bytes'] / 1e6:.2f} MB",
            f"{variant['workspace_bytes'] / 1e6:.2f} MB",
            f"{variant['compile_seconds']:.2f} s",
            f"{variant['compile_memory'] / result['file_bytes']:.1f} x",
            f"{variant['cc_seconds']:.1f} s",
            f"{variant['largest_source'] / 1e3:.0f} kB",
            str(result["rounds"]),
        ])
    # With real-time scheduling, the kernel reserves 5 % for other processes.
    if result["lost"] > (0.08 if options.realtime else 0.02):
        print(f"    other processes took {100 * result['lost']:.0f} % of the time: not a measurement")
    for name, variant in result["variants"].items():
        if options.profile:
            layers.print_rows(name, variant, options.printed if name == "ours" else 0)


def main() -> int:
    options = parse()
    options.folder.mkdir(parents=True, exist_ok=True)
    runtime = None if options.no_runtime else sides.find_runtime(options.npm)
    if not runtime:
        print("ONNX Runtime is left out: only our own times, and nothing to compare numbers with", file=sys.stderr)
    names = options.models.split(",") if options.models else [] if options.files else marks.TINY + GENERATED
    models = find_models(options, names) + [sides.Source(file.stem, file, options.shape) for file in options.files]
    load = os.getloadavg()[0]
    if options.amx and not marks.has_amx():
        print("this processor has no AMX: its tiles are left out; the package runs its other versions here", file=sys.stderr)
    if load > 0.5:
        print(f"warning: the machine is busy (load {load:.1f}); times will be too long", file=sys.stderr)

    peaks = sides.Peaks(options.cc, options.folder, options.cores[0])
    for flags in dict.fromkeys(tuple(variant.cflags) for variant in make_variants(options)):
        rates = ", ".join(f"{rate:.1f} GFLOP/s with {bits} bits" for bits, rate in peaks.get(flags).items())
        print(f"peak of a core, {shlex.join([*options.cc, *flags])}: {rates}")
    overhead = None
    if runtime:
        plain = {"profile": False, "vary": False, "variant": [], "options": ""}
        overhead = run(argparse.Namespace(**{**vars(options), **plain}), runtime, *find_models(options, ["identity"]), peaks)["ort_ms"]
        print(f"an identity network in ONNX Runtime: {1e3 * overhead:.1f} us; 'net' is the ratio without them")
    report = {"machine": sides.get_processor(), "cores": options.cores, "threads": options.threads, "cc": shlex.join(options.cc),
              "cflags": options.cflags, "load": load, "peaks": peaks.to_json(), "overhead_ms": overhead,
              "narrow": list(NARROW) if options.vary else [], "models": [], "failed": [],
              "winograd": [variant.name for variant in make_variants(options) if "--kernels=winograd" in variant.uma]}
    print_row([name for name, _ in COLUMNS])
    for model in models:
        try:
            result = run(options, runtime, model, peaks)
        except sides.Failure as failure:
            report["failed"].append(f"{model.name}: {failure}")
            print(f"{model.name:26}  FAILED: {failure}", flush=True)
            continue
        print_result(options, result, overhead)
        report["models"].append(result)
        for name, variant in result["variants"].items():
            if variant["error"] is not None and not variant["error"] <= marks.get_error_limit(result["model"], name):
                report["failed"].append(f"{model.name}: {name} differs by {variant['error']:.2g} of the largest element")
    mean = report["mean"] = marks.get_mean(report)
    if mean:
        print(f"geometric mean of ratios: {mean:.3f}")
    missed = report["missed"] = marks.get_missed(report, options.uma) if options.check else []
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    if options.html:
        options.html.write_text(reports.get_html(report))
    for line in report["failed"]:
        print(f"failed: {line}", file=sys.stderr)
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if report["failed"] or missed else 0


if __name__ == "__main__":
    sys.exit(main())
