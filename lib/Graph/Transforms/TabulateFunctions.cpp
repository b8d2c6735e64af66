//===- TabulateFunctions.cpp - Functions of 256 integers as tables --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Elementwise operators between a dequantize and a quantize of 8 bits, or their
// form on the stored integers, have 256 results at most. The interpreter
// computes all of them, so that no exponential and no float is left for a
// processor that has no unit for them.
//
//===----------------------------------------------------------------------===//

#include "uma/Graph/Transforms/Passes.h"

#include "Constants.h"

#include "uma/Graph/Interpreter/Interpreter.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

namespace uma::graph {
#define GEN_PASS_DEF_TABULATEFUNCTIONSPASS
#include "uma/Graph/Transforms/Passes.h.inc"
} // namespace uma::graph

/// Returns whether a tensor holds quantized integers of 8 bits, or plain ones.
static bool isOfBytes(Value value) {
  return holdsBytes(value) || getElements(value).isInteger(8);
}

/// Returns the integers that a tensor of bytes may hold.
static std::pair<int64_t, int64_t> getByteRange(Value value) {
  if (holdsBytes(value)) {
    Quantization type = Quantization::of(getElements(value));
    return {type.min, type.max};
  }
  return getElements(value).isUnsignedInteger() ? std::pair(0, 255)
                                                : std::pair(-128, 127);
}

/// Returns the type of the integers of a tensor of bytes.
static Type getByteType(Value value) {
  return holdsBytes(value) ? getStorageElementType(getElements(value))
                           : getElements(value);
}

/// Returns whether an operator rounds numbers to bytes: quantize, the cast that
/// folding made of it, or requantize of bytes. `op` may be null.
static bool isRounding(Operation *op) {
  if (auto requantize = dyn_cast_or_null<RequantizeOp>(op))
    return holdsBytes(requantize.getData());
  if (auto cast = dyn_cast_or_null<CastOp>(op))
    return isOfBytes(cast.getResult()) && !isOfBytes(cast.getData());
  return isa_and_nonnull<QuantizeOp>(op);
}

/// Returns whether an operator only changes how integers are stored.
static bool keepsIntegers(Operation *op) {
  auto cast = dyn_cast<CastOp>(op);
  return isa<DequantizeOp, StorageCastOp>(op) ||
         (cast && isOfBytes(cast.getData()));
}

namespace {
/// The operators between a quantized tensor and one that rounds.
class Chain {
public:
  /// Collects the operators that compute `end` from one tensor of bytes.
  /// Returns std::nullopt if there are others or none.
  static std::optional<Chain> of(Operation *end);

  /// Computes the stored integers of `end` for all 256 of the tensor, by their
  /// bits. Returns std::nullopt if that fails.
  std::optional<HostTensor> tabulate();

  /// Returns the instructions that compute the chain for a vector of elements.
  unsigned countInstructions() const;

  Value getData() const { return leaves.front(); }

private:
  /// Adds an operator and those it depends on, up to tensors of bytes.
  bool add(Operation *op);
  /// Adds the operators that compute the last leaf. Returns false, and leaves
  /// the chain unusable, if it is no function of bytes.
  bool extend();
  bool addOperand(Operation *op, Value operand);

  /// More operators are not worth looking for.
  static constexpr size_t kMost = 64;

  Value getResult() const { return end->getResult(0); }

  Operation *end = nullptr;
  llvm::SetVector<Operation *> ops; ///< operands first
  llvm::SetVector<Value> leaves;
};

struct TabulateFunctionsPass
    : uma::graph::impl::TabulateFunctionsPassBase<TabulateFunctionsPass> {
  using TabulateFunctionsPassBase::TabulateFunctionsPassBase;

  void runOnOperation() override;
};
} // namespace

bool Chain::addOperand(Operation *op, Value operand) {
  if (isOfBytes(operand)) {
    // The same integers with another type.
    auto stored = operand.getDefiningOp<StorageCastOp>();
    if (stored && isOfBytes(stored.getData()))
      return add(stored);
    leaves.insert(operand);
    return true;
  }
  // A constant of one element is the same for all.
  if (isConstant(operand))
    return getTensorType(operand).getNumElements() == 1;
  Operation *inner = operand.getDefiningOp();
  return inner && add(inner);
}

bool Chain::add(Operation *op) {
  if (ops.contains(op))
    return true;
  bool isElementwise = op->hasTrait<Elementwise>() || isRounding(op) ||
                       isa<DequantizeOp, StorageCastOp>(op);
  if (!isElementwise || op->getNumResults() != 1 || ops.size() >= kMost ||
      getTensorType(op->getResult(0)).getShape() !=
          getTensorType(getResult()).getShape() ||
      (isRounding(op) && !isOfBytes(op->getResult(0))))
    return false;
  for (Value operand : op->getOperands())
    if (!addOperand(op, operand))
      return false;
  ops.insert(op);
  return true;
}

