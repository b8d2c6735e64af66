"""A network with diamonds, values used several times, constants that both sides share and results that are used inside,
for two devices with overlapping patterns: under both policies and with several costs the numbers are those of the
reference interpreter, and layers run where the costs say."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%S/Inputs %python -B %s %t > %t/told.txt
# RUN: FileCheck %s --match-full-lines --implicit-check-not={{.}} < %t/told.txt

import json
import os
import pathlib
import sys

from convolution import uma

os.chdir(sys.argv[1])
pathlib.Path("net.mlir").write_text("""
func.func @main(%x: tensor<1x4x6x6xf32> {uma.name = "x"})
    -> (tensor<1x4x6x6xf32> {uma.name = "y"}, tensor<1x4x6x6xf32> {uma.name = "z"})
    attributes {uma.network = "net"} {
  %k = uma.graph.constant dense<0.25> : tensor<1x4x6x6xf32>
  %w = uma.graph.constant dense<0.125> : tensor<4x4x3x3xf32>
  // A diamond: one side is for a device only, one for the CPU only.
  %a = uma.graph.conv2d %x, %w padding [1, 1, 1, 1]
      : (tensor<1x4x6x6xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32> loc("a")
  %b = uma.graph.relu %a : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("b")
  %c = uma.graph.softmax %a axis 1 : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("c")
  %d = uma.graph.add %b, %c : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("d")
  // The constant goes to a device, to the other and to the CPU.
  %e = uma.graph.multiply %d, %k : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("e")
  %f = uma.graph.subtract %e, %k : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("f")
  %g = uma.graph.add %f, %k : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("g")
  // Interleaved: two chains that cross, one value four times used, once as a result.
  %h = uma.graph.conv2d %g, %w padding [1, 1, 1, 1]
      : (tensor<1x4x6x6xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x6x6xf32> loc("h")
  %i = uma.graph.multiply %g, %h : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("i")
  %j = uma.graph.add %g, %i : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("j")
  %l = uma.graph.sigmoid %h : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("l")
  %m = uma.graph.multiply %j, %l : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("m")
  %n = uma.graph.add %m, %a : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("n")
  %o = uma.graph.relu %n : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> loc("o")
  return %o, %g : tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>
}
""")

# Both devices compute in place of a model of hardware; each has its own functions.
pathlib.Path("devices.h").write_text("""
#ifndef DEVICES_H
#define DEVICES_H
int npu_conv(const float *x, const float *w, float *y, int oc, int ic, int h, int n, int k);
int npu_add(const float *a, const float *b, float *y, int n);
int npu_add_relu(const float *a, const float *b, float *y, int n);
int npu_relu(const float *x, float *y, int n);
int dsp_multiply(const float *a, const float *b, float *y, int n);
int dsp_add(const float *a, const float *b, float *y, int n);
int dsp_multiply_add(const float *a, const float *b, const float *c, float *y, int n);
#endif
""")
pathlib.Path("npu.c").write_text("""
#include "devices.h"
int npu_conv(const float *x, const float *w, float *y, int oc, int ic, int h, int n, int k) {
  for (int o = 0; o < oc; ++o)
    for (int r = 0; r < h; ++r)
      for (int c = 0; c < n; ++c) {
        float sum = 0;
        for (int i = 0; i < ic; ++i)
          for (int u = 0; u < k; ++u)
            for (int v = 0; v < k; ++v) {
              int p = r + u - k / 2, q = c + v - k / 2;
              if (p >= 0 && p < h && q >= 0 && q < n)
                sum += x[(i * h + p) * n + q] * w[((o * ic + i) * k + u) * k + v];
            }
        y[(o * h + r) * n + c] = sum;
      }
  return 0;
}
int npu_add(const float *a, const float *b, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] + b[i];
  return 0;
}
int npu_add_relu(const float *a, const float *b, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] + b[i] > 0 ? a[i] + b[i] : 0;
  return 0;
}
int npu_relu(const float *x, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] > 0 ? x[i] : 0;
  return 0;
}
""")
pathlib.Path("dsp.c").write_text("""
#include "devices.h"
int dsp_multiply(const float *a, const float *b, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] * b[i];
  return 0;
}
int dsp_add(const float *a, const float *b, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] + b[i];
  return 0;
}
int dsp_multiply_add(const float *a, const float *b, const float *c, float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a[i] * b[i] + c[i];
  return 0;
}
""")


def describe(npu: int, dsp: int, transfer: int, overhead: int, least: int) -> None:
    costs = f"""
  transfer {{ cycles = {transfer} + bytes / 16 }}
  region {{ overhead = {overhead}; min_operators = {least} }}"""
    pathlib.Path("npu.uma").write_text(f"""accelerator npu {{
  include "devices.h"
  model "npu.c"{costs}
  pattern conv(x: f32[1, ic, h, w], k: f32[oc, ic, s, s]) {{
    y = conv2d(x, k, padding=same)
    cost cycles = {npu} * oc, bytes = 4 * oc * ic * s * s
    call npu_conv(x, k, y, oc, ic, h, w, s)
  }}
  pattern add_relu(a: f32[1, c, h, w], b: f32[1, c, h, w]) {{
    t = add(a, b)
    y = relu(t)
    cost cycles = {npu}
    call npu_add_relu(a, b, y, c * h * w)
  }}
  pattern add(a: f32[1, c, h, w], b: f32[1, c, h, w]) {{
    y = add(a, b)
    cost cycles = {npu}
    call npu_add(a, b, y, c * h * w)
  }}
  pattern relu(x: f32[1, c, h, w]) {{
    y = relu(x)
    cost cycles = {npu}
    call npu_relu(x, y, c * h * w)
  }}
}}
""")
    pathlib.Path("dsp.uma").write_text(f"""accelerator dsp {{
  include "devices.h"
  model "dsp.c"{costs}
  pattern multiply_add(a: f32[1, c, h, w], b: f32[1, c, h, w], d: f32[1, c, h, w]) {{
    t = multiply(a, b)
    y = add(t, d)
    cost cycles = {dsp}
    call dsp_multiply_add(a, b, d, y, c * h * w)
  }}
  pattern multiply(a: f32[1, c, h, w], b: f32[1, c, h, w]) {{
    y = multiply(a, b)
    cost cycles = {dsp}
    call dsp_multiply(a, b, y, c * h * w)
  }}
  pattern add(a: f32[1, c, h, w], b: f32[1, c, h, w]) {{
    y = add(a, b)
    cost cycles = {dsp}
    call dsp_add(a, b, y, c * h * w)
  }}
}}
""")


def run(name: str, policy: str, *options: str) -> None:
    uma("compile", "net.mlir", "-a", "./npu.uma", "-a", "./dsp.uma", "-o", name, f"--policy={policy}", *options)
    told = uma("run", name, "--compare")
    equal = told.count("equal to the reference interpreter") == 2
    places = {"npu": "", "dsp": "", "cpu": ""}
    for layer in json.loads(pathlib.Path(name, "metadata.json").read_text())["layers"]:
        places[layer["target"]] += layer["name"]
    where = ", ".join(f"{layers} on {device}" for device, layers in places.items() if layers)
    print(f"{name}: {where}; {'equal' if equal else told}")


for name, costs in {
    "free": (1, 1, 0, 0, 1),
    "transfers": (30, 30, 40, 0, 1),
    "regions": (1, 1, 0, 150, 1),
    "large_regions": (1, 1, 1, 1, 3),
    "slow_npu": (400, 1, 1, 1, 1),
    "dear": (5000, 5000, 1, 1, 1),
}.items():
    describe(*costs)
    if name == "free":
        run("greedy", "greedy")
    run(name, "cost")
    if name == "transfers":
        run("apart", "cost", "--merge-regions=false")

# What is fused goes by the name of its first layer: n and o, i and j, m and n.
# CHECK: greedy: abdghjn on npu, eim on dsp, cfl on cpu; equal
# CHECK-NEXT: free: abdghn on npu, eim on dsp, cfl on cpu; equal
# CHECK-NEXT: transfers: abdghn on npu, im on dsp, cefl on cpu; equal
# CHECK-NEXT: apart: abdghn on npu, im on dsp, cefl on cpu; equal
# CHECK-NEXT: regions: abgh on npu, deim on dsp, cflo on cpu; equal
# CHECK-NEXT: large_regions: im on dsp, abcdefghlo on cpu; equal
# CHECK-NEXT: slow_npu: ah on npu, degim on dsp, bcflo on cpu; equal
# CHECK-NEXT: dear: abcdefghijlmno on cpu; equal
