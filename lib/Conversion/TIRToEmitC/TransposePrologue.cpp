//===- TransposePrologue.cpp - Transposes of the C prologue ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Transposes of squares in registers. Interleaving rows i and i + size / 2,
// log2 size times, transposes a square (perfect shuffles). Of vectors of 256
// bits, x86 interleaves the halves by themselves: these are exchanged at the
// end. Other permutations of lanes use the same macro.
//
//===----------------------------------------------------------------------===//

#include "Prologue.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;

/// `row` is a vector of integers as wide as the lanes.
static constexpr llvm::StringLiteral kShuffle = R"(
#ifndef UMA_SHUFFLE
#if defined(__clang__) || __GNUC__ >= 12
#define UMA_SHUFFLE(row, x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define UMA_SHUFFLE(row, x, y, ...) \
  __builtin_shuffle(x, y, __extension__(row){__VA_ARGS__})
#endif
#endif)";

/// Placeholders: `@` size, BITS of an element, BYTES of a row.
static constexpr llvm::StringLiteral kBegin = R"(
/* target[j * columns + i] = source[i * rows + j] */
UMA_INLINE void uma_transpose_BITSx@(const void *source, ptrdiff_t rows, void *target, ptrdiff_t columns) {
  typedef intBITS_t uma_row __attribute__((vector_size(BYTES)));
  uma_row x[@], y[@];
  int i;
  for (i = 0; i < @; ++i) {
    memcpy(&x[i], (const intBITS_t *)source + i * rows, sizeof(uma_row));
  })";
static constexpr llvm::StringLiteral kEnd = R"(
  for (i = 0; i < @; ++i) {
    memcpy((intBITS_t *)target + i * columns, &RESULT[i], sizeof(uma_row));
  }
})";

static constexpr llvm::StringLiteral kHalves = R"(
  for (i = 0; i < 8; i += 2) {
    y[i] = UMA_SHUFFLE(uma_row, x[i], x[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    y[i + 1] = UMA_SHUFFLE(uma_row, x[i], x[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (i = 0; i < 8; i += 4) {
    x[i] = UMA_SHUFFLE(uma_row, y[i], y[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    x[i + 1] = UMA_SHUFFLE(uma_row, y[i], y[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    x[i + 2] = UMA_SHUFFLE(uma_row, y[i + 1], y[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    x[i + 3] = UMA_SHUFFLE(uma_row, y[i + 1], y[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (i = 0; i < 4; ++i) {
    y[i] = UMA_SHUFFLE(uma_row, x[i], x[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    y[i + 4] = UMA_SHUFFLE(uma_row, x[i], x[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  })";

/// Returns one perfect shuffle of the rows of `from`.
static std::string getShuffle(StringRef from, StringRef to, int64_t size) {
  std::string low, high;
  for (int64_t lane = 0; lane < size; ++lane) {
    int64_t place = lane / 2 + (lane % 2) * size;
    low += ", " + std::to_string(place);
    high += ", " + std::to_string(place + size / 2);
  }
  std::string half = std::to_string(size / 2);
  std::string operands = (" = UMA_SHUFFLE(uma_row, " + from + "[i], " + from +
                          "[i + " + half + "]")
                             .str();
  return ("\n  for (i = 0; i < " + half + "; ++i) {\n    " + to + "[2 * i]" +
          operands + low + ");\n    " + to + "[2 * i + 1]" + operands + high +
          ");\n  }")
      .str();
}

static std::string getText(unsigned bits, int64_t size) {
  std::string text = kBegin.str();
  StringRef result = "y";
  if (bits * size == 256) {
    text += kHalves;
  } else {
    for (unsigned step = 0; step < llvm::Log2_64(size); ++step) {
      bool isEven = step % 2 == 0;
      text += getShuffle(isEven ? "x" : "y", isEven ? "y" : "x", size);
      result = isEven ? "y" : "x";
    }
  }
  text += kEnd;
  replaceAll(text, "RESULT", result);
  replaceAll(text, "BITS", std::to_string(bits));
  replaceAll(text, "BYTES", std::to_string(bits * size / 8));
  replaceAll(text, "@", std::to_string(size));
  return text;
}

/// Squares: bits of an element, size, and lanes of 32 bits of a row.
static constexpr struct {
  unsigned bits;
  int64_t size, lanes;
} kSquares[] = {{8, 16, 4}, {16, 8, 4}, {32, 4, 4}, {32, 8, 8}};

std::string Prologue::requireTranspose(unsigned bits, int64_t size) {
  lanes = true;
  string = true;
  std::string name =
      "transpose_" + std::to_string(bits) + "x" + std::to_string(size);
  for (const auto &square : kSquares)
    if (square.bits == bits && square.size == size)
      vectors[square.lanes].insert(name);
  return "uma_" + name;
}

std::string uma::getTransposePrologue(int64_t count,
                                      const std::set<std::string> &used) {
  std::string text = used.count("shuffle") != 0 ? kShuffle.str() : "";
  for (const auto &[bits, size, lanes] : kSquares)
    if (lanes == count && used.count("transpose_" + std::to_string(bits) + "x" +
                                     std::to_string(size)))
      text += (text.empty() ? kShuffle.str() : "") + getText(bits, size);
  return text;
}
