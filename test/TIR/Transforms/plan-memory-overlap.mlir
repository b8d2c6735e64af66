// Results over buffers that are still read, proven from the accesses.
// RUN: uma-opt %s -uma-tir-plan-memory | FileCheck %s
// RUN: uma-opt %s -uma-tir-plan-memory=io=inside | FileCheck %s --check-prefix=INSIDE
// RUN: uma-opt %s -uma-tir-plan-memory=overlap=declared | FileCheck %s --check-prefix=DECLARED
// RUN: uma-opt %s -uma-tir-plan-memory=overlap=unshared | FileCheck %s --check-prefix=UNSHARED

uma.tir.func private @source(%x: memref<256xi8>) {
  %c = arith.constant 1 : i8
  uma.tir.for %i = 0 to 256 {
    memref.store %c, %x[%i] : memref<256xi8>
  }
}
uma.tir.func private @sink(%x: memref<256xi8>) {
  uma.tir.for %i = 0 to 256 {
    %v = memref.load %x[%i] : memref<256xi8>
    memref.store %v, %x[%i] : memref<256xi8>
  }
}

// Elementwise: in place.
uma.tir.func private @elementwise(%x: memref<256xi8>, %y: memref<256xi8>) {
  uma.tir.for %i = 0 to 256 {
    %v = memref.load %x[%i] : memref<256xi8>
    memref.store %v, %y[%i] : memref<256xi8>
  }
}
// CHECK-LABEL: uma.tir.func @in_place(
// CHECK-SAME:    uma.workspace_size = 256 : i64
// DECLARED-LABEL: uma.tir.func @in_place(
// DECLARED-SAME:    uma.workspace_size = 512 : i64
// UNSHARED-LABEL: uma.tir.func @in_place(
// UNSHARED-SAME:    uma.workspace_size = 256 : i64
uma.tir.func @in_place() {
  %x = uma.tir.alloc workspace : memref<256xi8>
  %y = uma.tir.alloc workspace : memref<256xi8>
  uma.tir.call @source(%x) : memref<256xi8>
  uma.tir.call @elementwise(%x, %y) : memref<256xi8>, memref<256xi8>
  uma.tir.call @sink(%y) : memref<256xi8>
}

// Another thread may still read what one overwrites.
uma.tir.func private @parallel(%x: memref<256xi8>, %y: memref<256xi8>) {
  uma.tir.for parallel %i = 0 to 256 {
    %v = memref.load %x[%i] : memref<256xi8>
    memref.store %v, %y[%i] : memref<256xi8>
  }
}
// CHECK-LABEL: uma.tir.func @in_place_parallel(
// CHECK-SAME:    uma.workspace_size = 256 : i64
// UNSHARED-LABEL: uma.tir.func @in_place_parallel(
// UNSHARED-SAME:    uma.workspace_size = 512 : i64
uma.tir.func @in_place_parallel() {
  %x = uma.tir.alloc workspace : memref<256xi8>
  %y = uma.tir.alloc workspace : memref<256xi8>
  uma.tir.call @source(%x) : memref<256xi8>
  uma.tir.call @parallel(%x, %y) : memref<256xi8>, memref<256xi8>
  uma.tir.call @sink(%y) : memref<256xi8>
}

// Backwards: every byte but the last is overwritten before it is read.
uma.tir.func private @backwards(%x: memref<256xi8>, %y: memref<256xi8>) {
  %last = arith.constant 255 : index
  uma.tir.for %i = 0 to 256 {
    %j = arith.subi %last, %i : index
    %v = memref.load %x[%j] : memref<256xi8>
    memref.store %v, %y[%i] : memref<256xi8>
  }
}
// CHECK-LABEL: uma.tir.func @apart(
// CHECK-SAME:    uma.workspace_size = 512 : i64
uma.tir.func @apart() {
  %x = uma.tir.alloc workspace : memref<256xi8>
  %y = uma.tir.alloc workspace : memref<256xi8>
  uma.tir.call @source(%x) : memref<256xi8>
  uma.tir.call @backwards(%x, %y) : memref<256xi8>, memref<256xi8>
  uma.tir.call @sink(%y) : memref<256xi8>
}

