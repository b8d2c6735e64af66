//===- PlanMemory.cpp - Place workspace buffers in one arena --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Offline dynamic storage allocation: intervals of time by bytes. The problem
// is NP-hard; greedy placement by size is within a few percent on networks,
// and networks have few enough buffers to try several orders.
//
//===----------------------------------------------------------------------===//

#include "uma/IR/DeviceAttributes.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

/// What cache lines and vector loads of today's machines want.
static constexpr int64_t kAlignment = 64;

namespace {
/// One buffer: when it lives, counted in operations of the function's body,
/// and where it goes.
struct Buffer {
  AllocOp alloc;
  int64_t size;
  int64_t alignment;
  int64_t first, last;
  /// The position in the function, which decides between equals.
  size_t index;
  int64_t offset = 0;

  bool livesWith(const Buffer &other) const {
    return first <= other.last && other.first <= last;
  }
};

struct PlanMemoryPass : uma::tir::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using PlanMemoryPassBase::PlanMemoryPassBase;

  LogicalResult collect(FuncOp func, SmallVectorImpl<Buffer> &buffers);
  void runOnOperation() override;
};
} // namespace

/// Bytes of a buffer in C, where every element starts at a byte; nothing when
/// they do not fit 64 bits.
static std::optional<int64_t> getSize(MemRefType type) {
  int64_t size =
      llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(size, extent, size))
      return std::nullopt;
  return size;
}

/// Everything that uses `value`, also through views of it.
static void collectUsers(Value value, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    users.push_back(user);
    for (Value result : user->getResults())
      if (isa<BaseMemRefType>(result.getType()))
        collectUsers(result, users);
  }
}

LogicalResult PlanMemoryPass::collect(FuncOp func,
                                      SmallVectorImpl<Buffer> &buffers) {
  Block &body = func.getBody().front();
  DenseMap<Operation *, int64_t> time;
  for (Operation &op : body)
    time.try_emplace(&op, time.size());

  WalkResult result =
      func.walk([&](AllocOp alloc) {
        if (alloc.getScope() != Scope::Workspace)
          return WalkResult::advance();
        MemRefType type = cast<MemRefType>(alloc.getBuffer().getType());
        if (!func.isPublic()) {
          alloc.emitOpError()
              << "of " << type << " is in the private function '"
              << func.getSymName()
              << "', which has no workspace: allocate it in the entry function "
                 "and pass it as an argument";
          return WalkResult::interrupt();
        }
        std::optional<int64_t> size = getSize(type);
        if (!size) {
          alloc.emitOpError()
              << "of " << type << " has more bytes than fit 64 bits";
          return WalkResult::interrupt();
        }
        SmallVector<Operation *> users;
        collectUsers(alloc.getBuffer(), users);
        if (users.empty()) { // needs no place
          alloc.erase();
          return WalkResult::advance();
        }
        int64_t alignment = kAlignment;
        if (auto wanted = alloc->getAttrOfType<IntegerAttr>(kAlignmentAttrName))
          alignment = std::max(alignment, wanted.getInt());
        Buffer buffer{alloc,      *size,
                      alignment,  /*first=*/static_cast<int64_t>(time.size()),
                      /*last=*/0, buffers.size()};
        for (Operation *user : users) {
          int64_t at = time.lookup(body.findAncestorOpInBlock(*user));
          buffer.first = std::min(buffer.first, at);
          buffer.last = std::max(buffer.last, at);
        }
        buffers.push_back(buffer);
        return WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}

/// Places `buffers` in their order, each in the smallest gap between the placed
/// ones that live with it. Returns the size of the arena, or nothing when it
/// does not fit 64 bits.
static std::optional<int64_t> place(MutableArrayRef<Buffer> buffers) {
  int64_t end = 0;
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    SmallVector<const Buffer *> others;
    for (const Buffer &other : buffers.take_front(index))
      if (other.livesWith(buffer))
        others.push_back(&other);
    llvm::sort(others, [](const Buffer *lhs, const Buffer *rhs) {
      return std::tie(lhs->offset, lhs->index) <
             std::tie(rhs->offset, rhs->index);
    });
    int64_t free = 0; // the end of what is taken so far
    int64_t smallest = std::numeric_limits<int64_t>::max();
    std::optional<int64_t> best;
    for (const Buffer *other : others) {
      free = llvm::alignTo(free, buffer.alignment);
      int64_t gap = other->offset - free;
      if (gap >= buffer.size && gap < smallest) {
        smallest = gap;
        best = free;
      }
      int64_t otherEnd = other->offset + other->size;
      if (otherEnd > std::numeric_limits<int64_t>::max() - buffer.alignment)
        return std::nullopt;
      free = std::max<int64_t>(free, llvm::alignTo(otherEnd, buffer.alignment));
    }
    buffer.offset = best.value_or(free);
    int64_t bufferEnd;
    if (llvm::AddOverflow(buffer.offset, buffer.size, bufferEnd))
      return std::nullopt;
    end = std::max(end, bufferEnd);
  }
  return end;
}

void PlanMemoryPass::runOnOperation() {
  FuncOp func = getOperation();
  SmallVector<Buffer> buffers;
  if (failed(collect(func, buffers)))
    return signalPassFailure();
  if (!func.isPublic())
    return;

  // What decides who is placed first: the smallest key.
  using Key = int64_t (*)(const Buffer &);
  const Key keys[] = {
      // Size: small buffers fit the gaps that large ones leave.
      [](const Buffer &buffer) { return -buffer.size; },
      // Lifetime: what lives long goes to the bottom.
      [](const Buffer &buffer) { return buffer.first - buffer.last; },
      // Time, as a stack.
      [](const Buffer &buffer) { return buffer.first; }};
  SmallVector<Buffer> plan;
  std::optional<int64_t> planSize;
  for (Key key : keys) {
    SmallVector<Buffer> candidate = buffers;
    llvm::sort(candidate, [&](const Buffer &lhs, const Buffer &rhs) {
      return std::make_pair(key(lhs), lhs.index) <
             std::make_pair(key(rhs), rhs.index);
    });
    std::optional<int64_t> size = place(candidate);
    if (size && (!planSize || *size < *planSize)) {
      planSize = size;
      plan = candidate;
    }
  }
  if (!planSize) {
    func.emitOpError() << "needs more workspace than fits 64 bits";
    return signalPassFailure();
  }

  int64_t alignment = kAlignment;
  for (Buffer &buffer : plan) {
    buffer.alloc.setOffset(buffer.offset);
    alignment = std::max(alignment, buffer.alignment);
  }
  if (alignment > kAlignment)
    func->setAttr(kWorkspaceAlignmentAttrName,
                  Builder(&getContext()).getI64IntegerAttr(alignment));
  func->setAttr(kWorkspaceSizeAttrName,
                Builder(&getContext()).getI64IntegerAttr(*planSize));

  // The most bytes live at once; it changes only where a buffer begins to live.
  int64_t live = 0;
  for (const Buffer &at : buffers) {
    int64_t sum = 0;
    for (const Buffer &buffer : buffers)
      if (buffer.first <= at.first && at.first <= buffer.last)
        sum += buffer.size;
    live = std::max(live, sum);
  }
  if (report)
    func.emitRemark() << "needs " << *planSize << " bytes of workspace for "
                      << plan.size() << " buffers; at most " << live
                      << " bytes live at one time";
  numBuffers += plan.size();
  plannedBytes += *planSize;
  liveBytes += live;
}
