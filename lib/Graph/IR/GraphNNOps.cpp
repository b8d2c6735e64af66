//===- GraphNNOps.cpp - Neural network operators --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

static FailureOr<RankedTensorType> getData2D(EmitErrorFn emitError,
                                             Value operand, StringRef layout) {
  return getTensorOfRank(emitError, operand, "data", 4, layout);
}

/// The shape of a result in `layout`.
static SmallVector<int64_t> makeShape2D(const DataLayout2D &layout, int64_t n,
                                        int64_t c, int64_t h, int64_t w) {
  SmallVector<int64_t> shape(4);
  shape[layout.n] = n;
  shape[layout.c] = c;
  shape[layout.h] = h;
  shape[layout.w] = w;
  return shape;
}

//===----------------------------------------------------------------------===//
// Conv2dOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> Conv2dOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  auto layout = checkDataLayout(emitError, adaptor.getDataLayout());
  if (failed(layout))
    return failure();
  auto kernelLayout = checkKernelLayout(emitError, adaptor.getKernelLayout());
  if (failed(kernelLayout))
    return failure();
  auto data = getData2D(emitError, adaptor.getData(), adaptor.getDataLayout());
  if (failed(data))
    return failure();
  auto weight = getTensorOfRank(emitError, adaptor.getWeight(), "weight", 4,
                                adaptor.getKernelLayout());
  if (failed(weight))
    return failure();

  auto groups = static_cast<int64_t>(adaptor.getGroups());
  int64_t inChannels = data->getDimSize(layout->c);
  int64_t outChannels = weight->getDimSize(kernelLayout->o);
  int64_t groupChannels = weight->getDimSize(kernelLayout->i);
  if (groups < 1)
    return emitError() << "groups is " << groups << ", expected at least 1";
  if (inChannels % groups != 0)
    return emitError() << "groups is " << groups
                       << ", expected a divisor of the " << inChannels
                       << " channels of data";
  if (groupChannels != inChannels / groups) {
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "weight has " << groupChannels << " input channels"
               << (groups == 1 ? "" : " per group") << ", expected "
               << inChannels / groups;
    if (groups == 1)
      diagnostic << ", the channels of data";
    else
      diagnostic << " (" << inChannels << " channels of data / " << groups
                 << " groups)";
    return diagnostic << "; weight has shape "
                      << formatShape(weight->getShape()) << " in layout "
                      << adaptor.getKernelLayout();
  }
  if (outChannels % groups != 0)
    return emitError() << "weight has " << outChannels
                       << " output channels, expected a multiple of groups, "
                       << "which is " << groups;

  Window2D window;
  window.input = {data->getDimSize(layout->h), data->getDimSize(layout->w)};
  window.kernel = {weight->getDimSize(kernelLayout->h),
                   weight->getDimSize(kernelLayout->w)};
  if (window.kernel[0] < 1 || window.kernel[1] < 1)
    return emitError() << "weight has a kernel of "
                       << formatShape(window.kernel)
                       << ", expected at least 1x1";
  if (failed(inferWindow(emitError, window, adaptor.getStrides(),
                         adaptor.getPadding(), adaptor.getDilations(),
                         /*needsData=*/false)))
    return failure();
  auto elementType =
      inferContractionType(emitError, *data, *weight, adaptor.getOutDtype());
  if (failed(elementType))
    return failure();
  return makeResult(emitError,
                    makeShape2D(*layout, data->getDimSize(layout->n),
                                outChannels, window.getOutput(0),
                                window.getOutput(1)),
                    *elementType);
}

Conv2DDims Conv2dOp::getDims() {
  DataLayout2D layout = *DataLayout2D::parse(getDataLayout());
  KernelLayout2D kernelLayout = *KernelLayout2D::parse(getKernelLayout());
  RankedTensorType data = getData().getType(), weight = getWeight().getType();
  Conv2DDims dims;
  dims.batch = data.getDimSize(layout.n);
  dims.inChannels = data.getDimSize(layout.c);
  dims.outChannels = weight.getDimSize(kernelLayout.o);
  dims.groups = getGroups();
  dims.window = makeWindow(
      {data.getDimSize(layout.h), data.getDimSize(layout.w)},
      {weight.getDimSize(kernelLayout.h), weight.getDimSize(kernelLayout.w)},
      getStrides(), getPadding(), getDilations());
  return dims;
}

Window2D Conv2dOp::getWindow() { return getDims().window; }

int64_t Conv2dOp::getMACs() {
  Conv2DDims dims = getDims();
  // Both tensors fit an int64_t, the product of their loops need not.
  return checkedProduct({dims.batch, dims.outChannels, dims.window.getOutput(0),
                         dims.window.getOutput(1),
                         dims.inChannels / dims.groups, dims.window.kernel[0],
                         dims.window.kernel[1]})
      .value_or(std::numeric_limits<int64_t>::max());
}

