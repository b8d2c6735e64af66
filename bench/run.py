#!/usr/bin/python3
"""The emitted C beside ONNX Runtime, in one run: how long models take, and what they cost to compile.

    bench/run.py [MODEL.onnx...] [--models mobilenet-v1,resnet-50] [--json FILE] [--html FILE]

Models are those of bench/models.py, the float networks of MLPerf Tiny where ../shared/models has them, and any file
given. Both sides get the same input, run on the same core in turns, and are timed around one call; what is printed are
medians. docs/benchmarks.md tells what each column means.

Exits with 1 where a model fails or differs from ONNX Runtime, with --check also where a bar is missed.
"""

import argparse
import json
import math
import os
import pathlib
import platform
import shlex
import statistics
import subprocess
import sys

import layers
import sides

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
GENERATED = ["mobilenet-v1", "mobilenet-v2", "resnet-18", "resnet-50", "bert"]
TINY = ["ad_autoencoder_float", "ic_resnet8_float", "kws_dscnn_float", "vww_mobilenetv1_025_float"]
LIMIT = 1e-4


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="more models; alone, if --models is not given")
    parser.add_argument("--uma", default=str(ROOT / "build/bin/uma"), help="the compiler (default: %(default)s)")
    parser.add_argument("--models", help=f"names by commas, of {', '.join(TINY + GENERATED)}, identity, tiny")
    parser.add_argument("--shared", type=pathlib.Path, default=ROOT / "../shared/models",
                        help="where MLPerf Tiny is (default: ../shared/models)")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/bench", help="for models and packages")
    parser.add_argument("--npm", type=pathlib.Path, default=ROOT / "build/real-models", help="for onnxruntime-node")
    parser.add_argument("--no-runtime", action="store_true", help="without ONNX Runtime")
    parser.add_argument("--cc", default="cc", help="the C compiler (default: %(default)s)")
    parser.add_argument("--cflags", default="-O3 -march=native", help="its flags (default: %(default)s)")
    parser.add_argument("--options", default="", help="more options of uma compile")
    parser.add_argument("--variant", action="append", default=[], metavar="NAME=OPTIONS",
                        help="beside it, what uma compile makes with these options more")
    parser.add_argument("--threads", type=int, default=1, help="of both sides; more than one builds with OpenMP")
    parser.add_argument("--cores", help="which to run on, by commas (default: the first ones)")
    parser.add_argument("--rounds", type=int, default=9, help="turns of each side (default: %(default)s)")
    parser.add_argument("--budget", type=float, default=20, help="seconds for a model's turns (default: %(default)s)")
    parser.add_argument("--layers", type=int, nargs="?", const=20, metavar="N",
                        help="also the time of each layer; prints the N slowest (default: %(const)s)")
    parser.add_argument("--json", type=pathlib.Path, help="write everything measured")
    options = parser.parse_args()
    options.cores = [int(core) for core in options.cores.split(",")] if options.cores else \
        sorted(os.sched_getaffinity(0))[: options.threads]
    if len(options.cores) < options.threads:
        parser.error(f"{options.threads} threads need as many cores, this machine lends {len(options.cores)}")
    if not pathlib.Path(options.uma).is_file():
        parser.error(f"{options.uma} is not there: build it first, or name one with --uma")
    options.cc = shlex.split(options.cc)
    return options


def find_models(options: argparse.Namespace) -> list[pathlib.Path]:
    names = options.models.split(",") if options.models else [] if options.files else TINY + GENERATED
    listed = subprocess.run([HERE / "models.py", "--list"], capture_output=True, text=True, check=True).stdout.split()
    paths = []
    for name in names:
        if name in TINY:
            path = options.shared / "mlperf_tiny" / f"{name}.onnx"
            if not path.exists():
                print(f"{name}: skipped, {path} is not there", file=sys.stderr)
                continue
        elif name in listed:
            path = options.folder / f"{name}.onnx"
            source = HERE / "models.py"
            if not path.exists() or path.stat().st_mtime < source.stat().st_mtime:
                subprocess.run([source, name, path], check=True)
        else:
            sys.exit(f"no model '{name}'; there are {', '.join(TINY + listed)}")
        paths.append(path)
    return paths + options.files


