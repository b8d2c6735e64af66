//===- SignalRules.cpp - Fourier transforms and windows -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "MovementRules.h"
#include "Rules.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

static constexpr double kPi = 3.14159265358979323846;

//===----------------------------------------------------------------------===//
// DFT, STFT
//===----------------------------------------------------------------------===//

/// Creates the Fourier transform of `data` along `axis`, with the given length.
static Value createDFT(Node &node, Value data, int64_t axis, int64_t length,
                       bool inverse, bool onesided) {
  if (!data)
    return {};
  Type elementType = getElementType(data);
  if (!isa<FloatType>(elementType)) {
    (void)node.badInput("the signal does not hold floats");
    return {};
  }
  // Cosine and sine of each angle; the operation reduces k * n modulo the
  // length as an integer, so that the angles are exact.
  auto tableType = RankedTensorType::get({length, 2}, elementType);
  if (failed(node.checkComputedSize(tableType)))
    return {};
  HostTensor twiddle(tableType);
  for (int64_t i = 0; i < length; ++i) {
    double angle = 2 * kPi * double(i) / double(length);
    double scale = inverse ? 1 / double(length) : 1;
    twiddle.setDouble(2 * i, std::cos(angle) * scale);
    twiddle.setDouble(2 * i + 1, std::sin(angle) * (inverse ? scale : -1));
  }
  graph::DFTOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  properties.onesided = node.getBuilder().getBoolAttr(onesided);
  return node.create<graph::DFTOp>({data, node.createConstant(twiddle)},
                                   properties);
}

/// Returns a size given by an input; std::nullopt if it is omitted or invalid.
static std::optional<int64_t> getSize(Node &node, unsigned index,
                                      StringRef name) {
  auto sizes = node.getInts(index);
  if (!sizes)
    return std::nullopt;
  if (sizes->size() == 1 && sizes->front() >= 1)
    return sizes->front();
  (void)node.badInput("input '" + name + "' is " + formatShape(*sizes) +
                      "; expected one number of 1 or more");
  return std::nullopt;
}

/// Creates the whole spectrum of a real signal of the given length from its
/// first half: the second half mirrors it, conjugated.
static Value createWholeSpectrum(Node &node, Value half, int64_t axis,
                                 int64_t length) {
  int64_t rank = getShape(half).size(), bins = length / 2 + 1;
  // Bins beyond those given are 0.
  SmallVector<int64_t> before(rank, 0), after(rank, 0);
  after[axis] = std::max<int64_t>(bins - getShape(half)[axis], 0);
  half = createConstantPad(node, half, before, after, 0);
  if (!half)
    return {};
  SmallVector<int64_t> indices, shape(rank, 1);
  shape[axis] = length;
  shape.back() = 2;
  HostTensor signs(RankedTensorType::get(shape, getElementType(half)));
  for (int64_t bin = 0; bin < length; ++bin) {
    indices.push_back(bin < bins ? bin : length - bin);
    signs.setDouble(2 * bin, 1);
    signs.setDouble(2 * bin + 1, bin < bins ? 1 : -1);
  }
  graph::TakeOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(axis);
  Value table = node.createConstant(makeInts(node, {length}, indices));
  return node.create<graph::MultiplyOp>(
      {node.create<graph::TakeOp>({half, table}, properties),
       node.createConstant(signs)});
}

/// Imports the inverse of a one-sided DFT, whose result is real.
static LogicalResult importInverseRealDFT(Node &node, Value data, int64_t axis,
                                          int64_t length) {
  SmallVector<int64_t> begin(getShape(data).size(), 0);
  SmallVector<int64_t> strides(begin.size(), 1);
  if (getShape(data).back() != 2)
    return node.badInput("the spectrum is not complex: its last dimension is " +
                         Twine(getShape(data).back()) + "; expected 2");
  Value whole = createWholeSpectrum(node, data, axis, length);
  Value signal = createDFT(node, whole, axis, length, /*inverse=*/true,
                           /*onesided=*/false);
  if (!signal)
    return failure();
  SmallVector<int64_t> size(getShape(signal));
  size.back() = 1;
  return node.yield(createSlice(node, signal, begin, size, strides));
}

