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

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace uma::graph {

/// Starts an error message, which what is streamed into it completes.
using EmitErrorFn = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Returns the axis in [0, rank) that `axis` in [-rank, rank) means; a negative
/// axis counts from the end. Fails, naming the attribute `name`, for any other.
mlir::FailureOr<int64_t> normalizeAxis(EmitErrorFn emitError, int64_t axis,
                                       int64_t rank,
                                       llvm::StringRef name = "axis");

/// Returns `axis` counted from the start; a negative one counts from the end.
inline int64_t getPositiveAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// For every dimension of verified data of rank `rank`, whether a reduction
/// with the attribute `axis` reduces it; an empty list reduces all.
llvm::SmallVector<bool> getReducedDims(llvm::ArrayRef<int64_t> axis,
                                       int64_t rank);

/// NumPy broadcasting of two shapes (ONNX "multidirectional").
/// Fails, naming both shapes, when a pair of sizes differs and neither is 1.
mlir::FailureOr<llvm::SmallVector<int64_t>>
broadcastShapes(EmitErrorFn emitError, llvm::ArrayRef<int64_t> lhs,
                llvm::ArrayRef<int64_t> rhs, llvm::StringRef lhsName = "lhs",
                llvm::StringRef rhsName = "rhs");

/// Marks operators whose result at one place follows from the operands'
/// elements at that place; operands broadcast to the result.
template <typename ConcreteType>
class Elementwise : public mlir::OpTrait::TraitBase<ConcreteType, Elementwise> {
};

/// How an operator may be fused with others: TVM's OpPatternKind, in its order.
enum class FusionKind {
  Elementwise,    ///< one element of each operand for one of the result
  Broadcast,      ///< as above, of operands that are repeated
  Injective,      ///< elements move: transpose, pad, concatenate
  Reduction,      ///< sums and the like: what computes their data may be fused
  OutElementwise, ///< convolutions: elementwise work on their result may
  Opaque,         ///< nothing may
};

/// Gives operators a fusion kind; see `getFusionKind`.
template <FusionKind kind>
struct Fusion {
  template <typename ConcreteType>
  class Impl
      : public mlir::OpTrait::TraitBase<ConcreteType, Fusion<kind>::Impl> {};
};

/// Returns the kind of `op` on its own; elementwise operators with several
/// operands are `Broadcast`, whatever their shapes.
FusionKind getFusionKind(mlir::Operation *op);

/// The element types that an elementwise operator takes. i1 is a truth value,
/// neither number nor integer.
enum class ElementKind { Any, Number, Float, Integer, Bool };

namespace detail {
/// Compares an operation's result with the type that its `inferType` computes.
mlir::LogicalResult verifyResultType(mlir::Operation *op,
                                     mlir::RankedTensorType inferred);

/// As above, of an operation with several results.
mlir::LogicalResult verifyResultTypes(mlir::Operation *op,
                                      llvm::ArrayRef<mlir::Type> inferred);

/// Returns the result of an operator on `operands`, called `names` in errors,
/// which broadcast and all have one element type of `kind`; i1 for a predicate.
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

/// As above, of an operation with several results.
template <typename OpT>
mlir::LogicalResult verifyInferredTypes(OpT op) {
  llvm::SmallVector<mlir::Type> inferred;
  if (mlir::failed(OpT::inferTypes([&] { return op.emitOpError(); },
                                   typename OpT::Adaptor(op), inferred)))
    return mlir::failure();
  return verifyResultTypes(op.getOperation(), inferred);
}

/// Calls `infer` with a function that starts errors of operation `name` at
/// `location`; without a location they are dropped.
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
/// operands are sliced along `operandAxes`; std::nullopt if no operand is
/// sliced or if slices of the result need more. See SliceableOpInterface;
/// elementwise operators need none.
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
