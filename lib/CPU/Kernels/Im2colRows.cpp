//===- Im2colRows.cpp - Copies of windows of bytes ------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A line of a window is one run of bytes, or several if the window has gaps.
// The padding of a run is filled with the zero point.
//
//===----------------------------------------------------------------------===//

#include "Im2col.h"

using namespace mlir;
using namespace uma;

void Im2col::buildRun(LayerBuilder &b, ValueRange vars, Value begin,
                      Value end) {
  // Iteration variables: image, line and column of the result, row, line of the
  // window, run, unit. A unit is an element, or four of them.
  int64_t unit = hasQuads ? 4 : 1, run = taps * inChannels / unit;
  SmallVector<int64_t> extents = {images,    height, width, pixels,
                                  kernel[0], runs,   run};
  AffineExpr line = b.dim(1) * strides[0] + b.dim(4) * dilations[0] - pads[0];
  AffineExpr column = b.dim(2) * strides[1] + b.dim(5) * dilations[1] - pads[1];
  AffineExpr source =
      ((b.dim(0) * inHeight + line) * inWidth + column) * (inChannels / unit) +
      b.dim(6);
  AffineExpr target = b.dim(3) * (getRowSize() / unit) +
                      (b.dim(4) * runs + b.dim(5)) * run + b.dim(6);
  Type bytes = uma::getElement(dataBuffer), pair = uma::getElement(rows);
  double zeroPoint = double(getZeroPoint());
  Value source32 = hasQuads ? b.words(dataBuffer) : Value();
  SmallVector<Value> writes = {rows};
  if (isOffset)
    writes.push_back(rowSums);
  // Emits a loop over units from `first` to `last`.
  auto copy = [&](StringRef label, OpFoldResult first, OpFoldResult last,
                  bool isData) {
    buildRange(b, first, last, [&](Value index) {
      SmallVector<Value> bindings(vars);
      bindings.push_back(index);
      buildBlock(
          b, label, extents, bindings,
          isData ? ValueRange(hasQuads ? source32 : dataBuffer) : ValueRange(),
          writes, [&](ValueRange vars) {
            if (!hasQuads) {
              Value element = isData ? b.load(dataBuffer, b.apply(source, vars))
                                     : b.constant(bytes, zeroPoint);
              if (!isOffset) {
                element = b.convert(element, pair, isDataUnsigned());
                return b.store(element, rows, b.apply(target, vars));
              }
              Type i32 = b.builder.getI32Type();
              element = b.convert(element, i32, isDataUnsigned());
              if (int64_t offset = getDataOffset())
                element = b.add(element, b.constant(i32, double(offset)));
              Value sum = b.load(rowSums, vars[3]);
              b.store(b.add(sum, element), rowSums, vars[3]);
              element =
                  arith::TruncIOp::create(b.builder, b.loc, bytes, element);
              return b.store(element, rows, b.apply(target, vars));
            }
            Value word;
            if (isData)
              word = b.load(source32, b.apply(source, vars));
            for (bool isOdd : {false, true}) {
              // Pairs as words; a row has whole words.
              int64_t number = int64_t(zeroPoint) & 0xffff;
              Value both =
                  isData ? b.unpack(word, isDataUnsigned(), isOdd)
                         : b.constant(b.builder.getI32Type(),
                                      double(int32_t(number | number << 16)));
              b.store(both, rows, b.apply(target * 2 + int64_t(isOdd), vars));
            }
          });
    });
  };
  if (!begin)
    return copy("im2col", b.builder.getIndexAttr(0),
                b.builder.getIndexAttr(run), /*isData=*/true);
  begin = mul(b, begin, inChannels / unit);
  end = mul(b, end, inChannels / unit);
  copy("padding", b.builder.getIndexAttr(0), begin, /*isData=*/false);
  copy("im2col", begin, end, /*isData=*/true);
  copy("padding", end, b.builder.getIndexAttr(run), /*isData=*/false);
}

void Im2col::buildRows(LayerBuilder &b, Value image, Value line, Value column) {
  int64_t lastLine =
      (height - 1) * strides[0] + (kernel[0] - 1) * dilations[0] - pads[0];
  int64_t lastColumn =
      (width - 1) * strides[1] + (kernel[1] - 1) * dilations[1] - pads[1];
  bool hasLinePads = pads[0] != 0 || lastLine >= inHeight;
  bool hasColumnPads = pads[1] != 0 || lastColumn >= inWidth;
  auto sub = [&](Value left, Value right) -> Value {
    return arith::SubIOp::create(b.builder, b.loc, left, right);
  };
  auto clamp = [&](Value value) -> Value {
    value = arith::MaxSIOp::create(b.builder, b.loc, value, b.index(0));
    return arith::MinSIOp::create(b.builder, b.loc, value, b.index(taps));
  };
  buildRange(
      b, b.builder.getIndexAttr(0), b.builder.getIndexAttr(pixels),
      [&](Value row) {
        Value pixel = add(b, column, row);
        buildIf(b, exists(b, column, row), [&] {
          if (getRowSize() != steps)
            buildBlock(
                b, "im2col_end", {pixels}, row, {}, rows, [&](ValueRange vars) {
                  for (int64_t step = steps; step < getRowSize(); ++step) {
                    Value end =
                        add(b, mul(b, vars[0], getRowSize()), b.index(step));
                    b.store(b.constant(uma::getElement(rows), 0), rows, end);
                  }
                });
          if (isOffset)
            buildBlock(b, "im2col_sum", {pixels}, row, {}, rowSums,
                       [&](ValueRange vars) {
                         Type i32 = b.builder.getI32Type();
                         b.store(b.constant(i32, 0), rowSums, vars[0]);
                       });
          b.loops({kernel[0], runs}, [&](ValueRange loopVars) {
            SmallVector<Value> vars = {image, line, pixel, row};
            llvm::append_range(vars, loopVars);
            if (!hasLinePads && !hasColumnPads)
              return buildRun(b, vars, {}, {});
            // The first column that the run reads.
            Value first = sub(add(b, mul(b, pixel, strides[1]),
                                  mul(b, loopVars[1], dilations[1])),
                              b.index(pads[1]));
            Value begin = clamp(sub(b.index(0), first));
            Value end = clamp(sub(b.index(inWidth), first));
            if (hasLinePads) {
              Value source = sub(add(b, mul(b, line, strides[0]),
                                     mul(b, loopVars[0], dilations[0])),
                                 b.index(pads[0]));
              // Negative lines are large unsigned numbers.
              Value isInside =
                  b.lessThan(source, b.index(inHeight), /*isUnsigned=*/true);
              Value none = b.index(0);
              begin = arith::SelectOp::create(b.builder, b.loc, isInside, begin,
                                              none);
              end = arith::SelectOp::create(b.builder, b.loc, isInside, end,
                                            none);
            }
            buildRun(b, vars, begin, end);
          });
        });
      });
}
