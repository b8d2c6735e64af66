// An instruction with operands in memory: data in blocks of a tile's words, a tile in the schedule, and calls of its parts.

// RUN: uma-opt %s --split-input-file --verify-diagnostics --uma-cpu-plan=cpu=x86-64-v4 | FileCheck %s
// RUN: uma-opt %s --split-input-file --verify-diagnostics --uma-cpu-plan=cpu=x86-64-v4 --convert-uma-graph-to-uma-tir | FileCheck %s --check-prefix=TIR

uma.accel.accelerator @core {
  uma.accel.instruction "dot" {
  ^bb0(%sum: index, %x0: index, %x1: index, %x2: index, %x3: index, %w0: index, %w1: index, %w2: index, %w3: index):
    %0 = arith.muli %x0, %w0 : index
    %1 = arith.muli %x1, %w1 : index
    %2 = arith.muli %x2, %w2 : index
    %3 = arith.muli %x3, %w3 : index
    %4 = arith.addi %sum, %0 : index
    %5 = arith.addi %4, %1 : index
    %6 = arith.addi %5, %2 : index
    %7 = arith.addi %6, %3 : index
    uma.accel.yield %7
  } operands ["sum", "x", "w"] types [i32, ui8, i8] counts [1, 4, 4] lanes 16 tile [32, 32, 16] code "dot(x, w);"
}

// CHECK-LABEL: func private @conv2d_conv2d_cast(
// CHECK-SAME: {uma.layout = #uma.layout<NCHW64c, pad = [1, 1, 1, 1]>}
// CHECK-SAME: uma.schedules = [#uma.cpu.schedule<pack = 32
// CHECK-SAME: instruction = <core_dot, lanes = 16, tile = 28x32x16>>]

// TIR: uma.tir.multiversion lanes(16)
// TIR: %[[HAS:.+]] = uma.tir.has_instruction "core_dot"
// TIR: scf.if %[[HAS]]
// TIR: uma.tir.call_extern "uma_instruction_core_dot_configure"({{.*}}) no_status {uma.instruction} : index, index, index
// TIR: uma.tir.alloc local label "sum" : memref<28x32xi32>
// TIR: uma.tir.call_extern "uma_instruction_core_dot_start"(
// TIR: uma.tir.call_extern "uma_instruction_core_dot"({{.*}}) writes [0] no_status
// TIR: uma.tir.call_extern "uma_instruction_core_dot_finish"(
// TIR: } else {
// TIR: uma.tir.dot
func.func @main(%x: tensor<1x64x28x28xui8>) -> tensor<1x32x28x28xf32> {
  %w = uma.graph.constant dense<3> : tensor<32x64x3x3xi8>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] out_dtype i32 : (tensor<1x64x28x28xui8>, tensor<32x64x3x3xi8>) -> tensor<1x32x28x28xi32>
  %1 = uma.graph.cast %0 to f32 : (tensor<1x32x28x28xi32>) -> tensor<1x32x28x28xf32>
  return %1 : tensor<1x32x28x28xf32>
}

// -----

func.func @main(%y: tensor<16x64xui8>) -> tensor<16x32xi32> {
  %v = uma.graph.constant dense<1> : tensor<32x64xi8>
  %0 = call @words(%y, %v) : (tensor<16x64xui8>, tensor<32x64xi8>) -> tensor<16x32xi32>
  return %0 : tensor<16x32xi32>
}
// expected-error @+1 {{has instruction 'core_dot' in uma.schedules: 5 words do not divide the 16 that lie together}}
func.func private @words(%x: tensor<16x64xui8>, %w: tensor<32x64xi8>) -> tensor<16x32xi32>
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>,
                uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<scalar, tile = 1x2x1>], instruction = <core_dot, lanes = 1, tile = 16x16x5>>]} {
  %0 = uma.graph.dense %x, %w out_dtype i32 : (tensor<16x64xui8>, tensor<32x64xi8>) -> tensor<16x32xi32>
  return %0 : tensor<16x32xi32>
}

// -----

