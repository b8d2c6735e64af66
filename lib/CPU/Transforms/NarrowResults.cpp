//===- NarrowResults.cpp - Pass quantized numbers as integers -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Quantized numbers are f32 inside of layers, and a dequantization that only
// one layer reads is a part of the layer before it. Between layers, bytes take
// a quarter of the memory, which is what wide layers with few products wait
// for.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Transforms/Passes.h"

#include "uma/CPU/Model/Layer.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::cpu;

namespace uma::cpu {
#define GEN_PASS_DEF_NARROWRESULTSPASS
#include "uma/CPU/Transforms/Passes.h.inc"
} // namespace uma::cpu

namespace {
/// Describes the result of a layer: `after`, operators with constants, follow
/// `integer`, numbers in f32 that `element` holds.
struct Narrowing {
  Value integer;
  Type element;
  SmallVector<Operation *> after;
};

struct NarrowResultsPass : cpu::impl::NarrowResultsPassBase<NarrowResultsPass> {
  using NarrowResultsPassBase::NarrowResultsPassBase;

  void runOnOperation() override;

private:
  /// Returns the layer that a call computes, or std::nullopt.
  std::optional<CPULayer> getLayer(Operation *op);
  /// Returns whether a layer may convert its operand `use`.
  bool canConvert(OpOperand &use);
  /// Makes a layer return the integer, and its readers compute the rest.
  void narrow(const CPULayer &layer, const Narrowing &narrowing);

  /// The module's symbols, while the pass runs.
  SymbolTableCollection *symbols = nullptr;
};
} // namespace

/// Returns the numbers of a clip if they are integers.
static std::optional<std::pair<double, double>> getBounds(graph::RoundOp op) {
  auto clip = op.getData().getDefiningOp<graph::ClipOp>();
  if (!clip)
    return std::nullopt;
  // Integers times a factor are never NaN.
  auto product = clip.getData().getDefiningOp<graph::MultiplyOp>();
  auto sum = product ? product.getLhs().getDefiningOp<graph::CastOp>()
                     : graph::CastOp();
  if (!sum || !sum.getData().getType().getElementType().isInteger())
    return std::nullopt;
  double low = clip.getAMin().convertToDouble();
  double high = clip.getAMax().convertToDouble();
  if (std::rint(low) != low || std::rint(high) != high)
    return std::nullopt;
  return std::pair(low, high);
}

/// Returns the type of 8 bits that holds all integers of a range, or null.
static Type getNarrowType(MLIRContext *context, double low, double high) {
  for (auto sign : {IntegerType::Unsigned, IntegerType::Signless}) {
    bool isUnsigned = sign == IntegerType::Unsigned;
    if (low >= (isUnsigned ? 0 : -128) && high <= (isUnsigned ? 255 : 127))
      return IntegerType::get(context, 8, sign);
  }
  return {};
}

/// Returns the constant operand of an addition or a product.
static graph::ConstantOp getFactor(const CPULayer &layer, Operation *op) {
  if (!isa<graph::AddOp, graph::MultiplyOp>(op) ||
      !layer.isScalarConstant(op->getOperand(1)))
    return {};
  return layer.getConstant(op->getOperand(1));
}

static std::optional<Narrowing> findNarrowing(const CPULayer &layer) {
  Value value = layer.getResult();
  if (!isFloatTensor(value))
    return std::nullopt;
  SmallVector<Operation *> after;
  while (Operation *op = value.getDefiningOp()) {
    if (!getFactor(layer, op))
      break;
    after.push_back(op);
    value = op->getOperand(0);
  }
  std::reverse(after.begin(), after.end());
  // Bytes that the layer converts for its reader.
  if (auto wide = value.getDefiningOp<graph::CastOp>()) {
    Type element = wide.getData().getType().getElementType();
    if (!element.isInteger(8) || !wide.getData().getDefiningOp())
      return std::nullopt;
    return Narrowing{value, element, after};
  }
  auto round = value.getDefiningOp<graph::RoundOp>();
  auto bounds = round ? getBounds(round) : std::nullopt;
  if (!bounds)
    return std::nullopt;
  auto [low, high] = *bounds;
  Narrowing found;
  for (size_t i = 0;; ++i) {
    if (Type type = getNarrowType(value.getContext(), low, high))
      found = {value, type,
               SmallVector<Operation *>(ArrayRef(after).drop_front(i))};
    if (i == after.size() || !isa<graph::AddOp>(after[i]))
      break;
    // A zero point is an integer, too.
    double number =
        HostTensor::fromAttribute(getFactor(layer, after[i]).getValue())
            ->getDouble(0);
    if (std::rint(number) != number)
      break;
    low += number;
    high += number;
    value = after[i]->getResult(0);
  }
  return found.integer ? std::optional(found) : std::nullopt;
}

