// The emitted C of every element type under strict flags, as C++ and under sanitizers, and its numbers.
// REQUIRES: gcc, gxx, clang
// RUN: rm -rf %t && uma compile %s -o %t/net
// RUN: uma run %t/net --compare --cc "%gcc" | FileCheck %s
// RUN: env CFLAGS="-O1 -fsanitize=address,undefined -fno-sanitize-recover=all" uma run %t/net --compare --cc "%clang" | FileCheck %s

// CHECK: y: equal
// CHECK: r: equal
// CHECK: e: equal
// CHECK: c: equal
// CHECK-COUNT-8: u{{[0-7]}}: equal

// RUN: cd %t && %gcc %strict -Inet -c net/types.c net/types_weights.c net/main.c
// RUN: cd %t && %clang %strict -Inet -c net/types.c net/types_weights.c net/main.c
// RUN: cd %t && %gxx -x c++ -std=c++11 -Wall -Wextra -Werror -Inet -c net/types.c net/types_weights.c net/main.c
// RUN: cd %t && %clang -x c++ -std=c++11 -Wall -Wextra -Werror -Inet -c net/types.c net/types_weights.c net/main.c

func.func @main(%x: tensor<1x4x6x6xf16> {uma.name = "x"}, %q: tensor<1x4x6x6xi8> {uma.name = "q"},
    %d: tensor<2x5xf64> {uma.name = "d"}, %b: tensor<3x4xbf16> {uma.name = "b"},
    %p: tensor<9xui8> {uma.name = "p"}, %o: tensor<9xui16> {uma.name = "o"}, %i: tensor<9xi8> {uma.name = "i"})
    -> (tensor<1x3x6x6xf16> {uma.name = "y"}, tensor<1x3x6x6xi32> {uma.name = "r"},
        tensor<2x5xf64> {uma.name = "e"}, tensor<3x2xbf16> {uma.name = "c"},
        tensor<9xf32> {uma.name = "u0"}, tensor<9xf32> {uma.name = "u1"}, tensor<9xf32> {uma.name = "u2"}, tensor<9xi32> {uma.name = "u3"},
        tensor<9xf32> {uma.name = "u4"}, tensor<9xi1> {uma.name = "u5"}, tensor<9xui8> {uma.name = "u6"}, tensor<9xf64> {uma.name = "u7"}) attributes {uma.network = "types"} {
  %w = uma.graph.constant dense<0.25> : tensor<3x4x3x3xf16>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x4x6x6xf16>, tensor<3x4x3x3xf16>) -> tensor<1x3x6x6xf16>
  %1 = uma.graph.clip %0 min -1.0 max 2.0 : (tensor<1x3x6x6xf16>) -> tensor<1x3x6x6xf16>
  %v = uma.graph.constant dense<-3> : tensor<3x4x1x1xi8>
  %2 = uma.graph.conv2d %q, %v out_dtype i32 : (tensor<1x4x6x6xi8>, tensor<3x4x1x1xi8>) -> tensor<1x3x6x6xi32>
  %3 = uma.graph.softmax %d : (tensor<2x5xf64>) -> tensor<2x5xf64>
  %u = uma.graph.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.5, -0.5, 0.25, -0.25]]> : tensor<2x4xbf16>
  %4 = uma.graph.dense %b, %u : (tensor<3x4xbf16>, tensor<2x4xbf16>) -> tensor<3x2xbf16>
  %5 = uma.graph.relu %4 : (tensor<3x2xbf16>) -> tensor<3x2xbf16>

  // Comparisons that are always true or always false.
  %6 = uma.graph.cast %p to f32 : (tensor<9xui8>) -> tensor<9xf32>
  %u0 = uma.graph.clip %6 min 0.0 max 255.0 : (tensor<9xf32>) -> tensor<9xf32>
  %u1 = uma.graph.relu %6 : (tensor<9xf32>) -> tensor<9xf32>
  %7 = uma.graph.cast %o to f32 : (tensor<9xui16>) -> tensor<9xf32>
  %u2 = uma.graph.clip %7 min 0.0 max 6.0 : (tensor<9xf32>) -> tensor<9xf32>
  %8 = uma.graph.cast %p to i32 : (tensor<9xui8>) -> tensor<9xi32>
  %9 = uma.graph.constant dense<0> : tensor<i32>
  %10 = uma.graph.maximum %8, %9 : (tensor<9xi32>, tensor<i32>) -> tensor<9xi32>
  %u3 = uma.graph.clip %10 min -1.0 max 300.0 : (tensor<9xi32>) -> tensor<9xi32>
  %11 = uma.graph.cast %i to f32 : (tensor<9xi8>) -> tensor<9xf32>
  %12 = uma.graph.clip %11 min -128.0 max 127.0 : (tensor<9xf32>) -> tensor<9xf32>
  %13 = uma.graph.constant dense<0.25> : tensor<f32>
  %u4 = uma.graph.multiply %12, %13 : (tensor<9xf32>, tensor<f32>) -> tensor<9xf32>
  %14 = uma.graph.constant dense<0> : tensor<ui8>
  %u5 = uma.graph.less %p, %14 : (tensor<9xui8>, tensor<ui8>) -> tensor<9xi1>
  %u6 = uma.graph.maximum %p, %14 : (tensor<9xui8>, tensor<ui8>) -> tensor<9xui8>
  %15 = uma.graph.cast %o to f64 : (tensor<9xui16>) -> tensor<9xf64>
  %u7 = uma.graph.clip %15 min -1.0 max 70000.0 : (tensor<9xf64>) -> tensor<9xf64>
  return %1, %2, %3, %5, %u0, %u1, %u2, %u3, %u4, %u5, %u6, %u7 : tensor<1x3x6x6xf16>, tensor<1x3x6x6xi32>, tensor<2x5xf64>, tensor<3x2xbf16>,
      tensor<9xf32>, tensor<9xf32>, tensor<9xf32>, tensor<9xi32>, tensor<9xf32>, tensor<9xi1>, tensor<9xui8>, tensor<9xf64>
}
