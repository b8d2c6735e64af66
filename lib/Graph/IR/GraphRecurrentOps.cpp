//===- GraphRecurrentOps.cpp - Recurrent layers ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "uma/Support/DidYouMean.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;
using Kind = RecurrentActivation::Kind;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

// In the order of RecurrentActivation::Kind.
static constexpr llvm::StringLiteral kActivationNames[] = {
    "affine",   "elu",         "hard_sigmoid",    "leaky_relu",
    "relu",     "scaled_tanh", "sigmoid",         "softplus",
    "softsign", "tanh",        "thresholded_relu"};
static constexpr std::pair<double, double> kActivationDefaults[] = {
    {1.0, 0.0}, {1.0, 0.0}, {0.2, 0.5}, {0.01, 0.0}, {0.0, 0.0}, {1.0, 1.0},
    {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0},  {1.0, 0.0}};

std::optional<RecurrentActivation> RecurrentActivation::parse(StringRef name) {
  for (auto [index, known] : llvm::enumerate(kActivationNames))
    if (name == known) {
      auto [alpha, beta] = kActivationDefaults[index];
      return RecurrentActivation{static_cast<Kind>(index), alpha, beta};
    }
  return std::nullopt;
}

ArrayRef<llvm::StringLiteral> RecurrentActivation::getNames() {
  return kActivationNames;
}

//===----------------------------------------------------------------------===//
// Checks shared by the layers
//===----------------------------------------------------------------------===//

/// Checks that the operand `name`, if it is not null, has element type
/// `elementType` and shape `expected`. `what` describes the dimensions in
/// errors.
static LogicalResult checkShape(EmitErrorFn emitError, Value operand,
                                StringRef name, ArrayRef<int64_t> expected,
                                StringRef what, Type elementType) {
  if (!operand)
    return success();
  auto type = getTensor(emitError, operand, name);
  if (failed(type))
    return failure();
  if (type->getShape() != expected)
    return emitError() << name << " has shape " << formatShape(type->getShape())
                       << ", expected " << formatShape(expected) << " (" << what
                       << ")";
  return checkElementType(emitError, name, *type, "data", elementType);
}

static LogicalResult checkClip(EmitErrorFn emitError, StringRef name,
                               std::optional<APFloat> clip) {
  if (clip && !(clip->convertToDouble() > 0))
    return emitError() << name << " is "
                       << formatNumber(clip->convertToDouble())
                       << ", expected more than 0";
  return success();
}

/// Checks activations, their parameters and the clip.
template <typename AdaptorT>
static LogicalResult checkFunctions(EmitErrorFn emitError, AdaptorT adaptor,
                                    size_t count) {
  if (std::optional<ArrayAttr> names = adaptor.getActivations()) {
    if (names->size() != count)
      return emitError() << "activations has " << names->size()
                         << " elements, expected " << count
                         << ", those of each direction in turn";
    SmallVector<StringRef> known(RecurrentActivation::getNames());
    for (auto name : names->template getAsRange<StringAttr>())
      if (!RecurrentActivation::parse(name.getValue()))
        return emitError() << "activations holds \"" << name.getValue()
                           << "\", which is no function of a recurrent layer"
                           << didYouMean(name.getValue(), known);
  }
  for (auto [name, values] : {std::pair("alphas", adaptor.getAlphas()),
                              std::pair("betas", adaptor.getBetas())}) {
    if (!values)
      continue;
    if (!adaptor.getActivations() || values->size() != count)
      return emitError() << name << " has " << values->size()
                         << " elements, expected one for each of activations";
    for (double value : *values)
      if (!std::isfinite(value))
        return emitError() << name << " holds " << formatNumber(value)
                           << ", expected finite numbers";
  }
  return checkClip(emitError, "clip", adaptor.getClip());
}

