//===- Recurrent.h - The geometry of recurrent layers -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What verifiers, interpreter and lowering of lstm, gru and rnn share.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_RECURRENT_H
#define UMA_GRAPH_IR_RECURRENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace uma::graph {

/// The sizes of a recurrent layer by name.
struct RecurrentDims {
  int64_t steps, batch, inputs, units, directions;
  bool isReverse; ///< the first direction runs from the end to the start
};

/// A function of a gate or state with its two parameters; those of functions
/// without parameters are not read.
struct RecurrentActivation {
  enum class Kind {
    Affine,
    Elu,
    HardSigmoid,
    LeakyRelu,
    Relu,
    ScaledTanh,
    Sigmoid,
    Softplus,
    Softsign,
    Tanh,
    ThresholdedRelu,
  };
  Kind kind;
  double alpha = 0.0, beta = 0.0;

  /// Returns the function of that name in `activations`, for example
  /// `hard_sigmoid`, with ONNX's default parameters; std::nullopt for any other
  /// name.
  static std::optional<RecurrentActivation> parse(llvm::StringRef name);
  /// Returns the names that `parse` knows.
  static llvm::ArrayRef<llvm::StringLiteral> getNames();
};

} // namespace uma::graph

#endif // UMA_GRAPH_IR_RECURRENT_H