def make_variants(options: argparse.Namespace) -> list[sides.Variant]:
    flags, arguments = shlex.split(options.cflags), shlex.split(options.options)
    if options.threads > 1:
        flags, arguments = [*flags, "-fopenmp"], [*arguments, "--threads=openmp"]
    variants = [sides.Variant("ours", arguments, flags)]
    for text in options.variant:
        name, _, more = text.partition("=")
        variants.append(sides.Variant(name, [*arguments, *shlex.split(more)], flags))
    return variants


def profile(options: argparse.Namespace, runtime: pathlib.Path | None, model: pathlib.Path, inputs: list[dict],
            package: sides.Package, macs: dict, result: dict) -> None:
    """Adds the time of each layer to `result`."""
    (variant, *_) = make_variants(options)
    sides.build_package(package, options.cc, [*variant.cflags, "-DUMA_PROFILE"], "_profile")
    runs = max(1, min(200, int(1000 * options.budget / 8 / result["variants"]["ours"]["ms"])))
    process = sides.Process("ours", [package.get_runner("_profile"), *[tensor["file"] for tensor in inputs]],
                            options.cores, options.threads)
    try:
        total, ours = layers.profile_ours(process, runs)
    finally:
        process.close()
    topology = layers.Topology(model)
    theirs = layers.profile_runtime(runtime, model, inputs, options.cores, options.threads, package.folder, max(3, runs),
                                    topology) if runtime else {}
    result["layers"] = layers.join(ours, theirs, macs, topology)
    result["sums"] = layers.summarise(result["layers"], total, theirs, topology)


def run(options: argparse.Namespace, runtime: pathlib.Path | None, model: pathlib.Path, peak: float) -> dict:
    folder = options.folder / model.stem
    folder.mkdir(parents=True, exist_ok=True)
    result = {"model": model.stem, "file_bytes": model.stat().st_size, "variants": {}}
    macs = layers.get_macs(options.uma, model, [])
    result["macs"] = sum(count for _, count in macs.values())
    processes = []
    try:
        packages = {}
        for variant in make_variants(options):
            package = sides.make_package(options.uma, model, folder / variant.name, variant.uma)
            sides.build_package(package, options.cc, variant.cflags)
            packages[variant.name] = package
        inputs = sides.write_inputs(package.metadata, folder)
        reference = None
        if runtime:
            reference = sides.start_runtime(runtime, model, inputs, options.cores, options.threads)
            processes.append(reference)
        for name, package in packages.items():
            files = [tensor["file"] for tensor in inputs]
            process = sides.Process(name, [package.get_runner(), *files], options.cores, options.threads)
            processes.append(process)
            result["variants"][name] = {
                "error": sides.compare(process, reference, package.metadata, folder) if reference else None,
                "weights_bytes": package.metadata["weights"]["bytes"],
                "workspace_bytes": package.metadata["workspace"]["bytes"],
                "compile_seconds": package.compile.seconds,
                "compile_memory": package.compile.memory,
                "cc_seconds": package.cc.cpu,
                "largest_source": package.largest_source,
            }
        result["rounds"] = sides.interleave(processes, options.rounds, options.budget, 0.05 if options.threads > 1 else 0)
    finally:
        for process in processes:
            process.close()
    for process in processes:
        side = result if process is reference else result["variants"][process.name]
        side["ort_times" if process is reference else "times"] = process.times
        side["ort_ms" if process is reference else "ms"] = statistics.median(process.times)
    for variant in result["variants"].values():
        variant["gflops"] = 2 * result["macs"] / variant["ms"] / 1e6
        variant["of_peak"] = variant["gflops"] / (peak * options.threads)
        if runtime:
            variant["ratio"] = result["ort_ms"] / variant["ms"]
    if options.layers is not None:
        profile(options, runtime, model, inputs, packages["ours"], macs, result)
    return result


