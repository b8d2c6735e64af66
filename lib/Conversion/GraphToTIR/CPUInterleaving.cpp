//===- CPUInterleaving.cpp - Two layers that take turns -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A depthwise convolution with a stride reads several times what it writes, and
// does little with it: where that comes from far, it waits. So the convolution
// in front of it and it take turns, by packs of channels and, where a pack is
// large, by slabs of rows: what one writes is still near when the other one
// reads it, and takes a fraction of the memory. Source: Halide's compute_at
// with store_at, here between functions, so that each layer stays one.
//
//===----------------------------------------------------------------------===//

#include "CPULowering.h"
#include "CPURows.h"
#include "ModuleConverter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;
using Access = LayerBuilder::Access;

//===----------------------------------------------------------------------===//
// The layers
//===----------------------------------------------------------------------===//

/// The slabs of rows that bring `plan`'s buffer, of `shape`, to what stays near
/// beside what the writer reads, `rowElements` for one of its rows.
static void chooseSlabs(Interleaving &plan, const graph::Window &window,
                        ArrayRef<int64_t> shape, int64_t rowElements) {
  // A part of the second cache.
  constexpr int64_t nearBytes = 256 << 10, elementBytes = 4;
  auto getBytes = [&](const Interleaving &plan) {
    int64_t elements = 1;
    for (int64_t extent : plan.getShape(shape))
      elements *= extent;
    int64_t rows = plan.slabs == 1 ? window.input[0] : plan.writerRows;
    return elementBytes * (elements + rows * rowElements);
  };
  // The rows of a slab follow those of the one before, with as many between
  // the first ones of both layers, and none is left at the end.
  int64_t stride = window.strides[0], output = window.getOutput(0);
  int64_t kept = window.getExtent(0) - stride;
  if (getBytes(plan) <= nearBytes || kept != window.padBegin[0] ||
      output * stride != window.input[0])
    return;
  Interleaving sliced = plan;
  sliced.keptRows = kept;
  for (int64_t rows = output - 1; rows > 0; --rows) {
    if (output % rows != 0)
      continue;
    sliced.slabs = output / rows;
    sliced.readerRows = rows;
    sliced.writerRows = rows * stride;
    // Rows are not kept past the slab behind the one that wrote them.
    if (sliced.writerRows < kept)
      break;
    plan = sliced;
    if (getBytes(plan) <= nearBytes)
      break;
  }
}

void LayerLowering::interleaveWithReader(const Contraction &conv) {
  Value tensor = layer.getResult();
  // Layers that take turns have no panels.
  if (!layers.getOptions().interleave || !tensor.hasOneUse() ||
      conv.hasFewRows())
    return;
  OpOperand &use = *tensor.use_begin();
  const CPULayer *reader = layers.lookup(use.getOwner());
  if (!reader || reader->kind != CPULayer::Kind::Depthwise ||
      reader->anchor != use.getOwner() || use.getOperandNumber() != 0)
    return;
  graph::Window window = cast<graph::Conv2dOp>(reader->anchor).getDims().window;
  // Without a stride the reader writes over its data, which is as good.
  const BufferLayout &layout = result.layout;
  BufferLayout wanted = layers.getLayout(reader->getResult());
  if (window.strides[0] * window.strides[1] == 1 || wanted.hasHalo())
    return;
  ConvGeometry::of(reader->anchor)->requireHalo(wanted);
  if (layout.block == 0 || !(wanted == layout))
    return;

  Interleaving plan;
  plan.blocks = layer.getType().getDimSize(layout.channelDim) / layout.block;
  if (conv.channelBlock != 0 && conv.channels % conv.packWidth == 0) {
    plan.packs = conv.channels / conv.packWidth;
    plan.blocks /= plan.packs;
  }
  SmallVector<int64_t> shape = layout.getShape(layer.getType().getShape());
  bool hasRows = conv.outer.size() == 2;
  // What is read of a row's data, but for the border.
  ContractionShape sums = getContractionShape(conv.getWorkload());
  int64_t rowElements = conv.rows * sums.depth / sums.taps;
  for (int64_t stride : conv.strides)
    rowElements *= stride;
  if (hasRows)
    chooseSlabs(plan, window, shape, rowElements);
  if (plan.packs == 1 && plan.slabs == 1)
    return;
  arguments[result.index] = provider.interleave(tensor, plan).buffer;
  between = tensor;
  interleaving = provider.getInterleaving(tensor);
}

