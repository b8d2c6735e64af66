//===- Problems.cpp - Contractions of layers ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Vectors hold channels of one pixel, with weights packed accordingly. If there
// are few channels, vectors hold neighbouring pixels of one channel, and data
// and weights swap roles.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Problems.h"

#include "uma/CPU/Model/RecurrentLayer.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

IndexExprs uma::getImagePlace(const graph::WindowLayout &names,
                              AffineExpr image, AffineExpr row,
                              AffineExpr column) {
  IndexExprs place(4);
  place[names.n] = image;
  place[names.c] = getAffineConstantExpr(0, image.getContext());
  place[names.spatial[0]] = row;
  place[names.spatial[1]] = column;
  return place;
}

/// Returns the index of a pixel in the data, with channel 0.
static IndexExprs getDataPlace(const ConvGeometry &conv,
                               const std::array<ConvAxis, 2> &part,
                               AffineExpr image, AffineExpr row,
                               AffineExpr column, ArrayRef<AffineExpr> taps) {
  auto get = [&](unsigned dim, AffineExpr index) {
    const ConvAxis &axis = part[dim];
    return index * axis.dataStride + taps[dim] * axis.dataStep +
           axis.dataOffset;
  };
  AffineExpr y = get(0, row), x = get(1, column);
  return getImagePlace(conv.names, image, y, x);
}

IndexExprs uma::getResultPlace(const ConvGeometry &conv,
                               const std::array<ConvAxis, 2> &part,
                               AffineExpr image, AffineExpr row,
                               AffineExpr column) {
  return getImagePlace(conv.names, image,
                       row * part[0].resultStride + part[0].resultOffset,
                       column * part[1].resultStride + part[1].resultOffset);
}

bool uma::readsPixels(const ConvGeometry &conv, const BufferLayout &data) {
  return !data.hasHalo() && conv.parts.size() == 1 &&
         llvm::all_of(conv.parts[0], [](const ConvAxis &axis) {
           return axis.taps == 1 && axis.dataStride == 1 &&
                  axis.dataOffset == 0 && axis.resultStride == 1;
         });
}

bool uma::isFlat(const CPULayer &layer, const ConvGeometry &conv) {
  return layer.canFlatten() &&
         readsPixels(conv, layer.getLayout(layer.anchor->getOperand(0)));
}

/// Sets strides and dilations, which distinguish contractions that read
/// different data.
static void setWindow(ContractionProblem &c,
                      const std::array<ConvAxis, 2> &part) {
  for (const ConvAxis &axis : part) {
    c.strides.push_back(axis.dataStride);
    c.dilations.push_back(axis.dataStep);
  }
}

/// Returns the channel block for reading the data: the data's own if groups are
/// whole blocks, otherwise 0.
static int64_t getReducedBlock(const ConvGeometry &conv,
                               const BufferLayout &data) {
  int64_t inputs = conv.getGroupInputs();
  return data.block != 0 && inputs % data.block == 0 ? data.block : 0;
}

/// Sets the elements of a contraction: makes its products dot products of words
/// where data and weights are words.
static void setWords(ContractionProblem &c, const CPULayer &layer) {
  int64_t wordSize = c.wordSize = layer.getWordSize();
  auto data = cast<RankedTensorType>(layer.anchor->getOperand(0).getType());
  c.isDouble = data.getElementType().isF64();
  if (c.isDouble) {
    c.workload = c.label + "_f64";
    c.fitsBlocking = false;
  }
  if (wordSize == 1)
    return;
  c.hasFloatWords = data.getElementType().isBF16();
  c.workload = c.label + (c.hasFloatWords ? "_bf16"
                          : wordSize == 2 ? "_i16"
                                          : "_i8");
  c.fitsBlocking = false;
}

