//===- AccelDeviceOps.cpp - Operations that describe a device -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PassText.h"
#include "Verify.h"

#include "uma/Accel/IR/CArguments.h"
#include "uma/Accel/IR/CodeTemplate.h"
#include "uma/Accel/IR/VerifyAccelerator.h"
#include "uma/Support/DidYouMean.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

//===----------------------------------------------------------------------===//
// AcceleratorOp
//===----------------------------------------------------------------------===//

AttributeOp AcceleratorOp::getAttribute(StringRef name) {
  for (auto attribute : getOps<AttributeOp>())
    if (attribute.getName() == name)
      return attribute;
  return nullptr;
}

MemoryOp AcceleratorOp::getMemory(StringRef name) {
  for (auto memory : getOps<MemoryOp>())
    if (memory.getName() == name)
      return memory;
  return nullptr;
}

TargetAttr AcceleratorOp::getTarget() {
  NamedAttrList config;
  for (auto attribute : getOps<AttributeOp>())
    config.append(attribute.getName(), attribute.getValue());
  return TargetAttr::get(getContext(), getSymNameAttr(),
                         config.empty() ? DictionaryAttr()
                                        : config.getDictionary(getContext()));
}

/// Checks that all operations of type `OpT` have different names.
template <typename OpT, typename GetNameFn>
static LogicalResult verifyDistinct(AcceleratorOp accelerator, StringRef what,
                                    GetNameFn getName) {
  llvm::StringMap<OpT> seen;
  bool hasErrors = false;
  for (auto op : accelerator.getOps<OpT>()) {
    auto [first, isNew] = seen.try_emplace(getName(op), op);
    if (isNew)
      continue;
    InFlightDiagnostic error = report(op)
                               << what << " '" << getName(op) << "' twice";
    error.attachNote(first->second.getLoc()) << "the first one is here";
    hasErrors = true;
  }
  return failure(hasErrors);
}

template <typename OpT>
static LogicalResult verifyOnce(AcceleratorOp accelerator, StringRef what) {
  auto ops = accelerator.getOps<OpT>();
  if (ops.empty() || llvm::hasSingleElement(ops))
    return success();
  InFlightDiagnostic error = report(*std::next(ops.begin()))
                             << "the description says " << what << " twice";
  error.attachNote((*ops.begin()).getLoc()) << "it is said here first";
  return error;
}

/// Returns the attribute called `name`, which `op` reads. Emits an error and
/// returns null if it does not exist.
static AttributeOp lookupAttribute(AcceleratorOp accelerator, Operation *op,
                                   StringRef name) {
  if (AttributeOp attribute = accelerator.getAttribute(name))
    return attribute;
  SmallVector<StringRef> names;
  for (auto attribute : accelerator.getOps<AttributeOp>())
    names.push_back(attribute.getName());
  report(op) << "accelerator '" << accelerator.getSymName()
             << "' has no attribute '" << name << "'"
             << didYouMean(name, names);
  return nullptr;
}

static LogicalResult verifyRead(AcceleratorOp accelerator,
                                TargetAttributeOp op) {
  AttributeOp attribute = lookupAttribute(accelerator, op, op.getName());
  if (!attribute)
    return failure();
  Attribute value = attribute.getValue();
  bool fits = op.getType().isIndex()
                  ? isa<IntegerAttr>(value) && !isa<BoolAttr>(value)
                  : isa<BoolAttr>(value);
  if (!fits)
    return report(op) << "attribute '" << op.getName() << "' is " << value
                      << ", which does not fit " << op.getType();
  return success();
}

static LogicalResult verifyRead(AcceleratorOp accelerator, AttributeIsOp op) {
  AttributeOp attribute = lookupAttribute(accelerator, op, op.getName());
  if (!attribute)
    return failure();
  if (!isa<StringAttr>(attribute.getValue()))
    return report(op) << "attribute '" << op.getName() << "' is "
                      << attribute.getValue()
                      << ", expected a string to compare with";
  return success();
}

/// Returns all called functions, each with the call that has the fewest
/// arguments and their number.
static llvm::StringMap<std::pair<Operation *, size_t>>
getCalls(AcceleratorOp accelerator) {
  llvm::StringMap<std::pair<Operation *, size_t>> calls;
  auto add = [&](Operation *op, StringRef callee, size_t count) {
    auto [entry, isNew] = calls.try_emplace(callee, std::make_pair(op, count));
    if (!isNew && count < entry->second.second)
      entry->second = {op, count};
  };
  accelerator->walk([&](Operation *op) {
    // A call with C code does not call its callee.
    if (auto call = dyn_cast<CallOp>(op); call && !call.getCodeAttr())
      add(op, call.getCallee(), getCArguments(call).size());
    else if (auto call = dyn_cast<ConfigureOp>(op))
      add(op, call.getCallee(), call.getArguments().size());
  });
  return calls;
}

