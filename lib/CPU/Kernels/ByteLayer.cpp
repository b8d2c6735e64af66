//===- ByteLayer.cpp - Layers of bytes in row-major order -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ByteLayer.h"

#include "Rows.h"

#include "uma/Support/LayerName.h"
#include "uma/TIR/Builder/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace uma;

void ByteLayer::addArguments() {
  roundsToIntegers = true;
  data = addArgument(layer.getData());
  operands = layer.getOperands();
  auto bias = cast_or_null<graph::BiasAddOp>(layer.getBias());
  if (bias && layer.getConstant(bias.getBias())) {
    // addStart adds it.
    first = bias;
    llvm::erase_if(operands, [&](const LayerOperand &operand) {
      return operand.tensor == bias.getBias();
    });
  }
  for (const LayerOperand &operand : operands)
    operandArguments.push_back(addArgument(operand.tensor));
  addResult();
  if (!processor.hasFloatUnit)
    chooseProduct();
}

int64_t ByteLayer::getWeightsPerChannel() const {
  int64_t axis = 0;
  if (auto conv = dyn_cast<graph::Conv2dOp>(layer.anchor))
    axis = graph::KernelLayout::parse(conv.getKernelLayout())->o;
  auto weights = cast<RankedTensorType>(layer.anchor->getOperand(1).getType());
  int64_t inner = 1;
  for (int64_t extent : weights.getShape().drop_front(axis + 1))
    inner *= extent;
  return inner;
}

LayerLowering::Argument
ByteLayer::addStart(int64_t count, bool subtractsZeroPoint, int64_t offset) {
  int64_t channels = layer.getType().getShape().back();
  HostTensor start(RankedTensorType::get(
      count, IntegerType::get(layer.anchor->getContext(), 32)));
  if (auto bias = dyn_cast<graph::BiasAddOp>(first)) {
    HostTensor values = getHostTensor(bias.getBias());
    for (int64_t c = 0; c < channels; ++c)
      start.setInt(c, values.getInt(c));
  }
  int64_t zeroPoint = subtractsZeroPoint ? getZeroPoint() + offset : 0;
  if (zeroPoint != 0) {
    HostTensor weights = getHostTensor(layer.anchor->getOperand(1));
    int64_t inner = getWeightsPerChannel();
    std::vector<int64_t> sums(channels);
    for (int64_t i = 0, e = weights.getType().getNumElements(); i != e; ++i)
      sums[i / inner % channels] += weights.getInt(i);
    for (int64_t c = 0; c < channels; ++c)
      start.setInt(c, start.getInt(c) - zeroPoint * sums[c]);
  }
  if (product)
    for (auto [c, sum] : product->constants)
      start.setInt(int64_t(c), sum);
  std::string name = getLayerName(layer.anchor) + "_start";
  return addConstant(start.toAttribute(name), name);
}

std::vector<FixedProduct::Sums> ByteLayer::getSums() const {
  HostTensor weights = getHostTensor(layer.anchor->getOperand(1));
  int64_t channels = layer.getType().getShape().back();
  int64_t inner = getWeightsPerChannel();
  // Padding adds 0.
  double zeroPoint = double(getZeroPoint());
  double count = std::ldexp(1.0, int(getDataElement().getIntOrFloatBitWidth()));
  double least = isDataUnsigned() ? 0 : -count / 2;
  double low = std::min(0.0, least - zeroPoint);
  double high = std::max(0.0, least + count - 1 - zeroPoint);
  std::vector<FixedProduct::Sums> sums(channels);
  if (auto bias = dyn_cast<graph::BiasAddOp>(first)) {
    HostTensor values = getHostTensor(bias.getBias());
    for (int64_t c = 0; c < channels; ++c)
      sums[c].least = sums[c].most = double(values.getInt(c));
  }
  for (int64_t i = 0, e = weights.getType().getNumElements(); i != e; ++i) {
    auto weight = double(weights.getInt(i));
    FixedProduct::Sums &sum = sums[i / inner % channels];
    sum.least += weight * (weight > 0 ? low : high);
    sum.most += weight * (weight > 0 ? high : low);
  }
  return sums;
}

