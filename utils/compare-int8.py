#!/usr/bin/python3
"""Tests `uma run --compare` with int8 networks and many inputs: correct C must compare equal, wrong C different.

    utils/compare-int8.py [--uma build/bin/uma] [--models ../shared/models] [--seeds 40] [--only resnet8]

The networks are those of MLPerf Tiny as ONNX with QuantizeLinear and DequantizeLinear. Each is compiled, built and
compared with the interpreter on random inputs of seeds 0, 1, ...; some of these have values half-way between two
integers, which float and double round to different sides. Then every rounding in the C is changed to round down,
and a few seeds must detect that.

Exits with 1 if a comparison is wrong, and with 77 if the models are not available.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def run(options, package: pathlib.Path, seed: int) -> tuple[int, str]:
    done = subprocess.run([options.uma, "run", str(package), "--compare", "--seed", str(seed)], capture_output=True, text=True,
                          env=dict(os.environ, CFLAGS="-O1"), timeout=600)
    return done.returncode, done.stdout + done.stderr


def check(options, model: pathlib.Path, folder: pathlib.Path) -> int:
    package, broken = folder / model.stem, folder / (model.stem + "_broken")
    subprocess.run([options.uma, "compile", str(model), "-o", str(package)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([options.uma, "compile", str(model), "--kernels=loops", "-o", str(broken)], check=True, stdout=subprocess.DEVNULL)
    problems = explained = 0
    for seed in range(options.seeds):
        status, said = run(options, package, seed)
        explained += "on the other side, there is no difference" in said
        if status != 0:
            problems += 1
            print(f"{model.stem}, seed {seed}: status {status}\n{said}")
    changed = 0
    for file in broken.glob("*.c"):
        text, count = re.subn(r"\brintf\(", "floorf(", file.read_text())
        file.write_text(text)
        changed += count
    assert changed, "the C does not round"
    # A single input may not show a difference, because the last layer saturates in int8.
    if not any(run(options, broken, seed)[0] == 1 for seed in range(options.seeds)):
        problems += 1
        print(f"{model.stem}, rounding down: equal for all {options.seeds} seeds")
    print(f"{model.stem}: {options.seeds} seeds, of which {explained} differ by roundings alone; {problems} problems", flush=True)
    return problems


def main() -> int:
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--models", type=pathlib.Path, default=root.parent / "shared" / "models", help="their folder")
    parser.add_argument("--seeds", type=int, default=40, help="inputs for each network (default: %(default)s)")
    parser.add_argument("--only", default="", help="networks with this in their name")
    options = parser.parse_args()
    models = [model for model in sorted(options.models.glob("mlperf_tiny/*_int8_qdq.onnx")) if options.only in model.name]
    if not models:
        print(f"compare-int8: no models in {options.models}", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as folder:
        return 1 if sum(check(options, model, pathlib.Path(folder)) for model in models) else 0


if __name__ == "__main__":
    sys.exit(main())