/// Returns how many pixels of a row of the result the data is from one row of
/// the result to the next; 0 if that is no whole number, or if rows read
/// padding that the buffer does not have.
static int64_t getLinePitch(const ConvGeometry &conv, const BufferLayout &data,
                            const std::array<ConvAxis, 2> &part) {
  const ConvAxis &rows = part[0];
  int64_t last = (rows.results - 1) * rows.dataStride +
                 (rows.taps - 1) * rows.dataStep + rows.dataOffset;
  bool isInside = rows.dataStep > 0 && rows.dataOffset >= -data.padBegin[0] &&
                  last < conv.input[0] + data.padEnd[0];
  int64_t pixels =
      rows.dataStride * (conv.input[1] + data.padBegin[1] + data.padEnd[1]);
  return isInside && pixels % part[1].dataStride == 0
             ? pixels / part[1].dataStride
             : 0;
}

static ContractionProblem getConvProblem(const CPULayer &layer,
                                         const ConvGeometry &conv,
                                         const std::array<ConvAxis, 2> &part) {
  BufferLayout data = layer.getLayout(layer.anchor->getOperand(0));
  bool flat = isFlat(layer, conv);
  ContractionProblem c;
  c.label = "conv2d";
  setWords(c, layer);
  c.computesData = layer.hasTileProducer();
  c.hasAllLoops = !layer.getTilePair() && !c.computesData;
  int64_t height = part[0].results, width = part[1].results;
  bool isGrouped = conv.groups != 1;
  c.hasWeightSets = isGrouped;
  if (isGrouped)
    c.outer.push_back(conv.groups);
  c.outer.push_back(conv.batch);
  if (!flat)
    c.outer.push_back(height);
  c.rows = flat ? height * width : width;
  c.channels = conv.getGroupOutputs();
  // A group's channels are whole blocks or a part of one.
  int64_t resultBlock = layer.getChannelBlock();
  if (resultBlock != 0 && c.channels % resultBlock == 0)
    c.channelBlock = resultBlock;
  // The loop over channels in a block is innermost, so that data is read along
  // the block. The loop over blocks is outermost, so that a block stays in the
  // cache for all places of the window.
  int64_t inputs = conv.getGroupInputs() / c.wordSize;
  int64_t block = getReducedBlock(conv, data) / c.wordSize;
  c.reduce = {part[0].taps, part[1].taps, block != 0 ? block : inputs};
  if (block != 0)
    c.reduce.insert(c.reduce.begin(), inputs / block);
  if (const ConvAxis &rows = part[0]; !flat && rows.dataStep > 0)
    c.taps = {block != 0 ? 1u : 0u, c.outer.size() - 1, rows.dataStride,
              rows.dataStep,        rows.dataOffset,    conv.input[0]};
  // Loop bounds are not worth it if few rows read padding.
  if (c.taps && c.getPaddingShare(*c.taps) <= 0.01)
    c.taps.reset();
  setWindow(c, part);
  if (block != 0 && !isGrouped) {
    c.hasContiguousSteps = part[1].dataStep == 1;
    c.linePitch = flat ? 0 : getLinePitch(conv, data, part);
  }

  unsigned first = isGrouped ? 1 : 0;
  auto getDataIndices = [=](ArrayRef<AffineExpr> outer, AffineExpr line,
                            AffineExpr row, ArrayRef<AffineExpr> reduce) {
    IndexExprs place = getDataPlace(conv, part, outer[first], line, row,
                                    reduce.slice(block != 0 ? 1 : 0, 2));
    if (block != 0) {
      AffineExpr channelBlock = reduce[0];
      if (isGrouped)
        channelBlock = outer[0] * (inputs / block) + channelBlock;
      return data.getIndices(place, {channelBlock, reduce[3]});
    }
    place[conv.names.c] = isGrouped ? outer[0] * inputs + reduce[2] : reduce[2];
    return data.getIndices(place);
  };
  auto getFlatIndices = [=](ArrayRef<AffineExpr> outer, AffineExpr row,
                            ArrayRef<AffineExpr> reduce) {
    AffineExpr zero = getAffineConstantExpr(0, row.getContext());
    return getDataIndices(outer, zero, row, reduce);
  };
  c.getDataIndices = getFlatIndices;
  if (!flat)
    c.getDataIndices = [=](ArrayRef<AffineExpr> outer, AffineExpr row,
                           ArrayRef<AffineExpr> reduce) {
      return getDataIndices(outer, outer[first + 1], row, reduce);
    };
  if (!flat && !c.computesData && readsPixels(conv, data))
    c.getJoinedIndices = getFlatIndices;
  return c;
}

