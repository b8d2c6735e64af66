//===- AcceleratorCalls.cpp - Matches become extern calls -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The extern mapping of TIR_PHASE_0: a composite is matched against its pattern
// once more, which gives the sizes and buffers that the pattern's calls name.
//
//===----------------------------------------------------------------------===//

#include "AcceleratorCalls.h"

#include "uma/Accel/IR/CallLocation.h"
#include "uma/Accel/IR/CodeTemplate.h"
#include "uma/Accel/Partition/Memories.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;

Value uma::getOuterTensor(graph::CompositeOp composite, Value inner) {
  if (auto argument = dyn_cast<BlockArgument>(inner))
    return composite.getInputs()[argument.getArgNumber()];
  auto yield =
      cast<graph::YieldOp>(composite.getBody().front().getTerminator());
  for (auto [yielded, result] :
       llvm::zip_equal(yield.getValues(), composite.getResults()))
    if (yielded == inner)
      return result;
  return inner;
}

std::string uma::getCompositeName(graph::CompositeOp composite) {
  StringRef name = getLayerName(composite.getLoc());
  return name.empty() ? composite.getPattern().getLeafReference().str()
                      : name.str();
}

/// Adds the line of the call in the description, by the name of its file alone:
/// where that lies is no matter of the C.
static Location addLine(Location loc, accel::AcceleratorOp accelerator,
                        Operation *description) {
  auto line =
      dyn_cast<FileLineColLoc>(accel::getCalleeLocation(description->getLoc()));
  // Operations that were printed and parsed have other positions.
  if (!line || accelerator.getSource() != line.getFilename().getValue())
    return loc;
  return accel::addDescribedLine(
      loc, FileLineColLoc::get(
               loc.getContext(),
               llvm::sys::path::filename(line.getFilename().getValue()),
               line.getLine(), line.getColumn()));
}

/// Calls `callee`, with the text that the accelerator of `description` replaces
/// its calls by.
static tir::CallExternOp createCall(OpBuilder &builder, Location loc,
                                    Operation *description, StringRef callee,
                                    ValueRange arguments,
                                    ArrayRef<int64_t> writes) {
  auto accelerator = description->getParentOfType<accel::AcceleratorOp>();
  loc = addLine(loc, accelerator, description);
  auto call =
      tir::CallExternOp::create(builder, loc, callee, arguments, writes);
  for (auto replace : accelerator.getOps<accel::ReplaceOp>()) {
    if (replace.getCallee() != callee)
      continue;
    call->setAttr(kCodeAttrName, replace.getTextAttr());
    accel::CodeTemplate code;
    std::string problem;
    if (succeeded(
            accel::CodeTemplate::parse(replace.getText(), code, problem)) &&
        code.isStatement())
      call.setNoStatus(true);
  }
  return call;
}

void uma::buildCalls(OpBuilder &builder, Location loc, StringRef layer,
                     const accel::Match &match, GetBufferFn getBuffer) {
  StringAttr layerAttr = builder.getStringAttr(layer);
  auto build = [&](Operation *op, StringRef callee, OperandRange operands) {
    SmallVector<Value> arguments;
    SmallVector<int64_t> writes, unsignedTensors;
    for (auto [position, argument] : llvm::enumerate(operands)) {
      if (!isa<AccelTensorType>(argument.getType())) {
        arguments.push_back(arith::ConstantOp::create(
            builder, loc, match.numbers.lookup(argument)));
        continue;
      }
      Value inner = match.tensors.lookup(argument);
      if (!inner) {
        auto type = MemRefType::get({0}, builder.getI8Type());
        arguments.push_back(tir::NullOp::create(builder, loc, type));
        continue;
      }
      arguments.push_back(getBuffer(inner));
      if (getElementTypeOrSelf(inner).isUnsignedInteger())
        unsignedTensors.push_back(position);
      // What operators of the match make, the device writes.
      if (llvm::is_contained(match.ops, inner.getDefiningOp()))
        writes.push_back(position);
    }
    auto call = createCall(builder, loc, op, callee, arguments, writes);
    call->setAttr(kLayerAttrName, layerAttr);
    if (!unsignedTensors.empty())
      call->setAttr(kUnsignedAttrName,
                    builder.getDenseI64ArrayAttr(unsignedTensors));
    return call;
  };
  // In the order of the description, calls and configuration alike.
  accel::PatternOp pattern = match.pattern;
  for (Operation &op : pattern.getBody().front()) {
    if (auto configure = dyn_cast<accel::ConfigureOp>(op))
      build(configure, configure.getCallee(), configure.getArguments())
          ->setAttr(kConfigureAttrName, builder.getUnitAttr());
    else if (auto call = dyn_cast<accel::CallOp>(op))
      build(call, call.getCallee(), call.getArguments());
  }
}

LogicalResult uma::buildRegionCalls(OpBuilder &builder, Location loc,
                                    Block &body) {
  for (auto call : body.getOps<accel::CallOp>()) {
    FailureOr<SmallVector<TypedAttr>> numbers = accel::computeArguments(call);
    if (failed(numbers))
      return failure();
    SmallVector<Value> arguments;
    for (TypedAttr number : *numbers)
      arguments.push_back(arith::ConstantOp::create(builder, loc, number));
    createCall(builder, loc, call, call.getCallee(), arguments, {});
  }
  return success();
}

LogicalResult uma::buildComposite(OpBuilder &builder,
                                  graph::CompositeOp composite,
                                  const StrategyRegistry &strategies,
                                  GetBufferFn getBuffer,
                                  SmallVectorImpl<PlacedBuffer> &placed) {
  FailureOr<accel::Match> match = accel::matchComposite(composite);
  if (failed(match))
    return failure();
  accel::PatternOp pattern = match->pattern;
  auto getOuterBuffer = [&](Value inner) {
    return getBuffer(getOuterTensor(composite, inner));
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
    for (Value tensor : place.getTensors())
      // An operand of an optional operator that is absent has no buffer.
      if (Value inner = match->tensors.lookup(tensor))
        placed.push_back(
            {getOuterBuffer(inner), accelerator.getMemory(place.getMemory())});
  return success();
}
