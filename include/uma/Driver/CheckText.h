//===- CheckText.h - Check of a description in an editor -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_CHECKTEXT_H
#define UMA_DRIVER_CHECKTEXT_H

#include "uma/Accel/Language/DescriptionNames.h"
#include "uma/Driver/Message.h"

namespace uma {

/// Checks `text`, the unsaved contents of the description `file`, like `uma
/// check`, with the header if `withHeader`. Adds its names to `names`.
void checkText(llvm::StringRef text, llvm::StringRef file, bool withHeader,
               accel::DescriptionNames &names, const MessageHandler &handler);

/// Formats a description like `uma format`. Returns false if it has an error.
bool formatText(llvm::StringRef text, std::string &formatted);

} // namespace uma

#endif // UMA_DRIVER_CHECKTEXT_H
