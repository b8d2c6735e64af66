// RUN: uma-opt %s -uma-tir-plan-memory=capacity=1024 -o /dev/null
// RUN: not uma-opt %s -uma-tir-plan-memory='capacity=511 overlap=declared' -o /dev/null 2>&1 | FileCheck %s
// RUN: not uma-opt %s -uma-tir-plan-memory='capacity=600 io=inside overlap=declared' -o /dev/null 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not uma-opt %s -uma-tir-plan-memory='capacity=511 overlap=none' -o /dev/null 2>&1 | FileCheck %s --check-prefix=APART
// RUN: not uma-opt %s -uma-tir-plan-memory='capacity=-1' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not uma-opt %s -uma-tir-plan-memory='algorithm=exakt' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALGORITHM
// RUN: not uma-opt %s -uma-tir-plan-memory='overlap=prove' -o /dev/null 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not uma-opt %s -uma-tir-plan-memory='io=insid' -o /dev/null 2>&1 | FileCheck %s --check-prefix=IO

// CHECK: :[[#@LINE+15]]:1: error: network 'net' needs 512 bytes of workspace, 1 more than the capacity of 511; no plan needs less than 512
// CHECK: note: {{.*}}the peak of 512 live bytes is at layer 'conv'; live are 'big' (256 bytes), 'x' (128 bytes), 'y' (128 bytes)
// CHECK: note: to reduce the peak, make these tensors smaller or let the layer run on parts of them
// CHECK-NOT: error

// INSIDE: needs 640 bytes of workspace, 40 more than the capacity of 600; no plan needs less than 640
// INSIDE: note: {{.*}}the peak of 640 live bytes is at layer 'conv'; live are 'big' (256 bytes), 'x' (128 bytes), 'y' (128 bytes), 'image' (128 bytes)
// INSIDE: io=outside keeps inputs and outputs in memory of the caller

// APART: overlap=proven lets results overlap buffers that are read before

// NEGATIVE: uma-tir-plan-memory: capacity is -1, expected bytes, or 0 for no limit
// ALGORITHM: uma-tir-plan-memory: unknown algorithm 'exakt'; expected exact, greedy-by-size, greedy-by-conflict, hill-climb, best-fit; did you mean 'exact'?
// OVERLAP: uma-tir-plan-memory: overlap is 'prove', expected none, declared, unshared or proven; did you mean 'proven'?
// IO: uma-tir-plan-memory: io is 'insid', expected inside or outside; did you mean 'inside'?
uma.tir.func @net(%image: memref<32xf32> {uma.name = "image"}) {
  %x = uma.tir.alloc workspace label "x" : memref<32xf32>
  %y = uma.tir.alloc workspace label "y" : memref<32xf32>
  %big = uma.tir.alloc workspace label "big" : memref<64xf32>
  uma.tir.call @load(%image, %x) : memref<32xf32>, memref<32xf32>
  uma.tir.call @conv(%x, %y, %big) : memref<32xf32>, memref<32xf32>, memref<64xf32> loc("conv")
  uma.tir.call @load(%y, %image) : memref<32xf32>, memref<32xf32>
}
uma.tir.func private @load(%x: memref<32xf32>, %y: memref<32xf32>) {
}
uma.tir.func private @conv(%x: memref<32xf32>, %y: memref<32xf32>, %z: memref<64xf32>) {
}
