// Loops that threads share: long ones whose iterations write separate elements.
// RUN: uma-opt %s --uma-tir-share-loops=least-work=1000 | FileCheck %s
// RUN: not uma-opt %s --uma-tir-share-loops=least-work=-1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=LEAST
// LEAST: uma-tir-share-loops: least-work is -1, expected 0 or more

// CHECK-LABEL: func @short
// CHECK: uma.tir.for %
uma.tir.func @short(%x: memref<16xf32>, %y: memref<16xf32>) {
  uma.tir.for parallel %i = 0 to 16 {
    %0 = memref.load %x[%i] : memref<16xf32>
    memref.store %0, %y[%i] : memref<16xf32>
  }
  uma.tir.return
}

// CHECK-LABEL: func @rows
// CHECK: uma.tir.for parallel %{{.*}} = 0 to 64
// CHECK: uma.tir.for %{{.*}} = 0 to 64
uma.tir.func @rows(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  uma.tir.for %i = 0 to 64 {
    uma.tir.for %j = 0 to 64 {
      %c = arith.constant 64 : index
      %0 = arith.muli %i, %c : index
      %1 = arith.addi %0, %j : index
      %2 = memref.load %x[%1] : memref<4096xf32>
      memref.store %2, %y[%1] : memref<4096xf32>
    }
  }
  uma.tir.return
}

// Few iterations divide badly: the loop inside is shared.

// CHECK-LABEL: func @few
// CHECK: uma.tir.for %{{.*}} = 0 to 3
// CHECK: uma.tir.for parallel %{{.*}} = 0 to 1024
// CHECK: } {uma.team}
uma.tir.func @few(%x: memref<3072xf32>, %y: memref<3072xf32>) {
  uma.tir.for %i = 0 to 3 {
    uma.tir.for %j = 0 to 1024 {
      %c = arith.constant 1024 : index
      %0 = arith.muli %i, %c : index
      %1 = arith.addi %0, %j : index
      %2 = memref.load %x[%1] : memref<3072xf32>
      memref.store %2, %y[%1] : memref<3072xf32>
    }
  }
  uma.tir.return
}

// Iterations that write the same elements, read what others write, or write at unknown places.

// CHECK-LABEL: func @dependent
// CHECK-NOT: parallel
uma.tir.func @dependent(%x: memref<4096xf32>, %y: memref<4160xf32>, %p: memref<4096xindex>) {
  uma.tir.for %i = 0 to 4096 {
    %c = arith.constant 0 : index
    %0 = memref.load %x[%i] : memref<4096xf32>
    memref.store %0, %y[%c] : memref<4160xf32>
  }
  uma.tir.for %i = 0 to 4096 {
    %c = arith.constant 1 : index
    %0 = memref.load %y[%i] : memref<4160xf32>
    %1 = arith.addi %i, %c : index
    memref.store %0, %y[%1] : memref<4160xf32>
  }
  uma.tir.for %i = 0 to 4096 {
    %0 = memref.load %x[%i] : memref<4096xf32>
    %1 = memref.load %p[%i] : memref<4096xindex>
    memref.store %0, %y[%1] : memref<4160xf32>
  }
  uma.tir.for %i = 0 to 64 {
    uma.tir.for %j = 0 to 65 {
      %c = arith.constant 64 : index
      %0 = arith.muli %i, %c : index
      %1 = arith.addi %0, %j : index
      %2 = memref.load %x[%j] : memref<4096xf32>
      memref.store %2, %y[%0] : memref<4160xf32>
      memref.store %2, %y[%1] : memref<4160xf32>
    }
  }
  uma.tir.return
}

// Writes of other operations are not analysed.

// CHECK-LABEL: func @others
// CHECK-NOT: parallel
uma.tir.func private @layer(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c = arith.constant 0 : index
  %0 = memref.load %x[%c] : memref<64xf32>
  memref.store %0, %y[%c] : memref<64xf32>
  uma.tir.return
}
uma.tir.func @others(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for %i = 0 to 4096 {
    %c = arith.constant 0 : index
    uma.tir.transpose %x[%c] stride 8 to %y[%c] stride 8 size 8 : memref<64xf32>, memref<64xf32>
  }
  uma.tir.for %i = 0 to 4096 {
    uma.tir.call @layer(%x, %y) : memref<64xf32>, memref<64xf32>
  }
  uma.tir.return
}

// A loop with uma.team counts as one with the parallel loops inside, and they stay. One that is short loses the attribute.

// CHECK-LABEL: func @team
// CHECK: uma.tir.for %{{.*}} = 0 to 16 {
// CHECK: uma.tir.for parallel %{{.*}} = 0 to 64
// CHECK: } {uma.team}
// CHECK: uma.tir.for %{{.*}} = 0 to 2 {
// CHECK: uma.tir.for %{{.*}} = 0 to 64
// CHECK-NOT: uma.team
uma.tir.func @team(%x: memref<16x64xf32>, %y: memref<16x64xf32>) {
  uma.tir.for %i = 0 to 16 {
    uma.tir.for parallel %j = 0 to 64 {
      %0 = memref.load %x[%i, %j] : memref<16x64xf32>
      memref.store %0, %y[%i, %j] : memref<16x64xf32>
    }
  } {uma.team}
  uma.tir.for %i = 0 to 2 {
    uma.tir.for parallel %j = 0 to 64 {
      %0 = memref.load %x[%i, %j] : memref<16x64xf32>
      memref.store %0, %y[%i, %j] : memref<16x64xf32>
    }
  } {uma.team}
  uma.tir.return
}

// A short layer is shared if it reads what threads wrote, and what it writes is shared then. The data of the last one is not.

// CHECK-LABEL: func private @long
// CHECK: parallel
uma.tir.func private @long(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  uma.tir.for parallel %i = 0 to 4096 {
    %0 = memref.load %x[%i] : memref<4096xf32>
    memref.store %0, %y[%i] : memref<4096xf32>
  }
  uma.tir.return
}
// CHECK-LABEL: func private @after
// CHECK: parallel
uma.tir.func private @after(%x: memref<4096xf32>, %y: memref<128xf32>) {
  uma.tir.for parallel %i = 0 to 128 {
    %0 = memref.load %x[%i] : memref<4096xf32>
    memref.store %0, %y[%i] : memref<128xf32>
  }
  uma.tir.return
}
// CHECK-LABEL: func private @apart
// CHECK-NOT: parallel
uma.tir.func private @apart(%x: memref<4096xf32>, %y: memref<128xf32>) {
  uma.tir.for parallel %i = 0 to 128 {
    %0 = memref.load %x[%i] : memref<4096xf32>
    memref.store %0, %y[%i] : memref<128xf32>
  }
  uma.tir.return
}
// CHECK-LABEL: func @network
uma.tir.func @network(%x: memref<4096xf32>, %y: memref<128xf32>) {
  %0 = uma.tir.alloc workspace : memref<4096xf32>
  %1 = uma.tir.alloc workspace : memref<128xf32>
  uma.tir.call @long(%x, %0) : memref<4096xf32>, memref<4096xf32>
  uma.tir.call @after(%0, %1) : memref<4096xf32>, memref<128xf32>
  uma.tir.call @apart(%x, %y) : memref<4096xf32>, memref<128xf32>
  uma.tir.return
}
