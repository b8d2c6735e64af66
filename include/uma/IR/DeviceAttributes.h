//===- DeviceAttributes.h - What devices ask of functions -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Names of the discardable attributes by which descriptions of accelerators
// reach memory planning, the C and the package.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_DEVICEATTRIBUTES_H
#define UMA_IR_DEVICEATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace uma {

/// Discardable attribute on extern calls: the text of `uma.accel.replace` that
/// stands for the call in C.
inline constexpr llvm::StringLiteral kCodeAttrName = "uma.code";

/// Discardable attributes on extern calls that C makes in a function of its
/// own, which fills structs: `uma.body` holds the statements of its body, with
/// `{N}` for argument N and braces written twice, and `uma.parameters` the
/// names of the arguments.
inline constexpr llvm::StringLiteral kBodyAttrName = "uma.body";
inline constexpr llvm::StringLiteral kParametersAttrName = "uma.parameters";

/// Discardable attribute on extern calls, an array of positions: arguments
/// whose tensors hold unsigned integers, which buffers do not say.
inline constexpr llvm::StringLiteral kUnsignedAttrName = "uma.unsigned";

/// Discardable unit attribute on extern calls: the call configures the device,
/// and one that repeats the last one of its function changes nothing.
inline constexpr llvm::StringLiteral kConfigureAttrName = "uma.configure";

/// Discardable attribute on functions in TIR that call a device: an array with
/// a dictionary for each match. `function` is what it computes, a `func.func`
/// in text form; `operands` and `results` are the positions of its operands and
/// results among the arguments of the function with the attribute, and
/// `operand_names` and `result_names` what the description calls them; `calls`
/// are the calls that the match becomes, as text; `layer`, `pattern` and `at`
/// (`NAME.uma:LINE`) say where it comes from.
inline constexpr llvm::StringLiteral kReferencesAttrName = "uma.references";

/// Discardable attributes on functions in TIR, arrays of strings: C that stands
/// at their start and in front of every return.
inline constexpr llvm::StringLiteral kPrologueAttrName = "uma.prologue";
inline constexpr llvm::StringLiteral kEpilogueAttrName = "uma.epilogue";

/// Discardable attribute on functions in TIR, a dictionary from the names of a
/// device's memories to the positions of the arguments that live there.
inline constexpr llvm::StringLiteral kMemoriesAttrName = "uma.memories";

/// Discardable attribute on arguments of an entry function, workspace buffers
/// and constants in TIR: bytes that the address must be a multiple of.
inline constexpr llvm::StringLiteral kAlignmentAttrName = "uma.alignment";

/// Discardable attribute on entry functions in plain TIR: bytes that the
/// address of the workspace must be a multiple of, where that is not 64.
inline constexpr llvm::StringLiteral kWorkspaceAlignmentAttrName =
    "uma.workspace_alignment";

} // namespace uma

#endif // UMA_IR_DEVICEATTRIBUTES_H