// The write comes first: one byte ahead, which offsets make 64.
uma.tir.func private @write_first(%x: memref<256xi8>, %y: memref<256xi8>) {
  %c = arith.constant 1 : i8
  uma.tir.for %i = 0 to 256 {
    memref.store %c, %y[%i] : memref<256xi8>
    %v = memref.load %x[%i] : memref<256xi8>
  }
}
// CHECK-LABEL: uma.tir.func @ahead(
// CHECK-SAME:    uma.workspace_size = 320 : i64
// CHECK:         alloc workspace offset 64 label "x"
// CHECK:         alloc workspace offset 0 label "y"
uma.tir.func @ahead() {
  %x = uma.tir.alloc workspace label "x" : memref<256xi8>
  %y = uma.tir.alloc workspace label "y" : memref<256xi8>
  uma.tir.call @source(%x) : memref<256xi8>
  uma.tir.call @write_first(%x, %y) : memref<256xi8>, memref<256xi8>
  uma.tir.call @sink(%y) : memref<256xi8>
}

// Pointwise, from 4 to 8 channels: the buffers take as much as the result.
uma.tir.func private @pointwise(%x: memref<256xi8>, %y: memref<512xi8>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  uma.tir.for %i = 0 to 64 {
    %in = arith.muli %i, %c4 : index
    %out = arith.muli %i, %c8 : index
    %rows = uma.tir.alloc local : memref<4xi8>
    uma.tir.for %c = 0 to 4 {
      %at = arith.addi %in, %c : index
      %v = memref.load %x[%at] : memref<256xi8>
      memref.store %v, %rows[%c] : memref<4xi8>
    }
    uma.tir.for %c = 0 to 8 {
      %zero = arith.constant 0 : index
      %at = arith.addi %out, %c : index
      %v = memref.load %rows[%zero] : memref<4xi8>
      memref.store %v, %y[%at] : memref<512xi8>
    }
  }
}
// CHECK-LABEL: uma.tir.func @diagonal(
// CHECK-SAME:    uma.workspace_size = 512 : i64
// CHECK:         alloc workspace offset 256 label "x"
// CHECK:         alloc workspace offset 0 label "y"
uma.tir.func @diagonal(%out: memref<512xi8>) {
  %x = uma.tir.alloc workspace label "x" : memref<256xi8>
  %y = uma.tir.alloc workspace label "y" : memref<512xi8>
  uma.tir.call @source(%x) : memref<256xi8>
  uma.tir.call @pointwise(%x, %y) : memref<256xi8>, memref<512xi8>
  uma.tir.call_extern "use"(%y) : memref<512xi8>
}

// A window of three rows of 64 bytes, with padding: one row ahead, and what the row itself needs.
uma.tir.func private @window(%x: memref<1024xi8>, %y: memref<1024xi8>) {
  %c0 = arith.constant 0 : i8
  %one = arith.constant 1 : index
  %rows = arith.constant 16 : index
  %width = arith.constant 64 : index
  uma.tir.for %r = 0 to 16 {
    uma.tir.for %c = 0 to 64 {
      uma.tir.for %k = 0 to 3 {
        %sum = arith.addi %r, %k : index
        %row = arith.subi %sum, %one : index
        %inside = arith.cmpi ult, %row, %rows : index
        scf.if %inside {
          %start = arith.muli %row, %width : index
          %at = arith.addi %start, %c : index
          %v = memref.load %x[%at] : memref<1024xi8>
        }
      }
      %start = arith.muli %r, %width : index
      %at = arith.addi %start, %c : index
      memref.store %c0, %y[%at] : memref<1024xi8>
    }
  }
}
// CHECK-LABEL: uma.tir.func @halo(
// CHECK-SAME:    uma.workspace_size = 1088 : i64
// CHECK:         alloc workspace offset 64 label "x"
// CHECK:         alloc workspace offset 0 label "y"
uma.tir.func @halo() {
  %x = uma.tir.alloc workspace label "x" : memref<1024xi8>
  %y = uma.tir.alloc workspace label "y" : memref<1024xi8>
  uma.tir.call_extern "fill"(%x) writes [0] : memref<1024xi8>
  uma.tir.call @window(%x, %y) : memref<1024xi8>, memref<1024xi8>
  uma.tir.call_extern "use"(%y) : memref<1024xi8>
}

