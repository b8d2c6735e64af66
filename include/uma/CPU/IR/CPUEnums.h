//===- CPUEnums.h - Enums of the CPU's attributes -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_IR_CPUENUMS_H
#define UMA_CPU_IR_CPUENUMS_H

// Required by the generated code below.
#include "mlir/IR/DialectImplementation.h" // IWYU pragma: keep

#include "uma/CPU/IR/CPUEnums.h.inc" // IWYU pragma: export

namespace uma {
/// Core registers that all instructions can use on most processors.
inline constexpr int64_t kUsualCoreRegisters = 13;
} // namespace uma

#endif // UMA_CPU_IR_CPUENUMS_H
