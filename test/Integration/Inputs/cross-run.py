#!/usr/bin/python3
"""Compiles a model, builds its package for another processor, runs it in an emulator and compares the numbers.

    cross-run.py MODEL FOLDER CC EMULATOR [RECORDED]

RECORDED is a folder of ../shared/models/mlperf_tiny/io; without one the reference is what a build for this machine answers.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

LIMIT = 1e-4


def build(folder: pathlib.Path, name: str, cc: str, flags: str) -> pathlib.Path:
    subprocess.run(["make", "-s", "-C", folder, f"BUILD={name}", f"CC={cc}", f"CFLAGS={flags}"], check=True)
    return folder / name / json.loads((folder / "metadata.json").read_text())["name"]


def main() -> int:
    model, folder, cc, emulator = sys.argv[1:5]
    folder = pathlib.Path(folder)
    recorded = pathlib.Path(sys.argv[5]) if len(sys.argv) > 5 else None
    subprocess.run(["uma", "compile", model, "-o", folder], check=True, stdout=subprocess.DEVNULL)
    metadata = json.loads((folder / "metadata.json").read_text())
    random, arguments = np.random.default_rng(0), []
    for number, tensor in enumerate(metadata["inputs"]):
        file = folder / f"in{number}.bin"
        if recorded:
            file = recorded / file.name
        else:
            file.write_bytes(random.standard_normal(tensor["shape"], np.float32).tobytes())
        arguments += ["--input", f"{tensor['name']}={file}"]

    def run(command: list) -> list[np.ndarray]:
        files = [folder / f"answer{number}.bin" for number in range(len(metadata["outputs"]))]
        for tensor, file in zip(metadata["outputs"], files):
            command += ["--output", f"{tensor['name']}={file}"]
        subprocess.run(command, check=True)
        return [np.fromfile(file, np.float32) for file in files]

    # -static: the emulator needs no libraries of that processor.
    actual = run([emulator, build(folder, "cross", cc, "-O2 -static"), *arguments])
    if recorded:
        expected = [np.fromfile(recorded / f"out{number}.bin", np.float32) for number in range(len(actual))]
    else:
        expected = run([build(folder, "native", "cc", "-O2"), *arguments])
    right = True
    for tensor, a, b in zip(metadata["outputs"], actual, expected):
        error = np.abs(a - b).max() / (np.abs(b).max() or 1)
        # Written so that NaN is wrong.
        close = bool(error <= LIMIT)
        right = right and close
        print(f"{metadata['name']}, {tensor['name']}: {'equal' if close else f'DIFFERENT by {error:.2g}'}")
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
