//===- AccelMappingOps.cpp - Devices with memories and queues -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "uma/Accel/IR/TensorSize.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

//===----------------------------------------------------------------------===//
// Engines and paths
//===----------------------------------------------------------------------===//

EngineOp AcceleratorOp::getEngine(StringRef name) {
  for (auto engine : getOps<EngineOp>())
    if (engine.getName() == name)
      return engine;
  return nullptr;
}

ArrayRef<llvm::StringLiteral> EngineOp::getArgumentNames() {
  static constexpr llvm::StringLiteral names[] = {"commands"};
  return names;
}

ArrayRef<llvm::StringLiteral> PathOp::getArgumentNames() {
  static constexpr llvm::StringLiteral names[] = {"from", "to", "rows",
                                                  "row_bytes", "stride"};
  return names;
}

ArrayRef<llvm::StringLiteral> TokensOp::getArgumentNames() {
  static constexpr llvm::StringLiteral names[] = {"from", "to"};
  return names;
}

ArrayRef<llvm::StringLiteral> LayersOp::getArgumentNames() {
  static constexpr llvm::StringLiteral names[] = {"number"};
  return names;
}

CallOp EngineOp::getWait() {
  auto calls = getBody().getOps<CallOp>();
  return calls.empty() ? CallOp() : *calls.begin();
}
CallOp TokensOp::getPush() { return *getBody().getOps<CallOp>().begin(); }
CallOp TokensOp::getPop() {
  return *std::next(getBody().getOps<CallOp>().begin());
}
CallOp LayersOp::getBegin() { return *getBody().getOps<CallOp>().begin(); }
CallOp LayersOp::getFailed() {
  return *std::next(getBody().getOps<CallOp>().begin());
}
CallOp PathOp::getCall() { return *getBody().getOps<CallOp>().begin(); }

/// Checks a body that computes numbers for one call and yields `numResults`.
static LogicalResult verifyCommand(Operation *op, Block &body,
                                   unsigned numArguments, unsigned numResults) {
  if (body.getNumArguments() != numArguments)
    return report(op) << "the body takes " << numArguments
                      << " arguments, found " << body.getNumArguments();
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield || yield.getResults().size() != numResults)
    return report(op) << "the body must end with uma.accel.yield of "
                      << numResults << " numbers";
  for (Operation &inner : body.without_terminator())
    if (!isa<TargetAttributeOp, AttributeIsOp, CallOp>(inner) &&
        !isa_and_present<arith::ArithDialect>(inner.getDialect()))
      return report(&inner) << "'" << inner.getName()
                            << "' cannot stand here: the body holds arith "
                               "operations and one call";
  if (llvm::range_size(body.getOps<CallOp>()) > 1)
    return report(op) << "the body has one call";
  for (CallOp call : body.getOps<CallOp>())
    if (call.getEngine())
      return report(call) << "only calls of patterns name an engine";
  return success();
}

/// Checks a body with two calls.
static LogicalResult verifyTwoCalls(Operation *op, Block &body,
                                    size_t numArguments, StringRef calls) {
  if (body.getNumArguments() != numArguments ||
      !llvm::all_of(body.getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }))
    return report(op) << "the body takes " << numArguments << " index argument"
                      << (numArguments == 1 ? "" : "s");
  if (llvm::range_size(body.getOps<CallOp>()) != 2)
    return report(op) << "the body has two calls: " << calls;
  for (Operation &inner : body)
    if (!isa<CallOp, TargetAttributeOp, AttributeIsOp>(inner) &&
        !isa_and_present<arith::ArithDialect>(inner.getDialect()))
      return report(&inner) << "'" << inner.getName()
                            << "' cannot stand here: the body holds arith "
                               "operations and two calls";
  return success();
}

LogicalResult TokensOp::verifyRegions() {
  return verifyTwoCalls(*this, getBody().front(), getArgumentNames().size(),
                        "push and pop");
}

LogicalResult LayersOp::verifyRegions() {
  if (failed(verifyTwoCalls(*this, getBody().front(), getArgumentNames().size(),
                            "begin and failed")))
    return failure();
  if (!getFailed().getArguments().empty())
    return report(*this) << "the function of 'failed' takes no arguments";
  return success();
}

LogicalResult EngineOp::verifyRegions() {
  if (!llvm::all_of(getBody().getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }))
    return report(*this) << "the body takes an index, the number of commands";
  return verifyCommand(*this, getBody().front(), getArgumentNames().size(),
                       /*numResults=*/1);
}

