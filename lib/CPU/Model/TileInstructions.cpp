//===- TileInstructions.cpp - Instructions on tiles in memory -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/TileInstructions.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

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

ContractionProblem uma::mergeSteps(ContractionProblem problem) {
  if (!problem.hasContiguousSteps || problem.reduce.size() < 2)
    return problem;
  // The index of the last dimension of the data may exceed it.
  int64_t steps = problem.reduce.pop_back_val();
  problem.reduce.back() *= steps;
  problem.getDataIndices = [getIndices = std::move(problem.getDataIndices)](
                               ArrayRef<AffineExpr> outer, AffineExpr row,
                               ArrayRef<AffineExpr> reduce) {
    IndexExprs all(reduce.drop_back());
    all.push_back(getAffineConstantExpr(0, row.getContext()));
    all.push_back(reduce.back());
    return getIndices(outer, row, all);
  };
  problem.hasContiguousSteps = false;
  return problem;
}

int64_t uma::getJoinedRows(const ContractionProblem &problem, int64_t lines) {
  return (lines - 1) * problem.linePitch + problem.rows;
}

/// Returns whether tiles of so many columns are whole blocks of the result's
/// channels, or parts of one.
static bool fitsBlocks(const ContractionProblem &problem, int64_t columns) {
  int64_t block = problem.channelBlock;
  return block == 0 || block % columns == 0 || columns % block == 0;
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
  ContractionProblem merged = mergeSteps(problem);
  if (problem.wordSize == 1)
    return "the layer multiplies no words";
  if (!problem.hasAllLoops || problem.hasWeightSets || problem.getWeightIndices)
    return "the layer is computed tile by tile or in groups";
  if (!merged.hasVectorsOfSteps(1, context) ||
      !hasConstantPitch(merged, context))
    return "the data does not lie in rows of words";
  int64_t panel = getPanelWidth(pack, problem.channelBlock);
  if (panel != lineElements)
    return "weights lie in panels of " + std::to_string(panel) + " channels";
  if (pack % instruction.getColumns() != 0 ||
      !fitsBlocks(problem, instruction.getColumns()) ||
      instruction.getColumns() % panel != 0)
    return "tiles of " + std::to_string(instruction.getColumns()) +
           " channels do not divide those that lie together";
  if (merged.reduce.back() % instruction.getWords() != 0)
    return std::to_string(instruction.getWords()) +
           " words do not divide the " + std::to_string(merged.reduce.back()) +
           " that lie together";
  int64_t lines = instruction.getLines();
  if (lines != 1 && (problem.linePitch < problem.rows ||
                     problem.outer.empty() || lines > problem.outer.back()))
    return "its rows do not continue in " + std::to_string(lines) + " lines";
  return std::nullopt;
}

/// Returns whether tiles take less time than vectors: an instruction takes as
/// long for few words as for many, and its sums pass through memory.
static bool paysForVectors(const ContractionProblem &problem, int64_t words) {
  // A vector computes two words in the time that a row of a tile takes for all
  // of its words. Storing and loading the sums takes that of some steps.
  constexpr int64_t wordsPerStep = 2, sumSteps = 4;
  int64_t depth = computeProduct(problem.reduce);
  return depth > wordsPerStep * (depth / words + sumSteps);
}

/// Returns how many lines to join: few rows would load the weights of each tile
/// for too few products.
static int64_t chooseLines(const ContractionProblem &problem, int64_t mostRows,
                           int64_t columns) {
  // The sums of all lines stay in the L1 cache.
  constexpr int64_t mostTiles = 4;
  if (problem.linePitch < problem.rows || problem.outer.empty())
    return 1;
  // A tile loads a row of as many bytes for each of its rows and columns.
  auto getLoads = [&](int64_t lines) {
    int64_t rows = lines == 0 ? 0 : getJoinedRows(problem, lines);
    return rows + int64_t(llvm::divideCeil(rows, mostRows)) * columns;
  };
  int64_t extent = problem.outer.back(), best = 1, least = 0;
  for (int64_t lines = 1; lines <= extent; ++lines) {
    if (lines != 1 && getJoinedRows(problem, lines) > mostTiles * mostRows)
      break;
    int64_t loads = extent / lines * getLoads(lines) + getLoads(extent % lines);
    if (lines == 1 || loads < least) {
      best = lines;
      least = loads;
    }
  }
  return best;
}

/// Returns the tile of one instruction; null if it does not fit or pay.
static TileInstructionAttr getTile(const ContractionProblem &layer,
                                   int64_t pack, InstructionOp instruction) {
  // A smaller part of a tile is no faster than vectors.
  constexpr int64_t leastRows = 8, leastWords = 4;
  MLIRContext *context = instruction.getContext();
  ContractionProblem problem = mergeSteps(layer);
  if (!multiplies(instruction, problem) || problem.reduce.empty())
    return {};
  int64_t mostRows = instruction.getMostRows();
  int64_t lines = chooseLines(problem, mostRows, instruction.getMostColumns());
  int64_t rows = getJoinedRows(problem, lines);
  rows = lines == 1 ? std::min(rows, mostRows)
                    : llvm::divideCeil(rows, llvm::divideCeil(rows, mostRows));
  int64_t words =
      getLargestDivisor(problem.reduce.back(), instruction.getMostWords());
  if (rows * leastRows < mostRows ||
      words * leastWords < instruction.getMostWords() ||
      (instruction.getLanes() != 1 && !paysForVectors(problem, words)))
    return {};
  int64_t columns = instruction.getMostColumns();
  auto fits = [&] {
    return pack % columns == 0 && fitsBlocks(problem, columns);
  };
  while (columns > lineElements && !fits())
    columns -= lineElements;
  auto tile = TileInstructionAttr::get(
      context, StringAttr::get(context, instruction.getFullName()),
      instruction.getLanes(), rows, columns, words, lines);
  return findProblem(layer, pack, tile) ? TileInstructionAttr() : tile;
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
