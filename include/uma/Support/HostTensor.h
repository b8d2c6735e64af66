//===- HostTensor.h - A tensor in the compiler's memory -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_HOSTTENSOR_H
#define UMA_SUPPORT_HOSTTENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <cmath>
#include <memory>

namespace uma {

/// A tensor of static shape, stored row-major as the emitted C stores it:
/// little-endian, f16 and bf16 in two bytes, i1 and floats of 8 bits in one
/// byte per element. Quantized elements are the integers that store them.
///
/// Copies share the elements until one of them is written to. So do attributes:
/// fromAttribute() and toAttribute() do not copy large tensors.
class HostTensor {
public:
  HostTensor() = default;
  /// Creates a tensor of zeros.
  explicit HostTensor(mlir::RankedTensorType type);
  /// Copies `data`, which must have getByteSize(type) bytes.
  HostTensor(mlir::RankedTensorType type, llvm::ArrayRef<char> data);

  /// Returns the elements of a `dense` or `dense_resource` attribute, which
  /// owns them: unless written to, the tensor must not outlive the attribute's
  /// context or the resource's blob. Fails for other attributes and for element
  /// types without storage in C.
  static mlir::FailureOr<HostTensor> fromAttribute(mlir::ElementsAttr attr);
  /// Returns a `dense_resource` attribute for tensors above `inlineBytes`,
  /// otherwise `dense`.
  mlir::ElementsAttr toAttribute(llvm::StringRef resourceName,
                                 int64_t inlineBytes = 64) const;

  /// Returns the bytes of one element in C; 0 for types without storage in C.
  static int64_t getElementSize(mlir::Type elementType);
  static int64_t getByteSize(mlir::RankedTensorType type) {
    return type.getNumElements() * getElementSize(type.getElementType());
  }

  mlir::RankedTensorType getType() const { return type; }
  mlir::Type getElementType() const { return type.getElementType(); }
  llvm::ArrayRef<int64_t> getShape() const { return type.getShape(); }
  int64_t getNumElements() const { return type.getNumElements(); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(getElementType()); }

  llvm::ArrayRef<char> getBytes() const { return bytes; }
  llvm::MutableArrayRef<char> getMutableBytes();

  /// Returns whether no element is infinite or NaN.
  bool allFinite() const;

  /// Returns the element at a row-major index as a double. Exact for every
  /// float type and for integers below 2^53.
  double getDouble(int64_t index) const;
  /// Returns whether `getDouble` is exact for an element.
  bool isExactDouble(int64_t index) const {
    return isFloat() || std::abs(getDouble(index)) < double(int64_t(1) << 53);
  }
  /// Returns an integer element. Unsigned types are zero-extended (ui64 keeps
  /// its bits). Float elements are truncated towards zero.
  int64_t getInt(int64_t index) const;
  /// Stores a value. Floats round to nearest even. For integer tensors,
  /// `setInt` keeps the low bits, and `setDouble` truncates towards zero and
  /// saturates; NaN becomes 0.
  void setDouble(int64_t index, double value);
  void setInt(int64_t index, int64_t value);

  /// Multiplies `count` floats from `begin` on, each product rounded once.
  /// Returns false if a finite element became infinite or NaN.
  bool scale(int64_t begin, int64_t count, double factor);

  /// Returns the same bits as elements of a type of the same storage type.
  HostTensor withElementType(mlir::Type elementType) const;
  /// Returns the same elements with another shape of the same size.
  HostTensor reshaped(llvm::ArrayRef<int64_t> shape) const;

private:
  /// Storage kind of the elements, cached because inspecting the type takes
  /// longer than an access.
  enum class Kind : uint8_t {
    None,
    Bool,
    SI8,
    UI8,
    SI16,
    UI16,
    SI32,
    UI32,
    SI64,
    UI64,
    F8, ///< any of the four formats
    F16,
    BF16,
    F32,
    F64
  };
  static Kind getKind(mlir::Type elementType);
  /// Makes `bytes` an unshared, uninitialised buffer of this tensor.
  void allocate(size_t size);
  bool isFloatKind() const { return kind >= Kind::F8; }
  /// Calls `fn` with a value of the C type that stores this integer.
  template <typename Fn>
  void dispatchInteger(Fn fn) const;

  mlir::RankedTensorType type;
  Kind kind = Kind::None;
  llvm::ArrayRef<char> bytes;
  /// Owner of the elements, possibly shared with copies and attributes; null if
  /// an attribute that was read owns them.
  std::shared_ptr<char> owner;
};

} // namespace uma

#endif // UMA_SUPPORT_HOSTTENSOR_H
