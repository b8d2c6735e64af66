// RUN: uma-opt %s -uma-accel-merge-composite -split-input-file | FileCheck %s
// RUN: uma-opt %s -uma-accel-merge-composite -split-input-file -mlir-print-debuginfo -mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=LOC

// A composite has the locations of the layers that it holds.
// LOC: uma.graph.yield {{.*}} loc("n1_Conv")
// LOC-NEXT: } loc("n1_Conv")
// LOC: uma.graph.yield {{.*}} loc("mul_1")
// LOC-NEXT: } loc(fused["add_1", "relu_1", "mul_1"])

uma.accel.accelerator @npu {
  uma.accel.pattern @conv2d {
    %ic = uma.accel.dim "ic"
    %oc = uma.accel.dim "oc"
    %kh = uma.accel.dim "kh"
    %kw = uma.accel.dim "kw"
    %ih = uma.accel.dim "ih"
    %iw = uma.accel.dim "iw"
    %x = uma.accel.input "ifmap" f32 [1, %ic, %ih, %iw]
    %w = uma.accel.input "weights" f32 [%oc, %ic, %kh, %kw]
    %y = uma.accel.op "conv2d"(%x, %w) as "result" {padding = "same"}
    uma.accel.call "npu_conv2d"(%x, %w, %y, %oc) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// A constant operand stays outside and is passed.
// CHECK-LABEL: func.func @main
// CHECK-SAME:    (%[[X:.*]]: tensor<1x8x4x4xf32>)
// CHECK:         %[[W:.*]] = uma.graph.constant
// CHECK:         %[[C:.*]] = uma.graph.composite @npu::@conv2d (%[[A:.*]] = %[[X]] : tensor<1x8x4x4xf32>
// CHECK-SAME:      %[[B:.*]] = %[[W]] : tensor<4x8x3x3xf32>
// CHECK-NEXT:      %[[R:.*]] = uma.graph.conv2d %[[A]], %[[B]] padding [1, 1, 1, 1]
// CHECK-NEXT:      uma.graph.yield %[[R]]
// CHECK-NEXT:    }
// CHECK:         uma.graph.relu %[[C]]
func.func @main(%x: tensor<1x8x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %w = uma.graph.constant dense<1.0> : tensor<4x8x3x3xf32>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x8x4x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32> loc("n1_Conv")
  %1 = uma.graph.relu %0 : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> loc("n2_Relu")
  return %1 : tensor<1x4x4x4xf32>
}

// -----

// Several operators, one of them used twice inside the pattern; the larger
// pattern comes first and takes precedence, the smaller one takes the rest.
uma.accel.accelerator @npu {
  uma.accel.pattern @gate {
    %x = uma.accel.input "x" f32
    %b = uma.accel.input "b" f32
    %t = uma.accel.op "add"(%x, %b) as "sum"
    %r = uma.accel.op "relu"(%t)
    %y = uma.accel.op "multiply"(%t, %r) as "y"
    uma.accel.call "npu_gate"(%x, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// The operands of the multiply are the other way round in the graph.
// CHECK-LABEL: func.func @gate
// CHECK:         %[[FIRST:.*]] = uma.graph.composite @npu::@relu
// CHECK:         uma.graph.composite @npu::@gate (%{{.*}} = %[[FIRST]] : tensor<8xf32>{{.*}}, %{{.*}} = %{{.*}} : tensor<8xf32>
// CHECK-NEXT:      %[[T:.*]] = uma.graph.add
// CHECK-NEXT:      %[[R:.*]] = uma.graph.relu %[[T]]
// CHECK-NEXT:      %[[Y:.*]] = uma.graph.multiply %[[R]], %[[T]]
// CHECK-NEXT:      uma.graph.yield %[[Y]]
func.func @gate(%x: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("relu_0")
  %1 = uma.graph.add %0, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("add_1")
  %2 = uma.graph.relu %1 : (tensor<8xf32>) -> tensor<8xf32> loc("relu_1")
  %3 = uma.graph.multiply %2, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("mul_1")
  return %3 : tensor<8xf32>
}

// -----

// A tensor that stands for two inputs is one operand.
uma.accel.accelerator @npu {
  uma.accel.pattern @add {
    %a = uma.accel.input "a" f32
    %b = uma.accel.input "b" f32
    %y = uma.accel.op "add"(%a, %b) as "y"
    uma.accel.call "npu_add"(%a, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func.func @twice
// CHECK:         uma.graph.composite @npu::@add (%[[A:[^ ]*]] = %{{[^,]*}}) -> tensor<8xf32>
// CHECK-NEXT:      uma.graph.add %[[A]], %[[A]]
func.func @twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.add %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Functions that have a target are done.
// CHECK-LABEL: func.func private @done
// CHECK-NEXT:    uma.graph.add
func.func private @done(%x: tensor<8xf32>) -> tensor<8xf32> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.add %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A pattern's own operators do not overlap: of two possible matches, the one
// that is later in the graph is taken.
uma.accel.accelerator @npu {
  uma.accel.pattern @relu_relu {
    %x = uma.accel.input "x" f32
    %t = uma.accel.op "relu"(%x)
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.call "npu_relu2"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    %[[R:.*]] = uma.graph.relu
// CHECK-NEXT:    uma.graph.composite @npu::@relu_relu (%{{.*}} = %[[R]]
func.func @chain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = uma.graph.relu %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = uma.graph.relu %1 : (tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
