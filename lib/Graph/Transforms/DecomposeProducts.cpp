//===- DecomposeProducts.cpp - Products as batch_matmul -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Importers write products in the forms that accelerators match: a dense layer
// with a transpose before its second operand, an einsum. The CPU's kernel reads
// either order of a matrix, so it needs no transpose.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_DECOMPOSEPRODUCTSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

static BatchMatmulOp createProduct(OpBuilder &builder, Location loc, Type type,
                                   Value left, Value right, bool isTransposed) {
  return BatchMatmulOp::create(builder, loc, type, left, right,
                               /*transpose_a=*/builder.getBoolAttr(false),
                               builder.getBoolAttr(isTransposed),
                               /*out_dtype=*/TypeAttr());
}

static bool isFloat(Value value) {
  Type element = getTensorType(value).getElementType();
  return element.isF32() || element.isF64();
}

/// Returns what a transpose that only exchanges the last two dimensions
/// transposes; null for other values.
static Value getTransposed(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose)
    return {};
  SmallVector<int64_t> axes = llvm::to_vector(transpose.getAxes());
  if (axes.size() < 2)
    return {};
  std::swap(axes.end()[-1], axes.end()[-2]);
  bool isExchange = llvm::all_of(llvm::enumerate(axes), [](auto entry) {
    return entry.value() == int64_t(entry.index());
  });
  return isExchange ? transpose.getData() : Value();
}

/// Exchanges the last two dimensions.
static Value transposeMatrix(OpBuilder &builder, Location loc, Value value) {
  auto rank = getTensorType(value).getRank();
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(rank));
  std::swap(axes.end()[-1], axes.end()[-2]);
  return TransposeOp::create(builder, loc, value, axes);
}

//===----------------------------------------------------------------------===//
// dense and batch_matmul
//===----------------------------------------------------------------------===//

/// dense(x, w) -> batch_matmul(x, w^T). Constant weights stay, because they are
/// packed when the model is compiled.
static bool decompose(DenseOp op) {
  if (isConstant(op.getWeight()) || !isFloat(op.getWeight()) ||
      !isFloat(op.getResult()) || getTensorType(op.getData()).getRank() < 2)
    return false;
  OpBuilder builder(op);
  Value straight = getTransposed(op.getWeight());
  Value product =
      createProduct(builder, op.getLoc(), op.getType(), op.getData(),
                    straight ? straight : op.getWeight(), !straight);
  op.getResult().replaceAllUsesWith(product);
  op.erase();
  return true;
}

/// Transposes the first matrix with an operator of its own, and the second one
/// with the attribute.
static bool decompose(BatchMatmulOp op) {
  if (!isFloat(op.getLhs()) || !isFloat(op.getResult()))
    return false;
  bool isChanged = false;
  if (Value straight = getTransposed(op.getRhs())) {
    op.getRhsMutable().assign(straight);
    op.setTransposeB(!op.getTransposeB());
    isChanged = true;
  }
  if (op.getTransposeA()) {
    OpBuilder builder(op);
    Value straight = getTransposed(op.getLhs());
    op.getLhsMutable().assign(
        straight ? straight
                 : transposeMatrix(builder, op.getLoc(), op.getLhs()));
    op.setTransposeA(false);
    isChanged = true;
  }
  return isChanged;
}

//===----------------------------------------------------------------------===//
// einsum
//===----------------------------------------------------------------------===//

namespace {
/// An einsum of two operands as a product of matrices. Each string holds the
/// letters of dimensions that form one dimension of the product.
struct MatrixForm {
  std::string batch, rows, columns, depth;

  static std::optional<MatrixForm> get(EinsumOp op);
};
} // namespace

static bool hasRepeats(StringRef letters) {
  return llvm::any_of(letters, [&](char c) { return letters.count(c) != 1; });
}

