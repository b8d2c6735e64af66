//===- PlanMemory.cpp - Place workspace buffers in one arena --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Offline dynamic storage allocation: rectangles of live range by size. The
// problem is NP-hard; greedy placement by size is within a few percent of the
// optimum on networks, and there are few enough buffers to try several orders.
//
// A layer that reads its input in the order in which it writes its result may
// run in place if it declares how far the result must be ahead: a depthwise
// convolution no longer needs a row once it has written the one above. The two
// buffers then form one unit, whose parts keep their live ranges. This saves
// memory, and the result is written to lines that are in the cache.
//
//===----------------------------------------------------------------------===//

#include "BufferAccesses.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

/// Alignment of buffers in bytes, for cache lines and vector loads.
static constexpr int64_t kAlignment = 64;

namespace {
/// Buffer with its live range, counted in operations of the function's body,
/// and its offset.
struct Buffer {
  AllocOp alloc;
  int64_t size;
  int64_t alignment;
  int64_t first, last;
  /// Position in the function, used as a tie-breaker.
  size_t index;
  int64_t offset = 0;
  /// If the last reader of this buffer may write in place: the position of the
  /// buffer that it writes, and how many bytes before this one it begins.
  std::optional<size_t> inPlaceResult = std::nullopt;
  int64_t distance = 0;

  bool livesWith(const Buffer &other) const {
    return first <= other.last && other.first <= last;
  }
  bool sharesBytesWith(const Buffer &other) const {
    return offset < other.offset + other.size && other.offset < offset + size;
  }
};

/// Buffers that are placed together, each at a fixed distance in bytes from the
/// start of the unit.
struct Unit {
  struct Part {
    Buffer *buffer;
    int64_t distance;
  };
  llvm::SmallVector<Part, 1> parts;
  int64_t size = 0, alignment = 1;
  int64_t first = std::numeric_limits<int64_t>::max(), last = 0;
  size_t index = 0;

  void add(Buffer &buffer, int64_t distance) {
    parts.push_back({&buffer, distance});
    size = std::max(size, distance + buffer.size);
    alignment = std::max(alignment, buffer.alignment);
    first = std::min(first, buffer.first);
    last = std::max(last, buffer.last);
  }
};

struct PlanMemoryPass : uma::tir::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using PlanMemoryPassBase::PlanMemoryPassBase;

  LogicalResult collect(FuncOp func, SmallVectorImpl<Buffer> &buffers);
  void runOnOperation() override;
};
} // namespace

/// Returns the size of a buffer in bytes, with byte-aligned elements as in C,
/// or std::nullopt on overflow.
static std::optional<int64_t> getSize(MemRefType type) {
  int64_t size =
      llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(size, extent, size))
      return std::nullopt;
  return size;
}

