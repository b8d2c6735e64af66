// RUN: uma-opt %s --uma-cpu-verify --split-input-file --verify-diagnostics

// What was planned passes.

func.func @planned(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// form-layers: a function with a body, called once.

// expected-error@+1 {{has uma.primitive, expected a private function with a body of one block}}
func.func private @declared(tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive}

// -----

func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @layer(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-error@+1 {{is called 2 times; expected a function for each layer, since weights are packed for one}}
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @nested(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  // expected-error@+1 {{in '@layer', which has uma.primitive; expected operators only}}
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// select-kernels.

func.func @open(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error@+1 {{has no uma.kernel, which says how the layer is computed; run 'uma-cpu-select-kernels'}}
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive} {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @other(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error@+1 {{has uma.kernel = "direct", expected #uma.cpu.kernel}}
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive, uma.kernel = "direct"} {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @no_kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @layer(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error@+1 {{has uma.kernel = #uma.cpu.kernel<direct>, but no kernel of the CPU computes its operators together; expected #uma.cpu.kernel<plain>}}
func.func private @layer(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.softmax %x axis 0 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @winograd(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x16x5x5xf32>
  %0 = call @layer(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x5x5xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}
// expected-error@+1 {{of layer 'conv2d' has uma.kernel = #uma.cpu.kernel<winograd, tile = 2>, which computes convolutions of 3x3 without stride, dilation and groups}}
func.func private @layer(%x: tensor<1x16x8x8xf32>, %w: tensor<16x16x5x5xf32>) -> tensor<1x16x8x8xf32>
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<winograd, tile = 2>} {
  %0 = uma.graph.conv2d %x, %w padding [2, 2, 2, 2] : (tensor<1x16x8x8xf32>, tensor<16x16x5x5xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}

// -----

func.func @exact(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<16x16x3x3xf32>
  %0 = call @layer(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}
// expected-error@+1 {{of layer 'conv2d' has uma.kernel = #uma.cpu.kernel<winograd, tile = 2>, which rounds, but the sums of the layer are exact integers}}
func.func private @layer(%x: tensor<1x16x8x8xf32>, %w: tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<winograd, tile = 2>} {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] {uma.exact_sums} : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}

// -----

// assign-layouts.

func.func @blocks(%x: tensor<1x24x8x8xf32>) -> tensor<1x24x8x8xf32> {
  %0 = call @layer(%x) : (tensor<1x24x8x8xf32>) -> tensor<1x24x8x8xf32>
  return %0 : tensor<1x24x8x8xf32>
}
// expected-error@+1 {{has uma.layout = #uma.layout<NCHW16c> on 'tensor<1x24x8x8xf32>', whose 24 channels are not in blocks of 16}}
func.func private @layer(%x: tensor<1x24x8x8xf32>) -> (tensor<1x24x8x8xf32> {uma.layout = #uma.layout<NCHW16c>})
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.relu %x : (tensor<1x24x8x8xf32>) -> tensor<1x24x8x8xf32>
  return %0 : tensor<1x24x8x8xf32>
}

// -----

func.func @no_border(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x16x3x3xf32>
  %0 = call @layer(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}
// expected-error@+1 {{of layer 'conv2d' reads argument #0 in #uma.layout<NCHW16c, pad = [1, 1, 1, 1]> or with a wider border, but uma.layout says #uma.layout<NCHW16c>}}
func.func private @layer(%x: tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>}, %w: tensor<16x16x3x3xf32>)
    -> (tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>}) attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}

// -----

// tile-pairs.

func.func @no_reader(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x16x1x1xf32>
  %0 = call @layer(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}
// expected-error@+1 {{has uma.tile_pair = #uma.cpu.tile_pair<slabs = 2>, which is for a direct convolution whose result a depthwise convolution reads and nobody else}}
func.func private @layer(%x: tensor<1x16x8x8xf32>, %w: tensor<16x16x1x1xf32>)
    -> (tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>})
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>, uma.tile_pair = #uma.cpu.tile_pair<slabs = 2>} {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}

// -----

// tile-producers.

func.func @no_producer(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x16x1x1xf32>
  %0 = call @layer(%x, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}
// expected-error@+1 {{of layer 'conv2d' has uma.tile_producer, which is for a direct convolution of 1x1 that reads the result of an elementwise layer, which nobody else reads, in blocks of channels}}
func.func private @layer(%x: tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>}, %w: tensor<16x16x1x1xf32>)
    -> (tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>}) attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>, uma.tile_producer} {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}

// -----

func.func @on_producer(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = call @layer(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
// expected-error@+1 {{of layer 'relu' has uma.tile_producer, which is for a direct convolution of 1x1}}
func.func private @layer(%x: tensor<16xf32>) -> tensor<16xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>, uma.tile_producer} {
  %0 = uma.graph.relu %x : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

func.func @read_twice(%x: tensor<1x16x8x8xf32>) -> (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<16x16x1x1xf32>
  %0 = call @producer(%x) : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %1 = call @layer(%0, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0, %1 : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>
}
func.func private @producer(%x: tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>}) -> (tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>})
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.relu %x : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}
// expected-error@+1 {{of layer 'conv2d' has uma.tile_producer}}
func.func private @layer(%x: tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>}, %w: tensor<16x16x1x1xf32>)
    -> (tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW16c>}) attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>, uma.tile_producer} {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}

// -----

// A tile needs whole sums.

func.func @slices(%x: tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<16x16x1x1xf32>
  %0 = call @producer(%x) : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %1 = call @layer(%0, %w) : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %1 : tensor<1x16x8x8xf32>
}
func.func private @producer(%x: tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW8c>}) -> (tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW8c>})
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.relu %x : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}
// expected-error@+1 {{the result cannot keep the sums of slices, since packs overlap, its elements are narrower, or tiles compute their data}}
func.func private @layer(%x: tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW8c>}, %w: tensor<16x16x1x1xf32>)
    -> (tensor<1x16x8x8xf32> {uma.layout = #uma.layout<NCHW8c>}) attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>, uma.tile_producer,
      uma.schedules = [#uma.cpu.schedule<pack = 8, versions = [<scalar, tile = 2x4x1, slices = 2>]>]} {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  return %0 : tensor<1x16x8x8xf32>
}

// -----

func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = call @layer(%x) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
// expected-error@+1 {{has uma.tile_producer = 3 : i64, expected a unit attribute}}
func.func private @layer(%x: tensor<16xf32>) -> tensor<16xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>, uma.tile_producer = 3} {
  %0 = uma.graph.relu %x : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// schedule.

func.func @none(%y: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %v = uma.graph.constant dense<0.25> : tensor<32x64xf32>
  %0 = call @layer(%y, %v) : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// expected-error@+1 {{of layer 'dense' has 0 schedules in uma.schedules, expected 1, one for each of its contractions}}
func.func private @layer(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.dense %x, %w : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// -----

func.func @registers(%y: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %v = uma.graph.constant dense<0.25> : tensor<32x64xf32>
  %0 = call @layer(%y, %v) : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// expected-error@+1 {{of layer 'dense' has version 'avx2' in uma.schedules: a tile of 8 x 2 vectors needs 19 registers, of which there are 16}}
func.func private @layer(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>,
    uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<avx2, tile = 8x2x8>, <scalar, tile = 1x2x1>]>]} {
  %0 = uma.graph.dense %x, %w : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// -----

func.func @slices(%y: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %v = uma.graph.constant dense<0.25> : tensor<32x64xf32>
  %0 = call @layer(%y, %v) : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// expected-error@+1 {{has version 'avx2' in uma.schedules: the 64 steps of the reduction's outermost loop have no 3 slices}}
func.func private @layer(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>,
    uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<avx2, tile = 2x2x8, slices = 3>, <scalar, tile = 1x2x1>]>]} {
  %0 = uma.graph.dense %x, %w : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// -----

func.func @blocking(%y: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %v = uma.graph.constant dense<0.25> : tensor<32x64xf32>
  %0 = call @layer(%y, %v) : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// expected-error@+1 {{has version 'avx2' in uma.schedules: 3 packs do not divide 2}}
func.func private @layer(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32> attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>,
    uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<avx2, tile = 6x2x8, blocking = <packed, packs = 3>>, <scalar, tile = 1x2x1>]>]} {
  %0 = uma.graph.dense %x, %w : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// -----

func.func @open(%x: tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32> {
  %0 = call @layer(%x) : (tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %0 : tensor<1x32x4x4xf32>
}
// expected-error@+1 {{reads argument #0 in #uma.layout<NCHW16c> or with a wider border, but uma.layout says no layout}}
func.func private @layer(%x: tensor<1x32x4x4xf32>) -> (tensor<1x32x4x4xf32> {uma.layout = #uma.layout<NCHW16c>}) attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.reshape %x [1, 2, 16, 4, 4] : (tensor<1x32x4x4xf32>) -> tensor<1x2x16x4x4xf32>
  %1 = uma.graph.transpose %0 [0, 2, 1, 3, 4] : (tensor<1x2x16x4x4xf32>) -> tensor<1x16x2x4x4xf32>
  %2 = uma.graph.reshape %1 [1, 32, 4, 4] : (tensor<1x16x2x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %2 : tensor<1x32x4x4xf32>
}

// -----

func.func @open(%x: tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32> {
  %0 = call @layer(%x) : (tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %0 : tensor<1x32x4x4xf32>
}
// expected-error@+1 {{has uma.kernel = #uma.cpu.kernel<direct>, which writes channels in blocks, but the result has no uma.layout that says of how many}}
func.func private @layer(%x: tensor<1x32x4x4xf32> {uma.layout = #uma.layout<NCHW16c>}) -> (tensor<1x32x4x4xf32>) attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.reshape %x [1, 2, 16, 4, 4] : (tensor<1x32x4x4xf32>) -> tensor<1x2x16x4x4xf32>
  %1 = uma.graph.transpose %0 [0, 2, 1, 3, 4] : (tensor<1x2x16x4x4xf32>) -> tensor<1x16x2x4x4xf32>
  %2 = uma.graph.reshape %1 [1, 32, 4, 4] : (tensor<1x16x2x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %2 : tensor<1x32x4x4xf32>
}

// -----

func.func @open(%x: tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32> {
  %0 = call @layer(%x) : (tensor<1x32x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %0 : tensor<1x32x4x4xf32>
}
// expected-error@+1 {{moves entries of dimension 1, but the result's uma.layout has the channels in dimension 3}}
func.func private @layer(%x: tensor<1x32x4x4xf32> {uma.layout = #uma.layout<NHWC4c>}) -> (tensor<1x32x4x4xf32> {uma.layout = #uma.layout<NHWC4c>}) attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>} {
  %0 = uma.graph.reshape %x [1, 2, 16, 4, 4] : (tensor<1x32x4x4xf32>) -> tensor<1x2x16x4x4xf32>
  %1 = uma.graph.transpose %0 [0, 2, 1, 3, 4] : (tensor<1x2x16x4x4xf32>) -> tensor<1x16x2x4x4xf32>
  %2 = uma.graph.reshape %1 [1, 32, 4, 4] : (tensor<1x16x2x4x4xf32>) -> tensor<1x32x4x4xf32>
  return %2 : tensor<1x32x4x4xf32>
}
