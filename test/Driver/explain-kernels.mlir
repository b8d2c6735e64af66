// What the CPU computes its layers by, what that costs by the model, and what came second.
// RUN: uma explain %s --kernels | FileCheck %s --match-full-lines
// RUN: uma explain %s --kernels=winograd | FileCheck %s --check-prefix=WINOGRAD
// RUN: uma explain %s --kernels --cpu=cortex-m4 | FileCheck %s --check-prefix=SCALAR
// RUN: uma explain %s --kernels three | FileCheck %s --check-prefix=LAYER
// RUN: uma explain %s --kernels --json > %t.json
// RUN: %python -c "import json; d = json.load(open('%t.json')); l = {x['name']: x for x in d['layers']}; print(d['format'], d['version']); t = l['three']; print(t['kernel'], [a['kernel'] for a in t['algorithms']]); v = t['schedules'][0]['versions'][1]; print(v['isa'], v['chosen']['tile'], v['chosen']['cycles'] < v['runner_up']['cycles']); print(l['wide']['tile_pair'])" | FileCheck %s --check-prefix=JSON

// CHECK: layer  operators    kernel                  result in                    packed by  avx512   avx2   sse              neon    simd128  k cycles  instead
// CHECK-NEXT: first  conv2d relu  direct                  NCHW16c, pad = [1, 1, 1, 1]         32  14x2x16  6x2x8  6x2x4 broadcast  6x4x4   2x4x4        {{[0-9.]+ [0-9x]+}} packed by {{[0-9]+}} +{{[0-9.]+}} %
// CHECK-NEXT: three  conv2d       direct                  NCHW16c                             32  14x2x16  6x2x8  6x2x4 broadcast  7x2x4   2x4x4    {{[0-9.]+}} winograd, tile = 2 {{[0-9.]+}}M products, winograd, tile = 4 {{[0-9.]+}}M products (now 28.9M); {{[0-9x]+}} packed by {{[0-9]+}} +{{[0-9.]+}} %
// CHECK-NEXT: wide   conv2d       direct, tiles of 3 x 2  NCHW16c, pad = [1, 1, 0, 0]         32  14x2x16  6x2x8                   7x2x4   2x4x4    {{.*}}
// CHECK-NEXT: deep   conv2d       direct                  NCHW16c                             16  14x1x16  7x1x8                   14x1x4  7x1x4    {{.*}}
// CHECK-NEXT: pool   max_pool2d   direct                  NCHW16c
// CHECK-NOT: softmax

// SCALAR: layer operators kernel result in packed by scalar k cycles instead
// SCALAR-NEXT: first conv2d relu direct NCHW16c, pad = [1, 1, 1, 1] 32 2x4x1

// WINOGRAD: three conv2d winograd, tile = 4

// LAYER: three: conv2d
// LAYER-NEXT: uma.kernel = #uma.cpu.kernel<direct>
// LAYER-NEXT: uma.layout = #uma.layout<NCHW16c>
// LAYER-NEXT: direct: 28.9 million products
// LAYER-NEXT: winograd, tile = 2: {{[0-9.]+}} million products
// LAYER-NEXT: winograd, tile = 4: {{[0-9.]+}} million products
// LAYER-NEXT: #uma.cpu.version<avx512, tile = 14x2x16>
// LAYER-NEXT: 14x2x16 packed by 32, {{[0-9.]+}}k cycles; then {{[0-9x]+}} packed by {{[0-9]+}}, {{[0-9.]+}}k cycles
// LAYER: #uma.cpu.version<scalar, tile = 2x4x1>

// JSON: uma-explain-kernels 1
// JSON-NEXT: #uma.cpu.kernel<direct> ['#uma.cpu.kernel<direct>', '#uma.cpu.kernel<winograd, tile = 2>', '#uma.cpu.kernel<winograd, tile = 4>']
// JSON-NEXT: avx2 [6, 2, 8] True
// JSON-NEXT: #uma.cpu.tile_pair<packs = 3, slabs = 2>

// Mistakes.
// RUN: not uma explain %s --kernels tree 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: {{.*}}: no layer of the CPU's kernels is named 'tree'; did you mean 'three'?
// RUN: not uma explain %s --kernels=loops 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS: error: --kernels=loops: plain loops have no kernels; expected vector or winograd
// RUN: not uma explain %s --kernels --html=%t.html 2>&1 | FileCheck %s --check-prefix=HTML
// HTML: error: --html shows where layers run; with --kernels, print text or --json
// RUN: not uma explain %s --kernels --lower=tile-pear=x 2>&1 | FileCheck %s --check-prefix=LOWER
// LOWER: error: --lower: {{.*}}no such option tile-pear
// RUN: not uma explain %s --kernels --debug-bounds 2>&1 | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: error: --debug-bounds: C that checks indices is in plain loops, which have no kernels
// RUN: uma explain %s --kernels --lower=tile-pairs=false | FileCheck %s --check-prefix=APART
// APART-NOT: tiles of
func.func @main(%x: tensor<1x16x28x28xf32> {uma.name = "x"}) -> (tensor<1x96x7x7xf32> {uma.name = "y"}) attributes {uma.network = "net"} {
  %w0 = uma.graph.constant dense<0.5> : tensor<64x16x1x1xf32>
  %w1 = uma.graph.constant dense<0.5> : tensor<64x64x3x3xf32>
  %w2 = uma.graph.constant dense<0.5> : tensor<96x64x1x1xf32>
  %w3 = uma.graph.constant dense<0.5> : tensor<96x1x3x3xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x16x28x28xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x28x28xf32> loc("first")
  %r = uma.graph.relu %0 : (tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32> loc("relu")
  %1 = uma.graph.conv2d %r, %w1 padding [1, 1, 1, 1] : (tensor<1x64x28x28xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x28x28xf32> loc("three")
  %2 = uma.graph.conv2d %1, %w2 : (tensor<1x64x28x28xf32>, tensor<96x64x1x1xf32>) -> tensor<1x96x28x28xf32> loc("wide")
  %3 = uma.graph.conv2d %2, %w3 strides [2, 2] padding [1, 1, 1, 1] groups 96 : (tensor<1x96x28x28xf32>, tensor<96x1x3x3xf32>) -> tensor<1x96x14x14xf32> loc("deep")
  %4 = uma.graph.max_pool2d %3 size [2, 2] strides [2, 2] : (tensor<1x96x14x14xf32>) -> tensor<1x96x7x7xf32> loc("pool")
  %5 = uma.graph.softmax %4 axis 1 : (tensor<1x96x7x7xf32>) -> tensor<1x96x7x7xf32> loc("soft")
  return %5 : tensor<1x96x7x7xf32>
}
