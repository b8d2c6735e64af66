//===- AcceleratorFunctions.cpp - Calls to devices from tensors -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Counterpart of GraphToTIR's buildComposite: the composite is matched against
// its pattern again, to obtain the sizes and tensors that the calls name.
// Tensors become buffers here, before any bufferization, since a device takes
// addresses.
//
// The C header is unknown, so the types of the C function are assumed:
// pointers, `int` for sizes and for the status.
//
//===----------------------------------------------------------------------===//

#include "AcceleratorFunctions.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/Partition/Assignment.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace uma;

namespace {
/// Converts one composite.
class CompositeConverter {
public:
  CompositeConverter(graph::CompositeOp composite, SymbolTable &symbols)
      : composite(composite), symbols(symbols), builder(composite),
        loc(composite.getLoc()),
        pointerType(LLVM::LLVMPointerType::get(composite.getContext())) {}

  LogicalResult run(SmallVectorImpl<Operation *> &inlined);

private:
  LogicalResult checkAccelerator(accel::AcceleratorOp accelerator);
  void inlineBody(SmallVectorImpl<Operation *> &inlined);
  template <typename CallT>
  LogicalResult convertCall(CallT call, const accel::Match &match);
  Value getBuffer(Value inner);
  Value getPointer(Value buffer);
  Value getNumber(StringRef callee, TypedAttr number);
  FailureOr<func::FuncOp> declare(StringRef name, FunctionType type);

  graph::CompositeOp composite;
  SymbolTable &symbols;
  OpBuilder builder;
  Location loc;
  Type pointerType;
  /// Buffers, keyed by tensors inside the composite.
  DenseMap<Value, Value> buffers;
};
} // namespace

Value CompositeConverter::getBuffer(Value inner) {
  Value &buffer = buffers[inner];
  if (buffer)
    return buffer;
  auto tensor = cast<RankedTensorType>(inner.getType());
  auto type = MemRefType::get(tensor.getShape(), tensor.getElementType());
  if (auto argument = dyn_cast<BlockArgument>(inner))
    buffer = bufferization::ToBufferOp::create(
        builder, loc, type, composite.getInputs()[argument.getArgNumber()],
        /*read_only=*/true);
  else
    buffer = memref::AllocOp::create(builder, loc, type);
  return buffer;
}

Value CompositeConverter::getPointer(Value buffer) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  Value integer =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(builder, loc, pointerType, integer);
}

Value CompositeConverter::getNumber(StringRef callee, TypedAttr number) {
  auto integer = dyn_cast_or_null<IntegerAttr>(number);
  if (!integer) {
    composite.emitOpError("cannot be converted to linalg: '")
        << callee << "' gets " << number
        << ", whose type in C the description does not tell; only integers "
           "can be passed";
    return {};
  }
  const APInt &value = integer.getValue();
  if (value.getSignificantBits() > 32) {
    composite.emitOpError("cannot be converted to linalg: '")
        << callee << "' gets " << value.getSExtValue()
        << ", which is too large for an int";
    return {};
  }
  return arith::ConstantOp::create(
      builder, loc, builder.getI32IntegerAttr(value.getSExtValue()));
}

FailureOr<func::FuncOp> CompositeConverter::declare(StringRef name,
                                                    FunctionType type) {
  Operation *known = symbols.lookup(name);
  if (!known) {
    OpBuilder moduleBuilder(builder.getContext());
    auto function = func::FuncOp::create(moduleBuilder, loc, name, type);
    function.setPrivate();
    symbols.insert(function);
    return function;
  }
  auto function = dyn_cast<func::FuncOp>(known);
  if (function && function.getFunctionType() == type)
    return function;
  InFlightDiagnostic error =
      composite.emitOpError("cannot be converted to linalg: it calls '")
      << name << "' as " << type << ", but the module has ";
  if (function)
    error << "it as " << function.getFunctionType();
  else
    error << "something else of this name";
  return failure();
}

/// Checks that the description has no code around calls, which only C can have.
LogicalResult
CompositeConverter::checkAccelerator(accel::AcceleratorOp accelerator) {
  for (Operation &op : accelerator.getOps()) {
    if (!isa<accel::InitOp, accel::LaunchOp, accel::AwaitOp, accel::ReplaceOp,
             accel::PrologueOp, accel::EpilogueOp>(op))
      continue;
    InFlightDiagnostic error =
        composite.emitOpError("cannot be converted to linalg: accelerator '")
        << accelerator.getSymName() << "' has "
        << op.getName().stripDialect().rsplit('.').second
        << ", which stands in C only";
    error.attachNote(op.getLoc()) << "described here";
    return error;
  }
  return success();
}

