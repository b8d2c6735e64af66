//===- InstructionText.h - C of described instructions -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CONVERSION_TIRTOEMITC_INSTRUCTIONTEXT_H
#define UMA_CONVERSION_TIRTOEMITC_INSTRUCTIONTEXT_H

#include "uma/Accel/IR/AccelOps.h"

namespace uma {

/// Returns the condition of an `#if` under which an instruction exists.
std::string getInstructionGuard(accel::InstructionOp instruction);

/// Returns the name of the C function of an instruction,
/// `uma_instruction_ACCELERATOR_NAME`.
std::string getInstructionFunction(accel::InstructionOp instruction);

/// Returns the definition of the C function of an instruction, inside an `#if`.
/// It takes and returns words: int32_t or, with several lanes, the type
/// `uma_i32x<lanes>`.
std::string getInstructionText(accel::InstructionOp instruction);

/// Returns the C functions of an instruction with operands in memory; F is
/// getInstructionFunction():
///
///   bool F_available(void);
///   void F_configure(rows, columns, words);
///   void F_start(sum, rows, columns, words);
///   void F(sum, x, x_first, x_stride, w, w_first, w_stride, w_panel, rows,
///          columns, words);
///   void F_finish(sum, rows, columns, words);
///
/// Sums are rows of `columns` i32 without gaps. Positions and strides count
/// words. `w_panel` is the distance from 16 columns of the weights to the next.
std::string getTileInstructionText(accel::InstructionOp instruction);

} // namespace uma

#endif // UMA_CONVERSION_TIRTOEMITC_INSTRUCTIONTEXT_H
