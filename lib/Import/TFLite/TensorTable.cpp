//===- TensorTable.cpp - The tensors of a model and their values ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TensorTable.h"

#include "SparseTensor.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace uma;
using namespace uma::tflite;
using ElementKind = schema::TensorType;

// Buffers of the file and of MLIR are both little-endian and are copied
// unchanged.
static_assert(llvm::endianness::native == llvm::endianness::little,
              "the importer assumes a little-endian host");

TensorTable::TensorTable(OpBuilder &builder, ImportErrors &errors,
                         const schema::Model &model,
                         const schema::SubGraph &graph,
                         const TFLiteImportOptions &options,
                         Constants &constants)
    : builder(builder), errors(errors), model(model), graph(graph),
      options(options), constants(constants),
      entries(graph.tensors() ? graph.tensors()->size() : 0) {}

LogicalResult TensorTable::check() {
  int64_t numBuffers = model.buffers() ? model.buffers()->size() : 0;
  for (int64_t index = 0; index < size(); ++index) {
    const schema::Tensor &tensor = getTensor(index);
    SmallVector<int64_t> shape(getArray(tensor.shape()));
    // The largest elements of the format have 16 bytes.
    if (failed(importer::checkTensorSize(errors, getTitle(index), shape,
                                         /*elementBytes=*/1,
                                         /*allowEmpty=*/true)))
      return failure();
    if (tensor.buffer() >= numBuffers && tensor.buffer() != 0)
      return errors.badInput(getTitle(index) + " is stored in buffer " +
                             Twine(tensor.buffer()) +
                             ", but the file has only " + Twine(numBuffers));
  }
  return success();
}

std::string TensorTable::getName(int64_t index) const {
  StringRef name = getString(getTensor(index).name());
  return name.empty() ? "tensor_" + std::to_string(index) : name.str();
}

std::string TensorTable::getTitle(int64_t index) const {
  return "tensor " + quote(getName(index));
}

Location TensorTable::getLocation(int64_t index) const {
  return NameLoc::get(builder.getStringAttr(getName(index)));
}

