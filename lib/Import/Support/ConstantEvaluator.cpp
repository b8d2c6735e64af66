//===- ConstantEvaluator.cpp - Elements of computed constants -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Import/Support/ConstantEvaluator.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Graph/Interpreter/Interpreter.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Maximum size in bytes of an evaluated value. Shapes, axes and tables are far
/// smaller; a larger value is probably a weight that some operator does not yet
/// accept.
static constexpr int64_t kMaxBytes = int64_t(1) << 26;

/// Maximum number of steps of an operation. Products and windows do far more
/// work than they have results.
static constexpr int64_t kMaxWork = int64_t(1) << 28;

static bool isWithinWork(Operation *op) {
  if (!isa<graph::DenseOp, graph::BatchMatmulOp, graph::EinsumOp,
           graph::WindowOpInterface, graph::Conv2dTransposeOp,
           graph::Conv3dTransposeOp, graph::LSTMOp, graph::GRUOp, graph::RNNOp,
           graph::DFTOp>(op))
    return true;
  // Upper bound: each element of the results with each element of an operand.
  int64_t results = 0, operands = 1, work;
  for (Type type : op->getResultTypes())
    results += cast<RankedTensorType>(type).getNumElements();
  for (Type type : op->getOperandTypes())
    operands =
        std::max(operands, cast<RankedTensorType>(type).getNumElements());
  return !llvm::MulOverflow(results, operands, work) && work <= kMaxWork;
}

ConstantEvaluator::Outcome ConstantEvaluator::evaluate(Value value) {
  // Operations that `value` depends on, operands first. Not recursive: a model
  // may be thousands of operators deep.
  SmallVector<Operation *> order;
  llvm::DenseSet<Operation *> seen;
  SmallVector<std::pair<Operation *, unsigned>> stack;
  auto enter = [&](Value needed) -> BlockArgument {
    if (auto argument = dyn_cast<BlockArgument>(needed))
      return argument;
    Operation *op = needed.getDefiningOp();
    if (!known.contains(needed) && seen.insert(op).second)
      stack.push_back({op, 0});
    return {};
  };
  if (BlockArgument input = enter(value))
    return {std::nullopt, input, ""};
  while (!stack.empty()) {
    auto &[op, next] = stack.back();
    if (next == op->getNumOperands()) {
      order.push_back(op);
      stack.pop_back();
    } else if (BlockArgument input = enter(op->getOperand(next++))) {
      return {std::nullopt, input, ""};
    }
  }

  for (Operation *op : order)
    if (std::string error = evaluateOperation(op); !error.empty())
      return {std::nullopt, {}, error};
  return {known.at(value), {}, ""};
}

/// Evaluates `op` and stores its results in `known`. Returns the reason if that
/// fails, otherwise an empty string.
std::string ConstantEvaluator::evaluateOperation(Operation *op) {
  for (Type type : op->getResultTypes())
    if (HostTensor::getByteSize(cast<RankedTensorType>(type)) > kMaxBytes)
      return "has more than " + std::to_string(kMaxBytes >> 20) +
             " MiB, the limit of what is computed at compile time";
  // Constants of the model are not counted: they are no larger than its file.
  bool isComputed = !op->hasTrait<OpTrait::ConstantLike>();
  for (Type type : op->getResultTypes())
    if (isComputed &&
        !reserve(HostTensor::getByteSize(cast<RankedTensorType>(type))))
      return "needs more than the " + std::to_string(kMaxTotalBytes >> 20) +
             " MiB that all constants computed at compile time may take";
  if (!isWithinWork(op))
    return "takes too long to be computed at compile time";
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands())
    operands.push_back(known.at(operand));
  std::string error;
  ScopedDiagnosticHandler handler(op->getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    if (error.empty())
                                      error = diagnostic.str();
                                    return success();
                                  });
  auto results = graph::evaluate(op, operands);
  if (failed(results)) {
    StringRef text = error;
    if (text.consume_front("'"))
      text = text.split("' op ").second;
    return ("cannot be computed at compile time: " + text).str();
  }
  for (auto [value, tensor] : llvm::zip_equal(op->getResults(), *results))
    known.try_emplace(value, tensor);
  return "";
}
