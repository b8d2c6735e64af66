//===- MergeFunctions.cpp - Merge equal functions -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Layers of one kind and size differ only in their weights, which are arguments
// of their functions. The layer's name, which differs, moves from the function
// to the calls. Functions that call a device are not merged, since they name
// the layer that failed.
//
//===----------------------------------------------------------------------===//

#include "uma/TIR/Transforms/Passes.h"

#include "uma/IR/LayerAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"

#include <unordered_map>

using namespace mlir;
using namespace uma;
using namespace uma::tir;

namespace uma::tir {
#define GEN_PASS_DEF_MERGEFUNCTIONSPASS
#include "uma/TIR/Transforms/Passes.h.inc"
} // namespace uma::tir

static bool mayMerge(FuncOp function) {
  if (!function.isPrivate() || function.getBody().empty())
    return false;
  return !function.walk([](CallExternOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

/// Returns the attributes that must be equal for functions to be merged.
static DictionaryAttr getAttributes(FuncOp function) {
  NamedAttrList attributes(function->getAttrDictionary());
  attributes.erase(function.getSymNameAttrName());
  attributes.erase(function.getLayerAttrName());
  attributes.erase(kLayersAttrName);
  attributes.erase(kMACsAttrName);
  return attributes.getDictionary(function.getContext());
}

static llvm::hash_code getHash(FuncOp function, DictionaryAttr attributes) {
  llvm::hash_code hash = hash_value(attributes);
  function.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

/// Returns the layers that a call to the function computes.
static ArrayAttr getLayers(FuncOp function) {
  if (auto layers = function->getAttrOfType<ArrayAttr>(kLayersAttrName))
    return layers;
  Builder builder(function.getContext());
  return builder.getStrArrayAttr(
      {function.getLayer().value_or(function.getName())});
}

/// Attaches the callee's layer names to a call.
static void describe(CallOp call, FuncOp callee) {
  if (!call->hasAttr(kLayersAttrName))
    call->setAttr(kLayersAttrName, getLayers(callee));
  if (callee.getLayerAttr() && getLayerName(call.getLoc()).empty())
    call->setLoc(NameLoc::get(callee.getLayerAttr(), call.getLoc()));
}

namespace {
struct MergeFunctionsPass
    : uma::tir::impl::MergeFunctionsPassBase<MergeFunctionsPass> {
  void runOnOperation() override {
    // Maps the first of equal functions to the others.
    llvm::MapVector<FuncOp, SmallVector<FuncOp>> groups;
    collect(groups);
    if (groups.empty())
      return markAllAnalysesPreserved();

    llvm::DenseMap<StringAttr, FuncOp> callees, leaders;
    for (auto &[leader, others] : groups) {
      SmallVector<Attribute> names;
      auto add = [&, leader = leader](FuncOp function) {
        callees[function.getSymNameAttr()] = function;
        leaders[function.getSymNameAttr()] = leader;
        if (StringAttr layer = function.getLayerAttr())
          names.push_back(layer);
      };
      add(leader);
      llvm::for_each(others, add);
      if (!names.empty())
        leader->setAttr(kMergedLayersAttrName,
                        ArrayAttr::get(&getContext(), names));
    }
    getOperation().walk([&](CallOp call) {
      StringAttr name = call.getCalleeAttr().getAttr();
      auto leader = leaders.find(name);
      if (leader == leaders.end())
        return;
      describe(call, callees[name]);
      call.setCallee(leader->second.getName());
    });
    for (auto &[leader, others] : groups)
      for (FuncOp function : others) {
        function.erase();
        ++numMerged;
      }
  }

  void collect(llvm::MapVector<FuncOp, SmallVector<FuncOp>> &groups) {
    struct Candidate {
      FuncOp function;
      DictionaryAttr attributes;
    };
    std::unordered_map<size_t, SmallVector<Candidate, 1>> seen;
    for (auto function : getOperation().getOps<FuncOp>()) {
      if (!mayMerge(function))
        continue;
      DictionaryAttr attributes = getAttributes(function);
      auto &candidates = seen[getHash(function, attributes)];
      auto *equal = llvm::find_if(candidates, [&](Candidate &other) {
        return attributes == other.attributes &&
               OperationEquivalence::isRegionEquivalentTo(
                   &function.getBody(), &other.function.getBody(),
                   OperationEquivalence::IgnoreLocations);
      });
      if (equal == candidates.end())
        candidates.push_back({function, attributes});
      else
        groups[equal->function].push_back(function);
    }
  }
};
} // namespace
