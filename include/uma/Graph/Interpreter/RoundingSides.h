//===- RoundingSides.h - Roundings with two right results -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_GRAPH_INTERPRETER_ROUNDINGSIDES_H
#define UMA_GRAPH_INTERPRETER_ROUNDINGSIDES_H

#include "uma/Support/HostTensor.h"

namespace uma::graph {

/// Evaluates `uma.graph.round`, and knows where it has two right results.
///
/// The interpreter computes in double, C in the type of the tensor and in
/// another order. If a value lies closer to the middle between two integers
/// than that error, C may round it to the other integer and is right. Such a
/// value is called open: its distance to the middle is at most 64 units of
/// roundoff of its type, relative to the largest value of the tensor, since the
/// error of a sum grows with its terms and not with what is left of them.
class RoundingSides {
public:
  /// With the seed 0, values are rounded to the nearest integer, as specified.
  /// Every other seed sends each open value to one of its two sides by chance,
  /// the same one each time.
  explicit RoundingSides(uint64_t seed = 0) : seed(seed) {}

  HostTensor round(const HostTensor &data);

  int64_t getNumRounded() const { return numRounded; }
  int64_t getNumOpen() const { return numOpen; }

private:
  uint64_t seed;
  int64_t numRounded = 0, numOpen = 0;
};

} // namespace uma::graph

#endif // UMA_GRAPH_INTERPRETER_ROUNDINGSIDES_H