// A sum may be written over either input, but only over one that nothing reads later.
uma.tir.func private @add(%x: memref<256xi8>, %y: memref<256xi8>, %z: memref<256xi8>) {
  uma.tir.for %i = 0 to 256 {
    %v = memref.load %x[%i] : memref<256xi8>
    %w = memref.load %y[%i] : memref<256xi8>
    %s = arith.addi %v, %w : i8
    memref.store %s, %z[%i] : memref<256xi8>
  }
}
// CHECK-LABEL: uma.tir.func @second(
// CHECK-SAME:    uma.workspace_size = 512 : i64
// CHECK:         alloc workspace offset [[X:0|256]] label "x"
// CHECK:         alloc workspace offset [[Y:0|256]] label "y"
// CHECK:         alloc workspace offset [[Y]] label "z"
uma.tir.func @second() {
  %x = uma.tir.alloc workspace label "x" : memref<256xi8>
  %y = uma.tir.alloc workspace label "y" : memref<256xi8>
  %z = uma.tir.alloc workspace label "z" : memref<256xi8>
  uma.tir.call @source(%x) : memref<256xi8>
  uma.tir.call @source(%y) : memref<256xi8>
  uma.tir.call @add(%x, %y, %z) : memref<256xi8>, memref<256xi8>, memref<256xi8>
  uma.tir.call @sink(%z) : memref<256xi8>
  uma.tir.call @sink(%x) : memref<256xi8>
}

// What other code does with a buffer is unknown: a device, and a place that a loaded number decides.
uma.tir.func private @device(%x: memref<256xi8>, %y: memref<256xi8>) {
  uma.tir.call_extern "device"(%x, %y) writes [1] : memref<256xi8>, memref<256xi8>
}
uma.tir.func private @scatter(%x: memref<256xi8>, %y: memref<256xi8>) {
  uma.tir.for %i = 0 to 256 {
    %v = memref.load %x[%i] : memref<256xi8>
    %at = arith.index_castui %v : i8 to index
    memref.store %v, %y[%at] : memref<256xi8>
  }
}
// CHECK-LABEL: uma.tir.func @unknown(
// CHECK-SAME:    uma.workspace_size = 512 : i64
uma.tir.func @unknown() {
  %x = uma.tir.alloc workspace : memref<256xi8>
  %y = uma.tir.alloc workspace : memref<256xi8>
  %z = uma.tir.alloc workspace : memref<256xi8>
  uma.tir.call @source(%x) : memref<256xi8>
  uma.tir.call @device(%x, %y) : memref<256xi8>, memref<256xi8>
  uma.tir.call @scatter(%y, %z) : memref<256xi8>, memref<256xi8>
  uma.tir.call @sink(%z) : memref<256xi8>
}

