// A vector of weights is loaded once for the products of all points of a tile. GCC knows that it is constant and, tuned for
// AMD's processors, would load it from memory for each product, which takes a quarter longer.
// REQUIRES: gcc
// RUN: rm -rf %t && uma compile %s --cpu=x86-64-v4 -o %t && cd %t && %gcc -O3 -mavx512f -mtune=znver3 -S net.c
// RUN: FileCheck %s --input-file %t/net.s
// RUN: FileCheck %s --input-file %t/net.s --check-prefix COUNT

// CHECK-LABEL: {{^}}net_dense_conv2d
// CHECK-NOT: vfmadd{{.*}}({{.*}}zmm
// CHECK: {{^}}{{.*}}ret{{$}}

// COUNT-LABEL: {{^}}net_dense_conv2d
// COUNT-COUNT-16: vfmadd{{[0-9]+}}ps{{.*}}zmm

func.func @main(%data: tensor<1x64x14x14xf32>) -> tensor<1x64x14x14xf32> attributes {uma.network = "net"} {
  %one = uma.graph.constant dense<1.0> : tensor<64x1x1x1xf32>
  %weights = uma.graph.constant dense<0.5> : tensor<64x64x1x1xf32>
  // Writes the data in blocks of channels.
  %copy = uma.graph.conv2d %data, %one groups 64 : (tensor<1x64x14x14xf32>, tensor<64x1x1x1xf32>) -> tensor<1x64x14x14xf32>
  %dense = uma.graph.conv2d %copy, %weights : (tensor<1x64x14x14xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x14x14xf32> loc("dense")
  return %dense : tensor<1x64x14x14xf32>
}
