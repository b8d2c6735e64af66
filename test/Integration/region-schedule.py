# Layers in one region, on a device for which the host waits and on one whose engines wait for each other: the numbers are
# right, the cycles are those that the mapper predicts, and a region takes less time than its layers one by one.
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
DATA = "tensor<1x16x8x8x!d>"


def layer(number, data, size):
    """Returns a convolution of `data` with random weights of size x size."""
    weights = [[[[random.randint(-90, 90) for _ in range(size)] for _ in range(size)] for _ in range(16)] for _ in range(16)]
    kernel, padding = f"16x16x{size}x{size}x", [size // 2] * 4
    return f"""
  %k{number} = uma.graph.constant dense<{weights}> : tensor<{kernel}i8>
  %w{number} = uma.graph.storage_cast %k{number} : (tensor<{kernel}i8>) -> tensor<{kernel}!w>
  %s{number} = uma.graph.conv2d {data}, %w{number} padding {padding}
      : ({DATA}, tensor<{kernel}!w>) -> tensor<1x16x8x8x!s> loc("layer{number}")
  %x{number} = uma.graph.requantize %s{number} : (tensor<1x16x8x8x!s>) -> {DATA}"""


def write_network(size):
    # The second and the third layer read the same data, so that one of them does not wait for the other.
    inputs = ["%x", "%x0", "%x0", "%x1", "%x3"]
    random.seed(1)
    network.write_text("""!d = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.02>
!s = !quant.uniform<i32:f32, 0.01>
func.func @main(%stored: tensor<1x16x8x8xi8> {uma.name = "x"}) -> (tensor<1x16x8x8xi8> {uma.name = "y"},
    tensor<1x16x8x8xi8> {uma.name = "z"}) attributes {uma.network = "net"} {
  %x = uma.graph.storage_cast %stored : (tensor<1x16x8x8xi8>) -> """ + DATA
                       + "".join(layer(number, data, size) for number, data in enumerate(inputs)) + f"""
  %y = uma.graph.storage_cast %x4 : ({DATA}) -> tensor<1x16x8x8xi8>
  %z = uma.graph.storage_cast %x2 : ({DATA}) -> tensor<1x16x8x8xi8>
  return %y, %z : tensor<1x16x8x8xi8>, tensor<1x16x8x8xi8>
}}
""")


def predict(device, *options):
    text = subprocess.run(["uma", "explain", network, "-a", device, "--mapping", "--json", *options], capture_output=True,
                          text=True, check=True).stdout
    return sum(row["cycles"] for row in json.loads(text)["layers"])


def check(device, variable, size):
    write_network(size)
    run = subprocess.run(["uma", "run", network, "-a", device, "--cc", cc, "--compare"], capture_output=True, text=True)
    equal = run.stdout.count("max error 0 ")
    statistics = folder / f"{device}.txt"
    statistics.unlink(missing_ok=True)
    subprocess.run(["uma", "run", network, "-a", device, "--cc", cc], env=os.environ | {variable: str(statistics)},
                   capture_output=True, check=True)
    simulated = int(statistics.read_text().split("cycles=")[1].split()[0])
    predicted = predict(device)
    alone = predict(device, "--merge-regions=false")
    print(f"{device}: {equal} outputs equal to the interpreter's,",
          "cycles as predicted," if simulated == predicted else f"{simulated} cycles, {predicted} predicted,",
          "less than one by one" if predicted < alone else f"not less than {alone} one by one")
    sys.stderr.write(run.stderr)


# CHECK: strawberry: 2 outputs equal to the interpreter's, cycles as predicted, less than one by one
check("strawberry", "STRAWBERRY_STATISTICS", 3)
# CHECK-NEXT: vta: 2 outputs equal to the interpreter's, cycles as predicted, less than one by one
check("vta", "VTA_STATISTICS", 1)
