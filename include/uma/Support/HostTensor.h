//===- HostTensor.h - A tensor's elements in the compiler's memory --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_SUPPORT_HOSTTENSOR_H
#define UMA_SUPPORT_HOSTTENSOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <memory>

namespace uma {

/// A tensor of static shape, stored row-major as the emitted C stores it:
/// little-endian, f16 and bf16 in two bytes, i1 in one byte per element.
///
/// Copies share the elements until one of them is written to. So do attributes:
/// none of fromAttribute() and toAttribute() copies large tensors.
class HostTensor {
public:
  HostTensor() = default;
  /// A tensor of zeros.
  explicit HostTensor(mlir::RankedTensorType type);
  /// A copy of `data`, which must be getByteSize(type) long.
  HostTensor(mlir::RankedTensorType type, llvm::ArrayRef<char> data);

  /// The elements of a `dense` or `dense_resource` attribute, which owns them:
  /// what is only read must not outlive the attribute's context, nor the blob
  /// of the resource. Fails for other attributes and for element types that C
  /// has no storage for.
  static mlir::FailureOr<HostTensor> fromAttribute(mlir::ElementsAttr attr);
  /// A `dense_resource` attribute for tensors above `inlineBytes`, else
  /// `dense`.
  mlir::ElementsAttr toAttribute(llvm::StringRef resourceName,
                                 int64_t inlineBytes = 64) const;

  /// Bytes of one element in C; 0 for types that C has no storage for.
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

  /// True when no element is infinite or NaN.
  bool allFinite() const;

  /// The element at a row-major index as a double. Exact for every float type
  /// and for integers below 2^53.
  double getDouble(int64_t index) const;
  /// The element of an integer tensor. Unsigned types are zero-extended (ui64
  /// keeps its bits). Of a float tensor, the element truncated towards zero.
  int64_t getInt(int64_t index) const;
  /// Stores a value. Floats round to nearest even. Into an integer tensor,
  /// `setInt` keeps the low bits, and `setDouble` truncates towards zero, takes
  /// the nearest value that the type has, and 0 for NaN.
  void setDouble(int64_t index, double value);
  void setInt(int64_t index, int64_t value);

  /// Multiplies `count` floats from `begin` on, each product rounded once.
  /// False when a finite element became infinite or NaN.
  bool scale(int64_t begin, int64_t count, double factor);

  /// The same elements under another shape with as many elements.
  HostTensor reshaped(llvm::ArrayRef<int64_t> shape) const;

private:
  /// How an element is stored: known once for all elements, since a look at
  /// the type takes longer than the access.
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
    F16,
    BF16,
    F32,
    F64
  };
  static Kind getKind(mlir::Type elementType);
  /// Makes `bytes` a buffer of this tensor alone, not initialised.
  void allocate(size_t size);
  bool isFloatKind() const { return kind >= Kind::F16; }
  /// Calls `fn` with a value of the C type that stores this integer.
  template <typename Fn>
  void dispatchInteger(Fn fn) const;

  mlir::RankedTensorType type;
  Kind kind = Kind::None;
  llvm::ArrayRef<char> bytes;
  /// Owns the elements, maybe together with copies and attributes; nobody where
  /// they belong to an attribute that was read.
  std::shared_ptr<char> owner;
};

} // namespace uma

#endif // UMA_SUPPORT_HOSTTENSOR_H
