// RUN: uma-opt %s -uma-tir-lower-block | FileCheck %s

// The reduction's loops are innermost and hold only the block: the init region
// goes before them.
// CHECK-LABEL: uma.tir.func @before_loops(
// CHECK-SAME:    %[[X:.*]]: memref<8x4x2xf32>, %[[Y:.*]]: memref<8xf32>
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 8 {
// CHECK:           memref.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK-NEXT:      uma.tir.for %[[K:.*]] = 0 to 4 {
// CHECK-NEXT:        uma.tir.for %[[L:.*]] = 0 to 2 {
// CHECK-NEXT:          %[[A:.*]] = memref.load %[[X]][%[[I]], %[[K]], %[[L]]]
// CHECK-NEXT:          %[[B:.*]] = memref.load %[[Y]][%[[I]]]
// CHECK-NOT:     uma.tir.block
// CHECK-NOT:     scf.if
uma.tir.func @before_loops(%x: memref<8x4x2xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %i = 0 to 8 {
    uma.tir.for %k = 0 to 4 {
      uma.tir.for %l = 0 to 2 {
        uma.tir.block "sum" (spatial %vi = %i in 8, reduce %vk = %k in 4, reduce %vl = %l in 2)
            reads(%x[affine_map<(i, k, l) -> (i, k, l)>, [1, 1, 1]] : memref<8x4x2xf32>)
            writes(%y[affine_map<(i, k, l) -> (i)>, [1]] : memref<8xf32>)
        init {
          memref.store %zero, %y[%vi] : memref<8xf32>
        } do {
          %a = memref.load %x[%vi, %vk, %vl] : memref<8x4x2xf32>
          %b = memref.load %y[%vi] : memref<8xf32>
          %c = arith.addf %a, %b : f32
          memref.store %c, %y[%vi] : memref<8xf32>
        }
      }
    }
  }
}

// A split reduction and spatial arithmetic inside its loops: what the init
// region needs is computed before them.
// CHECK-LABEL: uma.tir.func @split(
// CHECK-SAME:    %{{.*}}: memref<8xf32>, %[[Y:.*]]: memref<8xf32>
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 4 {
// CHECK:           %[[VI:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK:           memref.store %{{.*}}, %[[Y]][%[[VI]]]
// CHECK:           uma.tir.for
// CHECK-NEXT:        uma.tir.for
// CHECK-NOT:     scf.if
uma.tir.func @split(%x: memref<8xf32>, %y: memref<8xf32>) {
  uma.tir.for %i = 0 to 4 {
    uma.tir.for %ko = 0 to 2 {
      uma.tir.for %ki = 0 to 4 {
        %c4 = arith.constant 4 : index
        %base = arith.muli %ko, %c4 : index
        %k = arith.addi %base, %ki : index
        %i4 = arith.addi %i, %c4 : index
        %zero = arith.constant 0.0 : f32
        uma.tir.block "sum" (spatial %vi = %i4 in 8, reduce %vk = %k in 8)
            reads(%x[affine_map<(i, k) -> (k)>, [1]] : memref<8xf32>)
            writes(%y[affine_map<(i, k) -> (i)>, [1]] : memref<8xf32>)
        init {
          memref.store %zero, %y[%vi] : memref<8xf32>
        } do {
          %a = memref.load %x[%vk] : memref<8xf32>
          memref.store %a, %y[%vi] : memref<8xf32>
        }
      }
    }
  }
}

// A spatial loop inside the reduction: before its loops, the init region would
// run for one value of the spatial variable.
// CHECK-LABEL: uma.tir.func @spatial_inside(
// CHECK-SAME:    %{{.*}}: memref<8x4xf32>, %[[Y:.*]]: memref<8xf32>
// CHECK:         uma.tir.for %[[K:.*]] = 0 to 4 {
// CHECK-NEXT:      uma.tir.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:        %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:        %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %[[C0]]
// CHECK-NEXT:        scf.if %[[FIRST]] {
// CHECK-NEXT:          memref.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK-NEXT:        }
// CHECK-NEXT:        memref.load
uma.tir.func @spatial_inside(%x: memref<8x4xf32>, %y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %k = 0 to 4 {
    uma.tir.for %i = 0 to 8 {
      uma.tir.block "sum" (spatial %vi = %i in 8, reduce %vk = %k in 4)
          reads(%x[affine_map<(i, k) -> (i, k)>, [1, 1]] : memref<8x4xf32>)
          writes(%y[affine_map<(i, k) -> (i)>, [1]] : memref<8xf32>)
      init {
        memref.store %zero, %y[%vi] : memref<8xf32>
      } do {
        %a = memref.load %x[%vi, %vk] : memref<8x4xf32>
        memref.store %a, %y[%vi] : memref<8xf32>
      }
    }
  }
}

// Only a part of the reduction is innermost: both variables are tested.
// CHECK-LABEL: uma.tir.func @outer_reduction(
// CHECK:         uma.tir.for %[[KO:.*]] = 0 to 2 {
// CHECK-NEXT:      uma.tir.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:        uma.tir.for %[[KI:.*]] = 0 to 4 {
// CHECK-NEXT:          %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:          %[[OUTER:.*]] = arith.cmpi eq, %[[KO]], %[[C0]]
// CHECK-NEXT:          %[[INNER:.*]] = arith.cmpi eq, %[[KI]], %[[C0]]
// CHECK-NEXT:          %[[FIRST:.*]] = arith.andi %[[OUTER]], %[[INNER]]
// CHECK-NEXT:          scf.if %[[FIRST]] {
uma.tir.func @outer_reduction(%y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %ko = 0 to 2 {
    uma.tir.for %i = 0 to 8 {
      uma.tir.for %ki = 0 to 4 {
        uma.tir.block "count" (spatial %vi = %i in 8, reduce %vo = %ko in 2, reduce %vk = %ki in 4)
            writes(%y[affine_map<(i, o, k) -> (i)>, [1]] : memref<8xf32>)
        init {
          memref.store %zero, %y[%vi] : memref<8xf32>
        } do {
        }
      }
    }
  }
}

// Something else shares the reduction's loop.
// CHECK-LABEL: uma.tir.func @not_alone(
// CHECK:         uma.tir.for
// CHECK-NEXT:      uma.tir.call_extern "tick"
// CHECK:           scf.if
uma.tir.func @not_alone(%y: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %k = 0 to 4 {
    uma.tir.call_extern "tick"()
    uma.tir.block "sum" (reduce %vk = %k in 4)
        writes(%y[affine_map<(k) -> ()>, []] : memref<f32>)
    init {
      memref.store %zero, %y[] : memref<f32>
    } do {
    }
  }
}

// The loop may have no iterations, and does not start at 0.
// CHECK-LABEL: uma.tir.func @unknown_extent(
// CHECK:         uma.tir.for %{{.*}} = 0 to %{{.*}} {
// CHECK:           scf.if
// CHECK:         uma.tir.for %{{.*}} = -1 to 4 {
// CHECK:           scf.if
uma.tir.func @unknown_extent(%y: memref<f32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %k = 0 to %n {
    uma.tir.block "sum" (reduce %vk = %k in 4)
        writes(%y[affine_map<(k) -> ()>, []] : memref<f32>)
    init {
      memref.store %zero, %y[] : memref<f32>
    } do {
    }
  }
  uma.tir.for %k = -1 to 4 {
    uma.tir.block "sum" (reduce %vk = %k in 4)
        writes(%y[affine_map<(k) -> ()>, []] : memref<f32>)
    init {
      memref.store %zero, %y[] : memref<f32>
    } do {
    }
  }
}

// Without reduction, the init region runs every time; nested blocks.
// CHECK-LABEL: uma.tir.func @nested(
// CHECK-SAME:    %[[Y:.*]]: memref<8xf32>
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:      memref.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK-NEXT:      memref.load %[[Y]][%[[I]]]
// CHECK-NEXT:    }
uma.tir.func @nested(%y: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  uma.tir.for %i = 0 to 8 {
    uma.tir.block "outer" (spatial %vo = %i in 8)
        writes(%y[affine_map<(i) -> (i)>, [1]] : memref<8xf32>) {
      uma.tir.block "inner" (spatial %vi = %vo in 8)
          writes(%y[affine_map<(i) -> (i)>, [1]] : memref<8xf32>)
      init {
        memref.store %zero, %y[%vi] : memref<8xf32>
      } do {
        %v = memref.load %y[%vi] : memref<8xf32>
      }
    }
  }
}

// A predicate is a condition around the body. Before the loops of the reduction it has the value of their first
// iteration, which is what decides over the init region.
// CHECK-LABEL: uma.tir.func @predicate(
// CHECK-SAME:    %[[X:.*]]: memref<5x7xf32>, %[[Y:.*]]: memref<5xf32>
// CHECK:         uma.tir.for %[[I:.*]] = 0 to 6 {
// CHECK:           %[[ROW:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : index
// CHECK:           %[[FIRST:.*]] = arith.cmpi slt, %c0{{.*}}, %{{.*}} : index
// CHECK:           %[[BOTH:.*]] = arith.andi %[[ROW]], %[[FIRST]] : i1
// CHECK:           scf.if %[[BOTH]] {
// CHECK-NEXT:        memref.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK-NEXT:      }
// CHECK-NEXT:      uma.tir.for %[[K:.*]] = 0 to 8 {
// CHECK:             %[[COLUMN:.*]] = arith.cmpi slt, %[[K]], %{{.*}} : index
// CHECK-NEXT:        %[[IN:.*]] = arith.andi %[[ROW]], %[[COLUMN]] : i1
// CHECK-NEXT:        scf.if %[[IN]] {
// CHECK-NEXT:          memref.load %[[X]][%[[I]], %[[K]]]
// CHECK-NOT:     uma.tir.block
uma.tir.func @predicate(%x: memref<5x7xf32>, %y: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  uma.tir.for %i = 0 to 6 {
    %row = arith.cmpi slt, %i, %c5 : index
    uma.tir.for %k = 0 to 8 {
      %column = arith.cmpi slt, %k, %c7 : index
      %in = arith.andi %row, %column : i1
      uma.tir.block "sum" (spatial %vi = %i in 5, reduce %vk = %k in 7) where %in
          reads(%x[affine_map<(i, k) -> (i, k)>, [1, 1]] : memref<5x7xf32>)
          writes(%y[affine_map<(i, k) -> (i)>, [1]] : memref<5xf32>)
      init {
        memref.store %zero, %y[%vi] : memref<5xf32>
      } do {
        %a = memref.load %x[%vi, %vk] : memref<5x7xf32>
        %b = memref.load %y[%vi] : memref<5xf32>
        %c = arith.addf %a, %b : f32
        memref.store %c, %y[%vi] : memref<5xf32>
      }
    }
  }
}

// Under a condition, the init region needs both: the predicate and reduce variables that are 0.
// CHECK-LABEL: uma.tir.func @predicate_inside(
// CHECK-SAME:    %{{.*}}: memref<5x7xf32>, %[[Y:.*]]: memref<5xf32>
// CHECK:         uma.tir.for %[[K:.*]] = 0 to 7 {
// CHECK-NEXT:      uma.tir.for %[[I:.*]] = 0 to 6 {
// CHECK-NEXT:        %[[ROW:.*]] = arith.cmpi slt, %[[I]]
// CHECK:             %[[FIRST:.*]] = arith.cmpi eq, %[[K]]
// CHECK-NEXT:        %[[BOTH:.*]] = arith.andi %[[ROW]], %[[FIRST]] : i1
// CHECK-NEXT:        scf.if %[[BOTH]] {
// CHECK-NEXT:          memref.store %{{.*}}, %[[Y]][%[[I]]]
// CHECK-NEXT:        }
// CHECK-NEXT:        scf.if %[[ROW]] {
// CHECK-NEXT:          memref.load
uma.tir.func @predicate_inside(%x: memref<5x7xf32>, %y: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %c5 = arith.constant 5 : index
  uma.tir.for %k = 0 to 7 {
    uma.tir.for %i = 0 to 6 {
      %row = arith.cmpi slt, %i, %c5 : index
      uma.tir.block "sum" (spatial %vi = %i in 5, reduce %vk = %k in 7) where %row
          reads(%x[affine_map<(i, k) -> (i, k)>, [1, 1]] : memref<5x7xf32>)
          writes(%y[affine_map<(i, k) -> (i)>, [1]] : memref<5xf32>)
      init {
        memref.store %zero, %y[%vi] : memref<5xf32>
      } do {
        %a = memref.load %x[%vi, %vk] : memref<5x7xf32>
        memref.store %a, %y[%vi] : memref<5xf32>
      }
    }
  }
}
