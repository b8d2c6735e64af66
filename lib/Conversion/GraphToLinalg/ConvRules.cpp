//===- ConvRules.cpp - Convolutions as linalg -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// linalg has named convolutions for certain layouts. Weights in other layouts
// are transposed to one of these. Grouped convolutions, in any layout, become a
// linalg.generic on data with split channels.
//
//===----------------------------------------------------------------------===//

#include "LinalgBuilder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace uma;

/// Pads the data with zeros, since named convolutions have no padding.
static Value padSpatial(LinalgBuilder &b, Value data,
                        ArrayRef<int64_t> spatialDims,
                        const graph::Window &window) {
  SmallVector<int64_t> before(LinalgBuilder::getShape(data).size(), 0);
  SmallVector<int64_t> after = before;
  for (auto [i, dim] : llvm::enumerate(spatialDims)) {
    before[dim] = window.padBegin[i];
    after[dim] = window.padEnd[i];
  }
  Value zero = b.scalar(LinalgBuilder::getElement(data), 0);
  return b.pad(data, before, after, zero);
}

template <typename NamedOp>
static Value createNamed(LinalgBuilder &b, Value data, Value weight, Value init,
                         const graph::Window &window) {
  auto strides = b.builder.getI64TensorAttr(window.strides);
  auto dilations = b.builder.getI64TensorAttr(window.dilations);
  return NamedOp::create(b.builder, b.loc, TypeRange{init.getType()},
                         ValueRange{data, weight}, ValueRange{init}, strides,
                         dilations)
      ->getResult(0);
}

/// Builds a convolution without groups as a named operation.
template <typename ConvOp>
static Value createDirect(LinalgBuilder &b, ConvOp op, Value data, Value weight,
                          Value init, const graph::Window &window) {
  auto kernel = *graph::KernelLayout::parse(op.getKernelLayout());
  auto toLayout = [&](bool channelsFirst) {
    auto axes = llvm::to_vector<5>(kernel.spatial);
    if (channelsFirst)
      axes.insert(axes.begin(), {kernel.o, kernel.i});
    else
      axes.append({kernel.i, kernel.o});
    return llvm::is_sorted(axes) ? weight : b.transpose(weight, axes);
  };
  if constexpr (std::is_same_v<ConvOp, graph::Conv3dOp>) {
    if (op.getDataLayout() == "NCDHW")
      return createNamed<linalg::Conv3DNcdhwFcdhwOp>(b, data, toLayout(true),
                                                     init, window);
    return createNamed<linalg::Conv3DNdhwcDhwcfOp>(b, data, toLayout(false),
                                                   init, window);
  } else {
    if (op.getDataLayout() == "NCHW")
      return createNamed<linalg::Conv2DNchwFchwOp>(b, data, toLayout(true),
                                                   init, window);
    if (op.getKernelLayout() == "OHWI")
      return createNamed<linalg::Conv2DNhwcFhwcOp>(b, data, weight, init,
                                                   window);
    return createNamed<linalg::Conv2DNhwcHwcfOp>(b, data, toLayout(false), init,
                                                 window);
  }
}

/// Builds a convolution with groups: dimension `c` of data and result and the
/// output channels of the weights are split in two, the first of which is the
/// group.
static Value createGrouped(LinalgBuilder &b, Value data, Value weight,
                           Value init, const graph::WindowLayout &layout,
                           const graph::KernelLayout &kernel, int64_t groups,
                           const graph::Window &window) {
  auto split = [&](Value tensor, int64_t dim) {
    SmallVector<int64_t> shape(LinalgBuilder::getShape(tensor));
    shape[dim] /= groups;
    shape.insert(shape.begin() + dim, groups);
    return b.reshape(tensor, shape);
  };
  // Loops: batch, group, output channel, spatial positions; then the
  // reductions: input channel, kernel positions.
  int64_t rank = window.getRank();
  auto place = [&](int64_t i) { return b.dim(3 + i); };
  auto tap = [&](int64_t i) { return b.dim(4 + rank + i); };
  AffineExpr batch = b.dim(0), group = b.dim(1), out = b.dim(2),
             in = b.dim(3 + rank);
  SmallVector<bool> reduces(3 + rank, false);
  reduces.append(1 + rank, true);

  auto getData = [&](AffineExpr channel, auto getSpatial) {
    SmallVector<AffineExpr> at(rank + 2);
    at[layout.n] = batch;
    at[layout.c] = channel;
    for (auto [i, dim] : llvm::enumerate(layout.spatial))
      at[dim] = getSpatial(i);
    at.insert(at.begin() + layout.c, group);
    return at;
  };
  SmallVector<AffineExpr> kernelAt(rank + 2);
  kernelAt[kernel.o] = out;
  kernelAt[kernel.i] = in;
  for (auto [i, dim] : llvm::enumerate(kernel.spatial))
    kernelAt[dim] = tap(i);
  kernelAt.insert(kernelAt.begin() + kernel.o, group);

  SmallVector<int64_t> shape(LinalgBuilder::getShape(init));
  LinalgBuilder::Operand splitData{
      split(data, layout.c), getData(in, [&](int64_t i) {
        return place(i) * window.strides[i] + tap(i) * window.dilations[i];
      })};
  LinalgBuilder::Operand splitWeight{split(weight, kernel.o), kernelAt};
  LinalgBuilder::Operand splitInit{split(init, layout.c), getData(out, place)};
  Value result = b.reduceInto(splitInit, reduces, {splitData, splitWeight},
                              [](LayerBuilder &e, ValueRange x) {
                                return e.add(x[2], e.mul(x[0], x[1]));
                              });
  return b.reshape(result, shape);
}

