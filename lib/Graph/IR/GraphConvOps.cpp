//===- GraphConvOps.cpp - Convolutions ------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::graph;
using namespace uma::graph::detail;

/// Returns the sizes of dimensions `dims` of a tensor.
static SpatialVector getSizes(RankedTensorType type, ArrayRef<int64_t> dims) {
  SpatialVector sizes;
  for (int64_t dim : dims)
    sizes.push_back(type.getDimSize(dim));
  return sizes;
}

/// Checks that no size of a kernel is 0.
static LogicalResult checkKernel(EmitErrorFn emitError,
                                 ArrayRef<int64_t> kernel) {
  if (llvm::all_of(kernel, [](int64_t size) { return size >= 1; }))
    return success();
  return emitError() << "weight has a kernel of " << formatShape(kernel)
                     << ", expected at least "
                     << formatShape(SpatialVector(kernel.size(), 1));
}

//===----------------------------------------------------------------------===//
// Conv2dOp, Conv3dOp
//===----------------------------------------------------------------------===//

template <typename AdaptorT>
static FailureOr<RankedTensorType>
inferConvType(EmitErrorFn emitError, AdaptorT adaptor, int64_t rank) {
  auto layout = checkDataLayout(emitError, adaptor.getDataLayout(), rank);
  if (failed(layout))
    return failure();
  auto kernelLayout =
      checkKernelLayout(emitError, adaptor.getKernelLayout(), rank);
  if (failed(kernelLayout))
    return failure();
  auto data = getTensorOfRank(emitError, adaptor.getData(), "data", rank + 2,
                              adaptor.getDataLayout(), Elements::WithQuantized);
  if (failed(data))
    return failure();
  auto weight =
      getTensorOfRank(emitError, adaptor.getWeight(), "weight", rank + 2,
                      adaptor.getKernelLayout(), Elements::WithQuantized);
  if (failed(weight))
    return failure();

  auto groups = static_cast<int64_t>(adaptor.getGroups());
  int64_t inChannels = data->getDimSize(layout->c);
  int64_t outChannels = weight->getDimSize(kernelLayout->o);
  int64_t groupChannels = weight->getDimSize(kernelLayout->i);
  if (failed(checkGroups(emitError, groups, inChannels)))
    return failure();
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

  Window window;
  window.input = getSizes(*data, layout->spatial);
  window.kernel = getSizes(*weight, kernelLayout->spatial);
  if (failed(checkKernel(emitError, window.kernel)) ||
      failed(inferWindow(emitError, window, adaptor.getStrides(),
                         adaptor.getPadding(), adaptor.getDilations(),
                         /*needsData=*/false)))
    return failure();
  auto elementType =
      inferContractionType(emitError, *data, *weight, adaptor.getOutDtype(),
                           kernelLayout->o, layout->c);
  if (failed(elementType))
    return failure();
  SmallVector<int64_t> shape(rank + 2);
  shape[layout->n] = data->getDimSize(layout->n);
  shape[layout->c] = outChannels;
  for (int64_t dim = 0; dim < rank; ++dim)
    shape[layout->spatial[dim]] = window.getOutput(dim);
  return makeResult(emitError, shape, *elementType);
}

template <typename ConvOp>
static ConvDims getConvDims(ConvOp op) {
  WindowLayout layout = *WindowLayout::parse(op.getDataLayout());
  KernelLayout kernelLayout = *KernelLayout::parse(op.getKernelLayout());
  RankedTensorType data = op.getData().getType();
  RankedTensorType weight = op.getWeight().getType();
  ConvDims dims;
  dims.batch = data.getDimSize(layout.n);
  dims.inChannels = data.getDimSize(layout.c);
  dims.outChannels = weight.getDimSize(kernelLayout.o);
  dims.groups = op.getGroups();
  dims.window = makeWindow(getSizes(data, layout.spatial),
                           getSizes(weight, kernelLayout.spatial),
                           op.getStrides(), op.getPadding(), op.getDilations());
  return dims;
}

static int64_t getConvMACs(const ConvDims &dims) {
  SmallVector<int64_t> loops = {dims.batch, dims.outChannels,
                                dims.inChannels / dims.groups};
  for (int64_t dim = 0; dim < dims.window.getRank(); ++dim)
    loops.append({dims.window.getOutput(dim), dims.window.kernel[dim]});
  // The sizes of both tensors fit into an int64_t; the number of MACs may not.
  return checkedProduct(loops).value_or(std::numeric_limits<int64_t>::max());
}

