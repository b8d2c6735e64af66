//===- Server.h - Language server for descriptions -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LSP_SERVER_H
#define UMA_LSP_SERVER_H

namespace uma {

/// Serves the Language Server Protocol for descriptions on standard input and
/// output until `exit` or the end of the input. Returns the exit code: 0 after
/// `shutdown` and `exit`, otherwise 1.
int runDescriptionServer();

} // namespace uma

#endif // UMA_LSP_SERVER_H
