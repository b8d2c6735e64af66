//===- LayerBuilder.h - Builds the loops and blocks of one layer ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TIR_BUILDER_LAYERBUILDER_H
#define UMA_TIR_BUILDER_LAYERBUILDER_H

#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace uma {

/// Builds schedulable TIR: loop nests whose innermost body is a block. The
/// vocabulary of the operator strategies.
///
/// What creates operations twice does so in two statements: C++ leaves the
/// order of a call's arguments to the compiler, and the code must not depend on
/// that.
///
/// Arithmetic is done in the compute type of the data (getComputeType), so that
/// half-precision buffers are converted at each load and store only.
class LayerBuilder {
public:
  LayerBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// The elements that a block loads or stores: those of `buffer` from the one
  /// given by one affine expression of the block's iteration variables per
  /// dimension; one element where `extents` is empty.
  struct Access {
    mlir::Value buffer;
    llvm::SmallVector<mlir::AffineExpr> first;
    llvm::SmallVector<int64_t> extents = {};
  };

  /// One dimension of a loop nest.
  struct Dim {
    int64_t extent;
    tir::IterKind kind = tir::IterKind::Spatial;
  };

  /// Buffers hold signless integers; this remembers that those of `buffer` are
  /// unsigned in the model.
  void setUnsigned(mlir::Value buffer) { unsignedBuffers.insert(buffer); }
  bool isUnsigned(mlir::Value buffer) const {
    return unsignedBuffers.contains(buffer);
  }

  /// Returns the type that a layer computes in: f64 for f64, f32 for other
  /// floats, the type itself for integers.
  static mlir::Type getComputeType(mlir::Type elementType);

  /// Returns the iteration variable number `i` in affine expressions.
  mlir::AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }
  mlir::AffineExpr expr(int64_t value) {
    return builder.getAffineConstantExpr(value);
  }
  /// Returns the identity access: iteration variable `i` for dimension `i`.
  Access whole(mlir::Value buffer);

  /// Returns a local variable of rank 0, or a small local array of some shape.
  mlir::Value local(llvm::StringRef label, mlir::Type type,
                    llvm::ArrayRef<int64_t> shape = {});
  /// Returns the access of any element, where data decide which one it is.
  Access anywhere(mlir::Value buffer);

  mlir::Value index(int64_t value);
  /// Returns a constant of a float or integer type; integers are truncated.
  mlir::Value constant(mlir::Type type, double value);
  /// Converts between element types, as uma.graph.cast does. `isUnsigned` says
  /// so of the integers: of `value`, or of `to` where `value` is a float.
  mlir::Value convert(mlir::Value value, mlir::Type to,
                      bool isUnsigned = false);
  mlir::Value load(mlir::Value buffer, mlir::ValueRange indices);
  /// Loads the element at the access and converts it to `type`.
  mlir::Value loadAt(mlir::Type type, const Access &access,
                     mlir::ValueRange vars);
  /// Loads an element and converts it to `type`, by the buffer's signedness.
  mlir::Value loadAs(mlir::Type type, mlir::Value buffer,
                     mlir::ValueRange indices) {
    return convert(load(buffer, indices), type, isUnsigned(buffer));
  }
  /// Stores `value`, converted to the element type of the buffer.
  void store(mlir::Value value, mlir::Value buffer, mlir::ValueRange indices);
  void storeAt(mlir::Value value, const Access &access, mlir::ValueRange vars) {
    store(value, access.buffer, applyAll(access, vars));
  }
  /// Prefetches the element at the access.
  void prefetchAt(const Access &access, mlir::ValueRange vars);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  /// Returns the quotient of floats.
  mlir::Value div(mlir::Value lhs, mlir::Value rhs);
  /// lhs < rhs for floats (ordered) and integers.
  mlir::Value lessThan(mlir::Value lhs, mlir::Value rhs,
                       bool isUnsigned = false);
  /// Applies an affine expression of iteration variables.
  mlir::Value apply(mlir::AffineExpr expression, mlir::ValueRange vars);

  /// Returns the indices of the first element of an access.
  llvm::SmallVector<mlir::Value> applyAll(const Access &access,
                                          mlir::ValueRange vars);

  using BodyFn = llvm::function_ref<void(mlir::ValueRange vars)>;

  /// Loops over `extents` around `body`, which gets the loop variables. Of
  /// loops that are independent, threads share the longest one of the first
  /// two.
  void loops(llvm::ArrayRef<int64_t> extents, BodyFn body,
             bool isParallel = false);

  /// One block inside the present loops: iteration variables of `dims` bound to
  /// `bindings`. The body gets the iteration variables.
  void block(llvm::StringRef label, llvm::ArrayRef<Dim> dims,
             mlir::ValueRange bindings, llvm::ArrayRef<Access> reads,
             llvm::ArrayRef<Access> writes, BodyFn body, BodyFn init = nullptr);

  /// result[i...] = fn(elements of the operands at i...), for an access per
  /// operand; the elements come converted to `computeType`, without one to the
  /// compute type of their own.
  void elementwise(llvm::StringRef label, mlir::Value result,
                   llvm::ArrayRef<Access> operands, mlir::Type computeType,
                   llvm::function_ref<mlir::Value(mlir::ValueRange)> fn);

  /// Returns a reduction into a local scalar of type `type`, inside the present
  /// loops. Iteration variables are those bound to `outer`, then one for each
  /// of `extents`. `update` gets all variables and the scalar's value and
  /// returns its new one. Returns the scalar's buffer.
  mlir::Value
  reduce(llvm::StringRef label, mlir::ValueRange outer,
         llvm::ArrayRef<int64_t> outerExtents, llvm::ArrayRef<int64_t> extents,
         mlir::Type type, mlir::Value start, llvm::ArrayRef<Access> reads,
         llvm::function_ref<mlir::Value(mlir::ValueRange, mlir::Value)> update);

  /// Stores `value` of a scalar buffer to result[outer...], in a block.
  void storeScalar(
      llvm::StringRef label, mlir::ValueRange outer, mlir::Value scalar,
      mlir::Value result,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::ValueRange)> finish =
          nullptr);

  /// Runs `inside` only where all of `conditions` hold, else gives `otherwise`.
  mlir::Value guarded(llvm::ArrayRef<mlir::Value> conditions,
                      mlir::Value otherwise,
                      llvm::function_ref<mlir::Value()> inside);

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  mlir::Value convertToInteger(mlir::Value value, mlir::Type to,
                               bool isUnsigned);

  llvm::SmallPtrSet<mlir::Value, 4> unsignedBuffers;
};

/// Returns the shape of a buffer.
inline llvm::ArrayRef<int64_t> getShape(mlir::Value buffer) {
  return mlir::cast<mlir::MemRefType>(buffer.getType()).getShape();
}
/// Returns the element type of a buffer.
inline mlir::Type getElement(mlir::Value buffer) {
  return mlir::cast<mlir::MemRefType>(buffer.getType()).getElementType();
}

} // namespace uma

#endif // UMA_TIR_BUILDER_LAYERBUILDER_H
