//===- PoolingRules.cpp - Pools -------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Composition.h"
#include "QuantizedParameters.h"
#include "Rules.h"
#include "WindowRules.h"

#include "uma/Support/QuantizedTypes.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

/// Returns the window of a pool; std::nullopt after an error.
static std::optional<graph::Window>
readPoolWindow(Node &node, bool hasDilations, bool hasCeilMode) {
  Value data = node.getOperand(0);
  std::optional<int64_t> rank = getSpatialRank(node, data);
  if (!rank)
    return std::nullopt;
  auto kernel = node.getIntsAttr("kernel_shape");
  if (!kernel || int64_t(kernel->size()) != *rank ||
      llvm::any_of(*kernel, [](int64_t size) { return size < 1; })) {
    (void)node.badInput("needs the attribute 'kernel_shape' with " +
                        Twine(*rank) + " sizes of 1 or more");
    return std::nullopt;
  }
  std::optional<graph::Window> window =
      readWindow(node, getShape(data).drop_front(2), *kernel, hasDilations);
  if (window && hasCeilMode)
    window->ceilMode = node.getFlagAttr("ceil_mode");
  return window;
}

/// Sets the attributes that all pools have.
template <typename Properties>
static void setPool(Node &node, const graph::Window &window,
                    Properties &properties) {
  properties.pool_size = node.getBuilder().getDenseI64ArrayAttr(window.kernel);
  properties.ceil_mode = node.getBuilder().getBoolAttr(window.ceilMode);
  setWindow(node, window, properties);
}

/// Creates a two- or three-dimensional pool. `set` sets further attributes.
template <typename Pool2d, typename Pool3d, typename SetFn>
static Value createPool(Node &node, Value data, const graph::Window &window,
                        SetFn set) {
  if (window.getRank() == 3) {
    typename Pool3d::Properties properties;
    setPool(node, window, properties);
    set(properties);
    return node.create<Pool3d>({data}, properties);
  }
  typename Pool2d::Properties properties;
  if (window.getRank() == 2) {
    setPool(node, window, properties);
    set(properties);
    return node.create<Pool2d>({data}, properties);
  }
  setPool(node, addHeight(window), properties);
  set(properties);
  return dropHeight(node,
                    node.create<Pool2d>({addHeight(node, data)}, properties));
}

static LogicalResult importMaxPool(Node &node) {
  int64_t opset = node.getOpset();
  std::optional<graph::Window> window = readPoolWindow(
      node, /*hasDilations=*/opset >= 10, /*hasCeilMode=*/opset >= 10);
  if (!window)
    return failure();
  bool columnMajor = opset >= 8 && node.getFlagAttr("storage_order");
  if (node.hasOutput(1)) {
    graph::MaxPoolIndicesOp::Properties properties;
    setPool(node, *window, properties);
    properties.column_major = node.getBuilder().getBoolAttr(columnMajor);
    if (failed(node.yield(node.create<graph::MaxPoolIndicesOp>(
                              {node.getOperand(0)}, properties),
                          1)))
      return failure();
  }
  if (!node.hasOutput(0))
    return success();
  return node.yield(createPool<graph::MaxPool2dOp, graph::MaxPool3dOp>(
      node, node.getOperand(0), *window, [](auto &) {}));
}

static Value createAveragePool(Node &node, Value data,
                               const graph::Window &window, bool includePad) {
  if (!data)
    return {};
  return createPool<graph::AvgPool2dOp, graph::AvgPool3dOp>(
      node, data, window, [&](auto &properties) {
        properties.count_include_pad =
            node.getBuilder().getBoolAttr(includePad);
      });
}

static LogicalResult importAveragePool(Node &node) {
  int64_t opset = node.getOpset();
  std::optional<graph::Window> window = readPoolWindow(
      node, /*hasDilations=*/opset >= 19, /*hasCeilMode=*/opset >= 10);
  if (!window)
    return failure();
  bool includePad = opset >= 7 && node.getFlagAttr("count_include_pad");
  return node.yield(
      createAveragePool(node, node.getOperand(0), *window, includePad));
}

