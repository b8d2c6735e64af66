//===- AccessProgram.cpp - Code that accesses two buffers -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "AccessProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

static int64_t getElementBytes(MemRefType type) {
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

AccessProgram::AccessProgram(Block::iterator first, Block::iterator end,
                             Value written, Value read,
                             llvm::function_ref<bool(CallOp)> isKnown)
    : isKnown(isKnown) {
  for (auto [root, isRead] : {std::pair(written, false), std::pair(read, true)})
    if (root) {
      auto type = cast<MemRefType>(root.getType());
      findPlaces(root,
                 {isRead, 0, type.getNumElements() * getElementBytes(type)});
    }
  findUsedValues(first, end);
  nodes = build(first, end);
}

/// Returns the part of `source` that a view is, or std::nullopt if that is not
/// known.
static std::optional<AccessPlace> getPart(ViewLikeOpInterface view,
                                          AccessPlace source) {
  if (isa<WordsOp, memref::CastOp>(view.getOperation()))
    return source;
  if (auto part = dyn_cast<ViewOp>(view.getOperation())) {
    int64_t elementBytes = getElementBytes(part.getType());
    source.first += int64_t(part.getOffset()) * elementBytes;
    source.bytes = part.getType().getNumElements() * elementBytes;
    return source;
  }
  auto cast = dyn_cast<memref::ReinterpretCastOp>(view.getOperation());
  if (!cast || cast.getType().getRank() > 1 ||
      !cast.getType().hasStaticShape() ||
      ShapedType::isDynamic(cast.getStaticOffsets().front()))
    return std::nullopt;
  for (int64_t stride : cast.getStaticStrides())
    if (stride != 1)
      return std::nullopt;
  int64_t elementBytes = getElementBytes(cast.getType());
  source.first += cast.getStaticOffsets().front() * elementBytes;
  source.bytes = cast.getType().getNumElements() * elementBytes;
  return source;
}

void AccessProgram::findPlaces(Value root, AccessPlace place) {
  SmallVector<std::pair<Value, AccessPlace>> work = {{root, place}};
  while (!work.empty()) {
    auto [value, part] = work.pop_back_val();
    places[value] = part;
    for (Operation *user : value.getUsers()) {
      auto view = dyn_cast<ViewLikeOpInterface>(user);
      if (!view || view.getViewSource() != value)
        continue;
      AccessPlace source = part;
      std::optional<AccessPlace> known = getPart(view, source);
      if (!known || part.isOpaque) {
        known = place;
        known->isOpaque = true;
      }
      work.emplace_back(view.getViewDest(), *known);
    }
  }
}

void AccessProgram::use(Value value) {
  SmallVector<Value> work = {value};
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    auto isInteger = [](Type type) {
      return type.isIndex() ||
             (type.isInteger() && type.getIntOrFloatBitWidth() <= 64);
    };
    if (!op || !isa<InferIntRangeInterface>(op) ||
        !llvm::all_of(op->getOperandTypes(), isInteger) ||
        !llvm::all_of(op->getResultTypes(), isInteger) ||
        !used.insert(op).second)
      continue;
    llvm::append_range(work, op->getOperands());
  }
}

void AccessProgram::findUsedValues(Block::iterator first, Block::iterator end) {
  for (Operation &outer : llvm::make_range(first, end)) {
    outer.walk([&](Operation *op) {
      work += 1 + op->getNumOperands();
      if (llvm::none_of(op->getOperands(),
                        [&](Value value) { return places.contains(value); }))
        return;
      for (Value operand : op->getOperands())
        use(operand);
      for (Operation *at = op; at != &outer;) {
        at = at->getParentOp();
        for (Value operand : at->getOperands())
          use(operand);
      }
    });
  }
}

unsigned AccessProgram::getNumber(Value value) {
  auto [entry, isNew] = numbers.try_emplace(value, ranges.size());
  if (isNew) {
    APInt constant;
    unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
    if (width == 0 || width > 64)
      ranges.push_back({INT64_MIN, INT64_MAX});
    else if (matchPattern(value, m_ConstantInt(&constant)))
      ranges.push_back({constant.getSExtValue(), constant.getSExtValue()});
    else
      ranges.push_back({llvm::minIntN(width), llvm::maxIntN(width)});
  }
  return entry->second;
}

AccessBound AccessProgram::getBound(OpFoldResult bound) {
  if (std::optional<int64_t> constant = getConstantIntValue(bound))
    return {*constant};
  return {0, getNumber(cast<Value>(bound))};
}

AccessProgram::Nodes AccessProgram::build(Block::iterator first,
                                          Block::iterator end) {
  Nodes result;
  for (Operation &op : llvm::make_range(first, end))
    build(&op, result);
  return result;
}

