//===- LayerBuilder.h - Builder of loops and blocks -*- C++ -*-------------===//
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

/// Returns whether threads can share a loop of `extent` iterations evenly.
inline bool isEvenlyShared(int64_t extent) {
  constexpr int64_t enough = 8;
  return extent >= enough || extent == 4 || extent == 6;
}

/// Returns the loop that threads share: the first one of `extents` that they
/// can share evenly, or the longest one if there is none.
size_t chooseParallel(llvm::ArrayRef<int64_t> extents);
/// Returns whether threads share the rows of images of `pixels` pixels, stored
/// in blocks of channels. In smaller ones, a thread's part of a block is so few
/// lines that its core prefetches lines beyond them, which another thread has
/// written or will write.
inline bool sharesRows(int64_t pixels) {
  constexpr int64_t pages = 8, pixelsPerPage = 64;
  return pixels >= pages * pixelsPerPage;
}
/// Returns the loop that threads share, of loops over images, blocks of
/// channels and rows of `columns` pixels: rows of large images, blocks of small
/// ones. All layers of a network are split that way, so that each thread mostly
/// reads what it wrote.
size_t chooseParallelRows(int64_t images, int64_t blocks, int64_t rows,
                          int64_t columns);

/// Builds schedulable TIR, i.e. loop nests whose innermost body is a block. The
/// operator strategies are written with it.
///
/// Never build operations in two arguments of one call: C++ does not specify
/// their order of evaluation, and the generated code must not depend on it.
///
/// Arithmetic uses the compute type of the data (getComputeType), so that
/// half-precision buffers are converted at loads and stores only.
class LayerBuilder {
public:
  LayerBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// Region of a buffer that a block loads or stores. `first` is the index of
  /// its first element: one affine expression of the block's iteration
  /// variables per dimension. The region is one element if `extents` is empty.
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

  /// Marks the elements of `buffer` as unsigned in the model: buffers hold
  /// signless integers.
  void setUnsigned(mlir::Value buffer) { unsignedBuffers.insert(buffer); }
  bool isUnsigned(mlir::Value buffer) const {
    return unsignedBuffers.contains(buffer);
  }

  /// Returns the type in which a layer computes: f64 for f64, f32 for other
  /// floats, integers unchanged.
  static mlir::Type getComputeType(mlir::Type elementType);

  /// Returns iteration variable `i` as an affine expression.
  mlir::AffineExpr dim(unsigned i) { return builder.getAffineDimExpr(i); }
  mlir::AffineExpr expr(int64_t value) {
    return builder.getAffineConstantExpr(value);
  }
  /// Returns the identity access: iteration variable `i` for dimension `i`.
  Access whole(mlir::Value buffer);

  /// Allocates a local variable of rank 0, or a small local array of the given
  /// shape.
  mlir::Value local(llvm::StringRef label, mlir::Type type,
                    llvm::ArrayRef<int64_t> shape = {});
  /// Returns an access to the whole buffer, for indices that depend on data.
  Access anywhere(mlir::Value buffer);

  mlir::Value index(int64_t value);
  /// Builds a float or integer constant. Integers are truncated.
  mlir::Value constant(mlir::Type type, double value);
  /// Converts between element types, as uma.graph.cast does. `isUnsigned` is
  /// the signedness of the integer side: of `value`, or of `to` if `value` is a
  /// float.
  mlir::Value convert(mlir::Value value, mlir::Type to,
                      bool isUnsigned = false);
  mlir::Value load(mlir::Value buffer, mlir::ValueRange indices);
  /// Loads the element at the access and converts it to `type`.
  mlir::Value loadAt(mlir::Type type, const Access &access,
                     mlir::ValueRange vars);
  /// Loads an element and converts it to `type` with the buffer's signedness.
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
  /// Returns `sum` plus the dot product of two words of `wordSize` elements:
  /// pairs of i16, or quads of ui8 and i8, or pairs of bf16 if `sum` is f32.
  mlir::Value dot(mlir::Value lhs, mlir::Value rhs, mlir::Value sum,
                  int64_t wordSize);
  /// Returns a view of a buffer of integers as words.
  mlir::Value words(mlir::Value buffer);
  /// Returns two of the bytes of a word as a pair of i16: 0 and 2, or 1 and 3.
  mlir::Value unpack(mlir::Value word, bool isUnsigned, bool isOdd);
  /// Divides floats.
  mlir::Value div(mlir::Value lhs, mlir::Value rhs);
  /// Compares lhs < rhs, for integers or floats (ordered).
  mlir::Value lessThan(mlir::Value lhs, mlir::Value rhs,
                       bool isUnsigned = false);
  /// Applies an affine expression of iteration variables.
  mlir::Value apply(mlir::AffineExpr expression, mlir::ValueRange vars);

  /// Returns the indices of the first element of an access.
  llvm::SmallVector<mlir::Value> applyAll(const Access &access,
                                          mlir::ValueRange vars);

  using BodyFn = llvm::function_ref<void(mlir::ValueRange vars)>;

  /// Builds loops over `extents` around `body`, which takes the loop variables.
  /// Threads share loop `parallel`, if given; iterations of the loops around it
  /// must be as independent.
  void loops(llvm::ArrayRef<int64_t> extents, BodyFn body,
             std::optional<size_t> parallel = std::nullopt);

  /// Builds a block at the insertion point. Its iteration variables `dims` are
  /// bound to `bindings`; `body` and `init` take the iteration variables.
  void block(llvm::StringRef label, llvm::ArrayRef<Dim> dims,
             mlir::ValueRange bindings, llvm::ArrayRef<Access> reads,
             llvm::ArrayRef<Access> writes, BodyFn body, BodyFn init = nullptr);

  /// Builds result[i...] = fn(operands[i...]), with one access per operand.
  /// Elements are converted to `computeType` or, if it is null, to the compute
  /// type of their buffer.
  void elementwise(llvm::StringRef label, mlir::Value result,
                   llvm::ArrayRef<Access> operands, mlir::Type computeType,
                   llvm::function_ref<mlir::Value(mlir::ValueRange)> fn);

  /// Builds a reduction into a local scalar of type `type` at the insertion
  /// point, and returns the scalar's buffer. The iteration variables are those
  /// bound to `outer`, followed by one for each of `extents`. `update` takes
  /// all variables and the scalar's value, and returns its new value.
  mlir::Value
  reduce(llvm::StringRef label, mlir::ValueRange outer,
         llvm::ArrayRef<int64_t> outerExtents, llvm::ArrayRef<int64_t> extents,
         mlir::Type type, mlir::Value start, llvm::ArrayRef<Access> reads,
         llvm::function_ref<mlir::Value(mlir::ValueRange, mlir::Value)> update);

  /// Builds a block that stores the value of a scalar buffer, passed through
  /// `finish` if given, to result[outer...].
  void storeScalar(
      llvm::StringRef label, mlir::ValueRange outer, mlir::Value scalar,
      mlir::Value result,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::ValueRange)> finish =
          nullptr);

  /// Builds an `scf.if` that yields `inside()` if all of `conditions` hold, and
  /// `otherwise` if not. Returns `inside()` if there are no conditions.
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
