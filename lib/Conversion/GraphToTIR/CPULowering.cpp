//===- CPULowering.cpp - Lowers the layers of the CPU ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What all layers have in common: the function and its arguments, the operands
// of elementwise operators, and the products of matrices.
//
//===----------------------------------------------------------------------===//

#include "CPULowering.h"
#include "CPURows.h"

#include "uma/IR/LayerAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

LayerLowering::Argument LayerLowering::addArgument(const PlacedTensor &tensor) {
  auto *known = llvm::find(arguments, tensor.buffer);
  if (known == arguments.end()) {
    arguments.push_back(tensor.buffer);
    known = std::prev(arguments.end());
  }
  return {unsigned(known - arguments.begin()), tensor.layout};
}

/// `conv1_conv2d_bias_add_relu`; of a long layer the beginning.
static std::string getFunctionName(const CPULayer &layer, StringRef name) {
  constexpr size_t longest = 60;
  std::string result = name.str();
  for (Operation *op : layer.ops) {
    StringRef kind = op->getName().getStringRef().rsplit('.').second;
    if (result.size() + kind.size() > longest)
      break;
    if (layer.ops.size() > 1 || kind != name)
      result += ("_" + kind).str();
  }
  return result;
}

void LayerLowering::build(function_ref<void(LayerBuilder &)> body) {
  Operation *op = layer.anchor ? layer.anchor : layer.ops.back();
  std::string name = getLayerName(op);
  function =
      interleaving
          ? provider.createInterleaved(op->getLoc(),
                                       getFunctionName(layer, name), name,
                                       arguments, between)
          : provider.createLayer(op->getLoc(), getFunctionName(layer, name),
                                 name, arguments);
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  SmallVector<Attribute> names;
  for (Operation *member : layer.ops)
    names.push_back(builder.getStringAttr(getLayerName(member)));
  function->setAttr(kLayersAttrName, builder.getArrayAttr(names));
  LayerBuilder layerBuilder(builder, op->getLoc());
  for (Value parameter :
       function.getBody().getArguments().take_front(arguments.size())) {
    parameters.push_back(parameter);
    if (uma::getElement(parameter).isInteger(1))
      layerBuilder.setUnsigned(parameter);
  }
  auto turn = function.getBody().getArguments().drop_front(arguments.size());
  if (interleaving && interleaving->packs != 1)
    pack = turn.front();
  if (interleaving && interleaving->slabs != 1)
    slab = turn.back();
  body(layerBuilder);
  // What a layer of several takes cannot be told apart.
  if (workloads.size() == 1 && layers.getOptions().nameWorkloads)
    function->setAttr(kWorkloadAttrName,
                      workloads.front().toAttribute(builder.getContext()));
}

void LayerLowering::allowInPlace(const Argument &data, int64_t bytes) {
  function.setArgAttr(
      result.index, kInPlaceAttrName,
      DenseI64ArrayAttr::get(function.getContext(), {data.index, bytes}));
}

const TuningEntry *LayerLowering::lookupTuned(Workload workload) {
  const TuningDatabase *tuning = layers.getOptions().tuning;
  const TuningEntry *entry = tuning ? tuning->lookup(workload) : nullptr;
  workloads.push_back(std::move(workload));
  return entry;
}

void LayerLowering::chooseSchedule(Contraction &c, StringRef op) {
  Workload workload = c.getWorkload();
  if (!op.empty())
    workload.op = op.str();
  if (const TuningEntry *entry = lookupTuned(workload)) {
    c.packWidth = entry->choice.packWidth;
    c.tuned = {layers.getOptions().tuning->lanes, entry->choice.tile};
  } else {
    c.packWidth = choosePackWidth(getContractionShape(workload));
  }
}