void AccessProgram::buildAccess(Operation *op, Value buffer, ValueRange indices,
                                bool isWrite, int64_t elements, Nodes &nodes) {
  auto known = places.find(buffer);
  if (known == places.end() || (!known->second.isRead && !isWrite))
    return;
  auto type = cast<MemRefType>(buffer.getType());
  AccessNode node{AccessNode::Access, op, known->second};
  node.isWhole = known->second.isOpaque || indices.size() > 1 ||
                 !type.getLayout().isIdentity();
  node.isWrite = isWrite;
  node.elementBytes = getElementBytes(type);
  node.bytes = elements * node.elementBytes;
  if (!indices.empty())
    node.index = getBound(OpFoldResult(indices.front()));
  nodes.push_back(std::move(node));
}

void AccessProgram::buildWhole(Operation *op, Nodes &nodes) {
  AccessNode node{AccessNode::Loop, op};
  node.upper.constant = 1;
  node.isCollapsed = true;
  node.variable = ranges.size();
  ranges.push_back({INT64_MIN, INT64_MAX});
  Nodes accesses;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      auto known = places.find(operand);
      if (known == places.end())
        continue;
      AccessNode access{AccessNode::Access, op, known->second};
      access.isWhole = access.isWrite = true;
      accesses.push_back(std::move(access));
    }
  });
  if (accesses.empty())
    return;
  node.bodies.push_back(std::move(accesses));
  nodes.push_back(std::move(node));
}

/// Returns whether one of the nodes is more than arithmetic.
static bool hasAccesses(ArrayRef<AccessNode> nodes) {
  return llvm::any_of(nodes, [](const AccessNode &node) {
    return node.kind != AccessNode::Compute;
  });
}

namespace {
/// How values depend on the variable of a loop.
class AffineCheck {
public:
  explicit AffineCheck(unsigned variable) { degrees[variable] = 1; }

  /// Returns whether the addresses in `nodes` are affine in the variable, and
  /// bounds and conditions do not depend on it.
  bool check(ArrayRef<AccessNode> nodes);

private:
  static constexpr unsigned kNotAffine = 2;

  unsigned getDegree(const AccessBound &bound) const {
    return bound.value ? degrees.lookup(*bound.value) : 0;
  }
  unsigned getDegree(const AccessNode &node) const;

  llvm::DenseMap<unsigned, unsigned> degrees;
};
} // namespace

unsigned AffineCheck::getDegree(const AccessNode &node) const {
  unsigned degree = 0, dependent = 0;
  for (unsigned operand : node.operands) {
    degree = std::max(degree, degrees.lookup(operand));
    dependent += degrees.lookup(operand) > 0;
  }
  bool isAffine =
      isa<arith::AddIOp, arith::SubIOp, arith::IndexCastOp>(node.op) ||
      (isa<arith::MulIOp>(node.op) && dependent < 2);
  return degree > 0 && !isAffine ? kNotAffine : degree;
}

bool AffineCheck::check(ArrayRef<AccessNode> nodes) {
  return llvm::all_of(nodes, [&](const AccessNode &node) {
    if (node.kind == AccessNode::Compute) {
      unsigned degree = getDegree(node);
      for (unsigned result : node.results)
        degrees[result] = degree;
      return true;
    }
    return getDegree(node.index) <= (node.kind == AccessNode::Access ? 1 : 0) &&
           getDegree(node.lower) == 0 && getDegree(node.upper) == 0 &&
           llvm::all_of(node.bodies, [&](const std::vector<AccessNode> &body) {
             return check(body);
           });
  });
}

