//===- UMADialect.td - The one dialect of the project -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// MLIR forbids '.' in a dialect's namespace, so the families that users know as
// the dialects `uma.graph`, `uma.tir` and `uma.accel` are one registered dialect
// `uma` whose operation names start with the family: `uma.graph.conv2d` is
// dialect `uma`, operation `graph.conv2d`.
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
    One dialect, three families of operations:

    - `uma.graph.*`: a neural network as operators on tensors with value
      semantics, named as Relay's operators.
    - `uma.tir.*`: loops, blocks, buffers and extern calls (TensorIR), in a
      schedulable and in a plain form.
    - `uma.accel.*`: descriptions of accelerators: the patterns a device takes
      and the calls that each match becomes.

    Families do not include one another's headers; `uma/IR/Family.h` tells which
    family an operation belongs to and makes conversion targets legal or illegal
    by family.
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
    // Each family registers what it has in its own library, so that no family
    // needs another one's headers.
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

/// Marks the operations of one family; see uma/IR/Family.h.
class UMA_FamilyTrait<string family> : NativeOpTrait<family # "Family"> {
  let cppNamespace = "::uma";
}
def GraphFamily : UMA_FamilyTrait<"Graph">;
def TIRFamily : UMA_FamilyTrait<"TIR">;
def AccelFamily : UMA_FamilyTrait<"Accel">;

#endif // UMA_IR_UMADIALECT_TD