namespace {
/// conv(pad(x)) -> conv(x) with a larger padding. This avoids a copy of the
/// data, and accelerators' patterns match independently of whether the exporter
/// emits a separate pad.
template <typename ConvOp>
struct AbsorbPad : OpRewritePattern<ConvOp> {
  using OpRewritePattern<ConvOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getData().template getDefiningOp<PadOp>();
    if (!pad)
      return rewriter.notifyMatchFailure(op, "data is not padded");
    if (pad.getPadMode() != "constant" || !pad.getPadValue().isZero())
      return rewriter.notifyMatchFailure(op,
                                         "padded with another value than 0");
    WindowLayout layout = *WindowLayout::parse(op.getDataLayout());
    ArrayRef<int64_t> before = pad.getPadBefore(), after = pad.getPadAfter();
    for (int64_t dim : {layout.n, layout.c})
      if (before[dim] != 0 || after[dim] != 0)
        return rewriter.notifyMatchFailure(op, "batch or channels are padded");
    // No overflow: the sums are at most the verified size of the padded data.
    SmallVector<int64_t> sums(op.getPadding());
    for (auto [index, dim] : llvm::enumerate(layout.spatial)) {
      sums[index] += before[dim];
      sums[layout.spatial.size() + index] += after[dim];
    }
    rewriter.modifyOpInPlace(op, [&] {
      op.getDataMutable().assign(pad.getData());
      op.setPadding(sums);
    });
    return success();
  }
};
} // namespace

FailureOr<RankedTensorType> Conv2dOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  return inferConvType(emitError, adaptor, 2);
}
ConvDims Conv2dOp::getDims() { return getConvDims(*this); }
Window Conv2dOp::getWindow() { return getDims().window; }
std::optional<double> Conv2dOp::getPaddingNumber() { return 0; }
int64_t Conv2dOp::getMACs() { return getConvMACs(getDims()); }
void Conv2dOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<AbsorbPad<Conv2dOp>>(context);
}

FailureOr<RankedTensorType> Conv3dOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  return inferConvType(emitError, adaptor, 3);
}
ConvDims Conv3dOp::getDims() { return getConvDims(*this); }
Window Conv3dOp::getWindow() { return getDims().window; }
std::optional<double> Conv3dOp::getPaddingNumber() { return 0; }
int64_t Conv3dOp::getMACs() { return getConvMACs(getDims()); }
void Conv3dOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<AbsorbPad<Conv3dOp>>(context);
}

//===----------------------------------------------------------------------===//
// Conv2dTransposeOp, Conv3dTransposeOp
//===----------------------------------------------------------------------===//

/// Returns `lhs + rhs * factor`, or std::nullopt if `lhs` is std::nullopt or
/// the result does not fit into an int64_t.
static std::optional<int64_t> addProduct(std::optional<int64_t> lhs,
                                         int64_t rhs, int64_t factor) {
  int64_t product, sum;
  if (!lhs || llvm::MulOverflow(rhs, factor, product) ||
      llvm::AddOverflow(*lhs, product, sum))
    return std::nullopt;
  return sum;
}