// Several layers: parts of the result are written while other layers still read the data, always further ahead.
uma.tir.func private @part(%x: memref<128xi8>, %y: memref<64xi8>) {
  %two = arith.constant 2 : index
  uma.tir.for %i = 0 to 64 {
    %at = arith.muli %i, %two : index
    %v = memref.load %x[%at] : memref<128xi8>
    memref.store %v, %y[%i] : memref<64xi8>
  }
}
// CHECK-LABEL: uma.tir.func @parts(
// CHECK-SAME:    uma.workspace_size = 256 : i64
// CHECK:         alloc workspace offset 0 label "x"
// CHECK:         alloc workspace offset 0 label "y"
uma.tir.func @parts() {
  %x = uma.tir.alloc workspace label "x" : memref<256xi8>
  %y = uma.tir.alloc workspace label "y" : memref<128xi8>
  %x0 = uma.tir.view %x[0] : memref<256xi8> as memref<128xi8>
  %x1 = uma.tir.view %x[128] : memref<256xi8> as memref<128xi8>
  %y0 = uma.tir.view %y[0] : memref<128xi8> as memref<64xi8>
  %y1 = uma.tir.view %y[64] : memref<128xi8> as memref<64xi8>
  uma.tir.call_extern "fill"(%x) writes [0] : memref<256xi8>
  uma.tir.call @part(%x0, %y0) : memref<128xi8>, memref<64xi8>
  uma.tir.call @part(%x1, %y1) : memref<128xi8>, memref<64xi8>
  uma.tir.call_extern "use"(%y) : memref<128xi8>
}
// In the other order the first half would be destroyed before it is read.
// CHECK-LABEL: uma.tir.func @wrong_order(
// CHECK-SAME:    uma.workspace_size = 320 : i64
uma.tir.func @wrong_order() {
  %x = uma.tir.alloc workspace label "x" : memref<256xi8>
  %y = uma.tir.alloc workspace label "y" : memref<128xi8>
  %x0 = uma.tir.view %x[0] : memref<256xi8> as memref<128xi8>
  %x1 = uma.tir.view %x[128] : memref<256xi8> as memref<128xi8>
  %y0 = uma.tir.view %y[0] : memref<128xi8> as memref<64xi8>
  %y1 = uma.tir.view %y[64] : memref<128xi8> as memref<64xi8>
  uma.tir.call_extern "fill"(%x) writes [0] : memref<256xi8>
  uma.tir.call @part(%x1, %y0) : memref<128xi8>, memref<64xi8>
  uma.tir.call @part(%x0, %y1) : memref<128xi8>, memref<64xi8>
  uma.tir.call_extern "use"(%y) : memref<128xi8>
}

// More iterations than are followed one by one: windows whose start is no multiple of the number of the iteration.
uma.tir.func private @long(%x: memref<1000000xi8>, %y: memref<1000000xi8>) {
  %seven = arith.constant 7 : index
  %three = arith.constant 3 : index
  uma.tir.for %i = 0 to 1000000 {
    %a = arith.divsi %i, %seven : index
    %at = arith.muli %a, %seven : index
    %v = memref.load %x[%at] : memref<1000000xi8>
    memref.store %v, %y[%i] : memref<1000000xi8>
  }
}
// CHECK-LABEL: uma.tir.func @collapsed(
// CHECK-SAME:    uma.workspace_size = 2000000 : i64
uma.tir.func @collapsed() {
  %x = uma.tir.alloc workspace label "x" : memref<1000000xi8>
  %y = uma.tir.alloc workspace label "y" : memref<1000000xi8>
  uma.tir.call_extern "fill"(%x) writes [0] : memref<1000000xi8>
  uma.tir.call @long(%x, %y) : memref<1000000xi8>, memref<1000000xi8>
  uma.tir.call_extern "use"(%y) : memref<1000000xi8>
}

// The caller reads both outputs: neither is written over the other, but the last one over the input.
// INSIDE-LABEL: uma.tir.func @outputs(
// INSIDE-SAME:    {uma.offset = [[IN:[0-9]+]] : i64}
// INSIDE-SAME:    {uma.offset = [[FIRST:[0-9]+]] : i64, uma.output}
// INSIDE-SAME:    {uma.offset = [[IN]] : i64, uma.output}
// INSIDE-SAME:    uma.workspace_size = 512 : i64
uma.tir.func @outputs(%in: memref<256xi8>, %out: memref<256xi8> {uma.output}, %last: memref<256xi8> {uma.output}) {
  uma.tir.call @elementwise(%in, %out) : memref<256xi8>, memref<256xi8>
  uma.tir.call @add(%in, %out, %last) : memref<256xi8>, memref<256xi8>, memref<256xi8>
}