std::optional<CPULayer> NarrowResultsPass::getLayer(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call)
    return std::nullopt;
  auto function = symbols->lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!function || !function->hasAttr(kPrimitiveAttrName))
    return std::nullopt;
  return CPULayer::of(call, function);
}

bool NarrowResultsPass::canConvert(OpOperand &use) {
  std::optional<CPULayer> layer = getLayer(use.getOwner());
  if (!layer)
    return false;
  // Operators of a layer have the shape of its result, and nothing precedes the
  // anchor.
  Value inside = layer->getFunction().getArgument(use.getOperandNumber());
  return inside.getType() ==
             layer->getType().clone(getElementTypeOrSelf(inside)) &&
         llvm::none_of(inside.getUsers(),
                       [&](Operation *user) { return user == layer->anchor; });
}

/// Erases arguments of a layer that nothing uses.
static void eraseUnused(func::CallOp call, func::FuncOp function) {
  for (int64_t i = function.getNumArguments() - 1; i >= 0; --i)
    if (function.getArgument(unsigned(i)).use_empty()) {
      (void)function.eraseArgument(unsigned(i));
      call.getOperandsMutable().erase(unsigned(i));
    }
}

void NarrowResultsPass::narrow(const CPULayer &layer,
                               const Narrowing &narrowing) {
  func::CallOp call = layer.getCall();
  func::FuncOp function = layer.getFunction();
  auto type = layer.getType().clone(narrowing.element);
  // More operands move those that a call has.
  auto uses =
      llvm::map_to_vector(call.getResult(0).getUses(), [](OpOperand &use) {
        return std::pair(cast<func::CallOp>(use.getOwner()),
                         use.getOperandNumber());
      });
  for (auto [reader, position] : uses) {
    auto target = symbols->lookupNearestSymbolFrom<func::FuncOp>(
        reader, reader.getCalleeAttr());
    BlockArgument argument = target.getArgument(position);
    Type element = getElementTypeOrSelf(argument);
    OpBuilder builder(&target.front(), target.front().begin());
    Location loc = narrowing.integer.getLoc();
    auto wide = graph::CastOp::create(builder, loc, argument, element);
    IRMapping mapping;
    mapping.map(narrowing.integer, wide.getResult());
    Operation *last = wide;
    for (Operation *op : narrowing.after) {
      // The layer takes the constants, too.
      Value number = layer.getOutside(op->getOperand(1));
      unsigned index = target.getNumArguments();
      (void)target.insertArgument(index, number.getType(), {}, loc);
      reader.getOperandsMutable().append(number);
      mapping.map(op->getOperand(1), target.getArgument(index));
      last = builder.clone(*op, mapping);
    }
    argument.replaceAllUsesExcept(last->getResult(0), wide);
    argument.setType(type);
    target.setType(FunctionType::get(&getContext(),
                                     target.front().getArgumentTypes(),
                                     target.getResultTypes()));
  }
  Operation *terminator = function.front().getTerminator();
  OpBuilder builder(terminator);
  auto known = narrowing.integer.getDefiningOp<graph::CastOp>();
  if (known) {
    terminator->setOperand(0, known.getData());
  } else {
    auto bytes = graph::CastOp::create(builder, narrowing.integer.getLoc(),
                                       narrowing.integer, narrowing.element);
    bytes->setAttr(graph::kInRangeAttrName, builder.getUnitAttr());
    terminator->setOperand(0, bytes);
  }
  for (Operation *op : llvm::reverse(narrowing.after))
    op->erase();
  if (known)
    known.erase();
  function.setType(
      FunctionType::get(&getContext(), function.getArgumentTypes(), {type}));
  call.getResult(0).setType(type);
  eraseUnused(call, function);
}

void NarrowResultsPass::runOnOperation() {
  SymbolTableCollection tables;
  symbols = &tables;
  for (func::FuncOp function : getEntryFunctions(getOperation()))
    for (auto call : function.front().getOps<func::CallOp>()) {
      std::optional<CPULayer> layer = getLayer(call);
      if (!layer || call.getResult(0).use_empty())
        continue;
      auto narrowing = findNarrowing(*layer);
      if (!narrowing ||
          !llvm::all_of(call.getResult(0).getUses(),
                        [&](OpOperand &use) { return canConvert(use); }))
        continue;
      narrow(*layer, *narrowing);
      ++numNarrowed;
    }
}
