// RUN: uma-opt %s --convert-uma-graph-to-linalg | FileCheck %s --implicit-check-not=uma.
// What the operations compute is compared with the interpreter in test/Integration/linalg-*.mlir.

// Layouts that linalg has a name for are named operations, others get their weights transposed.
// CHECK-LABEL: func.func @layouts(
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK: linalg.conv_2d_nhwc_fhwc
// CHECK: linalg.transpose {{.*}} permutation = [2, 3, 1, 0]
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @layouts(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>, %v: tensor<4x1x1x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = uma.graph.conv2d %x, %w : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %1 = uma.graph.conv2d %0, %v layout "NHWC" kernel_layout "OHWI" : (tensor<1x4x4x4xf32>, tensor<4x1x1x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = uma.graph.conv2d %1, %w layout "NHWC" : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  return %2 : tensor<1x4x4x4xf32>
}

// Padding is an insertion into zeros; groups are a generic operation on split channels.
// CHECK-LABEL: func.func @groups(
// CHECK: linalg.fill
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 0, 1, 1] [1, 4, 4, 4] [1, 1, 1, 1]
// CHECK: tensor.expand_shape {{.*}} output_shape [1, 2, 2, 6, 6]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK: tensor.collapse_shape
func.func @groups(%x: tensor<1x4x4x4xf32>, %w: tensor<4x2x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] groups 2 : (tensor<1x4x4x4xf32>, tensor<4x2x3x3xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @named(
// CHECK: linalg.pooling_nchw_max
// CHECK: linalg.batch_matmul
func.func @named(%x: tensor<1x3x4x4xf32>, %y: tensor<3x3x2xf32>) -> tensor<3x3x2xf32> {
  %0 = uma.graph.max_pool2d %x size [2, 2] : (tensor<1x3x4x4xf32>) -> tensor<1x3x3x3xf32>
  %1 = uma.graph.reshape %0 [3, 3, 3] : (tensor<1x3x3x3xf32>) -> tensor<3x3x3xf32>
  %2 = uma.graph.batch_matmul %1, %y : (tensor<3x3x3xf32>, tensor<3x3x2xf32>) -> tensor<3x3x2xf32>
  return %2 : tensor<3x3x2xf32>
}

// 16-bit floats are computed in f32.
// CHECK-LABEL: func.func @half(
// CHECK: linalg.generic
// CHECK: ^bb0(%[[A:.*]]: f16, %[[B:.*]]: f16, %{{.*}}: f16):
// CHECK-NEXT: %[[WIDE_A:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-NEXT: %[[WIDE_B:.*]] = arith.extf %[[B]] : f16 to f32
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[WIDE_A]], %[[WIDE_B]] : f32
// CHECK-NEXT: arith.truncf %[[SUM]] : f32 to f16
func.func @half(%x: tensor<2x3xf16>, %y: tensor<3xf16>) -> tensor<2x3xf16> {
  %0 = uma.graph.add %x, %y : (tensor<2x3xf16>, tensor<3xf16>) -> tensor<2x3xf16>
  return %0 : tensor<2x3xf16>
}

// Constants stay resources; nothing of uma is left in the signature.
// CHECK-LABEL: func.func @constants(%arg0: tensor<2xf32> {llvm.noalias}) -> tensor<2xf32> {
// CHECK-NEXT: arith.constant dense_resource<w> : tensor<2xf32>
func.func @constants(%x: tensor<2xf32> {llvm.noalias, uma.name = "x"}) -> (tensor<2xf32> {uma.name = "y"}) attributes {uma.network = "net"} {
  %w = uma.graph.constant dense_resource<w> : tensor<2xf32>
  %0 = uma.graph.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// A pattern of two calls with a constant; what passes between the operators inside has a buffer of its own.
uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    %z = uma.accel.op "exp"(%y) as "z"
    %mode = arith.constant 2 : i32
    uma.accel.call "npu_set_mode"(%mode) : i32
    uma.accel.call "npu_relu"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
    uma.accel.call "npu_exp"(%y, %z, %n) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// CHECK-LABEL: func.func private @main_npu_0(%arg0: tensor<4xf32>) -> tensor<4xf32> {
// CHECK: %[[MODE:.*]] = arith.constant 2 : i32
// CHECK: call @npu_set_mode(%[[MODE]]) : (i32) -> i32
// CHECK: cf.assert %{{.*}}, "layer 'act': npu_set_mode reported an error"
// CHECK: %[[X:.*]] = bufferization.to_buffer %arg0 read_only : tensor<4xf32> to memref<4xf32>
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: %[[PX:.*]] = llvm.inttoptr
// CHECK: %[[Y:.*]] = memref.alloc() : memref<4xf32>
// CHECK: memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: %[[PY:.*]] = llvm.inttoptr
// CHECK: %[[N:.*]] = arith.constant 4 : i32
// CHECK: call @npu_relu(%[[PX]], %[[PY]], %[[N]]) : (!llvm.ptr, !llvm.ptr, i32) -> i32
// CHECK: memref.extract_aligned_pointer_as_index %[[Y]]
// CHECK: %[[Z:.*]] = memref.alloc() : memref<4xf32>
// CHECK: call @npu_exp
// CHECK: %[[RESULT:.*]] = bufferization.to_tensor %[[Z]] restrict writable
// CHECK: return %[[RESULT]]
func.func private @main_npu_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@relu (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
    %1 = uma.graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    %2 = uma.graph.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %2 : tensor<4xf32>
  } loc("act")
  return %0 : tensor<4xf32>
}

// What is absent is a null pointer; what must be a constant still is one.
uma.accel.accelerator @choices {
  uma.accel.pattern @add {
    %x = uma.accel.input "x"
    %w = uma.accel.input "w" const
    %b = uma.accel.input "b"
    %half = uma.accel.splat 0.5
    %t = uma.accel.op "add"(%x, %w) as "t"
    %0 = uma.accel.op "multiply"(%t, %half)
    %1 = uma.accel.op "subtract"(%t, %b)
    %y = uma.accel.choice(%0, %1) as "y"
    %which = uma.accel.which %y
    uma.accel.call "choices_add"(%x, %w, %b, %y, %which)
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// CHECK-LABEL: func.func private @main_choices_0(
// CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: %[[WHICH:.*]] = arith.constant 0 : i32
// CHECK: call @choices_add(%{{.*}}, %{{.*}}, %[[NULL]], %{{.*}}, %[[WHICH]])
func.func private @main_choices_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.target = #uma.target<"choices">} {
  %k = uma.graph.constant dense<2.0> : tensor<4xf32>
  %0 = uma.graph.composite @choices::@add (%a = %x : tensor<4xf32>, %b = %k : tensor<4xf32>) -> tensor<4xf32> {
    %half = uma.graph.constant dense<0.5> : tensor<4xf32>
    %1 = uma.graph.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = uma.graph.multiply %1, %half : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    uma.graph.yield %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK: func.func private @npu_set_mode(i32) -> i32

{-#
  dialect_resources: { builtin: { w: "0x040000000000803F00000040" } }
#-}
