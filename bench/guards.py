#!/usr/bin/python3
"""Runs packages with sanitizers or valgrind, between guard zones, and in several threads.

    bench/guards.py [MODEL...] [--models tiny,resnet-50|all|tiny-int8] [--tool asan|valgrind|tsan|none]... [--threads N] [--runs N]

For each model and tool, bench/guards.c runs the network in buffers between guard zones, with workspace and outputs filled with
zeros, with bytes of NaNs and with garbage; in blocks of exactly the size that the header asks for; and in threads that each have
a workspace. The bytes around the buffers and the inputs have to keep their values, and all runs have to give the same outputs,
which have to be those of `uma run`; of models with few multiply-accumulates, `uma run` compares these with the interpreter.
Prints a line per model and tool. Exits with 1 if one fails.
"""

import argparse
import json
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

import marks
import sides

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TFLITE = ["ad01_int8", "kws_ref_model", "str_ww_ref_model", "vww_96_int8", "pretrainedResnet_quant"]
TINY_INT8 = [*marks.TINY_INT8, "streaming_wakeword_int8_qdq", *TFLITE]
# Flags of the C compiler, and the command before the program.
TOOLS = {
    "none": (["-O2"], []),
    "asan": (["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"], []),
    "tsan": (["-O1", "-g", "-fsanitize=thread"], []),
    "valgrind": (["-O1", "-g"], ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full"]),
}


def list_models() -> list[str]:
    listed = subprocess.run([HERE / "models.py", "--list"], capture_output=True, text=True, check=True).stdout.split()
    return [*marks.TINY, *TINY_INT8, *listed]


def find_model(name: str, shared: pathlib.Path, folder: pathlib.Path) -> pathlib.Path | None:
    """Returns the file of a model by its name, or None if it is one of MLPerf Tiny that is not there."""
    for suffix in (".onnx", ".tflite"):
        if (path := shared / "mlperf_tiny" / f"{name}{suffix}").exists():
            return path
    if name in [*marks.TINY, *TINY_INT8]:
        return None
    path = folder / f"{name}.onnx"
    subprocess.run([HERE / "models.py", name, path], check=True)
    return path


def write_inputs(metadata: dict, folder: pathlib.Path) -> list[tuple[str, pathlib.Path]]:
    """Writes inputs with a fixed seed. Wide integers are 0, because they may be indices."""
    generator, inputs = np.random.default_rng(1), []
    for number, tensor in enumerate(metadata["inputs"]):
        kind = sides.DTYPES.get(tensor["dtype"])
        if kind is None:
            raise sides.Failure(f"input '{tensor['name']}' is {tensor['dtype']}, which this bench cannot make")
        if kind.startswith("float"):
            data = generator.standard_normal(tensor["shape"])
        elif kind.endswith("int8"):
            data = generator.integers(np.iinfo(kind).min, np.iinfo(kind).max + 1, tensor["shape"])
        else:
            data = np.zeros(tensor["shape"])
        path = folder / f"input{number}.bin"
        path.write_bytes(data.astype(kind).tobytes())
        inputs.append((tensor["name"], path))
    return inputs


def run(command: list, limit: float) -> None:
    """Runs a command; its first lines are the message of a failure."""
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        raise sides.Failure(f"no end after {limit:g} s") from None
    if done.returncode != 0:
        lines = (done.stderr + done.stdout).strip().splitlines()
        raise sides.Failure("; ".join(line.strip() for line in lines[:6]) or f"status {done.returncode}")


def make_package(path: pathlib.Path, folder: pathlib.Path, options: argparse.Namespace) -> sides.Package:
    """Compiles a model, or copies a package."""
    if not path.is_dir():
        return sides.make_package(options.uma, path, folder, shlex.split(options.options))
    shutil.copytree(path, folder)
    return sides.Package(folder, json.loads((folder / "metadata.json").read_text()), sides.Cost(0, 0, 0))


def build(package: sides.Package, cc: list[str], flags: list[str], tool: str) -> pathlib.Path:
    """Builds guards.c with the package."""
    sides.write_glue(package)
    glue = package.folder / "bench_model.h"
    glue.write_text(glue.read_text() + f"#define BENCH_ALIGNMENT {max(package.metadata['workspace']['alignment'], 16)}\n")
    sources = sorted(path for path in package.folder.glob("*.c") if path.name != "main.c")
    devices = sorted(package.folder.glob("devices/*"))
    # Sources of devices, whose headers keep their warnings, are not of ours.
    sources += [path for folder in devices for path in folder.glob("*.c")]
    program = package.folder / f"guards-{tool}"
    includes = [f"-I{path}" for path in (package.folder, HERE, *devices)]
    run([*cc, *flags, *includes, f"-Wa,-I{package.folder}", *sources, HERE / "guards.c", "-lm", "-lpthread", "-o", program], 900)
    return program


def compare(metadata: dict, folder: pathlib.Path, ours: str, tolerance: float) -> float:
    """Returns the largest difference of an output, relative to its largest element."""
    worst = 0.0
    files = sorted((folder / "reference").glob("*.npy"))
    for number, tensor in enumerate(metadata["outputs"]):
        kind = sides.DTYPES[tensor["dtype"]]
        data = np.fromfile(f"{ours}{number}.bin", kind).astype(np.float64)
        # The names of the files are printable; most are the tensor's.
        named = [path for path in files if path.stem == tensor["name"]] or (files if len(files) == 1 else [])
        if not named:
            raise sides.Failure(f"uma run wrote no output '{tensor['name']}'")
        wanted = np.load(named[0]).astype(np.float64).ravel()
        difference = np.abs(data - wanted).max() / max(np.abs(wanted).max(), 1e-30)
        if not difference <= (0 if "int" in kind else tolerance):
            raise sides.Failure(f"output '{tensor['name']}' differs from that of uma run by {difference:.3g} of its largest element")
        worst = max(worst, difference)
    return worst


def measure(name: str, path: pathlib.Path, folder: pathlib.Path, options: argparse.Namespace) -> bool:
    """Prints a line for each tool. Returns whether all passed."""
    folder.mkdir(parents=True, exist_ok=True)
    fine = True
    try:
        package = make_package(path, folder / "package", options)
        metadata = package.metadata
        inputs = write_inputs(metadata, folder)
        macs = sum(call["macs"] for call in metadata["calls"])
        interpreted = macs <= options.interpret
        run([options.uma, "run", package.folder, *[f"--input={tensor}={file}" for tensor, file in inputs],
             "--output-dir", folder / "reference", *(["--compare"] if interpreted else [])], 900)
    except sides.Failure as failure:
        print(f"{name}: FAILED: {failure}", flush=True)
        return False
    for tool in options.tool:
        flags, prefix = TOOLS[tool]
        start = time.monotonic()
        # A fraction of the runs where each takes long.
        runs = max(1, min(options.runs, int(options.macs // max(macs, 1)) // {"none": 1, "valgrind": 100}.get(tool, 10)))
        threads = options.threads if runs > 1 or tool != "valgrind" else 1
        try:
            program = build(package, shlex.split(options.cc), flags, tool)
            ours = str(folder / f"{tool}-")
            run([*prefix, program, threads, runs, ours, *[file for _, file in inputs]], options.limit)
            error = compare(metadata, folder, ours, options.tolerance)
            print(f"{name}: {tool}: unchanged around {len(inputs)} inputs, {len(metadata['outputs'])} outputs and a workspace of "
                  f"{metadata['workspace']['bytes']:,} bytes; {threads} x {runs} runs equal; {error:.2g} from uma run"
                  f"{', which equals the interpreter' if interpreted else ''}; {time.monotonic() - start:.0f} s", flush=True)
        except sides.Failure as failure:
            print(f"{name}: {tool}: FAILED: {failure}", flush=True)
            fine = False
    return fine


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("files", nargs="*", type=pathlib.Path, help="models or packages of your own")
    add("--uma", default=str(ROOT / "build/bin/uma"), help="the compiler (default: %(default)s)")
    add("--models", default="", help="names by commas: those of bench/models.py --list, of MLPerf Tiny, tiny-int8 for its int8 ones, or all")
    add("--shared", type=pathlib.Path, default=ROOT / "../shared/models", help="where MLPerf Tiny is (default: %(default)s)")
    add("--tool", action="append", choices=sorted(TOOLS), help="may be repeated; asan, which is also UBSan, by default")
    add("--threads", type=int, default=2)
    add("--runs", type=int, default=1000, help="of each thread (default: %(default)s)")
    add("--macs", type=float, default=2e10, help="multiply-accumulates of a thread at most; fewer with a tool (default: %(default)g)")
    add("--interpret", type=float, default=1e8, help="multiply-accumulates of models that the interpreter computes, too (default: %(default)g)")
    add("--tolerance", type=float, default=1e-4, help="for floats (default: %(default)g)")
    add("--limit", type=float, default=3600, help="seconds for a program (default: %(default)g)")
    add("--cc", default="gcc", help="the C compiler (default: %(default)s)")
    add("--options", default="", help="options of uma compile")
    options = parser.parse_args()
    options.tool = options.tool or ["asan"]
    known = list_models()
    names = {"all": known, "tiny-int8": TINY_INT8}.get(options.models, [name for name in options.models.split(",") if name])
    for name in names:
        if name not in known:
            parser.error(f"no model '{name}'; there are {', '.join(known)}")
    if not names and not options.files:
        parser.error("no model: name files, or some with --models")
    fine = True
    for name in names:
        # A folder at a time: large networks have large weights.
        with tempfile.TemporaryDirectory() as folder:
            path = find_model(name, options.shared, pathlib.Path(folder))
            if path is None:
                print(f"{name}: skipped, it is not in {options.shared}", file=sys.stderr)
                continue
            fine &= measure(name, path, pathlib.Path(folder) / "run", options)
    for path in options.files:
        with tempfile.TemporaryDirectory() as folder:
            fine &= measure(path.name, path, pathlib.Path(folder), options)
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