/// Pads the data up to the end of the last window, so that the size of the
/// result needs no rounding.
static void padLastWindow(graph::Window &window) {
  for (int64_t dim = 0; dim < window.getRank(); ++dim) {
    int64_t end = (window.getOutput(dim) - 1) * window.strides[dim] +
                  window.getExtent(dim);
    int64_t pad = end - window.padBegin[dim] - window.input[dim];
    window.padEnd[dim] = std::max(window.padEnd[dim], pad);
  }
  window.ceilMode = false;
}

/// Imports ONNX Runtime's average pool of 8-bit integers, which it computes in
/// f32.
static LogicalResult importQLinearAveragePool(Node &node) {
  if (node.getFlagAttr("channels_last"))
    return node.notSupported("has the channels last, which is not supported");
  std::optional<graph::Window> window =
      readPoolWindow(node, /*hasDilations=*/false, /*hasCeilMode=*/true);
  if (!window)
    return failure();
  bool includePad = node.getFlagAttr("count_include_pad");
  // Unlike AveragePool, it counts what a window reads behind the padding.
  if (includePad && window->ceilMode)
    padLastWindow(*window);
  Value data = getElementType(node.getOperand(0)).isInteger(8)
                   ? getQuantized(node, 0)
                   : Value();
  Type type =
      data ? getQuantizedType(node, 3, 4, getElementType(node.getOperand(0)),
                              /*axis=*/std::nullopt)
           : Type();
  if (!type)
    return node.notSupported("has no 8-bit integers, or parameters that are no "
                             "constants of its types");
  Value mean = createAveragePool(node, node.create<graph::DequantizeOp>({data}),
                                 *window, includePad);
  // Halves are rounded after the zero point is added.
  Quantization to = Quantization::of(type);
  mean = createWith<graph::DivideOp>(node, mean, to.scales.front());
  mean = createWith<graph::AddOp>(node, mean, double(to.zeroPoints.front()));
  return node.yield(node.createCast(node.create<graph::RoundOp>({mean}),
                                    getStorageElementType(type)));
}

static Value createLpPool(Node &node, const graph::Window &window) {
  int64_t p = node.getIntAttr("p", 2);
  if (p < 1) {
    (void)node.badInput("attribute 'p' is " + Twine(p) +
                        "; expected 1 or more");
    return {};
  }
  graph::LpPoolOp::Properties properties;
  setPool(node, window, properties);
  properties.p = node.getBuilder().getI64IntegerAttr(p);
  return node.create<graph::LpPoolOp>({node.getOperand(0)}, properties);
}

static LogicalResult importLpPool(Node &node) {
  bool isNew = node.getOpset() >= 18;
  std::optional<graph::Window> window = readPoolWindow(node, isNew, isNew);
  if (!window)
    return failure();
  return node.yield(createLpPool(node, *window));
}

//===----------------------------------------------------------------------===//
// Global pools
//===----------------------------------------------------------------------===//

/// Imports a global pool for any number of spatial dimensions; their shape does
/// not matter to the result.
template <typename PoolOp>
static LogicalResult importGlobalPool(Node &node) {
  Value data = node.getOperand(0);
  if (!getSpatialRank(node, data, kMaxRank))
    return failure();
  SmallVector<int64_t> shape(getShape(data));
  if (shape.size() != 4) {
    int64_t elements = 1;
    for (int64_t size : ArrayRef(shape).drop_front(2))
      elements *= size;
    data = node.createReshape(data, {shape[0], shape[1], elements, 1});
  }
  std::fill(shape.begin() + 2, shape.end(), 1);
  return node.yield(node.createReshape(node.create<PoolOp>({data}), shape));
}

static LogicalResult importGlobalLpPool(Node &node) {
  Value data = node.getOperand(0);
  std::optional<int64_t> rank = getSpatialRank(node, data, kMaxRank);
  if (!rank)
    return failure();
  graph::SpatialVector sizes(getShape(data).drop_front(2));
  graph::SpatialVector ones(*rank, 1), zeros(*rank, 0);
  return node.yield(
      createLpPool(node, {sizes, sizes, ones, ones, zeros, zeros}));
}

