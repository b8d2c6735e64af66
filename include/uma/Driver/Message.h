//===- Message.h - What the compiler has to say -*- C++ -*-----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Free of MLIR, so that doors built with other compiler flags can include it.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_MESSAGE_H
#define UMA_DRIVER_MESSAGE_H

#include <functional>
#include <string>

namespace uma {

enum class Severity { Note, Remark, Warning, Error };

/// "note", "remark", "warning" or "error".
const char *getSeverityName(Severity severity);

/// A diagnostic as users read it.
struct Message {
  Severity severity = Severity::Error;
  /// `FILE:LINE:COL`, `FILE` where it has no lines; empty where the message is
  /// about how the compiler was called.
  std::string where;
  /// The message, after the name of the layer where a file has no positions.
  std::string text;
};

/// Takes messages in the order in which they come; notes follow what they
/// explain.
using MessageHandler = std::function<void(const Message &)>;

/// Prints `FILE:LINE:COL: error: …`, or `uma: error: …`, on standard error.
void printMessage(const Message &message);

} // namespace uma

#endif // UMA_DRIVER_MESSAGE_H
