//===- Sampling.h - Layers that a pattern accepts or rejects -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Generates small layers from a pattern of a description: layers that match,
// spread over everything that the pattern leaves open, and near misses.
// Operators infer their types from the sampled operands, and the matcher
// decides what matches, so that sampling needs no knowledge of operators. `uma
// test` runs the layers.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_SAMPLING_SAMPLING_H
#define UMA_ACCEL_SAMPLING_SAMPLING_H

#include "uma/Accel/IR/AccelOps.h"

#include "mlir/IR/Builders.h"

#include <string>
#include <vector>

namespace uma::accel {

/// A property of the layers that a pattern describes.
struct SampleVariable {
  enum class Kind {
    Way,         ///< alternative of a choice; their number means `otherwise`
    Dim,         ///< number of a named size or attribute
    Size,        ///< size of an input that is written as a number or as `any`
    Rank,        ///< dimensions of 1 added in front of an input's shape, or -1
    Shape,       ///< whole shape of an input or of a splat
    ElementType, ///< element type of an input
    Constant,    ///< whether an input is a constant of the graph
    Attribute,   ///< attribute of an operator without a named number in it
    Number,      ///< value of a splat
    ExtraUse,    ///< whether the network also uses an inner result
  };
  Kind kind;
  /// Operation of the pattern that has the property.
  mlir::Operation *op;
  /// Dimension of a Size.
  unsigned index = 0;
  /// Name of an Attribute.
  mlir::StringAttr attribute;
  /// Whether the pattern fixes the value, which is a null attribute in samples;
  /// any other value gives a layer outside of the pattern.
  bool isFixed = false;
  /// Candidate values; a null attribute stands for the pattern's value, or for
  /// the default of an operator's attribute.
  llvm::SmallVector<mlir::Attribute> candidates;
};

/// Properties of the layers that a pattern describes.
struct SampleSpace {
  explicit SampleSpace(PatternOp pattern);

  /// Returns the index of a variable, or -1 if there is none of this kind.
  int find(SampleVariable::Kind kind, mlir::Operation *op,
           unsigned index = 0) const;

  PatternOp pattern;
  std::vector<SampleVariable> variables;
};

/// Value of each variable of a space.
using Sample = llvm::SmallVector<mlir::Attribute>;

/// Operators built from a sample.
struct SampleLayer {
  /// Operators in order, excluding constants.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Block arguments of the layer, with the names of the pattern's inputs.
  llvm::SmallVector<std::pair<mlir::Value, std::string>> arguments;
  /// Results of the network: the pattern's outputs, and inner results with an
  /// extra use.
  llvm::SmallVector<mlir::Value> results;
  /// Result of the pattern's root.
  mlir::Value root;
  /// Variables that the layer depends on, ascending.
  llvm::SmallVector<unsigned> relevant;
  /// Sample in the description's names: "conv(ic=3, oc=5, y=relu)"; set if
  /// `hasText` is.
  std::string text;
  bool hasText = true;
};

/// Creates the elements of a constant.
using MakeConstantFn =
    llvm::function_ref<mlir::ElementsAttr(mlir::RankedTensorType)>;

/// Builds the layer of a sample at the end of `block`, which must be empty or
/// hold other layers only. Fails without a message if an operator rejects its
/// operands or attributes, or if the layer is large, and sets `numMissing` to
/// the number of operators that were not built. Operators that were built stay
/// in the block.
llvm::LogicalResult buildSample(const SampleSpace &space, const Sample &sample,
                                mlir::Block &block, mlir::Location loc,
                                MakeConstantFn makeConstant, SampleLayer &layer,
                                unsigned &numMissing);

/// A layer that the pattern matches.
struct TakenSample {
  Sample sample;
  std::string text;
};

/// A layer that the pattern rejects, different in one property from a match.
struct RefusedSample {
  std::string text;
  /// Reason of the matcher.
  std::string reason;
};

/// Samples of a pattern.
struct PatternSamples {
  std::vector<TakenSample> taken;
  std::vector<RefusedSample> refused;
  /// Values that no layer was found for, as messages.
  std::vector<std::string> untested;
  /// Properties that all layers share though the pattern does not require them,
  /// as messages; typically caused by misplaced names.
  std::vector<std::string> suspicious;
  /// If no layer matches, the closest one and why it is rejected.
  std::string closest;
};

/// Samples a pattern: at most `maxTaken` matching layers, chosen to cover as
/// many values, pairs of values and edges of conditions as possible. The same
/// seed gives the same samples on every machine.
PatternSamples samplePattern(const SampleSpace &space, unsigned maxTaken,
                             uint64_t seed);

} // namespace uma::accel

#endif // UMA_ACCEL_SAMPLING_SAMPLING_H
