//===- MatchQuantization.cpp - Quantized tensors of a match ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// An element type of a pattern matches quantized tensors that store it. As for
// attributes, the pattern must mention what changes the result: a zero point
// that is not 0, and (PatternOp's verifier) the factor of a requantize.
//
//===----------------------------------------------------------------------===//

#include "MatchAttempt.h"

#include "uma/Accel/IR/QuantFunctions.h"
#include "uma/Accel/IR/TensorSize.h"
#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/HostTensor.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

static bool isQuantizedTensor(Value value) {
  return value && isQuantized(getElementTypeOrSelf(value.getType()));
}

/// Returns whether an operator only moves or selects stored integers.
static bool isMove(Operation *op) {
  return isa<graph::ReshapeOp, graph::BatchFlattenOp, graph::TransposeOp,
             graph::ConcatenateOp, graph::StridedSliceOp, graph::MaxPool2dOp,
             graph::MaxPool3dOp>(op);
}

/// Describes the zero points of a tensor that are not 0; empty if there are
/// none.
static std::string describeZeroPoint(Value value) {
  Quantization type = Quantization::of(getElementTypeOrSelf(value.getType()));
  if (type.isSymmetric())
    return "";
  if (llvm::all_equal(type.zeroPoints))
    return "the zero point " + std::to_string(type.zeroPoints.front());
  return "a zero point for each channel";
}

LogicalResult QuantizationCheck::checkZeroPoints() {
  llvm::DenseSet<Value> read;
  for (Operation &op : attempt.pattern.getBody().front()) {
    auto array = dyn_cast<ArrayOp>(op);
    if (auto number = dyn_cast<ZeroPointOp>(op))
      read.insert(attempt.match.tensors.lookup(number.getTensor()));
    else if (array && array.getFunction() == "zero_point")
      read.insert(attempt.match.tensors.lookup(array.getTensor()));
  }
  auto check = [&](Operation *op, Value value, Value tensor) {
    if (!isQuantizedTensor(value) || read.contains(value))
      return success();
    std::string found = describeZeroPoint(value);
    if (found.empty())
      return success();
    std::string name = getTensorName(tensor);
    return attempt.fail(
        op, name + " has " + found +
                ", which the pattern does not mention; zero_point(" + name +
                ") in its call would take it");
  };
  for (OperatorOp opOp : attempt.pattern.getBody().getOps<OperatorOp>()) {
    Operation *op = attempt.bound.lookup(opOp);
    if (!op)
      continue;
    auto isQuantizedType = [](Type type) {
      return isQuantized(getElementTypeOrSelf(type));
    };
    if (attempt.pattern.isLowered() &&
        (llvm::any_of(op->getOperandTypes(), isQuantizedType) ||
         isQuantizedTensor(op->getResult(0)))) {
      if (failed(attempt.fail(
              op, "is computed on quantized tensors, of which 'lower' "
                  "makes no loops; only calls take them")))
        return failure();
      continue;
    }
    if (isMove(op))
      continue;
    for (OpOperand &operand : op->getOpOperands())
      if (failed(check(op, operand.get(),
                       attempt.match.getChosenTensor(
                           attempt.match.operands.lookup(&operand)))))
        return failure();
    if (failed(check(op, op->getResult(0), opOp.getResult())))
      return failure();
  }
  return success();
}

/// Returns the values of a function for the channels of a tensor.
static SmallVector<double> getValues(const Match &match, StringRef function,
                                     Value tensor) {
  return getChannelValues(function, tensor, [&](Value other) {
    RankedTensorType type = match.getGraphType(other);
    return type ? type.getElementType() : Type();
  });
}

LogicalResult QuantizationCheck::failWithoutNumber(Operation *function) {
  Value tensor = function->getOperand(0);
  StringRef name = function->getName().stripDialect().rsplit('.').second;
  size_t count = getValues(attempt.match, name, tensor).size();
  return attempt.fail(attempt.getPlace(tensor),
                      getNumberName(function) +
                          " has no single value: there are " + Twine(count) +
                          ", one for each channel; " + name + "(" +
                          getTensorName(tensor) + ", " + Twine(count) +
                          ") is an array of them, for calls");
}

LogicalResult QuantizationCheck::checkArrays() {
  for (ArrayOp array : attempt.pattern.getBody().getOps<ArrayOp>()) {
    auto count = dyn_cast_or_null<IntegerAttr>(
        attempt.match.numbers.lookup(array.getCount()));
    if (!count || !attempt.match.tensors.contains(array.getTensor()))
      continue;
    std::string name = getTensorName(array);
    if (count.getInt() < 1 || count.getInt() >= kMaxTensorSize) {
      if (failed(attempt.fail(attempt.getPlace(array.getTensor()),
                              "the number of elements of the array " + name +
                                  " is " + Twine(count.getInt()) +
                                  attempt.describeNumbers(array.getCount()))))
        return failure();
      continue;
    }
    SmallVector<double> values =
        getValues(attempt.match, array.getFunction(), array.getTensor());
    if (values.size() == 1)
      values.assign(count.getInt(), values.front());
    if (int64_t(values.size()) == count.getInt())
      attempt.match.arrays[array] = std::move(values);
    else if (failed(attempt.fail(
                 attempt.getPlace(array.getTensor()),
                 name + " has " + Twine(values.size()) +
                     " values, one for each channel, the pattern wants "
                     "an array of " +
                     Twine(count.getInt()) +
                     attempt.describeNumbers(array.getCount()))))
      return failure();
  }
  return success();
}

ElementsAttr uma::accel::getArrayValue(const Match &match, ArrayOp array) {
  auto values = match.arrays.find(array);
  if (values == match.arrays.end())
    return nullptr;
  auto count = int64_t(values->second.size());
  HostTensor tensor(RankedTensorType::get({count}, array.getElementType()));
  for (auto [index, value] : llvm::enumerate(values->second))
    tensor.setDouble(int64_t(index), value);
  return tensor.toAttribute(array.getFunction());
}