template <typename AdaptorT>
static FailureOr<RankedTensorType>
inferConvTransposeType(EmitErrorFn emitError, AdaptorT adaptor, int64_t rank) {
  StringRef layout = rank == 2 ? "NCHW" : "NCDHW";
  auto data =
      getTensorOfRank(emitError, adaptor.getData(), "data", rank + 2, layout);
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  auto weight = getTensorOfRank(emitError, adaptor.getWeight(), "weight",
                                rank + 2, rank == 2 ? "IOHW" : "IODHW");
  if (failed(weight) ||
      failed(checkElementType(emitError, "weight", *weight, "data",
                              data->getElementType())))
    return failure();
  auto groups = static_cast<int64_t>(adaptor.getGroups());
  int64_t inChannels = data->getDimSize(1);
  if (failed(checkGroups(emitError, groups, inChannels)))
    return failure();
  if (weight->getDimSize(0) != inChannels)
    return emitError() << "weight has " << weight->getDimSize(0)
                       << " input channels, expected " << inChannels
                       << ", the channels of data; weight has shape "
                       << formatShape(weight->getShape()) << " in layout "
                       << (rank == 2 ? "IOHW" : "IODHW");
  ArrayRef<int64_t> kernel = weight->getShape().drop_front(2);
  ArrayRef<int64_t> outputPadding = adaptor.getOutputPadding();
  if (failed(checkKernel(emitError, kernel)) ||
      failed(checkWindowSizes(emitError, rank, adaptor.getStrides(),
                              adaptor.getPadding(), adaptor.getDilations())) ||
      failed(checkSizes(emitError, "output_padding", outputPadding, rank, 0,
                        "one for each spatial dimension")))
    return failure();

  std::optional<int64_t> outChannels =
      addProduct(0, weight->getDimSize(1), groups);
  if (!outChannels)
    return emitError() << "result would have 2^63 or more channels";
  SmallVector<int64_t> shape = {data->getDimSize(0), *outChannels};
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t input = data->getDimSize(dim + 2);
    if (input < 1)
      return emitError() << "data has shape " << formatShape(data->getShape())
                         << ", expected spatial sizes of at least 1";
    std::optional<int64_t> size = 1;
    size = addProduct(size, input - 1, adaptor.getStrides()[dim]);
    size = addProduct(size, kernel[dim] - 1, adaptor.getDilations()[dim]);
    size = addProduct(size, outputPadding[dim], 1);
    size = addProduct(size, adaptor.getPadding()[dim], -1);
    size = addProduct(size, adaptor.getPadding()[dim + rank], -1);
    if (!size)
      return emitError() << "result would have 2^63 or more elements";
    if (*size < 1)
      return emitError() << "padding " << adaptor.getPadding()[dim] << " and "
                         << adaptor.getPadding()[dim + rank]
                         << " leaves nothing of spatial dimension " << dim
                         << " of the result";
    shape.push_back(*size);
  }
  return makeResult(emitError, shape, data->getElementType());
}

template <typename ConvOp>
static Window getTransposedWindow(ConvOp op) {
  return makeWindow(op.getType().getShape().drop_front(2),
                    op.getWeight().getType().getShape().drop_front(2),
                    op.getStrides(), op.getPadding(), op.getDilations());
}

FailureOr<RankedTensorType> Conv2dTransposeOp::inferType(EmitErrorFn emitError,
                                                         Adaptor adaptor) {
  return inferConvTransposeType(emitError, adaptor, 2);
}
Window Conv2dTransposeOp::getResultWindow() {
  return getTransposedWindow(*this);
}

FailureOr<RankedTensorType> Conv3dTransposeOp::inferType(EmitErrorFn emitError,
                                                         Adaptor adaptor) {
  return inferConvTransposeType(emitError, adaptor, 3);
}
Window Conv3dTransposeOp::getResultWindow() {
  return getTransposedWindow(*this);
}

