//===- Emulator.h - Running a board's program -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BOARD_EMULATOR_H
#define UMA_LIB_DRIVER_BOARD_EMULATOR_H

#include "../Package/Build.h"
#include "Board.h"
#include "Image.h"

#include <map>

namespace uma {

/// Instructions of one call to a layer's function.
struct BoardLayer {
  std::string name;
  double instructions = 0; ///< sum over all executions of the call
};

/// What the program of a board reports.
struct BoardRun {
  /// Why the run failed; empty if the network returned.
  std::string problem;
  int32_t status = 0; ///< what the network returned
  /// By the number of the call in the network's function.
  std::map<uint32_t, BoardLayer> layers;
  double instructions = 0; ///< of the whole run
  /// Largest use of the stack by the network in this run, in bytes.
  uint32_t stack = 0;
  /// Instructions of the calibration loop that the counter missed or invented.
  double counterError = 0;
  std::string output; ///< printed by the network's devices
};

/// Runs the program `path` in the folder `folder`, at most `seconds`; without a
/// limit if that is 0. Explains faults by the symbols of `image`.
BoardRun runOnBoard(const Board &board, const Image &image,
                    llvm::StringRef path, llvm::StringRef folder,
                    unsigned seconds);

/// Reports that the emulator of a board is missing, or returns Success.
ExitCode findEmulator(const ModelContext &context, const Board &board);

} // namespace uma

#endif // UMA_LIB_DRIVER_BOARD_EMULATOR_H