/// Adds all users of `value` and of its views to `users`.
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
        if (users.empty()) { // unused
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

/// Returns the attribute `uma.in_place` of an argument, or null if it has none.
/// Emits an error and fails if it is malformed.
static FailureOr<DenseI64ArrayAttr> getInPlace(FuncOp callee, unsigned index) {
  Attribute attribute = callee.getArgAttr(index, kInPlaceAttrName);
  if (!attribute)
    return DenseI64ArrayAttr();
  auto values = dyn_cast<DenseI64ArrayAttr>(attribute);
  bool isValid = values && values.size() == 2 && values[0] >= 0 &&
                 values[0] < int64_t(callee.getNumArguments()) &&
                 values[0] != int64_t(index) && values[1] >= 0 &&
                 values[1] <= std::numeric_limits<int32_t>::max();
  if (isValid)
    return values;
  return callee.emitOpError("argument ")
         << index << ": '" << kInPlaceAttrName << "' is " << attribute
         << ", expected array<i64: position of another argument, bytes>";
}

/// Sets `inPlaceResult` and `distance` of buffers over which their last reader
/// may write its result.
static LogicalResult findInPlace(FuncOp func, MutableArrayRef<Buffer> buffers) {
  DenseMap<Value, Buffer *> known;
  for (Buffer &buffer : buffers)
    known[buffer.alloc.getBuffer()] = &buffer;
  SymbolTableCollection symbols;
  int64_t time = -1;
  for (Operation &op : func.getBody().front()) {
    ++time;
    auto call = dyn_cast<CallOp>(op);
    auto callee = call ? symbols.lookupNearestSymbolFrom<FuncOp>(
                             call, call.getCalleeAttr())
                       : FuncOp();
    if (!callee)
      continue;
    SmallVector<Value> roots =
        llvm::map_to_vector(call.getArguments(), getBaseBuffer);
    for (auto [i, root] : llvm::enumerate(roots)) {
      FailureOr<DenseI64ArrayAttr> inPlace = getInPlace(callee, i);
      if (failed(inPlace))
        return failure();
      if (!*inPlace)
        continue;
      // The attribute only holds if no other argument aliases the pair.
      Value source = roots[(*inPlace)[0]];
      Buffer *result = known.lookup(root), *data = known.lookup(source);
      if (!result || !data || data->last != time || result->first != time ||
          llvm::count(roots, root) != 1 || llvm::count(roots, source) != 1)
        continue;
      data->inPlaceResult = result->index;
      data->distance = (*inPlace)[1];
    }
  }
  return success();
}

/// Returns the units of `buffers`, which are sorted by position. If
/// `isInPlace`, a buffer and the in-place result over it share a unit.
static SmallVector<Unit> getUnits(MutableArrayRef<Buffer> buffers,
                                  bool isInPlace) {
  SmallVector<Unit> units;
  llvm::BitVector isBehind(buffers.size());
  SmallVector<std::optional<size_t>> dataOf(buffers.size());
  if (isInPlace)
    for (Buffer &buffer : buffers)
      if (buffer.inPlaceResult) {
        dataOf[*buffer.inPlaceResult] = buffer.index;
        isBehind.set(buffer.index);
      }
  for (Buffer &buffer : buffers) {
    // The last result of a chain starts its unit.
    if (isBehind.test(buffer.index))
      continue;
    Unit unit;
    unit.index = buffer.index;
    int64_t distance = 0;
    unit.add(buffer, distance);
    for (std::optional<size_t> next = dataOf[buffer.index]; next;
         next = dataOf[*next]) {
      distance = llvm::alignTo(distance + buffers[*next].distance,
                               buffers[*next].alignment);
      unit.add(buffers[*next], distance);
    }
    units.push_back(std::move(unit));
  }
  return units;
}

/// Places `units` in the given order, each in the smallest gap between placed
/// ones that are live at the same time. Returns the size of the arena in bytes,
/// or std::nullopt on overflow.
static std::optional<int64_t> place(MutableArrayRef<Unit> units) {
  int64_t end = 0;
  SmallVector<const Buffer *> placed;
  for (Unit &unit : units) {
    // Offsets at which the unit cannot begin.
    struct Interval {
      int64_t begin, end;
      size_t index;
    };
    SmallVector<Interval> taken;
    for (const Unit::Part &part : unit.parts)
      for (const Buffer *other : placed) {
        if (!other->livesWith(*part.buffer))
          continue;
        int64_t otherEnd = other->offset + other->size;
        if (otherEnd > std::numeric_limits<int64_t>::max() - unit.alignment)
          return std::nullopt;
        taken.push_back(
            {other->offset - part.distance - part.buffer->size,
             int64_t(llvm::alignTo(otherEnd, unit.alignment)) - part.distance,
             other->index});
      }
    llvm::sort(taken, [](const Interval &left, const Interval &right) {
      return std::tie(left.begin, left.index) <
             std::tie(right.begin, right.index);
    });
    int64_t free = 0; // end of the taken offsets so far
    int64_t smallest = std::numeric_limits<int64_t>::max();
    std::optional<int64_t> best;
    for (const Interval &interval : taken) {
      int64_t gap = interval.begin - free;
      if (gap >= 0 && gap < smallest) {
        smallest = gap;
        best = free;
      }
      if (interval.end > free)
        free = llvm::alignTo(interval.end, unit.alignment);
    }
    int64_t offset = best.value_or(free), unitEnd;
    if (llvm::AddOverflow(offset, unit.size, unitEnd))
      return std::nullopt;
    end = std::max(end, unitEnd);
    for (Unit::Part &part : unit.parts) {
      part.buffer->offset = offset + part.distance;
      placed.push_back(part.buffer);
    }
  }
  return end;
}

/// Returns the largest number of bytes live at one time; overlapping bytes of
/// in-place pairs count once.
static int64_t getMostLive(ArrayRef<Unit> units) {
  // The maximum is reached at the start of a live range.
  int64_t most = 0;
  for (const Unit &unit : units)
    for (const Unit::Part &at : unit.parts) {
      int64_t time = at.buffer->first, sum = 0;
      for (const Unit &other : units) {
        int64_t begin = std::numeric_limits<int64_t>::max(), end = 0, apart = 0;
        for (const Unit::Part &part : other.parts)
          if (part.buffer->first <= time && time <= part.buffer->last) {
            apart += part.buffer->size;
            begin = std::min(begin, part.distance);
            end = std::max(end, part.distance + part.buffer->size);
          }
        // At a large distance, disjoint placement takes less.
        sum += std::clamp<int64_t>(end - begin, 0, apart);
      }
      most = std::max(most, sum);
    }
  return most;
}

void PlanMemoryPass::runOnOperation() {
  FuncOp func = getOperation();
  SmallVector<Buffer> buffers;
  if (failed(collect(func, buffers)))
    return signalPassFailure();
  if (!func.isPublic())
    return;

  if (inPlace && failed(findInPlace(func, buffers)))
    return signalPassFailure();

  // Sort keys; units with the smallest key are placed first.
  using Key = int64_t (*)(const Unit &);
  const Key keys[] = {// Size: small buffers fit the gaps that large ones leave.
                      [](const Unit &unit) { return -unit.size; },
                      // Live range: long-lived buffers go to the bottom.
                      [](const Unit &unit) { return unit.first - unit.last; },
                      // Start of the live range, as a stack.
                      [](const Unit &unit) { return unit.first; }};
  SmallVector<Buffer> plan;
  std::optional<int64_t> planSize;
  // Prefer in-place plans of equal size: they reuse data in the cache.
  for (bool isInPlace : {true, false}) {
    if (!isInPlace && llvm::none_of(buffers, [](const Buffer &buffer) {
          return buffer.inPlaceResult.has_value();
        }))
      break;
    SmallVector<Unit> units = getUnits(buffers, isInPlace);
    for (Key key : keys) {
      llvm::sort(units, [&](const Unit &left, const Unit &right) {
        return std::make_pair(key(left), left.index) <
               std::make_pair(key(right), right.index);
      });
      std::optional<int64_t> size = place(units);
      if (size && (!planSize || *size < *planSize)) {
        planSize = size;
        plan = buffers;
      }
    }
  }
  if (!planSize) {
    func.emitOpError() << "needs more workspace than fits 64 bits";
    return signalPassFailure();
  }

  // Cannot overflow, since it is at most the size of the plan.
  int64_t live = getMostLive(getUnits(buffers, /*isInPlace=*/true));
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

  if (report)
    func.emitRemark() << "needs " << *planSize << " bytes of workspace for "
                      << plan.size() << " buffers; at most " << live
                      << " bytes live at one time";
  numBuffers += plan.size();
  for (const Buffer &buffer : plan)
    if (buffer.inPlaceResult)
      numInPlace += buffer.sharesBytesWith(plan[*buffer.inPlaceResult]);
  plannedBytes += *planSize;
  liveBytes += live;
}
