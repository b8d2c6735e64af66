//===- Workload.h - Workloads and their schedules -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Workloads, and the schedules chosen for them by an analytic model or by
// measurements (`uma tune`). Modelled on AutoTVM's workloads and
// configurations.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_CPU_MODEL_WORKLOAD_H
#define UMA_CPU_MODEL_WORKLOAD_H

#include "uma/CPU/Model/Processor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Support/LLVM.h"

#include <optional>
#include <string>

namespace uma {

/// A tile of accumulators in registers: `rows` times `vectors` vectors of
/// `lanes` channels (MR x NR).
struct RegisterTile {
  int64_t rows = 1, vectors = 1, lanes = 1;
  int64_t getChannels() const { return vectors * lanes; }
  bool operator==(const RegisterTile &other) const {
    return rows == other.rows && vectors == other.vectors &&
           lanes == other.lanes;
  }
};

/// A configuration of a workload: the pack width of its weights, shared by all
/// vector widths, and the tile for one of them.
struct TileChoice {
  int64_t packWidth = 1;
  RegisterTile tile;
  bool operator==(const TileChoice &other) const {
    return packWidth == other.packWidth && tile == other.tile;
  }
};

/// A tile and the vector width for which it was tuned.
struct TunedTile {
  int64_t lanes;
  RegisterTile tile;
};

/// The properties of a contraction or depthwise convolution that determine its
/// speed: `channels` results, stored in blocks of `channelBlock` (0 if all are
/// contiguous), for each of `rows` neighbours in each of the `outer` rows. Each
/// result is a sum of products over the loops `reduce`.
struct Workload {
  /// Operator name of depthwise convolutions, which have a vector of weights
  /// per place of the window. All others are contractions.
  static constexpr llvm::StringLiteral depthwise = "depthwise_conv2d";

  std::string op;
  llvm::SmallVector<int64_t> outer;
  int64_t rows = 1, channels = 1, channelBlock = 0;
  llvm::SmallVector<int64_t> reduce;
  /// Strides and dilations of a window; empty without one.
  llvm::SmallVector<int64_t> strides, dilations;

  /// Returns the integers in a word whose products are dot products, which the
  /// name tells: `<op>_i8`, `<op>_i16` or `<op>_bf16`; otherwise 1. `<op>_f64`
  /// multiplies f64.
  int64_t getWordSize() const {
    llvm::StringRef name(op);
    bool isPair = name.ends_with("_i16") || name.ends_with("_bf16");
    return name.ends_with("_i8") ? 4 : isPair ? 2 : 1;
  }
  bool operator==(const Workload &other) const;
  /// Converts to and from a discardable attribute; see kWorkloadAttrName.
  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
  static std::optional<Workload> fromAttribute(mlir::Attribute attribute);
};

/// Returns the best `count` configurations of a workload with the instruction
/// set `isa` of `processor`: first the model's choice, with the pack width that
/// is best for all vector widths, then all tiles in order of cost, each with
/// the pack width that is best for this one.
llvm::SmallVector<TileChoice> listChoices(const Workload &workload,
                                          const ISA &isa,
                                          const Processor &processor,
                                          size_t count);

/// Returns why a workload cannot be computed by `choice`, as a clause;
/// std::nullopt if it can.
std::optional<std::string>
findProblem(const Workload &workload, const TileChoice &choice, const ISA &isa);

} // namespace uma

#endif // UMA_CPU_MODEL_WORKLOAD_H
