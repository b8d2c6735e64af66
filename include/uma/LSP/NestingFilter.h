//===- NestingFilter.h - Limit of the nesting of MLIR -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LSP_NESTINGFILTER_H
#define UMA_LSP_NESTINGFILTER_H

namespace uma {

/// Makes the standard input a pipe from a thread that passes the messages of an
/// editor on. In place of the text of a document whose brackets are nested too
/// deep for MLIR's parser, it passes a text that the parser refuses. Does
/// nothing if there are no pipes or threads.
void filterStandardInput();

} // namespace uma

#endif // UMA_LSP_NESTINGFILTER_H
