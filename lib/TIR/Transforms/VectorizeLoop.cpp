//===- VectorizeLoop.cpp - Convert vectorized loops to vectors ------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Clones the loop's body with a vector for every value that varies across
// lanes. Indices stay scalar: memory is accessed at consecutive addresses,
// through the address of the first lane, or at one address for all lanes. If
// the body needs any other access, the loop is kept.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/IR/LinearForm.h"
#include "uma/TIR/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_VECTORIZELOOPPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

namespace {
/// Checks whether a loop can be vectorized, and rewrites it.
class Vectorizer {
public:
  Vectorizer(ForOp loop, int64_t lanes) : loop(loop), lanes(lanes) {}

  /// Returns true if every operation of the body has a vector form.
  bool check() { return checkBlock(loop.getBody().front()); }
  /// Builds the vector form before the loop.
  void rewrite();

private:
  bool checkBlock(Block &block);
  bool checkOperation(Operation *op);
  bool checkLoad(memref::LoadOp load);
  bool checkStore(memref::StoreOp store);

  void rewriteBlock(Block &block);
  void rewriteOperation(Operation *op);

  /// Returns true if the value varies across lanes.
  bool isVarying(Value value) const { return varying.contains(value); }
  bool isInside(Value value) {
    return loop.getBody().isAncestor(value.getParentRegion());
  }
  /// Returns true for a variable of the body, of which each lane has its own.
  bool isPrivate(Value buffer) {
    return isInside(buffer) && buffer.getDefiningOp<AllocOp>();
  }
  VectorType getVectorType(Type element) const {
    return VectorType::get({lanes}, element);
  }
  /// Returns the rewritten value as a vector, broadcasting scalars.
  Value getVector(Value value);
  Value getScalar(Value value) { return mapping.lookupOrDefault(value); }

  ForOp loop;
  int64_t lanes;
  llvm::DenseSet<Value> varying;
  IRMapping mapping;
  OpBuilder builder{loop};
};
} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static bool isVectorElement(Type type) {
  return type.isF32() || type.isF64() || type.isInteger(1) ||
         type.isInteger(32);
}

/// Returns true for integers that vectors hold in lanes of 32 bits: they are
/// only loaded, converted and stored.
static bool isNarrowInteger(Type type) {
  return type.isInteger(8) || type.isInteger(16);
}

/// Numbers of f16 and bf16 are numbers of f32 in vectors: they are rounded when
/// they are converted or stored.
static bool isNarrowFloat(Type type) { return type.isF16() || type.isBF16(); }

static bool isInMemory(Type type) {
  return type.isF32() || type.isF64() || isNarrowFloat(type) ||
         type.isInteger(32) || isNarrowInteger(type);
}

/// Returns true for conversions that vectors in C support.
static bool isVectorConversion(Operation *op) {
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    return (from.isF32() && isNarrowFloat(to)) ||
           (isNarrowFloat(from) && to.isF32());
  }
  if (!isa<arith::ExtSIOp, arith::ExtUIOp, arith::FPToSIOp, arith::FPToUIOp,
           arith::SIToFPOp, arith::TruncIOp, arith::UIToFPOp>(op))
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  // C converts lanes as signed numbers.
  if (isa<arith::FPToUIOp>(op) && !isNarrowInteger(to))
    return false;
  if (isa<arith::UIToFPOp>(op) && !isNarrowInteger(from))
    return false;
  return isInMemory(from) && isInMemory(to) && !from.isF64() && !to.isF64();
}

static bool isUnsigned(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  return llvm::is_contained({P::ult, P::ule, P::ugt, P::uge}, predicate);
}

/// Returns true for arithmetic that vectors in C support.
static bool hasVectorForm(Operation *op) {
  if (isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MaxSIOp,
          arith::MinSIOp, FixedPointMultiplyOp>(op))
    return op->getResult(0).getType().isInteger(32);
  // Vectors of f64 are only added and multiplied.
  if (llvm::any_of(op->getOperandTypes(),
                   [](Type type) { return type.isF64(); }))
    return isa<arith::AddFOp, arith::DivFOp, arith::MulFOp, arith::NegFOp,
               arith::SubFOp>(op);
  // Masks have all ones or all zeros in each lane.
  if (isa<arith::AndIOp, arith::OrIOp>(op))
    return isVectorElement(op->getResult(0).getType());
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return compare.getLhs().getType().isInteger(32) &&
           !isUnsigned(compare.getPredicate());
  return isa<DotOp, arith::AddFOp, arith::CmpFOp, arith::DivFOp,
             arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
             arith::MinNumFOp, arith::MulFOp, arith::NegFOp, arith::SelectOp,
             arith::SubFOp, math::AbsFOp, math::CeilOp, math::CosOp,
             math::ErfOp, math::ExpOp, math::FloorOp, math::Log1pOp,
             math::LogOp, math::RoundEvenOp, math::RsqrtOp, math::SinOp,
             math::SqrtOp, math::TanhOp>(op);
}

