//===- MLIRSession.h - Supervision of upstream's server -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LSP_MLIRSESSION_H
#define UMA_LSP_MLIRSESSION_H

#include <string>
#include <vector>

namespace uma {

/// Runs a language server for MLIR, `command`, as a child, and passes messages
/// between it and the editor. If the child dies, it is started again with the
/// documents that are open, except the one that it died of. Brackets that are
/// nested too deep for MLIR's parser do not reach it. Returns the exit code.
int superviseMLIRServer(const std::vector<std::string> &command);

} // namespace uma

#endif // UMA_LSP_MLIRSESSION_H
