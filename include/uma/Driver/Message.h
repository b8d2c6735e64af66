//===- Message.h - Messages of the compiler -*- C++ -*---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Does not depend on MLIR, for front ends built with other compiler flags.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_MESSAGE_H
#define UMA_DRIVER_MESSAGE_H

#include <functional>
#include <string>

namespace uma {

enum class Severity { Note, Remark, Warning, Error };

/// Returns "note", "remark", "warning" or "error".
const char *getSeverityName(Severity severity);

/// A diagnostic in user-readable form.
struct Message {
  Severity severity = Severity::Error;
  /// `FILE:LINE:COL`, or `FILE` if it has no lines; empty if the message is
  /// about the command line.
  std::string where;
  /// Text, after the name of the layer if a file has no positions.
  std::string text;
};

/// Receives messages in the order of their emission; notes follow the message
/// that they explain.
using MessageHandler = std::function<void(const Message &)>;

/// Prints `FILE:LINE:COL: error: …`, or `uma: error: …`, to standard error.
void printMessage(const Message &message);

} // namespace uma

#endif // UMA_DRIVER_MESSAGE_H
