// The workspace in several memories.
// RUN: uma-opt %s -uma-tir-plan-memory='memories=tcm=256,sram=2K overlap=none report' 2>%t.remark | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remark
// RUN: uma-opt %s -uma-tir-plan-memory='memories=tcm=256,sram=2K overlap=none' | uma-opt --uma-emit-c | uma-translate --uma-to-c | FileCheck %s --check-prefix=C
// RUN: not uma-opt %s -uma-tir-plan-memory='memories=tcm=64,sram=1K overlap=none' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not uma-opt %s -uma-tir-plan-memory='memories=tcm=256,TCM=2K' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not uma-opt %s -uma-tir-plan-memory='memories=tcm' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not uma-opt %s -uma-tir-plan-memory='memories=1tcm=64' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not uma-opt %s -uma-tir-plan-memory='memories=tcm=0' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not uma-opt %s -uma-tir-plan-memory='memories=tcm=64 capacity=100' -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: uma-opt %s -uma-tir-plan-memory | not uma-opt -uma-tir-plan-memory='memories=tcm=256,sram=2K' -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFFSET

// RUN: uma-opt %s -uma-tir-plan-memory='memories=tcm=64,sram=1K overlap=none allow-excess' | FileCheck %s --check-prefix=EXCESS

// TWICE:      error: uma-tir-plan-memory: memory 'TCM' is named twice
// TWICE-NOT:  error
// SIZE:       memory 'tcm' is not NAME=BYTES, such as dtcm=64K
// NAME:       memory '1tcm=64' is not NAME=BYTES
// ZERO:       memory 'tcm=0' is not NAME=BYTES
// BOTH:       memories have sizes of their own, expected either memories or one capacity (an arena)
// OFFSET:     buffer 'x' has an offset, which several memories have no meaning for
// SMALL:      error: network 'net' does not fit: memory 'sram' needs 128 bytes more than its 1024, for what the others have no room for
// SMALL:      note: the largest buffers are 'x' (1024 bytes), 'y' (128 bytes)
// EXCESS:     uma.tir.func @net({{.*}}uma.workspace_size = 1216 : i64
// REMARK:     remark: needs 128 bytes of 'tcm', 1024 bytes of 'sram' for 2 buffers

// The layer reads all of x once, and writes y for each element: y has more accesses per byte.
// CHECK-LABEL: uma.tir.func @net(
// CHECK-SAME:    uma.workspace_memories = [{bytes = 128 : i64, name = "tcm", offset = 0 : i64}, {bytes = 1024 : i64, name = "sram", offset = 128 : i64}], uma.workspace_size = 1152 : i64
// CHECK:         alloc workspace offset 128 label "x"
// CHECK:         alloc workspace offset 0 label "y"
// C:           int32_t {{.*}}(const float *UMA_RESTRICT v1, float *UMA_RESTRICT v2, void *UMA_RESTRICT v3, void *UMA_RESTRICT v4)
// C:             float *x = (float *)((unsigned char *)v4 + 0);
// C:             float *y = (float *)((unsigned char *)v3 + 0);
uma.tir.func @net(%in: memref<256xf32>, %out: memref<32xf32> {uma.output}) attributes {uma.network = "net"} {
  %x = uma.tir.alloc workspace label "x" : memref<256xf32>
  %y = uma.tir.alloc workspace label "y" : memref<32xf32>
  uma.tir.call @copy(%in, %x) : memref<256xf32>, memref<256xf32>
  uma.tir.call @reduce(%x, %y) : memref<256xf32>, memref<32xf32>
  uma.tir.call @finish(%y, %out) : memref<32xf32>, memref<32xf32>
}
uma.tir.func private @copy(%x: memref<256xf32>, %y: memref<256xf32>) {
  uma.tir.for %i = 0 to 256 {
    %v = memref.load %x[%i] : memref<256xf32>
    memref.store %v, %y[%i] : memref<256xf32>
  }
}
uma.tir.func private @reduce(%x: memref<256xf32>, %y: memref<32xf32>) {
  %c32 = arith.constant 32 : index
  uma.tir.for %i = 0 to 8 {
    uma.tir.for %j = 0 to 32 {
      %row = arith.muli %i, %c32 : index
      %at = arith.addi %row, %j : index
      %v = memref.load %x[%at] : memref<256xf32>
      %sum = memref.load %y[%j] : memref<32xf32>
      %next = arith.addf %v, %sum : f32
      memref.store %next, %y[%j] : memref<32xf32>
    }
  }
}
uma.tir.func private @finish(%x: memref<32xf32>, %y: memref<32xf32>) {
  uma.tir.for %i = 0 to 32 {
    %v = memref.load %x[%i] : memref<32xf32>
    memref.store %v, %y[%i] : memref<32xf32>
  }
}
