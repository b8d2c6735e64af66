// RUN: uma-opt %s | uma-opt | FileCheck %s

// CHECK: a0 = #uma.layout<NCHW16c>
// CHECK-SAME: a1 = #uma.layout<NHWC8c, pad = [1, 0, 1, 2]>
// CHECK-SAME: a2 = #uma.layout<NCHW, pad = [0, 1, 0, 1]>
// CHECK-SAME: b0 = #uma.cpu.kernel<direct>
// CHECK-SAME: b1 = #uma.cpu.kernel<winograd, tile = 4>
// CHECK-SAME: b2 = #uma.cpu.kernel<im2col, tile = 1, channels = 4>
// CHECK-SAME: c0 = #uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 14x2x16, slices = 2, prefetch = full>, <avx2, tile = 6x2x8, prefetch = all, blocking = <packed, loop = 1, parts = 2, packs = 4, join_rows = true>>, <sse, tile = 6x2x4, blocking = <broadcast>>, <simd128, tile = 6x2x4, sums = 2>, <scalar, tile = 2x4x1>]>
// CHECK-SAME: c1 = #uma.cpu.schedule<pack = 16, versions = [<neon, tile = 6x4x4, by_lane = true>, <scalar, tile = 1x1x1>]>
// CHECK-SAME: c2 = #uma.cpu.schedule<pack = 32, versions = [<scalar, tile = 1x1x1>], instruction = <amx_dpbusd, lanes = 16, tile = 28x32x16>>
// CHECK-SAME: d0 = #uma.cpu.tile_pair<packs = 3, slabs = 4>
// CHECK-SAME: e0 = #uma.cpu.processor<"mine", sets = [avx2, neon, scalar], ports = 1, port_lanes = 2, issue = 3, latency = 4, l1 = 0, l2 = 1073741824, l2_line_cycles = 5, memory_line_cycles = 1000>
// CHECK-SAME: e1 = #uma.cpu.processor<"small", {{.*}} memory_line_cycles = 1, core_registers = 8, float_unit = false, signed_loads = false>
// CHECK-SAME: e2 = #uma.cpu.processor<"usual", {{.*}} memory_line_cycles = 1>
module attributes {
  uma.a0 = #uma.layout<NCHW16c>,
  uma.a1 = #uma.layout<NHWC8c, pad = [1, 0, 1, 2]>,
  uma.a2 = #uma.layout<NCHW, pad = [0, 1, 0, 1]>,
  uma.b0 = #uma.cpu.kernel<direct>,
  uma.b1 = #uma.cpu.kernel<winograd, tile = 4>,
  uma.b2 = #uma.cpu.kernel<im2col, tile = 1, channels = 4>,
  uma.c0 = #uma.cpu.schedule<pack = 32, versions = [<avx512, tile = 14x2x16, slices = 2, prefetch = full>,
      <avx2, tile = 6x2x8, prefetch = all, blocking = <packed, loop = 1, parts = 2, packs = 4, join_rows = true>>,
      <sse, tile = 6x2x4, blocking = <broadcast>>, <simd128, tile = 6x2x4, sums = 2>, <scalar, tile = 2x4x1>]>,
  uma.c1 = #uma.cpu.schedule<pack = 16, versions = [<neon, tile = 6x4x4, by_lane = true>, <scalar, tile = 1x1x1, by_lane = false>]>,
  uma.c2 = #uma.cpu.schedule<pack = 32, versions = [<scalar, tile = 1x1x1>], instruction = <amx_dpbusd, lanes = 16, tile = 28x32x16>>,
  uma.d0 = #uma.cpu.tile_pair<packs = 3, slabs = 4>,
  uma.e0 = #uma.cpu.processor<"mine", sets = [avx2, neon, scalar], ports = 1, port_lanes = 2, issue = 3, latency = 4, l1 = 0,
      l2 = 1073741824, l2_line_cycles = 5, memory_line_cycles = 1000>,
  uma.e1 = #uma.cpu.processor<"small", sets = [scalar], ports = 1, port_lanes = 1, issue = 1, latency = 1, l1 = 0, l2 = 0,
      l2_line_cycles = 1, memory_line_cycles = 1, signed_loads = false, float_unit = false, core_registers = 8>,
  uma.e2 = #uma.cpu.processor<"usual", sets = [scalar], ports = 1, port_lanes = 1, issue = 1, latency = 1, l1 = 0, l2 = 0,
      l2_line_cycles = 1, memory_line_cycles = 1, core_registers = 13, float_unit = true>
} {}
