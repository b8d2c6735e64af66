//===- CallLocation.h - Source locations of calls -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A call in a description has a fused location: the position of the function's
// name, followed by the positions of the arguments.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_CALLLOCATION_H
#define UMA_ACCEL_IR_CALLLOCATION_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Location.h"

namespace uma::accel {

/// Metadata of a call's fused location.
inline constexpr llvm::StringLiteral kCallLocation = "uma.call";

/// Builds the location of a call from the positions of the function's name and
/// of the arguments. All positions must differ.
inline mlir::Location
makeCallLocation(mlir::MLIRContext *context,
                 llvm::ArrayRef<mlir::Location> locations) {
  return mlir::FusedLoc::get(context, locations,
                             mlir::StringAttr::get(context, kCallLocation));
}

/// Returns `loc` if it is the location of a call, or null otherwise.
inline mlir::FusedLoc getCallLocations(mlir::Location loc) {
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc);
  auto mark =
      fused ? llvm::dyn_cast_or_null<mlir::StringAttr>(fused.getMetadata())
            : mlir::StringAttr();
  return mark && mark == kCallLocation ? fused : mlir::FusedLoc();
}

/// Returns the position of the function's name, or `loc` if it is not the
/// location of a call.
inline mlir::Location getCalleeLocation(mlir::Location loc) {
  mlir::FusedLoc fused = getCallLocations(loc);
  return fused ? fused.getLocations().front() : loc;
}

/// Returns the position of an argument, or of the function's name if it is
/// unknown.
inline mlir::Location getArgumentLocation(mlir::Location loc, size_t index) {
  mlir::FusedLoc fused = getCallLocations(loc);
  if (!fused || index + 1 >= fused.getLocations().size())
    return getCalleeLocation(loc);
  return fused.getLocations()[index + 1];
}

/// Metadata of the fused location of code generated from a description.
inline constexpr llvm::StringLiteral kDescribedLocation = "uma.described";

/// Adds a line of the description to the location of code generated from it.
inline mlir::Location addDescribedLine(mlir::Location loc,
                                       mlir::FileLineColLoc line) {
  mlir::MLIRContext *context = loc.getContext();
  return mlir::FusedLoc::get(
      context, {loc, line}, mlir::StringAttr::get(context, kDescribedLocation));
}

/// Returns the line that `addDescribedLine` added, or null.
inline mlir::FileLineColLoc getDescribedLine(mlir::Location loc) {
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc);
  auto mark =
      fused ? llvm::dyn_cast_or_null<mlir::StringAttr>(fused.getMetadata())
            : mlir::StringAttr();
  return mark && mark == kDescribedLocation
             ? llvm::dyn_cast<mlir::FileLineColLoc>(fused.getLocations().back())
             : mlir::FileLineColLoc();
}

} // namespace uma::accel

#endif // UMA_ACCEL_IR_CALLLOCATION_H
