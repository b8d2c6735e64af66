//===- Restrictions.h - Restrictions of placement -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_PARTITION_RESTRICTIONS_H
#define UMA_ACCEL_PARTITION_RESTRICTIONS_H

#include "uma/Accel/Partition/Matcher.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <string>

namespace uma::accel {

/// Attributes that restrict the placement of operations. `uma.keep_off` on an
/// operation or function excludes all accelerators (unit attribute), one (its
/// name) or several (array of names). `uma.pin` on an operation names the
/// accelerator that must run it.
inline constexpr llvm::StringLiteral kKeepOffAttrName = "uma.keep_off";
inline constexpr llvm::StringLiteral kPinAttrName = "uma.pin";

/// Restrictions on the operations of one function, from descriptions
/// (`keep_off`, `pin`) and attributes of the graph. Construction is linear in
/// the number of operations.
class Restrictions {
public:
  Restrictions() = default;
  Restrictions(mlir::func::FuncOp function,
               llvm::ArrayRef<AcceleratorOp> accelerators);

  /// Returns the reason that `op` may not run on `accelerator`, or an empty
  /// string if it may.
  std::string getReason(AcceleratorOp accelerator, mlir::Operation *op) const;
  /// Returns the first operation of the match that may not run on
  /// `accelerator`, with the reason, or std::nullopt if all may.
  std::optional<Mismatch> check(AcceleratorOp accelerator,
                                const Match &match) const;

  /// Calls `visit` for all allowed matches in the order of accel::forEachMatch,
  /// but matches of pinned operations first: a pinned operation may need
  /// neighbours that another match would take.
  void forEachMatch(mlir::func::FuncOp function,
                    llvm::ArrayRef<AcceleratorOp> accelerators,
                    llvm::function_ref<bool(mlir::Operation *)> skip,
                    llvm::function_ref<void(Match)> visit) const;

  /// Returns the accelerator that `op` is pinned to, or null if it is not
  /// pinned.
  AcceleratorOp getPin(mlir::Operation *op) const {
    const auto *it = pins.find(op);
    return it == pins.end() ? AcceleratorOp() : it->second.accelerator;
  }
  /// Returns whether the match contains an operation pinned to `accelerator`.
  bool isPinned(AcceleratorOp accelerator, const Match &match) const;

  /// Verifies the attributes and pins: emits errors for malformed, unknown or
  /// contradictory ones and fails if there are any.
  mlir::LogicalResult verify(llvm::ArrayRef<AcceleratorOp> accelerators) const;

  struct Pin {
    AcceleratorOp accelerator;
    /// Source of the pin: a `uma.accel.pin`, or the pinned operation itself.
    mlir::Operation *source;
  };
  /// Pins in the order of the function.
  llvm::MapVector<mlir::Operation *, Pin> pins;
  /// `keep_off`s and `pin`s whose globs match the name of a layer.
  llvm::SmallPtrSet<mlir::Operation *, 4> used;

private:
  void addGlobs(mlir::Operation *op, AcceleratorOp accelerator);
  void addPin(mlir::Operation *op, AcceleratorOp accelerator,
              mlir::Operation *source);
  bool keepsOff(mlir::Operation *holder, llvm::StringRef accelerator) const;

  mutable mlir::func::FuncOp function;
  /// `keep_off` that excludes an accelerator for an operation.
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, KeepOffOp>
      keptOff;
  /// Operations with a second, contradicting pin.
  llvm::MapVector<mlir::Operation *, Pin> conflicts;
  bool hasAttributes = false;
};

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_RESTRICTIONS_H
