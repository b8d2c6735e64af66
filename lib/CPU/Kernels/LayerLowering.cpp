//===- LayerLowering.cpp - Base class of kernels --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Builds the function of a layer, its arguments, and the operands of
// elementwise operators.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"

#include "Rows.h"

#include "uma/CPU/Transforms/Passes.h"
#include "uma/IR/LayerAttributes.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"
#include "uma/TIR/Builder/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace uma;
using Kind = CPULayer::Kind;

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

LayerLowering::Argument LayerLowering::addBuffer(const PlacedTensor &tensor) {
  auto *known = llvm::find(arguments, tensor.buffer);
  if (known == arguments.end()) {
    arguments.push_back(tensor.buffer);
    known = std::prev(arguments.end());
  }
  return {unsigned(known - arguments.begin()), tensor.layout};
}

LayerLowering::Argument LayerLowering::addArgument(Value inside) {
  return addBuffer(
      provider.request(layer.getOutside(inside), layer.getLayout(inside)));
}

void LayerLowering::addResult() {
  result = addBuffer(provider.getStored(layer.getOutside(layer.getResult())));
}

LayerLowering::Argument LayerLowering::addConstant(ElementsAttr value,
                                                   StringRef name) {
  return addBuffer({provider.makeConstant(value, name), BufferLayout()});
}

LayerLowering::Argument LayerLowering::addWorkspace(ArrayRef<int64_t> shape,
                                                    StringRef label) {
  // Layers may end with a conversion to narrower elements.
  Value computed =
      layer.anchor ? layer.anchor->getResult(0) : layer.getResult();
  auto type = MemRefType::get(shape, getElementTypeOrSelf(computed));
  return addBuffer({provider.allocateBuffer(type, label), BufferLayout()});
}

void LayerLowering::releaseConstant(Value inside) {
  provider.releaseConstant(layer.getOutside(inside));
}

HostTensor LayerLowering::getHostTensor(Value inside) const {
  return *HostTensor::fromAttribute(layer.getConstant(inside).getValue());
}

void LayerLowering::build(function_ref<void(LayerBuilder &)> body) {
  Operation *op = layer.anchor ? layer.anchor : layer.ops.back();
  std::string name = layer.getName();
  std::string symbol = cpu::getFunctionName(layer);
  function = pair ? provider.createPaired(op->getLoc(), symbol, name, arguments,
                                          between)
                  : provider.createLayer(op->getLoc(), symbol, name, arguments);
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
  auto tile = function.getBody().getArguments().drop_front(arguments.size());
  if (pair) {
    tileVars.packs = pair->packs;
    tileVars.slabs = pair->slabs;
    if (pair->packs != 1)
      tileVars.pack = tile.front();
    if (pair->slabs != 1)
      tileVars.slab = tile.back();
  }
  body(layerBuilder);
  if (Attribute workload = layer.getFunction()->getAttr(kWorkloadAttrName))
    function->setAttr(kWorkloadAttrName, workload);
}

void LayerLowering::allowInPlace(const Argument &data, int64_t bytes) {
  function.setArgAttr(
      result.index, kInPlaceAttrName,
      DenseI64ArrayAttr::get(function.getContext(), {data.index, bytes}));
}

ScheduleAttr LayerLowering::getSchedule(size_t index) const {
  return cast<ScheduleAttr>(
      layer.getFunction()->getAttrOfType<ArrayAttr>(kSchedulesAttrName)[index]);
}

Contraction LayerLowering::getContraction(size_t index) const {
  return {getContractions(layer)[index], getSchedule(index)};
}

Value LayerLowering::getBuffer(LayerBuilder &b, const Argument &argument,
                               ArrayRef<int64_t> shape) {
  Value buffer = parameters[argument.index];
  return shape.empty() ? buffer : reshapeBuffer(b, buffer, shape);
}