bool ByteLayer::isRounded(graph::MultiplyOp multiply) const {
  auto getUser = [](Operation *op) -> Operation * {
    return op && op->hasOneUse() ? *op->user_begin() : nullptr;
  };
  auto isLimit = [](double number) {
    return std::rint(number) == number &&
           std::abs(number) <= double(FixedProduct::mostLimit);
  };
  auto clip = dyn_cast_or_null<graph::ClipOp>(getUser(multiply));
  if (!clip || !multiply.getType().getElementType().isF32() ||
      !isLimit(clip.getAMin().convertToDouble()) ||
      !isLimit(clip.getAMax().convertToDouble()))
    return false;
  auto round = dyn_cast_or_null<graph::RoundOp>(getUser(clip));
  Operation *user = getUser(round);
  if (auto add = dyn_cast_or_null<graph::AddOp>(user)) {
    if (add.getLhs() != round.getResult() ||
        !layer.isScalarConstant(add.getRhs()) ||
        !isLimit(getHostTensor(add.getRhs()).getDouble(0)))
      return false;
    user = getUser(add);
  }
  auto cast = dyn_cast_or_null<graph::CastOp>(user);
  return cast && cast->hasAttr(graph::kInRangeAttrName) &&
         cast.getType().getElementType().isInteger();
}

void ByteLayer::chooseProduct() {
  if (!isa<graph::Conv2dOp, graph::DenseOp>(layer.anchor))
    return;
  for (Operation *op : layer.ops) {
    auto multiply = dyn_cast<graph::MultiplyOp>(op);
    auto cast = multiply ? multiply.getLhs().getDefiningOp<graph::CastOp>()
                         : graph::CastOp();
    if (!cast || cast.getData() != first->getResult(0) ||
        !cast.getData().hasOneUse() || !cast.getResult().hasOneUse() ||
        !layer.getConstant(multiply.getRhs()) || !isRounded(multiply))
      continue;
    std::vector<FixedProduct::Sums> sums = getSums();
    HostTensor values = getHostTensor(multiply.getRhs());
    size_t count = values.getType().getNumElements();
    ArrayRef<int64_t> shape = values.getType().getShape();
    if (count != 1 && (count != sums.size() || shape.back() != int64_t(count)))
      return;
    std::vector<float> scales;
    for (size_t c = 0; c < sums.size(); ++c)
      scales.push_back(float(values.getDouble(count == 1 ? 0 : int64_t(c))));
    product = FixedProduct::choose(sums, scales);
    if (!product)
      return;
    if (llvm::all_equal(product->multipliers)) {
      product->multipliers.resize(1);
      return;
    }
    HostTensor integers(RankedTensorType::get(
        int64_t(sums.size()), IntegerType::get(multiply.getContext(), 32)));
    for (auto [c, multiplier] : llvm::enumerate(product->multipliers))
      integers.setInt(int64_t(c), multiplier);
    std::string name = getLayerName(layer.anchor) + "_multiplier";
    multipliers = addConstant(integers.toAttribute(name), name);
    return;
  }
}

Value ByteLayer::roundInIntegers(LayerBuilder &b, Value number, int32_t low,
                                 int32_t high) const {
  if (processor.hasFloatUnit)
    return {};
  auto scaled = number.getDefiningOp<arith::MulFOp>();
  auto real = scaled ? scaled.getLhs().getDefiningOp<arith::SIToFPOp>()
                     : arith::SIToFPOp();
  if (!product || !real || real.getIn() != currentSum)
    return roundAffine(b, number, low, high);
  Value multiplier = multiplierBuffer
                         ? b.load(multiplierBuffer, currentChannel)
                         : b.constant(b.builder.getI32Type(),
                                      double(product->multipliers.front()));
  Value fixed = product->multiply(b, currentSum, multiplier);
  return product->format.round(b, fixed, number, low, high);
}

