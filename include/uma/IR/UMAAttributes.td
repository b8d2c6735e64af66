//===- UMAAttributes.td - All attributes of the dialect -*- tablegen -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Attributes are generated together because a dialect has a single attribute
// parser.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_UMAATTRIBUTES_TD
#define UMA_IR_UMAATTRIBUTES_TD

include "uma/Accel/IR/MappingAttr.td"
include "uma/CPU/IR/CPUAttributes.td"
include "uma/IR/TargetAttr.td"

#endif // UMA_IR_UMAATTRIBUTES_TD
