// Results in the buffer of their data where threads share loops.
// RUN: uma-opt %s --uma-tir-reuse-buffers --split-input-file | FileCheck %s

uma.tir.func private @relu(%x: memref<64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for parallel %i = 0 to 64 {
    %0 = memref.load %x[%i] : memref<64xf32>
    %1 = arith.maximumf %0, %zero : f32
    memref.store %1, %y[%i] : memref<64xf32>
  }
  uma.tir.return
}

// CHECK-LABEL: func @chain
// CHECK: %[[BUFFER:.*]] = uma.tir.alloc workspace : memref<64xf32>
// CHECK-NOT: uma.tir.alloc
// CHECK: uma.tir.call @relu(%arg0, %[[BUFFER]])
// CHECK: uma.tir.call @relu(%[[BUFFER]], %[[BUFFER]])
// CHECK: uma.tir.call @relu(%[[BUFFER]], %[[BUFFER]])
// CHECK: uma.tir.call @relu(%[[BUFFER]], %arg1)
uma.tir.func @chain(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = uma.tir.alloc workspace : memref<64xf32>
  %b = uma.tir.alloc workspace : memref<64xf32>
  %c = uma.tir.alloc workspace : memref<64xf32>
  uma.tir.call @relu(%x, %a) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%a, %b) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%b, %c) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%c, %y) : memref<64xf32>, memref<64xf32>
  uma.tir.return
}

// A later layer reads the data.

// CHECK-LABEL: func @needed
// CHECK-COUNT-2: uma.tir.alloc workspace
uma.tir.func @needed(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %a = uma.tir.alloc workspace : memref<64xf32>
  %b = uma.tir.alloc workspace : memref<64xf32>
  uma.tir.call @relu(%x, %a) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%a, %b) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%a, %y) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%b, %z) : memref<64xf32>, memref<64xf32>
  uma.tir.return
}

// The result has elements of an earlier layer.

// CHECK-LABEL: func @earlier
// CHECK-COUNT-2: uma.tir.alloc workspace
uma.tir.func @earlier(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = uma.tir.alloc workspace : memref<64xf32>
  %b = uma.tir.alloc workspace : memref<64xf32>
  uma.tir.call @relu(%x, %b) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%x, %a) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%a, %b) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%b, %y) : memref<64xf32>, memref<64xf32>
  uma.tir.return
}

// Offsets that were decided, and buffers of the caller, stay.

// CHECK-LABEL: func @placed
// CHECK-COUNT-2: uma.tir.alloc workspace
uma.tir.func @placed(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = uma.tir.alloc workspace offset 0 : memref<64xf32>
  %b = uma.tir.alloc workspace : memref<64xf32>
  uma.tir.call @relu(%x, %a) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%a, %b) : memref<64xf32>, memref<64xf32>
  uma.tir.call @relu(%b, %y) : memref<64xf32>, memref<64xf32>
  uma.tir.return
}

// -----

// Versions with vectors; both of two operands could be replaced, the first one is.

uma.tir.func private @add(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  uma.tir.multiversion lanes(16) {
    uma.tir.for parallel %i = 0 to 4 {
      %c16 = arith.constant 16 : index
      %at = arith.muli %i, %c16 : index
      %same = arith.muli %c16, %i : index
      %0 = vector.load %x[%at] : memref<64xf32>, vector<16xf32>
      %1 = vector.load %y[%at] : memref<64xf32>, vector<16xf32>
      %2 = arith.addf %0, %1 : vector<16xf32>
      vector.store %2, %z[%same] : memref<64xf32>, vector<16xf32>
    }
  } default {
    uma.tir.for parallel %i = 0 to 64 {
      %0 = memref.load %x[%i] : memref<64xf32>
      %1 = memref.load %y[%i] : memref<64xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %z[%i] : memref<64xf32>
    }
  }
  uma.tir.return
}

// CHECK-LABEL: func @sum
// CHECK: %[[A:.*]] = uma.tir.alloc workspace
// CHECK: %[[B:.*]] = uma.tir.alloc workspace
// CHECK-NOT: uma.tir.alloc
// CHECK: uma.tir.call @add(%[[A]], %[[B]], %[[A]])
// A buffer that is passed twice stays as it is.
// CHECK: uma.tir.call @add(%[[A]], %[[A]], %arg1)
uma.tir.func @sum(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = uma.tir.alloc workspace : memref<64xf32>
  %b = uma.tir.alloc workspace : memref<64xf32>
  %c = uma.tir.alloc workspace : memref<64xf32>
  uma.tir.call @add(%x, %x, %a) : memref<64xf32>, memref<64xf32>, memref<64xf32>
  uma.tir.call @add(%x, %a, %b) : memref<64xf32>, memref<64xf32>, memref<64xf32>
  uma.tir.call @add(%a, %b, %c) : memref<64xf32>, memref<64xf32>, memref<64xf32>
  uma.tir.call @add(%c, %c, %y) : memref<64xf32>, memref<64xf32>, memref<64xf32>
  uma.tir.return
}

// -----

// Callees that may not write over their data on several threads: no parallel loop, elements of another iteration, other blocks, more elements,
// a fill before the data is read, and sums in the result.

