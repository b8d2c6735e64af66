//===- ModelTrust.cpp - What a model may hold -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A model in MLIR may be from a stranger, but MLIR can also hold a description
// of an accelerator with its C, a transform script, or loops that access any
// address. The lists below name what a model needs; everything else is refused,
// so that a new operation or attribute is refused until somebody adds it.
//
//===----------------------------------------------------------------------===//

#include "ModelTrust.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/IR/Family.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;

/// Discardable attributes of the dialect that importers, `uma quantize` and
/// users write on graphs, and those of the CPU's plans, which uma-cpu-verify
/// checks. None of them holds C text or names a file.
static const llvm::StringSet<> kDataAttributes = {
    "uma.exact_sums",    "uma.in_floats",    "uma.in_range",  "uma.keep_float",
    "uma.keep_off",      "uma.keep_whole",   "uma.kernel",    "uma.layout",
    "uma.model_version", "uma.name",         "uma.network",   "uma.pin",
    "uma.primitive",     "uma.range",        "uma.schedules", "uma.stripe_rows",
    "uma.tile_pair",     "uma.tile_producer"};

/// Checks whether an operation is a function that only C could define.
static bool isDeclaration(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op);
  // A network without a body gets a message of its own.
  return function && function.isExternal() &&
         !function->hasAttr(kNetworkAttrName);
}

/// Checks whether an operation is part of a graph: a function, a call to one,
/// or an operator. Composites are left out: they claim that a pattern of a
/// description matched. Scalar arithmetic is harmless, and the stages refuse
/// it.
static bool isGraph(Operation *op) {
  return isa<ModuleOp, func::FuncOp, func::CallOp, func::ReturnOp>(op) ||
         isa_and_present<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) ||
         (isInFamily<GraphFamily>(op) && !isa<graph::CompositeOp>(op));
}

/// Returns the name of an attribute that no model needs; empty if there is
/// none.
static StringRef findForeignAttribute(DictionaryAttr attributes) {
  for (NamedAttribute attribute : attributes)
    if (attribute.getName().strref().starts_with("uma.") &&
        !kDataAttributes.contains(attribute.getName().strref()))
      return attribute.getName();
  return "";
}

/// Like findForeignAttribute, also of arguments and results of a function.
static StringRef findForeignAttribute(Operation *op) {
  StringRef found = findForeignAttribute(op->getDiscardableAttrDictionary());
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return found;
  for (unsigned i = 0; found.empty() && i < function.getNumArguments(); ++i)
    if (DictionaryAttr attributes = function.getArgAttrDict(i))
      found = findForeignAttribute(attributes);
  for (unsigned i = 0; found.empty() && i < function.getNumResults(); ++i)
    if (DictionaryAttr attributes = function.getResultAttrDict(i))
      found = findForeignAttribute(attributes);
  return found;
}

/// Checks whether attributes and types of a dialect can be part of a graph.
static bool isDialectOfGraphs(Dialect &dialect) {
  return isa<BuiltinDialect, arith::ArithDialect, quant::QuantDialect,
             UMADialect>(dialect);
}

/// Returns the name of a dialect with an attribute or a type that no model
/// needs, e.g. opaque types of EmitC, whose names are C text; empty if there is
/// none.
static StringRef findForeignDialect(Operation *op) {
  StringRef found;
  AttrTypeWalker walker;
  walker.addWalk([&](Attribute attribute) {
    if (isDialectOfGraphs(attribute.getDialect()))
      return WalkResult::advance();
    found = attribute.getDialect().getNamespace();
    return WalkResult::interrupt();
  });
  walker.addWalk([&](Type type) {
    if (isDialectOfGraphs(type.getDialect()))
      return WalkResult::advance();
    found = type.getDialect().getNamespace();
    return WalkResult::interrupt();
  });
  if (walker.walk(op->getAttrDictionary()).wasInterrupted())
    return found;
  for (Type type : op->getResultTypes())
    if (walker.walk(type).wasInterrupted())
      return found;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (walker.walk(type).wasInterrupted())
          return found;
  return "";
}

LogicalResult uma::checkModelIsData(ModuleOp module) {
  auto refuse = [](Operation *op, const Twine &what) {
    return op->emitError("the model holds ")
           << what.str()
           << "; a model is functions of uma.graph and nothing that becomes "
              "C text, names files or runs passes. If you know who wrote the "
              "module, --trust-model compiles it";
  };
  WalkResult walk = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isDeclaration(op))
      return WalkResult(refuse(op, "the declaration of the function '" +
                                       cast<func::FuncOp>(op).getSymName() +
                                       "'"));
    if (!isGraph(op))
      return WalkResult(refuse(op, "'" + op->getName().getStringRef() + "'"));
    if (StringRef name = findForeignAttribute(op); !name.empty())
      return WalkResult(refuse(op, "the attribute '" + name + "'"));
    if (StringRef name = findForeignDialect(op); !name.empty())
      return WalkResult(
          refuse(op, "an attribute or type of the dialect '" + name + "'"));
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}