/// Inlines the operators of a match that is only lowered.
void CompositeConverter::inlineBody(SmallVectorImpl<Operation *> &inlined) {
  IRMapping mapping;
  Block &body = composite.getBody().front();
  mapping.map(body.getArguments(), composite.getInputs());
  for (Operation &op : body.without_terminator())
    inlined.push_back(builder.clone(op, mapping));
  auto yield = cast<graph::YieldOp>(body.getTerminator());
  for (auto [result, inner] :
       llvm::zip_equal(composite.getResults(), yield.getValues()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(inner));
  composite.erase();
}

template <typename CallT>
LogicalResult CompositeConverter::convertCall(CallT call,
                                              const accel::Match &match) {
  SmallVector<Value> arguments;
  for (Value argument : call.getArguments()) {
    Value value;
    Value tensor = match.tensors.lookup(argument);
    if (tensor)
      value = getPointer(getBuffer(tensor));
    else if (isa<AccelTensorType>(argument.getType()))
      value = LLVM::ZeroOp::create(builder, loc, pointerType);
    else
      value = getNumber(call.getCallee(), match.numbers.lookup(argument));
    if (!value)
      return failure();
    arguments.push_back(value);
  }
  Type statusType = builder.getI32Type();
  FailureOr<func::FuncOp> callee = declare(
      call.getCallee(),
      builder.getFunctionType(TypeRange(ValueRange(arguments)), statusType));
  if (failed(callee))
    return failure();
  Value status =
      func::CallOp::create(builder, loc, *callee, arguments).getResult(0);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value isFine = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       status, zero);
  StringRef layer = getLayerName(loc);
  std::string message = (call.getCallee() + " reported an error").str();
  if (!layer.empty())
    message = ("layer '" + layer + "': " + message).str();
  cf::AssertOp::create(builder, loc, isFine, message);
  return success();
}

LogicalResult CompositeConverter::run(SmallVectorImpl<Operation *> &inlined) {
  SmallVector<Type> types(composite->getOperandTypes());
  llvm::append_range(types, composite->getResultTypes());
  for (Type type : types)
    if (isQuantized(getElementTypeOrSelf(type)))
      return composite.emitOpError("cannot be converted to linalg: it has the "
                                   "quantized tensor ")
             << type << "; uma-lower takes it";
  FailureOr<accel::Match> match = accel::matchComposite(composite);
  if (failed(match))
    return failure();
  auto pattern = SymbolTable::lookupNearestSymbolFrom<accel::PatternOp>(
      composite, composite.getPattern());
  if (failed(checkAccelerator(accel::getAccelerator(pattern))))
    return failure();
  if (pattern.isTiled())
    return composite.emitOpError(
        "cannot be converted to linalg: its pattern computes it in tiles; "
        "uma-lower takes it");
  if (pattern.isLowered()) {
    inlineBody(inlined);
    return success();
  }
  // Keep the description's order of calls and configuration.
  for (Operation &op : pattern.getBody().front()) {
    if (auto configure = dyn_cast<accel::ConfigureOp>(op);
        configure && failed(convertCall(configure, *match)))
      return failure();
    if (auto call = dyn_cast<accel::CallOp>(op);
        call && failed(convertCall(call, *match)))
      return failure();
  }
  auto yield =
      cast<graph::YieldOp>(composite.getBody().front().getTerminator());
  // Each buffer becomes one tensor, which must not alias others.
  DenseMap<Value, Value> tensors;
  for (auto [result, inner] :
       llvm::zip_equal(composite.getResults(), yield.getValues())) {
    Value &tensor = tensors[inner];
    if (auto argument = dyn_cast<BlockArgument>(inner))
      tensor = composite.getInputs()[argument.getArgNumber()];
    else if (!tensor)
      tensor = bufferization::ToTensorOp::create(
          builder, loc, inner.getType(), getBuffer(inner), /*restrict=*/true,
          /*writable=*/true);
    result.replaceAllUsesWith(tensor);
  }
  composite.erase();
  return success();
}

LogicalResult uma::convertComposite(graph::CompositeOp composite,
                                    SymbolTable &symbols,
                                    SmallVectorImpl<Operation *> &inlined) {
  return CompositeConverter(composite, symbols).run(inlined);
}
