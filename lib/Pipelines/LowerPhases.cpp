//===- LowerPhases.cpp - The passes of uma-lower by phase -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "LowerPhases.h"

#include "uma/Support/DidYouMean.h"
#include "uma/TIR/Transforms/Passes.h"

using namespace mlir;
using namespace uma;

namespace {
/// A pass that may be part of a phase. All others have a fixed place.
struct PhasePass {
  llvm::StringLiteral name;
  std::unique_ptr<Pass> (*create)();
  /// Whether later stages require it.
  bool isMandatory = false;
};
} // namespace

static constexpr llvm::StringLiteral kPrefix = "uma-tir-";

static constexpr PhasePass kPasses[] = {
    {"uma-tir-storage-flatten", tir::createStorageFlattenPass, true},
    {"uma-tir-legalize-bf16", tir::createLegalizeBF16Pass, true},
    {"uma-tir-vectorize-loop", tir::createVectorizeLoopPass},
    {"uma-tir-simplify", tir::createSimplifyPass},
    {"uma-tir-narrow-data-type", tir::createNarrowDataTypePass},
    {"uma-tir-loop-partition", tir::createLoopPartitionPass},
    {"uma-tir-inject-virtual-thread", tir::createInjectVirtualThreadPass},
    {"uma-tir-inject-double-buffer", tir::createInjectDoubleBufferPass},
    {"uma-tir-storage-rewrite", tir::createStorageRewritePass},
    {"uma-tir-unroll-loop", tir::createUnrollLoopPass},
    {"uma-tir-promote-local", tir::createPromoteLocalPass},
    {"uma-tir-remove-no-op", tir::createRemoveNoOpPass},
    {"uma-tir-rewrite-unsafe-select", tir::createRewriteUnsafeSelectPass},
    {"uma-tir-hoist-if-then-else", tir::createHoistIfThenElsePass},
    {"uma-tir-remove-redundant-configuration",
     tir::createRemoveRedundantConfigurationPass},
};

/// Default passes of the phases. The description of uma-lower explains their
/// order.
static constexpr llvm::StringLiteral kPhase1[] = {
    "storage-flatten", "legalize-bf16", "simplify", "narrow-data-type"};
static constexpr llvm::StringLiteral kPhase2[] = {"loop-partition",
                                                  "vectorize-loop",
                                                  "inject-virtual-thread",
                                                  "inject-double-buffer",
                                                  "storage-rewrite",
                                                  "unroll-loop",
                                                  "simplify",
                                                  "promote-local"};
static constexpr llvm::StringLiteral kPhase3[] = {
    "simplify", "remove-no-op", "rewrite-unsafe-select", "hoist-if-then-else",
    "remove-redundant-configuration"};

/// Returns the index of the pass with this name, with or without `uma-tir-`.
static std::optional<size_t> lookup(StringRef name) {
  name.consume_front(kPrefix);
  for (auto [index, pass] : llvm::enumerate(kPasses))
    if (pass.name.drop_front(kPrefix.size()) == name)
      return index;
  return std::nullopt;
}

static LogicalResult
reportUnknown(StringRef option, StringRef name,
              llvm::function_ref<InFlightDiagnostic()> error) {
  bool hasPrefix = name.starts_with(kPrefix);
  SmallVector<StringRef> names;
  for (const PhasePass &pass : kPasses)
    names.push_back(pass.name.drop_front(hasPrefix ? 0 : kPrefix.size()));
  return error() << option << " names '" << name
                 << "', which is not a pass of the phases of TIR"
                 << didYouMean(name, names);
}

FailureOr<LowerPhases>
LowerPhases::get(ArrayRef<std::string> (&phases)[3],
                 ArrayRef<std::string> disabled,
                 llvm::function_ref<InFlightDiagnostic()> error) {
  llvm::SmallDenseSet<size_t> off;
  for (StringRef name : disabled) {
    std::optional<size_t> pass = lookup(name);
    if (!pass)
      return reportUnknown("disable", name, error);
    if (kPasses[*pass].isMandatory)
      return error() << "disable names '" << kPasses[*pass].name
                     << "', which the phases cannot do without";
    off.insert(*pass);
  }
  ArrayRef<llvm::StringLiteral> defaults[] = {kPhase1, kPhase2, kPhase3};
  LowerPhases result;
  for (auto [phase, names] : llvm::enumerate(phases)) {
    std::string option = "phase" + std::to_string(phase + 1);
    SmallVector<StringRef> wanted(names.begin(), names.end());
    if (wanted.empty())
      llvm::append_range(wanted, defaults[phase]);
    for (StringRef name : wanted) {
      std::optional<size_t> pass = lookup(name);
      if (!pass)
        return reportUnknown(option, name, error);
      if (off.contains(*pass))
        continue;
      result.passes[phase].push_back(*pass);
    }
  }
  for (auto [index, pass] : llvm::enumerate(kPasses)) {
    if (!pass.isMandatory)
      continue;
    // The input of phases 2 and 3 must have passed the mandatory passes.
    if (!llvm::is_contained(result.passes[0], index))
      return error() << "phase1 leaves out '" << pass.name
                     << "', which the phases cannot do without; name it";
  }
  return result;
}

void LowerPhases::addTo(OpPassManager &manager, unsigned phase) const {
  for (size_t pass : passes[phase - 1])
    manager.addPass(kPasses[pass].create());
}
