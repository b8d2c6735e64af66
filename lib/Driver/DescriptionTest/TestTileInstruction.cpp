//===- TestTileInstruction.cpp - uma test of instructions on tiles --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Computes tiles of random sizes, in several steps and with random strides, and
// compares the sums with what the description says. Elements around the tiles
// must keep their values.
//
//===----------------------------------------------------------------------===//

#include "TestLayers.h"

#include "uma/Conversion/TIRToEmitC/InstructionText.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uma;

/// Expects the macros ROWS, COLUMNS and TILE_WORDS (largest tile), PER_WORD,
/// TILES, SEED and TILE(part) (functions of the instruction), and the types
/// data_t and weight_t.
static constexpr llvm::StringLiteral kTileProgram = R"(
enum { STEPS = 3, GAP = 5, PANEL = 16 };
static data_t data[(ROWS + 1) * (TILE_WORDS + GAP) * STEPS * PER_WORD];
static weight_t weights[COLUMNS * STEPS * TILE_WORDS * PER_WORD];
static sum_t sums[ROWS * COLUMNS + PANEL];
static int uma_size(int most) {
  return uma_next() % 3 == 0 ? most : 1 + (int)(uma_next() % (unsigned)most);
}

static int uma_try(void) {
  int rows = uma_size(ROWS), words = uma_size(TILE_WORDS);
  int columns = PANEL * uma_size(COLUMNS / PANEL);
  /* In words. */
  int pitch = STEPS * words + (int)(uma_next() % GAP), depth = STEPS * words;
  int row, column, word, i;
  uma_fill(data, sizeof(data));
  uma_fill(weights, sizeof(weights));
  uma_fill(sums, sizeof(sums));
  for (i = 0; i < PANEL; ++i)
    sums[rows * columns + i] = (sum_t)i;
  TILE(_configure)(rows, columns, words);
  TILE(_start)(sums, 0, rows, columns, words);
  for (i = 0; i < STEPS; ++i)
    TILE()(sums, 0, data, i * words, pitch, weights, i * words * PANEL, PANEL,
           depth * PANEL, rows, columns, words);
  TILE(_finish)(sums, 0, rows, columns, words);
  for (row = 0; row < rows; ++row)
    for (column = 0; column < columns; ++column) {
      uint32_t expected = 0;
      for (word = 0; word < depth; ++word)
        for (i = 0; i < PER_WORD; ++i)
          expected += (uint32_t)(
              uma_to_int(data[(row * pitch + word) * PER_WORD + i]) *
              uma_to_int(weights[((column / PANEL * depth + word) * PANEL +
                                  column % PANEL) * PER_WORD + i]));
      if (sums[row * columns + column] != (sum_t)(int32_t)expected) {
        printf("uma: tile of %d rows, %d columns and %d words, in %d steps: "
               "row %d, column %d: it computes %ld, the description says %ld",
               rows, columns, words, STEPS, row, column,
               (long)sums[row * columns + column], (long)(int32_t)expected);
        return 1;
      }
    }
  for (i = 0; i < PANEL; ++i)
    if (sums[rows * columns + i] != (sum_t)i) {
      printf("uma: tile of %d rows, %d columns and %d words: it writes behind "
             "the sums", rows, columns, words);
      return 1;
    }
  return 0;
}

int main(void) {
  int n;
  if (!TILE(_available)()) {
    puts("uma: unavailable");
    return 0;
  }
  for (n = 0; n < TILES; ++n)
    if (uma_try())
      return 1;
  puts("uma: equal");
  return 0;
}
)";

std::string uma::writeTileProgram(accel::InstructionOp instruction,
                                  uint64_t seed) {
  accel::InstructionOp::Dot dot = instruction.getDot();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
        "#include <stdio.h>\n#include <string.h>\n"
        "#define UMA_INLINE static inline\n"
     << getTileInstructionText(instruction) << "\n#if "
     << getInstructionGuard(instruction) << "\n#define ROWS "
     << instruction.getMostRows() << "\n#define COLUMNS "
     << instruction.getMostColumns() << "\n#define TILE_WORDS "
     << instruction.getMostWords() << "\n#define PER_WORD "
     << (dot.isPairs ? 2 : 4) << "\n#define TILES "
     << TestedInstruction::kNumTiles << "\n#define SEED " << seed
     << "u\n#define TILE(part) " << getInstructionFunction(instruction)
     << "##part\n"
     << (dot.isFloat ? "#define IS_FLOAT\ntypedef float sum_t;\n"
                       "typedef uint16_t data_t, weight_t;"
         : dot.isPairs
             ? "typedef int32_t sum_t;\ntypedef int16_t data_t, weight_t;"
             : "typedef int32_t sum_t;\ntypedef uint8_t data_t;\n"
               "typedef int8_t weight_t;")
     << getRandomElementsText() << kTileProgram
     << "#else\nint main(void) {\n  puts(\"uma: absent\");\n  return 0;\n}\n"
        "#endif\n";
  return text;
}