bool Vectorizer::checkBlock(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [&](Operation &op) { return checkOperation(&op); });
}

bool Vectorizer::checkLoad(memref::LoadOp load) {
  if (isPrivate(load.getMemRef())) {
    varying.insert(load.getResult());
    return true;
  }
  if (load.getIndices().empty())
    return true;
  if (load.getIndices().size() > 1)
    return false;
  LinearForm index = LinearForm::of(load.getIndices().front());
  int64_t step = index.getCoefficient(loop.getInductionVar());
  for (auto [value, coefficient] : index.getTerms())
    if (value != loop.getInductionVar() && isVarying(value))
      return false;
  if (step == 1 && isInMemory(load.getType()))
    varying.insert(load.getResult());
  return step == 0 || isVarying(load.getResult());
}

bool Vectorizer::checkStore(memref::StoreOp store) {
  if (isPrivate(store.getMemRef()))
    return true;
  if (store.getIndices().size() != 1 ||
      !isInMemory(store.getValueToStore().getType()))
    return false;
  LinearForm index = LinearForm::of(store.getIndices().front());
  for (auto [value, coefficient] : index.getTerms())
    if (value != loop.getInductionVar() && isVarying(value))
      return false;
  return index.getCoefficient(loop.getInductionVar()) == 1;
}

bool Vectorizer::checkOperation(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return checkLoad(load);
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return checkStore(store);
  if (auto alloc = dyn_cast<AllocOp>(op)) {
    auto type = cast<MemRefType>(alloc.getBuffer().getType());
    return alloc.getScope() == Scope::Local && type.getRank() == 0 &&
           isVectorElement(type.getElementType());
  }
  if (auto inner = dyn_cast<ForOp>(op)) {
    // All lanes must run the same iterations.
    auto varies = [&](Value bound) {
      return bound && (isVarying(bound) || LinearForm::of(bound).getCoefficient(
                                               loop.getInductionVar()) != 0);
    };
    return !varies(inner.getDynamicLower()) &&
           !varies(inner.getDynamicUpper()) &&
           checkBlock(inner.getBody().front());
  }
  if (!isPure(op) || op->getNumRegions() != 0 || op->getNumResults() != 1)
    return false;
  bool usesVector = llvm::any_of(op->getOperands(), [&](Value operand) {
    return isVarying(operand) || operand == loop.getInductionVar();
  });
  Type type = op->getResult(0).getType();
  if (!usesVector)
    return true;
  varying.insert(op->getResult(0));
  // Index arithmetic remains as the address of the first lane.
  if (type.isIndex())
    return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op);
  if (isVectorConversion(op))
    return true;
  return hasVectorForm(op) && isVectorElement(type) &&
         llvm::all_of(op->getOperandTypes(), isVectorElement);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value Vectorizer::getVector(Value value) {
  Value scalar = getScalar(value);
  if (isa<VectorType>(scalar.getType()))
    return scalar;
  return vector::BroadcastOp::create(builder, value.getLoc(),
                                     getVectorType(scalar.getType()), scalar);
}

void Vectorizer::rewrite() {
  Value first =
      arith::ConstantIndexOp::create(builder, loop.getLoc(), 0).getResult();
  mapping.map(loop.getInductionVar(), first);
  rewriteBlock(loop.getBody().front());
  loop.erase();
}

void Vectorizer::rewriteBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    rewriteOperation(&op);
}

