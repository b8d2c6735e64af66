//===- Family.h - Which family an operation belongs to -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The `uma` dialect holds three families that are treated as dialects. MLIR's
// own by-dialect helpers (ConversionTarget::addLegalDialect and so on) cannot
// tell them apart; these can.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_FAMILY_H
#define UMA_IR_FAMILY_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Transforms/DialectConversion.h"

namespace uma {

/// Traits carried by every operation of a family; set by the TableGen base
/// classes Graph_Op, TIR_Op and Accel_Op.
template <typename ConcreteOp>
class GraphFamily : public mlir::OpTrait::TraitBase<ConcreteOp, GraphFamily> {};
template <typename ConcreteOp>
class TIRFamily : public mlir::OpTrait::TraitBase<ConcreteOp, TIRFamily> {};
template <typename ConcreteOp>
class AccelFamily : public mlir::OpTrait::TraitBase<ConcreteOp, AccelFamily> {};

/// True for operations of the family, e.g. `isInFamily<GraphFamily>(op)`.
template <template <typename> class Family>
bool isInFamily(mlir::Operation *op) {
  return op->hasTrait<Family>();
}

/// Makes every operation of the family illegal in `target`. May be called for
/// several families; families not named keep the legality they had.
template <template <typename> class Family>
void addIllegalFamily(mlir::ConversionTarget &target) {
  target.addDynamicallyLegalDialect(
      [](mlir::Operation *op) -> std::optional<bool> {
        if (isInFamily<Family>(op))
          return false;
        return std::nullopt;
      },
      "uma");
}

} // namespace uma

#endif // UMA_IR_FAMILY_H
