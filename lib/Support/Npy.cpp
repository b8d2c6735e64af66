//===- Npy.cpp - NumPy files ----------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/Npy.h"

#include "uma/Support/Float8.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace uma;

static constexpr llvm::StringLiteral kMagic("\x93NUMPY");

/// Returns the element type for a NumPy descriptor without byte order.
static Type getElementType(StringRef descriptor, MLIRContext *context) {
  Builder b(context);
  auto unsignedType = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  return llvm::StringSwitch<Type>(descriptor)
      .Case("f2", b.getF16Type())
      .Case("f4", b.getF32Type())
      .Case("f8", b.getF64Type())
      .Case("i1", b.getI8Type())
      .Case("i2", b.getI16Type())
      .Case("i4", b.getI32Type())
      .Case("i8", b.getI64Type())
      .Case("u1", unsignedType(8))
      .Case("u2", unsignedType(16))
      .Case("u4", unsignedType(32))
      .Case("u8", unsignedType(64))
      .Case("b1", b.getI1Type())
      .Default(Type());
}

static std::string getDescriptor(Type type) {
  if (type.isInteger(1))
    return "|b1";
  int64_t size = HostTensor::getElementSize(type);
  if (!size || isa<BFloat16Type>(type))
    return "";
  if (isFloat8(type)) // NumPy has none; the file holds the codes.
    return "|u1";
  char kind = isa<FloatType>(type) ? 'f' : type.isUnsignedInteger() ? 'u' : 'i';
  return (size == 1 ? "|" : "<") + std::string(1, kind) + std::to_string(size);
}

/// Returns the text after `'key':` in the header's dictionary, up to a comma
/// outside parentheses or the closing brace.
static StringRef getField(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  if (at == StringRef::npos)
    return "";
  StringRef rest = header.drop_front(at + key.size() + 2).ltrim();
  if (!rest.consume_front(":"))
    return "";
  rest = rest.ltrim();
  size_t end =
      rest.starts_with("(") ? rest.find(')') + 1 : rest.find_first_of(",}");
  return rest.take_front(end).trim();
}

llvm::Expected<HostTensor> uma::readNpy(StringRef path, MLIRContext *context) {
  auto fail = [&](const Twine &message) {
    return llvm::createStringError(path + ": " + message);
  };
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(buffer.getError().message());
  StringRef bytes = (*buffer)->getBuffer();
  if (!bytes.consume_front(kMagic) || bytes.size() < 4)
    return fail("is not a NumPy file: it does not start with \\x93NUMPY");
  unsigned major = uint8_t(bytes[0]);
  bytes = bytes.drop_front(2);
  size_t lengthSize = major == 1 ? 2 : 4;
  if (major < 1 || major > 3 || bytes.size() < lengthSize)
    return fail("has NumPy format version " + Twine(major) +
                ", expected 1, 2 or 3");
  size_t length = major == 1 ? llvm::support::endian::read16le(bytes.data())
                             : llvm::support::endian::read32le(bytes.data());
  bytes = bytes.drop_front(lengthSize);
  if (length > bytes.size())
    return fail("is truncated in its header");
  StringRef header = bytes.take_front(length);
  bytes = bytes.drop_front(length);

  StringRef descriptor = getField(header, "descr").trim('\'');
  if (descriptor.starts_with(">"))
    return fail("is big-endian, expected little-endian");
  Type type = getElementType(descriptor.ltrim("<|="), context);
  if (!type)
    return fail("has elements of type '" + descriptor +
                "', expected numbers or bool");
  if (getField(header, "fortran_order") != "False")
    return fail("is in Fortran order, expected C order "
                "(numpy.ascontiguousarray)");
  SmallVector<int64_t> shape;
  SmallVector<StringRef> sizes;
  StringRef tuple = getField(header, "shape");
  if (!tuple.consume_front("(") || !tuple.consume_back(")"))
    return fail("has no shape in its header");
  tuple.split(sizes, ',', -1, /*KeepEmpty=*/false);
  int64_t elements = 1;
  for (StringRef size : sizes) {
    int64_t value;
    if (size.trim().empty())
      continue;
    if (size.trim().getAsInteger(10, value) || value < 0 ||
        llvm::MulOverflow(elements, value, elements))
      return fail("has the shape '" + tuple + "', which is no list of sizes");
    shape.push_back(value);
  }
  int64_t expected;
  if (llvm::MulOverflow(elements, HostTensor::getElementSize(type), expected) ||
      int64_t(bytes.size()) != expected)
    return fail("has " + Twine(bytes.size()) + " bytes of data, expected " +
                Twine(elements) + " elements of " +
                Twine(HostTensor::getElementSize(type)) + " bytes");
  return HostTensor(RankedTensorType::get(shape, type),
                    ArrayRef<char>(bytes.data(), bytes.size()));
}

llvm::Expected<std::string> uma::toNpy(const HostTensor &tensor) {
  std::string descriptor = getDescriptor(tensor.getElementType());
  if (descriptor.empty()) {
    std::string type;
    llvm::raw_string_ostream(type) << tensor.getElementType();
    return llvm::createStringError("NumPy files cannot hold elements of type " +
                                   type);
  }
  std::string header =
      "{'descr': '" + descriptor + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : tensor.getShape())
    header += std::to_string(size) + ",";
  header += "), }";
  // The data starts at a multiple of 64; the header ends with a newline.
  size_t prefix = kMagic.size() + 4;
  header.append(llvm::alignTo(prefix + header.size() + 1, 64) - prefix -
                    header.size() - 1,
                ' ');
  header += '\n';
  std::string result(kMagic);
  result += '\x01';
  result += '\x00';
  result += char(header.size() & 0xff);
  result += char(header.size() >> 8);
  result += header;
  result.append(tensor.getBytes().begin(), tensor.getBytes().end());
  return result;
}
