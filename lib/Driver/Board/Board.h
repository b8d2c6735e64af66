//===- Board.h - Boards without an operating system -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// `uma run --board` builds a package for a microcontroller and runs it in an
// emulator. The folder `boards` contains the table of boards and the C that
// starts them, which the build embeds; docs/firmware.md describes its files.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BOARD_BOARD_H
#define UMA_LIB_DRIVER_BOARD_BOARD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace uma {

struct BoardMemory {
  std::string name;
  uint64_t start = 0;
  uint64_t bytes = 0;
};

/// Counter of a board that runs in proportion to the executed instructions.
struct BoardCounter {
  /// This many ticks in this many instructions.
  int64_t ticks = 1, instructions = 1;
  /// Ticks per unit of the coarse counter, which tells how often the counter of
  /// 32 bits has wrapped; 0 if there is none.
  int64_t coarse = 0;

  /// Returns the instructions between two readings from the differences of both
  /// counters, modulo 2^32.
  double getInstructions(uint32_t low, uint32_t coarseUnits) const;
};

struct Board {
  std::string name, summary;
  /// Name of the processor that a package for this board is compiled for.
  std::string processor;
  /// The C compiler and its flags for the core.
  std::vector<std::string> compiler;
  /// C that starts the board, and the flags for it. A source is a file beside
  /// the description, or one of the folder `boards`.
  std::vector<std::string> sources, sourceFlags;
  /// Memory for code and constants, and memory for data.
  BoardMemory flash, ram;
  /// Bytes for the stack, at the start of the RAM.
  uint64_t stack = 0;
  /// Command that runs `{program}`, an ELF file, with semihosting.
  std::vector<std::string> emulator;
  BoardCounter counter;
  /// Debian packages with a program.
  std::vector<std::pair<std::string, std::string>> packages;
  /// Folder of the description; empty for the table.
  std::string folder;

  /// Returns the table of boards.
  static llvm::ArrayRef<Board> getAll();
  /// Returns the board `name` of the table, or the one described by a file if
  /// the name contains '/' or ends in ".json". Fails with a message if there is
  /// none.
  static llvm::Expected<Board> get(llvm::StringRef name);
  /// Parses `text`, the contents of the file `path`.
  static llvm::Expected<Board> parse(llvm::StringRef text,
                                     llvm::StringRef path);

  /// Returns the advice to install the Debian packages with `program`; empty if
  /// they are unknown.
  std::string getInstallAdvice(llvm::StringRef program) const;
};

/// Returns the contents of a file of the folder `boards`, or std::nullopt.
std::optional<llvm::StringRef> getBoardSource(llvm::StringRef file);

} // namespace uma

#endif // UMA_LIB_DRIVER_BOARD_BOARD_H
