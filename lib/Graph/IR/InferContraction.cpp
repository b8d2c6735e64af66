//===- InferContraction.cpp - Types of sums of products -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

/// Returns the type of sums of products of quantized data and weights.
static FailureOr<Type> inferQuantizedSums(EmitErrorFn emitError,
                                          RankedTensorType data,
                                          RankedTensorType weight,
                                          int64_t weightAxis,
                                          int64_t resultAxis) {
  Type dataType = data.getElementType(), weightType = weight.getElementType();
  if (!isQuantized(dataType) || !isQuantized(weightType))
    return emitError() << "data has element type " << dataType
                       << " and weight has element type " << weightType
                       << ", expected both quantized or none";
  for (auto [name, type] :
       {std::pair("data", dataType), {"weight", weightType}})
    if (getStorageElementType(type).getIntOrFloatBitWidth() > 8)
      return emitError() << name << " has element type " << type
                         << ", expected a storage type of at most 8 bits";
  Quantization dataScale = Quantization::of(dataType);
  Quantization weightScale = Quantization::of(weightType);
  if (dataScale.axis)
    return emitError() << "data has element type " << dataType
                       << ", expected one scale for the tensor";
  if (weightScale.axis && *weightScale.axis != weightAxis)
    return emitError() << "weight has a scale for each index of axis "
                       << *weightScale.axis << ", expected axis " << weightAxis
                       << ", its output channels";
  // A product of two numbers of f32 is exact in a double.
  SmallVector<double> scales;
  for (double scale : weightScale.scales)
    scales.push_back(dataScale.scales.front() * scale);
  SmallVector<int64_t> zeroPoints(scales.size(), 0);
  std::optional<int64_t> axis;
  if (weightScale.axis)
    axis = resultAxis;
  Type sums = makeQuantizedType(data.getContext(), 32, /*isSigned=*/true,
                                scales, zeroPoints, axis);
  if (!sums)
    return emitError() << "the scales of data and weight multiply to a number "
                          "that f32 cannot hold";
  return sums;
}

FailureOr<Type> graph::detail::inferContractionType(
    EmitErrorFn emitError, RankedTensorType data, RankedTensorType weight,
    std::optional<Type> outType, int64_t weightAxis, int64_t resultAxis) {
  Type dataType = data.getElementType(), weightType = weight.getElementType();
  if (isQuantized(dataType) || isQuantized(weightType)) {
    if (outType)
      return emitError() << "out_dtype is " << *outType
                         << ", expected none for quantized data: sums are i32";
    return inferQuantizedSums(emitError, data, weight, weightAxis, resultAxis);
  }
  if (isa<FloatType>(dataType)) {
    if (failed(checkElementType(emitError, "weight", weight, "data", dataType)))
      return failure();
    if (!outType)
      return dataType;
    if (!isa<FloatType>(*outType) ||
        outType->getIntOrFloatBitWidth() < dataType.getIntOrFloatBitWidth())
      return emitError() << "out_dtype is " << *outType << ", expected "
                         << dataType
                         << " or a wider float type for data of element type "
                         << dataType;
    return *outType;
  }

  if (!isa<IntegerType>(weightType))
    return emitError() << "weight has element type " << weightType
                       << ", expected an integer type as data, which has "
                       << dataType;
  unsigned dataWidth = dataType.getIntOrFloatBitWidth();
  unsigned weightWidth = weightType.getIntOrFloatBitWidth();
  // A product of two n-bit numbers has 2n bits. Frameworks accumulate in 32
  // bits, independently of the data.
  unsigned width = std::max(
      {dataWidth, weightWidth, std::min(dataWidth + weightWidth, 32u)});
  if (!outType)
    return emitError() << "data has the integer element type " << dataType
                       << ", which is too narrow to accumulate in; add an "
                          "out_dtype, for example `out_dtype i"
                       << std::max(width, 32u) << "`";
  if (!isa<IntegerType>(*outType) || outType->getIntOrFloatBitWidth() < width)
    return emitError() << "out_dtype is " << *outType
                       << ", expected an integer type of at least " << width
                       << " bits to hold products of " << dataType << " and "
                       << weightType;
  return *outType;
}
