//===- GraphShapeOps.cpp - Operators that move elements -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

//===----------------------------------------------------------------------===//
// ReshapeOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> ReshapeOp::inferType(EmitErrorFn emitError,
                                                 Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data", Elements::Moved);
  if (failed(data))
    return failure();
  int64_t elements = data->getNumElements();
  SmallVector<int64_t> shape(adaptor.getNewshape());
  std::optional<size_t> open;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (size >= 0)
      continue;
    if (size != -1)
      return emitError() << "newshape[" << dim << "] is " << size
                         << ", expected a size or -1";
    if (open)
      return emitError() << "newshape[" << *open << "] and newshape[" << dim
                         << "] are -1, expected at most one -1";
    open = dim;
  }
  if (open)
    shape[*open] = 1;
  std::optional<int64_t> known = checkedProduct(shape);
  if (!known)
    return emitError() << "newshape has 2^63 or more elements, expected "
                       << elements << " as data";
  if (open) {
    if (*known == 0)
      return emitError() << "newshape[" << *open
                         << "] is -1 beside a size of 0, so that any size "
                            "would do; give the size";
    if (elements % *known != 0)
      return emitError() << "newshape cannot hold the " << elements
                         << " elements of data: its known sizes have " << *known
                         << ", expected a divisor of " << elements;
    shape[*open] = elements / *known;
  } else if (*known != elements) {
    return emitError() << "newshape has " << *known << " elements, expected "
                       << elements << " as data of shape "
                       << formatShape(data->getShape());
  }
  return makeResult(emitError, shape, data->getElementType());
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getData().getType() == getType())
    return getData();
  // Reshaped constants share the elements of the original.
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getData()))
    return dense.reshape(getType());
  if (auto resource =
          dyn_cast_or_null<DenseResourceElementsAttr>(adaptor.getData()))
    return DenseResourceElementsAttr::get(getType(), resource.getRawHandle());
  return {};
}

/// Fails within a composite: conversions of layouts there stay as the pattern
/// of the accelerator says.
static LogicalResult checkIsFree(Operation *op, PatternRewriter &rewriter) {
  if (isa<CompositeOp>(op->getParentOp()))
    return rewriter.notifyMatchFailure(op, "it is part of a match");
  return success();
}

namespace {
/// reshape(reshape(x)) -> reshape(x), also for an inner batch_flatten.
struct ComposeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    Operation *inner = op.getData().getDefiningOp();
    if (!isa_and_nonnull<ReshapeOp, BatchFlattenOp>(inner))
      return rewriter.notifyMatchFailure(op, "data is not reshaped");
    if (failed(checkIsFree(op, rewriter)))
      return failure();
    // A -1 stays valid: the number of elements is the same.
    rewriter.modifyOpInPlace(
        op, [&] { op.getDataMutable().assign(inner->getOperand(0)); });
    return success();
  }
};
} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<ComposeReshapes>(context);
}

//===----------------------------------------------------------------------===//
// BatchFlattenOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> BatchFlattenOp::inferType(EmitErrorFn emitError,
                                                      Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data", Elements::Moved);
  if (failed(data))
    return failure();
  if (data->getRank() == 0)
    return emitError() << "data is a scalar, expected rank 1 or more";
  ArrayRef<int64_t> shape = data->getShape();
  // No overflow: getTensor has checked the product of all dimensions.
  return makeResult(emitError,
                    {shape.front(), *checkedProduct(shape.drop_front())},
                    data->getElementType());
}