uma.tir.func private @serial(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for %i = 0 to 64 {
    %0 = memref.load %x[%i] : memref<64xf32>
    memref.store %0, %y[%i] : memref<64xf32>
  }
  uma.tir.return
}
uma.tir.func private @reversed(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for parallel %i = 0 to 64 {
    %c63 = arith.constant 63 : index
    %at = arith.subi %c63, %i : index
    %0 = memref.load %x[%at] : memref<64xf32>
    memref.store %0, %y[%i] : memref<64xf32>
  }
  uma.tir.return
}
uma.tir.func private @next(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for parallel %i = 0 to 63 {
    %c1 = arith.constant 1 : index
    %at = arith.addi %i, %c1 : index
    %0 = memref.load %x[%at] : memref<64xf32>
    memref.store %0, %y[%i] : memref<64xf32>
  }
  uma.tir.return
}
uma.tir.func private @wide(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for parallel %i = 0 to 4 {
    %c16 = arith.constant 16 : index
    %at = arith.muli %i, %c16 : index
    %0 = vector.load %x[%at] : memref<64xf32>, vector<16xf32>
    %1 = vector.extract %0[3] : f32 from vector<16xf32>
    memref.store %1, %y[%at] : memref<64xf32>
  }
  uma.tir.return
}
uma.tir.func private @blocks(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for parallel %i = 0 to 4 {
    %c16 = arith.constant 16 : index
    %row = arith.muli %i, %c16 : index
    %sum = uma.tir.alloc local : memref<1xf32>
    %c0 = arith.constant 0 : index
    uma.tir.for %j = 0 to 16 {
      %at = arith.addi %row, %j : index
      %0 = memref.load %x[%at] : memref<64xf32>
      memref.store %0, %sum[%c0] : memref<1xf32>
    }
    %1 = memref.load %sum[%c0] : memref<1xf32>
    uma.tir.for %j = 0 to 16 {
      %at = arith.addi %row, %j : index
      memref.store %1, %y[%at] : memref<64xf32>
    }
  }
  uma.tir.return
}
uma.tir.func private @filled(%x: memref<64xf32>, %y: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %i = 0 to 8 {
    memref.store %zero, %y[%i] : memref<64xf32>
  }
  uma.tir.for parallel %i = 0 to 64 {
    %0 = memref.load %x[%i] : memref<64xf32>
    memref.store %0, %y[%i] : memref<64xf32>
  }
  uma.tir.return
}
uma.tir.func private @sums(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for parallel %i = 0 to 64 {
    %0 = memref.load %x[%i] : memref<64xf32>
    memref.store %0, %y[%i] : memref<64xf32>
    %1 = memref.load %y[%i] : memref<64xf32>
    memref.store %1, %y[%i] : memref<64xf32>
  }
  uma.tir.return
}

// CHECK-LABEL: func @refused
// CHECK-COUNT-8: uma.tir.alloc workspace
uma.tir.func @refused(%x: memref<64xf32>, %y: memref<64xf32>) {
  %a = uma.tir.alloc workspace : memref<64xf32>
  %b = uma.tir.alloc workspace : memref<64xf32>
  %c = uma.tir.alloc workspace : memref<64xf32>
  %d = uma.tir.alloc workspace : memref<64xf32>
  %e = uma.tir.alloc workspace : memref<64xf32>
  %f = uma.tir.alloc workspace : memref<64xf32>
  %g = uma.tir.alloc workspace : memref<64xf32>
  %h = uma.tir.alloc workspace : memref<64xf32>
  uma.tir.call @serial(%x, %a) : memref<64xf32>, memref<64xf32>
  uma.tir.call @serial(%a, %b) : memref<64xf32>, memref<64xf32>
  uma.tir.call @reversed(%b, %c) : memref<64xf32>, memref<64xf32>
  uma.tir.call @next(%c, %d) : memref<64xf32>, memref<64xf32>
  uma.tir.call @wide(%d, %e) : memref<64xf32>, memref<64xf32>
  uma.tir.call @blocks(%e, %f) : memref<64xf32>, memref<64xf32>
  uma.tir.call @filled(%f, %g) : memref<64xf32>, memref<64xf32>
  uma.tir.call @sums(%g, %h) : memref<64xf32>, memref<64xf32>
  uma.tir.call @serial(%h, %y) : memref<64xf32>, memref<64xf32>
  uma.tir.return
}

// -----

// Another type, and a part of the data.

uma.tir.func private @copy(%x: memref<64xf32>, %y: memref<64xf32>) {
  uma.tir.for parallel %i = 0 to 64 {
    %0 = memref.load %x[%i] : memref<64xf32>
    memref.store %0, %y[%i] : memref<64xf32>
  }
  uma.tir.return
}
uma.tir.func private @convert(%x: memref<64xf32>, %y: memref<64xi32>) {
  uma.tir.for parallel %i = 0 to 64 {
    %0 = memref.load %x[%i] : memref<64xf32>
    %1 = arith.fptosi %0 : f32 to i32
    memref.store %1, %y[%i] : memref<64xi32>
  }
  uma.tir.return
}
uma.tir.func private @half(%x: memref<32xi32>, %y: memref<32xi32>) {
  uma.tir.for parallel %i = 0 to 32 {
    %0 = memref.load %x[%i] : memref<32xi32>
    memref.store %0, %y[%i] : memref<32xi32>
  }
  uma.tir.return
}

// CHECK-LABEL: func @types
// CHECK-COUNT-3: uma.tir.alloc workspace
uma.tir.func @types(%x: memref<64xf32>, %y: memref<32xi32>) {
  %a = uma.tir.alloc workspace : memref<64xf32>
  %b = uma.tir.alloc workspace : memref<64xi32>
  %c = uma.tir.alloc workspace : memref<32xi32>
  uma.tir.call @copy(%x, %a) : memref<64xf32>, memref<64xf32>
  uma.tir.call @convert(%a, %b) : memref<64xf32>, memref<64xi32>
  %view = uma.tir.view %b[0] : memref<64xi32> as memref<32xi32>
  uma.tir.call @half(%view, %c) : memref<32xi32>, memref<32xi32>
  uma.tir.call @half(%c, %y) : memref<32xi32>, memref<32xi32>
  uma.tir.return
}
