//===- HostTensor.cpp - A tensor in the compiler's memory -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/HostTensor.h"

#include "uma/Support/Float8.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemAlloc.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace uma;

int64_t HostTensor::getElementSize(Type elementType) {
  elementType = getStorageElementType(elementType);
  if (auto intType = dyn_cast<IntegerType>(elementType)) {
    unsigned width = intType.getWidth();
    if (width == 1)
      return 1;
    return width == 8 || width == 16 || width == 32 || width == 64 ? width / 8
                                                                   : 0;
  }
  if (isFloat8(elementType))
    return 1;
  if (isa<Float16Type, BFloat16Type>(elementType))
    return 2;
  if (elementType.isF32())
    return 4;
  return elementType.isF64() ? 8 : 0;
}

/// Alignment of buffers; MLIR requires it for blobs of any element type.
static constexpr size_t kAlignment = 64;

void HostTensor::allocate(size_t size) {
  auto *data = static_cast<char *>(llvm::allocate_buffer(size, kAlignment));
  owner.reset(data, [size](char *data) {
    llvm::deallocate_buffer(data, size, kAlignment);
  });
  bytes = {data, size};
}

HostTensor::HostTensor(RankedTensorType type)
    : type(type), kind(getKind(type.getElementType())) {
  allocate(getByteSize(type));
  std::memset(owner.get(), 0, bytes.size());
}

HostTensor::HostTensor(RankedTensorType type, ArrayRef<char> data)
    : type(type), kind(getKind(type.getElementType())) {
  assert(int64_t(data.size()) == getByteSize(type) && "wrong number of bytes");
  allocate(data.size());
  llvm::copy(data, owner.get());
}

FailureOr<HostTensor> HostTensor::fromAttribute(ElementsAttr attr) {
  auto type = dyn_cast<RankedTensorType>(attr.getShapedType());
  if (!type || !getElementSize(type.getElementType()))
    return failure();
  auto borrow = [&](ArrayRef<char> data) {
    HostTensor result;
    result.type = type;
    result.kind = getKind(type.getElementType());
    result.bytes = data;
    return result;
  };
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || int64_t(blob->getData().size()) != getByteSize(type))
      return failure();
    return borrow(blob->getData());
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return failure();
  // MLIR packs i1 into bits; all other types are stored as in C.
  ArrayRef<char> raw = dense.getRawData();
  bool isPacked = type.getElementType().isInteger(1);
  if (!isPacked && !dense.isSplat()) {
    assert(int64_t(raw.size()) == getByteSize(type) &&
           "element of an unexpected size");
    return borrow(raw);
  }
  HostTensor result(type);
  if (isPacked) {
    for (auto [index, value] : llvm::enumerate(dense.getValues<bool>()))
      result.setInt(index, value);
    return result;
  }
  MutableArrayRef<char> bytes = result.getMutableBytes();
  for (size_t i = 0; i < bytes.size(); i += raw.size())
    llvm::copy(raw, bytes.begin() + i);
  return result;
}

ElementsAttr HostTensor::toAttribute(StringRef resourceName,
                                     int64_t inlineBytes) const {
  if (int64_t(bytes.size()) > inlineBytes) {
    // Copy borrowed elements: the attribute that owns them may lose them.
    if (!owner)
      return HostTensor(type, bytes).toAttribute(resourceName, inlineBytes);
    AsmResourceBlob blob(
        bytes, kAlignment, [owner = owner](void *, size_t, size_t) {},
        /*dataIsMutable=*/false);
    return DenseResourceElementsAttr::get(type, resourceName, std::move(blob));
  }
  if (getElementType().isInteger(1)) {
    SmallVector<bool> values;
    for (int64_t i = 0, e = getNumElements(); i < e; ++i)
      values.push_back(getInt(i));
    return DenseElementsAttr::get(type, values);
  }
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

MutableArrayRef<char> HostTensor::getMutableBytes() {
  if (owner.use_count() != 1)
    *this = HostTensor(type, bytes);
  return {owner.get(), bytes.size()};
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

HostTensor::Kind HostTensor::getKind(Type elementType) {
  elementType = getStorageElementType(elementType);
  if (auto intType = dyn_cast<IntegerType>(elementType)) {
    bool isUnsigned = intType.isUnsigned();
    switch (intType.getWidth()) {
    case 1:
      return Kind::Bool;
    case 8:
      return isUnsigned ? Kind::UI8 : Kind::SI8;
    case 16:
      return isUnsigned ? Kind::UI16 : Kind::SI16;
    case 32:
      return isUnsigned ? Kind::UI32 : Kind::SI32;
    case 64:
      return isUnsigned ? Kind::UI64 : Kind::SI64;
    default:
      return Kind::None;
    }
  }
  if (isFloat8(elementType))
    return Kind::F8;
  if (elementType.isF16())
    return Kind::F16;
  if (elementType.isBF16())
    return Kind::BF16;
  if (elementType.isF32())
    return Kind::F32;
  return elementType.isF64() ? Kind::F64 : Kind::None;
}

template <typename Fn>
void HostTensor::dispatchInteger(Fn fn) const {
  switch (kind) {
  case Kind::Bool:
  case Kind::UI8:
    return fn(uint8_t());
  case Kind::SI8:
    return fn(int8_t());
  case Kind::SI16:
    return fn(int16_t());
  case Kind::UI16:
    return fn(uint16_t());
  case Kind::SI32:
    return fn(int32_t());
  case Kind::UI32:
    return fn(uint32_t());
  case Kind::SI64:
    return fn(int64_t());
  case Kind::UI64:
    return fn(uint64_t());
  default:
    llvm_unreachable("not an integer");
  }
}

/// Truncates towards zero and saturates; NaN becomes 0. Converting a value out
/// of range is undefined in C++.
template <typename T>
static T saturate(double value) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(value))
    return 0;
  if (value <= double(Limits::min()))
    return Limits::min();
  // The first value that is too large is a power of two, exact as a double.
  if (value >= std::ldexp(1.0, Limits::digits))
    return Limits::max();
  return T(value);
}

