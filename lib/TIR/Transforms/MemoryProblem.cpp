//===- MemoryProblem.cpp - Live ranges of workspace buffers----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A result may be written over a buffer whose bytes are read before they are
// overwritten. Layers declare how far ahead it must be, or it is proven from
// their accesses, see AccessOrder.h. This saves memory, and the result is
// written to lines that are in the cache.
//
//===----------------------------------------------------------------------===//

#include "MemoryProblem.h"

#include "AccessOrder.h"
#include "BufferAccesses.h"

#include "uma/IR/DeviceAttributes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/Support/LayerName.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

/// Longest time, in operations, for which a pair of buffers is analysed.
static constexpr int64_t kMaxSpan = 256;

Operation *MemoryProblem::getOperation(int64_t time) const {
  return time < 1 || time > int64_t(operations.size()) ? nullptr
                                                       : operations[time - 1];
}

/// Returns the size of a buffer in bytes, with byte-aligned elements as in C,
/// or std::nullopt if it is larger than a plan can be.
static std::optional<int64_t> getSize(MemRefType type) {
  int64_t size =
      llvm::divideCeil(type.getElementType().getIntOrFloatBitWidth(), 8);
  for (int64_t extent : type.getShape())
    if (llvm::MulOverflow(size, extent, size))
      return std::nullopt;
  if (size > memory::kMaxBytes)
    return std::nullopt;
  return size;
}

/// Adds all users of `value` and of its views to `users`. A view itself uses
/// nothing, wherever it is.
static void collectUsers(Value value, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : value.getUsers()) {
    if (!isa<ViewLikeOpInterface>(user))
      users.push_back(user);
    for (Value result : user->getResults())
      if (isa<BaseMemRefType>(result.getType()))
        collectUsers(result, users);
  }
}

/// Erases an operation and the views of its results, which nothing uses.
static void eraseUnused(Operation *op) {
  for (Operation *user : llvm::make_early_inc_range(op->getUsers()))
    eraseUnused(user);
  op->erase();
}

namespace {
/// Builds the problem of one function.
class Collector {
public:
  Collector(FuncOp func, MemoryProblem &result, OverlapKind kind)
      : func(func), result(result), kind(kind) {
    for (Operation &op : func.getBody().front()) {
      result.operations.push_back(&op);
      times[&op] = int64_t(result.operations.size());
    }
  }

  LogicalResult collectBuffers();
  LogicalResult collectArguments();
  LogicalResult collectDeclared();
  void proveOverlaps();

private:
  LogicalResult add(AllocOp alloc);
  /// Returns the first and the last time at which `value` is used, or
  /// std::nullopt if it is not.
  std::optional<std::pair<int64_t, int64_t>> getUses(Value value);

  /// Permits the first buffer to begin at least `separation` bytes before the
  /// second.
  void allowOverlap(size_t written, size_t read, int64_t separation);
  /// Returns whether threads share a loop of a function that both buffers are
  /// passed to: one may write the first while another one reads the second.
  bool isShared(Value written, Value read);

  FuncOp func;
  MemoryProblem &result;
  OverlapKind kind;
  /// Whether functions have parallel loops.
  DenseMap<Operation *, bool> parallel;
  SymbolTableCollection symbols;
  AccessOrder accessOrder;
  /// Positions of the relations of pairs.
  DenseMap<std::pair<size_t, size_t>, size_t> overlaps;
  DenseMap<Operation *, int64_t> times;
  DenseMap<Value, size_t> known;
};
} // namespace

std::optional<std::pair<int64_t, int64_t>> Collector::getUses(Value value) {
  SmallVector<Operation *> users;
  collectUsers(value, users);
  if (users.empty())
    return std::nullopt;
  std::pair<int64_t, int64_t> uses(std::numeric_limits<int64_t>::max(), 0);
  Block &body = func.getBody().front();
  for (Operation *user : users) {
    int64_t at = times.lookup(body.findAncestorOpInBlock(*user));
    uses.first = std::min(uses.first, at);
    uses.second = std::max(uses.second, at);
  }
  return uses;
}

