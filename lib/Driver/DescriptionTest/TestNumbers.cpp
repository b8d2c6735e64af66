//===- TestNumbers.cpp - Inputs and results of sampled layers -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "../Package/CheckedRun.h"
#include "../Package/Tensors.h"
#include "TestLayers.h"

#include "uma/Accel/IR/QuantFunctions.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/Interpreter/Interpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace uma;

SmallVector<HostTensor> TestRunner::makeInputs(const accel::SampleLayer &built,
                                               const TestLayer &layer,
                                               unsigned run) const {
  SmallVector<HostTensor> inputs;
  for (auto [number, argument] : llvm::enumerate(built.arguments))
    inputs.push_back(
        makeRandomTensor(cast<RankedTensorType>(argument.first.getType()),
                         options.seed * kNumRuns + run,
                         unsigned(llvm::xxh3_64bits(layer.name)) + number));
  return inputs;
}

/// Evaluates a layer with the reference interpreter. Fails if the interpreter
/// fails.
static FailureOr<SmallVector<HostTensor>>
evaluateLayer(const accel::SampleLayer &built, ArrayRef<HostTensor> inputs) {
  ScopedDiagnosticHandler silent(built.root.getContext(),
                                 [](Diagnostic &) { return success(); });
  llvm::DenseMap<Value, HostTensor> tensors;
  for (auto [argument, tensor] : llvm::zip_equal(built.arguments, inputs))
    tensors[argument.first] = tensor;
  auto lookup = [&](Value value) -> FailureOr<HostTensor> {
    if (auto constant = value.getDefiningOp<graph::ConstantOp>())
      return HostTensor::fromAttribute(constant.getValue());
    return tensors.lookup(value);
  };
  for (Operation *op : built.ops) {
    SmallVector<HostTensor> operands;
    for (Value operand : op->getOperands()) {
      auto stored = operand.getDefiningOp<graph::StorageCastOp>();
      auto tensor = lookup(stored ? stored.getData() : operand);
      if (failed(tensor))
        return failure();
      operands.push_back(*tensor);
      if (!stored)
        continue;
      auto quantized = graph::evaluate(stored, operands.back());
      if (failed(quantized))
        return failure();
      operands.back() = quantized->front();
    }
    auto results = graph::evaluate(op, operands);
    if (failed(results))
      return failure();
    for (auto [value, tensor] : llvm::zip_equal(op->getResults(), *results))
      tensors[value] = tensor;
  }
  SmallVector<HostTensor> results;
  for (Value result : built.results)
    results.push_back(tensors.lookup(result));
  return results;
}

void TestRunner::compareLayer(const TestNetwork &network, unsigned index,
                              TestLayer &layer, ArrayRef<RunResult> results) {
  const accel::SampleLayer &built = network.layers[index];
  accel::PatternOp pattern = spaces[layer.pattern].pattern;
  SmallVector<Value> patternOutputs = pattern.getOutputs();
  for (auto [run, result] : llvm::enumerate(results)) {
    auto expected = evaluateLayer(built, makeInputs(built, layer, run));
    if (failed(expected)) {
      layer.message = "the reference interpreter cannot evaluate it on random "
                      "data";
      return;
    }
    for (auto [number, tensor] : llvm::enumerate(*expected)) {
      RankedTensorType type = tensor.getType();
      HostTensor actual(type, result.outputs[network.results[index][number]]);
      Comparison comparison = compareToLargest(
          actual, tensor, getDefaultTolerance(type.getElementType()));
      // Fixed point may round to the integer beside.
      if (comparison.isEqual || (accel::mayDifferByOne(pattern, built.ops) &&
                                 !tensor.isFloat() && comparison.maxError <= 1))
        continue;
      std::string name = number < patternOutputs.size()
                             ? accel::getTensorName(patternOutputs[number])
                             : "result " + std::to_string(number);
      layer.message = describeDifference(name, actual, comparison);
      if (run > 0)
        layer.message += ", in the second run; the first is right";
      layer.status = TestStatus::Differs;
      return;
    }
  }
  layer.status = TestStatus::Equal;
}
