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
// Lines of few rows are joined, since each tile loads its weights: a tile
// continues through the data between two lines, such as a halo, and the sums
// of these rows are left out.
//
//===----------------------------------------------------------------------===//

#include "TileKernel.h"

#include "uma/CPU/Model/TileInstructions.h"
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

void TileKernelBuilder::buildCall(StringRef part, ArrayRef<Value> arguments) {
  SmallVector<Value> all(arguments);
  SmallVector<int64_t> writes;
  if (!all.empty() && all.front() == sums)
    writes.push_back(0);
  for (int64_t size : {tile.rows, tile.getChannels(), instruction.getWords()})
    all.push_back(b.index(size));
  auto call = tir::CallExternOp::create(
      b.builder, b.loc,
      ("uma_instruction_" + instruction.getName().getValue() + part).str(), all,
      writes, /*no_status=*/true);
  call->setAttr(kInstructionAttrName, b.builder.getUnitAttr());
}

void TileKernelBuilder::buildSumCall(StringRef part,
                                     ArrayRef<Value> arguments) {
  Value first = b.index(0);
  if (firstSum)
    first = scaled(firstSum, tile.getChannels());
  SmallVector<Value> all = {sums, first};
  llvm::append_range(all, arguments);
  buildCall(part, all);
}

void TileKernelBuilder::prepareRows() { buildCall("_configure", {}); }

int64_t TileKernelBuilder::getPreparedTiles(int64_t count) {
  // Enough parts for threads to share them evenly.
  constexpr int64_t parts = 8;
  return getLargestDivisor(count, std::max<int64_t>(count / parts, 1));
}

void TileKernelBuilder::buildStep(ValueRange reduceVars) {
  SmallVector<Value> vars(channelBindings);
  llvm::append_range(vars, getRowBindings(b.index(0)));
  vars.push_back(b.index(0));
  llvm::append_range(vars, reduceVars);
  IndexExprs steps = getDims(getFirstReduceDim(), c.reduce.size());
  AffineExpr row = b.dim(getRowDim());
  auto getData = [&](AffineExpr row) {
    return getOffset(uma::getShape(c.data),
                     c.getDataIndices(getOuter(), row, steps));
  };
  unsigned count = vars.size();
  AffineExpr pitch =
      simplifyAffineExpr(getData(row + 1) - getData(row), count, 0);
  AffineExpr weights = getOffset(uma::getShape(c.weights),
                                 {b.dim(Panel), getDepth(), b.dim(Column)});
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
  buildSumCall("",
               {getElements(c.data), dataOffset, dataPitch,
                getElements(c.weights), weightOffset, weightPitch, panelPitch});
}

void TileKernelBuilder::buildTileSums() {
  buildSumCall("_start");
  buildSum();
  buildSumCall("_finish");
}

void TileKernelBuilder::buildTile() {
  sums = b.local("sum", sumType, {tile.rows, tile.getChannels()});
  buildTileSums();
  buildResult();
}

void TileKernelBuilder::buildLines(ValueRange outerVars, Value line,
                                   int64_t lines) {
  int64_t rows = getJoinedRows(c, lines);
  int64_t count = llvm::divideCeil(rows, mostRows);
  tile.rows = llvm::divideCeil(rows, count);
  sums = b.local("sum", sumType, {rows, tile.getChannels()});
  prepareRows();
  buildLoop(b, count, tir::ForKind::Serial, [&](Value index) {
    // All tiles have the same size, which is set only once: the last one begins
    // early if necessary, and computes the same sums again.
    firstSum = atMost(scaled(index, tile.rows), rows - tile.rows);
    rowBindings.assign(outerVars.begin(), outerVars.end());
    rowBindings.append({line, firstSum});
    buildTileSums();
  });
  tile.rows = c.rows;
  buildLoop(b, lines, tir::ForKind::Serial, [&](Value index) {
    firstSum = scaled(index, c.linePitch);
    rowBindings.assign(outerVars.begin(), outerVars.end());
    rowBindings.append({sum(line, index), b.index(0)});
    buildResult();
  });
  firstSum = nullptr;
}

void TileKernelBuilder::buildTiles(KindFn getKind, function_ref<void()> body) {
  int64_t lines = instruction.getLines();
  if (lines == 1)
    return KernelBuilder::buildTiles(getKind, body);
  size_t last = c.outer.size() - 1;
  // Threads share the lines where they would share their rows.
  tir::ForKind kind = getKind(last + 1);
  if (getKind(last + 2) == tir::ForKind::Parallel)
    kind = tir::ForKind::Parallel;
  buildOuterLoops(ArrayRef(c.outer).drop_back(), getKind, [&](ValueRange vars) {
    SmallVector<Value> outerVars(vars);
    int64_t whole = c.outer.back() / lines, rest = c.outer.back() % lines;
    buildLoop(b, whole, kind, [&](Value index) {
      buildLines(outerVars, scaled(index, lines), lines);
    });
    if (rest != 0)
      buildLines(outerVars, b.index(whole * lines), rest);
  });
}
