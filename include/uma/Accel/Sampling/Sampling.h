//===- Sampling.h - Sampling of test layers from patterns -*- C++ -*-------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Generates small layers from a pattern of a description: layers that match,
// which cover the properties that the pattern leaves open, and near misses.
// Operators infer their types from the sampled operands, and the matcher
// decides what matches, so sampling needs no knowledge of individual operators.
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

/// Variable property of the layers that a pattern describes.
struct SampleVariable {
  enum class Kind {
    Way,          ///< index of an alternative; their number is `otherwise`
    Dim,          ///< number of a named size or attribute
    Size,         ///< static or unconstrained size of an input
    Rank,         ///< number of 1s prepended to an input's shape, or -1
    Shape,        ///< whole shape of an input or of a splat
    ElementType,  ///< element type of an input
    Quantization, ///< scales and zero points of an input or result
    Constant,     ///< whether an input is a constant of the graph
    Attribute,    ///< attribute of an operator that binds no dim
    Number,       ///< value of a splat
    ExtraUse,     ///< whether an inner result has a use outside the layer
  };
  Kind kind;
  /// Operation of the pattern that the property belongs to.
  mlir::Operation *op;
  /// Index of the dimension, for a Size.
  unsigned index = 0;
  /// Name of the attribute, for an Attribute.
  mlir::StringAttr attribute;
  /// Whether the pattern fixes the value. Samples then hold a null attribute;
  /// any other value yields a layer that violates the pattern.
  bool isFixed = false;
  /// Candidate values. A null attribute stands for the pattern's value or for
  /// the default of an operator's attribute.
  llvm::SmallVector<mlir::Attribute> candidates;
};

/// All variable properties of the layers that a pattern describes.
struct SampleSpace {
  explicit SampleSpace(PatternOp pattern);

  /// Returns the index of a variable, or -1 if `op` has none of this kind.
  int find(SampleVariable::Kind kind, mlir::Operation *op,
           unsigned index = 0) const;

  PatternOp pattern;
  std::vector<SampleVariable> variables;
};

/// Value of each variable of a space.
using Sample = llvm::SmallVector<mlir::Attribute>;

/// Operators built from a sample.
struct SampleLayer {
  /// Operators in topological order, excluding constants.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Block arguments of the layer, with the names of the pattern's inputs.
  llvm::SmallVector<std::pair<mlir::Value, std::string>> arguments;
  /// Results of the network: the pattern's outputs and inner results with an
  /// ExtraUse.
  llvm::SmallVector<mlir::Value> results;
  /// Result of the pattern's root.
  mlir::Value root;
  /// Variables that the layer depends on, ascending.
  llvm::SmallVector<unsigned> relevant;
  /// Sample as text, with the description's names: "conv(ic=3, oc=5, y=relu)".
  /// Set only if `hasText` is true.
  std::string text;
  bool hasText = true;
};

/// Callback that creates the elements of a constant.
using MakeConstantFn =
    llvm::function_ref<mlir::ElementsAttr(mlir::RankedTensorType)>;

/// Builds the layer of a sample at the end of `block`, which must be empty or
/// hold only other layers. If an operator rejects its operands or attributes,
/// or if the layer is too large, fails without a message and sets `numMissing`
/// to the number of operators that were not built. The built operators stay in
/// the block.
llvm::LogicalResult buildSample(const SampleSpace &space, const Sample &sample,
                                mlir::Block &block, mlir::Location loc,
                                MakeConstantFn makeConstant, SampleLayer &layer,
                                unsigned &numMissing);

/// A layer that the pattern matches.
struct TakenSample {
  Sample sample;
  std::string text;
};

/// A near miss: a layer that the pattern rejects and that differs in one
/// property from a match.
struct RefusedSample {
  std::string text;
  /// Reason that the matcher gives.
  std::string reason;
};

/// Samples of a pattern.
struct PatternSamples {
  std::vector<TakenSample> taken;
  std::vector<RefusedSample> refused;
  /// Messages about values that no generated layer covers.
  std::vector<std::string> untested;
  /// Messages about properties that all matching layers share although the
  /// pattern does not require them; typically caused by misplaced names.
  std::vector<std::string> suspicious;
  /// Closest layer and the reason that it is rejected, if no layer matches.
  std::string closest;
};

/// Samples a pattern: selects at most `maxTaken` matching layers so that they
/// cover as many values, pairs of values and boundaries of conditions as
/// possible. Deterministic for a given seed on all machines.
PatternSamples samplePattern(const SampleSpace &space, unsigned maxTaken,
                             uint64_t seed);

} // namespace uma::accel

#endif // UMA_ACCEL_SAMPLING_SAMPLING_H