COLUMNS = [("model", 26), ("ORT ms", 9), ("ours ms", 9), ("ratio", 6), ("net", 6), ("GFLOP/s", 8), ("peak", 6),
           ("error", 8), ("weights", 9), ("workspace", 9), ("compile", 8), ("memory", 7), ("cc", 7), ("source", 7), ("rounds", 6)]


def print_row(cells: list[str]) -> None:
    print("  ".join(cell.ljust(width) if not i else cell.rjust(width)
                    for i, (cell, (_, width)) in enumerate(zip(cells, COLUMNS))), flush=True)


def print_result(result: dict, overhead: float | None) -> None:
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
            f"{100 * variant['of_peak']:.1f} %",
            f"{variant['error']:.1e}" if has_runtime else "-",
            f"{variant['weights_bytes'] / 1e6:.2f} MB",
            f"{variant['workspace_bytes'] / 1e6:.2f} MB",
            f"{variant['compile_seconds']:.2f} s",
            f"{variant['compile_memory'] / result['file_bytes']:.1f} x",
            f"{variant['cc_seconds']:.1f} s",
            f"{variant['largest_source'] / 1e3:.0f} kB",
            str(result["rounds"]),
        ])


def main() -> int:
    options = parse()
    options.folder.mkdir(parents=True, exist_ok=True)
    runtime = None if options.no_runtime else sides.find_runtime(options.npm)
    if not runtime:
        print("ONNX Runtime is left out: only our own times, and nothing to compare numbers with", file=sys.stderr)
    models = find_models(options)
    load = os.getloadavg()[0]
    if load > 0.5:
        print(f"warning: the machine is busy (load {load:.1f}); times will be too long", file=sys.stderr)

    peaks = sides.measure_peak(options.cc, shlex.split(options.cflags), options.folder, options.cores[0])
    print(f"peak of a core, {shlex.join(options.cc)} {options.cflags}: "
          + ", ".join(f"{rate:.1f} GFLOP/s with {bits} bits" for bits, rate in peaks.items()))
    overhead = None
    if runtime:
        (path,) = find_models(argparse.Namespace(**{**vars(options), "models": "identity", "files": []}))
        overhead = run(argparse.Namespace(**{**vars(options), "layers": None}), runtime, path, max(peaks.values()))["ort_ms"]
        print(f"an identity network in ONNX Runtime: {1e3 * overhead:.1f} us; 'net' is the ratio without them")
    report = {"machine": platform.machine(), "cores": options.cores, "threads": options.threads, "cc": options.cc,
              "cflags": options.cflags, "load": load, "peaks": peaks, "overhead_ms": overhead, "models": []}
    print_row([name for name, _ in COLUMNS])
    failed = []
    for model in models:
        try:
            result = run(options, runtime, model, max(peaks.values()))
        except sides.Failure as failure:
            failed.append(f"{model.stem}: {failure}")
            print(f"{model.stem:26}  FAILED: {failure}", flush=True)
            continue
        print_result(result, overhead)
        if options.layers is not None:
            layers.print_rows(result["layers"], result["sums"], max(peaks.values()) * options.threads, options.layers)
        report["models"].append(result)
        for name, variant in result["variants"].items():
            if variant["error"] is not None and not variant["error"] <= LIMIT:
                failed.append(f"{model.stem}: {name} differs by {variant['error']:.2g} of the largest element")
    ratios = [result["variants"]["ours"]["ratio"] for result in report["models"] if "ort_ms" in result]
    if ratios:
        print(f"geometric mean of ratios: {math.exp(statistics.fmean(map(math.log, ratios))):.3f}")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    for line in failed:
        print(f"failed: {line}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
