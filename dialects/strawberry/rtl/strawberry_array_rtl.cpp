//===- strawberry_array_rtl.cpp - Array of the Strawberry model in Verilog ===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Runs the Verilated array behind the interface of the C model. The simulator's
// DMA accesses the memories of the Verilog model directly.
//
//===----------------------------------------------------------------------===//

#include "strawberry_array.h"

#include "Vstrawberry_array.h"
#include "Vstrawberry_array___024root.h"

#include <cstring>
#include <iterator>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "a word of a Verilated memory has its lowest byte first"
#endif

namespace {
/// The Verilated array after its reset.
class Array {
public:
  Array() {
    top.clock = 0;
    top.start = 0;
    top.reset = 1;
    top.eval();
    tick();
    top.reset = 0;
  }

  /// Advances by one clock cycle.
  void tick() {
    top.clock = 1;
    top.eval();
    top.clock = 0;
    top.eval();
  }

  /// Executes a command. Returns the cycles in which the array is busy.
  long long run(const strawberry_tile &tile, bool isDepthwise) {
    auto &queue = top.rootp->strawberry_array__DOT__queue__DOT__words;
    int words[1 + sizeof(tile) / sizeof(int)] = {isDepthwise};
    std::memcpy(words + 1, &tile, sizeof(tile));
    for (size_t i = 0; i < std::size(words); ++i)
      queue[i] = static_cast<IData>(words[i]);
    top.start = 1;
    tick();
    top.start = 0;
    long long cycles = 0;
    for (; top.busy; ++cycles)
      tick();
    return cycles;
  }

  strawberry_array_memories getMemories() {
    auto &root = *top.rootp;
    return {reinterpret_cast<int8_t *>(
                getData(root.strawberry_array__DOT__input_memory__DOT__words)),
            reinterpret_cast<int8_t *>(
                getData(root.strawberry_array__DOT__weight_memory__DOT__words)),
            getData(root.strawberry_array__DOT__accumulators__DOT__words)};
  }

private:
  /// Returns the contents of a memory.
  template <typename Memory>
  static uint32_t *getData(Memory &memory) {
    static_assert(sizeof(Memory) == STRAWBERRY_ARRAY_MAX_BYTES);
    return memory[0].data();
  }

  Vstrawberry_array top;
};

Array &getArray() {
  static Array array;
  return array;
}
} // namespace

extern "C" strawberry_array_memories strawberry_array_get_memories() {
  return getArray().getMemories();
}

extern "C" int strawberry_array_set_lanes(int lanes) { return lanes == 16; }

extern "C" long long strawberry_array_run(const strawberry_tile *tile,
                                          int is_depthwise) {
  return getArray().run(*tile, is_depthwise != 0);
}
