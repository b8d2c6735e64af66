//===- Completion.h - Completion of a command line -*- C++ -*-------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TOOLS_UMA_COMPLETION_H
#define UMA_TOOLS_UMA_COMPLETION_H

#include "Command.h"

namespace uma {

/// `uma __complete WORD...`: prints the words that may replace the last one of
/// `words`, the command line after `uma`. The shells' scripts in
/// utils/completion call it.
///
/// Prints one candidate per line, with a tab and its description if it has one.
/// The last line is `:KIND`, a tab, and the first part of the word, which the
/// shell keeps. KIND is what else may follow that part: `files`, `folders`,
/// `programs` or `none`.
ExitCode printCompletions(llvm::ArrayRef<Command *> commands,
                          llvm::ArrayRef<llvm::StringRef> words);

} // namespace uma

#endif // UMA_TOOLS_UMA_COMPLETION_H
