//===- NumberFunctionOpInterface.td - Functions of expressions -*- tablegen -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_NUMBERFUNCTIONOPINTERFACE_TD
#define UMA_ACCEL_IR_NUMBERFUNCTIONOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def Accel_NumberFunctionOpInterface : OpInterface<"NumberFunctionOpInterface"> {
  let cppNamespace = "::uma::accel";
  let description = [{
    A function in expressions of descriptions, such as `bytes(x)`, which computes a number or condition from a match.
    Its name is the operation's name without `uma.accel.`; its arguments are the operands. To add a function, define an
    operation with this interface: the parser, printer, matcher and sampler handle it.
  }];
  let methods = [
    StaticInterfaceMethod<"Returns the number of tensors that the function takes.", "unsigned", "getNumTensors",
      (ins), [{}], [{ return ConcreteOp::template hasTrait<::mlir::OpTrait::ZeroOperands>() ? 0 : 1; }]>,
    StaticInterfaceMethod<"Returns the number of sizes that the function takes after its tensors.", "unsigned", "getNumSizes",
      (ins), [{}], [{ return 0; }]>,
    StaticInterfaceMethod<"Returns true if the value is a condition instead of a whole number.", "bool", "isCondition",
      (ins), [{}], [{ return false; }]>,
    StaticInterfaceMethod<"Returns true if the value is a float instead of a whole number.", "bool", "isFloat",
      (ins), [{}], [{ return false; }]>,
    StaticInterfaceMethod<"Returns the element type of the array that the function is with a second argument, its number of "
      "elements; null if the function has none.", "::mlir::Type", "getArrayElementType",
      (ins "::mlir::MLIRContext *":$context), [{}], [{ return {}; }]>,
    StaticInterfaceMethod<"Builds the operation and returns its result.", "::mlir::Value", "createCall",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$operands), [{}], [{
        ::mlir::Type type = builder.getIndexType();
        if (ConcreteOp::isCondition())
          type = builder.getI1Type();
        else if (ConcreteOp::isFloat())
          type = builder.getF64Type();
        return ConcreteOp::create(builder, loc, ::mlir::TypeRange(type), operands)->getResult(0);
      }]>,
    InterfaceMethod<"Returns the function's value for a match, or null if there is no single one: the channels of the "
      "tensor have different values.", "::mlir::TypedAttr", "evaluateNumber",
      (ins "const ::uma::accel::MatchView &":$match)>,
    InterfaceMethod<"Returns the smallest and the largest value that the function can have.",
      "std::pair<int64_t, int64_t>", "getNumberRange">,
    InterfaceMethod<"Returns true if the value grows with the sizes of tensors.", "bool", "growsWithSizes",
      (ins), [{}], [{ return false; }]>
  ];
}

#endif // UMA_ACCEL_IR_NUMBERFUNCTIONOPINTERFACE_TD