/// Returns the value of a 16-bit float of the given format.
static double decodeHalf(uint16_t bits, const llvm::fltSemantics &semantics) {
  APFloat value(semantics, APInt(16, bits));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

static uint16_t encodeHalf(double value, const llvm::fltSemantics &semantics) {
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  return uint16_t(rounded.bitcastToAPInt().getZExtValue());
}

int64_t HostTensor::getInt(int64_t index) const {
  if (isFloatKind())
    return saturate<int64_t>(getDouble(index));
  int64_t result = 0;
  dispatchInteger([&](auto zero) {
    using T = decltype(zero);
    result = int64_t(loadAs<T>(bytes.data() + index * sizeof(T)));
  });
  return result;
}

double HostTensor::getDouble(int64_t index) const {
  const char *data = bytes.data();
  switch (kind) {
  case Kind::F32:
    return loadAs<float>(data + index * sizeof(float));
  case Kind::F64:
    return loadAs<double>(data + index * sizeof(double));
  case Kind::F8:
    return decodeFloat8(uint8_t(data[index]), getElementType());
  case Kind::F16:
    return decodeHalf(loadAs<uint16_t>(data + index * sizeof(uint16_t)),
                      APFloat::IEEEhalf());
  case Kind::BF16:
    return decodeHalf(loadAs<uint16_t>(data + index * sizeof(uint16_t)),
                      APFloat::BFloat());
  case Kind::UI64:
    return double(uint64_t(getInt(index)));
  default:
    return double(getInt(index));
  }
}

void HostTensor::setInt(int64_t index, int64_t value) {
  if (isFloatKind()) {
    // Converting through double would round a large integer twice.
    APFloat rounded(cast<FloatType>(getElementType()).getFloatSemantics());
    rounded.convertFromAPInt(APInt(64, uint64_t(value)), /*IsSigned=*/true,
                             APFloat::rmNearestTiesToEven);
    return setDouble(index, rounded.convertToDouble());
  }
  if (kind == Kind::Bool)
    value &= 1;
  dispatchInteger([&](auto zero) {
    using T = decltype(zero);
    storeAs(getMutableBytes().data() + index * sizeof(T),
            static_cast<T>(value));
  });
}

void HostTensor::setDouble(int64_t index, double value) {
  char *data = getMutableBytes().data();
  switch (kind) {
  case Kind::F32:
    return storeAs(data + index * sizeof(float), float(value));
  case Kind::F64:
    return storeAs(data + index * sizeof(double), value);
  case Kind::F8:
    return storeAs(data + index, encodeFloat8(value, getElementType()));
  case Kind::F16:
    return storeAs(data + index * sizeof(uint16_t),
                   encodeHalf(value, APFloat::IEEEhalf()));
  case Kind::BF16:
    return storeAs(data + index * sizeof(uint16_t),
                   encodeHalf(value, APFloat::BFloat()));
  case Kind::Bool:
    return storeAs(data + index,
                   std::min(saturate<uint8_t>(value), uint8_t(1)));
  default:
    return dispatchInteger([&](auto zero) {
      using T = decltype(zero);
      storeAs(data + index * sizeof(T), saturate<T>(value));
    });
  }
}

template <typename T>
static bool areFinite(ArrayRef<char> bytes) {
  // No early exit: infinities are rare, and the loop can be vectorised.
  bool result = true;
  for (size_t at = 0; at < bytes.size(); at += sizeof(T))
    result &= std::isfinite(loadAs<T>(bytes.data() + at));
  return result;
}

bool HostTensor::allFinite() const {
  if (!isFloatKind())
    return true;
  if (kind == Kind::F32)
    return areFinite<float>(bytes);
  if (kind == Kind::F64)
    return areFinite<double>(bytes);
  for (int64_t i = 0, e = getNumElements(); i < e; ++i)
    if (!std::isfinite(getDouble(i)))
      return false;
  return true;
}

template <typename T>
static bool scaleFloats(char *data, int64_t count, double factor) {
  bool isFinite = true;
  for (char *end = data + count * sizeof(T); data != end; data += sizeof(T)) {
    T value = loadAs<T>(data);
    T product = T(double(value) * factor);
    isFinite &= std::isfinite(product) || !std::isfinite(value);
    storeAs(data, product);
  }
  return isFinite;
}

bool HostTensor::scale(int64_t begin, int64_t count, double factor) {
  char *data = getMutableBytes().data();
  if (kind == Kind::F32)
    return scaleFloats<float>(data + begin * sizeof(float), count, factor);
  if (kind == Kind::F64)
    return scaleFloats<double>(data + begin * sizeof(double), count, factor);
  bool isFinite = true;
  for (int64_t i = begin, end = begin + count; i != end; ++i) {
    double value = getDouble(i);
    setDouble(i, value * factor);
    isFinite &= std::isfinite(getDouble(i)) || !std::isfinite(value);
  }
  return isFinite;
}

HostTensor HostTensor::withElementType(Type elementType) const {
  assert(getKind(elementType) == kind && "another storage type");
  HostTensor result = *this;
  result.type =
      RankedTensorType::get(getShape(), elementType, type.getEncoding());
  return result;
}

HostTensor HostTensor::reshaped(ArrayRef<int64_t> shape) const {
  HostTensor result = *this;
  result.type = RankedTensorType::get(shape, getElementType());
  return result;
}
