//===- MemoryAssignment.cpp - Buffers in several memories -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A knapsack whose weight is the size of a plan. Greedy by accesses per byte is
// what users of scratchpads do by hand, and is easy to explain.
//
// Source: "Scratchpad memory: design alternative for cache on-chip memory"
// (Banakar et al., 2002), extended to buffers that share memory over time.
//
//===----------------------------------------------------------------------===//

#include "MemoryAssignment.h"

#include "IndexRange.h"

#include "uma/Support/ByteCount.h"
#include "uma/Support/PrintableText.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

FailureOr<std::vector<MemoryLimit>>
uma::tir::parseMemories(ArrayRef<std::string> texts,
                        llvm::function_ref<InFlightDiagnostic()> emitError) {
  std::vector<MemoryLimit> result;
  llvm::StringSet<> names;
  for (StringRef text : texts) {
    auto memory = parseNamedByteCount(text);
    if (!memory) {
      emitError() << "memory '" << toPrintable(text)
                  << "' is not NAME=BYTES, such as dtcm=64K, with a name of at "
                     "most 32 letters, digits and '_'";
      return failure();
    }
    auto [name, bytes] = *memory;
    // Macros have the name in upper case.
    if (!names.insert(name.upper()).second) {
      emitError() << "memory '" << name << "' is named twice";
      return failure();
    }
    result.push_back({name.str(), bytes});
  }
  return result;
}

namespace {
/// Number of elements that code accesses in buffers.
class AccessCounter {
public:
  uint64_t count(Value buffer);

private:
  SymbolTableCollection symbols;
  DenseMap<Value, uint64_t> known;
};

/// Divides the buffers of a problem.
class Assigner {
public:
  Assigner(const memory::Problem &problem, ArrayRef<MemoryLimit> limits,
           const memory::PlanOptions &options)
      : problem(problem), limits(limits), options(options) {}

  /// Tries the buffers in an order.
  llvm::Expected<MemoryAssignment> assign(ArrayRef<size_t> order);

private:
  memory::Problem select(ArrayRef<size_t> buffers) const;
  llvm::Expected<memory::Plan> plan(ArrayRef<size_t> buffers, int64_t capacity,
                                    uint64_t maxSteps) const;

  const memory::Problem &problem;
  ArrayRef<MemoryLimit> limits;
  const memory::PlanOptions &options;
};
} // namespace

/// Returns how often an operation runs in a call of its function.
static uint64_t getTrips(Operation *op) {
  uint64_t trips = 1;
  for (auto loop = op->getParentOfType<ForOp>(); loop;
       loop = loop->getParentOfType<ForOp>()) {
    std::optional<IndexRange> range = getIndexRange(loop.getInductionVar());
    if (range)
      trips = llvm::SaturatingMultiply<uint64_t>(
          trips, uint64_t(range->max - range->min) + 1);
  }
  return trips;
}

uint64_t AccessCounter::count(Value buffer) {
  auto [entry, isNew] = known.try_emplace(buffer, 0);
  if (!isNew)
    return entry->second;
  uint64_t elements = cast<MemRefType>(buffer.getType()).getNumElements();
  uint64_t total = 0;
  for (OpOperand &use : buffer.getUses()) {
    Operation *op = use.getOwner();
    uint64_t once = elements;
    if (auto view = dyn_cast<ViewLikeOpInterface>(op)) {
      once = isa<MemRefType>(view.getViewDest().getType())
                 ? count(view.getViewDest())
                 : 0;
    } else if (auto call = dyn_cast<CallOp>(op)) {
      auto callee =
          symbols.lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr());
      if (callee && !callee.getBody().empty())
        once = count(callee.getArgument(use.getOperandNumber()));
    } else if (isa<memref::LoadOp, memref::StoreOp, PrefetchOp>(op)) {
      once = 1;
    } else if (auto transpose = dyn_cast<TransposeOp>(op)) {
      once = transpose.getSize() * transpose.getSize();
    } else if (auto lookup = dyn_cast<LookupOp>(op)) {
      once = lookup.getSize();
    } else if (auto load = dyn_cast<vector::LoadOp>(op)) {
      once = load.getVectorType().getNumElements();
    } else if (auto store = dyn_cast<vector::StoreOp>(op)) {
      once = store.getVectorType().getNumElements();
    }
    total = llvm::SaturatingAdd(total,
                                llvm::SaturatingMultiply(once, getTrips(op)));
  }
  return known[buffer] = total;
}

