#!/usr/bin/python3
"""Shows what binds each convolution and product of a network: operations, or bytes.

    bench/bounds.py [--model resnet-50] [--json FILE] [--realtime]

Takes the times of `bench/run.py --layers --json FILE`, which it runs if no file is given, and measures how fast one core reads
(bench/bandwidth.c). Layers of one shape are one row:

    ms          the layers' time in the network
    peak        the part of the core's measured peak
    ops ms      the time of their operations at the peak, which bench/run.py measures in turn with the network
    weights ms  the time to read their weights from memory, at the rate of an array as large as all weights of the network
    data ms     the time to read their data and write their result, at the rate of arrays of that size
    binds       ops, or bytes if they take longer
    sum         ops, weights and data one after the other, in percent of the measured time: 100 % and more means that reading is
                hidden behind operations

Data and weights are counted once. Convolutions with windows read data several times, from a near cache.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import onnx
import onnx.shape_inference

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent / "build/bench"


def measure_bandwidth(options: argparse.Namespace, sizes: list[int]) -> dict[int, float]:
    """Returns GB/s by the bytes of the array."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/bandwidth"
        subprocess.run([options.cc, *options.cflags.split(), str(HERE / "bandwidth.c"), "-o", program], check=True)
        command = ["taskset", "-c", str(options.core), *(["chrt", "-f", "10"] if options.realtime else []), program, *map(str, sizes)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {int(line.split()[0]): float(line.split()[1]) for line in printed.splitlines()}


def measure_layers(options: argparse.Namespace) -> pathlib.Path:
    path = options.folder / f"{options.model}-bounds.json"
    command = [sys.executable, str(HERE / "run.py"), "--models", options.model, "--folder", str(options.folder), "--layers", "1",
               "--no-runtime", "--json", str(path), "--cores", str(options.core), "--cc", options.cc, f"--cflags={options.cflags}", *(["--realtime"] if options.realtime else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"bench/bounds.py: bench/run.py failed with {done.returncode}:\n{done.stdout}")
    return path


def get_shapes(model: onnx.ModelProto) -> dict[str, list[int]]:
    graph = onnx.shape_inference.infer_shapes(model).graph
    shapes = {value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim]
              for value in [*graph.input, *graph.output, *graph.value_info]}
    shapes.update({weight.name: list(weight.dims) for weight in graph.initializer})
    return shapes


def count(shape: list[int]) -> int:
    product = 1
    for extent in shape:
        product *= extent
    return product


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="resnet-50", help="a model of bench/run.py (default: resnet-50)")
    parser.add_argument("--json", type=pathlib.Path, help="what bench/run.py --layers --json wrote for it")
    parser.add_argument("--folder", type=pathlib.Path, default=BUILD, help=f"where the model is (default: {BUILD})")
    parser.add_argument("--cc", default="cc", help="the C compiler (default: cc)")
    parser.add_argument("--cflags", default="-O3 -march=native", help="its flags (default: -O3 -march=native)")
    parser.add_argument("--core", type=int, default=0, help="the core to run on, by number (default: 0)")
    parser.add_argument("--realtime", action="store_true", help="run before all other processes of the core (chrt; for root)")
    options = parser.parse_args()

    path = options.json or measure_layers(options)
    try:
        measured = json.loads(path.read_text())
        layers = {model["model"]: model["variants"].get("one-thread", model["variants"]["ours"])["layers"] for model in measured["models"]}
    except (OSError, ValueError, TypeError, KeyError) as error:
        sys.exit(f"bench/bounds.py: {path}: expected layers of {options.model} as bench/run.py --layers --json writes them: {error!r}")
    if options.model not in layers:
        sys.exit(f"bench/bounds.py: {path}: expected layers of {options.model} as bench/run.py --layers --json writes them, found those of "
                 f"{', '.join(layers) or 'no model'}")
    peak = max(rate for rates in measured["peaks"].values() for rate in rates.values())

    file = options.folder / f"{options.model}.onnx"
    network = onnx.load(str(file))
    shapes = get_shapes(network)
    nodes = {node.name or f"{node.op_type}_{number}": node for number, node in enumerate(network.graph.node)}
    rows: dict[str, list] = {}
    for layer in layers[options.model]:
        node = nodes.get(layer["anchor"])
        if not layer["macs"] or node is None:
            continue
        data, weights, result = shapes[node.input[0]], shapes[node.input[1]], shapes[node.output[0]]
        strides = next((list(attribute.ints) for attribute in node.attribute if attribute.name == "strides"), [])
        name = f"{'x'.join(map(str, data[1:]))} {'x'.join(map(str, weights))}{' stride ' + str(strides[0]) if strides and max(strides) > 1 else ''}"
        row = rows.setdefault(name, [0, 0.0, 0.0, 4 * count(weights), 4 * (count(data) + count(result))])
        row[0] += 1
        row[1] += layer["ms"]
        row[2] += layer["ms"] * (layer["of_peak"] or 0)

    total = 4 * sum(count(weight.dims) for weight in network.graph.initializer)
    rates = measure_bandwidth(options, sorted({total, *(row[4] for row in rows.values())}))
    print(f"{peak:.1f} GFLOP/s at best; weights {total / 1e6:.1f} MB at {rates[total]:.1f} GB/s")
    print(f"{'data, weights':42} {'layers':>6} {'ms':>8} {'peak':>7} {'ops ms':>8} {'weights ms':>10} {'data ms':>8} {'binds':>6} {'sum':>7}")
    sums = [0.0] * 4
    for name, (number, time, operations, weights, data) in sorted(rows.items(), key=lambda row: -row[1][1]):
        parts = [operations, number * weights / rates[total] / 1e6, number * data / rates[data] / 1e6]
        binds = "ops" if parts[0] >= parts[1] + parts[2] else "bytes"
        print(f"{name:42} {number:6} {time:8.3f} {100 * parts[0] / time:5.1f} % {parts[0]:8.3f} {parts[1]:10.3f} {parts[2]:8.3f} {binds:>6} "
              f"{100 * sum(parts) / time:5.1f} %")
        sums = [left + right for left, right in zip(sums, [time, *parts])]
    time, *parts = sums
    print(f"{'all':42} {sum(row[0] for row in rows.values()):6} {time:8.3f} {100 * parts[0] / time:5.1f} % {parts[0]:8.3f} {parts[1]:10.3f} "
          f"{parts[2]:8.3f} {'':>6} {100 * sum(parts) / time:5.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