template <typename ConvOp>
static Value convertConv(LinalgBuilder &b, ConvOp op) {
  graph::ConvDims dims = op.getDims();
  auto layout = *graph::WindowLayout::parse(op.getDataLayout());
  auto kernel = *graph::KernelLayout::parse(op.getKernelLayout());
  auto type = op.getType();
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  Value data = op.getData(), weight = op.getWeight();
  // Named operations widen integers, but do not narrow floats.
  if (isa<FloatType>(sumType)) {
    data = b.convert(data, sumType);
    weight = b.convert(weight, sumType);
  }
  data = padSpatial(b, data, layout.spatial, dims.window);
  Value init = b.filled(type.getShape(), b.scalar(sumType, 0));
  Value result = dims.groups == 1
                     ? createDirect(b, op, data, weight, init, dims.window)
                     : createGrouped(b, data, weight, init, layout, kernel,
                                     dims.groups, dims.window);
  return b.convert(result, type.getElementType());
}

/// Converts a transposed convolution to a convolution of the zero-upsampled
/// data with the mirrored kernel.
template <typename ConvOp>
static Value convertConvTranspose(LinalgBuilder &b, ConvOp op) {
  auto type = op.getType();
  graph::Window window = op.getResultWindow();
  int64_t rank = window.getRank();
  Type sumType = LayerBuilder::getComputeType(type.getElementType());
  Value data = b.convert(op.getData(), sumType);
  Value weight = b.convert(op.getWeight(), sumType);
  SmallVector<int64_t> dataShape(LinalgBuilder::getShape(data));
  SmallVector<int64_t> weightShape(LinalgBuilder::getShape(weight));

  SmallVector<int64_t> spread = {dataShape[0], dataShape[1]};
  SmallVector<int64_t> offsets = {0, 0}, strides = {1, 1};
  SmallVector<int64_t> full = {dataShape[0], type.getDimSize(1)}, cut = {0, 0};
  graph::Window direct = window;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t margin = window.getExtent(i) - 1;
    int64_t elements = (dataShape[i + 2] - 1) * window.strides[i] + 1;
    // If output_padding extends beyond the last window, append zeros.
    int64_t more = std::max<int64_t>(
        0, window.padBegin[i] + type.getDimSize(i + 2) - elements - margin);
    spread.push_back(elements + 2 * margin + more);
    offsets.push_back(margin);
    strides.push_back(window.strides[i]);
    full.push_back(elements + margin + more);
    cut.push_back(window.padBegin[i]);
    direct.strides[i] = 1;
  }
  Value zeros = b.filled(spread, b.scalar(sumType, 0));
  data = b.insert(data, zeros, offsets, strides);

  // [C, O / groups, K...] mirrored becomes [O, C / groups, K...].
  int64_t groups = op.getGroups(), outs = weightShape[1];
  int64_t ins = weightShape[0] / groups;
  SmallVector<int64_t> kernelShape = {groups * outs, ins};
  kernelShape.append(weightShape.begin() + 2, weightShape.end());
  SmallVector<int64_t> groupedShape = {groups, ins, outs};
  groupedShape.append(weightShape.begin() + 2, weightShape.end());
  SmallVector<int64_t> axes = {0, 2, 1};
  for (int64_t i = 0; i < rank; ++i)
    axes.push_back(3 + i);
  weight = b.transpose(b.reshape(weight, groupedShape), axes);
  weight = b.reshape(weight, kernelShape);
  Value mirrored = b.mapIndices(
      kernelShape, sumType, {}, [&](LayerBuilder &e, ValueRange at) -> Value {
        SmallVector<Value> from(at.begin(), at.end());
        for (int64_t i = 0; i < rank; ++i)
          from[i + 2] =
              e.apply(e.expr(kernelShape[i + 2] - 1) - e.dim(0), {at[i + 2]});
        return tensor::ExtractOp::create(e.builder, e.loc, weight, from);
      });

  Value init = b.filled(full, b.scalar(sumType, 0));
  StringRef names[] = {"NCHW", "OIHW", "NCDHW", "OIDHW"};
  auto layout = *graph::WindowLayout::parse(names[rank == 3 ? 2 : 0]);
  auto kernel = *graph::KernelLayout::parse(names[rank == 3 ? 3 : 1]);
  Value result =
      createGrouped(b, data, mirrored, init, layout, kernel, groups, direct);
  return b.convert(b.extract(result, cut, type.getShape()),
                   type.getElementType());
}

void uma::populateLinalgConvRules(LinalgRules &rules) {
  rules.add<graph::Conv2dOp>(convertConv<graph::Conv2dOp>);
  rules.add<graph::Conv3dOp>(convertConv<graph::Conv3dOp>);
  rules.add<graph::Conv2dTransposeOp>(
      convertConvTranspose<graph::Conv2dTransposeOp>);
  rules.add<graph::Conv3dTransposeOp>(
      convertConvTranspose<graph::Conv3dTransposeOp>);
}
