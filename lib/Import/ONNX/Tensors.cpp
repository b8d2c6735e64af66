//===- Tensors.cpp - Elements of TensorProtos -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Tensors.h"

#include "ExternalData.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::importer;
using onnx::TensorProto;

// raw_data and blobs of MLIR are both little-endian and stay unchanged.
static_assert(llvm::endianness::native == llvm::endianness::little,
              "the importer assumes a little-endian host");

/// Maximum size in bytes of tensors printed as numbers instead of as a blob.
static constexpr int64_t kInlineBytes = 64;
/// Alignment of blobs in bytes. Memory from malloc, which protobuf uses, has
/// it.
static constexpr llvm::Align kRawAlignment = llvm::Align::Constant<16>();

//===----------------------------------------------------------------------===//
// Typed fields
//===----------------------------------------------------------------------===//

/// Calls `fn` with the typed field that holds a tensor's elements and a value
/// of their stored type. Several element types share a wider field.
template <typename Fn>
static LogicalResult visitTypedField(const TensorProto &tensor, Fn fn) {
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return fn(tensor.float_data(), float());
  case TensorProto::DOUBLE:
    return fn(tensor.double_data(), double());
  case TensorProto::INT64:
    return fn(tensor.int64_data(), int64_t());
  case TensorProto::UINT32:
    return fn(tensor.uint64_data(), uint32_t());
  case TensorProto::UINT64:
    return fn(tensor.uint64_data(), uint64_t());
  case TensorProto::INT32:
    return fn(tensor.int32_data(), int32_t());
  case TensorProto::INT16:
    return fn(tensor.int32_data(), int16_t());
  case TensorProto::INT8:
    return fn(tensor.int32_data(), int8_t());
  case TensorProto::UINT8:
  case TensorProto::BOOL:
    return fn(tensor.int32_data(), uint8_t());
  default:
    // Packed bytes, or floats of 8 bits.
    if (isNarrow(tensor.data_type()) || isONNXFloat8(tensor.data_type()))
      return fn(tensor.int32_data(), uint8_t());
    // uint16, float16 and bfloat16; getElementType refused the others.
    return fn(tensor.int32_data(), uint16_t());
  }
}

/// Stores the elements of a typed field. Reports elements that do not fit
/// `Stored`.
template <typename Stored, typename Field>
static LogicalResult copyField(ImportErrors &errors, const Twine &what,
                               const Field &field, MutableArrayRef<char> to) {
  char *next = to.data();
  for (auto value : field) {
    Stored stored = static_cast<Stored>(value);
    if constexpr (std::is_integral_v<Stored>)
      if (static_cast<decltype(value)>(stored) != value)
        return errors.badInput(what + " has the element " + Twine(value) +
                               ", which does not fit its type");
    std::memcpy(next, &stored, sizeof(Stored));
    next += sizeof(Stored);
  }
  return success();
}