namespace {
/// conv2d(pad(x)) -> conv2d(x) with a larger padding. Spares a copy of the
/// data, and exporters that pad by an operator of their own then match the same
/// patterns of an accelerator as those that do not.
struct AbsorbPad : OpRewritePattern<Conv2dOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(Conv2dOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getData().getDefiningOp<PadOp>();
    if (!pad)
      return rewriter.notifyMatchFailure(op, "data is not padded");
    if (pad.getPadMode() != "constant")
      return rewriter.notifyMatchFailure(op,
                                         "padded with elements of the data");
    if (!pad.getPadValue().isZero())
      return rewriter.notifyMatchFailure(op,
                                         "padded with another value than 0");
    DataLayout2D layout = *DataLayout2D::parse(op.getDataLayout());
    ArrayRef<int64_t> before = pad.getPadBefore(), after = pad.getPadAfter();
    for (int64_t dim : {layout.n, layout.c})
      if (before[dim] != 0 || after[dim] != 0)
        return rewriter.notifyMatchFailure(op, "batch or channels are padded");
    // The sums are at most the size of the padded data, which is verified.
    ArrayRef<int64_t> padding = op.getPadding();
    int64_t sums[] = {
        padding[0] + before[layout.h], padding[1] + before[layout.w],
        padding[2] + after[layout.h], padding[3] + after[layout.w]};
    rewriter.modifyOpInPlace(op, [&] {
      op.getDataMutable().assign(pad.getData());
      op.setPadding(sums);
    });
    return success();
  }
};
} // namespace

void Conv2dOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<AbsorbPad>(context);
}

//===----------------------------------------------------------------------===//
// DenseOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> DenseOp::inferType(EmitErrorFn emitError,
                                               Adaptor adaptor) {
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  if (data->getRank() == 0)
    return emitError() << "data is a scalar, expected rank 1 or more";
  auto weight =
      getTensorOfRank(emitError, adaptor.getWeight(), "weight", 2, "units, in");
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
      inferContractionType(emitError, *data, *weight, adaptor.getOutDtype());
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
  auto data = getTensor(emitError, adaptor.getData(), "data");
  if (failed(data))
    return failure();
  auto axis = normalizeAxis(emitError, static_cast<int64_t>(adaptor.getAxis()),
                            data->getRank());
  if (failed(axis) || failed(checkVectorAlongAxis(emitError, adaptor.getBias(),
                                                  "bias", *data, *axis)))
    return failure();
  return makeResult(emitError, data->getShape(), data->getElementType());
}

/// True for a splat of zeros; never looks into large weights.
static bool isZeroSplat(Attribute attribute) {
  auto splat = dyn_cast_or_null<SplatElementsAttr>(attribute);
  return splat && (matchPattern(splat, m_AnyZeroFloat()) ||
                   matchPattern(splat, m_Zero()));
}

OpFoldResult BiasAddOp::fold(FoldAdaptor adaptor) {
  // Strictly, -0.0 + 0.0 is 0.0; the two zeros are equal in every framework's
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
// Pooling
//===----------------------------------------------------------------------===//

template <typename AdaptorT>
static FailureOr<RankedTensorType>
inferPoolType(EmitErrorFn emitError, AdaptorT adaptor, bool needsFloat) {
  auto layout = checkDataLayout(emitError, adaptor.getDataLayout());
  if (failed(layout))
    return failure();
  auto data = getData2D(emitError, adaptor.getData(), adaptor.getDataLayout());
  if (failed(data) ||
      (needsFloat && failed(checkFloat(emitError, "data", *data))) ||
      failed(checkSizes(emitError, "pool_size", adaptor.getPoolSize(), 2, 1,
                        "height and width")))
    return failure();
  Window2D window;
  window.input = {data->getDimSize(layout->h), data->getDimSize(layout->w)};
  window.kernel = {adaptor.getPoolSize()[0], adaptor.getPoolSize()[1]};
  window.ceilMode = adaptor.getCeilMode();
  if (failed(inferWindow(emitError, window, adaptor.getStrides(),
                         adaptor.getPadding(), adaptor.getDilations(),
                         /*needsData=*/true)))
    return failure();
  return makeResult(emitError,
                    makeShape2D(*layout, data->getDimSize(layout->n),
                                data->getDimSize(layout->c),
                                window.getOutput(0), window.getOutput(1)),
                    data->getElementType());
}

template <typename PoolOp>
static Window2D getPoolWindow(PoolOp op) {
  DataLayout2D layout = *DataLayout2D::parse(op.getDataLayout());
  RankedTensorType data = op.getData().getType();
  return makeWindow({data.getDimSize(layout.h), data.getDimSize(layout.w)},
                    {op.getPoolSize()[0], op.getPoolSize()[1]}, op.getStrides(),
                    op.getPadding(), op.getDilations(), op.getCeilMode());
}

FailureOr<RankedTensorType> MaxPool2dOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  return inferPoolType(emitError, adaptor, /*needsFloat=*/false);
}

Window2D MaxPool2dOp::getWindow() { return getPoolWindow(*this); }

int64_t MaxPool2dOp::getMACs() { return 0; }

FailureOr<RankedTensorType> AvgPool2dOp::inferType(EmitErrorFn emitError,
                                                   Adaptor adaptor) {
  return inferPoolType(emitError, adaptor, /*needsFloat=*/true);
}

Window2D AvgPool2dOp::getWindow() { return getPoolWindow(*this); }

int64_t AvgPool2dOp::getMACs() { return 0; }

FailureOr<RankedTensorType> GlobalAvgPool2dOp::inferType(EmitErrorFn emitError,
                                                         Adaptor adaptor) {
  auto layout = checkDataLayout(emitError, adaptor.getDataLayout());
  if (failed(layout))
    return failure();
  auto data = getData2D(emitError, adaptor.getData(), adaptor.getDataLayout());
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  if (data->getDimSize(layout->h) == 0 || data->getDimSize(layout->w) == 0)
    return emitError() << "data has shape " << formatShape(data->getShape())
                       << ", expected a height and width of at least 1";
  return makeResult(emitError,
                    makeShape2D(*layout, data->getDimSize(layout->n),
                                data->getDimSize(layout->c), 1, 1),
                    data->getElementType());
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
