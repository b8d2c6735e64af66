//===- Constants.h - Reading and making constants -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the graph passes: what all of them do with constants.
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

/// Returns the elements of `value`, when a `uma.graph.constant` whose elements
/// can be read defines it.
std::optional<HostTensor> getConstant(mlir::Value value);

/// Makes a constant at the insertion point, with the location of `layer`. Large
/// ones are resources named after the layer: `<layer>_<suffix>`, or `<layer>`.
mlir::Value createConstant(mlir::OpBuilder &builder, mlir::Operation *layer,
                           llvm::StringRef suffix, const HostTensor &tensor);

/// Returns the operators of the module's functions in the order of the text,
/// without those in composites, which belong to an accelerator.
llvm::SmallVector<mlir::Operation *> getGraphOps(mlir::ModuleOp module);

/// Erases the constants in the module's functions that nothing uses.
void eraseUnusedConstants(mlir::ModuleOp module);

/// Erases constants as soon as nothing uses them, and gives the memory of their
/// elements back: a pass that rewrites all weights would else need it twice.
///
/// Memory is given back only where the resource is mutable, which says that it
/// belongs to the module alone, and no other operation of the module has it.
/// Whoever clones a module and reads the weights of both makes them immutable.
class ConstantEraser {
public:
  explicit ConstantEraser(mlir::ModuleOp module);

  /// Erases the constant that defines `value` unless it has uses.
  void eraseIfUnused(mlir::Value value);

private:
  /// How many operations have each resource.
  llvm::DenseMap<mlir::DialectResourceBlobManager::BlobEntry *, unsigned> users;
};

/// Returns the dimension of the channels in the result of a `conv2d`, `dense`
/// or pool; std::nullopt for other operations.
std::optional<int64_t> getChannelAxis(mlir::Operation *op);

/// Returns the values that `tensor`, broadcast to `type`, has along `axis`,
/// when they do not depend on the other dimensions: as many as `type` is long
/// there. Nothing when they do, or when broadcasting would change `type`.
std::optional<llvm::SmallVector<double>>
getValuesAlongAxis(const HostTensor &tensor, mlir::RankedTensorType type,
                   int64_t axis);

/// Returns the type of `value`, which is a tensor as every value of a graph.
inline mlir::RankedTensorType getTensorType(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_CONSTANTS_H
