#!/usr/bin/python3
"""Compares the mappings that uma-accel-map chooses with the best of all that fit.

    bench/mapping.py UMA [--layers N] [--seed N] [--accelerator NAME[,ATTRIBUTE=VALUE…]] [--check]

Random int8 convolutions, depthwise convolutions and dense layers, small enough that every mapping can be run (`exhaustive`). Prints the cycles
of both for each layer, and the bytes that the choice loads and the fewest possible. With --check, fails if the choice takes more than 2 % longer
than the best for any layer.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MARGIN = 1.02


def constant(name: str, value) -> onnx.TensorProto:
    return numpy_helper.from_array(np.array(value), name)


def make_layer(generator: random.Random, path: pathlib.Path) -> str:
    """Writes a network of one quantized layer; returns its description."""
    kind = generator.choice(["conv", "conv", "depthwise", "dense"])
    inputs = generator.choice([3, 16, 20, 32, 48])
    outputs = inputs if kind == "depthwise" else generator.choice([8, 16, 32, 40, 64])
    size, kernel, stride = generator.randint(4, 12), generator.choice([1, 3]), generator.choice([1, 1, 2])
    if kind == "dense":
        shape, weight, attributes = [generator.randint(1, 4), 4 * inputs], [outputs, 4 * inputs], {"transB": 1}
    else:
        shape, weight = [1, inputs, size, size], [outputs, 1 if kind == "depthwise" else inputs, kernel, kernel]
        attributes = {"kernel_shape": [kernel] * 2, "pads": [kernel // 2] * 4, "strides": [stride] * 2,
                      "group": inputs if kind == "depthwise" else 1}
    numbers = np.random.default_rng(generator.randrange(1 << 30))
    weights = [constant("scale", np.float32(0.05)), constant("zero", np.int8(3)), constant("ws", np.float32(0.01)),
               constant("wz", np.int8(0)), constant("w", numbers.integers(-127, 128, weight).astype(np.int8)),
               constant("ys", np.float32(0.5)), constant("yz", np.int8(-5))]
    nodes = [helper.make_node("QuantizeLinear", ["x", "scale", "zero"], ["xq"]),
             helper.make_node("DequantizeLinear", ["xq", "scale", "zero"], ["xr"]),
             helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wr"]),
             helper.make_node("Gemm" if kind == "dense" else "Conv", ["xr", "wr"], ["c"], "layer", **attributes),
             helper.make_node("QuantizeLinear", ["c", "ys", "yz"], ["yq"]),
             helper.make_node("DequantizeLinear", ["yq", "ys", "yz"], ["y"])]
    graph = helper.make_graph(nodes, "layer", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return f"{kind} {'x'.join(map(str, shape))} -> {outputs}" + (f" {kernel}x{kernel}/{stride}" if kind != "dense" else "")


def get_cost(uma: str, model: pathlib.Path, accelerator: str, *options: str) -> tuple[int, int]:
    """Returns the cycles and the bytes loaded."""
    done = subprocess.run([uma, "explain", model, "-a", accelerator, "--mapping", "--json", *options], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(done.stderr)
    layers = json.loads(done.stdout)["layers"]
    return sum(layer["cycles"] for layer in layers), sum(layer["loaded_bytes"] for layer in layers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("uma")
    parser.add_argument("--layers", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--accelerator", default="strawberry,input_kib=4,weight_kib=4,sum_kib=8")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    generator = random.Random(options.seed)
    worst, shares = 1.0, []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.layers):
            model = pathlib.Path(folder) / f"layer{number}.onnx"
            name = make_layer(generator, model)
            chosen, loaded = get_cost(options.uma, model, options.accelerator)
            best, _ = get_cost(options.uma, model, options.accelerator, "--lower=exhaustive")
            _, least = get_cost(options.uma, model, options.accelerator, "--lower=exhaustive minimize-bytes")
            worst = max(worst, chosen / best)
            shares.append(loaded / least)
            print(f"{name:36} {chosen:9} chosen {best:9} best {chosen / best:6.3f}   {loaded:8} bytes {least:8} least {loaded / least:6.3f}",
                  flush=True)
    print(f"{options.layers} layers: the choice takes at most {100 * (worst - 1):.1f} % longer than the best;",
          f"{sum(share <= 1.05 for share in shares)} layers load at most 5 % more than the fewest bytes")
    if options.check and worst > MARGIN:
        sys.exit(1)


if __name__ == "__main__":
    main()