LogicalResult Collector::add(AllocOp alloc) {
  auto type = cast<MemRefType>(alloc.getBuffer().getType());
  if (!func.isPublic())
    return alloc.emitOpError()
           << "of " << type << " is in the private function '"
           << func.getSymName()
           << "', which has no workspace: allocate it in the entry function "
              "and pass it as an argument";
  std::optional<int64_t> size = getSize(type);
  if (!size)
    return alloc.emitOpError()
           << "of " << type << " has more bytes than a workspace, 2^61";
  auto uses = getUses(alloc.getBuffer());
  if (!uses) {
    eraseUnused(alloc);
    return success();
  }
  memory::Buffer buffer;
  buffer.name = alloc.getLabel() ? alloc.getLabel()->str()
                                 : uma::getLayerName(alloc.getLoc()).str();
  if (buffer.name.empty())
    buffer.name = "#" + std::to_string(result.sources.size());
  buffer.lower = uses->first;
  buffer.upper = uses->second + 1;
  buffer.size = *size;
  buffer.alignment = kBufferAlignment;
  if (auto wanted = alloc->getAttrOfType<IntegerAttr>(kAlignmentAttrName))
    buffer.alignment = std::max(buffer.alignment, wanted.getInt());
  if (alloc.getOffset())
    buffer.offset = alloc.getOffset();
  known[alloc.getBuffer()] = result.sources.size();
  result.problem.buffers.push_back(std::move(buffer));
  result.sources.push_back({alloc});
  return success();
}

LogicalResult Collector::collectBuffers() {
  SmallVector<AllocOp> allocs;
  func.walk([&](AllocOp alloc) {
    if (alloc.getScope() == Scope::Workspace)
      allocs.push_back(alloc);
  });
  return failure(
      llvm::any_of(allocs, [&](AllocOp alloc) { return failed(add(alloc)); }));
}

LogicalResult Collector::collectArguments() {
  const auto end = int64_t(result.operations.size()) + 1;
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type)
      continue;
    unsigned number = argument.getArgNumber();
    std::optional<int64_t> size = getSize(type);
    if (!size)
      return func.emitOpError("argument ")
             << number << " of " << type
             << " has more bytes than a workspace, 2^61";
    auto uses = getUses(argument);
    memory::Buffer buffer;
    if (auto name =
            func.getArgAttrOfType<StringAttr>(number, kTensorNameAttrName))
      buffer.name = name.str();
    else
      buffer.name = "argument " + std::to_string(number);
    // The caller writes inputs before the call and reads outputs after it.
    bool isOutput = func.getArgAttr(number, kOutputAttrName) != nullptr;
    buffer.lower = !isOutput ? 0 : uses ? uses->first : end;
    buffer.upper = isOutput ? end + 1 : uses ? uses->second + 1 : 1;
    buffer.size = *size;
    buffer.alignment = kBufferAlignment;
    if (auto wanted =
            func.getArgAttrOfType<IntegerAttr>(number, kAlignmentAttrName))
      buffer.alignment = std::max(buffer.alignment, wanted.getInt());
    if (Attribute attribute = func.getArgAttr(number, kOffsetAttrName)) {
      auto offset = dyn_cast<IntegerAttr>(attribute);
      if (!offset || !offset.getType().isSignlessInteger(64))
        return func.emitOpError("argument ")
               << number << ": '" << kOffsetAttrName << "' is " << attribute
               << ", expected bytes as i64";
      buffer.offset = offset.getInt();
    }
    known[argument] = result.sources.size();
    result.problem.buffers.push_back(std::move(buffer));
    result.sources.push_back({AllocOp(), number});
  }
  return success();
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

