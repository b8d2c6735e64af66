//===- LinalgBuilder.h - Builds linalg for one operator -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_GRAPHTOLINALG_LINALGBUILDER_H
#define UMA_LIB_CONVERSION_GRAPHTOLINALG_LINALGBUILDER_H

#include "uma/Graph/IR/GraphOps.h"
#include "uma/TIR/Builder/LayerBuilder.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <functional>

namespace uma {

/// The vocabulary of the rules that turn operators into linalg on tensors.
///
/// Scalar arithmetic is LayerBuilder's, and so are the types it is done in:
/// 16-bit floats are computed in f32, as in the emitted C.
class LinalgBuilder {
public:
  LinalgBuilder(mlir::OpBuilder &builder, mlir::Operation *op)
      : builder(builder), loc(op->getLoc()), op(op) {}

  /// What a loop nest reads: the element of `tensor` at one affine expression
  /// of the loops per dimension.
  struct Operand {
    mlir::Value tensor;
    llvm::SmallVector<mlir::AffineExpr> at;
  };
  /// Builds a scalar from scalars.
  using ScalarFn =
      llvm::function_ref<mlir::Value(LayerBuilder &, mlir::ValueRange)>;

  /// Reports why the operator cannot be converted; returns null.
  mlir::Value fail(const llvm::Twine &reason);

  mlir::AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }
  mlir::AffineExpr expr(int64_t value) {
    return builder.getAffineConstantExpr(value);
  }
  /// `tensor` at the loops with these numbers; at all of them, in order,
  /// without any.
  Operand at(mlir::Value tensor, llvm::ArrayRef<int64_t> dims);
  /// `tensor`, which broadcasts to the last of `rank` loops as NumPy's do.
  Operand broadcast(mlir::Value tensor, int64_t rank);

  mlir::Value index(int64_t value);
  /// Returns the number of a float or integer type.
  mlir::Value scalar(mlir::Type type, double value);
  /// Returns the lowest or highest value of a type; an infinity of floats.
  mlir::Value limit(mlir::Type type, bool isLowest);
  mlir::Value empty(llvm::ArrayRef<int64_t> shape, mlir::Type elementType);
  mlir::Value filled(llvm::ArrayRef<int64_t> shape, mlir::Value scalar);

  /// result[i...] = fn(elements of the operands, converted to the compute type
  /// of their own), converted to `elementType`.
  mlir::Value map(llvm::ArrayRef<int64_t> shape, mlir::Type elementType,
                  llvm::ArrayRef<Operand> operands, ScalarFn fn);
  /// As above, where `fn` gets the indices of the element before the
  /// elements.
  mlir::Value mapIndices(llvm::ArrayRef<int64_t> shape, mlir::Type elementType,
                         llvm::ArrayRef<Operand> operands, ScalarFn fn);

  /// Returns a loop nest over as many loops as `reduces` has, those that it
  /// says so of reductions. Starts from `init`, whose dimensions are the other
  /// loops in order, and gives its elements `fn(elements of the operands in its
  /// type..., its old element)`.
  mlir::Value reduce(mlir::Value init, llvm::ArrayRef<bool> reduces,
                     llvm::ArrayRef<Operand> operands, ScalarFn fn);
  /// reduce() whose result has its dimensions at the expressions `out`.
  mlir::Value reduceInto(const Operand &init, llvm::ArrayRef<bool> reduces,
                         llvm::ArrayRef<Operand> operands, ScalarFn fn);

  /// Combines the elements of `data`, beginning with `start`, along the
  /// dimensions that `reduces` says so of; the result has the others.
  mlir::Value reduceDims(mlir::Value data, llvm::ArrayRef<bool> reduces,
                         mlir::Value start, ScalarFn fn);

  /// `tensor` with elements of another type, itself if it has that.
  mlir::Value convert(mlir::Value tensor, mlir::Type elementType);
  mlir::Value reshape(mlir::Value tensor, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value tensor, llvm::ArrayRef<int64_t> axes);
  /// `tensor` with elements of `value` around it.
  mlir::Value pad(mlir::Value tensor, llvm::ArrayRef<int64_t> before,
                  llvm::ArrayRef<int64_t> after, mlir::Value value);
  /// `tensor` put into `into` from `offsets` on.
  mlir::Value insert(mlir::Value tensor, mlir::Value into,
                     llvm::ArrayRef<int64_t> offsets,
                     llvm::ArrayRef<int64_t> strides = {});
  mlir::Value extract(mlir::Value tensor, llvm::ArrayRef<int64_t> offsets,
                      llvm::ArrayRef<int64_t> sizes,
                      llvm::ArrayRef<int64_t> strides = {});

  static llvm::ArrayRef<int64_t> getShape(mlir::Value tensor) {
    return mlir::cast<mlir::RankedTensorType>(tensor.getType()).getShape();
  }
  static mlir::Type getElement(mlir::Value tensor) {
    return mlir::getElementTypeOrSelf(tensor.getType());
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  mlir::Operation *op;
};

/// The rules by operator.
class LinalgRules {
public:
  /// Returns what takes the place of the operator's result; null after an
  /// error.
  using Fn = std::function<mlir::Value(LinalgBuilder &, mlir::Operation *)>;

  template <typename OpT, typename FnT>
  void add(FnT rule) {
    add(OpT::getOperationName(),
        [rule](LinalgBuilder &builder, mlir::Operation *op) {
          return rule(builder, mlir::cast<OpT>(op));
        });
  }
  void add(llvm::StringRef name, Fn rule) { rules[name] = std::move(rule); }
  const Fn *lookup(mlir::Operation *op) const {
    auto entry = rules.find(op->getName().getStringRef());
    return entry == rules.end() ? nullptr : &entry->second;
  }

private:
  llvm::StringMap<Fn> rules;
};

/// Adds an element to the sum so far: what LinalgBuilder::reduceDims gets for a
/// sum.
inline mlir::Value addElements(LayerBuilder &e, mlir::ValueRange x) {
  return e.add(x[1], x[0]);
}

/// Returns the axis in [0, rank) of one in [-rank, rank).
inline int64_t getAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

void populateLinalgContractionRules(LinalgRules &rules);
void populateLinalgConvRules(LinalgRules &rules);
void populateLinalgElementwiseRules(LinalgRules &rules);
void populateLinalgIndexRules(LinalgRules &rules);
void populateLinalgMovementRules(LinalgRules &rules);
void populateLinalgNormalizationRules(LinalgRules &rules);
void populateLinalgPoolRules(LinalgRules &rules);
void populateLinalgReduceRules(LinalgRules &rules);

} // namespace uma

#endif // UMA_LIB_CONVERSION_GRAPHTOLINALG_LINALGBUILDER_H
