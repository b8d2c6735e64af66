//===- AcceleratorCalls.cpp - Convert matches to extern calls -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Converts composites to extern calls. A composite is matched against its
// pattern again, to obtain the sizes and buffers that the pattern's calls name.
//
//===----------------------------------------------------------------------===//

#include "AcceleratorCalls.h"
#include "CallBody.h"
#include "MappedCalls.h"
#include "ModuleConverter.h"

#include "uma/Accel/IR/CallLocation.h"
#include "uma/Accel/IR/CodeTemplate.h"
#include "uma/Accel/Partition/Memories.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;

std::string uma::getCompositeName(graph::CompositeOp composite) {
  StringRef name = getLayerName(composite.getLoc());
  return name.empty() ? composite.getPattern().getLeafReference().str()
                      : name.str();
}

Location uma::addDescribedLine(Location loc, accel::AcceleratorOp accelerator,
                               Operation *description) {
  auto line =
      dyn_cast<FileLineColLoc>(accel::getCalleeLocation(description->getLoc()));
  // Operations that were printed and parsed have no position in the source.
  if (!line || accelerator.getSource() != line.getFilename().getValue())
    return loc;
  return accel::addDescribedLine(
      loc, FileLineColLoc::get(
               loc.getContext(),
               llvm::sys::path::filename(line.getFilename().getValue()),
               line.getLine(), line.getColumn()));
}

/// Returns the replacement of calls to `callee`, or null if there is none.
static accel::ReplaceOp findReplace(accel::AcceleratorOp accelerator,
                                    StringRef callee) {
  for (auto replace : accelerator.getOps<accel::ReplaceOp>())
    if (replace.getCallee() == callee)
      return replace;
  return nullptr;
}

namespace {
/// Operands of a described call, resolved by the match.
struct CallValues {
  explicit CallValues(size_t count) : isWritten(count), isUnsigned(count) {}

  SmallVector<Value> values;      ///< null for tensors outside of the match
  SmallVector<TypedAttr> numbers; ///< null for tensors
  llvm::SmallBitVector isWritten, isUnsigned;
};
} // namespace

/// Returns the type of the null pointer for an operand that is not part of the
/// match, such that C code that reads it compiles.
static MemRefType getNullType(Value operand) {
  Type element;
  if (auto scratch = operand.getDefiningOp<accel::ScratchOp>())
    element = scratch.getElementType();
  else if (auto array = operand.getDefiningOp<accel::ArrayOp>())
    element = array.getElementType();
  else if (accel::TensorTypeOpInterface type = accel::getTensorTypeOp(operand))
    if (std::optional<ArrayAttr> elements = type.getElementTypes())
      element = cast<TypeAttr>((*elements)[0]).getValue();
  if (!element)
    element = IntegerType::get(operand.getContext(), 8);
  return getBufferType(RankedTensorType::get({0}, element));
}

/// Returns the body of a call that is given as C code.
static CallBody getCode(accel::CallOp call) {
  CallBody body;
  body.text = ("{{" + *call.getCode() + "}}\n  return 0;").str();
  for (auto [index, operand] : llvm::enumerate(call.getArguments())) {
    body.operands.push_back(index);
    body.names.push_back(isa<AccelTensorType>(operand.getType())
                             ? accel::getTensorName(operand)
                             : accel::getSourceName(operand.getDefiningOp()));
  }
  return body;
}

/// Builds the extern call for `description`.
static tir::CallExternOp createCall(OpBuilder &builder, Location loc,
                                    Operation *description, StringRef callee,
                                    const CallValues &operands) {
  auto accelerator = description->getParentOfType<accel::AcceleratorOp>();
  auto call = dyn_cast<accel::CallOp>(description);
  accel::ReplaceOp replace = findReplace(accelerator, callee);
  auto order = llvm::to_vector(llvm::seq<unsigned>(operands.values.size()));
  std::optional<CallBody> body;
  if (call && call.getCodeAttr()) {
    body = getCode(call);
    order = body->operands;
  } else if (call && call.getCArgumentsAttr()) {
    llvm::SmallBitVector isPresent(operands.values.size());
    for (auto [index, value] : llvm::enumerate(operands.values))
      isPresent[index] = static_cast<bool>(value);
    body = buildCallBody(call, isPresent, operands.numbers, replace);
    order = body->operands;
  }
  SmallVector<Value> arguments;
  SmallVector<int64_t> writes, unsignedTensors;
  for (auto [position, operand] : llvm::enumerate(order)) {
    Value value = operands.values[operand];
    if (!value)
      value = tir::NullOp::create(
          builder, loc, getNullType(description->getOperand(operand)));
    arguments.push_back(value);
    if (operands.isWritten[operand])
      writes.push_back(position);
    if (operands.isUnsigned[operand])
      unsignedTensors.push_back(position);
  }
  auto result = tir::CallExternOp::create(
      builder, addDescribedLine(loc, accelerator, description), callee,
      arguments, writes);
  if (!unsignedTensors.empty())
    result->setAttr(kUnsignedAttrName,
                    builder.getDenseI64ArrayAttr(unsignedTensors));
  if (body) {
    SmallVector<StringRef> names(body->names.begin(), body->names.end());
    result->setAttr(kBodyAttrName, builder.getStringAttr(body->text));
    result->setAttr(kParametersAttrName, builder.getStrArrayAttr(names));
    return result;
  }
  if (!replace)
    return result;
  result->setAttr(kCodeAttrName, replace.getTextAttr());
  accel::CodeTemplate code;
  std::string problem;
  if (succeeded(accel::CodeTemplate::parse(replace.getText(), code, problem)) &&
      code.isStatement())
    result.setNoStatus(true);
  return result;
}

