// Nothing is printed where something cannot be.
// RUN: split-file %s %t

// RUN: not uma-translate --uma-to-c %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=GRAPH
// GRAPH-NOT: {{^}}#include
// GRAPH:     graph.mlir:1:1: error: 'func.func' op is not EmitC; run 'uma-opt --uma-emit-c' first

// RUN: not uma-translate --uma-to-c %t/tir.mlir 2>&1 | FileCheck %s --check-prefix=TIR
// TIR-NOT: {{^}}#include
// TIR:     tir.mlir:2:1: error: 'uma.tir.func' op is not EmitC; run 'uma-opt --uma-emit-c' first

// RUN: not uma-translate --uma-to-c %t/resource.mlir 2>&1 | FileCheck %s --check-prefix=RESOURCE
// RESOURCE-NOT: {{^}}#include
// RESOURCE:     resource.mlir:2:1: error: 'emitc.global' op has a value that cannot be read; a dense_resource must be in the same file

// RUN: not uma-translate --uma-to-c %t/text.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: text.mlir:1:1: error:

//--- graph.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
//--- tir.mlir
emitc.include <"stdint.h">
uma.tir.func @main(%x: memref<4xf32>, %i: index) {
  %v = memref.load %x[%i] : memref<4xf32>
  memref.store %v, %x[%i] : memref<4xf32>
}
//--- resource.mlir
emitc.include <"stdint.h">
emitc.global static const @w : !emitc.array<4xf32> = dense_resource<missing>
//--- text.mlir
int main(void) { return 0; }
