//===- Image.h - Parts of a program in ELF -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BOARD_IMAGE_H
#define UMA_LIB_DRIVER_BOARD_IMAGE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace uma {

/// Bytes of each part of a program that was linked with getLinkerScript.
struct ImageSizes {
  // Flash.
  uint64_t weights = 0;
  uint64_t code = 0;      ///< of the network's own functions
  uint64_t constants = 0; ///< of these: tables, descriptions of tensors
  uint64_t devices = 0;   ///< models of accelerators
  uint64_t libraries = 0; ///< functions of the C library and the compiler
  uint64_t initial = 0;   ///< initial values of data
  uint64_t runner = 0;    ///< what uma adds to run the network
  // RAM.
  uint64_t workspace = 0;
  uint64_t tensors = 0;       ///< inputs and outputs
  uint64_t data = 0;          ///< variables of the network
  uint64_t runnerTensors = 0; ///< copies of tensors in the workspace
  uint64_t libraryData = 0;   ///< variables of libraries, models and the runner
  uint64_t stack = 0;         ///< reserved by the board
  uint64_t runnerData = 0;    ///< the stack of exceptions

  /// Bytes from the first to the last one in use, with gaps for alignment.
  uint64_t flash = 0, ram = 0;
};

/// Function of a program.
struct ImageFunction {
  std::string name;
  uint64_t address = 0, bytes = 0;
};

/// A linked program.
struct Image {
  ImageSizes sizes;
  uint64_t stackBegin = 0, stackEnd = 0;
  std::vector<ImageFunction> functions; ///< by address

  /// Reads an ELF file of 32 bits.
  static llvm::Expected<Image> read(llvm::StringRef path);
  /// Returns the name of the function at an address; empty if there is none.
  llvm::StringRef getFunction(uint64_t address) const;
};

/// Returns the names that the object files use and neither they nor the files
/// `others` define, in alphabetical order.
llvm::Expected<std::vector<std::string>>
getUndefinedSymbols(llvm::ArrayRef<std::string> objects,
                    llvm::ArrayRef<std::string> others);

} // namespace uma

#endif // UMA_LIB_DRIVER_BOARD_IMAGE_H