static ContractionProblem
getPlanarProblem(const CPULayer &layer, const ConvGeometry &conv,
                 const std::array<ConvAxis, 2> &part) {
  BufferLayout data = layer.getLayout(layer.anchor->getOperand(0));
  ContractionProblem c;
  c.label = "conv2d";
  c.workload = "planar_conv2d";
  c.outer = {conv.batch, part[0].results};
  // Rows of the contraction are channels of the layer, and vice versa.
  c.rows = conv.outChannels;
  c.channels = part[1].results;
  c.reduce = {conv.inChannels, part[0].taps, part[1].taps};
  c.getDataIndices = [=](ArrayRef<AffineExpr>, AffineExpr row,
                         ArrayRef<AffineExpr> reduce) {
    IndexExprs place(4);
    place[conv.kernel.o] = row;
    place[conv.kernel.i] = reduce[0];
    for (unsigned dim : {0, 1})
      place[conv.kernel.spatial[dim]] =
          reduce[dim + 1] * part[dim].tapStep + part[dim].firstTap;
    return place;
  };
  c.getWeightIndices = [=](ArrayRef<AffineExpr> outer, AffineExpr column,
                           ArrayRef<AffineExpr> reduce) {
    IndexExprs place = getDataPlace(conv, part, outer[0], outer[1], column,
                                    reduce.drop_front());
    place[conv.names.c] = reduce[0];
    return data.getIndices(place);
  };
  setWindow(c, part);
  return c;
}

Workload uma::getDepthwiseWorkload(const CPULayer &layer) {
  graph::ConvDims dims = cast<graph::Conv2dOp>(layer.anchor).getDims();
  const graph::Window &window = dims.window;
  return {Workload::depthwise.str(),
          {dims.batch, window.getOutput(0)},
          window.getOutput(1),
          dims.outChannels,
          layer.getResultLayout().block,
          {window.kernel[0], window.kernel[1]},
          {window.strides[0], window.strides[1]},
          {window.dilations[0], window.dilations[1]}};
}

//===----------------------------------------------------------------------===//
// Products of matrices
//===----------------------------------------------------------------------===//

MatrixDims uma::getMatrixDims(const CPULayer &layer) {
  auto type = cast<RankedTensorType>(layer.anchor->getOperand(1).getType());
  ArrayRef<int64_t> shape = type.getShape().take_back(2);
  // The weights of dense are transposed.
  auto matmul = dyn_cast<graph::BatchMatmulOp>(layer.anchor);
  MatrixDims dims;
  dims.isTransposed = !matmul || matmul.getTransposeB();
  dims.columns = shape[dims.isTransposed ? 0 : 1];
  dims.depth = shape[dims.isTransposed ? 1 : 0];
  dims.batch = type.getNumElements() / (dims.columns * dims.depth);
  dims.rows = layer.getType().getNumElements() / (dims.columns * dims.batch);
  return dims;
}

bool uma::packsAtRuntime(const CPULayer &layer) {
  return getMatrixDims(layer).batch != 1 ||
         !layer.getOutside(layer.anchor->getOperand(1))
              .getDefiningOp<graph::ConstantOp>();
}

/// Returns whether a product reads its second matrix, which is no constant, in
/// place. Packing costs as much as the products of some rows, and a matrix that
/// the nearest cache holds needs no other order.
static bool readsMatrix(const CPULayer &layer, const MatrixDims &dims) {
  constexpr int64_t fewRows = 16, fewElements = 8192;
  return packsAtRuntime(layer) && !dims.isTransposed &&
         layer.getWordSize() == 1 &&
         (dims.rows <= fewRows || dims.depth * dims.columns <= fewElements);
}

