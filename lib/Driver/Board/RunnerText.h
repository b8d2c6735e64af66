//===- RunnerText.h - Generated files of a board's program -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BOARD_RUNNERTEXT_H
#define UMA_LIB_DRIVER_BOARD_RUNNERTEXT_H

#include "../Package/PackageDescription.h"
#include "Board.h"

namespace uma {

/// Files of input and output `index` in the folder in which the program runs.
std::string getBoardInputFile(size_t index);
std::string getBoardOutputFile(size_t index);

/// Folders of the object files in the build folder. The linker script tells by
/// them which part of the program a section belongs to.
inline constexpr llvm::StringLiteral kRunnerFolder = "runner";
inline constexpr llvm::StringLiteral kNetworkFolder = "network";
inline constexpr llvm::StringLiteral kWeightsFolder = "weights";
inline constexpr llvm::StringLiteral kDevicesFolder = "devices";

/// Returns runner.h: the buffers of the network, their files and the call.
std::string getRunnerHeader(const PackageDescription &package);

/// uma_profile.h of the program that counts the instructions of each layer.
extern const llvm::StringLiteral kBoardProfileHeader;

/// Returns the linker script. Each part of the program is a section of its own,
/// named as in Image.h. The memories end where the next one begins, so that a
/// program that is too large is linked and its parts can be told.
std::string getLinkerScript(const Board &board);

} // namespace uma

#endif // UMA_LIB_DRIVER_BOARD_RUNNERTEXT_H
