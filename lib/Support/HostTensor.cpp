//===- HostTensor.cpp - A tensor's elements in the compiler's memory ------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/HostTensor.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace uma;

int64_t HostTensor::getElementSize(Type elementType) {
  if (auto intType = dyn_cast<IntegerType>(elementType)) {
    unsigned width = intType.getWidth();
    if (width == 1)
      return 1;
    return width == 8 || width == 16 || width == 32 || width == 64 ? width / 8
                                                                   : 0;
  }
  if (isa<Float16Type, BFloat16Type>(elementType))
    return 2;
  if (elementType.isF32())
    return 4;
  return elementType.isF64() ? 8 : 0;
}

HostTensor::HostTensor(RankedTensorType type)
    : type(type), bytes(std::make_shared<SmallVector<char, 0>>(
                      getByteSize(type), char(0))) {}

HostTensor::HostTensor(RankedTensorType type, ArrayRef<char> data)
    : type(type),
      bytes(std::make_shared<SmallVector<char, 0>>(data.begin(), data.end())) {
  assert(int64_t(data.size()) == getByteSize(type) && "wrong number of bytes");
}

FailureOr<HostTensor> HostTensor::fromAttribute(ElementsAttr attr) {
  auto type = dyn_cast<RankedTensorType>(attr.getShapedType());
  if (!type || !getElementSize(type.getElementType()))
    return failure();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || int64_t(blob->getData().size()) != getByteSize(type))
      return failure();
    return HostTensor(type, blob->getData());
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return failure();
  HostTensor result(type);
  // MLIR packs i1 into bits; every other type it stores as C does.
  if (type.getElementType().isInteger(1)) {
    for (auto [index, value] : llvm::enumerate(dense.getValues<bool>()))
      result.setInt(index, value);
    return result;
  }
  ArrayRef<char> raw = dense.getRawData();
  MutableArrayRef<char> bytes = result.getMutableBytes();
  if (!dense.isSplat()) {
    assert(raw.size() == bytes.size() && "element of an unexpected size");
    llvm::copy(raw, bytes.begin());
    return result;
  }
  for (size_t i = 0; i < bytes.size(); i += raw.size())
    llvm::copy(raw, bytes.begin() + i);
  return result;
}

ElementsAttr HostTensor::toAttribute(StringRef resourceName,
                                     int64_t inlineBytes) const {
  if (int64_t(bytes->size()) > inlineBytes) {
    AsmResourceBlob blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
        *bytes, /*align=*/64, /*dataIsMutable=*/false);
    return DenseResourceElementsAttr::get(type, resourceName, std::move(blob));
  }
  if (getElementType().isInteger(1)) {
    SmallVector<bool> values;
    for (int64_t i = 0, e = getNumElements(); i < e; ++i)
      values.push_back(getInt(i));
    return DenseElementsAttr::get(type, values);
  }
  return DenseElementsAttr::getFromRawBuffer(type, *bytes);
}

MutableArrayRef<char> HostTensor::getMutableBytes() {
  if (bytes.use_count() > 1)
    bytes = std::make_shared<SmallVector<char, 0>>(*bytes);
  return *bytes;
}

ArrayRef<char> HostTensor::getBytes() const {
  return bytes ? ArrayRef<char>(*bytes) : ArrayRef<char>();
}

template <typename T>
static T loadAs(const char *from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T>
static void storeAs(char *to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

/// Calls `fn` with a value of the C type that stores integers of `type`.
template <typename Fn>
static void dispatchInteger(Type type, Fn fn) {
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  switch (HostTensor::getElementSize(type)) {
  case 1:
    return isUnsigned ? fn(uint8_t()) : fn(int8_t());
  case 2:
    return isUnsigned ? fn(uint16_t()) : fn(int16_t());
  case 4:
    return isUnsigned ? fn(uint32_t()) : fn(int32_t());
  default:
    return isUnsigned ? fn(uint64_t()) : fn(int64_t());
  }
}

/// The nearest T after truncation towards zero; 0 for NaN. A plain conversion
/// of a value out of range is undefined in C++.
template <typename T>
static T saturate(double value) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(value))
    return 0;
  if (value <= double(Limits::min()))
    return Limits::min();
  // The first value that is too large is a power of two, which a double holds.
  if (value >= std::ldexp(1.0, Limits::digits))
    return Limits::max();
  return T(value);
}

int64_t HostTensor::getInt(int64_t index) const {
  Type elementType = getElementType();
  if (isa<FloatType>(elementType))
    return saturate<int64_t>(getDouble(index));
  const char *from = bytes->data() + index * getElementSize(elementType);
  int64_t result = 0;
  dispatchInteger(elementType, [&](auto zero) {
    result = int64_t(loadAs<decltype(zero)>(from));
  });
  return result;
}

double HostTensor::getDouble(int64_t index) const {
  Type elementType = getElementType();
  auto floatType = dyn_cast<FloatType>(elementType);
  if (!floatType)
    return elementType.isUnsignedInteger() ? double(uint64_t(getInt(index)))
                                           : double(getInt(index));
  const char *from = bytes->data() + index * getElementSize(elementType);
  if (elementType.isF32())
    return loadAs<float>(from);
  if (elementType.isF64())
    return loadAs<double>(from);
  APFloat value(floatType.getFloatSemantics(),
                APInt(16, loadAs<uint16_t>(from)));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

void HostTensor::setInt(int64_t index, int64_t value) {
  Type elementType = getElementType();
  if (auto floatType = dyn_cast<FloatType>(elementType)) {
    // Through a double, a large integer would be rounded twice.
    APFloat rounded(floatType.getFloatSemantics());
    rounded.convertFromAPInt(APInt(64, uint64_t(value)), /*IsSigned=*/true,
                             APFloat::rmNearestTiesToEven);
    return setDouble(index, rounded.convertToDouble());
  }
  char *to = getMutableBytes().data() + index * getElementSize(elementType);
  if (elementType.isInteger(1))
    value &= 1;
  dispatchInteger(elementType, [&](auto zero) {
    storeAs(to, static_cast<decltype(zero)>(value));
  });
}

void HostTensor::setDouble(int64_t index, double value) {
  Type elementType = getElementType();
  auto floatType = dyn_cast<FloatType>(elementType);
  char *to = getMutableBytes().data() + index * getElementSize(elementType);
  if (elementType.isInteger(1))
    return storeAs(to, std::min(saturate<uint8_t>(value), uint8_t(1)));
  if (!floatType)
    return dispatchInteger(elementType, [&](auto zero) {
      storeAs(to, saturate<decltype(zero)>(value));
    });
  if (elementType.isF32())
    return storeAs(to, float(value));
  if (elementType.isF64())
    return storeAs(to, value);
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  storeAs(to, uint16_t(rounded.bitcastToAPInt().getZExtValue()));
}

HostTensor HostTensor::reshaped(ArrayRef<int64_t> shape) const {
  HostTensor result = *this;
  result.type = RankedTensorType::get(shape, getElementType());
  return result;
}
