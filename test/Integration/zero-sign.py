# A sum that rounds to 0 from below is the integer 0, also where C keeps rounded numbers in floats: dequantized it is 0, not -0.
#
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %gcc | FileCheck %s --match-full-lines

import subprocess
import sys

import numpy as np

N = 20
with open("net.mlir", "w") as file:
    file.write(f"""!x = !quant.uniform<i8:f32, 1.0>
!w = !quant.uniform<i8:f32, 0.3>
func.func @main(%data: tensor<1x{N}xf32> {{uma.name = "x"}}) -> (tensor<1x{N}xf32> {{uma.name = "y"}})
    attributes {{uma.network = "net"}} {{
  %xq = uma.graph.quantize %data : (tensor<1x{N}xf32>) -> tensor<1x{N}x!x>
  %x = uma.graph.dequantize %xq : (tensor<1x{N}x!x>) -> tensor<1x{N}xf32>
  %k = uma.graph.constant dense<-1> : tensor<{N}x{N}xi8>
  %q = uma.graph.storage_cast %k : (tensor<{N}x{N}xi8>) -> tensor<{N}x{N}x!w>
  %w = uma.graph.dequantize %q : (tensor<{N}x{N}x!w>) -> tensor<{N}x{N}xf32>
  %s = uma.graph.dense %x, %w : (tensor<1x{N}xf32>, tensor<{N}x{N}xf32>) -> tensor<1x{N}xf32>
  %yq = uma.graph.quantize %s : (tensor<1x{N}xf32>) -> tensor<1x{N}x!x>
  %y = uma.graph.dequantize %yq : (tensor<1x{N}x!x>) -> tensor<1x{N}xf32>
  return %y : tensor<1x{N}xf32>
}}
""")
np.save("x.npy", np.eye(1, N, dtype=np.float32))


def run(title, *options):
    subprocess.run(["uma", "run", "net.mlir", "--cc", sys.argv[1], "--input", "x=x.npy", "--output-dir", title, *options],
                   check=True, capture_output=True)
    y = np.load(f"{title}/y.npy")
    print(f"{title}: {np.count_nonzero(y)} not 0, {np.count_nonzero(np.signbit(y))} negative")


# CHECK: kernels: 0 not 0, 0 negative
run("kernels")
# CHECK-NEXT: loops: 0 not 0, 0 negative
run("loops", "--kernels=loops")
# CHECK-NEXT: device: 0 not 0, 0 negative
run("device", "-a", "strawberry")