static ContractionProblem getMatrixProblem(const CPULayer &layer) {
  MatrixDims dims = getMatrixDims(layer);
  ContractionProblem c;
  c.label = layer.anchor->getName().getStringRef().rsplit('.').second.str();
  setWords(c, layer);
  c.outer = {dims.batch};
  c.rows = dims.rows;
  c.channels = dims.columns;
  c.reduce = {dims.depth / c.wordSize};
  c.hasWeightSets = packsAtRuntime(layer);
  if (readsMatrix(layer, dims))
    c.getWeightIndices = [](ArrayRef<AffineExpr> outer, AffineExpr column,
                            ArrayRef<AffineExpr> reduce) {
      return IndexExprs{outer[0], reduce[0], column};
    };
  c.getDataIndices = [](ArrayRef<AffineExpr> outer, AffineExpr row,
                        ArrayRef<AffineExpr> reduce) {
    return IndexExprs{outer[0], row, reduce[0]};
  };
  return c;
}

//===----------------------------------------------------------------------===//
// Winograd's and Strassen's algorithms
//===----------------------------------------------------------------------===//

std::optional<QuarterProduct> uma::getQuarterProduct(const CPULayer &layer,
                                                     const BufferLayout &data) {
  if (layer.hasExactSums() || layer.getType().getElementType().isF64())
    return std::nullopt;
  if (auto conv = dyn_cast_or_null<graph::Conv2dOp>(layer.anchor))
    return QuarterProduct::of(conv.getDims(), data, layer.getResultLayout());
  if (layer.kind != Kind::Matrix ||
      !layer.getConstant(layer.anchor->getOperand(1)))
    return std::nullopt;
  MatrixDims dims = getMatrixDims(layer);
  // A batch would be several products.
  if (dims.batch != 1)
    return std::nullopt;
  return QuarterProduct{1, dims.rows, 1, dims.depth, dims.columns};
}

QuarterProduct uma::getKernelProduct(const CPULayer &layer) {
  BufferLayout data = layer.getLayout(layer.anchor->getOperand(0));
  QuarterProduct product = *getQuarterProduct(layer, data);
  if (auto conv = dyn_cast<graph::Conv2dOp>(layer.anchor)) {
    graph::Window window = conv.getDims().window;
    product.isFlat = layer.canFlatten() && !data.hasHalo();
    product.rows = window.input[0];
    product.columns = window.input[1];
    if (product.isFlat)
      product.flatten();
  }
  return product;
}

static ContractionProblem getStrassenProblem(const CPULayer &layer) {
  QuarterProduct product = getKernelProduct(layer);
  int64_t inputs = product.inputs / 2;
  ContractionProblem c;
  c.label = "strassen";
  c.outer = {kNumQuarterProducts};
  c.rows = product.getNumPixels();
  c.channels = product.outputs / 2;
  c.channelBlock = product.outBlock;
  c.reduce = {inputs};
  if (product.inBlock != 0)
    c.reduce = {inputs / product.inBlock, product.inBlock};
  c.hasWeightSets = true;
  c.getDataIndices = [](ArrayRef<AffineExpr> outer, AffineExpr row,
                        ArrayRef<AffineExpr> reduce) {
    AffineExpr zero = getAffineConstantExpr(0, row.getContext());
    AffineExpr block = reduce.size() == 1 ? zero : reduce[0];
    return IndexExprs{outer[0], block, row, reduce.back()};
  };
  return c;
}

