//===- PlanMemory.cpp - Place workspace buffers in an arena----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Offline dynamic storage allocation: rectangles of live range by size. The
// problem is NP-hard, but most networks have few enough buffers for a plan that
// is proven smallest; lib/Memory has the planners.
//
//===----------------------------------------------------------------------===//

#include "MemoryAssignment.h"
#include "MemoryProblem.h"

#include "uma/IR/ArgumentAttributes.h"
#include "uma/IR/DeviceAttributes.h"
#include "uma/Memory/Planner.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/PrintableText.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
struct PlanMemoryPass : uma::tir::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using PlanMemoryPassBase::PlanMemoryPassBase;

  LogicalResult readOptions(MemoryProblemOptions &collected,
                            memory::PlanOptions &planned,
                            std::vector<MemoryLimit> &limits);
  void setOffsets(const MemoryProblem &buffers, ArrayRef<int64_t> offsets,
                  int64_t size);
  LogicalResult divide(const MemoryProblem &buffers,
                       ArrayRef<MemoryLimit> limits,
                       const memory::PlanOptions &options);
  void emitReport(const MemoryProblem &buffers, const memory::Plan &plan);
  void emitTooLarge(const MemoryProblem &buffers, const memory::Plan &plan);
  void runOnOperation() override;
};
} // namespace

LogicalResult PlanMemoryPass::readOptions(MemoryProblemOptions &collected,
                                          memory::PlanOptions &planned,
                                          std::vector<MemoryLimit> &limits) {
  FuncOp func = getOperation();
  std::optional<memory::Algorithm> parsed = memory::parseAlgorithm(algorithm);
  if (!parsed)
    return func.emitError()
           << "uma-tir-plan-memory: unknown algorithm '"
           << toPrintable(algorithm) << "'; expected "
           << llvm::join(memory::getAlgorithmNames(), ", ")
           << didYouMean(algorithm, memory::getAlgorithmNames());
  if (io != "inside" && io != "outside")
    return func.emitError() << "uma-tir-plan-memory: io is '" << toPrintable(io)
                            << "', expected inside or outside"
                            << didYouMean(io, {"inside", "outside"});
  if (capacity < 0)
    return func.emitError()
           << "uma-tir-plan-memory: capacity is " << int64_t(capacity)
           << ", expected bytes, or 0 for no limit";
  auto parsedLimits = parseMemories(
      *memories, [&] { return func.emitError() << "uma-tir-plan-memory: "; });
  if (failed(parsedLimits))
    return failure();
  limits = std::move(*parsedLimits);
  if (!limits.empty() && capacity > 0)
    return func.emitError() << "uma-tir-plan-memory: memories have sizes of "
                               "their own, expected either memories or one "
                               "capacity (an arena)";
  collected.placesArguments = io == "inside";
  std::optional<OverlapKind> kind =
      llvm::StringSwitch<std::optional<OverlapKind>>(overlap)
          .Case("none", OverlapKind::None)
          .Case("declared", OverlapKind::Declared)
          .Case("unshared", OverlapKind::Unshared)
          .Case("proven", OverlapKind::Proven)
          .Default(std::nullopt);
  if (!kind)
    return func.emitError()
           << "uma-tir-plan-memory: overlap is '" << toPrintable(overlap)
           << "', expected none, declared, unshared or proven"
           << didYouMean(overlap, {"none", "declared", "unshared", "proven"});
  collected.overlap = *kind;
  planned.algorithm = *parsed;
  planned.maxSteps = stepLimit;
  return success();
}