void LayerLowering::beginTurn(LayerBuilder &b) {
  Value buffer = getBuffer(b, result);
  BufferLayout border = result.layout;
  if (slab) {
    // Rows are what is copied at a time.
    const Interleaving &plan = *interleaving;
    ArrayRef<int64_t> shape = uma::getShape(buffer);
    int64_t blocks = shape[1], pitch = shape[3] * shape[4];
    Value flat = reshapeBuffer(b, buffer, {blocks, shape[2], pitch});
    Access target{flat, {b.dim(0), b.dim(1), b.dim(2)}};
    Access source = target;
    source.first[1] = source.first[1] + plan.writerRows;
    b.loops({blocks, plan.keptRows, pitch}, [&](ValueRange loopVars) {
      SmallVector<Value> bindings(loopVars);
      bindings.push_back(slab);
      b.block("kept_rows", {{blocks}, {plan.keptRows}, {pitch}, {plan.slabs}},
              bindings, {source}, {target}, [&](ValueRange vars) {
                Value first = b.index(0);
                Value isLater = b.lessThan(first, vars[3]);
                Value zero = b.constant(uma::getElement(buffer), 0.0);
                Value value = b.guarded({isLater}, zero, [&]() -> Value {
                  return b.load(flat, b.applyAll(source, vars));
                });
                b.storeAt(value, target, vars);
              });
    });
    border.padBegin[0] = border.padEnd[0] = 0;
  }
  if (border.hasHalo())
    buildZeroHalo(b, buffer, border);
}

SmallVector<std::pair<Value, int64_t>, 2> LayerLowering::getTurn() const {
  SmallVector<std::pair<Value, int64_t>, 2> turn;
  if (pack)
    turn.emplace_back(pack, interleaving->packs);
  if (slab)
    turn.emplace_back(slab, interleaving->slabs);
  return turn;
}

void LayerLowering::takeTurn(LayerBuilder &b, Contraction &conv) const {
  conv.isParallel = false;
  conv.turn = getTurn();
  conv.pack = pack;
  if (slab) {
    Value rows = b.index(interleaving->writerRows);
    conv.range = {arith::MulIOp::create(b.builder, b.loc, slab, rows),
                  interleaving->writerRows};
  }
  bool hasRows = conv.outer.size() == 2;
  conv.result.getIndices =
      [plan = *interleaving, hasRows,
       getIndices = conv.result.getIndices](const ResultPoint &point) {
        IndexExprs outer(point.outer);
        ArrayRef<AffineExpr> turn = point.outer.drop_front(hasRows ? 2 : 1);
        if (hasRows)
          outer[1] = plan.getRow(outer[1], plan.writerRows, turn);
        AffineExpr block = plan.getBlock(point.channel.block, turn);
        return getIndices({outer, point.row, {block, point.channel.inBlock}});
      };
}

//===----------------------------------------------------------------------===//
// The function that calls them
//===----------------------------------------------------------------------===//

PlacedTensor ModuleConverter::interleave(Value tensor,
                                         const Interleaving &interleaving) {
  PlacedTensor &placed = buffers[tensor].front();
  auto whole = placed.buffer.getDefiningOp<tir::AllocOp>();
  auto type = cast<MemRefType>(placed.buffer.getType());
  placed.buffer =
      allocate(MemRefType::get(interleaving.getShape(type.getShape()),
                               type.getElementType()),
               whole.getLabel().value_or(""), whole.getLoc());
  whole.erase();
  interleaved[tensor].interleaving = interleaving;
  return placed;
}

const Interleaving *ModuleConverter::getInterleaving(Value tensor) const {
  auto entry = interleaved.find(tensor);
  return entry == interleaved.end() ? nullptr : &entry->second.interleaving;
}

tir::FuncOp ModuleConverter::createInterleaved(Location loc, StringRef name,
                                               StringRef layer,
                                               ValueRange arguments,
                                               Value tensor) {
  InterleavedLayers &layers = interleaved[tensor];
  const Interleaving &plan = layers.interleaving;
  SmallVector<int64_t, 2> extents = plan.getExtents();
  SmallVector<Type> types(arguments.getTypes());
  types.append(extents.size(), builder.getIndexType());
  tir::FuncOp function = createFunction(loc, name, layer, types);
  if (!layers.writer) {
    layers.writer = function;
    layers.arguments.assign(arguments.begin(), arguments.end());
    return function;
  }
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value, 2> turn;
  for (int64_t extent : extents) {
    auto loop = tir::ForOp::create(builder, loc, builder.getIndexAttr(0),
                                   builder.getIndexAttr(extent));
    builder.setInsertionPointToStart(&loop.getBody().front());
    turn.push_back(loop.getInductionVar());
  }
  auto call = [&](tir::FuncOp callee, ValueRange own) {
    SmallVector<Value> all(own);
    llvm::append_range(all, turn);
    tir::CallOp::create(builder, callee.getLoc(), callee.getName(), all);
  };
  call(layers.writer, layers.arguments);
  call(function, arguments);
  return function;
}