/// Checks the replacement text of a call.
static LogicalResult
verifyReplace(ReplaceOp replace,
              const llvm::StringMap<std::pair<Operation *, size_t>> &calls) {
  StringRef callee = replace.getCallee();
  auto call = calls.find(callee);
  // The replacement of a function that is never called would have no effect.
  if (call == calls.end()) {
    SmallVector<StringRef> names(calls.keys());
    llvm::sort(names);
    return report(replace) << "nothing calls '" << callee
                           << "', which is to be replaced"
                           << didYouMean(callee, names);
  }
  CodeTemplate code;
  std::string problem;
  auto [op, count] = call->second;
  if (failed(CodeTemplate::parse(replace.getText(), code, problem)) ||
      code.getNumArguments() <= count)
    return success();
  InFlightDiagnostic error =
      report(replace) << "the text of '" << callee << "' names argument {"
                      << code.getNumArguments() - 1 << "}, but a call has only "
                      << count << ", numbered from 0";
  error.attachNote(op->getLoc()) << "the call is here";
  return error;
}

static LogicalResult verifyReplaces(AcceleratorOp accelerator) {
  auto replaces = accelerator.getOps<ReplaceOp>();
  if (replaces.empty())
    return success();
  auto calls = getCalls(accelerator);
  bool hasErrors = false;
  for (ReplaceOp replace : replaces)
    hasErrors |= failed(verifyReplace(replace, calls));
  return failure(hasErrors);
}

static LogicalResult verifyPlace(AcceleratorOp accelerator, PlaceOp place) {
  if (accelerator.getMemory(place.getMemory()))
    return success();
  SmallVector<StringRef> names;
  for (auto memory : accelerator.getOps<MemoryOp>())
    names.push_back(memory.getName());
  return report(place) << "accelerator '" << accelerator.getSymName()
                       << "' has no memory '" << place.getMemory() << "'"
                       << didYouMean(place.getMemory(), names);
}

/// Verifies references between operations, after each operation is verified.
static LogicalResult verifyUses(AcceleratorOp accelerator) {
  bool hasErrors = false;
  accelerator->walk([&](Operation *op) {
    hasErrors |=
        failed(TypeSwitch<Operation *, LogicalResult>(op)
                   .Case<TargetAttributeOp, AttributeIsOp>(
                       [&](auto read) { return verifyRead(accelerator, read); })
                   .Case([&](PlaceOp place) {
                     return verifyPlace(accelerator, place);
                   })
                   .Default(success()));
  });
  return failure(hasErrors);
}

LogicalResult uma::accel::verifyDevice(AcceleratorOp accelerator,
                                       bool hasAllPatterns) {
  bool hasErrors = failed(verifyDistinct<AttributeOp>(
      accelerator, "the description has the attribute",
      [](AttributeOp op) { return op.getName(); }));
  hasErrors |= failed(
      verifyDistinct<MemoryOp>(accelerator, "the description has the memory",
                               [](MemoryOp op) { return op.getName(); }));
  hasErrors |= failed(
      verifyDistinct<EngineOp>(accelerator, "the description has the engine",
                               [](EngineOp op) { return op.getName(); }));
  hasErrors |= failed(verifyPaths(accelerator));
  hasErrors |= failed(verifyDistinct<InstructionOp>(
      accelerator, "the description has the instruction",
      [](InstructionOp op) { return op.getName(); }));
  hasErrors |= failed(verifyDistinct<ReplaceOp>(
      accelerator, "the description replaces the function",
      [](ReplaceOp op) { return op.getCallee(); }));
  hasErrors |= failed(verifyDistinct<LayoutOp>(
      accelerator, "the description says the layout of",
      [](LayoutOp op) { return op.getKind(); }));
  hasErrors |= failed(verifyOnce<TokensOp>(accelerator, "its tokens"));
  hasErrors |= failed(verifyOnce<LayersOp>(accelerator, "its layers"));
  hasErrors |= failed(verifyOnce<VersionOp>(accelerator, "its version"));
  hasErrors |= failed(verifyOnce<MergeCompilerRegionsOp>(
      accelerator, "merge_compiler_regions"));
  hasErrors |= failed(verifyUses(accelerator));
  if (hasAllPatterns)
    hasErrors |= failed(verifyReplaces(accelerator));
  return failure(hasErrors);
}

//===----------------------------------------------------------------------===//
// Whole descriptions
//===----------------------------------------------------------------------===//

/// Verifies an operation and its body. Unlike MLIR's verifier, does not stop at
/// the first error.
static LogicalResult verifyAll(Operation *op) {
  bool hasErrors = false;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      hasErrors |= failed(isInFamily<AccelFamily>(&nested) ? verifyAll(&nested)
                                                           : verify(&nested));
  // If nested operations have errors, errors of `op` may only be consequences.
  return failure(hasErrors || failed(verify(op, /*verifyRecursively=*/false)));
}