static ContractionProblem getWinogradProblem(const CPULayer &layer,
                                             int64_t tile) {
  graph::ConvDims dims = cast<graph::Conv2dOp>(layer.anchor).getDims();
  int64_t size = tile + 2;
  int64_t inBlock = layer.getLayout(layer.anchor->getOperand(0)).block;
  int64_t outBlock = layer.getResultLayout().block;
  ContractionProblem c;
  c.label = "winograd";
  c.outer = {size * size};
  c.rows = dims.batch *
           int64_t(llvm::divideCeil(dims.window.getOutput(0), tile)) *
           int64_t(llvm::divideCeil(dims.window.getOutput(1), tile));
  c.channels = dims.outChannels;
  c.channelBlock = outBlock == dims.outChannels ? 0 : outBlock;
  c.reduce = {dims.inChannels / inBlock, inBlock};
  c.hasWeightSets = true;
  c.getDataIndices = [](ArrayRef<AffineExpr> outer, AffineExpr row,
                        ArrayRef<AffineExpr> reduce) {
    return IndexExprs{outer[0], reduce[0], row, reduce[1]};
  };
  return c;
}

//===----------------------------------------------------------------------===//
// Recurrent layers
//===----------------------------------------------------------------------===//

SmallVector<GateProduct> uma::getGateProducts(const RecurrentLayer &layer) {
  int64_t rows = layer.getRows(), units = layer.dims.units;
  SmallVector<GateProduct> products = {{false, 0, rows, layer.dims.inputs}};
  if (layer.resetsFirst)
    products.append(
        {{true, 0, 2 * units, units}, {true, 2 * units, units, units}});
  else
    products.push_back({true, 0, rows, units});
  return products;
}

ContractionProblem uma::getProblem(const RecurrentLayer &layer,
                                   const GateProduct &product) {
  const graph::RecurrentDims &dims = layer.dims;
  ContractionProblem c;
  c.label = product.isOfStates ? "states" : "inputs";
  c.rows = product.isOfStates ? dims.batch : dims.steps * dims.batch;
  c.channels = product.numRows;
  c.reduce = {product.depth};
  c.fitsBlocking = c.isTunable = false;
  return c;
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

std::vector<ContractionProblem> uma::getContractions(const CPULayer &layer) {
  return getContractions(layer, layer.getKernel());
}

std::vector<ContractionProblem> uma::getContractions(const CPULayer &layer,
                                                     KernelAttr kernel) {
  std::vector<ContractionProblem> problems;
  if (layer.kind == Kind::Recurrent) {
    RecurrentLayer recurrent = *RecurrentLayer::get(layer.anchor);
    for (const GateProduct &product : getGateProducts(recurrent))
      problems.push_back(getProblem(recurrent, product));
    return problems;
  }
  Algorithm algorithm = kernel.getAlgorithm();
  if (algorithm == Algorithm::Winograd) {
    problems.push_back(getWinogradProblem(layer, kernel.getTile()));
  } else if (algorithm == Algorithm::Strassen) {
    problems.push_back(getStrassenProblem(layer));
  } else if (layer.kind == Kind::Matrix) {
    problems.push_back(getMatrixProblem(layer));
  } else if (layer.kind == Kind::Conv) {
    ConvGeometry conv = *ConvGeometry::of(layer.anchor);
    for (const std::array<ConvAxis, 2> &part : conv.parts)
      problems.push_back(algorithm == Algorithm::Planar
                             ? getPlanarProblem(layer, conv, part)
                             : getConvProblem(layer, conv, part));
  }
  return problems;
}

std::optional<Workload> uma::getLayerWorkload(const CPULayer &layer,
                                              KernelAttr kernel) {
  if (kernel.isByOperators())
    return std::nullopt;
  if (layer.kind == Kind::Depthwise)
    return getDepthwiseWorkload(layer);
  if (kernel.getAlgorithm() != Algorithm::Planar)
    kernel = KernelAttr::get(kernel.getContext(), Algorithm::Direct, 0);
  std::vector<ContractionProblem> problems = getContractions(layer, kernel);
  if (problems.size() != 1 || !problems.front().isTunable)
    return std::nullopt;
  return problems.front().getWorkload();
}
