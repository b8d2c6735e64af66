//===- RoundingSides.h - Roundings with two right results -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_INTERPRETER_ROUNDINGSIDES_H
#define UMA_GRAPH_INTERPRETER_ROUNDINGSIDES_H

#include "uma/Support/HostTensor.h"

#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace uma::graph {

/// A rounded value with two right results.
struct OpenRounding {
  int64_t position; ///< counts all rounded values of a run
  double distance;  ///< to the half, relative to the largest that is open
};

/// Evaluates `uma.graph.round`, and knows if it has two right results.
///
/// The interpreter computes in double, C in the type of the tensor and in
/// another order. If a value lies closer to the middle between two integers
/// than that error, C may round it to the other integer and is right. Such a
/// value is called open: its distance to the middle is at most 8 units of
/// roundoff of its type, relative to the largest value of the tensor, since the
/// error of a sum grows with its terms and not with what is left of them.
class RoundingSides {
public:
  RoundingSides() = default;
  /// Rounds the values at `flipped` to the other side, where they are open.
  explicit RoundingSides(llvm::DenseSet<int64_t> flipped)
      : flipped(std::move(flipped)) {}

  HostTensor round(const HostTensor &data);

  int64_t getNumRounded() const { return numRounded; }
  const std::vector<OpenRounding> &getOpen() const { return open; }

private:
  llvm::DenseSet<int64_t> flipped;
  int64_t numRounded = 0;
  std::vector<OpenRounding> open;
};

} // namespace uma::graph

#endif // UMA_GRAPH_INTERPRETER_ROUNDINGSIDES_H
