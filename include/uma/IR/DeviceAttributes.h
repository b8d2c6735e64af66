//===- DeviceAttributes.h - Attributes of device calls -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Names of the discardable attributes that carry accelerator descriptions to
// memory planning, C emission and packaging.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_IR_DEVICEATTRIBUTES_H
#define UMA_IR_DEVICEATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace uma {

/// Discardable attribute on extern calls: the C code, from `uma.accel.replace`,
/// that is emitted instead of the call.
inline constexpr llvm::StringLiteral kCodeAttrName = "uma.code";

/// Discardable attributes on extern calls that are emitted as a C function of
/// their own, which fills structs: `uma.body` holds the statements of its body,
/// with `{N}` for argument N and braces doubled, and `uma.parameters` the names
/// of the arguments.
inline constexpr llvm::StringLiteral kBodyAttrName = "uma.body";
inline constexpr llvm::StringLiteral kParametersAttrName = "uma.parameters";

/// Discardable attribute on extern calls: the line of the preprocessor, as in
/// `#ifdef UMA_SYNCHRONOUS`, under which the C has the call.
inline constexpr llvm::StringLiteral kConditionAttrName = "uma.condition";

/// Discardable attribute on functions in TIR that wait for a device whose
/// commands the function before has launched: the C statement that waits
/// without a look at the status. They take the buffers that the device uses.
inline constexpr llvm::StringLiteral kAwaitAttrName = "uma.await";

/// Discardable attribute on calls in TIR: an array of C statements to run if
/// the callee returns an error.
inline constexpr llvm::StringLiteral kCleanupAttrName = "uma.cleanup";

/// Discardable attributes on extern calls that wait for commands of several
/// layers: the C function that returns the number of the layer whose command
/// failed, and an array of the layers' names.
inline constexpr llvm::StringLiteral kFailedLayerAttrName = "uma.failed_layer";
inline constexpr llvm::StringLiteral kWaitedLayersAttrName =
    "uma.waited_layers";

/// Discardable attribute on extern calls: an array of the positions of
/// arguments whose tensors hold unsigned integers. Buffers are signless.
inline constexpr llvm::StringLiteral kUnsignedAttrName = "uma.unsigned";

/// Discardable unit attribute on extern calls: the call configures the device.
/// A repetition of the last such call in its function has no effect.
inline constexpr llvm::StringLiteral kConfigureAttrName = "uma.configure";
/// Marks a call of an instruction of a description, whose C function the
/// prologue defines.
inline constexpr llvm::StringLiteral kInstructionAttrName = "uma.instruction";

/// Discardable attribute on functions in TIR that call a device: an array with
/// a dictionary for each match. `function` is the reference computation, a
/// `func.func` in text form. `operands` and `results` map its operands and
/// results to argument positions of the annotated function; `operand_names` and
/// `result_names` are their names in the description. `calls` are the device
/// calls that replace the match, as text. `layer`, `pattern` and `at`
/// (`NAME.uma:LINE`) are its origin. `arithmetic` is "fixed_point" if quantized
/// results may be off by one integer, otherwise absent.
inline constexpr llvm::StringLiteral kReferencesAttrName = "uma.references";

/// Discardable attributes on functions in TIR: arrays of strings with C code to
/// emit at the start of the function and before every return.
inline constexpr llvm::StringLiteral kPrologueAttrName = "uma.prologue";
inline constexpr llvm::StringLiteral kEpilogueAttrName = "uma.epilogue";

/// Discardable attribute on functions in TIR: a dictionary from the names of a
/// device's memories to the positions of the arguments stored there.
inline constexpr llvm::StringLiteral kMemoriesAttrName = "uma.memories";

/// Discardable attribute on functions in TIR that compute in tiles: a
/// dictionary from the names of a device's memories to the bytes that are in
/// use at once.
inline constexpr llvm::StringLiteral kMemoryBytesAttrName = "uma.memory_bytes";

/// Discardable attribute on arguments of an entry function, workspace buffers
/// and constants in TIR: the alignment of the address, in bytes.
inline constexpr llvm::StringLiteral kAlignmentAttrName = "uma.alignment";

/// Offset in bytes of a constant in the image of weights, an integer on an
/// emitc.global.
inline constexpr llvm::StringLiteral kImageOffsetAttrName = "uma.image_offset";
/// Size in bytes of the header of an image of weights.
inline constexpr int64_t kImageHeaderBytes = 64;

/// Discardable attribute on entry functions in plain TIR: the alignment of the
/// workspace, in bytes, if it is not 64.
inline constexpr llvm::StringLiteral kWorkspaceAlignmentAttrName =
    "uma.workspace_alignment";

/// Discardable attribute on the function of one match whose parameters are in
/// another order than the operands of the match: the number of the parameter
/// for each operand.
inline constexpr llvm::StringLiteral kOperandsAttrName = "uma.operands";

} // namespace uma

#endif // UMA_IR_DEVICEATTRIBUTES_H