//===----------------------------------------------------------------------===//
// MaxUnpool
//===----------------------------------------------------------------------===//

/// Imports MaxUnpool: scatters the elements to their positions before the pool.
/// The indices refer to the shape that follows from the attributes; a larger
/// requested shape is padded with zeros.
static LogicalResult importMaxUnpool(Node &node) {
  Value data = node.getOperand(0), indices = node.getOperand(1);
  std::optional<int64_t> rank = getSpatialRank(node, data, kMaxRank);
  auto kernel = node.getIntsAttr("kernel_shape");
  if (!rank)
    return failure();
  auto strides = readListAttr(node, "strides", *rank, 1, 1);
  auto pads = readListAttr(node, "pads", 2 * *rank, 0, 0);
  if (!strides || !pads)
    return failure();
  if (!kernel || int64_t(kernel->size()) != *rank)
    return node.badInput("needs the attribute 'kernel_shape' with " +
                         Twine(*rank) + " sizes");
  if (getShape(indices) != getShape(data))
    return node.badInput("input 'I' has the shape " +
                         formatShape(getShape(indices)) + "; expected " +
                         formatShape(getShape(data)) + ", that of 'X'");

  SmallVector<int64_t> shape(getShape(data).take_front(2));
  for (int64_t dim = 0; dim < *rank; ++dim)
    shape.push_back((getShape(data)[dim + 2] - 1) * (*strides)[dim] +
                    (*kernel)[dim] - (*pads)[dim] - (*pads)[dim + *rank]);
  SmallVector<int64_t> given = node.getInts(2).value_or(shape);
  bool fits = given.size() == shape.size();
  for (auto [size, least] : llvm::zip(given, shape))
    fits &= size >= least && least >= 1;
  if (!fits)
    return node.notSupported("the result would have the shape " +
                             formatShape(given) + "; only shapes from " +
                             formatShape(shape) + " on are supported");

  OpBuilder &builder = node.getBuilder();
  auto type = RankedTensorType::get(shape, getElementType(data));
  if (failed(node.checkResultSize(type)))
    return failure();
  int64_t count = cast<RankedTensorType>(data.getType()).getNumElements();
  graph::BroadcastToOp::Properties broadcast;
  broadcast.shape = builder.getDenseI64ArrayAttr({type.getNumElements()});
  Value zeros = node.create<graph::BroadcastToOp>(
      {node.createScalar(type.getElementType(), 0)}, broadcast);
  graph::ScatterElementsOp::Properties scatter;
  scatter.axis = builder.getI64IntegerAttr(0);
  Value result = node.create<graph::ScatterElementsOp>(
      {zeros, node.createReshape(indices, {count}),
       node.createReshape(data, {count})},
      scatter);
  result = node.createReshape(result, shape);
  if (given == shape)
    return node.yield(result);
  graph::PadOp::Properties pad;
  SmallVector<int64_t> after;
  for (auto [size, least] : llvm::zip_equal(given, shape))
    after.push_back(size - least);
  pad.pad_before =
      builder.getDenseI64ArrayAttr(SmallVector<int64_t>(shape.size(), 0));
  pad.pad_after = builder.getDenseI64ArrayAttr(after);
  return node.yield(node.create<graph::PadOp>({result}, pad));
}

ArrayRef<Rule> importer::getPoolingRules() {
  static constexpr Rule rules[] = {
      {"AveragePool", 1, "X", importAveragePool},
      {"GlobalAveragePool", 1, "X", importGlobalPool<graph::GlobalAvgPool2dOp>},
      {"GlobalLpPool", 2, "X", importGlobalLpPool},
      {"GlobalMaxPool", 1, "X", importGlobalPool<graph::GlobalMaxPool2dOp>},
      {"LpPool", 2, "X", importLpPool},
      {"MaxPool", 1, "X", importMaxPool},
      {"MaxUnpool", 9, "X I output_shape=?", importMaxUnpool},
      {"com.microsoft.QLinearAveragePool", 1,
       "X x_scale x_zero_point? y_scale y_zero_point?",
       importQLinearAveragePool},
  };
  return rules;
}
