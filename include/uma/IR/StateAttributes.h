//===- StateAttributes.h - States of networks -*- C++ -*-------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_STATEATTRIBUTES_H
#define UMA_IR_STATEATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace uma {

/// Discardable attribute on arguments of an entry function: the value of a
/// state before the first run, an integer for all elements, or the elements of
/// a tensor. The argument is a state of the network, whose next value is a
/// result.
inline constexpr llvm::StringLiteral kStartAttrName = "uma.start";

} // namespace uma

#endif // UMA_IR_STATEATTRIBUTES_H
