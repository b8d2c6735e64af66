// The emitted C of every element type under strict flags, as C++ and under sanitizers, and its numbers.
// REQUIRES: gcc, gxx, clang
// RUN: rm -rf %t && uma compile %s -o %t/net
// RUN: uma run %t/net --compare --cc "%gcc" | FileCheck %s
// RUN: env CFLAGS="-O1 -fsanitize=address,undefined -fno-sanitize-recover=all" uma run %t/net --compare --cc "%clang" | FileCheck %s

// CHECK: y: equal
// CHECK: r: equal
// CHECK: e: equal
// CHECK: c: equal

// RUN: cd %t && %gcc %strict -Inet -c net/types.c net/types_weights.c net/main.c
// RUN: cd %t && %clang %strict -Inet -c net/types.c net/types_weights.c net/main.c
// RUN: cd %t && %gxx -x c++ -std=c++11 -Wall -Wextra -Werror -Inet -c net/types.c net/types_weights.c net/main.c
// RUN: cd %t && %clang -x c++ -std=c++11 -Wall -Wextra -Werror -Inet -c net/types.c net/types_weights.c net/main.c

func.func @main(%x: tensor<1x4x6x6xf16> {uma.name = "x"}, %q: tensor<1x4x6x6xi8> {uma.name = "q"},
    %d: tensor<2x5xf64> {uma.name = "d"}, %b: tensor<3x4xbf16> {uma.name = "b"})
    -> (tensor<1x3x6x6xf16> {uma.name = "y"}, tensor<1x3x6x6xi32> {uma.name = "r"},
        tensor<2x5xf64> {uma.name = "e"}, tensor<3x2xbf16> {uma.name = "c"}) attributes {uma.network = "types"} {
  %w = uma.graph.constant dense<0.25> : tensor<3x4x3x3xf16>
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<1x4x6x6xf16>, tensor<3x4x3x3xf16>) -> tensor<1x3x6x6xf16>
  %1 = uma.graph.clip %0 min -1.0 max 2.0 : (tensor<1x3x6x6xf16>) -> tensor<1x3x6x6xf16>
  %v = uma.graph.constant dense<-3> : tensor<3x4x1x1xi8>
  %2 = uma.graph.conv2d %q, %v out_dtype i32 : (tensor<1x4x6x6xi8>, tensor<3x4x1x1xi8>) -> tensor<1x3x6x6xi32>
  %3 = uma.graph.softmax %d : (tensor<2x5xf64>) -> tensor<2x5xf64>
  %u = uma.graph.constant dense<[[1.0, 2.0, 3.0, 4.0], [0.5, -0.5, 0.25, -0.25]]> : tensor<2x4xbf16>
  %4 = uma.graph.dense %b, %u : (tensor<3x4xbf16>, tensor<2x4xbf16>) -> tensor<3x2xbf16>
  %5 = uma.graph.relu %4 : (tensor<3x2xbf16>) -> tensor<3x2xbf16>
  return %1, %2, %3, %5 : tensor<1x3x6x6xf16>, tensor<1x3x6x6xi32>, tensor<2x5xf64>, tensor<3x2xbf16>
}
