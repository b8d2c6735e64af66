//===- TileKernel.cpp - Contractions by a tile instruction ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The sums of a tile start at 0 and stay where the instruction keeps them until
// the end of the reduction. Then they are stored to a local array, and the
// epilogue adds the initial values: a device rarely has both.
//
//===----------------------------------------------------------------------===//

#include "TileKernel.h"

#include "uma/IR/DeviceAttributes.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace uma;

TileKernelBuilder::TileKernelBuilder(LayerBuilder &b, const Contraction &c,
                                     VersionAttr version,
                                     TileInstructionAttr instruction)
    : KernelBuilder(b, c, version), instruction(instruction) {
  int64_t lanes = instruction.getLanes();
  tile = {instruction.getRows(), instruction.getColumns() / lanes, lanes};
  mostRows = tile.rows;
  slices = 1;
  isByLane = false;
  stepWidth = instruction.getWords();
  prefetch = Prefetch::None;
  pixelLoop = tir::ForKind::Serial;
  startsAtZero = true;
}

void TileKernelBuilder::buildCall(StringRef part,
                                  SmallVector<Value> arguments) {
  SmallVector<int64_t> writes;
  for (auto [position, argument] : llvm::enumerate(arguments))
    if (argument == sums)
      writes.push_back(int64_t(position));
  for (int64_t size : {tile.rows, tile.getChannels(), instruction.getWords()})
    arguments.push_back(b.index(size));
  auto call = tir::CallExternOp::create(
      b.builder, b.loc,
      ("uma_instruction_" + instruction.getName().getValue() + part).str(),
      arguments, writes, /*no_status=*/true);
  call->setAttr(kInstructionAttrName, b.builder.getUnitAttr());
}

void TileKernelBuilder::prepareRows() { buildCall("_configure", {}); }

/// Returns the distance of an element from the first one of a buffer.
static AffineExpr getOffset(Value buffer, ArrayRef<AffineExpr> indices) {
  SmallVector<int64_t> strides = computeStrides(uma::getShape(buffer));
  AffineExpr offset = getAffineConstantExpr(0, buffer.getContext());
  for (auto [index, stride] : llvm::zip_equal(indices, strides))
    offset = offset + index * stride;
  return offset;
}

void TileKernelBuilder::buildStep(ValueRange reduceVars) {
  SmallVector<Value> vars(channelBindings);
  llvm::append_range(vars, getRowBindings(b.index(0)));
  vars.push_back(b.index(0));
  llvm::append_range(vars, reduceVars);
  IndexExprs steps = getDims(getFirstReduceDim(), c.reduce.size());
  AffineExpr row = b.dim(getRowDim());
  auto getData = [&](AffineExpr row) {
    return getOffset(c.data, c.getDataIndices(getOuter(), row, steps));
  };
  unsigned count = vars.size();
  AffineExpr pitch =
      simplifyAffineExpr(getData(row + 1) - getData(row), count, 0);
  AffineExpr weights =
      getOffset(c.weights, {b.dim(Panel), getDepth(), b.dim(Column)});
  int64_t panel = c.getPanelWidth();
  // In C, a word is no type of its own.
  auto getElements = [](Value words) {
    return words.getDefiningOp<tir::WordsOp>().getSource();
  };
  Value dataOffset = b.apply(getData(row), vars);
  Value dataPitch = b.index(cast<AffineConstantExpr>(pitch).getValue());
  Value weightOffset = b.apply(weights, vars);
  Value weightPitch = b.index(panel);
  int64_t panelSize = computeStrides(uma::getShape(c.weights)).front();
  Value panelPitch = b.index(panelSize);
  buildCall("",
            {sums, getElements(c.data), dataOffset, dataPitch,
             getElements(c.weights), weightOffset, weightPitch, panelPitch});
}

void TileKernelBuilder::buildTile() {
  sums = b.local("sum", sumType, {tile.rows, tile.getChannels()});
  buildCall("_start", {sums});
  buildSum();
  buildCall("_finish", {sums});
  buildResult();
}
