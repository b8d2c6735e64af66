//===- Lookups.cpp - Functions of bytes by tables -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A function of one byte is a table of 256 entries. The order of the elements
// does not matter, so rows of adjacent bytes are looked up in any layout.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"
#include "Rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace uma;

namespace {
/// Rows of adjacent bytes, each with its first byte in a flat buffer, an
/// expression of the outer loops.
struct ByteRows {
  SmallVector<int64_t> extents;
  int64_t size = 0;
  AffineExpr source, target;
};

class Lookup : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;

private:
  /// Returns the rows of a layout with a halo.
  ByteRows getRows(LayerBuilder &b) const;
  void buildRows(LayerBuilder &b, const ByteRows &rows, const ISA &target);

  Value data, table, written;
};
} // namespace

ByteRows Lookup::getRows(LayerBuilder &b) const {
  ArrayRef<int64_t> shape = layer.getType().getShape();
  const BufferLayout &layout = result.layout;
  int64_t rowDim =
      layout.block != 0 ? layout.spatialDims.back() : shape.size() - 1;
  ByteRows rows;
  rows.size = shape[rowDim] * std::max<int64_t>(layout.block, 1);
  IndexExprs place(shape.size(), b.expr(0));
  ChannelExpr channel = {b.expr(0), b.expr(0)};
  for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim) {
    if (dim == rowDim)
      continue;
    AffineExpr variable = b.dim(rows.extents.size());
    bool isBlock = layout.block != 0 && dim == layout.channelDim;
    rows.extents.push_back(isBlock ? shape[dim] / layout.block : shape[dim]);
    (isBlock ? channel.block : place[dim]) = variable;
  }
  auto getFirst = [&](const BufferLayout &layout) {
    return getOffset(layout.getShape(shape), layout.getIndices(place, channel));
  };
  rows.source = getFirst(operandArguments.front().layout);
  rows.target = getFirst(layout);
  return rows;
}

void Lookup::buildRows(LayerBuilder &b, const ByteRows &rows,
                       const ISA &target) {
  SmallVector<int64_t> extents = rows.extents;
  bool isScalar = target.lanes == 1;
  if (isScalar)
    extents.push_back(rows.size);
  SmallVector<LayerBuilder::Dim> dims;
  for (int64_t extent : extents)
    dims.push_back({extent});
  AffineExpr byte = isScalar ? b.dim(rows.extents.size()) : b.expr(0);
  auto buildRow = [&](ValueRange vars) {
    Value from = b.apply(rows.source + byte, vars);
    Value to = b.apply(rows.target + byte, vars);
    if (!isScalar) {
      tir::LookupOp::create(b.builder, b.loc, data, from, table, written, to,
                            rows.size);
      return;
    }
    Value index = b.convert(b.load(data, from), b.builder.getI32Type(), true);
    index = arith::IndexCastOp::create(b.builder, b.loc,
                                       b.builder.getIndexType(), index);
    b.store(b.load(table, index), written, to);
  };
  b.loops(
      extents,
      [&](ValueRange loopVars) {
        b.block("lookup", dims, loopVars, {b.anywhere(data), b.whole(table)},
                {b.anywhere(written)}, buildRow);
      },
      chooseParallel(extents));
}

void Lookup::lower() {
  addOperands();
  addResult();
  Argument entries =
      addArgument(cast<graph::TakeOp>(layer.ops.front()).getData());
  const Argument &source = operandArguments.front();
  build([&](LayerBuilder &b) {
    buildBorder(b);
    auto getFlat = [&](const Argument &argument) {
      ArrayRef<int64_t> shape = uma::getShape(getBuffer(b, argument));
      return getBuffer(b, argument, ShapedType::getNumElements(shape));
    };
    data = getFlat(source);
    written = getFlat(result);
    table = getBuffer(b, entries);
    buildVersions(b, [&](const ISA &target) {
      if (source.layout.hasHalo() || result.layout.hasHalo())
        return buildRows(b, getRows(b), target);
      // Parts are enough for threads, and the first one's entries stay in
      // registers.
      constexpr int64_t part = 4096;
      int64_t size = layer.getType().getNumElements();
      int64_t parts = size / part, rest = size % part;
      AffineExpr first = b.dim(0) * part, last = b.expr(parts * part);
      if (parts != 0)
        buildRows(b, {{parts}, part, first, first}, target);
      if (rest != 0)
        buildRows(b, {{}, rest, last, last}, target);
    });
  });
}

LayerLoweringPtr uma::createLookup(const CPULayer &layer,
                                   BufferProvider &provider) {
  return std::make_unique<Lookup>(layer, provider);
}
