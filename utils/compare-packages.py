#!/usr/bin/env python3
"""Compares the packages of two builds of uma, byte for byte.

    utils/compare-packages.py record before.json [--uma build/bin/uma]
    utils/compare-packages.py check before.json [--uma build/bin/uma] [--only resnet] [--keep FOLDER]

`record` compiles the models of the benchmarks (bundled and `more`; `real` if build/real-models has them), of MLPerf Tiny
and of the demo with every --kernels and --threads, and writes a checksum of each file of each package. `check` does the
same and lists differences; it exits with 1 if there are any. Use it for changes that must not change the generated C.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench")]
import models  # noqa: E402
import sides  # noqa: E402

KERNELS = ["vector", "winograd", "loops"]
THREADS = ["none", "openmp"]
# Other options that change the C, with models that they affect.
MORE = [["mobilenet-v2", "--lower=weight-growth=0"], ["mobilenet-v2", "--lower=tile-pairs=false"],
        ["ic_resnet8_float", "--debug-bounds"], ["digits", "-a", "vanilla"]]


def find_models(folder: pathlib.Path) -> dict[str, tuple[pathlib.Path, list[str]]]:
    """Returns the file and the shape options of each model by name. Writes generated models to `folder`."""
    found = {}
    for name, make in models.MODELS.items():
        file = folder / f"{name}.onnx"
        found[name] = file, []
        if not file.exists():
            make().save(file)
    shared = ROOT.parent / "shared/models/mlperf_tiny"
    if not shared.exists():
        print(f"{shared} is absent: without MLPerf Tiny", file=sys.stderr)
    for path in sorted(shared.glob("*.onnx")):
        found[path.stem] = path, []
    real = ROOT / "build/real-models"
    for model in sides.real_models.MODELS:
        if (real / model.file).exists():
            source = sides.find_real_model(model.name, real, folder)
            found[model.name] = source.path, source.uma
    found["digits"] = ROOT / "examples/digits/digits.onnx", []
    return found


def compile_model(uma: pathlib.Path, model: pathlib.Path, options: list[str], keep: pathlib.Path | None) -> dict[str, str]:
    """Returns the checksum of each file of the package, or the error of uma."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "package"
        environment = dict(os.environ, UMA_ACCELERATOR_PATH=str(ROOT / "dialects"))
        done = subprocess.run([uma, "compile", model, *options, "-o", folder], capture_output=True, text=True, env=environment)
        if done.returncode != 0:
            return {"": f"exit {done.returncode}: {done.stderr.strip()}"}
        sums = {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
                for path in sorted(folder.rglob("*")) if path.is_file()}
        if keep:
            shutil.copytree(folder, keep, dirs_exist_ok=True)
        return sums


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["record", "check"])
    parser.add_argument("sums", type=pathlib.Path)
    parser.add_argument("--uma", type=pathlib.Path, default=ROOT / "build/bin/uma")
    parser.add_argument("--only", default="", help="models whose names contain this")
    parser.add_argument("--kernels", default=",".join(KERNELS))
    parser.add_argument("--threads", default=",".join(THREADS))
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the packages")
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "build/packages", help="where generated models lie")
    options = parser.parse_args()
    options.models.mkdir(parents=True, exist_ok=True)
    found = find_models(options.models)

    jobs = {}
    for name in found:
        for kernels in options.kernels.split(","):
            for threads in options.threads.split(","):
                jobs[f"{name} {kernels} {threads}"] = (name, [f"--kernels={kernels}", f"--threads={threads}"])
    for name, *more in MORE:
        if name in found:
            jobs[" ".join([name, *more])] = (name, more)
    jobs = {key: job for key, job in jobs.items() if options.only in job[0]}

    sums, width = {}, len(str(len(jobs)))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {}
        for key, (name, more) in jobs.items():
            keep = options.keep / key.replace(" ", "_").replace("/", "_") if options.keep else None
            file, sizes = found[name]
            waiting[pool.submit(compile_model, options.uma, file, [*sizes, *more], keep)] = key
        for number, done in enumerate(concurrent.futures.as_completed(waiting), 1):
            sums[waiting[done]] = done.result()
            if sys.stderr.isatty():
                print(f"\r[{number:{width}}/{len(jobs)}]", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if options.action == "record":
        options.sums.write_text(json.dumps(dict(sorted(sums.items())), indent=1) + "\n")
        print(f"{len(sums)} packages of {len(found)} models recorded")
        return 0

    known = json.loads(options.sums.read_text())
    differ = 0
    for key in jobs:
        if key not in known:
            print(f"{key}: is not recorded")
            differ += 1
        elif sums[key] != known[key]:
            files = sorted(file for file in sums[key].keys() | known[key].keys() if sums[key].get(file) != known[key].get(file))
            print(f"{key}: differs in {', '.join(files) or 'its message'}" + (f": {sums[key]['']}" if "" in sums[key] else ""))
            differ += 1
    print(f"{len(jobs) - differ} of {len(jobs)} packages are the same")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
