//===- ByteLayers.cpp - Layers on bytes in row-major order ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Processors without vectors keep quantized tensors as bytes, with the channels
// in the last dimension. A layer begins with the operators that subtract the
// zero point of its data; kernels fold them into their sums. All processors add
// bytes without wider copies and look them up in tables.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/ConvGeometry.h"
#include "uma/CPU/Model/Layer.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

/// Returns the kind of the layer of an anchor that isByteAnchor accepts.
static Kind getKind(Operation *op) {
  if (isa<graph::DenseOp>(op))
    return Kind::ByteProduct;
  auto conv = dyn_cast<graph::Conv2dOp>(op);
  return conv && conv.getDims().groups == 1 ? Kind::ByteProduct
                                            : Kind::ByteWindow;
}

/// Returns whether channels are the last of four dimensions.
static bool hasChannelsLast(Operation *op) {
  auto layout = graph::WindowLayout::parse(getDataLayout(op));
  return layout && layout->c == 3 && layout->n == 0 &&
         layout->spatial[0] < layout->spatial[1];
}

bool uma::isByteAnchor(Operation *op) {
  if (isa<graph::AvgPool2dOp, graph::GlobalAvgPool2dOp>(op))
    return isFloatTensor(op->getOperand(0)) && hasChannelsLast(op);
  if (!isa<graph::Conv2dOp, graph::DenseOp>(op))
    return false;
  auto getElement = [](Value tensor) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    return type && type.getNumElements() > 0 ? type.getElementType() : Type();
  };
  Type data = getElement(op->getOperand(0));
  Type weight = getElement(op->getOperand(1));
  Type sum = getElement(op->getResult(0));
  if (!data || !weight || !sum || !data.isSignlessInteger(16) ||
      !weight.isSignlessInteger(8) || !sum.isSignlessInteger(32))
    return false;
  auto conv = dyn_cast<graph::Conv2dOp>(op);
  if (!conv)
    return true;
  graph::ConvDims dims = conv.getDims();
  bool isDepthwise =
      dims.groups == dims.inChannels && dims.groups == dims.outChannels;
  return hasChannelsLast(op) && (dims.groups == 1 || isDepthwise);
}

SmallVector<Operation *, 2>
uma::getBytePrologue(Operation *op,
                     function_ref<bool(Value)> isScalarConstant) {
  SmallVector<Operation *, 2> chain;
  Value data = op->getOperand(0);
  while (Operation *source = data.getDefiningOp()) {
    if (!data.hasOneUse())
      return {};
    auto cast = dyn_cast<graph::CastOp>(source);
    bool isShift =
        isa<graph::AddOp, graph::SubtractOp, graph::MultiplyOp>(source) &&
        isScalarConstant(source->getOperand(1)) &&
        source->getOperand(0).getType() == data.getType();
    if (!cast && !isShift)
      return {};
    chain.insert(chain.begin(), source);
    if (cast) {
      Type from = cast.getData().getType().getElementType();
      return from.isInteger(8) ? chain : SmallVector<Operation *, 2>();
    }
    data = source->getOperand(0);
  }
  return {};
}

void CPULayer::takePrologue() {
  for (Operation *op : ops) {
    if (!isByteAnchor(op))
      continue;
    prologue = getBytePrologue(
        op, [&](Value value) { return isScalarConstant(value); });
    // All of it, or nothing.
    if (!llvm::all_of(prologue, [&](Operation *member) {
          return llvm::is_contained(ops, member);
        }))
      prologue.clear();
    llvm::erase_if(ops, [&](Operation *member) {
      return llvm::is_contained(prologue, member);
    });
    return;
  }
}

std::optional<Kind> CPULayer::getByteKind(Operation *op) const {
  if (!isByteAnchor(op))
    return std::nullopt;
  if (isa<graph::Conv2dOp, graph::DenseOp>(op) &&
      !getConstant(op->getOperand(1)))
    return std::nullopt;
  if (auto pool = dyn_cast<graph::AvgPool2dOp>(op);
      pool && !llvm::all_of(pool.getDilations(),
                            [](int64_t dilation) { return dilation == 1; }))
    return std::nullopt;
  return getKind(op);
}

//===----------------------------------------------------------------------===//
// Sums and tables
//===----------------------------------------------------------------------===//

bool CPULayer::isByteSum(ArrayRef<Operation *> ops) {
  auto wide = ops.size() == 2 ? dyn_cast<graph::CastOp>(ops[0]) : nullptr;
  auto sum = wide ? dyn_cast<graph::SumOp>(ops[1]) : nullptr;
  if (!sum || sum.getData() != wide.getResult() || !wide->hasOneUse() ||
      !wide.getData().getType().getElementType().isInteger(8) ||
      !sum.getType().getElementType().isSignlessInteger(32) ||
      sum.getType().getNumElements() == 0)
    return false;
  ArrayRef<int64_t> shape = wide.getType().getShape();
  int64_t count = 1, runs = 0;
  bool wasReduced = false;
  for (auto [extent, isReduced] : llvm::zip_equal(
           shape, graph::getReducedDims(sum.getAxis(), shape.size()))) {
    if (extent == 1)
      continue;
    count *= isReduced ? extent : 1;
    runs += isReduced && !wasReduced;
    wasReduced = isReduced;
  }
  // Vectors need at least four elements, along rows or columns.
  constexpr int64_t fewest = 4, most = INT32_MAX / 255;
  bool isRow = wasReduced;
  return runs == 1 && count <= most &&
         (isRow ? count : sum.getType().getShape().back()) >= fewest;
}

std::optional<CPULayer> CPULayer::formByteSum(Operation *op) {
  if (!isa<graph::CastOp>(op) || !op->hasOneUse() ||
      !isByteSum({op, *op->user_begin()}))
    return std::nullopt;
  return form({op, *op->user_begin()});
}

bool CPULayer::isLookup() const {
  auto op = ops.size() == 1 ? dyn_cast<graph::TakeOp>(ops.front()) : nullptr;
  if (!op || !getConstant(op.getData()))
    return false;
  constexpr int64_t numBytes = 256;
  auto isOfBytes = [](RankedTensorType type) {
    return type.getElementType().isInteger(8) && type.getNumElements() > 0;
  };
  RankedTensorType table = op.getData().getType();
  RankedTensorType indices = op.getIndices().getType();
  return isOfBytes(table) && table.getShape() == ArrayRef(numBytes) &&
         isOfBytes(indices) && indices.getShape() == op.getType().getShape();
}