Value LayerLowering::getBuffer(LayerBuilder &b, const Argument &argument,
                               ArrayRef<int64_t> shape) {
  Value buffer = parameters[argument.index];
  return shape.empty() ? buffer : reshapeBuffer(b, buffer, shape);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

int64_t LayerLowering::getChannelDim() const {
  BufferLayout layout = layers.getLayout(layer.getResult());
  if (layout.block != 0)
    return layout.channelDim;
  return layer.kind == Kind::Conv ? ConvGeometry::of(layer.anchor)->names.c
                                  : layer.getType().getRank() - 1;
}

int64_t LayerLowering::getChannelBlock() const {
  int64_t block = layers.getLayout(layer.getResult()).block;
  // All channels in one block are as good as none.
  bool isWhole = block == layer.getType().getDimSize(getChannelDim());
  return isWhole ? 0 : block;
}

void LayerLowering::addOperands() {
  operands = CPULayers::getOperands(layer);
  BufferLayout layout = layers.getLayout(layer.getResult());
  BufferLayout blocked = layout;
  blocked.removeHalo();
  for (const LayerOperand &operand : operands) {
    // Channels are in blocks where the result's are.
    bool isBlocked = layout.block != 0 && operand.dims.size() == 4 &&
                     operand.dims[layout.channelDim] == layout.channelDim;
    operandArguments.push_back(addArgument(provider.request(
        operand.tensor, isBlocked ? blocked : BufferLayout())));
  }
}

Value LayerLowering::flatten(LayerBuilder &b, Value buffer,
                             const BufferLayout &layout) {
  SmallVector<int64_t> shape(uma::getShape(buffer));
  size_t height = layout.block == 0 ? layout.spatialDims[0] : 2;
  size_t width = layout.block == 0 ? layout.spatialDims[1] : 3;
  shape[width] *= shape[height];
  shape[height] = 1;
  return reshapeBuffer(b, buffer, shape);
}

ResultOperand LayerLowering::getResultOperand(LayerBuilder &b,
                                              const LayerOperand &operand,
                                              const Argument &argument,
                                              const PointFn &getPoint,
                                              bool isFlat) {
  const BufferLayout &layout = argument.layout;
  RankedTensorType type = layer.getType();
  int64_t channelDim = getChannelDim(), block = getChannelBlock();
  bool varies = llvm::any_of(operand.dims, [&](int64_t dim) {
    return dim >= 0 && dim != channelDim && type.getDimSize(dim) != 1;
  });
  Value buffer = getBuffer(b, argument);
  AffineExpr zero = b.expr(0);
  auto getChannel = [block](const ResultPoint &point) -> AffineExpr {
    return block == 0 ? point.channel.inBlock
                      : point.channel.block * block + point.channel.inBlock;
  };
  if (layer.kind == Kind::Matrix) {
    // Batch, rows and columns, which are the channels.
    int64_t columns = type.getShape().back();
    if (operand.isFull(type)) {
      int64_t rows = matrixRows;
      int64_t batch = type.getNumElements() / (rows * columns);
      return {reshapeBuffer(b, buffer, {batch, rows, columns}),
              [](const ResultPoint &point) {
                return IndexExprs{point.outer[0], point.row,
                                  point.channel.inBlock};
              }};
    }
    if (getShape(buffer).empty() || operand.getOnlyDim(type) == -1)
      return {reshapeBuffer(b, buffer, {1}),
              [zero](const ResultPoint &) { return IndexExprs{zero}; }};
    return {reshapeBuffer(b, buffer, {columns}), [](const ResultPoint &point) {
              return IndexExprs{point.channel.inBlock};
            }};
  }
  if (isFlat && varies)
    buffer = flatten(b, buffer, layout);
  auto dims = operand.dims;
  return {buffer, [=](const ResultPoint &point) {
            IndexExprs place = getPoint(point);
            IndexExprs own;
            for (int64_t dim : dims) {
              if (dim < 0)
                own.push_back(zero);
              else
                own.push_back(dim == channelDim ? getChannel(point)
                                                : place[dim]);
            }
            return layout.getIndices(own, point.channel);
          }};
}

Value LayerLowering::finish(LayerBuilder &b, Value anchor,
                            ValueRange elements) const {
  return layers.evaluate(b, layer, first, anchor, operands, elements);
}

void LayerLowering::startWithBias(Contraction &contraction) {
  auto bias = cast_or_null<graph::BiasAddOp>(CPULayers::getBias(layer));
  if (!bias)
    return;
  int64_t axis = bias.getAxis();
  if (axis < 0)
    axis += layer.getType().getRank();
  for (auto [operand, element] :
       llvm::zip_equal(operands, contraction.operands))
    if (operand.tensor == bias.getBias() && operand.dims.size() == 1 &&
        operand.dims.front() == axis) {
      contraction.start = element;
      first = bias;
      return;
    }
}

void LayerLowering::setResult(LayerBuilder &b, Contraction &contraction,
                              const PointFn &getPoint, bool isFlat) {
  LayerOperand whole{layer.getResult(), {}};
  for (int64_t dim = 0; dim < layer.getType().getRank(); ++dim)
    whole.dims.push_back(dim);
  contraction.result = getResultOperand(b, whole, result, getPoint, isFlat);
  for (auto [operand, argument] : llvm::zip_equal(operands, operandArguments))
    contraction.operands.push_back(
        getResultOperand(b, operand, argument, getPoint, isFlat));
  contraction.finish = [this](LayerBuilder &b, Value sum, ValueRange elements) {
    return finish(b, sum, elements);
  };
  contraction.channels = layer.getType().getDimSize(getChannelDim());
  contraction.channelBlock = getChannelBlock();
}

bool LayerLowering::canFlatten() const {
  if (result.layout.hasHalo())
    return false;
  for (auto [operand, argument] : llvm::zip_equal(operands, operandArguments)) {
    if (argument.layout.hasHalo())
      return false;
    std::optional<int64_t> dim = operand.getOnlyDim(layer.getType());
    bool isChannel = dim && (*dim == -1 || *dim == getChannelDim());
    if (!operand.isFull(layer.getType()) && !isChannel)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

FailureOr<HostTensor> uma::getHostTensor(Value constant) {
  return HostTensor::fromAttribute(
      constant.getDefiningOp<graph::ConstantOp>().getValue());
}

void LayerLowering::lowerMatrix() {
  Operation *op = layer.anchor;
  Value left = op->getOperand(0), right = op->getOperand(1);
  auto rightType = cast<RankedTensorType>(right.getType());
  ArrayRef<int64_t> shape = rightType.getShape().take_back(2);
  // dense has the weights of a result next to each other.
  auto matmul = dyn_cast<graph::BatchMatmulOp>(op);
  bool isTransposed = !matmul || matmul.getTransposeB();
  int64_t columns = shape[isTransposed ? 0 : 1];
  int64_t depth = shape[isTransposed ? 1 : 0];
  int64_t batch = rightType.getNumElements() / (columns * depth);

  Argument dataArgument = addArgument(provider.request(left, BufferLayout()));
  addOperands();
  result = addArgument(provider.getCanonical(layer.getResult()));
  Contraction c;
  c.label = op->getName().getStringRef().rsplit('.').second.str();
  c.outer = {batch};
  c.rows = layer.getType().getNumElements() / (columns * batch);
  c.channels = columns;
  c.reduce = {depth};
  matrixRows = c.rows;
  bool isConstant = batch == 1 && right.getDefiningOp<graph::ConstantOp>();
  if (const QuarterProduct *product = layers.lookupProduct(op)) {
    auto getData = [&](LayerBuilder &b) -> PixelOperand {
      return {getBuffer(b, dataArgument, {1, c.rows, depth}),
              [](AffineExpr image, AffineExpr, AffineExpr place,
                 ChannelExpr channel) {
                return IndexExprs{image, place, channel.inBlock};
              }};
    };
    return lowerStrassen(*product, right, isTransposed ? 1 : columns,
                         isTransposed ? depth : 1, getData, nullptr);
  }
  chooseSchedule(c);
  std::string name = getLayerName(op) + "_packed";
  std::optional<Argument> matrix;
  PlacedTensor packed;
  if (isConstant) {
    FailureOr<HostTensor> weights = getHostTensor(right);
    WeightOrder order;
    order.channels = columns;
    order.channelStride = isTransposed ? depth : 1;
    order.extents = {depth};
    order.strides = {isTransposed ? 1 : columns};
    packed.buffer = provider.makeConstant(
        packWeights(*weights, order, c.getPackLayout(), name), name);
    provider.releaseConstant(right);
  } else {
    matrix = addArgument(provider.request(right, BufferLayout()));
    packed.buffer = provider.allocateBuffer(
        MemRefType::get({batch,
                         int64_t(llvm::divideCeil(columns, c.packWidth)) *
                             (c.packWidth / c.getPanelWidth()),
                         depth + c.getPanelGap(), c.getPanelWidth()},
                        rightType.getElementType()),
        name);
  }
  Argument weights = addArgument(packed);
  build([&](LayerBuilder &b) {
    c.weights = getBuffer(b, weights);
    if (matrix) {
      SmallVector<int64_t> matrixShape = {batch, shape[0], shape[1]};
      buildPackedMatrix(b, getBuffer(b, *matrix, matrixShape), isTransposed,
                        c.packWidth, c.weights);
      c.getWeightPrefix = [](ArrayRef<AffineExpr> outer) {
        return IndexExprs{outer[0]};
      };
    }
    c.data = getBuffer(b, dataArgument, {batch, c.rows, depth});
    c.getDataIndices = [](ArrayRef<AffineExpr> outer, AffineExpr row,
                          ArrayRef<AffineExpr> reduce) {
      return IndexExprs{outer[0], row, reduce[0]};
    };
    setResult(b, c, nullptr, false);
    startWithBias(c);
    buildContraction(b, c);
  });
}

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

void LayerLowering::lower() {
  switch (layer.kind) {
  case Kind::Conv:
    return lowerConv();
  case Kind::Depthwise:
    return lowerDepthwise(cast<graph::Conv2dOp>(layer.anchor));
  case Kind::Matrix:
    return lowerMatrix();
  case Kind::Pool:
    return lowerPool();
  case Kind::Concatenate:
    return lowerConcatenate();
  case Kind::Interpolate:
    return lowerInterpolate();
  case Kind::Recurrent:
    return lowerRecurrent();
  case Kind::Elementwise:
    return lowerElementwise();
  }
}
