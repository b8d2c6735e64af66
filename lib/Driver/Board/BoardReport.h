//===- BoardReport.h - What a network needs on a board -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BOARD_BOARDREPORT_H
#define UMA_LIB_DRIVER_BOARD_BOARDREPORT_H

#include "../PackageDescription.h"
#include "Emulator.h"
#include "StackUsage.h"

#include "llvm/Support/raw_ostream.h"

namespace uma {

/// Functions of libraries that the objects of a network call.
struct LibraryCalls {
  std::vector<std::string> functions; ///< of the C library
  std::vector<std::string> compiler;  ///< of the compiler's own library
  /// Those that firmware cannot have: files, printing, the heap.
  std::vector<std::string> forbidden;
};

/// Sorts the symbols of libraries that a network uses.
LibraryCalls sortLibraryCalls(llvm::ArrayRef<std::string> symbols);

/// Prints the instructions of each layer, and for each multiply-accumulate.
void printLayers(const BoardRun &profiled, const BoardRun &plain,
                 const PackageDescription &package, llvm::raw_ostream &os);

/// Prints the bytes of both memories and of their parts.
void printMemories(const Board &board, const ImageSizes &sizes,
                   llvm::raw_ostream &os);

/// Prints the worst stack of the network and that of a run.
void printStack(const Board &board, const StackUsage::Worst &worst,
                const BoardRun &run, llvm::raw_ostream &os);

void printLibraryCalls(const LibraryCalls &calls, llvm::raw_ostream &os);

/// Returns why a program does not fit a board; empty if it does.
std::string explainOverflow(const Board &board, const ImageSizes &sizes);

} // namespace uma

#endif // UMA_LIB_DRIVER_BOARD_BOARDREPORT_H