void Vectorizer::rewriteOperation(Operation *op) {
  Location loc = op->getLoc();
  if (auto alloc = dyn_cast<AllocOp>(op)) {
    auto type = cast<MemRefType>(alloc.getBuffer().getType());
    auto copy = AllocOp::create(
        builder, loc, MemRefType::get({}, getVectorType(type.getElementType())),
        Scope::Local, /*offset=*/nullptr, alloc.getLabelAttr());
    mapping.map(alloc.getBuffer(), copy.getBuffer());
    return;
  }
  if (auto load = dyn_cast<memref::LoadOp>(op);
      load && isVarying(load.getResult()) && !isPrivate(load.getMemRef())) {
    Value index = getScalar(load.getIndices().front());
    mapping.map(load.getResult(),
                vector::LoadOp::create(builder, loc,
                                       getVectorType(load.getType()),
                                       getScalar(load.getMemRef()), index)
                    .getResult());
    return;
  }
  if (auto load = dyn_cast<memref::LoadOp>(op);
      load && isPrivate(load.getMemRef())) {
    mapping.map(
        load.getResult(),
        memref::LoadOp::create(builder, loc, getScalar(load.getMemRef()), {})
            .getResult());
    return;
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    Value value = getVector(store.getValueToStore());
    Value buffer = getScalar(store.getMemRef());
    if (isPrivate(store.getMemRef()))
      memref::StoreOp::create(builder, loc, value, buffer, ValueRange());
    else
      vector::StoreOp::create(builder, loc, value, buffer,
                              getScalar(store.getIndices().front()));
    return;
  }
  if (auto inner = dyn_cast<ForOp>(op)) {
    auto getBound = [&](OpFoldResult bound) -> OpFoldResult {
      if (auto value = dyn_cast<Value>(bound))
        return getScalar(value);
      return bound;
    };
    OpFoldResult lower = getBound(inner.getLower());
    OpFoldResult upper = getBound(inner.getUpper());
    auto copy = ForOp::create(builder, loc, lower, upper, inner.getKind());
    copy.setLabelAttr(inner.getLabelAttr());
    mapping.map(inner.getInductionVar(), copy.getInductionVar());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&copy.getBody().front());
    rewriteBlock(inner.getBody().front());
    return;
  }
  bool isVector = op->getNumResults() == 1 && isVarying(op->getResult(0)) &&
                  !op->getResult(0).getType().isIndex();
  if (!isVector) {
    builder.clone(*op, mapping);
    return;
  }
  OperationState state(loc, op->getName());
  for (Value operand : op->getOperands())
    state.addOperands(getVector(operand));
  state.addTypes(getVectorType(op->getResult(0).getType()));
  state.addAttributes(op->getAttrs());
  mapping.map(op->getResult(0), builder.create(state)->getResult(0));
}

/// Returns how many f64 the vectors of the code version around a loop hold:
/// half as many as words of 32 bits, and none outside of versions.
static int64_t getMostDoubles(ForOp loop) {
  auto versions = loop->getParentOfType<MultiversionOp>();
  if (!versions)
    return 0;
  for (auto [region, lanes] :
       llvm::zip(versions.getVersions(), versions.getLanes()))
    if (region.isAncestor(loop->getParentRegion()))
      return lanes / 2;
  return 0;
}

static bool hasDoubles(ForOp loop) {
  auto isDouble = [](Type type) { return type.isF64(); };
  return loop
      .walk([&](Operation *op) {
        return llvm::any_of(op->getOperandTypes(), isDouble) ||
                       llvm::any_of(op->getResultTypes(), isDouble)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct VectorizeLoopPass
    : uma::tir::impl::VectorizeLoopPassBase<VectorizeLoopPass> {
  void runOnOperation() override {
    SmallVector<ForOp> loops;
    getOperation()->walk([&](ForOp loop) {
      if (loop.getKind() == ForKind::Vectorized)
        loops.push_back(loop);
    });
    for (ForOp loop : loops) {
      std::optional<int64_t> extent = loop.getExtent();
      bool isVector = extent && loop.getStaticLower() == 0 && *extent >= 2 &&
                      *extent <= 64 && llvm::isPowerOf2_64(*extent) &&
                      (!hasDoubles(loop) || *extent <= getMostDoubles(loop));
      Vectorizer vectorizer(loop, extent.value_or(0));
      if (!isVector || !vectorizer.check()) {
        loop.setKind(ForKind::Serial);
        ++numKept;
        continue;
      }
      vectorizer.rewrite();
      ++numVectorized;
    }
  }
};
} // namespace
