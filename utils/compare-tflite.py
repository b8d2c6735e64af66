#!/usr/bin/python3
"""Compares int8 networks with TensorFlow Lite itself: the WebAssembly of the npm package @tensorflow/tfjs-tflite, under Node.

    utils/compare-tflite.py [--uma build/bin/uma] [--folder build/real-models] [--models ../shared/models] [--count 100]

TensorFlow Lite in browsers does not compute with its reference kernels: XNNPACK rounds layers and additions in other ways, and softmax is
computed in f32. For each network of MLPerf Tiny, on the same random inputs, four outputs are compared:

    reference  the C with --rounding=tflite, and NumPy by the rules of the reference kernels
    default    the C without options
    browser    TensorFlow Lite's WebAssembly, and NumPy by the rules in test/Integration/Inputs/xnnpack_integers.py

Both computations of `reference` and of `browser` have to be equal: every element that differs between the two does so by one of these rules.

Random operators on 8 bits that these networks do not have follow XNNPACK's rules, too. XNNPACK has no operators on 16 bits: the WebAssembly has to give the numbers of test/Integration/Inputs/tflite_int16.py, which the C gives in
test/Integration/tflite-int16.py.

Exits with 1 if they are not, and with 77 if the models, npm, node or the package are not available.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / "test" / name / "Inputs") for name in ("Integration", "Import/TFLite"))]
from npm_packages import install_package, skip  # noqa: E402
from tflite_int16 import Int16Model  # noqa: E402
from tflite_integers import Network, run_c  # noqa: E402
from xnnpack_integers import BrowserNetwork, BrowserOperators  # noqa: E402

PACKAGE = "@tensorflow/tfjs-tflite@0.0.1-alpha.10"
NAMES = ["ad01_int8", "kws_ref_model", "pretrainedResnet_quant", "vww_96_int8", "str_ww_ref_model"]


def run_browser(options, model: pathlib.Path, inputs: bytes, folder: pathlib.Path) -> bytes:
    wasm = options.folder / "node_modules" / PACKAGE.rpartition("@")[0] / "wasm"
    (folder / "in.bin").write_bytes(inputs)
    subprocess.run(["node", str(HERE / "run-tflite.js"), str(wasm), str(model), f"{folder}/in.bin", f"{folder}/out.bin"], check=True)
    return (folder / "out.bin").read_bytes()


def compare_operators(options, title: str, build, seeds) -> int:
    """Runs random operators in the WebAssembly. Returns the number of those whose bits differ from NumPy's."""
    wrong = count = 0
    for seed in seeds:
        network = build(seed)
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            network.model.write("model", network.outputs, folder=scratch)
            outputs = run_browser(options, folder / "model.tflite", b"".join(map(np.ndarray.tobytes, network.inputs.values())), folder)
        for name, expected in network.expected.items():
            actual, outputs = np.frombuffer(outputs[: expected.nbytes], expected.dtype), outputs[expected.nbytes :]
            if not np.array_equal(actual, expected.reshape(-1)):
                print(f"{title}, seed {seed}: the WebAssembly's {name} differs in {(actual != expected.reshape(-1)).sum()} elements")
                wrong += 1
        count += len(network.expected)
    print(f"{title}: {count - wrong} of {count} operators equal TensorFlow Lite's WebAssembly", flush=True)
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--uma", default="build/bin/uma", help="the compiler (default: %(default)s)")
    parser.add_argument("--folder", type=pathlib.Path, default="build/real-models", help="for the package (default: %(default)s)")
    parser.add_argument("--models", type=pathlib.Path, default=HERE.parent / "../shared/models", help="folder of mlperf_tiny")
    parser.add_argument("--count", type=int, default=100, help="inputs for each network (default: %(default)s)")
    options = parser.parse_args()
    models = options.models / "mlperf_tiny"
    if not models.is_dir():
        skip(f"{models} is not there")
    install_package(options.folder, PACKAGE)

    failures = compare_operators(options, "16 bits", lambda seed: Int16Model(browser=True, seed=seed), range(11, 16))
    failures += compare_operators(options, "8 bits", BrowserOperators, range(5))
    for name in NAMES:
        model = models / f"{name}.tflite"
        network = Network(str(model))
        inputs = network.make_inputs(options.count)
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            reference = run_c(str(model), inputs, folder / "reference", "--rounding=tflite", uma=options.uma)
            default = run_c(str(model), inputs, folder / "default", uma=options.uma)
            browser = np.frombuffer(run_browser(options, model, inputs.tobytes(), folder), np.int8).reshape(len(inputs), -1)
        rules = network.run(inputs).reshape(browser.shape), BrowserNetwork(str(model)).run(inputs).reshape(browser.shape)

        def tell(ours: np.ndarray) -> str:
            distance = np.abs(ours.astype(int) - browser)
            return f"{(distance == 0).sum()} (at most {distance.max()} apart)"

        print(f"{name}: of {browser.size} elements, equal to TensorFlow Lite's WebAssembly: {tell(reference)} with --rounding=tflite, "
              f"{tell(default)} by default", flush=True)
        for what, actual, expected in ("--rounding=tflite", reference, rules[0]), ("the WebAssembly", browser, rules[1]):
            if not np.array_equal(actual, expected):
                print(f"{name}: {what} differs from its rules in {(actual != expected).sum()} elements")
                failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