LogicalResult uma::accel::verifyAccelerator(AcceleratorOp accelerator,
                                            AcceleratorParts parts) {
  if (parts == AcceleratorParts::All)
    return verifyAll(accelerator);
  bool hasErrors = false;
  for (Operation &op : accelerator.getBody().getOps())
    hasErrors |= failed(verifyAll(&op));
  if (parts == AcceleratorParts::NotAllPatterns && !hasErrors)
    hasErrors |= failed(verifyDevice(accelerator, /*hasAllPatterns=*/false));
  return failure(hasErrors);
}

//===----------------------------------------------------------------------===//
// Partitioning
//===----------------------------------------------------------------------===//

LogicalResult VersionOp::verify() {
  auto number = static_cast<int64_t>(getNumber());
  if (number < 1)
    return report(*this) << "version " << number
                         << " does not exist; the first is 1";
  if (number > kLanguageVersion)
    return report(*this) << "the description is written for version " << number
                         << " of the language; this uma reads up to version "
                         << kLanguageVersion;
  return success();
}

static LogicalResult verifyGlob(Operation *op, StringRef layers) {
  if (layers.empty())
    return report(op) << "the name of a layer is empty";
  auto glob = llvm::GlobPattern::create(layers);
  if (glob)
    return success();
  return report(op) << "'" << layers << "' is not a glob of layers' names: "
                    << llvm::toString(glob.takeError());
}

LogicalResult KeepOffOp::verify() { return verifyGlob(*this, getLayers()); }
LogicalResult PinOp::verify() { return verifyGlob(*this, getLayers()); }

LogicalResult LayoutOp::verify() {
  std::string name = ("uma.graph." + getKind()).str();
  auto op = RegisteredOperationName::lookup(name, getContext());
  auto has = [](RegisteredOperationName op, StringRef attribute) {
    return llvm::is_contained(op.getAttributeNames(), attribute);
  };
  if (!op || !has(*op, "data_layout")) {
    SmallVector<StringRef> known;
    for (RegisteredOperationName candidate :
         getContext()->getRegisteredOperations())
      if (candidate.getStringRef().starts_with("uma.graph.") &&
          has(candidate, "data_layout"))
        known.push_back(candidate.getStringRef().rsplit('.').second);
    llvm::sort(known);
    std::string hint = didYouMean(getKind(), known);
    return report(*this) << "'" << getKind() << "' is no operator with a layout"
                         << (hint.empty()
                                 ? "; these are " + llvm::join(known, ", ")
                                 : hint);
  }
  if (getData() != "NCHW" && getData() != "NHWC")
    return report(*this) << "unknown layout '" << getData()
                         << "' of data, expected \"NCHW\" or \"NHWC\"";
  StringRef weights = getWeights().value_or("OIHW");
  if (weights != "OIHW" && weights != "OHWI" && weights != "HWIO")
    return report(*this) << "unknown layout '" << weights
                         << "' of weights, expected \"OIHW\", \"OHWI\" or "
                            "\"HWIO\"";
  if (getWeights() && !has(*op, "kernel_layout"))
    return report(*this) << "'" << getKind() << "' has no weights";
  return success();
}

LogicalResult ScriptOp::verify() {
  if (failed(verifyPhase(*this, getPhase())))
    return failure();
  if (getFile()) {
    if (failed(verifyFileName(getLoc(), "script", *getFile())))
      return failure();
    StringRef file = *getFile();
    if (llvm::sys::path::is_absolute(file) ||
        llvm::is_contained(llvm::make_range(llvm::sys::path::begin(file),
                                            llvm::sys::path::end(file)),
                           ".."))
      return report(*this) << "the script '" << file
                           << "' is outside of the description's folder; write "
                              "a path below it";
    return success();
  }
  if (getBody().getOps().empty())
    return report(*this) << "a script has a body or a file";
  return success();
}

LogicalResult ScriptOp::verifyRegions() {
  auto ops = getBody().getOps();
  if (ops.empty())
    return success();
  if (!llvm::hasSingleElement(ops) || !isa<ModuleOp>(*ops.begin()))
    return report(*this) << "the body of a script is one module";
  std::string text;
  llvm::raw_string_ostream stream(text);
  ops.begin()->print(stream, OpPrintingFlags().useLocalScope());
  if (std::string reason = findForbiddenPass(text); !reason.empty())
    return report(*this) << reason
                         << "; a script of a description transforms "
                            "the network and does nothing else";
  return success();
}

//===----------------------------------------------------------------------===//
// C code around the calls
//===----------------------------------------------------------------------===//

