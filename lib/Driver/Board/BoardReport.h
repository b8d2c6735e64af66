//===- BoardReport.h - What a network needs on a board -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BOARD_BOARDREPORT_H
#define UMA_LIB_DRIVER_BOARD_BOARDREPORT_H

#include "../Package/PackageDescription.h"
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

/// What a network needs on a board.
struct BoardReport {
  const Board &board;
  const PackageDescription &package;
  ImageSizes sizes;
  LibraryCalls calls;
  StackUsage::Worst stack;
  /// A run with hooks around the layers; its `layers` are empty if the program
  /// is too large with them.
  std::optional<BoardRun> profiled;
  /// The last run without hooks; its `instructions` are 0 before it.
  BoardRun run;
};

/// Prints instructions of each layer, memories, stack and library functions.
void printReport(const BoardReport &report, llvm::raw_ostream &os);

/// Returns the report as JSON; docs/firmware.md describes it.
std::string toJSON(const BoardReport &report);

/// Returns why a program does not fit a board; empty if it does.
std::string explainOverflow(const Board &board, const ImageSizes &sizes);

} // namespace uma

#endif // UMA_LIB_DRIVER_BOARD_BOARDREPORT_H
