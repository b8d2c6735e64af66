//===- GraphMatrixOps.cpp - Products of matrices and tensors --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

//===----------------------------------------------------------------------===//
// BatchMatmulOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> BatchMatmulOp::inferType(EmitErrorFn emitError,
                                                     Adaptor adaptor) {
  RankedTensorType types[2];
  const Value operands[] = {adaptor.getLhs(), adaptor.getRhs()};
  const StringRef names[] = {"lhs", "rhs"};
  for (auto [type, operand, name] : llvm::zip_equal(types, operands, names)) {
    auto tensor = getTensor(emitError, operand, name);
    if (failed(tensor))
      return failure();
    if (tensor->getRank() < 2)
      return emitError() << name << " has shape "
                         << formatShape(tensor->getShape())
                         << ", expected rank 2 or more: matrices";
    type = *tensor;
  }
  auto [lhs, rhs] = types;
  ArrayRef<int64_t> lhsMatrix = lhs.getShape().take_back(2);
  ArrayRef<int64_t> rhsMatrix = rhs.getShape().take_back(2);
  bool transA = adaptor.getTransposeA(), transB = adaptor.getTransposeB();
  int64_t rows = lhsMatrix[transA], inLhs = lhsMatrix[!transA];
  int64_t inRhs = rhsMatrix[transB], columns = rhsMatrix[!transB];
  if (inLhs != inRhs)
    return emitError() << "lhs has matrices of " << rows << " rows and "
                       << inLhs << " columns, rhs of " << inRhs << " rows and "
                       << columns << " columns, expected as many rows of rhs "
                       << "as columns of lhs";
  auto batch = broadcastShapes(emitError, lhs.getShape().drop_back(2),
                               rhs.getShape().drop_back(2));
  if (failed(batch))
    return failure();
  auto elementType =
      inferContractionType(emitError, lhs, rhs, adaptor.getOutDtype());
  if (failed(elementType))
    return failure();
  batch->append({rows, columns});
  return makeResult(emitError, *batch, *elementType);
}

//===----------------------------------------------------------------------===//
// AttentionOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> AttentionOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  RankedTensorType query, key, value;
  for (auto [type, operand, name] :
       {std::tuple(&query, adaptor.getQuery(), "query"),
        std::tuple(&key, adaptor.getKey(), "key"),
        std::tuple(&value, adaptor.getValue(), "value")}) {
    auto tensor = getTensor(emitError, operand, name);
    if (failed(tensor))
      return failure();
    if (tensor->getRank() < 2)
      return emitError() << name << " has shape "
                         << formatShape(tensor->getShape())
                         << ", expected rank 2 or more: matrices";
    *type = *tensor;
    if (type != &query &&
        failed(checkElementType(emitError, name, *tensor, "query",
                                query.getElementType())))
      return failure();
  }
  if (!isa<FloatType>(query.getElementType()))
    return emitError() << "query has elements " << query.getElementType()
                       << ", expected floats";
  auto q = query.getShape().take_back(2), k = key.getShape().take_back(2);
  auto v = value.getShape().take_back(2);
  if (q[1] != k[1])
    return emitError() << "key has shape " << formatShape(key.getShape())
                       << ", expected " << q[1]
                       << " elements in the last dimension, as query has";
  if (k[0] != v[0])
    return emitError() << "value has shape " << formatShape(value.getShape())
                       << ", expected " << k[0] << " rows, one for each of key";
  auto batch = broadcastShapes(emitError, query.getShape().drop_back(2),
                               key.getShape().drop_back(2));
  if (failed(batch))
    return failure();
  SmallVector<int64_t> scores(*batch);
  scores.append({q[0], k[0]});
  auto broadcastsTo = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> to) {
    return shape.size() <= to.size() &&
           llvm::all_of(llvm::zip(llvm::reverse(shape), llvm::reverse(to)),
                        [](auto pair) {
                          auto [size, wanted] = pair;
                          return size == wanted || size == 1;
                        });
  };
  if (!broadcastsTo(value.getShape().drop_back(2), *batch))
    return emitError() << "value has shape " << formatShape(value.getShape())
                       << ", whose batches do not broadcast to those of the "
                          "scores, which have shape "
                       << formatShape(scores);
  if (Value operand = adaptor.getMask()) {
    auto mask = getTensor(emitError, operand, "mask");
    if (failed(mask) ||
        failed(checkElementType(emitError, "mask", *mask, "query",
                                query.getElementType())))
      return failure();
    if (!broadcastsTo(mask->getShape(), scores))
      return emitError() << "mask has shape " << formatShape(mask->getShape())
                         << ", which does not broadcast to the scores, which "
                            "have shape "
                         << formatShape(scores);
  }
  batch->append({q[0], v[1]});
  return makeResult(emitError, *batch, query.getElementType());
}

