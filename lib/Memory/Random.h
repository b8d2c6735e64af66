//===- Random.h - Reproducible random numbers -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_MEMORY_RANDOM_H
#define UMA_LIB_MEMORY_RANDOM_H

#include <cstdint>

namespace uma::memory {

/// Finalizer of splitmix64: maps similar numbers to unrelated ones, the same on
/// every machine.
inline uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ull;
  value = (value ^ value >> 27) * 0x94d049bb133111ebull;
  return value ^ value >> 31;
}

} // namespace uma::memory

#endif // UMA_LIB_MEMORY_RANDOM_H
