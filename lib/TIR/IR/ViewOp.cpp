//===- ViewOp.cpp - uma.tir.view ------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/BufferRange.h"
#include "uma/TIR/IR/TIROps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

Value ViewOp::getViewSource() { return getSource(); }

LogicalResult ViewOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto result = cast<MemRefType>(getResult().getType());
  if (!source.getLayout().isIdentity() || !result.getLayout().isIdentity())
    return emitOpError("expects buffers with the identity layout");
  if (source.getElementType() != result.getElementType())
    return emitOpError("has elements of ")
           << result.getElementType() << ", expected those of its source, "
           << source.getElementType();
  int64_t size = source.getNumElements(), first = getOffset();
  if (first > size || result.getNumElements() > size - first)
    return emitOpError("has ") << result.getNumElements() << " elements from "
                               << first << " on, and its source has " << size;
  return success();
}

OpFoldResult ViewOp::fold(FoldAdaptor) {
  if (getOffset() == 0 && getSource().getType() == getType())
    return getSource();
  auto outer = getSource().getDefiningOp<ViewOp>();
  if (!outer)
    return {};
  setOffset(outer.getOffset() + getOffset());
  getSourceMutable().assign(outer.getSource());
  return getResult();
}

BufferRange tir::getBufferRange(Value buffer) {
  auto getBytes = [](MemRefType type) {
    return int64_t(
        llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8));
  };
  auto type = cast<MemRefType>(buffer.getType());
  BufferRange range{buffer, 0, type.getNumElements() * getBytes(type)};
  while (auto view = range.base.getDefiningOp<ViewLikeOpInterface>()) {
    if (auto part = dyn_cast<ViewOp>(view.getOperation()))
      range.offset += int64_t(part.getOffset()) * getBytes(part.getType());
    range.base = view.getViewSource();
  }
  return range;
}
