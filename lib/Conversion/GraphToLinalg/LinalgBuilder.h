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

/// Builds linalg on tensors for the conversion rules.
///
/// Scalar arithmetic and its types are those of LayerBuilder: 16-bit floats are
/// computed in f32, as in the emitted C.
class LinalgBuilder {
public:
  LinalgBuilder(mlir::OpBuilder &builder, mlir::Operation *op)
      : builder(builder), loc(op->getLoc()), op(op) {}

  /// Operand of a loop nest: `tensor`, indexed by one affine expression of the
  /// loops per dimension.
  struct Operand {
    mlir::Value tensor;
    llvm::SmallVector<mlir::AffineExpr> at;
  };
  /// Builds a result scalar from operand scalars.
  using ScalarFn =
      llvm::function_ref<mlir::Value(LayerBuilder &, mlir::ValueRange)>;

  /// Emits an error with the reason why the operator cannot be converted, and
  /// returns null.
  mlir::Value fail(const llvm::Twine &reason);

  mlir::AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }
  mlir::AffineExpr expr(int64_t value) {
    return builder.getAffineConstantExpr(value);
  }
  /// Returns `tensor` indexed by the loops `dims`, or by all loops in order if
  /// `dims` is empty.
  Operand at(mlir::Value tensor, llvm::ArrayRef<int64_t> dims);
  /// Returns `tensor` broadcast to the last of `rank` loops, as in NumPy.
  Operand broadcast(mlir::Value tensor, int64_t rank);

  mlir::Value index(int64_t value);
  /// Builds a constant of a float or integer type.
  mlir::Value scalar(mlir::Type type, double value);
  /// Builds the lowest or highest value of a type, which is infinite for
  /// floats.
  mlir::Value limit(mlir::Type type, bool isLowest);
  mlir::Value empty(llvm::ArrayRef<int64_t> shape, mlir::Type elementType);
  mlir::Value filled(llvm::ArrayRef<int64_t> shape, mlir::Value scalar);

  /// Builds result[i...] = fn(operands[i...]), with operands converted to their
  /// compute types and the result to `elementType`.
  mlir::Value map(llvm::ArrayRef<int64_t> shape, mlir::Type elementType,
                  llvm::ArrayRef<Operand> operands, ScalarFn fn);
  /// Like map(), but `fn` takes the indices of the element before the operands.
  mlir::Value mapIndices(llvm::ArrayRef<int64_t> shape, mlir::Type elementType,
                         llvm::ArrayRef<Operand> operands, ScalarFn fn);

  /// Builds a loop nest over `reduces.size()` loops; true marks reduction
  /// loops. The dimensions of `init` are the other loops, in order. Each
  /// iteration sets an element of the result to `fn(operands..., old element)`,
  /// in the type of `init`.
  mlir::Value reduce(mlir::Value init, llvm::ArrayRef<bool> reduces,
                     llvm::ArrayRef<Operand> operands, ScalarFn fn);
  /// Like reduce(), but the dimensions of the result are indexed by `init.at`.
  mlir::Value reduceInto(const Operand &init, llvm::ArrayRef<bool> reduces,
                         llvm::ArrayRef<Operand> operands, ScalarFn fn);

  /// Reduces `data` by `fn`, starting with `start`, along the dimensions marked
  /// in `reduces`. The result has the other dimensions.
  mlir::Value reduceDims(mlir::Value data, llvm::ArrayRef<bool> reduces,
                         mlir::Value start, ScalarFn fn);

  /// Converts `tensor` to `elementType`; returns it unchanged if it has that
  /// type.
  mlir::Value convert(mlir::Value tensor, mlir::Type elementType);
  mlir::Value reshape(mlir::Value tensor, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value tensor, llvm::ArrayRef<int64_t> axes);
  /// Pads `tensor` with `value`.
  mlir::Value pad(mlir::Value tensor, llvm::ArrayRef<int64_t> before,
                  llvm::ArrayRef<int64_t> after, mlir::Value value);
  /// Inserts `tensor` into `into` at `offsets`.
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

/// Registry of conversion rules, keyed by operator name.
class LinalgRules {
public:
  /// Builds the replacement of the operator's result. Returns null after an
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

/// Accumulates a sum in LinalgBuilder::reduceDims.
inline mlir::Value addElements(LayerBuilder &e, mlir::ValueRange x) {
  return e.add(x[1], x[0]);
}

/// Converts an axis in [-rank, rank) to [0, rank).
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
