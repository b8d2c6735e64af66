// RUN: uma-opt %s --uma-graph-verify --split-input-file -verify-diagnostics

func.func @other_dialect(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{the graph stage ends with 'arith.addf'; functions may hold only uma.graph operators, func.call and func.return}}
  %0 = arith.addf %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Every offender is named.

func.func @in_composite(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{the graph stage ends with 'math.sqrt'}}
  %s = math.sqrt %x : tensor<2xf32>
  %0 = uma.graph.composite @vanilla::@add (%a = %s : tensor<2xf32>) -> tensor<2xf32> {
    // expected-error @below {{the graph stage ends with 'tensor.empty'}}
    %1 = tensor.empty() : tensor<2xf32>
    %2 = uma.graph.add %1, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    uma.graph.yield %2 : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// expected-error @below {{the graph stage ends with argument #1 of type 'tensor<?xf32>'; expected a tensor of static shape}}
func.func @dynamic(%x: tensor<2xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  return %y : tensor<?xf32>
}

// -----

func.func private @get() -> memref<2xf32>

func.func @result() {
  // expected-error @below {{the graph stage ends with result #0 of type 'memref<2xf32>'; expected a tensor of static shape}}
  %0 = call @get() : () -> memref<2xf32>
  return
}

// -----

// expected-error @below {{the graph stage ends with a function of 2 blocks; a graph has no control flow, expected one block}}
func.func @blocks(%x: tensor<2xf32>) -> tensor<2xf32> {
  cf.br ^next
^next:
  return %x : tensor<2xf32>
}

// -----

// expected-error @below {{the graph stage ends with 'memref.global' beside the functions; a module may hold only func.func and descriptions of accelerators}}
memref.global "private" constant @w : memref<2xf32> = dense<1.0>
