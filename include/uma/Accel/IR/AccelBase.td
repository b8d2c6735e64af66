//===- AccelBase.td - Base classes of the accel family -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_ACCELBASE_TD
#define UMA_ACCEL_IR_ACCELBASE_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "uma/IR/TargetAttr.td"

def Accel_DocGroup : OpDocGroup {
  let summary = "uma.accel: descriptions of accelerators";
  let description = [{
    MLIR form of the [description language](../description-language.md). `uma check --print-ir FILE` prints it for a
    description; you can also write it by hand. `uma-accel-load` inserts descriptions into the module that uses them.
  }];
}

class Accel_Op<string name, list<Trait> traits = []>
    : Op<UMA_Dialect, "accel." # name, !listconcat(traits, [AccelFamily])> {
  let cppNamespace = "::uma::accel";
  let opDocGroup = Accel_DocGroup;
}

class Accel_Type<string name, string mnemonic_> : TypeDef<UMA_Dialect, name> {
  let mnemonic = mnemonic_;
}

def Accel_TensorType : Accel_Type<"AccelTensor", "accel.tensor"> {
  let summary = "a tensor of the graph that a pattern matches";
  let description = [{
    Stands for a value of the matched graph. The pattern's operations constrain its element type and shape.
  }];
}

#endif // UMA_ACCEL_IR_ACCELBASE_TD
