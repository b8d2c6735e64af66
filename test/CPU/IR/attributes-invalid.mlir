// RUN: uma-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'NCHWc' is no layout, expected letters for the dimensions, as in NCHW or NCHW16c}}
module attributes {uma.a = #uma.layout<NCHWc>} {}

// -----

// expected-error@+1 {{'NCWW' names the dimensions of no image, expected NCHW or NHWC}}
module attributes {uma.a = #uma.layout<NCWW16c>} {}

// -----

// expected-error@+1 {{pad has 2 numbers, expected 4: above, in front, below, behind}}
module attributes {uma.a = #uma.layout<NCHW16c, pad = [1, 1]>} {}

// -----

// expected-error@+1 {{pad has -1, expected 0 to 1048576}}
module attributes {uma.a = #uma.layout<NCHW16c, pad = [1, 1, -1, 0]>} {}

// -----

// expected-error@+1 {{tile is 3, expected the side of a tile of Winograd's algorithm, 2 or 4}}
module attributes {uma.a = #uma.cpu.kernel<winograd, tile = 3>} {}

// -----

// expected-error@+1 {{tile is for winograd and im2col, not for direct}}
module attributes {uma.a = #uma.cpu.kernel<direct, tile = 2>} {}

// -----

// expected-error@+1 {{channels is for im2col, not for direct}}
module attributes {uma.a = #uma.cpu.kernel<direct, channels = 2>} {}

// -----

// expected-error@+1 {{channels is 9, expected the number of channels whose sums are computed together, 1 to 8, for im2col}}
module attributes {uma.a = #uma.cpu.kernel<im2col, tile = 1, channels = 9>} {}

// -----

// expected-error@+1 {{channels is 2, expected the number of channels whose sums are computed together, 1 to 8, for im2col}}
module attributes {uma.a = #uma.cpu.kernel<im2col_pairs, tile = 1, channels = 2>} {}

// -----

// expected-error@+2 {{a tile is rows x vectors x lanes, as in 14x2x16}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<scalar, tile = 1x1>]>} {}

// -----

// expected-error@+2 {{'avx' names no instructions, expected one of avx512, avx2, sse, neon, simd128, scalar}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<avx, tile = 1x1x1>]>} {}

// -----

// expected-error@+1 {{the last version is not 'scalar', which every processor has}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<avx2, tile = 1x1x8>]>} {}

// -----

// expected-error@+1 {{'avx512' comes behind 'avx2', expected each version once, in the order avx512, avx2, sse, neon, simd128, scalar}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<avx2, tile = 1x1x8>, <avx512, tile = 1x1x8>, <scalar, tile = 1x1x1>]>} {}

// -----

// expected-error@+2 {{slices and blocking both slice the reduction, expected one of the two}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<scalar, tile = 1x1x1, slices = 2, blocking = <stored>>]>} {}

// -----

// expected-error@+2 {{a size of the tile is 0, expected 1 to 1048576}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<scalar, tile = 0x1x1>]>} {}

// -----

// expected-error@+1 {{packs is -2, expected 1 to 1048576}}
module attributes {uma.a = #uma.cpu.tile_pair<packs = -2>} {}

// -----

// expected-error@+2 {{'tiles' is none of slices, sums, by_lane, prefetch, blocking}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<scalar, tile = 1x1x1, tiles = 2>]>} {}

// -----

// expected-error@+2 {{'sse' has no products with one lane of a vector, which by_lane asks for}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<sse, tile = 1x1x4, by_lane = true>, <scalar, tile = 1x1x1>]>} {}

// -----

// expected-error@+2 {{by_lane and blocking both say how data is read, expected one of the two}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<neon, tile = 1x1x4, by_lane = true, blocking = <stored>>, <scalar, tile = 1x1x1>]>} {}

// -----

// expected-error@+1 {{the last version is not 'scalar', which every processor has}}
module attributes {uma.a = #uma.cpu.processor<"p", sets = [avx2], ports = 2, port_lanes = 8, issue = 6, latency = 5, l1 = 0, l2 = 0, l2_line_cycles = 6, memory_line_cycles = 8>} {}

// -----

// expected-error@+1 {{'avx2' comes behind 'sse', expected each version once, in the order avx512, avx2, sse, neon, simd128, scalar}}
module attributes {uma.a = #uma.cpu.processor<"p", sets = [sse, avx2, scalar], ports = 2, port_lanes = 8, issue = 6, latency = 5, l1 = 0, l2 = 0, l2_line_cycles = 6, memory_line_cycles = 8>} {}

// -----

// expected-error@+1 {{'avx2' comes behind 'avx2', expected each version once, in the order avx512, avx2, sse, neon, simd128, scalar}}
module attributes {uma.a = #uma.cpu.processor<"p", sets = [avx2, avx2, scalar], ports = 2, port_lanes = 8, issue = 6, latency = 5, l1 = 0, l2 = 0, l2_line_cycles = 6, memory_line_cycles = 8>} {}

// -----

// expected-error@+1 {{ports is 0, expected 1 to 1000}}
module attributes {uma.a = #uma.cpu.processor<"p", sets = [avx2, scalar], ports = 0, port_lanes = 8, issue = 6, latency = 5, l1 = 0, l2 = 0, l2_line_cycles = 6, memory_line_cycles = 8>} {}

// -----

// expected-error@+1 {{latency is 1001, expected 1 to 1000}}
module attributes {uma.a = #uma.cpu.processor<"p", sets = [avx2, scalar], ports = 2, port_lanes = 8, issue = 6, latency = 1001, l1 = 0, l2 = 0, l2_line_cycles = 6, memory_line_cycles = 8>} {}

// -----

// expected-error@+1 {{core_registers is 0, expected 1 to 1000}}
module attributes {uma.a = #uma.cpu.processor<"p", sets = [scalar], ports = 2, port_lanes = 8, issue = 6, latency = 5, l1 = 0, l2 = 0, l2_line_cycles = 6, memory_line_cycles = 1, core_registers = 0>} {}

// -----

// expected-error@+1 {{'registers' is none of core_registers, float_unit, signed_loads}}
module attributes {uma.a = #uma.cpu.processor<"p", sets = [scalar], ports = 2, port_lanes = 8, issue = 6, latency = 5, l1 = 0, l2 = 0, l2_line_cycles = 6, memory_line_cycles = 1, registers = 8>} {}

// -----

// expected-error@+1 {{memory_line_cycles is -1, expected 1 to 1000}}
module attributes {uma.a = #uma.cpu.processor<"p", sets = [avx2, scalar], ports = 2, port_lanes = 8, issue = 6, latency = 5, l1 = 0, l2 = 0, l2_line_cycles = 6, memory_line_cycles = -1>} {}

// -----

// expected-error@+1 {{l2 is -1, expected the bytes of a cache, 0 for none}}
module attributes {uma.a = #uma.cpu.processor<"p", sets = [avx2, scalar], ports = 2, port_lanes = 8, issue = 6, latency = 5, l1 = 0, l2 = -1, l2_line_cycles = 6, memory_line_cycles = 8>} {}

// -----

// expected-error@+1 {{24 columns are no whole vectors of 16 lanes}}
module attributes {uma.a = #uma.cpu.tile_instruction<amx_dpbusd, lanes = 16, tile = 16x24x16>} {}

// -----

// expected-error@+1 {{a size of the tile is 0, expected 1 to 1048576}}
module attributes {uma.a = #uma.cpu.tile_instruction<amx_dpbusd, lanes = 16, tile = 16x32x0>} {}

// -----

// expected-error@+1 {{a size of the tile is 0, expected 1 to 1048576}}
module attributes {uma.a = #uma.cpu.tile_instruction<amx_dpbusd, lanes = 16, tile = 16x32x16, lines = 0>} {}
