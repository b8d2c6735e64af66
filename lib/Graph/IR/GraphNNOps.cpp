//===- GraphNNOps.cpp - Neural network operators --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

//===----------------------------------------------------------------------===//
// DenseOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> DenseOp::inferType(EmitErrorFn emitError,
                                               Adaptor adaptor) {
  auto data =
      getTensor(emitError, adaptor.getData(), "data", Elements::WithQuantized);
  if (failed(data))
    return failure();
  if (data->getRank() == 0)
    return emitError() << "data is a scalar, expected rank 1 or more";
  auto weight = getTensorOfRank(emitError, adaptor.getWeight(), "weight", 2,
                                "units, in", Elements::WithQuantized);
  if (failed(weight))
    return failure();
  if (weight->getDimSize(1) != data->getShape().back())
    return emitError() << "weight has shape " << formatShape(weight->getShape())
                       << " (units, in), expected "
                       << formatShape(
                              {weight->getDimSize(0), data->getShape().back()})
                       << " as data has shape "
                       << formatShape(data->getShape());
  auto elementType =
      inferContractionType(emitError, *data, *weight, adaptor.getOutDtype(),
                           /*weightAxis=*/0, data->getRank() - 1);
  if (failed(elementType))
    return failure();
  SmallVector<int64_t> shape(data->getShape());
  shape.back() = weight->getDimSize(0);
  return makeResult(emitError, shape, *elementType);
}

//===----------------------------------------------------------------------===//
// BiasAddOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> BiasAddOp::inferType(EmitErrorFn emitError,
                                                 Adaptor adaptor) {
  auto data =
      getTensor(emitError, adaptor.getData(), "data", Elements::WithQuantized);
  if (failed(data))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            data->getRank());
  if (failed(axis) || failed(checkVectorAlongAxis(emitError, adaptor.getBias(),
                                                  "bias", *data, *axis)))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}

/// Returns whether `attribute` is a splat of zeros. Does not read resources.
static bool isZeroSplat(Attribute attribute) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(attribute);
  return splat && (matchPattern(splat, m_AnyZeroFloat()) ||
                   matchPattern(splat, m_Zero()));
}

OpFoldResult BiasAddOp::fold(FoldAdaptor adaptor) {
  // Strictly, -0.0 + 0.0 is 0.0; frameworks treat both zeros as equal in
  // inference.
  if (isZeroSplat(adaptor.getBias()))
    return getData();
  return {};
}

//===----------------------------------------------------------------------===//
// BatchNormOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> BatchNormOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            data->getRank());
  if (failed(axis))
    return failure();
  std::pair<Value, StringRef> vectors[] = {{adaptor.getGamma(), "gamma"},
                                           {adaptor.getBeta(), "beta"},
                                           {adaptor.getMean(), "mean"},
                                           {adaptor.getVariance(), "variance"}};
  for (auto [operand, name] : vectors)
    if (failed(checkVectorAlongAxis(emitError, operand, name, *data, *axis)))
      return failure();
  double epsilon = adaptor.getEpsilon().convertToDouble();
  if (!std::isfinite(epsilon) || epsilon < 0)
    return emitError() << "epsilon is " << formatNumber(epsilon)
                       << ", expected a finite number that is not negative";
  return makeResult(emitError, data->getShape(), data->getElementType());
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> SoftmaxOp::inferType(EmitErrorFn emitError,
                                                 Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)) ||
      failed(normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                           data->getRank())))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}

//===----------------------------------------------------------------------===//
// PadOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> PadOp::inferType(EmitErrorFn emitError,
                                             Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  ArrayRef<int64_t> before = adaptor.getPadBefore();
  ArrayRef<int64_t> after = adaptor.getPadAfter();
  if (failed(checkSizes(emitError, "pad_before", before, data->getRank(), 0,
                        "the rank of data")) ||
      failed(checkSizes(emitError, "pad_after", after, data->getRank(), 0,
                        "the rank of data")) ||
      failed(checkElementValue(emitError, "pad_value",
                               adaptor.getPadValue().convertToDouble(),
                               data->getElementType())))
    return failure();
  StringRef mode = adaptor.getPadMode();
  if (!llvm::is_contained({"constant", "edge", "reflect", "wrap"}, mode))
    return emitError()
           << "pad_mode is \"" << mode
           << "\", expected \"constant\", \"edge\", \"reflect\" or \"wrap\""
           << didYouMean(mode, {"constant", "edge", "reflect", "wrap"});
  SmallVector<int64_t> shape(data->getShape());
  if (mode != "constant")
    for (auto [dim, size] : llvm::enumerate(shape))
      if (size == 0 && before[dim] + after[dim] > 0)
        return emitError() << "pad_mode is \"" << mode << "\", but dimension "
                           << dim << " of data has no elements to pad with";
  for (auto [dim, size] : llvm::enumerate(shape))
    if (llvm::AddOverflow(size, before[dim], size) ||
        llvm::AddOverflow(size, after[dim], size))
      return emitError() << "dimension " << dim << " of data has size "
                         << data->getDimSize(dim) << " and is padded by "
                         << before[dim] << " and " << after[dim]
                         << ", expected fewer than 2^63 elements";
  return makeResult(emitError, shape, data->getElementType());
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  if (getData().getType() == getType())
    return getData();
  return {};
}
