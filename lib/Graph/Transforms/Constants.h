//===- Constants.h - Access to constants -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the graph passes: utilities to read, create and erase constants.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_CONSTANTS_H
#define UMA_LIB_GRAPH_TRANSFORMS_CONSTANTS_H

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace uma::graph {

/// Returns the elements of `value` if it is defined by a `uma.graph.constant`
/// with readable elements, or by a `uma.graph.storage_cast` of one. Returns
/// std::nullopt otherwise.
std::optional<HostTensor> getConstant(mlir::Value value);
/// Returns whether `value` is such a constant, with readable elements or not.
bool isConstant(mlir::Value value);

/// Creates a constant at the insertion point with the location of `layer`.
/// Large constants are resources named `<layer>_<suffix>`, or `<layer>` if
/// `suffix` is empty.
mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Operation *layer,
                           llvm::StringRef suffix, const HostTensor &tensor);

/// Returns the operators of the module's functions in program order. Operators
/// in composites, which belong to an accelerator, are not included.
llvm::SmallVector<mlir::Operation *> getGraphOps(mlir::ModuleOp module);

/// As getGraphOps, without the operators of functions that are layers already
/// (`uma.primitive`), for passes that prepare operators for layers.
llvm::SmallVector<mlir::Operation *> getOpenGraphOps(mlir::ModuleOp module);

/// Erases the unused constants in the module's functions.
void eraseUnusedConstants(mlir::ModuleOp module);

/// Erases constants when they become unused and frees their elements. Otherwise
/// a pass that rewrites all weights would need twice the memory.
///
/// Memory is freed only if no other operation of the module uses the resource
/// and the resource is mutable, which means that the module is its only owner.
/// Code that clones a module and reads the weights of both must make the
/// resources immutable.
class ConstantEraser {
public:
  explicit ConstantEraser(mlir::ModuleOp module);

  /// Erases the constant that defines `value` unless it has uses.
  void eraseIfUnused(mlir::Value value);

private:
  /// Number of operations that use each resource.
  llvm::DenseMap<mlir::DialectResourceBlobManager::BlobEntry *, unsigned> users;
};

/// Returns whether a tensor holds quantized integers of 8 bits with one scale.
bool holdsBytes(mlir::Value value);

/// Returns the channel dimension of the result of a `conv2d`, `dense` or pool,
/// or std::nullopt for other operations.
std::optional<int64_t> getChannelAxis(mlir::Operation *op);

/// Returns the values of `tensor`, broadcast to `type`, along `axis`: one per
/// element of that dimension. Returns std::nullopt if the values depend on
/// other dimensions or if broadcasting would change `type`.
std::optional<llvm::SmallVector<double>>
getValuesAlongAxis(const HostTensor &tensor, mlir::RankedTensorType type,
                   int64_t axis);

/// Returns the type of `value`. All values of a graph are ranked tensors.
inline mlir::RankedTensorType getTensorType(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// Returns the element type of `value`.
inline mlir::Type getElements(mlir::Value value) {
  return getTensorType(value).getElementType();
}

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_CONSTANTS_H
