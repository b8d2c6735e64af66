//===- SampleQuantization.cpp - Quantized tensors of layers ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SampleQuantization.h"

#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

bool uma::accel::hasChosenQuantization(OperatorOp op) {
  return op.getKind() == "requantize" || op.getKind() == "quantize" ||
         op.getKind() == "quantized_add";
}

bool uma::accel::usesQuantization(PatternOp pattern) {
  return llvm::any_of(pattern.getBody().front(), [](Operation &op) {
    auto opOp = dyn_cast<OperatorOp>(op);
    return isa<ScaleOp, ZeroPointOp, ArrayOp>(op) ||
           (opOp &&
            (hasChosenQuantization(opOp) || opOp.getKind() == "dequantize"));
  });
}

SmallVector<Attribute> uma::accel::getQuantizations(Operation *op) {
  struct Numbers {
    SmallVector<double> scales;
    SmallVector<int64_t> zeroPoints;
  };
  // Sums of random products spread over the stored integers of a result with a
  // scale of 16; a small scale saturates.
  static const Numbers inputs[] = {
      {{0.5}, {0}},          {{0.25}, {3}}, {{0.5}, {-128}},
      {{0.5, 0.25}, {0, 0}}, {{0.5}, {-5}}, {{0.25, 0.5, 0.125}, {1, 0, -2}}};
  static const Numbers results[] = {
      {{16.0}, {0}}, {{40.0}, {-7}}, {{0.75}, {5}}, {{100.0}, {-128}}};
  static const Numbers additions[] = {
      {{0.75}, {0}}, {{1.0}, {-7}}, {{0.5}, {5}}, {{1.5}, {-128}}};
  SmallVector<Attribute> candidates;
  ArrayRef<Numbers> all =
      isa<InputOp>(op) ? ArrayRef(inputs) : ArrayRef(results);
  if (auto opOp = dyn_cast<OperatorOp>(op);
      opOp && opOp.getKind() == "quantized_add")
    all = additions;
  for (const Numbers &numbers : all) {
    std::optional<int64_t> axis;
    if (numbers.scales.size() > 1)
      axis = 0;
    candidates.push_back(TypeAttr::get(
        makeQuantizedType(op->getContext(), 8, /*isSigned=*/true,
                          numbers.scales, numbers.zeroPoints, axis)));
  }
  if (isa<InputOp>(op))
    candidates.push_back(Attribute());
  return candidates;
}

Type uma::accel::applyQuantization(Attribute candidate, Type storage,
                                   ArrayRef<int64_t> shape) {
  auto integer = dyn_cast<IntegerType>(storage);
  if (!integer || integer.getWidth() < 8)
    return {};
  Quantization numbers = Quantization::of(cast<TypeAttr>(candidate).getValue());
  if (integer.isUnsigned())
    for (int64_t &zeroPoint : numbers.zeroPoints)
      zeroPoint += 128;
  if (!numbers.axis)
    return makeQuantizedType(storage.getContext(), integer.getWidth(),
                             !integer.isUnsigned(), numbers.scales,
                             numbers.zeroPoints, std::nullopt);
  if (shape.empty())
    return {};
  SmallVector<double> scales;
  SmallVector<int64_t> zeroPoints;
  for (int64_t i = 0; i < shape.front(); ++i) {
    scales.push_back(numbers.scales[i % numbers.scales.size()]);
    zeroPoints.push_back(numbers.zeroPoints[i % numbers.zeroPoints.size()]);
  }
  return makeQuantizedType(storage.getContext(), integer.getWidth(),
                           !integer.isUnsigned(), scales, zeroPoints,
                           /*axis=*/0);
}

ArrayRef<int64_t> uma::accel::getBounds(DimOp dim) {
  static constexpr int64_t kLower[] = {-128, 0, -5, 3};
  static constexpr int64_t kUpper[] = {127, 100, 6, 3};
  auto pattern = cast<PatternOp>(dim->getParentOp());
  for (OperatorOp op : pattern.getBody().getOps<OperatorOp>()) {
    DictionaryAttr written = op.getMatchedAttributesAttr();
    auto clamp = written && op.getKind() == "requantize"
                     ? dyn_cast_or_null<ArrayAttr>(written.get("clamp"))
                     : ArrayAttr();
    if (!clamp)
      continue;
    for (auto [index, bound] : llvm::enumerate(clamp))
      if (auto name = dyn_cast<FlatSymbolRefAttr>(bound);
          name && name.getValue() == dim.getName())
        return index == 0 ? ArrayRef(kLower) : ArrayRef(kUpper);
  }
  return {};
}
