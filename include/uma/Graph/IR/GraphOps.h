//===- GraphOps.h - Operations of the graph family -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_GRAPHOPS_H
#define UMA_GRAPH_IR_GRAPHOPS_H

#include "uma/Graph/IR/Recurrent.h"
#include "uma/Graph/IR/Window.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace uma::graph {

/// Callback that starts an error message; the caller streams the text into it.
using EmitErrorFn = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Maps `axis` in [-rank, rank) to [0, rank); a negative axis counts from the
/// end. Emits an error that names the attribute `name` and fails if `axis` is
/// out of range.
mlir::FailureOr<int64_t> normalizeAxis(EmitErrorFn emitError, int64_t axis,
                                       int64_t rank,
                                       llvm::StringRef name = "axis");

/// Maps `axis`, which is in [-rank, rank), to [0, rank); a negative axis counts
/// from the end.
inline int64_t getPositiveAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// Returns for each dimension of data of rank `rank` whether a reduction with
/// the verified attribute `axis` reduces it. An empty `axis` reduces all
/// dimensions.
llvm::SmallVector<bool> getReducedDims(llvm::ArrayRef<int64_t> axis,
                                       int64_t rank);

/// Broadcasts two shapes as in NumPy (ONNX "multidirectional"). Emits an error
/// that names both shapes and fails if a pair of sizes differs and neither is
/// 1.
mlir::FailureOr<llvm::SmallVector<int64_t>>
broadcastShapes(EmitErrorFn emitError, llvm::ArrayRef<int64_t> lhs,
                llvm::ArrayRef<int64_t> rhs, llvm::StringRef lhsName = "lhs",
                llvm::StringRef rhsName = "rhs");

/// Trait of operators that compute each element of the result from the
/// operands' elements at its position. Operands broadcast to the result.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {
};

/// Fusion kind of an operator: TVM's OpPatternKind, in the same order.
enum class FusionKind {
  Elementwise,    ///< one element of each operand per element of the result
  Broadcast,      ///< elementwise with broadcast operands
  Injective,      ///< moves elements: transpose, pad, concatenate
  Reduction,      ///< sums and similar; can be fused with their producers
  OutElementwise, ///< convolutions; can be fused with elementwise consumers
  Opaque,         ///< cannot be fused
};

/// Trait that gives an operator its fusion kind; see `getFusionKind`.
template <FusionKind kind>
struct Fusion {
  template <typename ConcreteType>
  class Impl
      : public mlir::OpTrait::TraitBase<ConcreteType, Fusion<kind>::Impl> {};
};

/// Returns the fusion kind of `op`. Elementwise operators with several operands
/// are `Broadcast`, independently of their shapes.
FusionKind getFusionKind(mlir::Operation *op);

/// Discardable unit attribute on uma.graph.cast from f32 to integers: all
/// elements are integers in the range of the result.
inline constexpr llvm::StringLiteral kInRangeAttrName = "uma.in_range";
/// Discardable unit attribute on convolutions and dense layers of floats: all
/// numbers are integers, and no sum exceeds what the type holds exactly. Only
/// algorithms that add the products themselves may compute the layer.
inline constexpr llvm::StringLiteral kExactSumsAttrName = "uma.exact_sums";

/// Element types that an elementwise operator accepts. i1 is a truth value,
/// neither a number nor an integer.
enum class ElementKind { Any, Number, Float, Integer, Bool };

namespace detail {
/// Checks that the result of `op` has the type `inferred`, which its
/// `inferType` computed.
mlir::LogicalResult verifyResultType(mlir::Operation *op,
                                     mlir::RankedTensorType inferred);

/// Checks the types of several results, as above.
mlir::LogicalResult verifyResultTypes(mlir::Operation *op,
                                      llvm::ArrayRef<mlir::Type> inferred);

/// Infers the result type of an elementwise operator. The operands, called
/// `names` in errors, broadcast and must have the same element type, which must
/// be of `kind`. The element type of the result is the same, or i1 for a
/// predicate.
mlir::FailureOr<mlir::RankedTensorType>
inferElementwise(EmitErrorFn emitError, mlir::ValueRange operands,
                 llvm::ArrayRef<llvm::StringRef> names, ElementKind kind,
                 bool isPredicate);

template <typename OpT>
mlir::LogicalResult verifyInferredType(OpT op) {
  auto inferred = OpT::inferType([&] { return op.emitOpError(); },
                                 typename OpT::Adaptor(op));
  if (mlir::failed(inferred))
    return mlir::failure();
  return verifyResultType(op.getOperation(), *inferred);
}

/// Verifies the types of several results, as above.
template <typename OpT>
mlir::LogicalResult verifyInferredTypes(OpT op) {
  llvm::SmallVector<mlir::Type> inferred;
  if (mlir::failed(OpT::inferTypes([&] { return op.emitOpError(); },
                                   typename OpT::Adaptor(op), inferred)))
    return mlir::failure();
  return verifyResultTypes(op.getOperation(), inferred);
}

/// Calls `infer` with a callback that starts errors of operation `name` at
/// `location`. Without a location, errors are dropped.
mlir::LogicalResult
inferWithErrors(mlir::MLIRContext *context,
                std::optional<mlir::Location> location, llvm::StringRef name,
                llvm::function_ref<mlir::LogicalResult(EmitErrorFn)> infer);

template <typename OpT>
mlir::LogicalResult inferReturnType(mlir::MLIRContext *context,
                                    std::optional<mlir::Location> location,
                                    typename OpT::Adaptor adaptor,
                                    llvm::SmallVectorImpl<mlir::Type> &types) {
  return inferWithErrors(context, location, OpT::getOperationName(),
                         [&](EmitErrorFn emitError) {
                           auto inferred = OpT::inferType(emitError, adaptor);
                           if (mlir::failed(inferred))
                             return mlir::failure();
                           types.assign({*inferred});
                           return mlir::success();
                         });
}
} // namespace detail

/// Returns the axis along which the result of an operator is sliced if its
/// operands are sliced along `operandAxes`. Returns std::nullopt if no operand
/// is sliced or if slices of the result need other elements of the operands,
/// too. Supports elementwise operators and those with SliceableOpInterface.
std::optional<int64_t>
getSlicedAxis(mlir::Operation *op,
              llvm::ArrayRef<std::optional<int64_t>> operandAxes);

} // namespace uma::graph

// IWYU pragma: begin_exports
#include "uma/Graph/IR/GraphInterfaces.h.inc"
#define GET_OP_CLASSES
#include "uma/Graph/IR/GraphOps.h.inc"
// IWYU pragma: end_exports

#endif // UMA_GRAPH_IR_GRAPHOPS_H