/// Writes the plan to attributes.
void PlanMemoryPass::setOffsets(const MemoryProblem &buffers,
                                ArrayRef<int64_t> offsets, int64_t size) {
  FuncOp func = getOperation();
  Builder builder(&getContext());
  ArgumentAttributes attributes(func);
  int64_t alignment = kBufferAlignment;
  for (auto [i, source] : llvm::enumerate(buffers.sources)) {
    alignment = std::max(alignment, buffers.problem.buffers[i].alignment);
    if (AllocOp alloc = source.alloc)
      alloc.setOffset(offsets[i]);
    else
      attributes.set(source.argument, kOffsetAttrName,
                     builder.getI64IntegerAttr(offsets[i]));
  }
  attributes.apply();
  if (alignment > kBufferAlignment)
    func->setAttr(kWorkspaceAlignmentAttrName,
                  builder.getI64IntegerAttr(alignment));
  func->setAttr(kWorkspaceSizeAttrName, builder.getI64IntegerAttr(size));
}

void PlanMemoryPass::emitReport(const MemoryProblem &buffers,
                                const memory::Plan &plan) {
  InFlightDiagnostic remark = getOperation().emitRemark();
  remark << "needs " << plan.size << " bytes of workspace for "
         << plan.offsets.size() << " buffers; at most " << plan.peak.bytes
         << " bytes live at one time; ";
  if (plan.isSmallest())
    remark << "proven smallest";
  else
    remark << llvm::formatv("{0:F2} % above the lower bound of {1} bytes",
                            plan.getGap(), plan.bound)
                  .str();
}

/// Returns the name of a network, or else that of its function.
static StringRef getNetworkName(FuncOp func) {
  auto name = func->getAttrOfType<StringAttr>(kNetworkAttrName);
  return name ? name.getValue() : func.getSymName();
}

/// Lists the largest buffers that a predicate accepts.
static void listBuffers(Diagnostic &note, const MemoryProblem &buffers,
                        function_ref<bool(const memory::Buffer &)> accepts) {
  std::vector<const memory::Buffer *> found;
  for (const memory::Buffer &buffer : buffers.problem.buffers)
    if (accepts(buffer))
      found.push_back(&buffer);
  llvm::sort(found, [](const auto *left, const auto *right) {
    return std::make_pair(-left->size, left) <
           std::make_pair(-right->size, right);
  });
  constexpr size_t kMost = 8;
  llvm::interleave(
      llvm::ArrayRef(found).take_front(kMost),
      [&](const memory::Buffer *buffer) {
        note << "'" << toPrintable(shorten(buffer->name, 80)) << "' ("
             << buffer->size << " bytes)";
      },
      [&] { note << ", "; });
  if (found.size() > kMost)
    note << " and " << found.size() - kMost << " smaller ones";
}

/// Emits an error about a plan that exceeds the capacity.
void PlanMemoryPass::emitTooLarge(const MemoryProblem &buffers,
                                  const memory::Plan &plan) {
  const int64_t limit = capacity;
  InFlightDiagnostic error = getOperation().emitError();
  error << "network '" << toPrintable(getNetworkName(getOperation()))
        << "' needs " << plan.size << " bytes of workspace, "
        << plan.size - limit << " more than the capacity of " << limit;
  if (plan.bound > limit)
    error << "; no plan needs less than " << plan.bound;
  else
    error << "; " << plan.bound
          << " bytes may be enough, but no such plan was found";

  int64_t time = plan.peak.time;
  Operation *op = buffers.getOperation(time);
  Diagnostic &note =
      error.attachNote(op ? op->getLoc() : getOperation().getLoc());
  note << "the peak of " << plan.peak.bytes << " live bytes is ";
  if (op)
    note << "at layer '" << toPrintable(shorten(getLayerName(op), 200)) << "'";
  else
    note << (time < 1 ? "before the first layer" : "after the last layer");
  note << "; live are ";
  listBuffers(note, buffers, [&](const memory::Buffer &buffer) {
    return buffer.lower <= time && time < buffer.upper;
  });

  Diagnostic &help = error.attachNote(getOperation().getLoc());
  if (plan.bound <= limit) {
    help << "a larger step-limit may find a smaller plan";
    if (memory::parseAlgorithm(algorithm) != memory::Algorithm::Exact)
      help << ", and so may algorithm=exact";
    return;
  }
  help << "to reduce the peak, make these tensors smaller or let the layer run "
          "on parts of them";
  if (overlap != "proven")
    help
        << "; overlap=proven lets results overlap buffers that are read before";
  if (io == "inside")
    help << "; io=outside keeps inputs and outputs in memory of the caller";
}