static LogicalResult importDFT(Node &node) {
  Value data = node.getOperand(0);
  int64_t rank = getShape(data).size();
  int64_t axis = -2;
  if (node.getOpset() < 20)
    axis = node.getIntAttr("axis", 1);
  else if (auto axes = node.getInts(2); axes && axes->size() == 1)
    axis = axes->front();
  bool inverse = node.getFlagAttr("inverse");
  bool onesided = node.getFlagAttr("onesided");
  std::optional<int64_t> normal = normalizeAxis(node, axis, rank);
  if (!normal)
    return failure();
  bool isReal = inverse && onesided;
  int64_t size = getShape(data)[*normal];
  int64_t length =
      getSize(node, 1, "dft_length").value_or(isReal ? 2 * (size - 1) : size);
  if (length < 1)
    return node.badInput("the signal has no elements");
  if (isReal)
    return importInverseRealDFT(node, data, *normal, length);
  return node.yield(createDFT(node, data, *normal, length, inverse, onesided));
}

/// Imports STFT. Gathers overlapping frames of the signal with a table of
/// positions.
static LogicalResult importSTFT(Node &node) {
  Value signal = node.getOperand(0), window = node.getOperand(2);
  std::optional<int64_t> step = getSize(node, 1, "frame_step");
  std::optional<int64_t> length = getSize(node, 3, "frame_length");
  bool onesided = node.getIntAttr("onesided", 1) != 0;
  if (failed(node.checkRank(signal, 3, "input 'signal'")) ||
      (window && failed(node.checkRank(window, 1, "input 'window'"))))
    return failure();
  if (!step)
    return node.badInput("needs the input 'frame_step'");
  if (!length && window)
    length = getShape(window)[0];
  if (!length)
    return node.badInput("has neither 'window' nor 'frame_length'");
  if (window && getShape(window)[0] != *length)
    return node.notSupported("input 'window' has " +
                             Twine(getShape(window)[0]) + " elements; only " +
                             Twine(*length) +
                             ", the length of a frame, is supported");
  int64_t samples = getShape(signal)[1];
  if (*length > samples)
    return node.badInput("the signal has " + Twine(samples) +
                         " samples; expected one frame of " + Twine(*length) +
                         " or more");
  int64_t frames = (samples - *length) / *step + 1;
  Type indexType = node.getBuilder().getI64Type();
  auto tableType = RankedTensorType::get({frames, *length}, indexType);
  if (failed(node.checkComputedSize(tableType)))
    return failure();
  HostTensor positions(tableType);
  for (int64_t frame = 0; frame < frames; ++frame)
    for (int64_t i = 0; i < *length; ++i)
      positions.setInt(frame * *length + i, frame * *step + i);
  graph::TakeOp::Properties properties;
  properties.axis = node.getBuilder().getI64IntegerAttr(1);
  Value framed = node.create<graph::TakeOp>(
      {signal, node.createConstant(positions)}, properties);
  if (window)
    framed = node.create<graph::MultiplyOp>(
        {framed, node.createReshape(window, {*length, 1})});
  return node.yield(createDFT(node, framed, /*axis=*/2, *length,
                              /*inverse=*/false, onesided));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Creates a cosine-sum window: factors[0] - factors[1] cos(a) + factors[2]
/// cos(2a), with `a` from 0 to 2 pi over the window.
static LogicalResult createWindow(Node &node, ArrayRef<double> factors) {
  std::optional<int64_t> size = getSize(node, 0, "size");
  bool periodic = node.getIntAttr("periodic", 1) != 0;
  FailureOr<Type> type = node.getElementType(
      node.getIntAttr("output_datatype", onnx::TensorProto::FLOAT));
  if (!size || failed(type))
    return failure();
  // A symmetric window repeats its first element at the end. Avoid a division
  // by 0 for a size of 1.
  double round = double(periodic ? *size : std::max<int64_t>(*size - 1, 1));
  auto windowType = RankedTensorType::get({*size}, *type);
  if (failed(node.checkComputedSize(windowType)))
    return failure();
  HostTensor window(windowType);
  for (int64_t i = 0; i < *size; ++i) {
    double value = 0, sign = 1;
    for (auto [order, factor] : llvm::enumerate(factors)) {
      value += sign * factor * std::cos(2 * kPi * double(order * i) / round);
      sign = -sign;
    }
    window.setDouble(i, value);
  }
  return node.yield(node.createConstant(window));
}

static LogicalResult importHannWindow(Node &node) {
  return createWindow(node, {0.5, 0.5});
}
static LogicalResult importHammingWindow(Node &node) {
  return createWindow(node, {25.0 / 46.0, 21.0 / 46.0});
}
static LogicalResult importBlackmanWindow(Node &node) {
  return createWindow(node, {0.42, 0.5, 0.08});
}

//===----------------------------------------------------------------------===//
// MelWeightMatrix
//===----------------------------------------------------------------------===//

static LogicalResult importMelWeightMatrix(Node &node) {
  std::optional<int64_t> bins = getSize(node, 0, "num_mel_bins");
  std::optional<int64_t> length = getSize(node, 1, "dft_length");
  std::optional<int64_t> rate = getSize(node, 2, "sample_rate");
  std::optional<double> lower = node.getScalar(3), upper = node.getScalar(4);
  FailureOr<Type> type = node.getElementType(
      node.getIntAttr("output_datatype", onnx::TensorProto::FLOAT));
  if (!bins || !length || !rate || !lower || !upper || failed(type))
    return failure();
  if (!(*lower >= 0) || !(*upper > *lower) || !std::isfinite(*upper))
    return node.badInput("has the edges " + std::to_string(*lower) +
                         " Hz and " + std::to_string(*upper) +
                         " Hz; expected 0 or more, ascending");
  int64_t rows = *length / 2 + 1;
  auto tensorType = RankedTensorType::get({rows, *bins}, *type);
  if (failed(node.checkComputedSize(tensorType)))
    return failure();
  // Edges of the triangles as positions in the spectrum, equidistant in mel.
  auto toMel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  double low = toMel(*lower);
  double step = (toMel(*upper) - low) / double(*bins + 2);
  std::vector<int64_t> edges;
  for (int64_t i = 0; i < *bins + 2; ++i) {
    double hertz = 700 * (std::pow(10, (double(i) * step + low) / 2595) - 1);
    // Beyond the spectrum, the exact position of an edge does not matter.
    double edge = std::floor(double(*length + 1) * hertz / double(*rate));
    edges.push_back(int64_t(std::min(edge, std::ldexp(1.0, 40))));
  }
  HostTensor matrix(tensorType);
  for (int64_t bin = 0; bin < *bins; ++bin) {
    int64_t begin = edges[bin], center = edges[bin + 1], end = edges[bin + 2];
    auto set = [&](int64_t row, double weight) {
      if (row < rows)
        matrix.setDouble(row * *bins + bin, weight);
    };
    if (begin == center)
      set(center, 1);
    for (int64_t row = begin;
         begin < center && row <= std::min(center, rows - 1); ++row)
      set(row, double(row - begin) / double(center - begin));
    for (int64_t row = center; row < std::min(end, rows); ++row)
      set(row, double(end - row) / double(end - center));
  }
  return node.yield(node.createConstant(matrix));
}

ArrayRef<Rule> importer::getSignalRules() {
  static constexpr Rule rules[] = {
      {"BlackmanWindow", 17, "size=", importBlackmanWindow},
      {"DFT", 17, "input dft_length=?", importDFT},
      {"DFT", 20, "input dft_length=? axis=?", importDFT},
      {"HammingWindow", 17, "size=", importHammingWindow},
      {"HannWindow", 17, "size=", importHannWindow},
      {"MelWeightMatrix", 17,
       "num_mel_bins= dft_length= sample_rate= lower_edge_hertz= "
       "upper_edge_hertz=",
       importMelWeightMatrix},
      {"STFT", 17, "signal frame_step= window? frame_length=?", importSTFT},
  };
  return rules;
}
