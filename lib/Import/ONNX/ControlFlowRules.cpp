//===- ControlFlowRules.cpp - If, Loop, Scan ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// uma.graph has no control flow. A branch with a known condition is imported in
// place, and loops are unrolled. If the condition is not constant, both
// branches are computed and one result is selected; operators have no side
// effects.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::importer;
using onnx::GraphProto;

/// Returns the slice at `index` along `axis`, without that dimension.
static Value sliceAt(Node &node, Value value, int64_t axis, int64_t index) {
  SmallVector<int64_t> size(getShape(value)), begin(size.size(), 0);
  SmallVector<int64_t> shape = size, strides(size.size(), 1);
  shape.erase(shape.begin() + axis);
  size[axis] = 1;
  begin[axis] = index;
  OpBuilder &builder = node.getBuilder();
  graph::StridedSliceOp::Properties properties;
  properties.begin = builder.getDenseI64ArrayAttr(begin);
  properties.size = builder.getDenseI64ArrayAttr(size);
  properties.strides = builder.getDenseI64ArrayAttr(strides);
  return node.createReshape(
      node.create<graph::StridedSliceOp>({value}, properties), shape);
}

/// Stacks the values along a new dimension `axis`; the inverse of sliceAt.
/// Returns null if a value is null or after an error.
static Value stack(Node &node, ArrayRef<Value> values, int64_t axis) {
  SmallVector<Value> slices;
  for (Value value : values) {
    if (!value)
      return {};
    if (value.getType() != values[0].getType()) {
      (void)node.notSupported("makes slices of different shapes, which is not "
                              "supported");
      return {};
    }
    SmallVector<int64_t> shape(getShape(value));
    shape.insert(shape.begin() + axis, 1);
    slices.push_back(node.createReshape(value, shape));
  }
  if (slices.size() == 1)
    return slices[0];
  graph::ConcatenateOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  return node.create<graph::ConcatenateOp>(slices, properties);
}

