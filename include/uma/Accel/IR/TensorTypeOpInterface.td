//===- TensorTypeOpInterface.td - What a pattern says of a tensor -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_TENSORTYPEOPINTERFACE_TD
#define UMA_ACCEL_IR_TENSORTYPEOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Accel_TensorTypeOpInterface : OpInterface<"TensorTypeOpInterface"> {
  let cppNamespace = "::uma::accel";
  let description = [{
    An operation that says which types a tensor of a pattern can have, and in which layout the device takes it:
    `uma.accel.input` of the pattern's inputs, `uma.accel.result` of what the pattern computes.
  }];
  let methods = [
    InterfaceMethod<"Returns the tensor of the pattern.", "::mlir::Value", "getTensor">,
    InterfaceMethod<"Returns the element types of which the tensor has one; nothing if it has any.",
      "std::optional<::mlir::ArrayAttr>", "getElementTypes">,
    InterfaceMethod<"Returns true if the tensor has any shape.", "bool", "getAnyShape">,
    InterfaceMethod<"Returns the dims in the shape, in order.", "::mlir::OperandRange", "getDims">,
    InterfaceMethod<"Returns the sizes; see `uma.accel.input`.", "::llvm::ArrayRef<int64_t>", "getStaticDims">,
    InterfaceMethod<"Returns the layout in which the device takes the tensor; nothing if it is that of the graph.",
      "std::optional<::mlir::AffineMap>", "getLayout">
  ];
  let extraSharedClassDeclaration = [{
    /// Returns the sizes of the shape; none if it may be any.
    ::llvm::SmallVector<::uma::accel::WrittenSize> getSizes() {
      return ::uma::accel::getWrittenSizes($_op.getStaticDims(), $_op.getDims());
    }
  }];
}

#endif // UMA_ACCEL_IR_TENSORTYPEOPINTERFACE_TD
