//===- TensorTypeOpInterface.td - Types of a pattern's tensors -*- tablegen -*-===//
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
    An operation that constrains the type of a pattern's tensor and specifies the tensor's layout on the device:
    `uma.accel.input` for the pattern's inputs, `uma.accel.result` for tensors that the pattern computes.
  }];
  let methods = [
    InterfaceMethod<"Returns the tensor of the pattern.", "::mlir::Value", "getTensor">,
    InterfaceMethod<"Returns the allowed element types, or std::nullopt if any is allowed.",
      "std::optional<::mlir::ArrayAttr>", "getElementTypes">,
    InterfaceMethod<"Returns true if any shape is allowed.", "bool", "getAnyShape">,
    InterfaceMethod<"Returns the dims in the shape, in order.", "::mlir::OperandRange", "getDims">,
    InterfaceMethod<"Returns the sizes; see `uma.accel.input`.", "::llvm::ArrayRef<int64_t>", "getStaticDims">,
    InterfaceMethod<"Returns the tensor's layout on the device, or std::nullopt if it is the same as the graph's.",
      "std::optional<::mlir::AffineMap>", "getLayout">
  ];
  let extraSharedClassDeclaration = [{
    /// Returns the sizes of the shape; empty if any shape is allowed.
    ::llvm::SmallVector<::uma::accel::WrittenSize> getSizes() {
      return ::uma::accel::getWrittenSizes($_op.getStaticDims(), $_op.getDims());
    }
  }];
}

#endif // UMA_ACCEL_IR_TENSORTYPEOPINTERFACE_TD