void uma::buildCalls(OpBuilder &builder, Location loc, StringRef layer,
                     const accel::Match &match, GetBufferFn getBuffer) {
  StringAttr layerAttr = builder.getStringAttr(layer);
  auto build = [&](Operation *op, StringRef callee, OperandRange operands) {
    CallValues call(operands.size());
    for (auto [index, operand] : llvm::enumerate(operands)) {
      call.numbers.push_back(match.numbers.lookup(operand));
      if (!isa<AccelTensorType>(operand.getType())) {
        call.values.push_back(
            arith::ConstantOp::create(builder, loc, call.numbers.back()));
        continue;
      }
      if (auto scratch = operand.getDefiningOp<accel::ScratchOp>()) {
        call.values.push_back(getBuffer(scratch));
        call.isUnsigned[index] = scratch.getElementType().isUnsignedInteger();
        call.isWritten[index] = static_cast<bool>(call.values.back());
        continue;
      }
      if (operand.getDefiningOp<accel::ArrayOp>()) {
        call.values.push_back(getBuffer(operand));
        continue;
      }
      Value inner = match.tensors.lookup(operand);
      call.values.push_back(inner ? getBuffer(inner) : Value());
      if (!inner)
        continue;
      call.isUnsigned[index] =
          getStorageElementType(getElementTypeOrSelf(inner))
              .isUnsignedInteger();
      // The device writes results of the match's operators.
      call.isWritten[index] =
          llvm::is_contained(match.ops, inner.getDefiningOp());
    }
    auto created = createCall(builder, loc, op, callee, call);
    created->setAttr(kLayerAttrName, layerAttr);
    return created;
  };
  // Keep the description's order of calls and configuration.
  accel::PatternOp pattern = match.pattern;
  for (Operation &op : pattern.getBody().front()) {
    if (auto configure = dyn_cast<accel::ConfigureOp>(op))
      build(configure, configure.getCallee(), configure.getArguments())
          ->setAttr(kConfigureAttrName, builder.getUnitAttr());
    else if (auto call = dyn_cast<accel::CallOp>(op))
      build(call, call.getCallee(), call.getArguments());
  }
}

LogicalResult
uma::buildRegionCalls(OpBuilder &builder, Location loc, Block &body,
                      SmallVectorImpl<tir::CallExternOp> *created) {
  for (auto call : body.getOps<accel::CallOp>()) {
    FailureOr<SmallVector<TypedAttr>> numbers = accel::computeArguments(call);
    if (failed(numbers))
      return failure();
    CallValues operands(numbers->size());
    for (TypedAttr number : *numbers)
      operands.values.push_back(
          arith::ConstantOp::create(builder, loc, number));
    operands.numbers = *numbers;
    tir::CallExternOp built =
        createCall(builder, loc, call, call.getCallee(), operands);
    if (created)
      created->push_back(built);
  }
  return success();
}

LogicalResult uma::buildComposite(OpBuilder &builder,
                                  graph::CompositeOp composite,
                                  const StrategyRegistry &strategies,
                                  GetBufferFn getBuffer,
                                  GetScratchFn getScratch, GetArrayFn getArray,
                                  SmallVectorImpl<PlacedBuffer> &placed) {
  FailureOr<accel::Match> match = accel::matchComposite(composite);
  if (failed(match))
    return failure();
  accel::PatternOp pattern = match->pattern;
  llvm::DenseMap<Value, Value> scratches;
  for (auto scratch : pattern.getBody().getOps<accel::ScratchOp>())
    if (RankedTensorType type = match->getDeviceType(scratch);
        type.getNumElements() > 0)
      scratches[scratch] = getScratch(scratch, getBufferType(type));
  auto getOuterBuffer = [&](Value inner) {
    if (auto array = inner.getDefiningOp<accel::ArrayOp>())
      return getArray(array);
    return inner.getDefiningOp<accel::ScratchOp>()
               ? scratches.lookup(inner)
               : getBuffer(composite.getOuterTensor(inner));
  };
  if (pattern.isLowered()) {
    if (failed(
            lowerMatch(builder, composite, *match, strategies, getOuterBuffer)))
      return failure();
  } else {
    buildCalls(builder, composite.getLoc(), getCompositeName(composite), *match,
               getOuterBuffer);
  }
  auto accelerator = pattern->getParentOfType<accel::AcceleratorOp>();
  for (auto place : pattern.getBody().getOps<accel::PlaceOp>())
    for (Value tensor : place.getTensors()) {
      Value inner = tensor.getDefiningOp<accel::ScratchOp>()
                        ? tensor
                        : match->tensors.lookup(tensor);
      // An operand of an optional operator that is absent has no buffer.
      if (Value buffer = inner ? getOuterBuffer(inner) : Value())
        placed.push_back({buffer, accelerator.getMemory(place.getMemory())});
    }
  return success();
}