/// Yields all outputs of the node.
static LogicalResult yieldAll(Node &node, ArrayRef<Value> values) {
  if (node.getNumWrittenOutputs() > values.size())
    return node.badInput("has " + Twine(node.getNumWrittenOutputs()) +
                         " outputs, but its graph gives " +
                         Twine(values.size()));
  for (auto [index, value] : llvm::enumerate(values))
    if (node.hasOutput(index) && failed(node.yield(value, index)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

static LogicalResult importIf(Node &node) {
  const GraphProto *thenBranch = node.getGraphAttr("then_branch");
  const GraphProto *elseBranch = node.getGraphAttr("else_branch");
  if (!thenBranch || !elseBranch)
    return failure();
  Value condition = node.getOperand(0);
  if (!getElementType(condition).isInteger(1) ||
      cast<RankedTensorType>(condition.getType()).getNumElements() != 1)
    return node.badInput("input 'cond' is no single bool");
  if (std::optional<HostTensor> known = node.findConstant(0)) {
    bool isTrue = known->getInt(0) != 0;
    auto values = node.importBody(isTrue ? *thenBranch : *elseBranch, {},
                                  isTrue ? "/then" : "/else");
    return failed(values) ? failure() : yieldAll(node, *values);
  }

  auto whenTrue = node.importBody(*thenBranch, {}, "/then");
  if (failed(whenTrue))
    return failure();
  auto whenFalse = node.importBody(*elseBranch, {}, "/else");
  if (failed(whenFalse))
    return failure();
  if (whenTrue->size() != whenFalse->size())
    return node.badInput("its branches have " + Twine(whenTrue->size()) +
                         " and " + Twine(whenFalse->size()) + " outputs");
  SmallVector<Value> values;
  for (auto [yes, no] : llvm::zip_equal(*whenTrue, *whenFalse)) {
    if (yes.getType() != no.getType())
      return node.notSupported(
          "the results of its branches have the shapes " +
          formatShape(getShape(yes)) + " and " + formatShape(getShape(no)) +
          ", and the condition is known only when the model runs; only equal "
          "types are supported then");
    values.push_back(node.create<graph::WhereOp>(
        {node.createReshape(condition, {}), yes, no}));
  }
  return yieldAll(node, values);
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

static LogicalResult importLoop(Node &node) {
  const GraphProto *body = node.getGraphAttr("body");
  if (!body)
    return failure();
  int64_t count = std::numeric_limits<int64_t>::max();
  if (const HostTensor *trips = node.getConstant(0)) {
    if (trips->getNumElements() != 1 || trips->isFloat())
      return node.badInput("input 'M' is no single integer");
    count = trips->getInt(0);
  }
  bool goesOn = true;
  if (const HostTensor *condition = node.getConstant(1)) {
    if (condition->getNumElements() != 1)
      return node.badInput("input 'cond' is no single bool");
    goesOn = condition->getInt(0) != 0;
  }
  SmallVector<Value> states;
  for (unsigned index = 2; index < node.getNumOperands(); ++index)
    states.push_back(node.getOperand(index));
  if (size_t(body->output_size()) < states.size() + 1)
    return node.badInput("its graph has " + Twine(body->output_size()) +
                         " outputs; expected a condition and " +
                         Twine(states.size()) + " states at least");

  OpBuilder &builder = node.getBuilder();
  std::vector<SmallVector<Value>> scans(body->output_size() - 1 -
                                        states.size());
  for (int64_t trip = 0; trip < count && goesOn; ++trip) {
    SmallVector<Value> inputs = {
        node.createScalar(builder.getI64Type(), double(trip)),
        node.createScalar(builder.getI1Type(), 1)};
    llvm::append_range(inputs, states);
    auto outputs = node.importBody(*body, inputs, "/" + Twine(trip));
    if (failed(outputs))
      return failure();
    std::optional<HostTensor> condition = node.findConstant(outputs->front());
    if (!condition || condition->getNumElements() != 1)
      return node.notSupported("its condition is known only when the model "
                               "runs; only loops whose number of trips is "
                               "known are supported");
    goesOn = condition->getInt(0) != 0;
    std::copy_n(outputs->begin() + 1, states.size(), states.begin());
    for (auto [index, scan] : llvm::enumerate(scans))
      scan.push_back((*outputs)[1 + states.size() + index]);
  }
  for (ArrayRef<Value> slices : scans) {
    if (slices.empty())
      return node.notSupported("makes no trip, so that an output has no "
                               "elements, which is not supported");
    states.push_back(stack(node, slices, 0));
  }
  return yieldAll(node, states);
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

namespace {
/// Attributes of one scanned tensor of a Scan.
struct ScannedDim {
  int64_t axis;
  bool isReverse;
};

class ScanImporter {
public:
  ScanImporter(Node &node, const GraphProto &body) : node(node), body(body) {}

  /// Reads the attributes of a scan with `numStates` states.
  LogicalResult readAttributes(size_t numStates, size_t numInputs);
  /// Unrolls one scan from its initial states. Returns the last states, then
  /// the stacked outputs.
  FailureOr<SmallVector<Value>> unroll(ValueRange initial, ValueRange inputs,
                                       const Twine &suffix);

private:
  LogicalResult readDims(StringRef axes, StringRef directions, size_t count,
                         SmallVectorImpl<ScannedDim> &dims);

  Node &node;
  const GraphProto &body;
  SmallVector<ScannedDim> inputDims, outputDims;
};
} // namespace

LogicalResult ScanImporter::readDims(StringRef axesName, StringRef directions,
                                     size_t count,
                                     SmallVectorImpl<ScannedDim> &dims) {
  auto axes = axesName.empty() ? std::nullopt : node.getIntsAttr(axesName);
  auto reverse =
      directions.empty() ? std::nullopt : node.getIntsAttr(directions);
  if ((axes && axes->size() != count) || (reverse && reverse->size() != count))
    return node.badInput("has axes or directions of another number than the " +
                         Twine(count) + " tensors that it scans");
  for (size_t index = 0; index < count; ++index) {
    int64_t direction = reverse ? (*reverse)[index] : 0;
    if (direction != 0 && direction != 1)
      return node.badInput("has the direction " + Twine(direction) +
                           "; expected 0 or 1");
    dims.push_back({axes ? (*axes)[index] : 0, direction == 1});
  }
  return success();
}

LogicalResult ScanImporter::readAttributes(size_t numStates, size_t numInputs) {
  if (size_t(body.output_size()) < numStates)
    return node.badInput("its graph has " + Twine(body.output_size()) +
                         " outputs; expected " + Twine(numStates) +
                         " states at least");
  size_t numOutputs = body.output_size() - numStates;
  if (node.getOpset() < 9)
    return success(
        succeeded(readDims("", "directions", numInputs, inputDims)) &&
        succeeded(readDims("", "", numOutputs, outputDims)));
  return success(
      succeeded(readDims("scan_input_axes", "scan_input_directions", numInputs,
                         inputDims)) &&
      succeeded(readDims("scan_output_axes", "scan_output_directions",
                         numOutputs, outputDims)));
}

FailureOr<SmallVector<Value>> ScanImporter::unroll(ValueRange initial,
                                                   ValueRange inputs,
                                                   const Twine &suffix) {
  SmallVector<Value> states(initial);
  SmallVector<int64_t> axes;
  std::optional<int64_t> count;
  for (auto [input, dim] : llvm::zip_equal(inputs, inputDims)) {
    if (!input)
      return failure();
    std::optional<int64_t> axis =
        normalizeAxis(node, dim.axis, getShape(input).size());
    if (!axis)
      return failure();
    axes.push_back(*axis);
    int64_t size = getShape(input)[*axis];
    if (count && *count != size)
      return node.badInput("scans tensors of " + Twine(*count) + " and " +
                           Twine(size) + " slices");
    count = size;
  }
  if (!count || *count == 0)
    return node.badInput("scans nothing");
  std::vector<SmallVector<Value>> slices(outputDims.size());
  for (int64_t trip = 0; trip < *count; ++trip) {
    SmallVector<Value> arguments = states;
    for (auto [input, dim, axis] : llvm::zip_equal(inputs, inputDims, axes))
      arguments.push_back(
          sliceAt(node, input, axis, dim.isReverse ? *count - 1 - trip : trip));
    if (llvm::is_contained(arguments, Value()))
      return failure();
    auto outputs = node.importBody(body, arguments, suffix + "/" + Twine(trip));
    if (failed(outputs))
      return failure();
    std::copy_n(outputs->begin(), states.size(), states.begin());
    for (auto [index, list] : llvm::enumerate(slices))
      list.push_back((*outputs)[states.size() + index]);
  }
  for (auto [list, dim] : llvm::zip_equal(slices, outputDims)) {
    if (dim.isReverse)
      std::reverse(list.begin(), list.end());
    std::optional<int64_t> axis =
        normalizeAxis(node, dim.axis, getShape(list.front()).size() + 1);
    if (!axis)
      return failure();
    states.push_back(stack(node, list, *axis));
  }
  return states;
}

/// Splits the operands from `first` on into states and scanned tensors; an
/// attribute gives the number of the latter. Returns std::nullopt after an
/// error.
static std::optional<std::pair<SmallVector<Value>, SmallVector<Value>>>
splitOperands(Node &node, unsigned first) {
  int64_t numInputs = node.getRequiredIntAttr("num_scan_inputs");
  int64_t count = int64_t(node.getNumOperands()) - first;
  if (numInputs < 1 || numInputs > count) {
    (void)node.badInput("attribute 'num_scan_inputs' is " + Twine(numInputs) +
                        "; expected 1 to " + Twine(count));
    return std::nullopt;
  }
  std::pair<SmallVector<Value>, SmallVector<Value>> result;
  for (unsigned index = first; index < node.getNumOperands(); ++index)
    (int64_t(index) < node.getNumOperands() - numInputs ? result.first
                                                        : result.second)
        .push_back(node.getOperand(index));
  return result;
}

static LogicalResult importScan(Node &node) {
  const GraphProto *body = node.getGraphAttr("body");
  auto operands = splitOperands(node, 0);
  if (!body || !operands)
    return failure();
  auto &[states, inputs] = *operands;
  ScanImporter importer(node, *body);
  if (failed(importer.readAttributes(states.size(), inputs.size())))
    return failure();
  auto values = importer.unroll(states, inputs, "");
  return failed(values) ? failure() : yieldAll(node, *values);
}

/// Imports Scan of opset 8, in which all tensors have a batch dimension. Scans
/// each item of the batch separately.
static LogicalResult importBatchScan(Node &node) {
  const GraphProto *body = node.getGraphAttr("body");
  auto operands = splitOperands(node, 1);
  if (!body || !operands)
    return failure();
  if (node.forward(0))
    return node.notSupported("input 'sequence_lens' is not supported");
  auto &[states, inputs] = *operands;
  ScanImporter importer(node, *body);
  if (failed(importer.readAttributes(states.size(), inputs.size())))
    return failure();
  int64_t batch = 0;
  for (Value value : llvm::concat<Value>(states, inputs)) {
    if (getShape(value).empty())
      return node.badInput("has a scalar operand; expected a batch");
    if (batch && getShape(value)[0] != batch)
      return node.badInput("has batches of " + Twine(batch) + " and " +
                           Twine(getShape(value)[0]));
    batch = getShape(value)[0];
  }
  std::vector<SmallVector<Value>> items(body->output_size());
  for (int64_t item = 0; item < batch; ++item) {
    auto slice = [&](Value value) { return sliceAt(node, value, 0, item); };
    auto values = importer.unroll(llvm::map_to_vector(states, slice),
                                  llvm::map_to_vector(inputs, slice),
                                  "/batch" + Twine(item));
    if (failed(values))
      return failure();
    for (auto [list, value] : llvm::zip_equal(items, *values))
      list.push_back(value);
  }
  SmallVector<Value> results;
  for (ArrayRef<Value> list : items)
    results.push_back(stack(node, list, 0));
  return yieldAll(node, results);
}

ArrayRef<Rule> importer::getControlFlowRules() {
  static constexpr Rule rules[] = {
      {"If", 1, "cond", importIf},
      {"Loop", 1, "M=? cond=? v_initial*", importLoop},
      {"Scan", 8, "sequence_lens&? initial_state_and_scan_inputs*",
       importBatchScan},
      {"Scan", 9, "initial_state_and_scan_inputs*", importScan},
  };
  return rules;
}
