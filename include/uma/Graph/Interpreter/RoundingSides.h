//===- RoundingSides.h - Ambiguous roundings -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_INTERPRETER_ROUNDINGSIDES_H
#define UMA_GRAPH_INTERPRETER_ROUNDINGSIDES_H

#include "uma/Support/HostTensor.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace uma::graph {

/// Rounded value with two correct results.
struct OpenRounding {
  int64_t position; ///< index among all rounded values of a run
  double distance;  ///< distance to the half, relative to the error bound
};

/// Evaluates `uma.graph.round` and records values that have two correct
/// results.
///
/// The interpreter computes in double, the generated C in the type of the
/// tensor and in another order. If a value is closer to the middle between two
/// integers than the rounding error, C may correctly round it to the other
/// integer. Such a value is called open: its distance to the middle is at most
/// 8 units of roundoff of its type, relative to the largest value of the
/// tensor, because the error of a sum grows with its terms and not with the
/// sum.
class RoundingSides {
public:
  /// Results of operators, in the order of their runs, as rounded values.
  using Integers = llvm::DenseMap<mlir::Operation *, std::vector<HostTensor>>;

  RoundingSides() = default;
  /// Rounds the open values at the positions in `flipped` to the other side.
  explicit RoundingSides(llvm::DenseSet<int64_t> flipped)
      : flipped(std::move(flipped)) {}
  /// Rounds open values to the side of `followed`, which must outlive this.
  explicit RoundingSides(const Integers &followed) : followed(&followed) {}

  /// Rounds values for the result of `op`.
  HostTensor round(const HostTensor &data, mlir::Operation *op);

  int64_t getNumRounded() const { return numRounded; }
  int64_t getNumFlipped() const { return numFlipped; }
  const std::vector<OpenRounding> &getOpen() const { return open; }

private:
  llvm::DenseSet<int64_t> flipped;
  const Integers *followed = nullptr;
  llvm::DenseMap<mlir::Operation *, size_t> numRuns;
  int64_t numRounded = 0, numFlipped = 0;
  std::vector<OpenRounding> open;
};

} // namespace uma::graph

#endif // UMA_GRAPH_INTERPRETER_ROUNDINGSIDES_H
