//===- ByteSums.cpp - Sums of bytes ---------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Adds bytes in lanes of 32 bits, without a buffer of wider integers. Rows of
// whole words are dot products with ones: one instruction adds four bytes to
// each lane.
//
//===----------------------------------------------------------------------===//

#include "LayerLowering.h"
#include "Rows.h"

using namespace mlir;
using namespace uma;

namespace {
class ByteSum : public LayerLowering {
public:
  using LayerLowering::LayerLowering;
  void lower() override;
};
} // namespace

void ByteSum::lower() {
  auto sum = cast<graph::SumOp>(layer.anchor);
  Value bytes = layer.ops.front()->getOperand(0);
  auto dataType = cast<RankedTensorType>(bytes.getType());
  bool isUnsigned = dataType.getElementType().isUnsignedInteger();
  AxisShape shape =
      *AxisShape::get(dataType.getShape(),
                      graph::getReducedDims(sum.getAxis(), dataType.getRank()));
  Argument source = addArgument(bytes);
  addResult();
  build([&](LayerBuilder &b) {
    constexpr int64_t wordSize = 4;
    bool hasWords = shape.isRow() && shape.size % wordSize == 0;
    Value data = getBuffer(b, source, {dataType.getNumElements()});
    if (hasWords) {
      data = b.words(data);
      shape.size /= wordSize;
    }
    data = reshapeBuffer(b, data, {shape.outer, shape.size, shape.inner});
    Value written = getBuffer(b, result, {shape.outer, 1, shape.inner});
    Type i32 = b.builder.getI32Type();
    Value zero = b.index(0);
    AxisKernel{"sum", shape, {data, written}, {}, i32}.build(
        b,
        [&](const RowKernel &row, Value outer) {
          Value total = row.reduce(Combiner::Sum, "sum", [&](Value i) {
            Value x = b.load(data, {outer, i, zero});
            if (!hasWords)
              return b.convert(x, i32, isUnsigned);
            Value ones = b.constant(i32, 0x01010101);
            Value none = b.constant(i32, 0);
            return isUnsigned ? b.dot(x, ones, none, wordSize)
                              : b.dot(ones, x, none, wordSize);
          });
          b.store(total, written, {outer, zero, zero});
        },
        [&](Value outer, Value column) {
          Value total = reduceColumn(
              b, shape.size, Combiner::Sum, "sum",
              [&](Value i) {
                return b.convert(b.load(data, {outer, i, column}), i32,
                                 isUnsigned);
              },
              i32);
          b.store(total, written, {outer, zero, column});
        });
  });
}

LayerLoweringPtr uma::createByteSum(const CPULayer &layer,
                                    BufferProvider &provider) {
  return std::make_unique<ByteSum>(layer, provider);
}
