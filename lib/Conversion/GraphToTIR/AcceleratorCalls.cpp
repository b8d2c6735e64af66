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

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/Partition/Matcher.h"
#include "uma/Support/LayerName.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;

/// The tensor outside the composite that `inner` stands for: the operand behind
/// a block argument, the result behind a yielded value, else `inner` itself.
static Value getOuterTensor(graph::CompositeOp composite, Value inner) {
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

LogicalResult uma::buildAcceleratorCalls(OpBuilder &builder,
                                         graph::CompositeOp composite,
                                         GetBufferFn getBuffer) {
  FailureOr<accel::Match> match = accel::matchComposite(composite);
  if (failed(match))
    return failure();
  auto pattern = SymbolTable::lookupNearestSymbolFrom<accel::PatternOp>(
      composite, composite.getPattern());

  Location loc = composite.getLoc();
  DenseMap<Value, Value> buffers;
  for (auto call : pattern.getBody().getOps<accel::CallOp>()) {
    SmallVector<Value> arguments;
    SmallVector<int64_t> writes;
    for (auto [position, argument] : llvm::enumerate(call.getArguments())) {
      if (!isa<AccelTensorType>(argument.getType())) {
        arguments.push_back(arith::ConstantOp::create(
            builder, loc, match->numbers.lookup(argument)));
        continue;
      }
      Value inner = match->tensors.lookup(argument);
      if (!inner) {
        auto type = MemRefType::get({0}, builder.getI8Type());
        arguments.push_back(tir::NullOp::create(builder, loc, type));
        continue;
      }
      Value tensor = getOuterTensor(composite, inner);
      Value &buffer = buffers[tensor];
      if (!buffer)
        buffer = getBuffer(tensor);
      arguments.push_back(buffer);
      // What operators of the match make, the device writes.
      if (llvm::is_contained(match->ops, inner.getDefiningOp()))
        writes.push_back(position);
    }
    auto externCall = tir::CallExternOp::create(builder, loc, call.getCallee(),
                                                arguments, writes);
    externCall->setAttr(kLayerAttrName,
                        builder.getStringAttr(getCompositeName(composite)));
  }
  return success();
}
