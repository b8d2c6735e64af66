//===- SparseTensor.h - Elements of sparse tensors -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_SPARSETENSOR_H
#define UMA_LIB_IMPORT_TFLITE_SPARSETENSOR_H

#include "Schema.h"

#include "uma/Import/Support/ImportErrors.h"

#include <vector>

namespace uma::tflite {

/// Finds the elements that a sparse tensor of `shape` stores: `positions` gets
/// the index of each one among the elements of the dense tensor, in the order
/// of the file.
///
/// The format is that of TensorFlow Lite's SparsityParameters, the tree of
/// dimensions of TACO (Kjolstad et al., "The Tensor Algebra Compiler", 2017):
/// each dimension is dense or compressed, in any order, and some dimensions may
/// be divided into dense blocks, which are traversed as further dimensions.
/// Reports parameters that do not fit the shape or each other; `what` names the
/// tensor.
mlir::LogicalResult
findSparsePositions(const schema::SparsityParameters &parameters,
                    llvm::ArrayRef<int64_t> shape,
                    importer::ImportErrors &errors, const llvm::Twine &what,
                    std::vector<int64_t> &positions);

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_SPARSETENSOR_H