bool Chain::extend() {
  // The last leaf can only depend on the others.
  Value last;
  for (Value leaf : leaves) {
    Operation *op = leaf.getDefiningOp();
    if (op && (!last || last.getDefiningOp()->isBeforeInBlock(op)))
      last = leaf;
  }
  Operation *inner = last ? last.getDefiningOp() : nullptr;
  if (!isRounding(inner))
    return false;
  leaves.remove(last);
  llvm::SetVector<Operation *> later = std::move(ops);
  ops = {};
  if (!add(inner))
    return false;
  ops.insert(later.begin(), later.end());
  return true;
}

std::optional<Chain> Chain::of(Operation *end) {
  Chain chain;
  chain.end = end;
  if (!isOfBytes(chain.getResult()) || !chain.add(end))
    return std::nullopt;
  // Tensors that are quantized on the way are functions of others, too.
  while (chain.leaves.size() > 1)
    if (!chain.extend())
      return std::nullopt;
  bool computes = llvm::any_of(chain.ops, [](Operation *op) {
    return !isRounding(op) && !keepsIntegers(op);
  });
  if (chain.leaves.size() != 1 || !computes ||
      getTensorType(chain.getData()).getShape() !=
          getTensorType(chain.getResult()).getShape())
    return std::nullopt;
  // So is the data, unless something else reads it.
  for (Chain longer = chain; longer.leaves.size() == 1;) {
    if (!llvm::all_of(longer.getData().getUsers(), [&](Operation *user) {
          return longer.ops.contains(user);
        }))
      break;
    bool isExtended = longer.extend();
    while (isExtended && longer.leaves.size() > 1)
      isExtended = longer.extend();
    if (!isExtended || longer.leaves.empty())
      break;
    chain = longer;
  }
  return chain;
}

unsigned Chain::countInstructions() const {
  // Divisions and square roots start every few cycles. Transcendental functions
  // are polynomials, with a division or an exponential.
  constexpr unsigned division = 8, function = 24;
  unsigned count = 0;
  for (Operation *op : ops)
    count += llvm::TypeSwitch<Operation *, unsigned>(op)
                 .Case<StorageCastOp>([](auto) { return 0; })
                 // Subtracts the zero point, converts and scales.
                 .Case<DequantizeOp>([](auto) { return 3; })
                 // Limits, rounds, adds the zero point and converts.
                 .Case<QuantizeOp>([=](auto) { return division + 5; })
                 .Case<RequantizeOp>([](auto) { return 8; })
                 .Case<DivideOp, SqrtOp>([=](auto) { return division; })
                 .Case<AcosOp, AcoshOp, AsinOp, AsinhOp, AtanOp, AtanhOp, CosOp,
                       CoshOp, ErfOp, ExpOp, FloorModOp, GeluOp, LogOp, ModOp,
                       PowerOp, SigmoidOp, SiluOp, SinOp, SinhOp, SoftplusOp,
                       TanOp, TanhOp>([=](auto) { return function; })
                 .Case<ClipOp, HardSwishOp, LeakyReluOp, PReluOp>(
                     [](auto) { return 3; })
                 .Default(1U);
  return count;
}

