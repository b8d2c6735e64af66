// Names are shown on a terminal, and do nothing else there.
// RUN: uma explain %s | FileCheck %s --check-prefix=EXPLAIN
// RUN: uma explain %s --json | FileCheck %s --check-prefix=JSON
// RUN: rm -rf %t && uma run %s --output-dir %t --compare --cc %gcc | FileCheck %s --check-prefix=RUN
// RUN: ls %t | FileCheck %s --check-prefix=FILES --match-full-lines --implicit-check-not={{.}}
// RUN: not uma run %s --input x=nothing 2>&1 | FileCheck %s --check-prefix=INPUT
// REQUIRES: gcc

// EXPLAIN: {{^}}a\x1B[2J\u202E\n\xFF  relu

// JSON: "name": "a\u001b[2J{{.*}}\n{{.*}}"

// RUN: {{^}}y\x07/\n: equal to the reference interpreter
// RUN: {{^}}../y: equal to the reference interpreter
// RUN: {{^}}y=: equal to the reference interpreter

// FILES:      _._y.npy
// FILES-NEXT: y=.npy
// FILES-NEXT: y___.npy

// INPUT: uma: error: --input=x=nothing: the network has no input 'x', it has 'in\x1B'
func.func @main(%x: tensor<4xf32> {uma.name = "in\1B"})
    -> (tensor<4xf32> {uma.name = "y\07/\0A"}, tensor<4xf32> {uma.name = "../y"}, tensor<4xf32> {uma.name = "y="}) attributes {uma.network = "net"} {
  %0 = uma.graph.relu %x : tensor<4xf32> loc("a\1B[2J\E2\80\AE\0A\FF")
  %1 = uma.graph.exp %x : tensor<4xf32>
  %2 = uma.graph.tanh %x : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