//===----------------------------------------------------------------------===//
// EinsumOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> EinsumOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  StringRef equation = adaptor.getEquation();
  size_t arrow = equation.find("->");
  if (arrow == StringRef::npos)
    return emitError() << "equation is \"" << equation
                       << "\", expected the dimensions of the result behind a "
                          "'->'";
  StringRef resultNames = equation.drop_front(arrow + 2);
  SmallVector<StringRef> terms;
  equation.take_front(arrow).split(terms, ',');
  if (terms.size() != adaptor.getData().size())
    return emitError() << "equation has " << terms.size()
                       << " operands, expected " << adaptor.getData().size();
  llvm::MapVector<char, int64_t> sizes;
  Type elementType;
  for (auto [index, term, operand] :
       llvm::enumerate(terms, adaptor.getData())) {
    std::string name = "operand " + std::to_string(index);
    auto type = getTensor(emitError, operand, name);
    if (failed(type))
      return failure();
    if (!elementType)
      elementType = type->getElementType();
    if (failed(
            checkElementType(emitError, name, *type, "operand 0", elementType)))
      return failure();
    if (int64_t(term.size()) != type->getRank())
      return emitError() << name << " has shape "
                         << formatShape(type->getShape()) << ", expected rank "
                         << term.size() << " as \"" << term
                         << "\" in the equation";
    for (auto [letter, size] : llvm::zip_equal(term, type->getShape())) {
      if (!llvm::isAlpha(letter))
        return emitError() << "equation is \"" << equation
                           << "\", expected dimensions named by letters, found "
                              "'"
                           << std::string(1, letter) << "'";
      int64_t &known = sizes.try_emplace(letter, size).first->second;
      if (known == 1)
        known = size;
      else if (size != 1 && size != known)
        return emitError() << "dimension '" << std::string(1, letter) << "' of "
                           << name << " has size " << size << ", expected "
                           << known << " as in other operands, or 1";
    }
  }
  SmallVector<int64_t> shape;
  for (auto [index, letter] : llvm::enumerate(resultNames)) {
    auto *entry = sizes.find(letter);
    if (entry == sizes.end())
      return emitError() << "equation is \"" << equation << "\", expected '"
                         << std::string(1, letter)
                         << "' of the result in an operand, too";
    if (resultNames.take_front(index).contains(letter))
      return emitError() << "equation is \"" << equation << "\", expected '"
                         << std::string(1, letter) << "' once in the result";
    shape.push_back(entry->second);
  }
  return makeResult(emitError, shape, elementType);
}

namespace {
/// einsum "...ij,...jk->...ik" -> batch_matmul, which accelerators and other
/// patterns match. Handles any letters and transposed matrices.
struct EinsumToBatchMatmul : OpRewritePattern<EinsumOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(EinsumOp op,
                                PatternRewriter &rewriter) const override {
    auto [inputs, result] = op.getEquation().split("->");
    auto [lhs, rhs] = inputs.split(',');
    size_t rank = result.size();
    if (op.getData().size() != 2 || rank < 2 || lhs.size() != rank ||
        rhs.size() != rank)
      return rewriter.notifyMatchFailure(op, "no product of two matrices");
    StringRef batch = result.drop_back(2);
    if (!lhs.consume_front(batch) || !rhs.consume_front(batch))
      return rewriter.notifyMatchFailure(op, "the batches differ in order");
    char row = result[rank - 2], column = result[rank - 1];
    bool transposeA = lhs[1] == row, transposeB = rhs[0] == column;
    char inner = lhs[transposeA ? 0 : 1];
    if (lhs[transposeA ? 1 : 0] != row || rhs[transposeB ? 0 : 1] != column ||
        rhs[transposeB ? 1 : 0] != inner || result.contains(inner) ||
        row == column)
      return rewriter.notifyMatchFailure(op, "no sum over one dimension");
    // batch_matmul does not broadcast the dimensions of the matrices.
    auto sizes = [&](unsigned i) {
      return cast<RankedTensorType>(op.getData()[i].getType())
          .getShape()
          .take_back(2);
    };
    if (sizes(0)[transposeA ? 0 : 1] != sizes(1)[transposeB ? 1 : 0])
      return rewriter.notifyMatchFailure(op, "a dimension broadcasts");
    // Sums of narrow integers wrap in an einsum, but not in a batch_matmul.
    Type type = op.getType().getElementType();
    bool isInteger = isa<IntegerType>(type);
    if (isInteger && type.getIntOrFloatBitWidth() < 32)
      return rewriter.notifyMatchFailure(op, "narrow integers");
    rewriter.replaceOpWithNewOp<BatchMatmulOp>(
        op, op.getType(), op.getData()[0], op.getData()[1],
        rewriter.getBoolAttr(transposeA), rewriter.getBoolAttr(transposeB),
        isInteger ? TypeAttr::get(type) : TypeAttr());
    return success();
  }
};
} // namespace

void EinsumOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<EinsumToBatchMatmul>(context);
}

//===----------------------------------------------------------------------===//
// DetOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> DetOp::inferType(EmitErrorFn emitError,
                                             Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  ArrayRef<int64_t> shape = data->getShape();
  constexpr int64_t kLargest = 16;
  if (shape.size() < 2 || shape.back() != shape[shape.size() - 2] ||
      shape.back() > kLargest)
    return emitError() << "data has shape " << formatShape(shape)
                       << ", expected square matrices of at most " << kLargest
                       << " rows in the last two dimensions";
  return makeResult(emitError, shape.drop_back(2), data->getElementType());
}
