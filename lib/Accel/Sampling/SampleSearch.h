//===- SampleSearch.h - Search for matching layers -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_ACCEL_SAMPLING_SAMPLESEARCH_H
#define UMA_LIB_ACCEL_SAMPLING_SAMPLESEARCH_H

#include "uma/Accel/Sampling/Sampling.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <random>
#include <set>

namespace uma::accel {

/// Result of building and matching the layer of a sample.
struct SampleOutcome {
  /// Whether the operators accept their operands and attributes.
  bool isLayer = false;
  /// Whether the pattern accepts the layer.
  bool isTaken = false;
  /// Distance to a match; 0 if the layer is accepted.
  unsigned distance = 0;
  /// Reason that the layer is rejected.
  std::string reason;
  /// See SampleLayer.
  llvm::SmallVector<unsigned> relevant;
  std::string text;
};

/// An accepted layer, before selection.
struct PooledSample {
  Sample sample;
  llvm::SmallVector<unsigned> relevant;
  std::string text;
  /// Whether a condition rejects a neighbour of this sample.
  bool isEdge;
};

/// Search for samples of one pattern. Drops the context's diagnostics during
/// its lifetime.
class SampleSearch {
public:
  SampleSearch(const SampleSpace &space, uint64_t seed);
  ~SampleSearch();

  /// Fills the pool with accepted layers. Tries `numSteps` layers in addition
  /// to neighbours and edges.
  void run(unsigned numSteps);

  llvm::ArrayRef<PooledSample> getPool() const { return pool; }
  llvm::ArrayRef<RefusedSample> getRefused() const { return refused; }
  /// Returns the closest rejected layer and the reason, for a combination of
  /// alternatives without an accepted layer, or an empty string if no layer was
  /// built.
  const std::string &getClosest() const { return closest; }
  /// Returns whether a layer was rejected because of this requirement.
  bool wasBroken(RequireOp require) const { return broken.contains(require); }

private:
  /// Level of detail of an evaluation, in order of cost.
  enum class Detail { IsTaken, Reason, Text };
  SampleOutcome evaluate(const Sample &sample, Detail detail = Detail::Reason);
  void noteReason(llvm::StringRef reason);
  mlir::Attribute draw(const SampleVariable &variable, const Sample &sample);
  Sample makePlain(llvm::ArrayRef<unsigned> ways, int64_t size);
  void change(Sample &sample);
  bool changeTogether(Sample &sample, llvm::ArrayRef<unsigned> coupled);
  void walk(Sample &sample, llvm::ArrayRef<unsigned> coupled,
            unsigned numSteps);
  bool findTaken(llvm::ArrayRef<unsigned> ways, Sample &sample);
  void sampleWays(llvm::ArrayRef<unsigned> ways, unsigned numSteps);
  /// Tries all layers that differ from `base` in one variable. Returns the
  /// variables for which most changes are rejected.
  llvm::SmallVector<unsigned> tryNeighbours(const Sample &base,
                                            llvm::ArrayRef<unsigned> relevant);
  void tryElementTypes(const Sample &base);
  void tryLargeSizes(const Sample &base, llvm::ArrayRef<unsigned> relevant);
  void findEdges(const Sample &base, llvm::ArrayRef<unsigned> relevant);
  void findEdge(const Sample &base, unsigned index, int64_t direction);
  void addTaken(const Sample &sample, SampleOutcome outcome, bool isEdge);
  void addRefused(unsigned variable, mlir::Attribute value,
                  SampleOutcome outcome);

  const SampleSpace &space;
  std::mt19937_64 random;
  mlir::ScopedDiagnosticHandler silent;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  std::vector<PooledSample> pool;
  /// Index in the pool by the values that a layer depends on. Only used for
  /// lookups, so the order of pointers does not matter.
  std::map<std::vector<const void *>, size_t> taken;
  std::vector<RefusedSample> refused;
  std::set<std::pair<unsigned, const void *>> seenRefused;
  llvm::DenseSet<mlir::Operation *> broken;
  std::string closest;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_SAMPLING_SAMPLESEARCH_H
