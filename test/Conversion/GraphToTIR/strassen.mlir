// Products of matrices by Strassen's algorithm: seven products of quarters, with sums in front of them and behind them.
// RUN: uma-opt %s --uma-cpu-plan="winograd=true" --convert-uma-graph-to-uma-tir=vectorize --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-cpu-plan="weight-growth=25" --convert-uma-graph-to-uma-tir=vectorize --split-input-file | FileCheck %s --check-prefix=GROWTH
// RUN: uma-opt %s --uma-cpu-plan --convert-uma-graph-to-uma-tir=vectorize --split-input-file | FileCheck %s --check-prefix=DIRECT

// Of 35 pixels the upper half has 18. The loop over products goes around the one over channels, each tile asks for a part of
// the weights that follow, and the row that the lower half lacks has loops of its own, which write half as many results.

// DIRECT-NOT: strassen
// GROWTH-NOT: _factors
// CHECK-DAG: memref.global "private" constant @conv_1_strassen : memref<7x10x192x16xf32>
// CHECK-LABEL: uma.tir.func @pixels(
// CHECK: uma.tir.alloc workspace label "conv_1_factors" : memref<7x12x18x16xf32>
// CHECK: uma.tir.alloc workspace label "conv_1_products" : memref<7x10x18x16xf32>

// CHECK-LABEL: uma.tir.func private @conv_1_conv2d_relu(
// CHECK: uma.tir.multiversion lanes(16) {
// CHECK: uma.tir.for parallel %{{.*}} = 0 to 12 {
// CHECK-NEXT: uma.tir.for %{{.*}} = 0 to 17 {
// CHECK: uma.tir.block "strassen_data"
// CHECK-COUNT-4: memref.load
// CHECK-COUNT-7: memref.store
// CHECK-NOT: memref.store
// CHECK: uma.tir.block "strassen_data"
// CHECK-COUNT-2: memref.load
// CHECK-NOT: memref.load
// CHECK: lanes(8) {

// CHECK: uma.tir.multiversion lanes(16) {
// CHECK-NEXT: uma.tir.for {{.*}} = 0 to 7 {
// CHECK-NEXT: uma.tir.for {{.*}} = 0 to 5 {
// CHECK: uma.tir.block "strassen_prefetch"
// CHECK: uma.tir.block "strassen_weights"
// CHECK: uma.tir.block "strassen"
// CHECK: lanes(8) {

// CHECK: uma.tir.multiversion lanes(16) {
// CHECK: uma.tir.block "strassen_result"
// CHECK-COUNT-7: memref.load
// CHECK-COUNT-4: memref.store
// CHECK-NOT: memref.store
// CHECK: uma.tir.block "strassen_result"
// CHECK-COUNT-2: memref.store
// CHECK-NOT: memref.store
// CHECK: lanes(8) {
func.func @pixels(%x: tensor<1x3x5x7xf32>) -> tensor<1x320x5x7xf32> {
  %w0 = uma.graph.constant dense<0.5> : tensor<384x3x1x1xf32>
  %0 = uma.graph.conv2d %x, %w0 : (tensor<1x3x5x7xf32>, tensor<384x3x1x1xf32>) -> tensor<1x384x5x7xf32> loc("conv_0")
  %w1 = uma.graph.constant dense<0.25> : tensor<320x384x1x1xf32>
  %1 = uma.graph.conv2d %0, %w1 : (tensor<1x384x5x7xf32>, tensor<320x384x1x1xf32>) -> tensor<1x320x5x7xf32> loc("conv_1")
  %2 = uma.graph.relu %1 : (tensor<1x320x5x7xf32>) -> tensor<1x320x5x7xf32> loc("relu_1")
  return %2 : tensor<1x320x5x7xf32>
}

// -----

// Rows of a matrix; columns lie in no blocks.

// CHECK-DAG: memref.global "private" constant @mm_strassen : memref<7x{{.*}}xf32>
// CHECK-LABEL: uma.tir.func @matrix(
// CHECK: uma.tir.alloc workspace label "mm_factors" : memref<7x1x32x192xf32>
// CHECK: uma.tir.alloc workspace label "mm_products" : memref<7x1x32x160xf32>
func.func @matrix(%x: tensor<64x384xf32>) -> tensor<64x320xf32> {
  %w = uma.graph.constant dense<0.5> : tensor<320x384xf32>
  %0 = uma.graph.dense %x, %w : (tensor<64x384xf32>, tensor<320x384xf32>) -> tensor<64x320xf32> loc("mm")
  return %0 : tensor<64x320xf32>
}

// -----

// Of too few rows or channels the sums would cost more than a product, and a matrix that is known at run time only would have to
// be added up there.

// CHECK-LABEL: uma.tir.func @few(
// CHECK-NOT: _factors
func.func @few(%x: tensor<12x384xf32>, %y: tensor<64x128xf32>, %z: tensor<64x384xf32>, %v: tensor<384x320xf32>)
    -> (tensor<12x320xf32>, tensor<64x96xf32>, tensor<64x320xf32>) {
  %w = uma.graph.constant dense<0.5> : tensor<320x384xf32>
  %0 = uma.graph.dense %x, %w : (tensor<12x384xf32>, tensor<320x384xf32>) -> tensor<12x320xf32> loc("rows")
  %u = uma.graph.constant dense<0.5> : tensor<96x128xf32>
  %1 = uma.graph.dense %y, %u : (tensor<64x128xf32>, tensor<96x128xf32>) -> tensor<64x96xf32> loc("channels")
  %2 = uma.graph.batch_matmul %z, %v : (tensor<64x384xf32>, tensor<384x320xf32>) -> tensor<64x320xf32> loc("known")
  return %0, %1, %2 : tensor<12x320xf32>, tensor<64x96xf32>, tensor<64x320xf32>
}

// -----

// Where weights may grow by a quarter, products that save enough have it: of equal ones the first.
// Images that lie row by row, as the function's do, have no quarters.

// GROWTH-LABEL: uma.tir.func @growth(
// GROWTH: uma.tir.call @a_conv2d
// GROWTH: uma.tir.alloc workspace label "b_factors"
// GROWTH: uma.tir.call @c_conv2d
// GROWTH-NOT: factors
// CHECK-LABEL: uma.tir.func @growth(
// CHECK: uma.tir.call @a_conv2d
// CHECK: uma.tir.alloc workspace label "b_factors"
// CHECK: uma.tir.alloc workspace label "c_factors"
// CHECK: uma.tir.alloc workspace label "d_factors"
func.func @growth(%x: tensor<1x256x14x14xf32>) -> tensor<1x512x14x14xf32> {
  %v = uma.graph.constant dense<0.5> : tensor<512x256x1x1xf32>
  %0 = uma.graph.conv2d %x, %v : (tensor<1x256x14x14xf32>, tensor<512x256x1x1xf32>) -> tensor<1x512x14x14xf32> loc("a")
  %w = uma.graph.constant dense<0.5> : tensor<512x512x1x1xf32>
  %1 = uma.graph.conv2d %0, %w : (tensor<1x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<1x512x14x14xf32> loc("b")
  %u = uma.graph.constant dense<0.25> : tensor<512x512x1x1xf32>
  %2 = uma.graph.conv2d %1, %u : (tensor<1x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<1x512x14x14xf32> loc("c")
  %t = uma.graph.constant dense<0.75> : tensor<512x512x1x1xf32>
  %3 = uma.graph.conv2d %2, %t : (tensor<1x512x14x14xf32>, tensor<512x512x1x1xf32>) -> tensor<1x512x14x14xf32> loc("d")
  return %3 : tensor<1x512x14x14xf32>
}
