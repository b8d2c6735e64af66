// A partitioned module stays as it is: in its canonical form, the transpose would be a reshape, which the pattern does not match.

// RUN: uma-opt %s --uma-graph-default | FileCheck %s
// RUN: uma-opt %s --uma-partition | FileCheck %s

uma.accel.accelerator @npu {
  uma.accel.layout "conv2d" "NCHW"
  uma.accel.pattern @transpose {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "transpose"(%x) as "y" {axes = [1, 0]}
    uma.accel.call "f"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// CHECK-LABEL: func.func {{.*}}@main
// CHECK: uma.graph.composite @npu::@transpose
// CHECK-NEXT: uma.graph.transpose
// CHECK-NEXT: uma.graph.yield
func.func @main(%a: tensor<1x8xf32>) -> tensor<8x1xf32> {
  %0 = uma.graph.composite @npu::@transpose (%x = %a : tensor<1x8xf32>) -> tensor<8x1xf32> {
    %1 = uma.graph.transpose %x [1, 0] : (tensor<1x8xf32>) -> tensor<8x1xf32>
    uma.graph.yield %1 : tensor<8x1xf32>
  }
  return %0 : tensor<8x1xf32>
}
