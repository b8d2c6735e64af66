//===- Supervisor.h - Cleanup after a process -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_SUPERVISOR_H
#define UMA_SUPPORT_SUPERVISOR_H

#include "llvm/ADT/StringRef.h"

#include <system_error>

namespace uma {

/// Forks. Returns in the child, which continues in its own process group. The
/// parent never returns: it forwards the signals that end or stop a program to
/// that group, waits for the child, removes `folder` with its contents, and
/// ends as the child did. After a signal it also ends the processes that the
/// child has started.
///
/// Must be called before the program has threads. Returns an error if the
/// process cannot fork.
std::error_code forkSupervised(llvm::StringRef folder);

} // namespace uma

#endif // UMA_SUPPORT_SUPERVISOR_H
