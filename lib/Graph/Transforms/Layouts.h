//===- Layouts.h - Permutations of dimensions -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the graph passes: permutations, layout attributes of operators,
// and conversion of operators to permuted data.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_LAYOUTS_H
#define UMA_LIB_GRAPH_TRANSFORMS_LAYOUTS_H

#include "uma/Graph/IR/GraphOps.h"

#include <optional>
#include <string>

namespace uma::graph {

/// Permutation in the form of the axes of a `uma.graph.transpose`: dimension
/// `i` of the permuted tensor is dimension `permutation[i]` of the tensor.
using Permutation = llvm::SmallVector<int64_t, 6>;

Permutation getIdentity(int64_t rank);
bool isIdentity(llvm::ArrayRef<int64_t> permutation);
Permutation getInverse(llvm::ArrayRef<int64_t> permutation);
/// Returns the permutation that applies `first`, then `second`.
Permutation compose(llvm::ArrayRef<int64_t> first,
                    llvm::ArrayRef<int64_t> second);
/// Permutes `values`, which has one entry per dimension.
llvm::SmallVector<int64_t> permute(llvm::ArrayRef<int64_t> values,
                                   llvm::ArrayRef<int64_t> permutation);
/// Permutes the dimensions of the tensor type `type`.
mlir::RankedTensorType permute(mlir::Type type,
                               llvm::ArrayRef<int64_t> permutation);
/// Returns the permutation from layout `from` to layout `to`, which have the
/// same letters.
Permutation getPermutation(llvm::StringRef from, llvm::StringRef to);
/// Converts a layout for two spatial dimensions to the layout for tensors of
/// rank `rank`: inserts D before H for rank 5.
std::string getLayoutOfRank(llvm::StringRef layout, int64_t rank);

/// Returns the layout attributes of `op`; empty if the operator has none.
llvm::StringRef getDataLayout(mlir::Operation *op);
llvm::StringRef getKernelLayout(mlir::Operation *op);
void setDataLayout(mlir::Operation *op, llvm::StringRef layout);
void setKernelLayout(mlir::Operation *op, llvm::StringRef layout);

/// Returns the number of leading operands of `op` that are permuted along with
/// its data; the other operands do not change. Returns 0 for operators that
/// depend on the order of dimensions, such as `reshape`.
unsigned getNumPermutableOperands(mlir::Operation *op);

/// Changes the attributes of `op` for data permuted by `permutation`; `op`
/// still has its old operands. Returns the permutation of its result, or
/// std::nullopt if the operator does not support permuted data.
std::optional<Permutation>
permuteAttributes(mlir::Operation *op, llvm::ArrayRef<int64_t> permutation);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_LAYOUTS_H