std::optional<MatrixForm> MatrixForm::get(EinsumOp op) {
  if (op.getData().size() != 2)
    return std::nullopt;
  StringRef operands, result, left, right;
  std::tie(operands, result) = op.getEquation().split("->");
  std::tie(left, right) = operands.split(',');
  if (hasRepeats(left) || hasRepeats(right))
    return std::nullopt;
  auto sizeOf = [&](unsigned operand, StringRef letters, char c) {
    return getTensorType(op.getData()[operand])
        .getDimSize(int64_t(letters.find(c)));
  };
  MatrixForm form;
  for (char c : result) {
    bool inLeft = left.contains(c), inRight = right.contains(c);
    // Sizes of 1 that broadcast are no products.
    if (inLeft && inRight && sizeOf(0, left, c) != sizeOf(1, right, c))
      return std::nullopt;
    (inLeft && inRight ? form.batch : inLeft ? form.rows : form.columns) += c;
  }
  for (char c : left)
    if (!result.contains(c)) {
      if (!right.contains(c) || sizeOf(0, left, c) != sizeOf(1, right, c))
        return std::nullopt;
      form.depth += c;
    }
  bool isSummed = llvm::any_of(
      right, [&](char c) { return !result.contains(c) && !left.contains(c); });
  if (form.depth.empty() || isSummed)
    return std::nullopt;
  return form;
}

/// Transposes `value`, with dimensions `letters`, to the order of `groups`, and
/// merges each group.
static Value group(OpBuilder &builder, Location loc, Value value,
                   StringRef letters, ArrayRef<StringRef> groups) {
  SmallVector<int64_t> axes, shape;
  ArrayRef<int64_t> sizes = getTensorType(value).getShape();
  for (StringRef letterGroup : groups) {
    shape.push_back(1);
    for (char c : letterGroup) {
      axes.push_back(int64_t(letters.find(c)));
      shape.back() *= sizes[axes.back()];
    }
  }
  if (!llvm::is_sorted(axes))
    value = TransposeOp::create(builder, loc, value, axes);
  if (getTensorType(value).getShape() != ArrayRef(shape))
    value = ReshapeOp::create(builder, loc, value, shape);
  return value;
}

static bool decompose(EinsumOp op) {
  if (!isFloat(op.getResult()))
    return false;
  std::optional<MatrixForm> form = MatrixForm::get(op);
  if (!form)
    return false;
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto [operands, result] = op.getEquation().split("->");
  auto [left, right] = operands.split(',');
  std::string all = form->batch + form->rows + form->columns;
  // The second matrix is read in either order.
  std::string transposed = form->batch + form->columns + form->depth;
  bool isTransposed = right == transposed;
  Value lhs = group(builder, loc, op.getData()[0], left,
                    {form->batch, form->rows, form->depth});
  Value rhs = group(builder, loc, op.getData()[1], right,
                    {form->batch, isTransposed ? form->columns : form->depth,
                     isTransposed ? form->depth : form->columns});
  RankedTensorType leftType = getTensorType(lhs);
  int64_t columns = getTensorType(rhs).getDimSize(isTransposed ? 1 : 2);
  Value product = createProduct(
      builder, loc,
      leftType.clone({leftType.getDimSize(0), leftType.getDimSize(1), columns}),
      lhs, rhs, isTransposed);
  SmallVector<int64_t> shape, axes;
  for (char c : all)
    shape.push_back(op.getType().getDimSize(int64_t(result.find(c))));
  for (char c : result)
    axes.push_back(int64_t(all.find(c)));
  if (ArrayRef(shape) != getTensorType(product).getShape())
    product = ReshapeOp::create(builder, loc, product, shape);
  if (!llvm::is_sorted(axes))
    product = TransposeOp::create(builder, loc, product, axes);
  op.getResult().replaceAllUsesWith(product);
  op.erase();
  return true;
}

namespace {
struct DecomposeProductsPass
    : uma::graph::impl::DecomposeProductsPassBase<DecomposeProductsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> products;
    for (Operation *op : getOpenGraphOps(getOperation()))
      if (isa<DenseOp, BatchMatmulOp, EinsumOp>(op))
        products.push_back(op);
    for (Operation *op : products) {
      bool isRewritten = false;
      if (auto dense = dyn_cast<DenseOp>(op))
        isRewritten = decompose(dense);
      else if (auto matmul = dyn_cast<BatchMatmulOp>(op))
        isRewritten = decompose(matmul);
      else
        isRewritten = decompose(cast<EinsumOp>(op));
      numDecomposed += isRewritten;
    }
    // Transposes without a reader.
    SmallVector<Operation *> all = getOpenGraphOps(getOperation());
    for (Operation *op : llvm::reverse(all))
      if (isa<TransposeOp>(op) && op->use_empty())
        op->erase();
  }
};
} // namespace
