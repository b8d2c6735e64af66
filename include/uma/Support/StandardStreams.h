//===- StandardStreams.h - Closed or full standard streams -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_STANDARDSTREAMS_H
#define UMA_SUPPORT_STANDARDSTREAMS_H

namespace uma {

/// Prepares for standard streams that are closed or full. To be called at the
/// start of main.
///
/// No file that is opened later takes the place of a closed stream, where
/// messages would be written to it; a closed stream stays an error for whoever
/// reads or writes it. A message that standard error does not take changes no
/// exit code; by itself LLVM would end the program with 1.
void guardStandardStreams();

} // namespace uma

#endif // UMA_SUPPORT_STANDARDSTREAMS_H
