// Views are sums of pointers and numbers.
// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c -o %t.c
// RUN: FileCheck %s --input-file=%t.c
// RUN: %gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -c -x c %t.c -o %t.o
// RUN: %gxx -Wall -Wextra -Wpedantic -Werror -c -x c++ %t.c -o %t.o
// REQUIRES: gcc

memref.global "private" constant @w : memref<8xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>

// Parts of one buffer that share no element are as good as two buffers.
// CHECK: static void net_apart(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2)
uma.tir.func private @apart(%x: memref<4xf32>, %y: memref<4xf32>) attributes {layer = "apart"} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  memref.store %v, %y[%c0] : memref<4xf32>
}

// Only read: they may share elements.
// CHECK: static void net_read(const float *UMA_RESTRICT v1, const float *UMA_RESTRICT v2, float *UMA_RESTRICT v3)
uma.tir.func private @read(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) attributes {layer = "read"} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  %w = memref.load %y[%c0] : memref<4xf32>
  %sum = arith.addf %v, %w : f32
  memref.store %sum, %z[%c0] : memref<4xf32>
}

// CHECK: static void net_shared(const float *UMA_MAY_ALIAS v1, float *UMA_MAY_ALIAS v2)
uma.tir.func private @shared(%x: memref<4xf32>, %y: memref<4xf32>) attributes {layer = "shared"} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  memref.store %v, %y[%c0] : memref<4xf32>
}

// CHECK: static void net_planned(const float *UMA_MAY_ALIAS v1, float *UMA_MAY_ALIAS v2)
uma.tir.func private @planned(%x: memref<4xf32>, %y: memref<4xf32>) attributes {layer = "planned"} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<4xf32>
  memref.store %v, %y[%c0] : memref<4xf32>
}

// CHECK: int32_t net_run(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2, void *UMA_RESTRICT v3) {
// CHECK-NEXT: float *a = (float *)((unsigned char *)v3 + 0);
// CHECK-NEXT: float *b = (float *)((unsigned char *)v3 + 64);
// CHECK:      const float *UMA_MAY_ALIAS [[X2:v[0-9]+]] = v1 + 2;
// CHECK-NEXT: const float *UMA_MAY_ALIAS [[X3:v[0-9]+]] = v1 + 3;
// CHECK-NEXT: const float *UMA_MAY_ALIAS [[X4:v[0-9]+]] = v1 + 4;
// CHECK-NEXT: const float *UMA_MAY_ALIAS [[X8:v[0-9]+]] = v1 + 8;
// CHECK-NEXT: const float *UMA_MAY_ALIAS [[W4:v[0-9]+]] = net_w + 4;
// CHECK-NEXT: float *UMA_MAY_ALIAS [[Y4:v[0-9]+]] = v2 + 4;
// CHECK:      net_apart([[X8]], a);
// CHECK:      net_apart(a, a + 4);
// CHECK:      net_read([[X2]], [[X4]], a + 8);
// CHECK:      net_shared(a, a + 3);
// The last elements of a are the first ones of b.
// CHECK:      net_planned(a + 16, b + 1);
// CHECK:      net_apart([[W4]], [[Y4]]);
// CHECK:      = [[X3]][1];
uma.tir.func @main(%x: memref<16xf32>, %y: memref<16xf32> {uma.output}) attributes {uma.network = "net", uma.workspace_size = 128 : i64} {
  %a = uma.tir.alloc workspace offset 0 label "a" : memref<20xf32>
  %b = uma.tir.alloc workspace offset 64 label "b" : memref<16xf32>
  %w = memref.get_global @w : memref<8xf32>
  %a0 = uma.tir.view %a[0] : memref<20xf32> as memref<4xf32>
  %a3 = uma.tir.view %a[3] : memref<20xf32> as memref<4xf32>
  %a4 = uma.tir.view %a[4] : memref<20xf32> as memref<4xf32>
  %a8 = uma.tir.view %a[8] : memref<20xf32> as memref<4xf32>
  %a16 = uma.tir.view %a[16] : memref<20xf32> as memref<4xf32>
  %b1 = uma.tir.view %b[1] : memref<16xf32> as memref<4xf32>
  %x2 = uma.tir.view %x[2] : memref<16xf32> as memref<4xf32>
  %x3 = uma.tir.view %x[3] : memref<16xf32> as memref<4xf32>
  %x4 = uma.tir.view %x[4] : memref<16xf32> as memref<4xf32>
  %x8 = uma.tir.view %x[8] : memref<16xf32> as memref<4xf32>
  %w4 = uma.tir.view %w[4] : memref<8xf32> as memref<4xf32>
  %y4 = uma.tir.view %y[4] : memref<16xf32> as memref<4xf32>
  uma.tir.call @apart(%x8, %a0) : memref<4xf32>, memref<4xf32>
  uma.tir.call @apart(%a0, %a4) : memref<4xf32>, memref<4xf32>
  uma.tir.call @read(%x2, %x4, %a8) : memref<4xf32>, memref<4xf32>, memref<4xf32>
  uma.tir.call @shared(%a0, %a3) : memref<4xf32>, memref<4xf32>
  uma.tir.call @planned(%a16, %b1) : memref<4xf32>, memref<4xf32>
  uma.tir.call @apart(%w4, %y4) : memref<4xf32>, memref<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.load %x3[%c1] : memref<4xf32>
  memref.store %v, %y[%c0] : memref<16xf32>
}