//===----------------------------------------------------------------------===//
// DeformableConv2dOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> DeformableConv2dOp::inferType(EmitErrorFn emitError,
                                                          Adaptor adaptor) {
  auto data = getTensorOfRank(emitError, adaptor.getData(), "data", 4, "NCHW");
  if (failed(data) || failed(checkFloat(emitError, "data", *data)))
    return failure();
  auto weight =
      getTensorOfRank(emitError, adaptor.getWeight(), "weight", 4, "OIHW");
  if (failed(weight) ||
      failed(checkElementType(emitError, "weight", *weight, "data",
                              data->getElementType())))
    return failure();
  auto groups = static_cast<int64_t>(adaptor.getGroups());
  auto offsetGroups = static_cast<int64_t>(adaptor.getOffsetGroups());
  int64_t inChannels = data->getDimSize(1), outChannels = weight->getDimSize(0);
  if (failed(checkGroups(emitError, groups, inChannels)))
    return failure();
  if (offsetGroups < 1 || inChannels % offsetGroups != 0)
    return emitError() << "offset_groups is " << offsetGroups
                       << ", expected a divisor of the " << inChannels
                       << " channels of data";
  if (weight->getDimSize(1) != inChannels / groups || outChannels % groups != 0)
    return emitError() << "weight has shape " << formatShape(weight->getShape())
                       << " (OIHW), expected " << inChannels / groups
                       << " input channels and a multiple of " << groups
                       << " output channels";
  Window window;
  window.input = getSizes(*data, {2, 3});
  window.kernel = getSizes(*weight, {2, 3});
  if (failed(checkKernel(emitError, window.kernel)) ||
      failed(inferWindow(emitError, window, adaptor.getStrides(),
                         adaptor.getPadding(), adaptor.getDilations(),
                         /*needsData=*/false)))
    return failure();
  int64_t batch = data->getDimSize(0);
  int64_t height = window.getOutput(0), width = window.getOutput(1);
  std::optional<int64_t> taps =
      checkedProduct({offsetGroups, window.kernel[0], window.kernel[1], 2});
  if (!taps)
    return emitError() << "weight has 2^63 or more taps";
  auto check = [&](Value operand, StringRef name,
                   int64_t channels) -> LogicalResult {
    auto type = getTensor(emitError, operand, name);
    if (failed(type))
      return failure();
    SmallVector<int64_t> expected = {batch, channels, height, width};
    if (type->getShape() != ArrayRef(expected))
      return emitError() << name << " has shape "
                         << formatShape(type->getShape()) << ", expected "
                         << formatShape(expected);
    return checkElementType(emitError, name, *type, "data",
                            data->getElementType());
  };
  if (failed(check(adaptor.getOffset(), "offset", *taps)) ||
      (adaptor.getMask() &&
       failed(check(adaptor.getMask(), "mask", *taps / 2))))
    return failure();
  return makeResult(emitError, {batch, outChannels, height, width},
                    data->getElementType());
}

Window DeformableConv2dOp::getWindow() {
  return makeWindow(getSizes(getData().getType(), {2, 3}),
                    getSizes(getWeight().getType(), {2, 3}), getStrides(),
                    getPadding(), getDilations());
}

int64_t DeformableConv2dOp::getMACs() {
  RankedTensorType weight = getWeight().getType();
  return getConvMACs({getData().getType().getDimSize(0),
                      getData().getType().getDimSize(1), weight.getDimSize(0),
                      int64_t(getGroups()), getWindow()});
}

//===----------------------------------------------------------------------===//
// Col2ImOp
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> Col2ImOp::inferType(EmitErrorFn emitError,
                                                Adaptor adaptor) {
  auto data = getTensorOfRank(emitError, adaptor.getData(), "data", 3,
                              "batch, elements of a window, windows");
  if (failed(data))
    return failure();
  ArrayRef<int64_t> image = adaptor.getImageShape();
  ArrayRef<int64_t> block = adaptor.getBlockShape();
  if (image.empty())
    return emitError() << "image_shape has no elements, expected at least 1";
  if (failed(checkSizes(emitError, "image_shape", image, image.size(), 1,
                        "one for each spatial dimension")) ||
      failed(checkSizes(emitError, "block_shape", block, image.size(), 1,
                        "one for each spatial dimension")))
    return failure();
  Window window;
  window.input = SpatialVector(image);
  window.kernel = SpatialVector(block);
  if (failed(inferWindow(emitError, window, adaptor.getStrides(),
                         adaptor.getPadding(), adaptor.getDilations(),
                         /*needsData=*/false)))
    return failure();
  SmallVector<int64_t> counts;
  for (size_t dim = 0; dim < image.size(); ++dim)
    counts.push_back(window.getOutput(dim));
  std::optional<int64_t> windows = checkedProduct(counts);
  std::optional<int64_t> taps = checkedProduct(block);
  if (!windows || !taps)
    return emitError() << "image and block have 2^63 or more elements";
  if (data->getDimSize(2) != *windows)
    return emitError() << "data has shape " << formatShape(data->getShape())
                       << ", expected " << *windows
                       << " in its last dimension, the number of windows";
  if (data->getDimSize(1) % *taps != 0)
    return emitError() << "data has shape " << formatShape(data->getShape())
                       << ", expected a multiple of " << *taps
                       << " in dimension 1, the elements of a window";
  SmallVector<int64_t> shape = {data->getDimSize(0),
                                data->getDimSize(1) / *taps};
  shape.append(image.begin(), image.end());
  return makeResult(emitError, shape, data->getElementType());
}

Window Col2ImOp::getResultWindow() {
  return makeWindow(getImageShape(), getBlockShape(), getStrides(),
                    getPadding(), getDilations());
}
