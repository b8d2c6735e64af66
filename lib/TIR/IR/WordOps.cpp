//===- WordOps.cpp - Words of several integers ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

Type tir::getWordsType(Type sums) {
  auto word = IntegerType::get(sums.getContext(), 32);
  auto vector = dyn_cast<VectorType>(sums);
  return vector ? Type(vector.clone(word)) : word;
}

Value WordsOp::getViewSource() { return getSource(); }

LogicalResult WordsOp::verify() {
  auto source = cast<MemRefType>(getSource().getType());
  auto words = cast<MemRefType>(getWords().getType());
  if (!source.getLayout().isIdentity() || !words.getLayout().isIdentity())
    return emitOpError("expects buffers with the identity layout");
  int64_t perWord = 32 / source.getElementTypeBitWidth();
  SmallVector<int64_t> shape(source.getShape());
  if (shape.empty() || shape.back() % perWord != 0)
    return emitOpError("expects a last dimension of a multiple of ")
           << perWord << " elements, since a word holds " << perWord << " of "
           << source.getElementType() << "; found " << source;
  shape.back() /= perWord;
  if (words.getShape() != ArrayRef(shape))
    return emitOpError("has words of type ")
           << words << ", expected "
           << MemRefType::get(shape, words.getElementType());
  return success();
}

LogicalResult DotOp::verify() {
  Type lhs = getLhsElements(), rhs = getRhsElements();
  bool isPairs = lhs.isSignlessInteger(16) && rhs.isSignlessInteger(16);
  bool isQuads = lhs.isUnsignedInteger(8) && rhs.isSignlessInteger(8);
  bool areFloats = lhs.isBF16() && rhs.isBF16();
  if (!isPairs && !isQuads && !areFloats)
    return emitOpError("has elements ")
           << lhs << " and " << rhs
           << ", expected i16, i16 or ui8, i8 or bf16, bf16";
  Type sum = getElementTypeOrSelf(getType());
  if (areFloats != sum.isF32())
    return emitOpError("has sums of ")
           << sum << " for elements " << lhs << " and " << rhs << ", expected "
           << (areFloats ? "f32" : "i32");
  return success();
}

LogicalResult UnpackOp::verify() {
  Type elements = getElements();
  if (elements.isSignlessInteger(8) || elements.isUnsignedInteger(8))
    return success();
  return emitOpError("has elements ") << elements << ", expected i8 or ui8";
}

LogicalResult RoundClampedOp::verify() {
  if (int32_t(getLow()) <= int32_t(getHigh()))
    return success();
  return emitOpError("has the range [")
         << int32_t(getLow()) << ", " << int32_t(getHigh())
         << "], which is empty";
}
