//===- ImportTFLiteFuzzer.cpp - A libFuzzer target for the importer -------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// For any input, the importer gives a module that verifies or an error of one
// line; it does not crash, hang, leak or allocate without bounds.
//
// A flatbuffer consists of aligned scalars: numbers, sizes and offsets. The
// mutator changes some of them by a little, to an extreme, or to another one of
// the file, so that most files still pass the verifier.
//
//===----------------------------------------------------------------------===//

#include "../ImporterContract.h"

#include "uma/Import/TFLite/ImportTFLite.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

using namespace mlir;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed);

static void import(llvm::StringRef bytes, uma::TFLiteRounding rounding) {
  uma::requireImporterContract(
      [&](MLIRContext &context, OwningOpRef<ModuleOp> &module) {
        return uma::importTFLite(llvm::MemoryBufferRef(bytes, "fuzz.tflite"),
                                 &context, {rounding},
                                 module) == uma::ImportStatus::Success;
      });
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  import(bytes, uma::TFLiteRounding::Float);
  import(bytes, uma::TFLiteRounding::FixedPoint);
  return 0;
}

/// Returns a number near the old one, or an extreme one.
static int64_t change(int64_t value, std::minstd_rand &random) {
  static constexpr int64_t edges[] = {
      0,
      1,
      -1,
      2,
      127,
      128,
      255,
      int64_t(1) << 16,
      int64_t(1) << 31,
      std::numeric_limits<int32_t>::max(),
      std::numeric_limits<int64_t>::max(),
  };
  switch (random() % 3) {
  case 0:
    return int64_t(uint64_t(value) + random() % 7 - 3);
  case 1:
    return int64_t(uint64_t(value) * 2);
  default:
    return edges[random() % std::size(edges)];
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize,
                               unsigned seed) {
  if (seed % 8 == 0 || size < 16)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::minstd_rand random(seed);
  for (unsigned count = 1 + random() % 3; count > 0; --count) {
    size_t width = size_t(1) << random() % 4;
    auto pick = [&] { return random() % (size / width) * width; };
    int64_t value = 0;
    uint8_t *at = data + pick();
    if (random() % 4 == 0) {
      std::memmove(at, data + pick(), width);
      continue;
    }
    std::memcpy(&value, at, width);
    value = change(value, random);
    std::memcpy(at, &value, width);
  }
  return size;
}