/// Checks the size of the stored data against the type before any allocation.
/// External data are checked when their file is read.
static LogicalResult checkStoredSize(ImportErrors &errors, const Twine &what,
                                     const TensorProto &tensor,
                                     RankedTensorType type) {
  if (tensor.data_location() == TensorProto::EXTERNAL)
    return success();
  int64_t expected = type.getNumElements();
  unsigned bits = getNarrowBits(tensor.data_type());
  int64_t bytes = bits ? llvm::divideCeil(expected * bits, 8)
                       : HostTensor::getByteSize(type);
  if (bits)
    expected = bytes;
  return visitTypedField(tensor, [&](const auto &field, auto) {
    int64_t found = field.size();
    bool isRaw = tensor.has_raw_data();
    if (isRaw && found != 0)
      return errors.badInput(what + " is stored twice, as raw data and as " +
                             Twine(found) + " elements");
    if (isRaw) {
      found = tensor.raw_data().size();
      expected = bytes;
    }
    if (found == expected)
      return success();
    return errors.badInput(what + " of the shape " +
                           formatShape(type.getShape()) + " needs " +
                           Twine(expected) + (isRaw ? " bytes" : " elements") +
                           " of data, but the file has " + Twine(found));
  });
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> TensorReader::getType(const Twine &what,
                                                  const TensorProto &tensor) {
  if (tensor.has_segment())
    return errors.notSupported(what + " is stored in segments, which is not "
                                      "supported");
  return getTensorType(context, errors, what, tensor.data_type(),
                       llvm::to_vector(tensor.dims()), /*allowEmpty=*/true);
}

/// Widens packed integers of `bits` bits to bytes. The first one is in the low
/// bits of the first byte.
static void unpack(ArrayRef<char> packed, unsigned bits, bool isSigned,
                   MutableArrayRef<char> to) {
  for (size_t i = 0; i < to.size(); ++i) {
    unsigned value = uint8_t(packed[i * bits / 8]) >> (i * bits % 8);
    value &= (1u << bits) - 1;
    to[i] = isSigned ? char(llvm::SignExtend32(value, bits)) : char(value);
  }
}

LogicalResult TensorReader::readElements(const Twine &what,
                                         const TensorProto &tensor,
                                         RankedTensorType type,
                                         MutableArrayRef<char> elements) {
  LogicalResult result = success();
  unsigned bits = getNarrowBits(tensor.data_type());
  std::vector<char> packed(bits ? llvm::divideCeil(elements.size() * bits, 8)
                                : 0);
  MutableArrayRef<char> to = bits ? MutableArrayRef<char>(packed) : elements;
  if (tensor.data_location() == TensorProto::EXTERNAL) {
    result = readExternalData(errors, what, tensor, modelPath, to);
  } else if (tensor.has_raw_data()) {
    llvm::copy(tensor.raw_data(), to.begin());
  } else {
    result = visitTypedField(tensor, [&](const auto &field, auto zero) {
      return copyField<decltype(zero)>(errors, what, field, to);
    });
  }
  if (bits)
    unpack(packed, bits, !type.getElementType().isUnsignedInteger(), elements);
  // Any byte other than 0 is true in ONNX; MLIR and C require 1.
  if (type.getElementType().isInteger(1))
    for (char &byte : to)
      byte = byte != 0;
  return result;
}

FailureOr<HostTensor> TensorReader::read(const Twine &what,
                                         const TensorProto &tensor) {
  FailureOr<RankedTensorType> type = getType(what, tensor);
  if (failed(type) || failed(checkStoredSize(errors, what, tensor, *type)))
    return failure();
  HostTensor result(*type);
  if (failed(readElements(what, tensor, *type, result.getMutableBytes())))
    return failure();
  return result;
}

FailureOr<HostTensor>
TensorReader::readSparse(const Twine &what,
                         const onnx::SparseTensorProto &tensor) {
  FailureOr<RankedTensorType> type =
      getTensorType(context, errors, what, tensor.values().data_type(),
                    llvm::to_vector(tensor.dims()), /*allowEmpty=*/true);
  if (failed(type))
    return failure();
  FailureOr<HostTensor> values = read(what, tensor.values());
  if (failed(values))
    return failure();
  FailureOr<HostTensor> indices =
      read(what + ": its list of indices", tensor.indices());
  if (failed(indices))
    return failure();
  ArrayRef<int64_t> shape = type->getShape();
  int64_t count = values->getNumElements(), rank = shape.size();
  // An index is one number, or one for each dimension.
  bool isLinear = indices->getShape() == ArrayRef<int64_t>{count};
  if (indices->isFloat() || values->getShape() != ArrayRef<int64_t>{count} ||
      (!isLinear && indices->getShape() != ArrayRef<int64_t>{count, rank}))
    return errors.badInput(
        what + " is sparse, with values of the shape " +
        formatShape(values->getShape()) + " and indices of the shape " +
        formatShape(indices->getShape()) +
        "; expected a list of values and an integer index for each");
  HostTensor result(*type);
  int64_t size = HostTensor::getElementSize(type->getElementType());
  for (int64_t i = 0; i < count; ++i) {
    int64_t index = isLinear ? indices->getInt(i) : 0;
    bool isInside = index >= 0 && index < type->getNumElements();
    for (int64_t dim = 0; !isLinear && dim < rank; ++dim) {
      int64_t position = indices->getInt(i * rank + dim);
      isInside &= position >= 0 && position < shape[dim];
      if (isInside)
        index = index * shape[dim] + position;
    }
    if (!isInside)
      return errors.badInput(what + " is sparse, and index " + Twine(i) +
                             " is outside of its shape " + formatShape(shape));
    llvm::copy(values->getBytes().slice(i * size, size),
               result.getMutableBytes().begin() + index * size);
  }
  return result;
}

/// Moves the raw data of a tensor into a blob, which avoids a copy of large
/// weights. Returns std::nullopt if there are none, or if the bytes of the file
/// are not those of the blob.
static std::optional<AsmResourceBlob> takeRawData(TensorProto &tensor) {
  bool isConverted = getNarrowBits(tensor.data_type()) != 0 ||
                     tensor.data_type() == TensorProto::BOOL;
  if (tensor.data_location() == TensorProto::EXTERNAL ||
      !tensor.has_raw_data() || isConverted ||
      !llvm::isAddrAligned(kRawAlignment, tensor.raw_data().data()))
    return std::nullopt;
  std::string *bytes = tensor.release_raw_data();
  return AsmResourceBlob(
      ArrayRef<char>(*bytes), kRawAlignment.value(),
      [bytes](void *, size_t, size_t) { delete bytes; },
      /*dataIsMutable=*/true);
}

FailureOr<ElementsAttr> TensorReader::readAttribute(const Twine &what,
                                                    StringRef name,
                                                    TensorProto &tensor) {
  FailureOr<RankedTensorType> type = getType(what, tensor);
  if (failed(type) || failed(checkStoredSize(errors, what, tensor, *type)))
    return failure();
  int64_t size = HostTensor::getByteSize(*type);
  if (size <= kInlineBytes) {
    FailureOr<HostTensor> host = read(what, tensor);
    if (failed(host))
      return failure();
    return host->toAttribute(name, kInlineBytes);
  }
  std::optional<AsmResourceBlob> blob = takeRawData(tensor);
  if (!blob) {
    blob = HeapAsmResourceBlob::allocate(size, kRawAlignment.value(),
                                         /*dataIsMutable=*/true);
    if (failed(readElements(what, tensor, *type, blob->getMutableData())))
      return failure();
    delete tensor.release_raw_data();
  }
  return ElementsAttr(
      DenseResourceElementsAttr::get(*type, name, std::move(*blob)));
}