LogicalResult PathOp::verifyRegions() {
  if ((getFrom() == kMainMemory) == (getTo() == kMainMemory))
    return report(*this) << "a transfer is between 'main' and a memory of the "
                            "device, found '"
                         << getFrom() << "' and '" << getTo() << "'";
  Block &body = getBody().front();
  if (failed(verifyCommand(*this, body, getArgumentNames().size(),
                           /*numResults=*/2)))
    return failure();
  if (body.getOps<CallOp>().empty())
    return report(*this) << "the body has no call";
  bool isFromMain = getFrom() == kMainMemory;
  for (auto [index, argument] : llvm::enumerate(body.getArguments())) {
    bool isPointer = index == (isFromMain ? 0 : 1);
    if (isPointer ? !isa<AccelTensorType>(argument.getType())
                  : !argument.getType().isIndex())
      return report(*this) << "argument " << index << " of the body is "
                           << (isPointer ? "a tensor" : "an index")
                           << ", found " << argument.getType();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

LogicalResult TileOp::verify() {
  if (!getDim().getDefiningOp<DimOp>())
    return report(*this) << "a tile is along a size of the pattern";
  return success();
}

unsigned StrideOp::getNumSizes() { return 1; }
unsigned StepOp::getNumSizes() { return 1; }

std::pair<int64_t, int64_t> StrideOp::getNumberRange() {
  return {0, kMaxTensorSize};
}

std::pair<int64_t, int64_t> StepOp::getNumberRange() {
  return {1, kMaxTensorSize};
}

std::optional<unsigned> uma::accel::findAxis(Value tensor, Value dim) {
  TensorTypeOpInterface type = getTensorTypeOp(tensor);
  if (!type)
    return std::nullopt;
  for (auto [axis, size] : llvm::enumerate(type.getSizes()))
    if (size.dim == dim && !size.isPack)
      return axis;
  return std::nullopt;
}

unsigned uma::accel::getDeviceAxis(TensorTypeOpInterface type, unsigned axis) {
  std::optional<AffineMap> layout = type.getLayout();
  if (!layout)
    return axis;
  for (auto [position, result] : llvm::enumerate(layout->getResults()))
    if (result.isFunctionOfDim(axis))
      return position;
  llvm_unreachable("layouts list every size");
}

/// Verifies that `op`, written as `function`, takes a size of its tensor.
static LogicalResult verifySize(Operation *op, StringRef function, Value tensor,
                                Value size) {
  auto dim = size.getDefiningOp<DimOp>();
  if (!dim)
    return report(op) << "'" << function
                      << "' takes a size of the pattern, found an attribute of "
                         "the target";
  if (!findAxis(tensor, size))
    return report(op) << "'" << getTensorName(tensor) << "' has no size '"
                      << dim.getName() << "' in its type";
  return success();
}

LogicalResult StrideOp::verify() {
  return verifySize(*this, "stride", getTensor(), getDim());
}

LogicalResult StepOp::verify() {
  return verifySize(*this, "step", getTensor(), getDim());
}

TypedAttr StepOp::evaluateNumber(const MatchView & /*match*/) {
  return Builder(getContext()).getIndexAttr(1);
}

TypedAttr StrideOp::evaluateNumber(const MatchView &match) {
  Builder builder(getContext());
  RankedTensorType type = match.getType(getTensor());
  std::optional<unsigned> axis = findAxis(getTensor(), getDim());
  if (!type || !axis)
    return builder.getIndexAttr(0);
  int64_t stride = 1;
  unsigned position = getDeviceAxis(getTensorTypeOp(getTensor()), *axis);
  for (int64_t size : type.getShape().drop_front(position + 1))
    stride *= size;
  return builder.getIndexAttr(stride);
}

bool FirstOp::isCondition() { return true; }
TypedAttr FirstOp::evaluateNumber(const MatchView & /*match*/) {
  return Builder(getContext()).getBoolAttr(true);
}
std::pair<int64_t, int64_t> FirstOp::getNumberRange() { return {-1, 0}; }

LogicalResult FirstOp::verify() {
  if (!isa_and_nonnull<OperatorOp, ChoiceOp>(getTensor().getDefiningOp()))
    return report(*this) << "'first' takes the result of an operator, to which "
                            "calls add; '"
                         << getTensorName(getTensor()) << "' is none";
  return success();
}

/// Verifies that an engine exists.
static LogicalResult verifyEngine(AcceleratorOp accelerator, Operation *op,
                                  StringRef engine) {
  if (accelerator.getEngine(engine))
    return success();
  SmallVector<StringRef> names;
  for (auto known : accelerator.getOps<EngineOp>())
    names.push_back(known.getName());
  return report(op) << "accelerator '" << accelerator.getSymName()
                    << "' has no engine '" << engine << "'"
                    << didYouMean(engine, names);
}

LogicalResult uma::accel::verifyMappedPattern(PatternOp pattern) {
  auto accelerator = pattern->getParentOfType<AcceleratorOp>();
  bool hasErrors = false;
  if (pattern.isTiled() && isa<StrategyOp>(pattern->getParentOp()))
    return report(*pattern.getBody().getOps<TileOp>().begin())
           << "'tile' belongs to a pattern that calls the device; a strategy "
              "implements one operator";
  llvm::DenseSet<Value> tiled;
  for (TileOp tile : pattern.getBody().getOps<TileOp>())
    if (!tiled.insert(tile.getDim()).second) {
      report(tile) << "'" << tile.getDim().getDefiningOp<DimOp>().getName()
                   << "' has a tile already";
      hasErrors = true;
    }
  for (CallOp call : pattern.getBody().getOps<CallOp>()) {
    if (!pattern.isTiled()) {
      if (!call.getEngine())
        continue;
      report(call) << "a call on an engine belongs to a pattern with 'tile'";
      hasErrors = true;
      continue;
    }
    if (call.getCodeAttr()) {
      report(call) << "C code is no command of an engine; call a function of "
                      "the header";
      hasErrors = true;
      continue;
    }
    if (!call.getEngine() || !call.getCycles()) {
      report(call) << "the call to '" << call.getCallee()
                   << "' is a command of an engine; say which and how long it "
                      "takes: call "
                   << call.getCallee()
                   << "(...) on NAME { cycles = EXPRESSION }";
      hasErrors = true;
      continue;
    }
    hasErrors |= failed(verifyEngine(accelerator, call, *call.getEngine()));
  }
  if (!pattern.isTiled())
    return failure(hasErrors);
  bool needsFirst = getTensorTypeOp(pattern.getRoot()) &&
                    pattern.getBody().getOps<FirstOp>().empty();
  for (TileOp tile : pattern.getBody().getOps<TileOp>())
    if (needsFirst && !findAxis(pattern.getRoot(), tile.getDim()) &&
        llvm::any_of(pattern.getBody().getOps<InputOp>(), [&](InputOp input) {
          return findAxis(input, tile.getDim()).has_value();
        })) {
      report(tile) << "'" << tile.getDim().getDefiningOp<DimOp>().getName()
                   << "' is no size of the result, so that calls add up parts "
                      "of it; tell them which part is the first: "
                      "first(TENSOR)";
      hasErrors = true;
    }
  llvm::DenseSet<Value> placed;
  for (PlaceOp place : pattern.getBody().getOps<PlaceOp>())
    for (Value tensor : place.getTensors())
      if (!placed.insert(tensor).second) {
        report(place) << "'" << getTensorName(tensor)
                      << "' is placed in a memory already";
        hasErrors = true;
      }
  for (Operation &op : pattern.getBody().getOps()) {
    if (!isa<SplitOp, ScratchOp, ConfigureOp, LowerOp, CostOp>(op))
      continue;
    report(&op) << "'" << op.getName().stripDialect().rsplit('.').second
                << "' does not fit a pattern with 'tile'";
    hasErrors = true;
  }
  return failure(hasErrors);
}

/// Verifies that something waits for the engines of a device with tokens before
/// the host uses their results.
static LogicalResult verifyTokens(AcceleratorOp accelerator) {
  auto tokens = accelerator.getOps<TokensOp>();
  if (tokens.empty())
    return success();
  bool hasErrors = false;
  if (accelerator.getOps<AwaitOp>().empty()) {
    report(*tokens.begin()) << "the host waits for no engine; write await "
                               "FUNCTION(), which waits for all";
    hasErrors = true;
  }
  for (auto pattern : accelerator.getOps<PatternOp>())
    if (!pattern.isTiled()) {
      report(pattern) << "pattern '" << pattern.getSymName()
                      << "' has no 'tile', so that no token orders its calls; "
                         "a device with tokens computes all matches in tiles";
      hasErrors = true;
    }
  return failure(hasErrors);
}

/// Verifies that the host waits where it asks for the layer of an error, and
/// after a launch.
static LogicalResult verifyAwait(AcceleratorOp accelerator) {
  if (!accelerator.getOps<AwaitOp>().empty())
    return success();
  bool hasErrors = false;
  for (Operation &op : accelerator.getBody().getOps())
    if (isa<LaunchOp, LayersOp>(op)) {
      report(&op) << "the host does not wait for the commands; write await "
                     "FUNCTION()";
      hasErrors = true;
    }
  return failure(hasErrors);
}

LogicalResult uma::accel::verifyPaths(AcceleratorOp accelerator) {
  bool hasErrors = failed(verifyTokens(accelerator));
  hasErrors |= failed(verifyAwait(accelerator));
  llvm::DenseSet<std::pair<Attribute, Attribute>> seen;
  for (auto path : accelerator.getOps<PathOp>()) {
    hasErrors |= failed(verifyEngine(accelerator, path, path.getEngine()));
    for (StringRef memory : {path.getFrom(), path.getTo()}) {
      if (memory == kMainMemory || accelerator.getMemory(memory))
        continue;
      SmallVector<StringRef> names = {kMainMemory};
      for (auto known : accelerator.getOps<MemoryOp>())
        names.push_back(known.getName());
      report(path) << "accelerator '" << accelerator.getSymName()
                   << "' has no memory '" << memory << "'"
                   << didYouMean(memory, names);
      hasErrors = true;
    }
    if (!seen.insert({path.getFromAttr(), path.getToAttr()}).second) {
      report(path) << "the description has a transfer from '" << path.getFrom()
                   << "' to '" << path.getTo() << "' already";
      hasErrors = true;
    }
  }
  return failure(hasErrors);
}
