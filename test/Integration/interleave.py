# Layers whose tiles are interleaved, on a device whose engines wait for each other and on one for which the host waits: for
# random chains of convolutions, the numbers are right, the cycles are those that the mapper predicts, and not more than those
# of the same layers one after the other. Where a result fits the memory in which the next layer takes it, it is not loaded.
#
# REQUIRES: gcc
# RUN: %python %s %t %gcc | FileCheck %s --match-full-lines

import json
import os
import pathlib
import random
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(exist_ok=True)
network = folder / "net.mlir"
cc = sys.argv[2]
CHAINS = 3


def write_network(seed):
    """Writes a chain of pointwise and depthwise convolutions of an image, with an addition where shapes allow it."""
    generator = random.Random(seed)
    channels, size = generator.choice([8, 16, 24]), generator.choice([19, 28, 32])
    stored = f"1x{channels}x{size}x{size}x"
    lines, data, tensor, older = [], "%x", f"tensor<{stored}!d>", {}
    for number in range(generator.randint(3, 7)):
        depthwise = number % 2 == 1
        kernel = generator.choice([3, 5]) if depthwise else 1
        stride = generator.choice([1, 1, 2]) if depthwise else 1
        outputs = channels if depthwise else generator.choice([16, 24, 48])
        shape = f"{outputs}x{1 if depthwise else channels}x{kernel}x{kernel}x"
        count = outputs * (1 if depthwise else channels) * kernel * kernel
        weights = "".join(f"{generator.randint(-90, 90) & 255:02X}" for _ in range(count))
        size = (size - 1) // stride + 1
        sums, result = (f"tensor<1x{outputs}x{size}x{size}x{kind}>" for kind in ("!s", "!d"))
        groups = f" groups {outputs}" if depthwise else ""
        lines.append(f"""
  %k{number} = uma.graph.constant dense<"0x{weights}"> : tensor<{shape}i8>
  %w{number} = uma.graph.storage_cast %k{number} : (tensor<{shape}i8>) -> tensor<{shape}!w>
  %s{number} = uma.graph.conv2d {data}, %w{number} strides [{stride}, {stride}] padding {[kernel // 2] * 4}{groups}
      : ({tensor}, tensor<{shape}!w>) -> {sums} loc("layer{number}")
  %x{number} = uma.graph.requantize %s{number} : ({sums}) -> {result}""")
        data, tensor, channels = f"%x{number}", result, outputs
        if tensor in older and generator.random() < 0.7:
            lines.append(f"""
  %a{number} = uma.graph.quantized_add {data}, {older[tensor]} : ({tensor}, {tensor}) -> {tensor} loc("sum{number}")""")
            data = f"%a{number}"
        older[tensor] = data
    result = tensor.replace("!d", "i8")
    network.write_text(f"""!d = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.02>
!s = !quant.uniform<i32:f32, 0.01>
func.func @main(%stored: tensor<{stored}i8> {{uma.name = "x"}}) -> ({result} {{uma.name = "y"}})
    attributes {{uma.network = "net"}} {{
  %x = uma.graph.storage_cast %stored : (tensor<{stored}i8>) -> tensor<{stored}!d>{"".join(lines)}
  %y = uma.graph.storage_cast {data} : ({tensor}) -> {result}
  return %y : {result}
}}
""")


def predict(device, *options):
    text = subprocess.run(["uma", "explain", network, "-a", device, "--mapping", "--json", *options], capture_output=True,
                          text=True, check=True).stdout
    layers = json.loads(text)["layers"]
    count = {word: sum(word in layer["mapping"] for layer in layers) for word in ("interleaved", "kept")}
    return sum(layer["cycles"] for layer in layers), count


def check(device, variable):
    equal = predicted = not_slower = faster = interleaved = kept = 0
    for seed in range(CHAINS):
        write_network(seed)
        run = subprocess.run(["uma", "run", network, "-a", device, "--cc", cc, "--compare"], capture_output=True, text=True)
        equal += run.stdout.count("max error 0 ")
        statistics = folder / "statistics"
        statistics.unlink(missing_ok=True)
        subprocess.run(["uma", "run", network, "-a", device, "--cc", cc], capture_output=True, check=True,
                       env={**os.environ, variable: str(statistics)})
        cycles, count = predict(device)
        predicted += f"cycles={cycles} " in statistics.read_text()
        apart, none = predict(device, "--lower=interleave=false")
        assert none == {"interleaved": 0, "kept": 0}
        not_slower += cycles <= apart
        faster += cycles < 0.98 * apart
        interleaved += count["interleaved"] > 0
        kept += count["kept"]
    print(f"{device}: {equal} equal, {predicted} as predicted, {not_slower} not slower")
    print(f"{device}: {'some' if interleaved else 'no'} chains are interleaved, {'some' if faster else 'none'} are faster,",
          "results stay" if kept else "no result stays", "in a memory for the next layer")


# CHECK: chocolate: 3 equal, 3 as predicted, 3 not slower
# CHECK-NEXT: chocolate: some chains are interleaved, some are faster, results stay in a memory for the next layer
check("chocolate", "CHOCOLATE_STATISTICS")
# CHECK-NEXT: chocolate,data_kib=32,weight_kib=16,sum_kib=16: 3 equal, 3 as predicted, 3 not slower
# CHECK-NEXT: chocolate,data_kib=32,weight_kib=16,sum_kib=16: some chains are interleaved, some are faster, results stay in a memory for the next layer
check("chocolate,data_kib=32,weight_kib=16,sum_kib=16", "CHOCOLATE_STATISTICS")
# CHECK-NEXT: strawberry: 3 equal, 3 as predicted, 3 not slower
# CHECK-NEXT: strawberry: some chains are interleaved, some are faster, no result stays in a memory for the next layer
check("strawberry", "STRAWBERRY_STATISTICS")
