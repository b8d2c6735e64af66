//===- Layouts.h - Permutations of dimensions -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Private to the graph passes: how each operator names its layout, and how it
// computes the same on data whose dimensions are permuted.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_GRAPH_TRANSFORMS_LAYOUTS_H
#define UMA_LIB_GRAPH_TRANSFORMS_LAYOUTS_H

#include "uma/Graph/IR/GraphOps.h"

#include <optional>
#include <string>

namespace uma::graph {

/// As the axes of a `uma.graph.transpose`: dimension `i` of the permuted tensor
/// is dimension `permutation[i]` of the tensor.
using Permutation = llvm::SmallVector<int64_t, 6>;

Permutation getIdentity(int64_t rank);
bool isIdentity(llvm::ArrayRef<int64_t> permutation);
Permutation getInverse(llvm::ArrayRef<int64_t> permutation);
/// Returns the permutation that is `first` and then `second`.
Permutation compose(llvm::ArrayRef<int64_t> first,
                    llvm::ArrayRef<int64_t> second);
/// `values`, one for each dimension, in the order of the permuted dimensions.
llvm::SmallVector<int64_t> permute(llvm::ArrayRef<int64_t> values,
                                   llvm::ArrayRef<int64_t> permutation);
/// `type` with permuted dimensions.
mlir::RankedTensorType permute(mlir::Type type,
                               llvm::ArrayRef<int64_t> permutation);
/// Returns the permutation that turns layout `from` into `to`, which have the
/// same letters.
Permutation getPermutation(llvm::StringRef from, llvm::StringRef to);
/// Returns a layout of two spatial dimensions as that of `rank` dimensions: D
/// stands before H.
std::string getLayoutOfRank(llvm::StringRef layout, int64_t rank);

/// Returns the layout attributes of `op`; empty if the operator has none.
llvm::StringRef getDataLayout(mlir::Operation *op);
llvm::StringRef getKernelLayout(mlir::Operation *op);
void setDataLayout(mlir::Operation *op, llvm::StringRef layout);
void setKernelLayout(mlir::Operation *op, llvm::StringRef layout);

/// Returns how many operands of `op` are permuted when its data are: the first
/// ones; all others stay as they are. None for operators to which the order of
/// dimensions has a meaning, such as `reshape`.
unsigned getNumPermutableOperands(mlir::Operation *op);

/// Changes the attributes of `op`, which still has its old operands, so that it
/// computes on data permuted by `permutation`. Returns the permutation of its
/// result, or std::nullopt if the operator has no such form.
std::optional<Permutation>
permuteAttributes(mlir::Operation *op, llvm::ArrayRef<int64_t> permutation);

} // namespace uma::graph

#endif // UMA_LIB_GRAPH_TRANSFORMS_LAYOUTS_H