LogicalResult PlanMemoryPass::divide(const MemoryProblem &buffers,
                                     ArrayRef<MemoryLimit> limits,
                                     const memory::PlanOptions &options) {
  FuncOp func = getOperation();
  llvm::Expected<MemoryAssignment> assignment =
      assignMemories(func, buffers, limits, options);
  if (!assignment)
    return func.emitOpError()
           << "has no memory plan: " << llvm::toString(assignment.takeError());
  if (assignment->missing > 0 && allowExcess) {
    int64_t bytes = assignment->missing;
    for (const MemoryLimit &limit : limits)
      bytes += limit.bytes;
    setOffsets(buffers, assignment->offsets, std::max(bytes, assignment->size));
    return success();
  }
  if (assignment->missing > 0) {
    InFlightDiagnostic error = func.emitError();
    error << "network '" << toPrintable(getNetworkName(func))
          << "' does not fit: memory '" << limits.back().name << "' needs "
          << assignment->missing << " bytes more than its "
          << limits.back().bytes;
    if (limits.size() > 1)
      error << ", for what the others have no room for";
    Diagnostic &note = error.attachNote(func.getLoc());
    note << "the largest buffers are ";
    listBuffers(note, buffers, [](const memory::Buffer &) { return true; });
    return failure();
  }
  setOffsets(buffers, assignment->offsets, assignment->size);
  setWorkspaceMemories(func, assignment->memories);
  if (report) {
    InFlightDiagnostic remark = func.emitRemark();
    remark << "needs ";
    llvm::interleave(
        assignment->memories,
        [&](const WorkspaceMemory &memory) {
          remark << memory.bytes << " bytes of '" << memory.name << "'";
        },
        [&] { remark << ", "; });
    remark << " for " << buffers.sources.size() << " buffers";
  }
  numBuffers += buffers.sources.size();
  plannedBytes += assignment->size;
  return success();
}

void PlanMemoryPass::runOnOperation() {
  FuncOp func = getOperation();
  MemoryProblemOptions collected;
  memory::PlanOptions options;
  std::vector<MemoryLimit> limits;
  // Other functions have no workspace; each would repeat errors about options.
  if (func.isPublic() && failed(readOptions(collected, options, limits)))
    return signalPassFailure();
  MemoryProblem buffers;
  if (failed(collectMemoryProblem(func, collected, buffers)))
    return signalPassFailure();
  if (!func.isPublic())
    return;
  if (buffers.sources.size() >= kMaxExactBuffers)
    options.maxSteps = 0;
  if (!limits.empty()) {
    if (failed(divide(buffers, limits, options)))
      signalPassFailure();
    return;
  }

  llvm::Expected<memory::Plan> plan = memory::plan(buffers.problem, options);
  if (!plan) {
    func.emitOpError() << "has no memory plan: "
                       << llvm::toString(plan.takeError());
    return signalPassFailure();
  }
  if (capacity > 0 && plan->size > capacity) {
    emitTooLarge(buffers, *plan);
    return signalPassFailure();
  }
  setOffsets(buffers, plan->offsets, plan->size);
  if (report)
    emitReport(buffers, *plan);

  numBuffers += buffers.sources.size();
  for (auto [data, written] : buffers.inPlace) {
    int64_t first = plan->offsets[data], second = plan->offsets[written];
    numInPlace += first < second + buffers.problem.buffers[written].size &&
                  second < first + buffers.problem.buffers[data].size;
  }
  numSmallest += plan->isSmallest();
  plannedBytes += plan->size;
  liveBytes += plan->peak.bytes;
}
