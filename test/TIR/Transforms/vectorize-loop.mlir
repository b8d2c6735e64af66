// Loops of kind vectorized become vectors; what has no vector form stays a loop.
// RUN: uma-opt %s --uma-tir-vectorize-loop --split-input-file | FileCheck %s
// RUN: uma-opt %s --uma-tir-vectorize-loop --split-input-file > %t.once
// RUN: uma-opt %t.once --uma-tir-vectorize-loop --split-input-file | diff %t.once -

// Consecutive elements are vectors, an element for all lanes is broadcast.

// CHECK-LABEL: @scale
// CHECK-SAME: %[[X:.*]]: memref<32xf32>, %[[S:.*]]: memref<4xf32>, %[[Y:.*]]: memref<32xf32>
// CHECK: uma.tir.for %[[I:.*]] = 0 to 4 {
// CHECK-NOT: vectorized
// CHECK: %[[V:.*]] = vector.load %[[X]][%{{.*}}] : memref<32xf32>, vector<8xf32>
// CHECK: %[[E:.*]] = memref.load %[[S]][%[[I]]]
// CHECK: %[[B:.*]] = vector.broadcast %[[E]] : f32 to vector<8xf32>
// CHECK: %[[P:.*]] = arith.mulf %[[V]], %[[B]] : vector<8xf32>
// CHECK: %[[N:.*]] = arith.cmpf olt, %[[P]], %{{.*}} : vector<8xf32>
// CHECK: %[[R:.*]] = arith.select %[[N]], %{{.*}}, %[[P]] : vector<8xi1>, vector<8xf32>
// CHECK: vector.store %[[R]], %[[Y]][%{{.*}}] : memref<32xf32>, vector<8xf32>
uma.tir.func @scale(%x: memref<32xf32>, %s: memref<4xf32>, %y: memref<32xf32>) {
  %zero = arith.constant 0.0 : f32
  %c8 = arith.constant 8 : index
  uma.tir.for %i = 0 to 4 {
    %row = arith.muli %i, %c8 : index
    uma.tir.for vectorized %l = 0 to 8 {
      %at = arith.addi %row, %l : index
      %v = memref.load %x[%at] : memref<32xf32>
      %f = memref.load %s[%i] : memref<4xf32>
      %p = arith.mulf %v, %f : f32
      %n = arith.cmpf olt, %p, %zero : f32
      %r = arith.select %n, %zero, %p : f32
      memref.store %r, %y[%at] : memref<32xf32>
    }
  }
}

// -----

// A variable of the body is a vector, also through a loop that all lanes run together.

// CHECK-LABEL: @sums
// CHECK: %[[SUM:.*]] = uma.tir.alloc local label "sum" : memref<vector<4xf32>>
// CHECK: uma.tir.for %{{.*}} = 0 to 16 {
// CHECK: memref.load %[[SUM]][] : memref<vector<4xf32>>
// CHECK: memref.store %{{.*}}, %[[SUM]][] : memref<vector<4xf32>>
// CHECK: vector.store
uma.tir.func @sums(%x: memref<64xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %c4 = arith.constant 4 : index
  uma.tir.for vectorized %l = 0 to 4 {
    %sum = uma.tir.alloc local label "sum" : memref<f32>
    memref.store %zero, %sum[] : memref<f32>
    uma.tir.for %k = 0 to 16 {
      %row = arith.muli %k, %c4 : index
      %at = arith.addi %row, %l : index
      %v = memref.load %x[%at] : memref<64xf32>
      %old = memref.load %sum[] : memref<f32>
      %new = arith.addf %old, %v : f32
      memref.store %new, %sum[] : memref<f32>
    }
    %r = memref.load %sum[] : memref<f32>
    memref.store %r, %y[%l] : memref<4xf32>
  }
}

// -----

// Elements that are not next to each other, stores of all lanes to one element, an extent that is no power of 2, other
// types, an index as a number.

