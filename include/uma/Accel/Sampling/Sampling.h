//===- Sampling.h - Layers that a pattern takes or refuses -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Generates small layers from a pattern of a description: layers that the
// pattern takes, spread over everything that it leaves open, and layers just
// outside of it. Operators infer their types from the sampled operands, and the
// matcher decides what is taken, so that sampling knows no operator by name.
// `uma test` runs the layers.
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
    Way,         ///< alternative of a choice; the number of them is `otherwise`
    Dim,         ///< number of a named size or attribute
    Size,        ///< size of an input that is written as a number or as `any`
    Rank,        ///< dimensions of 1 added in front of an input's shape, or -1
    Shape,       ///< whole shape of an input or of a splat
    ElementType, ///< element type of an input
    Constant,    ///< whether an input is a constant of the graph
    Attribute,   ///< attribute of an operator without a named number in it
    Number,      ///< value of a splat
    ExtraUse,    ///< whether the network uses an inner result, too
  };
  Kind kind;
  /// The operation of the pattern that has the property.
  mlir::Operation *op;
  /// The dimension of a Size.
  unsigned index = 0;
  /// The name of an Attribute.
  mlir::StringAttr attribute;
  /// True if the pattern says the value, which is a null attribute in samples:
  /// any other is for layers outside of the pattern.
  bool isFixed = false;
  /// What to try; a null attribute stands for what the pattern says, or for the
  /// default of an operator's attribute.
  llvm::SmallVector<mlir::Attribute> candidates;
};

/// The properties of the layers that a pattern describes.
struct SampleSpace {
  explicit SampleSpace(PatternOp pattern);

  /// The index of a variable; -1 if the pattern has none of this kind.
  int find(SampleVariable::Kind kind, mlir::Operation *op,
           unsigned index = 0) const;

  PatternOp pattern;
  std::vector<SampleVariable> variables;
};

/// A value for each variable of a space.
using Sample = llvm::SmallVector<mlir::Attribute>;

/// Operators built from a sample.
struct SampleLayer {
  /// Operators in order, constants excluded.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Block arguments of the layer, with the names of the pattern's inputs.
  llvm::SmallVector<std::pair<mlir::Value, std::string>> arguments;
  /// What the network returns: the pattern's outputs, and inner results with an
  /// extra use.
  llvm::SmallVector<mlir::Value> results;
  /// The result of the pattern's root.
  mlir::Value root;
  /// The variables that the layer depends on, ascending.
  llvm::SmallVector<unsigned> relevant;
  /// The sample in the description's names: "conv(ic=3, oc=5, y=relu)"; written
  /// if `hasText` is set.
  std::string text;
  bool hasText = true;
};

/// Makes the elements of a constant.
using MakeConstantFn =
    llvm::function_ref<mlir::ElementsAttr(mlir::RankedTensorType)>;

/// Builds the layer of a sample at the end of `block`, which must be empty or
/// hold other layers only. Fails, without a message, if an operator does not
/// accept its operands or attributes, or if the layer is large; `numMissing` is
/// then the number of operators that could not be built. What was built stays
/// in the block.
llvm::LogicalResult buildSample(const SampleSpace &space, const Sample &sample,
                                mlir::Block &block, mlir::Location loc,
                                MakeConstantFn makeConstant, SampleLayer &layer,
                                unsigned &numMissing);

/// A layer that the pattern takes.
struct TakenSample {
  Sample sample;
  std::string text;
};

/// A layer that differs in one property from one that the pattern takes.
struct RefusedSample {
  std::string text;
  /// The matcher's reason.
  std::string reason;
};

/// What sampling found for a pattern.
struct PatternSamples {
  std::vector<TakenSample> taken;
  std::vector<RefusedSample> refused;
  /// What no layer was found for, in words.
  std::vector<std::string> untested;
  /// What all layers have in common although the pattern does not ask for it,
  /// in words: names in the wrong place do that.
  std::vector<std::string> suspicious;
  /// If no layer is taken, the closest one and why it is refused.
  std::string closest;
};

/// Samples a pattern: at most `maxTaken` layers that it takes, chosen to cover
/// as many values, pairs of values and edges of conditions as possible. The
/// same seed gives the same samples on every machine.
PatternSamples samplePattern(const SampleSpace &space, unsigned maxTaken,
                             uint64_t seed);

} // namespace uma::accel

#endif // UMA_ACCEL_SAMPLING_SAMPLING_H