/// Checks the operands and attributes common to all layers. `gates` is the
/// number of gates per unit, `functions` the number of activations per
/// direction. Adds the types of `output` and `output_h` to `types`.
template <typename AdaptorT>
static FailureOr<RecurrentDims>
inferRecurrent(EmitErrorFn emitError, AdaptorT adaptor, int64_t gates,
               size_t functions, SmallVectorImpl<Type> &types) {
  StringRef direction = adaptor.getDirection();
  SmallVector<StringRef> known = {"forward", "reverse", "bidirectional"};
  if (!llvm::is_contained(known, direction))
    return emitError() << "direction is \"" << direction
                       << "\", expected \"forward\", \"reverse\" or "
                          "\"bidirectional\""
                       << didYouMean(direction, known);
  auto data = getTensorOfRank(emitError, adaptor.getData(), "data", 3,
                              "steps, batch, inputs");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  auto recurrence =
      getTensorOfRank(emitError, adaptor.getRecurrence(), "recurrence", 3,
                      "directions, gates * units, units");
  if (failed(recurrence))
    return failure();
  RecurrentDims dims;
  dims.steps = data->getDimSize(0);
  dims.batch = data->getDimSize(1);
  dims.inputs = data->getDimSize(2);
  dims.units = recurrence->getDimSize(2);
  dims.directions = direction == "bidirectional" ? 2 : 1;
  dims.isReverse = direction == "reverse";
  std::optional<int64_t> rows = checkedProduct({8, gates, dims.units});
  if (dims.steps < 1 || dims.units < 1 || !rows)
    return emitError() << "data has shape " << formatShape(data->getShape())
                       << " and recurrence "
                       << formatShape(recurrence->getShape())
                       << ", expected at least one step and one unit";
  *rows /= 8;
  Type elementType = data->getElementType();
  if (failed(checkShape(emitError, adaptor.getRecurrence(), "recurrence",
                        {dims.directions, *rows, dims.units},
                        "directions, gates * units, units", elementType)) ||
      failed(checkShape(emitError, adaptor.getWeight(), "weight",
                        {dims.directions, *rows, dims.inputs},
                        "directions, gates * units, inputs", elementType)) ||
      failed(checkShape(emitError, adaptor.getBias(), "bias",
                        {dims.directions, 2 * *rows},
                        "directions, 2 * gates * units", elementType)) ||
      failed(checkShape(emitError, adaptor.getInitialH(), "initial_h",
                        {dims.directions, dims.batch, dims.units},
                        "directions, batch, units", elementType)) ||
      failed(checkFunctions(emitError, adaptor, functions * dims.directions)))
    return failure();
  if (Value lens = adaptor.getSequenceLens()) {
    auto type = getTensorOfRank(emitError, lens, "sequence_lens", 1, "batch");
    if (failed(type))
      return failure();
    if (type->getDimSize(0) != dims.batch ||
        !isa<IntegerType>(type->getElementType()))
      return emitError() << "sequence_lens has type " << *type << ", expected "
                         << dims.batch
                         << " integers, one for each sequence of the batch";
  }
  auto output = makeResult(
      emitError, {dims.steps, dims.directions, dims.batch, dims.units},
      elementType);
  if (failed(output))
    return failure();
  types.push_back(*output);
  types.push_back(
      RankedTensorType::get(output->getShape().drop_front(), elementType));
  return dims;
}

template <typename OpT>
static RecurrentDims getRecurrentDims(OpT op) {
  ArrayRef<int64_t> data = op.getData().getType().getShape();
  RankedTensorType recurrence = op.getRecurrence().getType();
  return {data[0],
          data[1],
          data[2],
          recurrence.getDimSize(2),
          recurrence.getDimSize(0),
          op.getDirection() == "reverse"};
}

/// Returns the functions of one direction. `defaults` are the functions without
/// the attribute `activations`.
template <typename OpT>
static SmallVector<RecurrentActivation>
getFunctions(OpT op, int64_t direction, ArrayRef<StringRef> defaults) {
  SmallVector<RecurrentActivation> functions;
  for (auto [index, byDefault] : llvm::enumerate(defaults)) {
    StringRef name = byDefault;
    size_t position = direction * defaults.size() + index;
    if (std::optional<ArrayAttr> names = op.getActivations())
      name = cast<StringAttr>((*names)[position]).getValue();
    RecurrentActivation function = *RecurrentActivation::parse(name);
    if (std::optional<ArrayRef<double>> alphas = op.getAlphas())
      function.alpha = (*alphas)[position];
    if (std::optional<ArrayRef<double>> betas = op.getBetas())
      function.beta = (*betas)[position];
    functions.push_back(function);
  }
  return functions;
}

//===----------------------------------------------------------------------===//
// LSTMOp, GRUOp, RNNOp
//===----------------------------------------------------------------------===//

LogicalResult LSTMOp::inferTypes(EmitErrorFn emitError, Adaptor adaptor,
                                 SmallVectorImpl<Type> &types) {
  auto dims =
      inferRecurrent(emitError, adaptor, /*gates=*/4, /*functions=*/3, types);
  if (failed(dims))
    return failure();
  Type elementType = cast<RankedTensorType>(types[0]).getElementType();
  types.push_back(types[1]);
  if (failed(checkShape(emitError, adaptor.getInitialC(), "initial_c",
                        {dims->directions, dims->batch, dims->units},
                        "directions, batch, units", elementType)) ||
      failed(checkShape(emitError, adaptor.getPeephole(), "peephole",
                        {dims->directions, 3 * dims->units},
                        "directions, 3 * units", elementType)) ||
      failed(checkClip(emitError, "cell_clip", adaptor.getCellClip())))
    return failure();
  return success();
}
RecurrentDims LSTMOp::getDims() { return getRecurrentDims(*this); }
SmallVector<RecurrentActivation> LSTMOp::getActivationsOf(int64_t direction) {
  return getFunctions(*this, direction, {"sigmoid", "tanh", "tanh"});
}

LogicalResult GRUOp::inferTypes(EmitErrorFn emitError, Adaptor adaptor,
                                SmallVectorImpl<Type> &types) {
  return inferRecurrent(emitError, adaptor, /*gates=*/3, /*functions=*/2,
                        types);
}
RecurrentDims GRUOp::getDims() { return getRecurrentDims(*this); }
SmallVector<RecurrentActivation> GRUOp::getActivationsOf(int64_t direction) {
  return getFunctions(*this, direction, {"sigmoid", "tanh"});
}

LogicalResult RNNOp::inferTypes(EmitErrorFn emitError, Adaptor adaptor,
                                SmallVectorImpl<Type> &types) {
  return inferRecurrent(emitError, adaptor, /*gates=*/1, /*functions=*/1,
                        types);
}
RecurrentDims RNNOp::getDims() { return getRecurrentDims(*this); }
SmallVector<RecurrentActivation> RNNOp::getActivationsOf(int64_t direction) {
  return getFunctions(*this, direction, {"tanh"});
}
