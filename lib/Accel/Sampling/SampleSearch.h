//===- SampleSearch.h - Search for layers that a pattern takes -*- C++ -*--===//
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
  /// Whether a condition rejects a neighbour.
  bool isEdge;
};

/// Samples one pattern. Drops diagnostics of the context during its lifetime.
class SampleSearch {
public:
  SampleSearch(const SampleSpace &space, uint64_t seed);
  ~SampleSearch();

  /// Fills the pool with accepted layers. `numSteps` is the number of layers to
  /// try beside neighbours and edges.
  void run(unsigned numSteps);

  llvm::ArrayRef<PooledSample> getPool() const { return pool; }
  llvm::ArrayRef<RefusedSample> getRefused() const { return refused; }
  /// Returns a rejected layer and the reason, for a combination of alternatives
  /// without an accepted layer; empty if no layer was built either.
  const std::string &getClosest() const { return closest; }
  /// Returns whether a layer was rejected because of this requirement.
  bool wasBroken(RequireOp require) const { return broken.contains(require); }

private:
  /// Detail of an evaluation; each takes longer than the previous one.
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
  /// Tries all layers that differ in one variable. Returns the variables whose
  /// changes mostly give rejected layers.
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
  /// Index in the pool by the values that a layer depends on. For lookups only:
  /// the order of pointers does not matter.
  std::map<std::vector<const void *>, size_t> taken;
  std::vector<RefusedSample> refused;
  std::set<std::pair<unsigned, const void *>> seenRefused;
  llvm::DenseSet<mlir::Operation *> broken;
  std::string closest;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_SAMPLING_SAMPLESEARCH_H