/// Adds the relations that callees declare with `uma.in_place`: their last
/// reader may write its result over a buffer.
LogicalResult Collector::collectDeclared() {
  for (Operation *op : result.operations) {
    auto call = dyn_cast<CallOp>(op);
    auto callee = call ? symbols.lookupNearestSymbolFrom<FuncOp>(
                             call, call.getCalleeAttr())
                       : FuncOp();
    if (!callee)
      continue;
    int64_t time = times.lookup(op);
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
      auto output = known.find(root), data = known.find(source);
      if (output == known.end() || data == known.end() ||
          call.getArguments()[i] != root ||
          call.getArguments()[(*inPlace)[0]] != source ||
          llvm::count(roots, root) != 1 || llvm::count(roots, source) != 1)
        continue;
      const memory::Buffer &written = result.problem.buffers[output->second];
      const memory::Buffer &read = result.problem.buffers[data->second];
      if (read.upper == time + 1 && written.lower == time &&
          !isShared(root, source))
        allowOverlap(output->second, data->second, (*inPlace)[1]);
    }
  }
  return success();
}

bool Collector::isShared(Value written, Value read) {
  if (kind != OverlapKind::Unshared)
    return false;
  return llvm::any_of(result.operations, [&](Operation *op) {
    auto call = dyn_cast<CallOp>(op);
    if (!call)
      return false;
    auto roots = llvm::map_to_vector(call.getArguments(), getBaseBuffer);
    if (!llvm::is_contained(roots, written) || !llvm::is_contained(roots, read))
      return false;
    auto callee =
        symbols.lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr());
    auto [known, isNew] = parallel.try_emplace(callee, false);
    if (isNew && callee)
      callee.walk([&, &found = known->second](ForOp loop) {
        found |= loop.getKind() == ForKind::Parallel;
      });
    return known->second;
  });
}

void Collector::allowOverlap(size_t written, size_t read, int64_t separation) {
  separation = int64_t(llvm::alignTo(separation, kBufferAlignment));
  auto [entry, isNew] =
      overlaps.try_emplace({written, read}, result.problem.overlaps.size());
  if (isNew) {
    result.problem.overlaps.push_back({written, read, separation});
    result.inPlace.emplace_back(read, written);
    return;
  }
  int64_t &known = result.problem.overlaps[entry->second].separation;
  known = std::min(known, separation);
}

void Collector::proveOverlaps() {
  std::vector<memory::Buffer> &buffers = result.problem.buffers;
  SmallVector<Value> values(buffers.size());
  for (auto [value, i] : known)
    values[i] = value;
  // Buffers in the order in which they begin to live.
  SmallVector<size_t> order = llvm::to_vector(llvm::seq(buffers.size()));
  llvm::sort(order, [&](size_t left, size_t right) {
    return std::make_pair(buffers[left].lower, left) <
           std::make_pair(buffers[right].lower, right);
  });
  SmallVector<size_t> live;
  for (size_t written : order) {
    const memory::Buffer &above = buffers[written];
    llvm::erase_if(live,
                   [&](size_t i) { return buffers[i].upper <= above.lower; });
    for (size_t read : live) {
      const memory::Buffer &below = buffers[read];
      if (below.lower == above.lower || below.upper - above.lower > kMaxSpan)
        continue;
      Block &body = func.getBody().front();
      auto first = Block::iterator(result.operations[above.lower - 1]);
      bool livesOn = below.upper > int64_t(result.operations.size()) + 1;
      auto end = below.upper > int64_t(result.operations.size())
                     ? body.end()
                     : Block::iterator(result.operations[below.upper - 1]);
      AccessSummary summary =
          accessOrder.get(first, end, values[written], values[read]);
      // The caller reads all of an output.
      if (livesOn)
        summary.append({AccessSummary::kNever, 0, AccessSummary::kNever});
      int64_t separation = std::max<int64_t>(summary.separation, 0);
      if (separation < above.size && !isShared(values[written], values[read]))
        allowOverlap(written, read, separation);
    }
    live.push_back(written);
  }
}

LogicalResult
uma::tir::collectMemoryProblem(FuncOp func, const MemoryProblemOptions &options,
                               MemoryProblem &result) {
  Collector collector(func, result, options.overlap);
  if (failed(collector.collectBuffers()))
    return failure();
  if (!func.isPublic())
    return success();
  if (options.placesArguments && failed(collector.collectArguments()))
    return failure();
  if (options.overlap == OverlapKind::None)
    return success();
  if (failed(collector.collectDeclared()))
    return failure();
  if (options.overlap != OverlapKind::Declared)
    collector.proveOverlaps();
  return success();
}
