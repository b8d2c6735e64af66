//===- Family.h - Operation families of the dialect -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The `uma` dialect contains three families of operations that are treated as
// separate dialects. MLIR's by-dialect helpers, such as
// ConversionTarget::addLegalDialect, cannot distinguish them; these can.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_FAMILY_H
#define UMA_IR_FAMILY_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Transforms/DialectConversion.h"

namespace uma {

/// Traits of all operations of a family. The TableGen base classes Graph_Op,
/// TIR_Op and Accel_Op set them.
template <typename ConcreteOp>
class GraphFamily : public mlir::OpTrait::TraitBase<ConcreteOp, GraphFamily> {};
template <typename ConcreteOp>
class TIRFamily : public mlir::OpTrait::TraitBase<ConcreteOp, TIRFamily> {};
template <typename ConcreteOp>
class AccelFamily : public mlir::OpTrait::TraitBase<ConcreteOp, AccelFamily> {};

/// Returns whether the operation belongs to the family, e.g.
/// `isInFamily<GraphFamily>(op)`.
template <template <typename> class Family>
bool isInFamily(mlir::Operation *op) {
  return op->hasTrait<Family>();
}

/// Makes every operation of the family illegal in `target`. May be called for
/// several families; other families keep their legality.
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
