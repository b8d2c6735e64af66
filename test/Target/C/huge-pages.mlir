// Weights from 32 MiB on begin at a huge page, so that Linux can map them so.
// REQUIRES: gcc
// RUN: sed s/ROWS/2048/g %s >%t.large.mlir && sed s/ROWS/1920/g %s >%t.small.mlir
// RUN: uma compile %t.large.mlir -o %t.large && uma compile %t.small.mlir -o %t.small
// RUN: FileCheck %s --input-file=%t.large/net_weights.c
// RUN: not grep 2097152 %t.small/net_weights.c
// RUN: %gcc -c -I%t.large %t.large/net_weights.c -o %t.o && readelf -W --sections %t.o | FileCheck %s --check-prefix=SECTION

// CHECK:      #ifdef __linux__
// CHECK-NEXT: __asm__(UMA_SECTION ".balign 2097152\n.text\n");
// CHECK-NEXT: #endif
// CHECK-NEXT: UMA_WEIGHT(

// SECTION: .rodata PROGBITS {{.*}} 2097152

func.func @main(%x: tensor<1x4096xf32>) -> tensor<1xROWSxf32> attributes {uma.network = "net"} {
  %w = uma.graph.constant dense<0.5> : tensor<ROWSx4096xf32>
  %0 = uma.graph.dense %x, %w : (tensor<1x4096xf32>, tensor<ROWSx4096xf32>) -> tensor<1xROWSxf32>
  return %0 : tensor<1xROWSxf32>
}
