//===- Restrictions.cpp - Restrictions of placement -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Partition/Restrictions.h"

#include "Constants.h"

#include "uma/Accel/Partition/Assignment.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/LayerName.h"

#include "llvm/Support/GlobPattern.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Returns whether `layer` matches `glob`, whose syntax the verifier has
/// checked.
static bool matches(StringRef glob, StringRef layer) {
  auto pattern = llvm::GlobPattern::create(glob);
  if (!pattern) {
    llvm::consumeError(pattern.takeError());
    return false;
  }
  return pattern->match(layer);
}

static bool isLayer(Operation &op) {
  return isInFamily<GraphFamily>(&op) && !isConstantOp(&op) &&
         !op.hasTrait<OpTrait::IsTerminator>();
}

Restrictions::Restrictions(func::FuncOp function,
                           ArrayRef<AcceleratorOp> accelerators)
    : function(function) {
  hasAttributes = function->hasAttr(kKeepOffAttrName);
  bool hasGlobs = llvm::any_of(accelerators, [](AcceleratorOp accelerator) {
    return !accelerator.getOps<KeepOffOp>().empty() ||
           !accelerator.getOps<PinOp>().empty();
  });
  for (Block &block : function.getBody()) {
    for (Operation &op : block) {
      if (!isLayer(op))
        continue;
      hasAttributes |= op.hasAttr(kKeepOffAttrName);
      if (auto name = op.getAttrOfType<StringAttr>(kPinAttrName)) {
        for (AcceleratorOp accelerator : accelerators)
          if (accelerator.getSymNameAttr() == name)
            addPin(&op, accelerator, &op);
      }
      if (hasGlobs)
        for (AcceleratorOp accelerator : accelerators)
          addGlobs(&op, accelerator);
    }
  }
}

void Restrictions::addGlobs(Operation *op, AcceleratorOp accelerator) {
  std::string layer = getLayerName(op);
  for (auto keepOff : accelerator.getOps<KeepOffOp>())
    if (matches(keepOff.getLayers(), layer)) {
      used.insert(keepOff);
      keptOff.try_emplace({op, accelerator.getOperation()}, keepOff);
    }
  for (auto pin : accelerator.getOps<PinOp>())
    if (matches(pin.getLayers(), layer)) {
      used.insert(pin);
      addPin(op, accelerator, pin);
    }
}

void Restrictions::addPin(Operation *op, AcceleratorOp accelerator,
                          Operation *source) {
  auto [it, inserted] = pins.insert({op, Pin{accelerator, source}});
  if (!inserted && it->second.accelerator != accelerator)
    conflicts.insert({op, Pin{accelerator, source}});
}

bool Restrictions::keepsOff(Operation *holder, StringRef accelerator) const {
  Attribute value = holder->getAttr(kKeepOffAttrName);
  auto isThis = [&](Attribute name) {
    auto text = dyn_cast<StringAttr>(name);
    return text && text.getValue() == accelerator;
  };
  if (auto list = dyn_cast_or_null<ArrayAttr>(value))
    return llvm::any_of(list, isThis);
  return value && (isa<UnitAttr>(value) || isThis(value));
}

std::string Restrictions::getReason(AcceleratorOp accelerator,
                                    Operation *op) const {
  StringRef name = accelerator.getSymName();
  if (KeepOffOp keepOff = keptOff.lookup({op, accelerator.getOperation()}))
    return ("keep_off \"" + keepOff.getLayers() + "\" keeps it off '" + name +
            "'")
        .str();
  if (hasAttributes && keepsOff(op, name))
    return ("its attribute uma.keep_off keeps it off '" + name + "'").str();
  if (hasAttributes && keepsOff(function, name))
    return ("uma.keep_off of function '" + function.getName() +
            "' keeps it off '" + name + "'")
        .str();
  AcceleratorOp pin = getPin(op);
  if (pin && pin != accelerator)
    return ("it is pinned to '" + pin.getSymName() + "'").str();
  return "";
}

std::optional<Mismatch> Restrictions::check(AcceleratorOp accelerator,
                                            const Match &match) const {
  if (pins.empty() && keptOff.empty() && !hasAttributes)
    return std::nullopt;
  for (Operation *op : match.ops)
    if (std::string reason = getReason(accelerator, op); !reason.empty())
      return Mismatch{reason, 0, op};
  return std::nullopt;
}

bool Restrictions::isPinned(AcceleratorOp accelerator,
                            const Match &match) const {
  return llvm::any_of(match.ops,
                      [&](Operation *op) { return getPin(op) == accelerator; });
}

void Restrictions::forEachMatch(func::FuncOp function,
                                ArrayRef<AcceleratorOp> accelerators,
                                function_ref<bool(Operation *)> skip,
                                function_ref<void(Match)> visit) const {
  auto visitAllowed = [&](bool pinned) {
    accel::forEachMatch(function, accelerators, skip, [&](Match match) {
      AcceleratorOp accelerator = getAccelerator(match.pattern);
      if (isPinned(accelerator, match) == pinned && !check(accelerator, match))
        visit(std::move(match));
    });
  };
  if (!pins.empty())
    visitAllowed(/*pinned=*/true);
  visitAllowed(/*pinned=*/false);
}

LogicalResult Restrictions::verify(ArrayRef<AcceleratorOp> accelerators) const {
  SmallVector<StringRef> names;
  for (AcceleratorOp accelerator : accelerators)
    names.push_back(accelerator.getSymName());
  auto checkName = [&](Operation *op, StringRef what,
                       Attribute value) -> LogicalResult {
    auto name = dyn_cast<StringAttr>(value);
    if (!name)
      return op->emitError() << what << " is " << value
                             << ", expected the name of an accelerator";
    if (llvm::is_contained(names, name.getValue()))
      return success();
    return op->emitError() << what << " names the unknown accelerator '"
                           << name.getValue() << "'"
                           << didYouMean(name.getValue(), names);
  };
  LogicalResult result = success();
  Operation *root = function;
  root->walk([&](Operation *op) {
    if (Attribute pin = op->getAttr(kPinAttrName))
      if (failed(checkName(op, kPinAttrName, pin)))
        result = failure();
    Attribute off = op->getAttr(kKeepOffAttrName);
    // Accept unknown names: the same graph may be compiled for different
    // accelerators.
    if (off && !isa<UnitAttr, StringAttr>(off) &&
        !(isa<ArrayAttr>(off) &&
          llvm::all_of(cast<ArrayAttr>(off), llvm::IsaPred<StringAttr>)))
      result = op->emitError()
               << kKeepOffAttrName << " is " << off
               << ", expected nothing, a string or an array of strings";
  });
  for (auto &[op, second] : conflicts) {
    const Pin &first = pins.find(op)->second;
    AcceleratorOp one = first.accelerator, other = second.accelerator;
    InFlightDiagnostic error = mlir::emitError(op->getLoc())
                               << describeLayer(op) << " is pinned to '"
                               << one.getSymName() << "' and to '"
                               << other.getSymName() << "'";
    error.attachNote(first.source->getLoc()) << "the first pin is here";
    error.attachNote(second.source->getLoc()) << "the second one is here";
    result = error;
  }
  return result;
}
