//===- HeaderArgument.h - An argument in messages -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_HEADERCHECK_HEADERARGUMENT_H
#define UMA_LIB_DRIVER_HEADERCHECK_HEADERARGUMENT_H

#include "HeaderProbe.h"

namespace uma {

/// Returns the place of an argument: `argument 1 of 'f'`.
std::string describeSlot(const ProbeCall &call, size_t index);

/// Describes an argument of the description: `tensor 'x' of f32, passed as
/// 'float *'`.
std::string describeArgument(const ProbeArgument &argument);

} // namespace uma

#endif // UMA_LIB_DRIVER_HEADERCHECK_HEADERARGUMENT_H
