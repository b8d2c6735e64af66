//===- TileInstructions.cpp - Instructions on tiles in memory -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/TileInstructions.h"

using namespace mlir;
using namespace uma;
using accel::InstructionOp;

/// Returns the elements in a word of the instruction's data.
static int64_t getElementsPerWord(InstructionOp instruction) {
  return instruction.getCounts()[instruction.getDot().data];
}

/// Returns whether an instruction multiplies the words of a contraction.
static bool multiplies(InstructionOp instruction,
                       const ContractionProblem &problem) {
  return getElementsPerWord(instruction) == problem.wordSize &&
         instruction.getDot().isFloat == problem.hasFloatWords;
}

/// Returns whether the next row of the data is always as far away.
static bool hasConstantPitch(const ContractionProblem &problem,
                             MLIRContext *context) {
  unsigned count = problem.outer.size() + 1 + problem.reduce.size();
  AffineExpr row = getAffineDimExpr(problem.outer.size(), context);
  return llvm::all_of(problem.getAllDataIndices(context),
                      [&](AffineExpr index) {
                        AffineExpr next = index.replace(row, row + 1);
                        return isa<AffineConstantExpr>(
                            simplifyAffineExpr(next - index, count, 0));
                      });
}

std::optional<std::string> uma::findProblem(const ContractionProblem &problem,
                                            int64_t pack,
                                            TileInstructionAttr instruction) {
  MLIRContext *context = instruction.getContext();
  if (problem.wordSize == 1)
    return "the layer multiplies no words";
  if (!problem.hasAllLoops || problem.hasWeightSets || problem.getWeightIndices)
    return "the layer is computed tile by tile or in groups";
  if (!problem.hasVectorsOfSteps(1, context) ||
      !hasConstantPitch(problem, context))
    return "the data does not lie in rows of words";
  int64_t panel = getPanelWidth(pack, problem.channelBlock);
  if (panel != lineElements)
    return "weights lie in panels of " + std::to_string(panel) + " channels";
  if (pack % instruction.getColumns() != 0 ||
      (problem.channelBlock != 0 &&
       problem.channelBlock % instruction.getColumns() != 0) ||
      instruction.getColumns() % panel != 0)
    return "tiles of " + std::to_string(instruction.getColumns()) +
           " channels do not divide those that lie together";
  if (problem.reduce.back() % instruction.getWords() != 0)
    return std::to_string(instruction.getWords()) +
           " words do not divide the " + std::to_string(problem.reduce.back()) +
           " that lie together";
  return std::nullopt;
}

/// Returns the largest divisor of `extent` up to `most`.
static int64_t getDivisor(int64_t extent, int64_t most) {
  int64_t divisor = std::min(extent, most);
  while (extent % divisor != 0)
    --divisor;
  return divisor;
}

/// Returns the tile of one instruction; null if it does not fit or pay.
static TileInstructionAttr getTile(const ContractionProblem &problem,
                                   int64_t pack, InstructionOp instruction) {
  // A smaller part of a tile is no faster than vectors.
  constexpr int64_t leastRows = 8, leastWords = 4;
  MLIRContext *context = instruction.getContext();
  if (!multiplies(instruction, problem) || problem.reduce.empty())
    return {};
  int64_t rows = std::min(problem.rows, instruction.getMostRows());
  int64_t words = getDivisor(problem.reduce.back(), instruction.getMostWords());
  if (rows * leastRows < instruction.getMostRows() ||
      words * leastWords < instruction.getMostWords())
    return {};
  int64_t columns = instruction.getMostColumns();
  auto fits = [&] {
    return pack % columns == 0 &&
           (problem.channelBlock == 0 || problem.channelBlock % columns == 0);
  };
  while (columns > lineElements && !fits())
    columns -= lineElements;
  auto tile = TileInstructionAttr::get(
      context, StringAttr::get(context, instruction.getFullName()),
      instruction.getLanes(), rows, columns, words);
  return findProblem(problem, pack, tile) ? TileInstructionAttr() : tile;
}

TileInstructionAttr
uma::chooseTileInstruction(const ContractionProblem &problem, int64_t pack,
                           ArrayRef<InstructionOp> instructions) {
  for (InstructionOp instruction : instructions)
    if (TileInstructionAttr tile = getTile(problem, pack, instruction))
      return tile;
  return {};
}

int64_t uma::getTilePack(const ContractionProblem &problem,
                         ArrayRef<InstructionOp> instructions) {
  for (InstructionOp instruction : instructions) {
    if (!multiplies(instruction, problem))
      continue;
    // A pack holds whole blocks.
    int64_t pack = std::max(instruction.getMostColumns(), problem.channelBlock);
    bool fits = problem.channels % pack == 0 &&
                (problem.channelBlock == 0 || pack % problem.channelBlock == 0);
    return fits ? pack : 0;
  }
  return 0;
}

int64_t uma::getTileBlock(Type element, ArrayRef<InstructionOp> instructions) {
  for (InstructionOp instruction : instructions) {
    auto type = cast<TypeAttr>(
        instruction.getOperandTypes()[instruction.getDot().data]);
    if (type.getValue() == element)
      return getElementsPerWord(instruction) * instruction.getMostWords();
  }
  return 0;
}