OpFoldResult BatchFlattenOp::fold(FoldAdaptor) {
  if (getData().getType() == getType())
    return getData();
  return {};
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> TransposeOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data", Elements::Moved);
  if (failed(data))
    return failure();
  int64_t rank = data->getRank();
  ArrayRef<int64_t> axes = adaptor.getAxes();
  if (static_cast<int64_t>(axes.size()) != rank)
    return emitError() << "axes has " << axes.size()
                       << (axes.size() == 1 ? " element" : " elements")
                       << ", expected " << rank << " as data has shape "
                       << formatShape(data->getShape());
  llvm::SmallBitVector seen(rank);
  SmallVector<int64_t> shape;
  for (auto [dim, axis] : llvm::enumerate(axes)) {
    if (axis < 0 || axis >= rank)
      return emitError() << "axes[" << dim << "] is " << axis
                         << ", expected 0 to " << rank - 1;
    if (seen.test(axis))
      return emitError() << "axes has " << axis
                         << " twice, expected every dimension of data once";
    seen.set(axis);
    shape.push_back(data->getDimSize(axis));
  }
  return makeResult(emitError, shape, data->getElementType());
}

/// Returns whether `axes` is [0, 1, 2, ...].
static bool isIdentity(ArrayRef<int64_t> axes) {
  return llvm::all_of(llvm::enumerate(axes), [](auto entry) {
    return static_cast<int64_t>(entry.index()) == entry.value();
  });
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (isIdentity(getAxes()) && getData().getType() == getType())
    return getData();
  return {};
}

namespace {
/// transpose(transpose(x)) -> transpose(x).
struct ComposeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getData().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "data is not transposed");
    if (failed(checkIsFree(op, rewriter)))
      return failure();
    SmallVector<int64_t> axes;
    for (int64_t axis : op.getAxes())
      axes.push_back(inner.getAxes()[axis]);
    rewriter.modifyOpInPlace(op, [&] {
      op.getDataMutable().assign(inner.getData());
      op.setAxes(axes);
    });
    return success();
  }
};

/// Rewrites a transpose that moves only dimensions of size 1 to a reshape,
/// which does not copy the elements.
struct TransposeOfUnitDims : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType data = op.getData().getType();
    SmallVector<int64_t> moved;
    for (int64_t axis : op.getAxes())
      if (data.getDimSize(axis) != 1)
        moved.push_back(axis);
    if (isIdentity(op.getAxes()) || !llvm::is_sorted(moved))
      return rewriter.notifyMatchFailure(op, "elements change their order");
    if (failed(checkIsFree(op, rewriter)))
      return failure();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getData(),
                                           op.getType().getShape());
    return success();
  }
};
} // namespace

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<ComposeTransposes, TransposeOfUnitDims>(context);
}

//===----------------------------------------------------------------------===//
// ConcatenateOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> ConcatenateOp::inferType(EmitErrorFn emitError,
                                                     Adaptor adaptor) {
  if (adaptor.getInputs().empty())
    return emitError() << "has no inputs, expected at least one";
  auto first = getTensor(emitError, adaptor.getInputs().front(), "input 0",
                         Elements::Moved);
  if (failed(first))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            first->getRank());
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(first->getShape());
  for (auto [index, input] :
       llvm::drop_begin(llvm::enumerate(adaptor.getInputs()))) {
    std::string name = ("input " + Twine(index)).str();
    auto type = getTensor(emitError, input, name, Elements::Moved);
    if (failed(type) ||
        failed(checkElementType(emitError, name, *type, "input 0",
                                first->getElementType())))
      return failure();
    if (type->getRank() != first->getRank())
      return emitError() << name << " has shape "
                         << formatShape(type->getShape()) << ", expected rank "
                         << first->getRank() << " as input 0 of shape "
                         << formatShape(first->getShape());
    for (int64_t dim = 0; dim < first->getRank(); ++dim)
      if (dim != *axis && type->getDimSize(dim) != first->getDimSize(dim))
        return emitError() << name << " has shape "
                           << formatShape(type->getShape())
                           << ", expected size " << first->getDimSize(dim)
                           << " in dimension " << dim << " as input 0 of shape "
                           << formatShape(first->getShape()) << ": only axis "
                           << *axis << " may differ";
    if (llvm::AddOverflow(shape[*axis], type->getDimSize(*axis), shape[*axis]))
      return emitError() << "inputs have 2^63 or more elements along axis "
                         << *axis;
  }
  return makeResult(emitError, shape, first->getElementType());
}

OpFoldResult ConcatenateOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  return {};
}