// CHECK-LABEL: @kept
// CHECK-NOT: vector
// CHECK-COUNT-5: uma.tir.for %{{.*}} = 0 to
// CHECK-NOT: vector
uma.tir.func @kept(%x: memref<64xf32>, %y: memref<64xf32>, %d: memref<8xf64>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  uma.tir.for vectorized %l = 0 to 8 {
    %at = arith.muli %l, %c2 : index
    %v = memref.load %x[%at] : memref<64xf32>
    memref.store %v, %y[%l] : memref<64xf32>
  }
  uma.tir.for vectorized %l = 0 to 8 {
    %v = memref.load %x[%l] : memref<64xf32>
    memref.store %v, %y[%c0] : memref<64xf32>
  }
  uma.tir.for vectorized %l = 0 to 6 {
    %v = memref.load %x[%l] : memref<64xf32>
    memref.store %v, %y[%l] : memref<64xf32>
  }
  uma.tir.for vectorized %l = 0 to 8 {
    %v = memref.load %d[%l] : memref<8xf64>
    memref.store %v, %d[%l] : memref<8xf64>
  }
  uma.tir.for vectorized %l = 0 to 8 {
    %n = arith.index_cast %l : index to i32
    %v = arith.sitofp %n : i32 to f32
    memref.store %v, %y[%l] : memref<64xf32>
  }
}

// A version has vectors of half as many f64 as words; they are only added and multiplied.

// CHECK-LABEL: @doubles
// CHECK: vector.load {{.*}} : memref<16xf64>, vector<8xf64>
// CHECK: arith.mulf {{.*}} : vector<8xf64>
// CHECK: uma.tir.for %{{.*}} = 0 to 16
// CHECK: uma.tir.for %{{.*}} = 0 to 8
// CHECK: uma.tir.for %{{.*}} = 0 to 8
// CHECK-NOT: vector
uma.tir.func @doubles(%x: memref<16xf64>) {
  uma.tir.multiversion lanes(16) {
    uma.tir.for vectorized %l = 0 to 8 {
      %v = memref.load %x[%l] : memref<16xf64>
      %p = arith.mulf %v, %v : f64
      memref.store %p, %x[%l] : memref<16xf64>
    }
    uma.tir.for vectorized %l = 0 to 16 {
      %v = memref.load %x[%l] : memref<16xf64>
      memref.store %v, %x[%l] : memref<16xf64>
    }
    uma.tir.for vectorized %l = 0 to 8 {
      %v = memref.load %x[%l] : memref<16xf64>
      %p = math.exp %v : f64
      memref.store %p, %x[%l] : memref<16xf64>
    }
  } default {
    uma.tir.for vectorized %l = 0 to 8 {
      %v = memref.load %x[%l] : memref<16xf64>
      memref.store %v, %x[%l] : memref<16xf64>
    }
  }
}

// Narrow integers are loaded, converted and stored; dot products of words are as products of floats.

// CHECK-LABEL: @integers
// CHECK: %[[W:.*]] = vector.load {{.*}} : memref<8xi32>, vector<8xi32>
// CHECK: %[[X:.*]] = memref.load {{.*}} : memref<4xi32>
// CHECK: %[[XS:.*]] = vector.broadcast %[[X]] : i32 to vector<8xi32>
// CHECK: %[[D:.*]] = uma.tir.dot %[[XS]], %[[W]], %{{.*}} elements ui8, i8 : vector<8xi32>
// CHECK: arith.sitofp %[[D]] : vector<8xi32> to vector<8xf32>
// CHECK: arith.fptoui {{.*}} : vector<8xf32> to vector<8xi8>
// CHECK: vector.store {{.*}} : memref<8xi8>, vector<8xi8>
// CHECK: arith.extui {{.*}} : vector<8xi8> to vector<8xi32>
uma.tir.func @integers(%x: memref<16xi8>, %w: memref<32xi8>, %sum: memref<8xi32>, %y: memref<8xi8>, %i: index) {
  %xs = uma.tir.words %x : memref<16xi8> as memref<4xi32>
  %ws = uma.tir.words %w : memref<32xi8> as memref<8xi32>
  uma.tir.for vectorized %l = 0 to 8 {
    %a = memref.load %ws[%l] : memref<8xi32>
    %b = memref.load %xs[%i] : memref<4xi32>
    %s = memref.load %sum[%l] : memref<8xi32>
    %d = uma.tir.dot %b, %a, %s elements ui8, i8 : i32
    %f = arith.sitofp %d : i32 to f32
    %n = arith.fptoui %f : f32 to i8
    memref.store %n, %y[%l] : memref<8xi8>
  }
  uma.tir.for vectorized %l = 0 to 8 {
    %n = memref.load %y[%l] : memref<8xi8>
    %e = arith.extui %n : i8 to i32
    memref.store %e, %sum[%l] : memref<8xi32>
  }
}