void AccessProgram::build(Operation *op, Nodes &nodes) {
  auto buildBodies = [&](AccessNode node) {
    bool isNeeded = false;
    for (Region &region : op->getRegions()) {
      node.bodies.emplace_back();
      if (!region.empty())
        node.bodies.back() =
            build(region.front().begin(), region.front().end());
      isNeeded |= hasAccesses(node.bodies.back());
    }
    if (!isNeeded)
      return;
    node.isAffine = node.kind == AccessNode::Loop &&
                    AffineCheck(node.variable).check(node.bodies.front());
    nodes.push_back(std::move(node));
  };
  TypeSwitch<Operation *>(op)
      .Case([&](memref::LoadOp load) {
        buildAccess(op, load.getMemRef(), load.getIndices(), false, 1, nodes);
      })
      .Case([&](memref::StoreOp store) {
        buildAccess(op, store.getMemRef(), store.getIndices(), true, 1, nodes);
      })
      .Case([&](vector::LoadOp load) {
        buildAccess(op, load.getBase(), load.getIndices(), false,
                    load.getVectorType().getNumElements(), nodes);
      })
      .Case([&](vector::StoreOp store) {
        buildAccess(op, store.getBase(), store.getIndices(), true,
                    store.getVectorType().getNumElements(), nodes);
      })
      .Case([&](LookupOp lookup) {
        // Vectors are written before the next ones are read.
        auto size = int64_t(lookup.getSize());
        buildAccess(op, lookup.getTarget(), lookup.getPlace(), true, size,
                    nodes);
        buildAccess(op, lookup.getSource(), lookup.getFirst(), false, size,
                    nodes);
        buildAccess(op, lookup.getTable(), {}, false, 0, nodes);
      })
      .Case([&](ForOp loop) {
        AccessNode node{AccessNode::Loop, op};
        node.lower = getBound(loop.getLower());
        node.upper = getBound(loop.getUpper());
        node.variable = getNumber(loop.getInductionVar());
        auto getRange = [](OpFoldResult bound) -> std::optional<IndexRange> {
          if (std::optional<int64_t> known = getConstantIntValue(bound))
            return IndexRange{*known, *known};
          return getIndexRange(cast<Value>(bound));
        };
        auto lower = getRange(loop.getLower()),
             upper = getRange(loop.getUpper());
        node.trips =
            !lower || !upper || lower->min < INT32_MIN || upper->max > INT32_MAX
                ? INT32_MAX
                : std::max<int64_t>(upper->max - lower->min, 0);
        buildBodies(std::move(node));
      })
      .Case([&](scf::IfOp branch) {
        AccessNode node{AccessNode::Branch, op};
        node.index = {0, getNumber(branch.getCondition())};
        buildBodies(std::move(node));
      })
      .Case([&](MultiversionOp) {
        buildBodies(AccessNode{AccessNode::Branch, op});
      })
      .Case([&](CallOp call) {
        AccessNode node{AccessNode::Call, op};
        bool isOpaque = !isKnown(call);
        for (auto [i, argument] : llvm::enumerate(call.getArguments())) {
          auto known = places.find(argument);
          if (known == places.end())
            continue;
          isOpaque |= known->second.isOpaque;
          node.arguments.push_back({unsigned(i), known->second});
        }
        if (isOpaque)
          buildWhole(op, nodes);
        else if (!node.arguments.empty())
          nodes.push_back(std::move(node));
      })
      // Hints, and views, whose accesses count.
      .Case<PrefetchOp, ViewLikeOpInterface>([](auto) {})
      .Default([&](Operation *) {
        if (!used.contains(op)) {
          buildWhole(op, nodes);
          return;
        }
        AccessNode node{AccessNode::Compute, op};
        node.isOfIndices = op->getNumOperands() == 2 &&
                           op->getNumResults() == 1 &&
                           op->getResultTypes().front().isIndex();
        for (Value operand : op->getOperands())
          node.operands.push_back(getNumber(operand));
        // Ranges of constants are set with their number.
        for (Value result : op->getResults())
          node.results.push_back(getNumber(result));
        if (!op->hasTrait<OpTrait::ConstantLike>())
          nodes.push_back(std::move(node));
      });
}

namespace {
/// Steps that nodes take; finds loops on the way.
struct StepCounter {
  uint64_t count(std::vector<AccessNode> &nodes, unsigned depth);

  struct Loop {
    unsigned depth;
    size_t position;
    AccessNode *node;
  };
  SmallVector<Loop> loops;
  /// Whether the nodes counted since the last reset access the buffers.
  bool reads = false, writes = false;
};
} // namespace

uint64_t StepCounter::count(std::vector<AccessNode> &nodes, unsigned depth) {
  uint64_t steps = 0;
  for (AccessNode &node : nodes) {
    uint64_t inner = 1;
    if (node.kind == AccessNode::Access)
      (node.place.isRead ? reads : writes) = true;
    for (const AccessArgument &argument : node.arguments)
      (argument.place.isRead ? reads : writes) = true;
    bool isLoop = node.kind == AccessNode::Loop;
    bool outerReads = reads, outerWrites = writes;
    if (isLoop)
      reads = writes = false;
    // Mostly one of the branches runs.
    for (std::vector<AccessNode> &body : node.bodies)
      inner = std::max(
          inner, llvm::SaturatingAdd<uint64_t>(count(body, depth + 1), 1));
    if (isLoop) {
      node.isMixed = reads && writes;
      loops.push_back({depth, loops.size(), &node});
      reads |= outerReads;
      writes |= outerWrites;
    }
    if (isLoop && !node.isCollapsed)
      inner = llvm::SaturatingMultiply<uint64_t>(
          inner, node.isAffine ? std::min<int64_t>(node.trips, 4) : node.trips);
    steps = llvm::SaturatingAdd(steps, inner);
  }
  return steps;
}

static void collapse(AccessNode &node) {
  node.isCollapsed |= node.kind == AccessNode::Loop;
  for (std::vector<AccessNode> &body : node.bodies)
    for (AccessNode &inner : body)
      collapse(inner);
}

void AccessProgram::limitSteps(uint64_t steps) {
  StepCounter counter;
  uint64_t count = counter.count(nodes, 0);
  // Ties keep their order in the program.
  auto getKey = [](const StepCounter::Loop &loop) {
    return std::make_tuple(loop.node->isMixed, -int64_t(loop.depth),
                           loop.position);
  };
  llvm::sort(counter.loops, [&](const auto &left, const auto &right) {
    return getKey(left) < getKey(right);
  });
  for (auto [depth, position, loop] : counter.loops) {
    if (count <= steps)
      return;
    if (loop->isCollapsed)
      continue;
    collapse(*loop);
    count = StepCounter().count(nodes, 0);
  }
}
