//===- Restrictions.h - Layers kept off or pinned to devices -*- C++ -*----===//
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

/// Attributes of the graph that restrict where operations run. `uma.keep_off`,
/// on operations and functions: alone for every accelerator, a string for the
/// one of that name, an array of strings for several. `uma.pin`, on operations:
/// the name of the accelerator.
inline constexpr llvm::StringLiteral kKeepOffAttrName = "uma.keep_off";
inline constexpr llvm::StringLiteral kPinAttrName = "uma.pin";

/// Restrictions by descriptions (`keep_off`, `pin`) and attributes of the graph
/// on the operations of one function. Linear in their number.
class Restrictions {
public:
  Restrictions() = default;
  Restrictions(mlir::func::FuncOp function,
               llvm::ArrayRef<AcceleratorOp> accelerators);

  /// Returns why `op` may not run on `accelerator`; empty if it may.
  std::string getReason(AcceleratorOp accelerator, mlir::Operation *op) const;
  /// Returns the first operation of the match that may not run on its
  /// accelerator, with the reason; std::nullopt if all may.
  std::optional<Mismatch> check(AcceleratorOp accelerator,
                                const Match &match) const;

  /// Calls `visit` for the matches that are allowed, as accel::forEachMatch
  /// does; those of pinned operations first, since a pinned operation may need
  /// neighbours that another match would take.
  void forEachMatch(mlir::func::FuncOp function,
                    llvm::ArrayRef<AcceleratorOp> accelerators,
                    llvm::function_ref<bool(mlir::Operation *)> skip,
                    llvm::function_ref<void(Match)> visit) const;

  /// Returns the accelerator that `op` must run on; null for most.
  AcceleratorOp getPin(mlir::Operation *op) const {
    const auto *it = pins.find(op);
    return it == pins.end() ? AcceleratorOp() : it->second.accelerator;
  }
  /// Returns whether the match holds an operation that is pinned to
  /// `accelerator`.
  bool isPinned(AcceleratorOp accelerator, const Match &match) const;

  /// Emits errors about attributes and pins themselves.
  mlir::LogicalResult verify(llvm::ArrayRef<AcceleratorOp> accelerators) const;

  struct Pin {
    AcceleratorOp accelerator;
    /// Source of the pin: a `uma.accel.pin`, otherwise the operation.
    mlir::Operation *source;
  };
  /// Pins in the order of the function.
  llvm::MapVector<mlir::Operation *, Pin> pins;
  /// Globs of descriptions that match the name of a layer.
  llvm::SmallPtrSet<mlir::Operation *, 4> used;

private:
  void addGlobs(mlir::Operation *op, AcceleratorOp accelerator);
  void addPin(mlir::Operation *op, AcceleratorOp accelerator,
              mlir::Operation *source);
  bool keepsOff(mlir::Operation *holder, llvm::StringRef accelerator) const;

  mutable mlir::func::FuncOp function;
  /// Glob that keeps an operation off an accelerator.
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, KeepOffOp>
      keptOff;
  /// Operations with a second, contradicting pin.
  llvm::MapVector<mlir::Operation *, Pin> conflicts;
  bool hasAttributes = false;
};

} // namespace uma::accel

#endif // UMA_ACCEL_PARTITION_RESTRICTIONS_H
