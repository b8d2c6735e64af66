# Convolutions that skip rows of their data: devices whose calls take step(x, ih) do not load them. The numbers are right and the
# cycles are those that the mapper predicts, with memories that hold the layer and with small ones. A kernel that reads all rows, and
# padding, load the data as they are.
#
# REQUIRES: full, gcc
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


def write_network(channels, height, width, kernel, stride, padding):
    outputs = 40
    stored = f"1x{channels}x{height}x{width}x"
    shape = f"{outputs}x{channels}x{kernel}x{kernel}x"
    generator = random.Random(0)
    weights = "".join(f"{generator.randint(-90, 90) & 255:02X}" for _ in range(outputs * channels * kernel * kernel))
    rows, columns = ((size + 2 * padding - kernel) // stride + 1 for size in (height, width))
    sums, result, ints = (f"tensor<1x{outputs}x{rows}x{columns}x{kind}>" for kind in ("!s", "!d", "i8"))
    network.write_text(f"""!d = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.02>
!s = !quant.uniform<i32:f32, 0.01>
func.func @main(%stored: tensor<{stored}i8> {{uma.name = "x"}}) -> ({ints} {{uma.name = "y"}})
    attributes {{uma.network = "net"}} {{
  %x = uma.graph.storage_cast %stored : (tensor<{stored}i8>) -> tensor<{stored}!d>
  %k = uma.graph.constant dense<"0x{weights}"> : tensor<{shape}i8>
  %w = uma.graph.storage_cast %k : (tensor<{shape}i8>) -> tensor<{shape}!w>
  %s = uma.graph.conv2d %x, %w strides [{stride}, {stride}] padding {[padding] * 4}
      : (tensor<{stored}!d>, tensor<{shape}!w>) -> {sums} loc("layer")
  %r = uma.graph.requantize %s : ({sums}) -> {result}
  %y = uma.graph.storage_cast %r : ({result}) -> {ints}
  return %y : {ints}
}}
""")


def uma(*arguments, **environment):
    return subprocess.run(["uma", *arguments], capture_output=True, text=True, check=True, env={**os.environ, **environment}).stdout


def check(device, channels, height, width, kernel, stride, padding=0):
    write_network(channels, height, width, kernel, stride, padding)
    isEqual = "max error 0 " in uma("run", network, "-a", device, "--cc", cc, "--compare")
    statistics = folder / "statistics"
    statistics.unlink(missing_ok=True)
    uma("run", network, "-a", device, "--cc", cc, **{device.split(",")[0].upper() + "_STATISTICS": str(statistics)})
    (layer,) = json.loads(uma("explain", network, "-a", device, "--mapping", "--json"))["layers"]
    isPredicted = f"cycles={layer['cycles']} " in statistics.read_text()
    weights = -(-channels // 16) * -(-40 // 16) * 256 * kernel * kernel
    rows = (layer["least_loaded_bytes"] - weights) / (-(-channels // 16) * 16 * width)
    print(f"{device}: {'equal' if isEqual else 'WRONG'}, {'as predicted' if isPredicted else 'other cycles'}, "
          f"at least {rows:.1f} of {height} rows")


# The last columns are not read either.
# CHECK: strawberry: equal, as predicted, at least 9.5 of 20 rows
# CHECK-NEXT: strawberry: equal, as predicted, at least 10.0 of 19 rows
# CHECK-NEXT: strawberry: equal, as predicted, at least 7.0 of 19 rows
# CHECK-NEXT: strawberry: equal, as predicted, at least 4.3 of 19 rows
# CHECK-NEXT: strawberry,input_kib=1,weight_kib=2,sum_kib=8: equal, as predicted, at least 10.0 of 19 rows
# CHECK-NEXT: strawberry,input_kib=1,weight_kib=2,sum_kib=8: equal, as predicted, at least 4.3 of 19 rows
check("strawberry", 40, 20, 20, kernel=1, stride=2)
check("strawberry", 24, 19, 19, kernel=1, stride=2)
check("strawberry", 32, 19, 19, kernel=1, stride=3)
check("strawberry", 32, 19, 15, kernel=1, stride=4)
check("strawberry,input_kib=1,weight_kib=2,sum_kib=8", 24, 19, 19, kernel=1, stride=2)
check("strawberry,input_kib=1,weight_kib=2,sum_kib=8", 32, 19, 15, kernel=1, stride=4)

# CHECK-NEXT: strawberry: equal, as predicted, at least 19.0 of 19 rows
# CHECK-NEXT: strawberry: equal, as predicted, at least 19.0 of 19 rows
check("strawberry", 32, 19, 19, kernel=3, stride=2)
check("strawberry", 16, 19, 19, kernel=1, stride=2, padding=1)

# The description of Chocolate has no step.
# CHECK-NEXT: chocolate: equal, as predicted, at least 19.0 of 19 rows
check("chocolate", 24, 19, 19, kernel=1, stride=2)
