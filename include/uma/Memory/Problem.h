//===- Problem.h - Static memory planning problems -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Offline dynamic storage allocation: buffers with known live ranges get
// offsets in one arena, such that buffers that are live at the same time do not
// share bytes, unless a relation permits it. The library knows nothing about
// MLIR; `uma-tir-plan-memory` and `uma-memplan` use it.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_MEMORY_PROBLEM_H
#define UMA_MEMORY_PROBLEM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace uma::memory {

/// Largest size, offset, alignment, capacity and number of live bytes. Sums of
/// three such numbers fit 64 bits.
inline constexpr int64_t kMaxBytes = int64_t(1) << 61;

/// Buffer to place in the arena.
struct Buffer {
  /// Name for messages and pictures. Need not be unique.
  std::string name;
  /// Live range [lower, upper) in any unit of time. A buffer with an empty
  /// live range shares bytes with anything.
  int64_t lower = 0;
  int64_t upper = 0;
  /// Size in bytes. A buffer without bytes shares its offset with anything.
  int64_t size = 0;
  /// The offset is a multiple of this number, which need not be a power of two.
  int64_t alignment = 1;
  /// Offset that was decided before, if any.
  std::optional<int64_t> offset = std::nullopt;

  bool livesWith(const Buffer &other) const {
    return lower < other.upper && other.lower < upper;
  }
  bool isEmpty() const { return size == 0 || lower >= upper; }
};

/// Permits two buffers to share bytes while both are live: if `below` has the
/// lower offset, offset(above) >= offset(below) + separation. The default
/// separation is the size of `below`; a relation lowers it. A layer that may
/// write its result over its input, `distance` bytes before it, has the
/// relation {result, input, distance}. The other order of the same pair keeps
/// its separation unless it has a relation of its own.
struct Overlap {
  size_t below = 0;
  size_t above = 0;
  int64_t separation = 0;
};

/// Buffers of one arena. A choice of several arenas is a choice between several
/// problems.
struct Problem {
  std::vector<Buffer> buffers;
  std::vector<Overlap> overlaps;
};

/// Offset of each buffer.
using Offsets = std::vector<int64_t>;

/// Checks the numbers of a problem: bounds, alignments, relations between
/// existing buffers, and offsets that are fixed. The error names the buffer.
llvm::Error checkProblem(const Problem &problem);

/// Largest number of bytes that are live at one time, and when.
struct Peak {
  /// Bytes that any plan needs. Bytes that two related buffers can share count
  /// once; padding for alignment counts where it cannot be avoided.
  int64_t bytes = 0;
  /// Start of the first time range at which they are live.
  int64_t time = 0;
};

/// Returns the lower bound of the size of any plan, or an error if it is larger
/// than kMaxBytes. Takes O(n log n).
llvm::Expected<Peak> getPeak(const Problem &problem);

/// Returns the size of a plan in bytes: the largest end of a buffer.
int64_t getPlanSize(const Problem &problem, llvm::ArrayRef<int64_t> offsets);

/// Checks a plan with a sweep over time that shares no code with the planners.
/// The error names two buffers that share bytes, a buffer that leaves the arena
/// of `capacity` bytes, or one that is not aligned or not at its fixed offset.
/// Takes O((n + r) log n) for r relations.
llvm::Error checkPlan(const Problem &problem, llvm::ArrayRef<int64_t> offsets,
                      int64_t capacity = kMaxBytes);

} // namespace uma::memory

#endif // UMA_MEMORY_PROBLEM_H
