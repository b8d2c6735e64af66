//===- StandardStreams.h - Closed or full standard streams -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_STANDARDSTREAMS_H
#define UMA_SUPPORT_STANDARDSTREAMS_H

namespace uma {

/// Prepares for closed or full standard streams. Must be called at the start of
/// main.
///
/// Files opened later do not get the descriptor of a closed stream, so that no
/// message is written to them; using a closed stream remains an error. A
/// message that cannot be written to standard error does not change the exit
/// code; by default LLVM would exit with 1.
void guardStandardStreams();

} // namespace uma

#endif // UMA_SUPPORT_STANDARDSTREAMS_H
