//===- TileInstructions.h - Instructions on tiles in memory -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A described instruction whose operands lie in memory, such as those of AMX,
// replaces the loops of a contraction. It takes a tile of rows and channels and
// as many words of the reduction as it can.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_TILEINSTRUCTIONS_H
#define UMA_CPU_MODEL_TILEINSTRUCTIONS_H

#include "uma/Accel/IR/AccelOps.h"
#include "uma/CPU/Model/Contraction.h"

namespace uma {

/// Returns `problem` with its last two reduction loops as one where they read
/// contiguous data: the words of neighbouring taps are computed together.
ContractionProblem mergeSteps(ContractionProblem problem);

/// Returns the rows of `lines` iterations of the last outer loop in a row, with
/// those between them.
int64_t getJoinedRows(const ContractionProblem &problem, int64_t lines);

/// Returns the tile that computes `problem`, with weights packed by `pack`,
/// with the first of `instructions` that pays; null if none does.
TileInstructionAttr
chooseTileInstruction(const ContractionProblem &problem, int64_t pack,
                      llvm::ArrayRef<accel::InstructionOp> instructions);

/// Returns the pack width that the tiles of the first of `instructions` for
/// these words want: their columns; 0 if they do not divide the channels.
int64_t getTilePack(const ContractionProblem &problem,
                    llvm::ArrayRef<accel::InstructionOp> instructions);

/// Returns the channels per block of a tensor with elements of type `element`,
/// so that the first of `instructions` that reads them finds all words of a
/// tile together; 0 if there is no such instruction.
int64_t getTileBlock(mlir::Type element,
                     llvm::ArrayRef<accel::InstructionOp> instructions);

/// Returns why `instruction` cannot compute `problem` with weights packed by
/// `pack`, as a clause; std::nullopt if it can.
std::optional<std::string> findProblem(const ContractionProblem &problem,
                                       int64_t pack,
                                       TileInstructionAttr instruction);

} // namespace uma

#endif // UMA_CPU_MODEL_TILEINSTRUCTIONS_H