func.func @main(%y: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %v = uma.graph.constant dense<1.0> : tensor<32x64xf32>
  %0 = call @floats(%y, %v) : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
// expected-error @+1 {{has instruction 'core_dot' in uma.schedules: the layer multiplies no words}}
func.func private @floats(%x: tensor<16x64xf32>, %w: tensor<32x64xf32>) -> tensor<16x32xf32>
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>,
                uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<scalar, tile = 1x2x1>], instruction = <core_dot, lanes = 1, tile = 16x16x4>>]} {
  %0 = uma.graph.dense %x, %w : (tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}

// -----

// Lines of seven rows are joined, across the halo of the data between them: two tiles compute all 61 rows. The three taps of a line are 24
// words in a row. The kernel adds padding like data: all its loops have constant bounds.

uma.accel.accelerator @core {
  uma.accel.instruction "dot" {
  ^bb0(%sum: index, %x0: index, %x1: index, %x2: index, %x3: index, %w0: index, %w1: index, %w2: index, %w3: index):
    %0 = arith.muli %x0, %w0 : index
    %1 = arith.muli %x1, %w1 : index
    %2 = arith.muli %x2, %w2 : index
    %3 = arith.muli %x3, %w3 : index
    %4 = arith.addi %sum, %0 : index
    %5 = arith.addi %4, %1 : index
    %6 = arith.addi %5, %2 : index
    %7 = arith.addi %6, %3 : index
    uma.accel.yield %7
  } operands ["sum", "x", "w"] types [i32, ui8, i8] counts [1, 4, 4] lanes 16 tile [32, 32, 16] code "dot(x, w);"
}

// CHECK-LABEL: func private @joined(
// CHECK-SAME: instruction = <core_dot, lanes = 16, tile = 31x16x12, lines = 7>>]

// TIR: uma.tir.alloc local label "sum" : memref<61x16xi32>
// TIR: uma.tir.call_extern "uma_instruction_core_dot_configure"(%c31{{.*}}, %c16{{.*}}, %c12{{.*}}) no_status
func.func @main(%x: tensor<1x32x7x7xui8>) -> tensor<1x16x7x7xf32> {
  %w = uma.graph.constant dense<3> : tensor<16x32x3x3xi8>
  %0 = call @joined(%x, %w) : (tensor<1x32x7x7xui8>, tensor<16x32x3x3xi8>) -> tensor<1x16x7x7xf32>
  return %0 : tensor<1x16x7x7xf32>
}
func.func private @joined(%x: tensor<1x32x7x7xui8>, %w: tensor<16x32x3x3xi8>) -> tensor<1x16x7x7xf32> attributes {uma.primitive} {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] out_dtype i32 : (tensor<1x32x7x7xui8>, tensor<16x32x3x3xi8>) -> tensor<1x16x7x7xi32>
  %1 = uma.graph.cast %0 to f32 : (tensor<1x16x7x7xi32>) -> tensor<1x16x7x7xf32>
  return %1 : tensor<1x16x7x7xf32>
}

// -----

// Few words: sums that pass through memory would take longer than vectors.

uma.accel.accelerator @core {
  uma.accel.instruction "dot" {
  ^bb0(%sum: index, %x0: index, %x1: index, %x2: index, %x3: index, %w0: index, %w1: index, %w2: index, %w3: index):
    %0 = arith.muli %x0, %w0 : index
    %1 = arith.muli %x1, %w1 : index
    %2 = arith.muli %x2, %w2 : index
    %3 = arith.muli %x3, %w3 : index
    %4 = arith.addi %sum, %0 : index
    %5 = arith.addi %4, %1 : index
    %6 = arith.addi %5, %2 : index
    %7 = arith.addi %6, %3 : index
    uma.accel.yield %7
  } operands ["sum", "x", "w"] types [i32, ui8, i8] counts [1, 4, 4] lanes 16 tile [32, 32, 16] code "dot(x, w);"
}

// CHECK-LABEL: func private @few(
// CHECK-NOT: instruction =
// CHECK: {
func.func @main(%x: tensor<1x16x28x28xui8>) -> tensor<1x32x28x28xi32> {
  %w = uma.graph.constant dense<3> : tensor<32x16x1x1xi8>
  %0 = call @few(%x, %w) : (tensor<1x16x28x28xui8>, tensor<32x16x1x1xi8>) -> tensor<1x32x28x28xi32>
  return %0 : tensor<1x32x28x28xi32>
}
func.func private @few(%x: tensor<1x16x28x28xui8>, %w: tensor<32x16x1x1xi8>) -> tensor<1x32x28x28xi32> attributes {uma.primitive} {
  %0 = uma.graph.conv2d %x, %w out_dtype i32 : (tensor<1x16x28x28xui8>, tensor<32x16x1x1xi8>) -> tensor<1x32x28x28xi32>
  return %0 : tensor<1x32x28x28xi32>
}

// -----

func.func @main(%y: tensor<16x64xui8>) -> tensor<16x32xi32> {
  %v = uma.graph.constant dense<1> : tensor<32x64xi8>
  %0 = call @lines(%y, %v) : (tensor<16x64xui8>, tensor<32x64xi8>) -> tensor<16x32xi32>
  return %0 : tensor<16x32xi32>
}
// expected-error @+1 {{has instruction 'core_dot' in uma.schedules: its rows do not continue in 2 lines}}
func.func private @lines(%x: tensor<16x64xui8>, %w: tensor<32x64xi8>) -> tensor<16x32xi32>
    attributes {uma.primitive, uma.kernel = #uma.cpu.kernel<direct>,
                uma.schedules = [#uma.cpu.schedule<pack = 16, versions = [<scalar, tile = 1x2x1>], instruction = <core_dot, lanes = 1, tile = 16x16x16, lines = 2>>]} {
  %0 = uma.graph.dense %x, %w out_dtype i32 : (tensor<16x64xui8>, tensor<32x64xi8>) -> tensor<16x32xi32>
  return %0 : tensor<16x32xi32>
}