void LayerLowering::buildBorder(LayerBuilder &b) {
  if (result.layout.hasHalo())
    buildZeroHalo(b, getBuffer(b, result), result.layout);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

void LayerLowering::addOperands() {
  operands = layer.getOperands();
  for (const LayerOperand &operand : operands)
    operandArguments.push_back(addArgument(operand.tensor));
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
  int64_t channelDim = layer.getChannelDim();
  int64_t block = layer.getChannelBlock();
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
    // Indices are batch, row and column; columns are the channels.
    int64_t columns = type.getShape().back();
    if (operand.isFull(type)) {
      MatrixDims dims = getMatrixDims(layer);
      int64_t rows = dims.rows, batch = dims.batch;
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
  // Rows and columns of an image of width 1 are merged in the columns.
  if (operand.isFull(type))
    std::iota(dims.begin(), dims.end(), 0);
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

Value LayerLowering::makeScalar(LayerBuilder &b, graph::ConstantOp constant) {
  FailureOr<HostTensor> value = HostTensor::fromAttribute(constant.getValue());
  return b.constant(value->getElementType(), value->getDouble(0));
}

/// Returns `value` as an i32 if it is a rounded number plus an integer, and
/// null otherwise. Rounding to an integer, and not to a float, saves a
/// conversion.
static Value getRoundedSum(LayerBuilder &b, Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  APFloat number(0.0f);
  if (!sum || !sum.getLhs().getDefiningOp<math::RoundEvenOp>() ||
      !matchPattern(sum.getRhs(), m_ConstantFloat(&number)) ||
      !number.isInteger())
    return {};
  Type i32 = b.builder.getI32Type();
  Value rounded = arith::FPToSIOp::create(b.builder, b.loc, i32, sum.getLhs());
  return b.add(rounded, b.constant(i32, number.convertToDouble()));
}

Value LayerLowering::convertElement(LayerBuilder &b, graph::CastOp op,
                                    Value value) {
  Type from = op.getData().getType().getElementType();
  Type to = op.getType().getElementType();
  Type element = to;
  if (to.isUnsignedInteger())
    element = b.builder.getIntegerType(to.getIntOrFloatBitWidth());
  bool isUnsigned =
      isa<FloatType>(from) ? to.isUnsignedInteger() : from.isUnsignedInteger();
  if (!op->hasAttr(graph::kInRangeAttrName) || !isa<FloatType>(from))
    return b.convert(value, element, isUnsigned);
  if (Value sum =
          to.getIntOrFloatBitWidth() < 32 ? getRoundedSum(b, value) : Value())
    return b.convert(sum, element);
  if (isUnsigned)
    return arith::FPToUIOp::create(b.builder, b.loc, element, value);
  return arith::FPToSIOp::create(b.builder, b.loc, element, value);
}

Value LayerLowering::castRounded(LayerBuilder &b, graph::CastOp op,
                                 const DenseMap<Value, Value> &computed) const {
  Type to = op.getType().getElementType();
  if (!roundsToIntegers || !op->hasAttr(graph::kInRangeAttrName) ||
      !to.isInteger())
    return {};
  // A zero point may follow.
  Value value = op.getData();
  double shift = 0;
  if (auto add = value.getDefiningOp<graph::AddOp>();
      add && layer.isScalarConstant(add.getRhs())) {
    shift = getHostTensor(add.getRhs()).getDouble(0);
    value = add.getLhs();
  }
  auto round = value.getDefiningOp<graph::RoundOp>();
  auto clip =
      round ? round.getData().getDefiningOp<graph::ClipOp>() : graph::ClipOp();
  Value number = clip ? computed.lookup(clip.getData()) : Value();
  if (!number || !number.getType().isF32())
    return {};
  const double bounds[] = {clip.getAMin().convertToDouble(),
                           clip.getAMax().convertToDouble()};
  constexpr double most = 1 << 24;
  for (double bound : {bounds[0], bounds[1], shift})
    if (std::rint(bound) != bound || std::abs(bound) > most)
      return {};
  auto low = int32_t(bounds[0]), high = int32_t(bounds[1]);
  Value integer = roundInIntegers(b, number, low, high);
  if (!integer)
    integer = tir::RoundClampedOp::create(
        b.builder, b.loc, b.builder.getI32Type(), number, low, high);
  if (shift != 0)
    integer = b.add(integer, b.constant(integer.getType(), shift));
  return b.convert(integer,
                   b.builder.getIntegerType(to.getIntOrFloatBitWidth()));
}

Value LayerLowering::finish(LayerBuilder &b, Value value,
                            ValueRange elements) const {
  DenseMap<Value, Value> computed;
  if (first)
    computed[first->getResult(0)] = value;
  for (Operation *op : layer.ops) {
    if (op == layer.anchor || op == first)
      continue;
    SmallVector<Value> values;
    for (OpOperand &operand : op->getOpOperands()) {
      if (Value value = computed.lookup(operand.get())) {
        values.push_back(value);
        continue;
      }
      if (layer.isScalarConstant(operand.get())) {
        values.push_back(makeScalar(b, layer.getConstant(operand.get())));
        continue;
      }
      auto dims = CPULayer::getBroadcastDims(operand, layer.getType());
      for (auto [other, element] : llvm::zip_equal(operands, elements))
        if (other.tensor == operand.get() && other.dims == dims) {
          values.push_back(element);
          break;
        }
    }
    Value &result = computed[op->getResult(0)];
    if (isa<graph::BiasAddOp>(op)) {
      result = b.add(values[0], values[1]);
      continue;
    }
    if (auto cast = dyn_cast<graph::CastOp>(op)) {
      if (Value rounded = castRounded(b, cast, computed)) {
        computed[op->getResult(0)] = rounded;
        continue;
      }
      result = convertElement(b, cast, values[0]);
      continue;
    }
    bool isUnsigned = values.back().getType().isInteger(1);
    result = getElementFunctions()
                 .find(op->getName().getStringRef())
                 ->second(b, op, values, isUnsigned);
  }
  return computed.lookup(layer.getResult());
}

void LayerLowering::startWithBias(Contraction &contraction) {
  auto bias = cast_or_null<graph::BiasAddOp>(layer.getBias());
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
  contraction.channels = layer.getType().getDimSize(layer.getChannelDim());
  contraction.channelBlock = layer.getChannelBlock();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static LayerLoweringPtr createLowering(const CPULayer &layer,
                                       const LayerNeighbours &neighbours,
                                       BufferProvider &provider) {
  switch (layer.getKernel().getAlgorithm()) {
  case Algorithm::Planar:
    return createPlanarConvolution(layer, provider);
  case Algorithm::Winograd:
    return createWinograd(layer, provider);
  case Algorithm::Strassen:
    return createStrassen(layer, provider);
  case Algorithm::Im2col:
  case Algorithm::Im2colPairs:
    return createIm2col(layer, provider);
  case Algorithm::Direct:
  case Algorithm::Plain:
  case Algorithm::Script:
    break;
  }
  switch (layer.kind) {
  case Kind::Conv:
    return createConvolution(layer, neighbours, provider);
  case Kind::Depthwise:
    return createDepthwise(layer, provider);
  case Kind::Matrix:
    return createMatrixProduct(layer, provider);
  case Kind::Pool:
    return createPool(layer, provider);
  case Kind::Concatenate:
    return createConcatenate(layer, provider);
  case Kind::Shuffle:
    return createChannelMoves(layer, provider);
  case Kind::Interpolate:
    return createInterpolate(layer, provider);
  case Kind::Recurrent:
    return createRecurrent(layer, provider);
  case Kind::Elementwise:
    return layer.isLookup() ? createLookup(layer, provider)
                            : createElementwise(layer, provider);
  case Kind::ByteSum:
    return createByteSum(layer, provider);
  case Kind::ByteProduct:
    return createIm2col(layer, provider);
  case Kind::ByteWindow:
    return createByteWindow(layer, provider);
  }
  llvm_unreachable("every kind has a kernel");
}

void uma::lowerLayer(const CPULayer &layer, const LayerNeighbours &neighbours,
                     BufferProvider &provider) {
  createLowering(layer, neighbours, provider)->lower();
}
