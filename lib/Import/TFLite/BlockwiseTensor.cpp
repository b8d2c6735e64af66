//===- BlockwiseTensor.cpp - Constants with scales for blocks -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TensorTable.h"

using namespace mlir;
using namespace uma;
using namespace uma::tflite;

const schema::BlockwiseQuantization *
tflite::findBlocks(const schema::Tensor &tensor) {
  const schema::QuantizationParameters *parameters = tensor.quantization();
  return parameters ? parameters->details_as_BlockwiseQuantization() : nullptr;
}

FailureOr<HostTensor> TensorTable::readBlocks(int64_t index,
                                              RankedTensorType type) {
  const schema::BlockwiseQuantization &blocks = *findBlocks(getTensor(index));
  Type i8 = builder.getI8Type();
  auto stored = readConstant(index, RankedTensorType::get(type.getShape(), i8));
  if (failed(stored))
    return failure();
  int64_t size = blocks.block_size();
  int64_t inner = type.getRank() ? type.getShape().back() : 1;
  if (size < 1 || inner % size != 0)
    return errors.badInput(getTitle(index) + " of the shape " +
                           formatShape(type.getShape()) +
                           " has scales for blocks of " + Twine(size) +
                           " elements; expected a divisor of the last size");
  int64_t count = type.getNumElements() / size;
  auto read = [&](int64_t other, StringRef what) -> FailureOr<HostTensor> {
    if (other < 0 || other >= this->size() || other == index ||
        !isConstant(other) || findBlocks(getTensor(other)))
      return errors.badInput(getTitle(index) + " has blocks, but tensor " +
                             Twine(other) + " with their " + what +
                             " is no constant without blocks");
    FailureOr<RankedTensorType> otherType = getType(other);
    if (failed(otherType))
      return failure();
    if (otherType->getNumElements() != count)
      return errors.badInput(getTitle(index) + " has " + Twine(count) +
                             " blocks, but " + getTitle(other) + " has " +
                             Twine(otherType->getNumElements()) + " " + what);
    return readConstant(other, getStorageType(*otherType));
  };
  FailureOr<HostTensor> scales = read(blocks.scales(), "scales"), zeros;
  if (failed(scales))
    return failure();
  if (!scales->isFloat())
    return errors.badInput(getTitle(index) + " has blocks whose scales, " +
                           getTitle(blocks.scales()) + ", are no floats");
  bool hasZeros = blocks.zero_points() != -1;
  if (hasZeros && failed(zeros = read(blocks.zero_points(), "zero points")))
    return failure();
  HostTensor result(type);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    double zero = hasZeros ? zeros->getDouble(i / size) : 0;
    result.setDouble(i, (stored->getDouble(i) - zero) *
                            scales->getDouble(i / size));
  }
  return result;
}
