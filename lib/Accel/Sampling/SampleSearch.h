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

/// What the layer of a sample is to its pattern.
struct SampleOutcome {
  /// True if the operators accept their operands and attributes.
  bool isLayer = false;
  /// True if the pattern takes the layer.
  bool isTaken = false;
  /// How much is missing; 0 if the layer is taken.
  unsigned distance = 0;
  /// Why the layer is not taken.
  std::string reason;
  /// See SampleLayer.
  llvm::SmallVector<unsigned> relevant;
  std::string text;
};

/// A layer that is taken, before some are chosen.
struct PooledSample {
  Sample sample;
  llvm::SmallVector<unsigned> relevant;
  std::string text;
  /// Whether a neighbour is refused by a condition.
  bool isEdge;
};

/// Samples one pattern. Diagnostics of the context are dropped while it lives.
class SampleSearch {
public:
  SampleSearch(const SampleSpace &space, uint64_t seed);
  ~SampleSearch();

  /// Fills the pool with about `maxPool` layers and their neighbours.
  void run(unsigned maxPool);

  llvm::ArrayRef<PooledSample> getPool() const { return pool; }
  llvm::ArrayRef<RefusedSample> getRefused() const { return refused; }
  /// True if a layer was refused because of this requirement.
  bool wasBroken(RequireOp require) const { return broken.contains(require); }

private:
  SampleOutcome evaluate(const Sample &sample, bool hasText = false);
  void noteReason(llvm::StringRef reason);
  mlir::Attribute draw(const SampleVariable &variable, const Sample &sample);
  Sample drawAll(llvm::ArrayRef<unsigned> ways);
  bool findTaken(llvm::ArrayRef<unsigned> ways, Sample &sample);
  void sampleWays(llvm::ArrayRef<unsigned> ways, unsigned count);
  void tryNeighbours(const Sample &base, llvm::ArrayRef<unsigned> relevant);
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
  unsigned numEvaluations = 0;
  std::vector<PooledSample> pool;
  /// The place in the pool of what a layer depends on. Looked up only: the
  /// order of pointers does not matter.
  std::map<std::vector<const void *>, size_t> taken;
  std::vector<RefusedSample> refused;
  std::set<std::pair<unsigned, const void *>> seenRefused;
  llvm::DenseSet<mlir::Operation *> broken;
};

} // namespace uma::accel

#endif // UMA_LIB_ACCEL_SAMPLING_SAMPLESEARCH_H
