//===- WindowRules.cpp - TOSA's convolutions and pools --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// TOSA's windows are in NHWC layout, and so are the operators built here;
// uma-graph-convert-layout changes their layout.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;

/// Sets the attributes strides, dilations and padding of a graph operator. TOSA
/// has a pair of paddings per dimension.
template <typename Properties>
static void setWindow(TosaRewriter &r, Properties &properties,
                      ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations,
                      ArrayRef<int64_t> pad) {
  SmallVector<int64_t> padding;
  for (size_t side : {0, 1})
    for (size_t i = side; i < pad.size(); i += 2)
      padding.push_back(pad[i]);
  properties.strides = r.builder.getDenseI64ArrayAttr(strides);
  properties.dilations = r.builder.getDenseI64ArrayAttr(dilations);
  properties.padding = r.builder.getDenseI64ArrayAttr(padding);
}

/// Adds the bias, with one element or one per channel, along `axis`.
static Value addBias(TosaRewriter &r, Value data, Value bias, int64_t axis) {
  if (!data)
    return {};
  int64_t channels = getTensorShape(data)[axis];
  if (getTensorShape(bias)[0] != channels) {
    graph::BroadcastToOp::Properties properties;
    properties.shape = r.builder.getDenseI64ArrayAttr({channels});
    bias = r.create<graph::BroadcastToOp>({bias}, properties);
  }
  graph::BiasAddOp::Properties properties;
  properties.axis = r.builder.getI64IntegerAttr(axis);
  bias = r.createCast(bias, getElementType(data));
  return r.create<graph::BiasAddOp>({data, bias}, properties);
}

template <typename GraphOp, typename OpT>
static Value convertConv(TosaRewriter &r, OpT op, Value weight, int64_t groups,
                         StringRef kernelLayout) {
  r.requireZero(
      {{"input_zp", op.getInputZp()}, {"weight_zp", op.getWeightZp()}});
  size_t spatialRank = op.getStride().size();
  typename GraphOp::Properties properties;
  setWindow(r, properties, op.getStride(), op.getDilation(), op.getPad());
  properties.groups = r.builder.getI64IntegerAttr(groups);
  properties.data_layout =
      r.builder.getStringAttr(spatialRank == 3 ? "NDHWC" : "NHWC");
  properties.kernel_layout = r.builder.getStringAttr(kernelLayout);
  Type element = getElementType(op.getOutput());
  if (element != getElementType(op.getInput()))
    properties.out_dtype = TypeAttr::get(element);
  Value result = r.create<GraphOp>({op.getInput(), weight}, properties);
  return addBias(r, result, op.getBias(), spatialRank + 1);
}

static Value convertConv2D(TosaRewriter &r, tosa::Conv2DOp op) {
  return convertConv<graph::Conv2dOp>(r, op, op.getWeight(), 1, "OHWI");
}

static Value convertConv3D(TosaRewriter &r, tosa::Conv3DOp op) {
  return convertConv<graph::Conv3dOp>(r, op, op.getWeight(), 1, "ODHWI");
}

static Value convertDepthwise(TosaRewriter &r, tosa::DepthwiseConv2DOp op) {
  // The kernels of channel c are [:, :, c, :]; make them adjacent.
  ArrayRef<int64_t> shape = getTensorShape(op.getWeight());
  Value weight = r.createReshape(op.getWeight(),
                                 {shape[0], shape[1], 1, shape[2] * shape[3]});
  return convertConv<graph::Conv2dOp>(r, op, weight, shape[2], "HWIO");
}

static Value convertTransposeConv(TosaRewriter &r, tosa::TransposeConv2DOp op) {
  r.requireZero(
      {{"input_zp", op.getInputZp()}, {"weight_zp", op.getWeightZp()}});
  // The operator only supports NCHW.
  Value data = r.createTranspose(op.getInput(), {0, 3, 1, 2});
  Value weight = r.createTranspose(op.getWeight(), {3, 0, 1, 2});
  // Positive out_pad extends the result, negative crops it.
  ArrayRef<int64_t> outPad = op.getOutPad();
  auto cut = llvm::map_to_vector(
      outPad, [](int64_t n) { return std::max<int64_t>(0, -n); });
  graph::Conv2dTransposeOp::Properties properties;
  setWindow(r, properties, op.getStride(), {1, 1}, cut);
  Value result = r.create<graph::Conv2dTransposeOp>({data, weight}, properties);
  if (llvm::any_of(outPad, [](int64_t n) { return n > 0; })) {
    auto at = [&](size_t i) { return std::max<int64_t>(0, outPad[i]); };
    graph::PadOp::Properties pad;
    pad.pad_before = r.builder.getDenseI64ArrayAttr({0, 0, at(0), at(2)});
    pad.pad_after = r.builder.getDenseI64ArrayAttr({0, 0, at(1), at(3)});
    result = r.create<graph::PadOp>({result}, pad);
  }
  result = addBias(r, result, op.getBias(), 1);
  return result ? r.createTranspose(result, {0, 2, 3, 1}) : result;
}

template <typename GraphOp, typename OpT>
static Value convertPool(TosaRewriter &r, OpT op) {
  typename GraphOp::Properties properties;
  setWindow(r, properties, op.getStride(), {1, 1}, op.getPad());
  properties.pool_size = r.builder.getDenseI64ArrayAttr(op.getKernel());
  properties.data_layout = r.builder.getStringAttr("NHWC");
  return r.create<GraphOp>({op.getInput()}, properties);
}

static Value convertAvgPool(TosaRewriter &r, tosa::AvgPool2dOp op) {
  if (!isa<FloatType>(getElementType(op.getInput())))
    return r.fail("averages of integers, which TOSA rounds, have no operator");
  r.requireZero(
      {{"input_zp", op.getInputZp()}, {"output_zp", op.getOutputZp()}});
  return convertPool<graph::AvgPool2dOp>(r, op);
}

static Value convertMaxPool(TosaRewriter &r, tosa::MaxPool2dOp op) {
  r.requirePropagatedNaN(op.getNanMode(), op.getType());
  return convertPool<graph::MaxPool2dOp>(r, op);
}

void uma::populateTosaWindowRules(TosaRules &rules) {
  rules.add<tosa::Conv2DOp>(convertConv2D);
  rules.add<tosa::Conv3DOp>(convertConv3D);
  rules.add<tosa::DepthwiseConv2DOp>(convertDepthwise);
  rules.add<tosa::TransposeConv2DOp>(convertTransposeConv);
  rules.add<tosa::AvgPool2dOp>(convertAvgPool);
  rules.add<tosa::MaxPool2dOp>(convertMaxPool);
}