Value ByteLayer::getFlat(LayerBuilder &b, const Argument &argument) {
  Value buffer = getBuffer(b, argument);
  int64_t count = 1;
  for (int64_t extent : uma::getShape(buffer))
    count *= extent;
  return reshapeBuffer(b, buffer, {count});
}

int64_t ByteLayer::getZeroPoint() const {
  int64_t zeroPoint = 0;
  for (Operation *op : layer.prologue)
    if (isa<graph::AddOp, graph::SubtractOp>(op)) {
      int64_t number = getHostTensor(op->getOperand(1)).getInt(0);
      zeroPoint += isa<graph::AddOp>(op) ? -number : number;
    }
  return zeroPoint;
}

Value ByteLayer::convertData(LayerBuilder &b, Value element) const {
  for (Operation *op : layer.prologue) {
    if (auto cast = dyn_cast<graph::CastOp>(op)) {
      element = convertElement(b, cast, element);
      continue;
    }
    Value number = makeScalar(b, layer.getConstant(op->getOperand(1)));
    element = getElementFunctions()
                  .find(op->getName().getStringRef())
                  ->second(b, op, {element, number}, /*isUnsigned=*/false);
  }
  return element;
}

void ByteLayer::storeResult(LayerBuilder &b, Value sum, Value pixel,
                            Value channel) {
  RankedTensorType type = layer.getType();
  Value channels = b.index(type.getShape().back());
  Value whole = arith::AddIOp::create(
      b.builder, b.loc,
      arith::MulIOp::create(b.builder, b.loc, pixel, channels), channel);
  currentSum = sum;
  currentChannel = channel;
  SmallVector<Value> elements;
  for (auto [operand, buffer] : llvm::zip_equal(operands, operandBuffers)) {
    Value place = operand.isFull(type)             ? whole
                  : operand.getOnlyDim(type) == -1 ? b.index(0)
                                                   : channel;
    Type compute = LayerBuilder::getComputeType(uma::getElement(buffer));
    elements.push_back(b.loadAs(compute, buffer, place));
  }
  b.store(finish(b, sum, elements), resultBuffer, whole);
}

void ByteLayer::buildIf(LayerBuilder &b, Value condition,
                        function_ref<void()> body,
                        function_ref<void()> otherwise) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(b.builder, b.loc, condition,
                                  /*withElseRegion=*/bool(otherwise));
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(branch.thenBlock());
  body();
  if (!otherwise)
    return;
  b.builder.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

void ByteLayer::buildRange(LayerBuilder &b, OpFoldResult begin,
                           OpFoldResult end, function_ref<void(Value)> body) {
  auto loop = tir::ForOp::create(b.builder, b.loc, begin, end);
  OpBuilder::InsertionGuard guard(b.builder);
  b.builder.setInsertionPointToStart(&loop.getBody().front());
  body(loop.getInductionVar());
}

void ByteLayer::buildBlock(LayerBuilder &b, StringRef label,
                           ArrayRef<int64_t> extents, ValueRange bindings,
                           ValueRange reads, ValueRange writes,
                           LayerBuilder::BodyFn body) {
  auto getAccesses = [&](ValueRange buffers) {
    return llvm::map_to_vector(
        buffers, [&](Value buffer) { return b.anywhere(buffer); });
  };
  auto dims = llvm::map_to_vector(
      extents, [](int64_t extent) { return LayerBuilder::Dim{extent}; });
  b.block(label, dims, bindings, getAccesses(reads), getAccesses(writes), body);
}

void ByteLayer::buildBytes(function_ref<void(LayerBuilder &)> body) {
  build([&](LayerBuilder &b) {
    dataBuffer = getFlat(b, data);
    resultBuffer = getFlat(b, result);
    for (const Argument &argument : operandArguments)
      operandBuffers.push_back(getFlat(b, argument));
    if (product && product->multipliers.size() > 1)
      multiplierBuffer = getFlat(b, multipliers);
    body(b);
  });
}