// There are no narrow sums, and no conversion of unsigned words.

// CHECK-LABEL: @narrow
// CHECK-COUNT-2: uma.tir.for %
uma.tir.func @narrow(%x: memref<16xi8>, %s: memref<8xi32>, %y: memref<8xf32>) {
  uma.tir.for vectorized %l = 0 to 8 {
    %a = memref.load %x[%l] : memref<16xi8>
    %b = arith.addi %a, %a : i8
    memref.store %b, %x[%l] : memref<16xi8>
  }
  uma.tir.for vectorized %l = 0 to 8 {
    %a = memref.load %s[%l] : memref<8xi32>
    %b = arith.uitofp %a : i32 to f32
    memref.store %b, %y[%l] : memref<8xf32>
  }
}

// Requantisation in integers, with bounds.

// CHECK-LABEL: @fixed_point
// CHECK: %[[M:.*]] = vector.load %arg1{{.*}} : memref<8xi32>, vector<8xi32>
// CHECK: uma.tir.fixed_point_multiply %{{.*}}, %[[M]], %{{.*}} : vector<8xi32>
// CHECK: arith.maxsi %{{.*}} : vector<8xi32>
// CHECK: arith.minsi %{{.*}} : vector<8xi32>
// CHECK: arith.trunci %{{.*}} : vector<8xi32> to vector<8xi8>
uma.tir.func @fixed_point(%x: memref<8xi32>, %m: memref<8xi32>, %s: i32, %y: memref<8xi8>) {
  %low = arith.constant -100 : i32
  %high = arith.constant 100 : i32
  uma.tir.for vectorized %l = 0 to 8 {
    %a = memref.load %x[%l] : memref<8xi32>
    %b = memref.load %m[%l] : memref<8xi32>
    %p = uma.tir.fixed_point_multiply %a, %b, %s : i32
    %q = arith.maxsi %p, %low : i32
    %r = arith.minsi %q, %high : i32
    %n = arith.trunci %r : i32 to i8
    memref.store %n, %y[%l] : memref<8xi8>
  }
}

// Masks are combined, and lanes keep the index of a scalar; unsigned comparisons have no form in vectors.

// CHECK-LABEL: @masks
// CHECK: %[[L:.*]] = arith.cmpf olt, %{{.*}} : vector<8xf32>
// CHECK: %[[I:.*]] = arith.cmpi slt, %{{.*}} : vector<8xi32>
// CHECK: %[[B:.*]] = arith.andi %[[L]], %[[I]] : vector<8xi1>
// CHECK: arith.select %[[B]], %{{.*}} : vector<8xi1>, vector<8xi32>
// CHECK: math.sin %{{.*}} : vector<8xf32>
// CHECK: uma.tir.for %{{.*}} = 0 to 8 {
// CHECK-NEXT: memref.load
// CHECK: arith.cmpi ult
uma.tir.func @masks(%x: memref<8xf32>, %y: memref<8xi32>, %s: i32, %f: f32) {
  uma.tir.for vectorized %l = 0 to 8 {
    %a = memref.load %x[%l] : memref<8xf32>
    %b = memref.load %y[%l] : memref<8xi32>
    %c = arith.cmpf olt, %a, %f : f32
    %d = arith.cmpi slt, %b, %s : i32
    %e = arith.andi %c, %d : i1
    %g = arith.select %e, %s, %b : i32
    memref.store %g, %y[%l] : memref<8xi32>
    %h = math.sin %a : f32
    memref.store %h, %x[%l] : memref<8xf32>
  }
  uma.tir.for vectorized %l = 0 to 8 {
    %b = memref.load %y[%l] : memref<8xi32>
    %d = arith.cmpi ult, %b, %s : i32
    %g = arith.select %d, %s, %b : i32
    memref.store %g, %y[%l] : memref<8xi32>
  }
}
