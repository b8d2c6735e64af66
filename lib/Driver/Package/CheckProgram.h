//===- CheckProgram.h - C that runs a package under supervision -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_PACKAGE_CHECKPROGRAM_H
#define UMA_LIB_DRIVER_PACKAGE_CHECKPROGRAM_H

#include "PackageDescription.h"
#include "Tensors.h"

#include <cstdint>
#include <string>

namespace uma {

/// Kinds of messages that the program of writeCheckProgram sends and receives.
enum class CheckMessageKind : uint32_t {
  Run = 'r',      ///< to the program: run on the inputs that follow
  Continue = 'c', ///< to the program: keep the device's results
  Replace = 'x',  ///< to the program: use the results that follow instead
  Begin = 'B',    ///< a call to a device begins
  Call = 'C',     ///< names of a layer, `size` bytes, and of the function that
                  ///< is called next follow
  Guard = 'G',    ///< `size` bytes from `offset` on were written outside
  Changed = 'I',  ///< `size` bytes from `offset` on of an input changed
  End = 'E',      ///< the call ended; the contents of its arguments follow
  Failed = 'S',   ///< the device reported `status`; the layer's name follows
  Done = 'D',     ///< the run ended with `status`; the outputs follow
};

/// Header of each message, the same as `struct uma_message` in the C.
struct CheckMessage {
  CheckMessageKind kind = CheckMessageKind::Run;
  int32_t call = -1;     ///< index of the device call, -1 outside of calls
  int32_t argument = -1; ///< index in the call or, outside, in NET_run
  int32_t status = 0;
  int64_t offset = 0; ///< bytes from the start of the argument
  uint64_t size = 0;
  uint64_t payload = 0; ///< bytes after the header
};

/// Checked bytes on each side of a buffer.
inline constexpr size_t kGuardBytes = 4096;

/// Replaces the example of the package in `folder` by a program that runs it
/// under supervision: it answers CheckMessageKind::Run on the file descriptor
/// of its argument until that is closed. Guards surround every buffer of the
/// network and of its device calls.
llvm::Error writeCheckProgram(llvm::StringRef folder,
                              const PackageDescription &package);

} // namespace uma

#endif // UMA_LIB_DRIVER_PACKAGE_CHECKPROGRAM_H
