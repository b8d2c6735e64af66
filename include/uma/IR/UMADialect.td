//===- UMADialect.td - The `uma` dialect -*- tablegen -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// MLIR forbids '.' in a dialect's namespace. So `uma.graph`, `uma.tir` and
// `uma.accel`, which users see as dialects, are families of one registered
// dialect `uma`. Operation names start with the family: `uma.graph.conv2d` is
// operation `graph.conv2d` of dialect `uma`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_UMADIALECT_TD
#define UMA_IR_UMADIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def UMA_Dialect : Dialect {
  let name = "uma";
  let cppNamespace = "::uma";
  let summary = "Universal Modular Accelerator interface";
  let description = [{
    The dialect has three families of operations:

    - `uma.graph.*`: a neural network as operators on tensors with value
      semantics, named after Relay's operators.
    - `uma.tir.*`: loops, blocks, buffers and extern calls (TensorIR), in a
      schedulable and in a plain form.
    - `uma.accel.*`: descriptions of accelerators: the patterns that a device
      accepts, and the calls that replace each match.

    Families do not include each other's headers. `uma/IR/Family.h` checks which
    family an operation belongs to and marks families illegal in conversion
    targets.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::quant::QuantDialect", "::mlir::scf::SCFDialect"
  ];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    // Each family registers its operations in its own library, so that no
    // family needs the headers of another.
    void registerGraphFamily();
    void registerTIRFamily();
    void registerAccelFamily();
    void registerAttributes();
  }];
}

class UMA_Attr<string name, string mnemonic_, list<Trait> traits = []>
    : AttrDef<UMA_Dialect, name, traits> {
  let mnemonic = mnemonic_;
}

/// Trait of the operations of one family; see uma/IR/Family.h.
class UMA_FamilyTrait<string family> : NativeOpTrait<family # "Family"> {
  let cppNamespace = "::uma";
}
def GraphFamily : UMA_FamilyTrait<"Graph">;
def TIRFamily : UMA_FamilyTrait<"TIR">;
def AccelFamily : UMA_FamilyTrait<"Accel">;

#endif // UMA_IR_UMADIALECT_TD
