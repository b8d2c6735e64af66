//===- Workload.h - Loop nests whose schedule is open -*- C++ -*-----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What a schedule is chosen for and what is chosen, by an analytic model or by
// measuring (`uma tune`). After AutoTVM's workloads and configurations.
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

/// A tile of accumulators that stay in registers: `rows` times `vectors`
/// vectors of `lanes` channels.
struct RegisterTile {
  int64_t rows = 1, vectors = 1, lanes = 1;
  int64_t getChannels() const { return vectors * lanes; }
  bool operator==(const RegisterTile &other) const {
    return rows == other.rows && vectors == other.vectors &&
           lanes == other.lanes;
  }
};

/// A way to compute a workload: the channels that its weights are packed by,
/// for all widths of vectors, and the tile for one of these.
struct TileChoice {
  int64_t packWidth = 1;
  RegisterTile tile;
  bool operator==(const TileChoice &other) const {
    return packWidth == other.packWidth && tile == other.tile;
  }
};

/// The width of vectors that the C is compiled for, and the tile there.
struct TunedTile {
  int64_t lanes;
  RegisterTile tile;
};

/// All that the speed of a contraction or depthwise convolution depends on:
/// `channels` results, next to each other in memory in blocks of
/// `channelBlock` (0: all of them), for each of `rows` neighbours in each of
/// the `outer` rows, each a sum of the product of `reduce` products.
struct Workload {
  /// Depthwise convolutions have a vector of weights per channel and place of
  /// the window; all others are contractions.
  static constexpr llvm::StringLiteral depthwise = "depthwise_conv2d";

  std::string op;
  llvm::SmallVector<int64_t> outer;
  int64_t rows = 1, channels = 1, channelBlock = 0;
  llvm::SmallVector<int64_t> reduce;
  /// The strides and dilations of a window, empty without one.
  llvm::SmallVector<int64_t> strides, dilations;

  bool operator==(const Workload &other) const;
  /// As a discardable attribute; see kWorkloadAttrName.
  mlir::DictionaryAttr toAttribute(mlir::MLIRContext *context) const;
  static std::optional<Workload> fromAttribute(mlir::Attribute attribute);
};

/// Returns the best `count` ways to compute a workload with the instructions
/// `isa` of `processor`: first what the model chooses, for which weights are
/// packed in one way for all widths, then all tiles by its cost, with weights
/// packed for this width.
llvm::SmallVector<TileChoice> listChoices(const Workload &workload,
                                          const ISA &isa,
                                          const Processor &processor,
                                          size_t count);

/// Returns why a workload cannot be computed in this way, or std::nullopt if it
/// can.
std::optional<std::string>
findProblem(const Workload &workload, const TileChoice &choice, const ISA &isa);

} // namespace uma

#endif // UMA_CPU_MODEL_WORKLOAD_H
