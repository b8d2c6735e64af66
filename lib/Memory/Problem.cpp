//===- Problem.cpp - Static memory planning problems-----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Memory/Problem.h"

#include "uma/Support/PrintableText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace uma::memory;

static llvm::Error makeError(const Buffer &buffer, const llvm::Twine &text) {
  return llvm::createStringError(
      "buffer '" + uma::shorten(uma::toPrintable(buffer.name), 200) + "' " +
      text);
}

llvm::Error uma::memory::checkProblem(const Problem &problem) {
  for (const Buffer &buffer : problem.buffers) {
    auto isSize = [](int64_t value) {
      return value >= 0 && value <= kMaxBytes;
    };
    if (buffer.lower > buffer.upper)
      return makeError(buffer,
                       llvm::formatv("is live from {0} to {1}; expected "
                                     "an end that is not before the "
                                     "start",
                                     buffer.lower, buffer.upper));
    if (!isSize(buffer.size))
      return makeError(buffer, llvm::formatv("has size {0}; expected 0 to 2^61",
                                             buffer.size));
    if (buffer.alignment < 1 || buffer.alignment > kMaxBytes)
      return makeError(buffer,
                       llvm::formatv("has alignment {0}; expected 1 to 2^61",
                                     buffer.alignment));
    if (!buffer.offset)
      continue;
    if (!isSize(*buffer.offset) || *buffer.offset > kMaxBytes - buffer.size)
      return makeError(buffer,
                       llvm::formatv("has offset {0} and size {1}; expected an "
                                     "end of at most 2^61",
                                     *buffer.offset, buffer.size));
    if (*buffer.offset % buffer.alignment != 0)
      return makeError(buffer,
                       llvm::formatv("has offset {0}, which is not a multiple "
                                     "of its alignment {1}",
                                     *buffer.offset, buffer.alignment));
  }
  for (const Overlap &overlap : problem.overlaps)
    if (overlap.below >= problem.buffers.size() ||
        overlap.above >= problem.buffers.size() ||
        overlap.below == overlap.above || overlap.separation < 0)
      return llvm::createStringError(llvm::formatv(
          "relation of buffers {0} and {1} with separation {2}; expected two "
          "of {3} buffers and a separation of at least 0",
          overlap.below, overlap.above, overlap.separation,
          problem.buffers.size()));
  return llvm::Error::success();
}

int64_t uma::memory::getPlanSize(const Problem &problem,
                                 llvm::ArrayRef<int64_t> offsets) {
  int64_t size = 0;
  for (auto [buffer, offset] : llvm::zip_equal(problem.buffers, offsets))
    if (!buffer.isEmpty())
      size = std::max(size, offset + buffer.size);
  return size;
}

/// Returns how many bytes two buffers can share at most.
static int64_t getShared(const Buffer &below, const Buffer &above,
                         int64_t separation) {
  return std::max<int64_t>(0, std::min(below.size - separation, above.size));
}

llvm::Expected<Peak> uma::memory::getPeak(const Problem &problem) {
  // All offsets are multiples of `unit`, so every buffer but the topmost takes
  // a multiple of it.
  int64_t unit = 0;
  for (const Buffer &buffer : problem.buffers)
    if (!buffer.isEmpty())
      unit = std::gcd(unit, buffer.alignment);
  unit = std::max<int64_t>(unit, 1);

  /// Change of the live bytes at a time. At one time, ends come first.
  struct Event {
    int64_t time;
    bool isStart;
    __int128 bytes;
    int64_t padding;
  };
  std::vector<Event> events;
  events.reserve(2 * problem.buffers.size());
  for (const Buffer &buffer : problem.buffers) {
    if (buffer.isEmpty())
      continue;
    int64_t taken = llvm::divideCeil(buffer.size, unit) * unit;
    events.push_back({buffer.lower, true, taken, taken - buffer.size});
    events.push_back({buffer.upper, false, -taken, taken - buffer.size});
  }
  llvm::DenseMap<std::pair<size_t, size_t>, int64_t> shared;
  for (const Overlap &overlap : problem.overlaps) {
    const Buffer &below = problem.buffers[overlap.below];
    const Buffer &above = problem.buffers[overlap.above];
    if (below.isEmpty() || above.isEmpty() || !below.livesWith(above))
      continue;
    int64_t &most = shared[std::minmax(overlap.below, overlap.above)];
    most = std::max(most, getShared(below, above, overlap.separation));
  }
  for (auto [pair, bytes] : shared) {
    if (bytes == 0)
      continue;
    const Buffer &one = problem.buffers[pair.first];
    const Buffer &other = problem.buffers[pair.second];
    // Rounded up, because both buffers were.
    __int128 rounded = __int128(llvm::divideCeil(bytes, unit)) * unit;
    events.push_back({std::max(one.lower, other.lower), true, -rounded, -1});
    events.push_back({std::min(one.upper, other.upper), false, rounded, -1});
  }
  llvm::sort(events, [](const Event &left, const Event &right) {
    return std::tie(left.time, left.isStart) <
           std::tie(right.time, right.isStart);
  });

  Peak peak;
  __int128 most = 0, live = 0;
  std::map<int64_t, int64_t> paddings; // live buffers by padding
  for (size_t i = 0; i < events.size();) {
    int64_t time = events[i].time;
    for (; i < events.size() && events[i].time == time; ++i) {
      live += events[i].bytes;
      if (events[i].padding < 0)
        continue;
      if (events[i].isStart)
        ++paddings[events[i].padding];
      else if (--paddings[events[i].padding] == 0)
        paddings.erase(events[i].padding);
    }
    __int128 bytes = live - (paddings.empty() ? 0 : paddings.rbegin()->first);
    if (bytes > most) {
      most = bytes;
      peak.time = time;
    }
  }
  // A bound of its own: no relation makes one buffer smaller.
  for (const Buffer &buffer : problem.buffers)
    if (!buffer.isEmpty()) {
      __int128 end = __int128(buffer.offset.value_or(0)) + buffer.size;
      if (end > most) {
        most = end;
        peak.time = buffer.lower;
      }
    }
  if (most > kMaxBytes)
    return llvm::createStringError(
        llvm::formatv("more than 2^61 bytes are live at time {0}", peak.time));
  peak.bytes = static_cast<int64_t>(most);
  return peak;
}
