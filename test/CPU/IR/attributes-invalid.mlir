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

// expected-error@+1 {{tile is for winograd, not for direct}}
module attributes {uma.a = #uma.cpu.kernel<direct, tile = 2>} {}

// -----

// expected-error@+2 {{a tile is rows x vectors x lanes, as in 14x2x16}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<scalar, tile = 1x1>]>} {}

// -----

// expected-error@+2 {{'avx' names no instructions, expected one of avx512, avx2, sse, simd128, scalar}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<avx, tile = 1x1x1>]>} {}

// -----

// expected-error@+1 {{the last version is not 'scalar', which every processor has}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<avx2, tile = 1x1x8>]>} {}

// -----

// expected-error@+1 {{'avx512' comes behind 'avx2', expected each version once, in the order avx512, avx2, sse, simd128, scalar}}
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

// expected-error@+2 {{'tiles' is none of slices, sums, prefetch, blocking}}
// expected-error@+1 {{failed to parse CPU_ScheduleAttr parameter}}
module attributes {uma.a = #uma.cpu.schedule<pack = 8, versions = [<scalar, tile = 1x1x1, tiles = 2>]>} {}
