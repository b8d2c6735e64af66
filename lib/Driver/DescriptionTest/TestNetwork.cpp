//===- TestNetwork.cpp - Sampled layers as one network --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// All layers are in parallel in one network, so that one package is built once.
// Each layer has its own inputs and outputs, so that a device's stray writes
// are attributed to the layer that causes them.
//
//===----------------------------------------------------------------------===//

#include "../Package/Tensors.h"
#include "TestLayers.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace uma;

TestNetwork uma::buildTestNetwork(MLIRContext *context,
                                  ArrayRef<accel::SampleSpace> spaces,
                                  ArrayRef<TestLayer *> layers, uint64_t seed) {
  // Operators emit errors for padding other than the desired one.
  ScopedDiagnosticHandler silent(context,
                                 [](Diagnostic &) { return success(); });
  TestNetwork network;
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  network.module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(network.module->getBody());
  auto function = func::FuncOp::create(builder, loc, "main",
                                       builder.getFunctionType({}, {}));
  function->setAttr(kNetworkAttrName, builder.getStringAttr("layers"));
  Block &block = *function.addEntryBlock();

  SmallVector<Value> results;
  SmallVector<std::string> argumentNames, resultNames;
  for (TestLayer *layer : layers) {
    accel::SampleLayer &built = network.layers.emplace_back();
    unsigned numMissing, numConstants = 0;
    // The weights of a layer do not depend on the other layers.
    auto makeConstant = [&](RankedTensorType type) {
      uint64_t number = llvm::xxh3_64bits(layer->name) + numConstants++;
      return makeRandomTensor(type, seed, unsigned(number))
          .toAttribute(layer->name, /*inlineBytes=*/INT64_MAX);
    };
    LogicalResult isBuilt =
        accel::buildSample(spaces[layer->pattern], layer->sample, block,
                           NameLoc::get(builder.getStringAttr(layer->name)),
                           makeConstant, built, numMissing);
    assert(succeeded(isBuilt) && "the layer was built before");
    (void)isBuilt;
    auto &arguments = network.arguments.emplace_back();
    for (const auto &[value, name] : built.arguments) {
      arguments.push_back(cast<BlockArgument>(value).getArgNumber());
      argumentNames.push_back(layer->name + "." + name);
    }
    auto &numbers = network.results.emplace_back();
    for (auto [index, result] : llvm::enumerate(built.results)) {
      numbers.push_back(results.size());
      Value value = result;
      // The interface of a network has the stored integers.
      auto type = cast<RankedTensorType>(value.getType());
      if (isQuantized(type.getElementType())) {
        builder.setInsertionPointToEnd(&block);
        value = graph::StorageCastOp::create(builder, value.getLoc(),
                                             getStorageType(type), value);
      }
      results.push_back(value);
      resultNames.push_back(layer->name +
                            (index == 0 ? "" : "." + std::to_string(index)));
    }
  }
  builder.setInsertionPointToEnd(&block);
  func::ReturnOp::create(builder, loc, results);
  function.setFunctionType(builder.getFunctionType(
      block.getArgumentTypes(), TypeRange(ValueRange(results))));
  for (auto [index, name] : llvm::enumerate(argumentNames))
    function.setArgAttr(index, kTensorNameAttrName,
                        builder.getStringAttr(name));
  for (auto [index, name] : llvm::enumerate(resultNames))
    function.setResultAttr(index, kTensorNameAttrName,
                           builder.getStringAttr(name));
  return network;
}
