//===- StackUsage.h - Worst-case stack of a function -*- C++ -*------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BOARD_STACKUSAGE_H
#define UMA_LIB_DRIVER_BOARD_STACKUSAGE_H

#include "llvm/ADT/ArrayRef.h"

#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace uma {

/// Frames and calls of the functions of a program.
class StackUsage {
public:
  /// Reads the output of `objdump -d --no-show-raw-insn` for Arm in Thumb mode
  /// or RISC-V: the frames are the sums of what the instructions subtract from
  /// the stack pointer.
  void readDisassembly(llvm::StringRef text);
  /// Reads a file of `-fstack-usage`, whose frames replace those of
  /// readDisassembly.
  void readStackUsage(llvm::StringRef text);

  /// The deepest chain of calls.
  struct Worst {
    uint64_t bytes = 0;
    std::vector<std::string> path;
    /// Why `bytes` is no bound: functions in a recursion, with a frame whose
    /// size is not constant, or that call through a pointer.
    std::set<std::string> recursive, dynamic, indirect;
    bool isBound() const {
      return recursive.empty() && dynamic.empty() && indirect.empty();
    }
  };
  /// Returns the worst case of a call to `function`, its own frame included.
  Worst getWorst(llvm::StringRef function) const;

private:
  struct Frame {
    uint64_t bytes = 0;
    bool isDynamic = false;
  };
  struct Function {
    Frame frame;
    bool isIndirect = false;
    std::set<std::string> callees;
  };
  void readInstruction(Function &function, llvm::StringRef name,
                       llvm::StringRef mnemonic, llvm::StringRef operands);
  struct Visit;
  uint64_t visit(llvm::StringRef name, llvm::StringMap<Visit> &visits,
                 Worst &worst) const;

  /// Returns the frame as the compiler reports it, otherwise from the
  /// instructions.
  Frame getFrame(llvm::StringRef name) const;

  llvm::StringMap<Function> functions;
  llvm::StringMap<Frame> reported;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_BOARD_STACKUSAGE_H