LogicalResult ReplaceOp::verify() {
  if (failed(verifyFunctionName(*this, getCallee())))
    return failure();
  CodeTemplate code;
  std::string problem;
  if (failed(CodeTemplate::parse(getText(), code, problem)))
    return report(*this) << "the text of '" << getCallee() << "' " << problem;
  return success();
}

static LogicalResult verifyCode(Operation *op, StringRef code) {
  if (code.trim().empty())
    return report(op) << "there is no C in the string";
  return success();
}

LogicalResult PrologueOp::verify() { return verifyCode(*this, getCode()); }
LogicalResult EpilogueOp::verify() { return verifyCode(*this, getCode()); }

/// Verifies a body that computes with target attributes.
static LogicalResult verifyExpressions(Operation *parent, Region &body,
                                       bool holdsCalls) {
  for (Operation &op : body.getOps()) {
    bool fits = isa<TargetAttributeOp, AttributeIsOp>(op) ||
                isa_and_present<arith::ArithDialect>(op.getDialect()) ||
                (holdsCalls ? isa<CallOp>(op) : isa<YieldOp>(op));
    if (!fits)
      return report(&op) << "'" << op.getName() << "' cannot stand in "
                         << parent->getName()
                         << ": it computes from target attributes"
                         << (holdsCalls ? " and calls" : "");
  }
  return success();
}

LogicalResult InitOp::verifyRegions() {
  return verifyExpressions(*this, getBody(), /*holdsCalls=*/true);
}
LogicalResult LaunchOp::verifyRegions() {
  return verifyExpressions(*this, getBody(), /*holdsCalls=*/true);
}
LogicalResult AwaitOp::verifyRegions() {
  return verifyExpressions(*this, getBody(), /*holdsCalls=*/true);
}

LogicalResult ConfigureOp::verify() {
  return verifyFunctionName(*this, getCallee());
}

//===----------------------------------------------------------------------===//
// Lowering to loops
//===----------------------------------------------------------------------===//

LogicalResult uma::accel::verifyLowered(PatternOp pattern) {
  if (isa<StrategyOp>(pattern->getParentOp()))
    return report(*pattern.getBody().getOps<LowerOp>().begin())
           << "a strategy calls functions; it is what 'lower' refers to";
  auto lowers = pattern.getBody().getOps<LowerOp>();
  for (Operation &op : pattern.getBody().getOps())
    if (isa<CallOp, ConfigureOp>(op))
      return report(&op) << "a pattern that lowers its match has no calls of "
                            "its own; write a strategy for an operator";
  if (!llvm::hasSingleElement(lowers))
    return report(*std::next(lowers.begin())) << "'lower' is written twice";
  return success();
}

PatternOp StrategyOp::getPattern() {
  auto patterns = getBody().getOps<PatternOp>();
  return patterns.empty() ? PatternOp() : *patterns.begin();
}

LogicalResult StrategyOp::verifyRegions() {
  auto ops = getBody().getOps();
  if (!llvm::hasSingleElement(ops) || !getPattern())
    return report(*this) << "a strategy is one uma.accel.pattern";
  PatternOp pattern = getPattern();
  auto operators = pattern.getBody().getOps<OperatorOp>();
  if (!operators.empty() && !llvm::hasSingleElement(operators))
    return report(*std::next(operators.begin()))
           << "a strategy implements one operator; a pattern takes several";
  auto level = static_cast<int64_t>(getLevel());
  if (level < 0 || level > 1000000)
    return report(*this) << "level " << level
                         << " is not between 0 and 1000000";
  return success();
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

LogicalResult MemoryOp::verify() {
  if (getName() == kMainMemory)
    return report(*this) << "'main' is the memory that the host and the device "
                            "share; give the device's memory another name";
  if (std::optional<uint64_t> alignment = getAlignment())
    if (!llvm::isPowerOf2_64(*alignment) || *alignment > kMaxAlignment)
      return report(*this) << "the alignment of memory '" << getName()
                           << "' is " << static_cast<int64_t>(*alignment)
                           << ", expected a power of 2 up to " << kMaxAlignment;
  if (std::optional<APFloat> cost = getAccessCost())
    if (cost->isNegative() || !cost->isFinite())
      return report(*this) << "the cost of memory '" << getName()
                           << "' is negative or infinite";
  return success();
}

LogicalResult MemoryOp::verifyRegions() {
  if (getSize().empty())
    return success();
  if (!isa<YieldOp>(getSize().front().back()))
    return report(*this) << "the body must end with uma.accel.yield";
  return verifyExpressions(*this, getSize(), /*holdsCalls=*/false);
}

LogicalResult PlaceOp::verify() {
  if (getTensors().empty())
    return report(*this) << "nothing is placed in '" << getMemory() << "'";
  return success();
}