memory::Problem Assigner::select(ArrayRef<size_t> buffers) const {
  memory::Problem result;
  DenseMap<size_t, size_t> positions;
  for (size_t i : buffers) {
    positions[i] = result.buffers.size();
    result.buffers.push_back(problem.buffers[i]);
  }
  for (const memory::Overlap &overlap : problem.overlaps) {
    auto below = positions.find(overlap.below);
    auto above = positions.find(overlap.above);
    if (below != positions.end() && above != positions.end())
      result.overlaps.push_back(
          {below->second, above->second, overlap.separation});
  }
  return result;
}

llvm::Expected<memory::Plan> Assigner::plan(ArrayRef<size_t> buffers,
                                            int64_t capacity,
                                            uint64_t maxSteps) const {
  memory::PlanOptions limited = options;
  limited.capacity = capacity;
  limited.maxSteps = maxSteps;
  return memory::plan(select(buffers), limited);
}

llvm::Expected<MemoryAssignment> Assigner::assign(ArrayRef<size_t> order) {
  MemoryAssignment result;
  result.offsets.resize(problem.buffers.size());
  int64_t alignment = kBufferAlignment;
  for (const memory::Buffer &buffer : problem.buffers)
    alignment = std::max(alignment, buffer.alignment);
  SmallVector<size_t> left(order);
  for (auto [number, limit] : llvm::enumerate(limits)) {
    bool isLast = number + 1 == limits.size();
    SmallVector<size_t> chosen, others;
    for (size_t i : left) {
      if (isLast) {
        chosen.push_back(i);
        continue;
      }
      chosen.push_back(i);
      // A quick plan decides; the final one is no larger.
      llvm::Expected<memory::Plan> quick = plan(chosen, limit.bytes, 0);
      if (!quick)
        return quick.takeError();
      if (quick->size <= limit.bytes)
        continue;
      chosen.pop_back();
      others.push_back(i);
    }
    llvm::Expected<memory::Plan> planned =
        plan(chosen, limit.bytes, options.maxSteps);
    if (!planned)
      return planned.takeError();
    result.missing = std::max<int64_t>(planned->size - limit.bytes, 0);
    int64_t start = int64_t(llvm::alignTo(result.size, alignment));
    for (auto [i, offset] : llvm::zip_equal(chosen, planned->offsets))
      result.offsets[i] = start + offset;
    result.memories.push_back({limit.name, start, planned->size});
    result.size = start + planned->size;
    left = std::move(others);
  }
  return result;
}

llvm::Expected<MemoryAssignment>
uma::tir::assignMemories(FuncOp func, const MemoryProblem &problem,
                         ArrayRef<MemoryLimit> limits,
                         const memory::PlanOptions &options) {
  const std::vector<memory::Buffer> &buffers = problem.problem.buffers;
  for (const memory::Buffer &buffer : buffers)
    if (buffer.offset)
      return llvm::createStringError(
          "buffer '" + buffer.name +
          "' has an offset, which several memories have no meaning for");
  AccessCounter counter;
  SmallVector<uint64_t> accesses;
  for (const MemoryProblem::Source &source : problem.sources) {
    AllocOp alloc = source.alloc;
    accesses.push_back(
        counter.count(alloc ? Value(alloc.getBuffer())
                            : Value(func.getArgument(source.argument))));
  }
  auto getDensity = [&](size_t i) {
    return double(accesses[i]) / double(std::max<int64_t>(buffers[i].size, 1));
  };
  auto getArea = [&](size_t i) {
    return double(buffers[i].size) *
           double(buffers[i].upper - buffers[i].lower);
  };
  auto getBytes = [&](size_t i) { return double(buffers[i].size); };
  llvm::function_ref<double(size_t)> keys[] = {getDensity, getArea, getBytes};
  std::optional<MemoryAssignment> best;
  for (auto key : keys) {
    auto order = llvm::to_vector(llvm::seq<size_t>(0, buffers.size()));
    llvm::sort(order, [&](size_t left, size_t right) {
      double x = key(left), y = key(right);
      return x != y ? x > y : left < right;
    });
    llvm::Expected<MemoryAssignment> found =
        Assigner(problem.problem, limits, options).assign(order);
    if (!found)
      return found.takeError();
    if (!best || found->missing < best->missing)
      best = std::move(*found);
    if (best->missing == 0)
      break;
  }
  return std::move(*best);
}
