//===- Recurrent.h - Geometry of recurrent layers -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Shared by verifiers, interpreter and lowering of lstm, gru and rnn.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_IR_RECURRENT_H
#define UMA_GRAPH_IR_RECURRENT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace uma::graph {

/// Sizes of a recurrent layer.
struct RecurrentDims {
  int64_t steps, batch, inputs, units, directions;
  bool isReverse; ///< whether the first direction runs backwards
};

/// Activation function of a gate or state with its two parameters, which
/// functions without parameters ignore.
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

  /// Parses a name in `activations`, for example `hard_sigmoid`. Returns the
  /// function with ONNX's default parameters, or std::nullopt for an unknown
  /// name.
  static std::optional<RecurrentActivation> parse(llvm::StringRef name);
  /// Returns the names that `parse` accepts.
  static llvm::ArrayRef<llvm::StringLiteral> getNames();
};

} // namespace uma::graph

#endif // UMA_GRAPH_IR_RECURRENT_H