bool TensorTable::hasOpenShape(int64_t index) const {
  const schema::Tensor &tensor = getTensor(index);
  // Files leave out the shape of a tensor of unknown rank.
  return getArray(tensor.shape()).empty() ||
         llvm::any_of(getArray(tensor.shape_signature()),
                      [](int32_t size) { return size < 0; });
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

FailureOr<Type> TensorTable::getStorageElement(int64_t index) {
  auto integer = [&](unsigned width, bool isUnsigned = false) -> Type {
    return IntegerType::get(builder.getContext(), width,
                            isUnsigned ? IntegerType::Unsigned
                                       : IntegerType::Signless);
  };
  ElementKind type = getTensor(index).type();
  switch (type) {
  case ElementKind::FLOAT32:
    return Type(builder.getF32Type());
  case ElementKind::FLOAT16:
    return Type(builder.getF16Type());
  case ElementKind::BFLOAT16:
    return Type(builder.getBF16Type());
  case ElementKind::FLOAT64:
    return Type(builder.getF64Type());
  case ElementKind::BOOL:
    return integer(1);
  case ElementKind::INT8:
    return integer(8);
  case ElementKind::INT16:
    return integer(16);
  case ElementKind::INT32:
    return integer(32);
  case ElementKind::INT64:
    return integer(64);
  case ElementKind::UINT8:
    return integer(8, true);
  case ElementKind::UINT16:
    return integer(16, true);
  case ElementKind::UINT32:
    return integer(32, true);
  case ElementKind::UINT64:
    return integer(64, true);
  case ElementKind::RESOURCE:
    if (!isConstant(index))
      return integer(64); // the number of a variable
    break;
  case ElementKind::INT4:
    if (isConstant(index))
      return integer(8); // widened when read
    break;
  default:
    break;
  }
  return errors.notSupported(
      getTitle(index) + " has the element type " + getTypeName(type) +
      ", which is not supported; supported are BOOL, FLOAT16, BFLOAT16, "
      "FLOAT32, FLOAT64, the integers of 8 to 64 bits, and INT4 for constants");
}

FailureOr<Type> TensorTable::getQuantizedElement(int64_t index, Type storage) {
  const schema::Tensor &tensor = getTensor(index);
  const schema::QuantizationParameters &given = *tensor.quantization();
  std::string what = getTitle(index);
  if (given.details_type() != schema::QuantizationDetails::NONE)
    return errors.notSupported(
        what + " has a quantization other than scales and zero points, which "
               "is not supported; blocks are, for constants");
  ArrayRef<float> scale = getArray(given.scale());
  ArrayRef<int64_t> zero = getArray(given.zero_point());
  for (float value : scale)
    if (!(value >= std::numeric_limits<float>::min()) || std::isinf(value))
      return errors.badInput(what + " has the scale " + formatNumber(value) +
                             "; expected a positive number");
  if (zero.size() > 1 && zero.size() != scale.size())
    return errors.badInput(what + " has " + Twine(scale.size()) +
                           " scales and " + Twine(zero.size()) +
                           " zero points; expected as many");
  std::optional<int64_t> axis;
  if (scale.size() > 1) {
    ArrayRef<int32_t> shape = getArray(tensor.shape());
    // A list, such as a bias, has one dimension, whatever the file says.
    axis = shape.size() == 1 ? 0 : given.quantized_dimension();
    if (*axis < 0 || *axis >= int64_t(shape.size()) ||
        shape[*axis] != int64_t(scale.size()))
      return errors.badInput(
          what + " of the shape " +
          formatShape(SmallVector<int64_t>(shape.begin(), shape.end())) +
          " has " + Twine(scale.size()) + " scales along dimension " +
          Twine(*axis) + "; expected one for each index there");
  }
  auto integer = cast<IntegerType>(storage);
  SmallVector<double> scales(scale.begin(), scale.end());
  SmallVector<int64_t> zeros(zero);
  zeros.resize(scales.size(), zero.empty() ? 0 : zero.front());
  Type type = makeQuantizedType(builder.getContext(), integer.getWidth(),
                                !integer.isUnsigned(), scales, zeros, axis);
  if (!type)
    return errors.badInput(what +
                           " has a zero point outside of its element "
                           "type " +
                           getTypeName(tensor.type()));
  return type;
}

/// Returns whether a tensor has scales.
static bool hasScales(const schema::Tensor &tensor) {
  const schema::QuantizationParameters *parameters = tensor.quantization();
  return parameters &&
         (!getArray(parameters->scale()).empty() ||
          parameters->details_type() != schema::QuantizationDetails::NONE);
}

FailureOr<RankedTensorType> TensorTable::getType(int64_t index) {
  Entry &entry = entries[index];
  if (entry.type)
    return entry.type;
  const schema::Tensor &tensor = getTensor(index);
  FailureOr<Type> element = getStorageElement(index);
  if (failed(element))
    return failure();
  SmallVector<int64_t> shape(getArray(tensor.shape()));
  int64_t bytes = HostTensor::getElementSize(*element);
  if (failed(importer::checkTensorSize(errors, getTitle(index), shape, bytes,
                                       /*allowEmpty=*/true)))
    return failure();
  if (tensor.sparsity() && !isConstant(index))
    return errors.notSupported(getTitle(index) +
                               " is sparse, which is supported for constants");
  // A constant with scales for blocks is dequantized when read.
  if (isConstant(index) && findBlocks(tensor) && element->isInteger(8))
    element = builder.getF32Type();
  else if (hasScales(tensor) && isa<IntegerType>(*element) && bytes <= 2 &&
           !element->isInteger(1) && !element->isUnsignedInteger(16)) {
    element = getQuantizedElement(index, *element);
    if (failed(element))
      return failure();
  }
  entry.type = RankedTensorType::get(shape, *element);
  return entry.type;
}

Type TensorTable::findQuantizedElement(int64_t index) {
  FailureOr<RankedTensorType> type = getType(index);
  if (failed(type))
    return {};
  Type element = type->getElementType();
  if (isQuantized(element))
    return element;
  if (!element.isSignlessInteger(32) || !hasScales(getTensor(index)))
    return {};
  FailureOr<Type> quantized = getQuantizedElement(index, element);
  return succeeded(quantized) ? *quantized : Type();
}

FailureOr<RankedTensorType> TensorTable::getRealType(int64_t index) {
  FailureOr<RankedTensorType> type = getType(index);
  if (succeeded(type) && isQuantized(type->getElementType()))
    return RankedTensorType::get(type->getShape(), builder.getF32Type());
  return type;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

ArrayRef<char> TensorTable::getBytes(int64_t index) const {
  uint32_t number = getTensor(index).buffer();
  const schema::Buffer *buffer =
      number == 0 ? nullptr : model.buffers()->Get(number);
  ArrayRef<uint8_t> bytes = getArray(buffer ? buffer->data() : nullptr);
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

bool TensorTable::isConstant(int64_t index) const {
  const schema::Tensor &tensor = getTensor(index);
  if (tensor.buffer() == 0)
    return false;
  // A tensor without elements needs no bytes.
  return !getBytes(index).empty() ||
         model.buffers()->Get(tensor.buffer())->size() != 0 ||
         llvm::is_contained(getArray(tensor.shape()), 0);
}

FailureOr<HostTensor> TensorTable::readConstant(int64_t index,
                                                RankedTensorType type) {
  const schema::Tensor &tensor = getTensor(index);
  if (findBlocks(tensor) && isa<FloatType>(type.getElementType()))
    return readBlocks(index, type);
  ArrayRef<char> bytes = getBytes(index);
  if (model.buffers()->Get(tensor.buffer())->size() != 0)
    return errors.notSupported(
        getTitle(index) +
        " is stored behind the flatbuffer, which is not supported");
  bool isPacked = tensor.type() == ElementKind::INT4;
  if (tensor.sparsity() && isPacked)
    return errors.notSupported(getTitle(index) +
                               " is sparse and of INT4, which is not "
                               "supported");
  std::vector<int64_t> positions;
  if (tensor.sparsity() &&
      failed(findSparsePositions(*tensor.sparsity(), type.getShape(), errors,
                                 getTitle(index), positions)))
    return failure();
  int64_t elementBytes = HostTensor::getElementSize(type.getElementType());
  int64_t expected = tensor.sparsity() ? positions.size() * elementBytes
                     : isPacked        ? (type.getNumElements() + 1) / 2
                                       : HostTensor::getByteSize(type);
  if (int64_t(bytes.size()) != expected)
    return errors.badInput(
        getTitle(index) + " of the shape " + formatShape(type.getShape()) +
        " needs " + Twine(expected) + " bytes of data, but the file has " +
        Twine(bytes.size()));
  std::vector<char> dense;
  if (tensor.sparsity()) {
    dense.resize(HostTensor::getByteSize(type));
    for (auto [i, position] : llvm::enumerate(positions))
      std::memcpy(&dense[position * elementBytes], &bytes[i * elementBytes],
                  elementBytes);
    bytes = dense;
  }
  if (!isPacked && !type.getElementType().isInteger(1))
    return HostTensor(type, bytes);
  HostTensor result(type);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    // Two to a byte, the first in the low bits.
    int64_t value = isPacked
                        ? int8_t(uint8_t(bytes[i / 2]) << (i % 2 ? 0 : 4)) >> 4
                        : bytes[i] != 0;
    result.setInt(i, value);
  }
  return result;
}

Value TensorTable::createConstant(int64_t index) {
  FailureOr<RankedTensorType> type = getType(index);
  if (failed(type))
    return {};
  FailureOr<HostTensor> tensor = readConstant(index, getStorageType(*type));
  if (failed(tensor))
    return {};
  Location location = getLocation(index);
  Value value = graph::ConstantOp::create(builder, location, tensor->getType(),
                                          tensor->toAttribute(getName(index)));
  if (isQuantized(type->getElementType()))
    value = graph::StorageCastOp::create(builder, location, *type, value);
  return value;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool TensorTable::isDefined(int64_t index) const {
  return entries[index].stored || isConstant(index);
}

Value TensorTable::getStored(int64_t index) {
  Entry &entry = entries[index];
  if (entry.stored)
    return entry.stored;
  Value &constant = constants[index];
  if (!constant)
    constant = createConstant(index);
  return entry.stored = constant;
}

Value TensorTable::getData(int64_t index) {
  Value stored = getStored(index);
  if (!stored || !isQuantized(getElementTypeOrSelf(stored.getType())))
    return stored;
  Value &real = entries[index].real;
  if (!real)
    real = graph::DequantizeOp::create(
        builder, getLocation(index),
        RankedTensorType::get(
            cast<RankedTensorType>(stored.getType()).getShape(),
            builder.getF32Type()),
        stored);
  return real;
}

/// Dequantizes integers of 32 or 64 bits that have scales, such as a bias.
Value TensorTable::scaleWideIntegers(int64_t index, Value data) {
  auto type = cast<RankedTensorType>(data.getType());
  Location location = getLocation(index);
  auto real = RankedTensorType::get(type.getShape(), builder.getF32Type());
  FailureOr<Type> element =
      getQuantizedElement(index, builder.getIntegerType(32));
  if (failed(element))
    return {};
  if (type.getElementType().isInteger(32)) {
    Value quantized = graph::StorageCastOp::create(
        builder, location, RankedTensorType::get(type.getShape(), *element),
        data);
    return graph::DequantizeOp::create(builder, location, real, quantized);
  }
  // No quantized type stores 64 bits, which only a bias has.
  if (!isConstant(index)) {
    (void)errors.notSupported(getTitle(index) +
                              " of 64-bit integers is quantized but no "
                              "constant, which is not supported");
    return {};
  }
  FailureOr<HostTensor> stored = readConstant(index, type);
  if (failed(stored))
    return {};
  Quantization quantization = Quantization::of(*element);
  HostTensor result(real);
  int64_t inner = 1, count = quantization.scales.size();
  if (quantization.axis)
    for (int64_t size : type.getShape().drop_front(*quantization.axis + 1))
      inner *= size;
  for (int64_t i = 0, e = result.getNumElements(); i < e; ++i) {
    int64_t channel = i / inner % count;
    double steps =
        double(stored->getInt(i)) - double(quantization.zeroPoints[channel]);
    result.setDouble(i, steps * quantization.scales[channel]);
  }
  return graph::ConstantOp::create(builder, location, real,
                                   result.toAttribute(getName(index)));
}

Value TensorTable::getReal(int64_t index, const Twine &what) {
  Value data = getData(index);
  if (!data)
    return {};
  Type element = getElementTypeOrSelf(data.getType());
  if (isa<FloatType>(element))
    return data;
  const schema::Tensor &tensor = getTensor(index);
  bool isWide = element.isSignlessInteger(32) || element.isSignlessInteger(64);
  if (!isWide || !hasScales(tensor)) {
    (void)errors.badInput(what + " is " + getTitle(index) + " of " +
                          getTypeName(tensor.type()) +
                          " without a scale; expected floats or quantized "
                          "integers");
    return {};
  }
  Value &real = entries[index].real;
  if (!real)
    real = scaleWideIntegers(index, data);
  return real;
}

void TensorTable::define(int64_t index, Value value) {
  entries[index].stored = value;
}

LogicalResult TensorTable::defineResult(int64_t index, Value value,
                                        const Twine &what) {
  FailureOr<RankedTensorType> declared = getType(index);
  if (failed(declared))
    return failure();
  auto type = cast<RankedTensorType>(value.getType());
  FailureOr<RankedTensorType> real = getRealType(index);
  auto print = [](Type element) {
    std::string text;
    llvm::raw_string_ostream(text) << element;
    return text;
  };
  bool isStored = type.getElementType() == declared->getElementType();
  if (!isStored && type.getElementType() != real->getElementType())
    return errors.badInput(
        what + " has elements of " + print(type.getElementType()) + ", but " +
        getTitle(index) + " is declared with " + print(real->getElementType()));
  if (type.getShape() != declared->getShape() && !hasOpenShape(index))
    return errors.badInput(what + " has the shape " +
                           formatShape(type.getShape()) + ", but " +
                           getTitle(index) + " is declared with " +
                           formatShape(declared->getShape()));
  Type element = declared->getElementType();
  if (!isStored) {
    auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(element);
    if (perAxis && type.getShape() != declared->getShape())
      return errors.notSupported(
          getTitle(index) + " has an open shape and a scale for each index of "
                            "a dimension, which is not supported");
    value = graph::QuantizeOp::create(
        builder, value.getLoc(),
        RankedTensorType::get(type.getShape(), element), value,
        options.rounding == TFLiteRounding::FixedPoint ? graph::kTFLiteRounding
                                                       : graph::kFloatRounding);
  }
  entries[index].type = RankedTensorType::get(type.getShape(), element);
  define(index, value);
  return success();
}