std::optional<HostTensor> Chain::tabulate() {
  MLIRContext *context = end->getContext();
  OpBuilder builder(context);
  Location loc = end->getLoc();
  auto [least, most] = getByteRange(getData());
  constexpr int64_t count = 256;
  HostTensor integers(RankedTensorType::get({count}, getByteType(getData())));
  // A negative index counts from the end of the table.
  for (int64_t i = 0; i < count; ++i)
    integers.setInt(
        i, std::clamp(least < 0 ? int64_t(int8_t(i)) : i, least, most));

  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  Type stored = getByteType(getResult());
  auto function = func::FuncOp::create(
      builder, loc, "table",
      builder.getFunctionType({integers.getType()},
                              {RankedTensorType::get({count}, stored)}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  auto cast = [&](Value value, Type elementType) -> Value {
    if (getElements(value) == elementType)
      return value;
    return StorageCastOp::create(
        builder, loc, RankedTensorType::get({count}, elementType), value);
  };
  IRMapping mapping;
  mapping.map(getData(), cast(function.getArgument(0), getElements(getData())));
  for (Operation *op : ops) {
    for (Value operand : op->getOperands()) {
      if (mapping.contains(operand))
        continue;
      std::optional<HostTensor> number = getConstant(operand);
      if (!number)
        return std::nullopt;
      HostTensor scalar = number->reshaped({});
      mapping.map(operand, ConstantOp::create(builder, loc, scalar.getType(),
                                              scalar.toAttribute("")));
    }
    Operation *clone = builder.clone(*op, mapping);
    clone->getResult(0).setType(
        RankedTensorType::get({count}, getElements(op->getResult(0))));
  }
  func::ReturnOp::create(builder, loc,
                         cast(mapping.lookup(getResult()), stored));
  // A function stays if its operators do not verify on a vector.
  ScopedDiagnosticHandler silence(context,
                                  [](Diagnostic &) { return success(); });
  if (failed(verify(*module)))
    return std::nullopt;
  auto results = interpret(function, {integers});
  return succeeded(results) ? std::optional((*results)[0]) : std::nullopt;
}

/// Erases an operator that has no uses, and what only it uses.
static void eraseUnused(Operation *op, DenseSet<Operation *> &erased) {
  if (!isOpTriviallyDead(op) || isa<ConstantOp>(op))
    return;
  llvm::SetVector<Operation *> sources;
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp())
      sources.insert(source);
  erased.insert(op);
  op->erase();
  for (Operation *source : sources)
    if (!erased.contains(source))
      eraseUnused(source, erased);
}

/// Makes stored integers the index of a table of 256 bytes, instead of their
/// difference from the least one.
static void useStoredIndex(TakeOp take) {
  constexpr int64_t count = 256;
  RankedTensorType type = take.getData().getType();
  if (type.getShape() != ArrayRef(count) || !type.getElementType().isInteger(8))
    return;
  std::optional<HostTensor> table = getConstant(take.getData());
  if (!table)
    return;
  Value index = take.getIndices();
  int64_t first = 0;
  if (auto subtract = index.getDefiningOp<SubtractOp>()) {
    std::optional<HostTensor> least = getConstant(subtract.getRhs());
    if (!least || least->getNumElements() != 1)
      return;
    first = least->getInt(0);
    index = subtract.getLhs();
  }
  auto cast = index.getDefiningOp<CastOp>();
  if (!cast || !cast.getType().getElementType().isInteger(32) ||
      !cast.getData().getType().getElementType().isInteger(8) ||
      cast.getType().getShape() != take.getIndices().getType().getShape())
    return;
  bool isUnsigned =
      cast.getData().getType().getElementType().isUnsignedInteger();
  if (first != (isUnsigned ? 0 : -128))
    return;
  HostTensor turned(table->getType());
  for (int64_t i = 0; i < count; ++i)
    turned.setInt(i, table->getInt((i - first) % count));
  OpBuilder builder(take);
  take.getDataMutable().assign(createConstant(builder, take, "table", turned));
  take.getIndicesMutable().assign(cast.getData());
}

void TabulateFunctionsPass::runOnOperation() {
  DenseSet<Operation *> erased;
  // Outer functions first: those inside of them are part of their tables.
  SmallVector<Operation *> all = getGraphOps(getOperation());
  for (Operation *op : llvm::reverse(all)) {
    if (erased.contains(op))
      continue;
    if (!isRounding(op) ||
        op->getParentOfType<func::FuncOp>()->hasAttr(kTargetAttrName))
      continue;
    std::optional<Chain> chain = Chain::of(op);
    if (!chain || chain->countInstructions() <= minInstructions)
      continue;
    std::optional<HostTensor> table = chain->tabulate();
    if (!table)
      continue;
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value data = chain->getData();
    ArrayRef<int64_t> shape = getTensorType(data).getShape();
    auto typed = [&](Type elementType) {
      return RankedTensorType::get(shape, elementType);
    };
    Value index = data;
    if (holdsBytes(data))
      index =
          StorageCastOp::create(builder, loc, typed(getByteType(data)), data);
    Value taken = TakeOp::create(builder, loc, typed(table->getElementType()),
                                 createConstant(builder, op, "table", *table),
                                 index, builder.getI64IntegerAttr(0));
    Value result = op->getResult(0);
    if (holdsBytes(result))
      taken = StorageCastOp::create(builder, loc, result.getType(), taken);
    result.replaceAllUsesWith(taken);
    eraseUnused(op, erased);
    ++numTabulated;
  }
  SmallVector<TakeOp> lookups;
  getOperation().walk([&](TakeOp take) { lookups.push_back(take); });
  for (TakeOp take : lookups) {
    Operation *index = take.getIndices().getDefiningOp();
    useStoredIndex(take);
    if (index)
      eraseUnused(index, erased);
  }
  eraseUnusedConstants(getOperation());
}
