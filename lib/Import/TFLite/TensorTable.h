//===- TensorTable.h - The tensors of a model and their values -*- C++ -*--===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_TENSORTABLE_H
#define UMA_LIB_IMPORT_TFLITE_TENSORTABLE_H

#include "Schema.h"

#include "uma/Import/Support/ImportErrors.h"
#include "uma/Import/TFLite/ImportTFLite.h"
#include "uma/Support/HostTensor.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace uma::tflite {

using importer::formatShape;
using importer::ImportErrors;
using importer::quote;

/// The tensors of a subgraph by index, and the values that they have become.
///
/// A tensor of 8 or 16 bits with a scale is quantized: its value has a
/// `!quant.uniform` element type, and operators see a dequantized copy. Other
/// integers are plain, unless an operator needs real numbers (see getReal).
class TensorTable {
public:
  /// Constants of a subgraph by the index of their tensors.
  using Constants = llvm::DenseMap<int64_t, mlir::Value>;

  /// `constants` holds those that an earlier import of the subgraph has
  /// created, and gets new ones.
  TensorTable(mlir::OpBuilder &builder, ImportErrors &errors,
              const schema::Model &model, const schema::SubGraph &graph,
              const TFLiteImportOptions &options, Constants &constants);

  /// Reports shapes and buffers that no tensor can have, used or not.
  mlir::LogicalResult check();

  int64_t size() const { return entries.size(); }
  /// Returns the name of a tensor, generated if it has none.
  std::string getName(int64_t index) const;
  /// Returns "tensor 'NAME'".
  std::string getTitle(int64_t index) const;

  /// Returns the type of a tensor, with quantized elements if it is quantized.
  /// Reports element types and scales that are not supported.
  mlir::FailureOr<mlir::RankedTensorType> getType(int64_t index);
  /// Returns the type that operators see: f32 for quantized elements.
  mlir::FailureOr<mlir::RankedTensorType> getRealType(int64_t index);
  /// Returns whether the file holds the elements of a tensor.
  bool isConstant(int64_t index) const;
  /// Returns whether a tensor keeps its value from run to run.
  bool isVariable(int64_t index) const {
    return getTensor(index).is_variable();
  }
  /// Returns whether a tensor is the handle of a resource variable.
  bool isHandle(int64_t index) const {
    return getTensor(index).type() == schema::TensorType::RESOURCE;
  }
  /// Returns whether the shape that the file gives may differ from the actual
  /// one, since a size is open.
  bool hasOpenShape(int64_t index) const;
  /// Returns whether a tensor is constant or has a value.
  bool isDefined(int64_t index) const;

  /// Returns a defined tensor as it is stored. Creates the constant for a
  /// tensor of the file at its first use. Returns null after an error.
  mlir::Value getStored(int64_t index);
  /// Returns the quantized type of a tensor's elements, also of integers of 32
  /// bits that have scales. Returns null for a tensor without scales, and after
  /// an error.
  mlir::Type findQuantizedElement(int64_t index);
  /// Returns a defined tensor as operators see it: dequantized if it is
  /// quantized. Returns null after an error.
  mlir::Value getData(int64_t index);
  /// Returns a defined tensor as floats, also integers of 32 and 64 bits that
  /// have a scale, such as a bias. Reports integers without a scale; `what`
  /// names the operand. Returns null after an error.
  mlir::Value getReal(int64_t index, const llvm::Twine &what);

  /// Makes `value` the value of a tensor. It has the type that getType()
  /// returns.
  void define(int64_t index, mlir::Value value);
  /// Makes the result of an operator the value of a tensor: quantizes floats if
  /// the tensor is quantized. Reports a type or shape other than the declared
  /// one; `what` names the result.
  mlir::LogicalResult defineResult(int64_t index, mlir::Value value,
                                   const llvm::Twine &what);

  /// Replaces the value of a variable by the result of an operator, as
  /// defineResult() does.
  mlir::LogicalResult assign(int64_t index, mlir::Value value,
                             const llvm::Twine &what) {
    entries[index].real = {};
    return defineResult(index, value, what);
  }

private:
  struct Entry {
    mlir::RankedTensorType type;
    mlir::Value stored;
    /// Dequantized copy, if any operator has needed it.
    mlir::Value real;
  };

  const schema::Tensor &getTensor(int64_t index) const {
    return *graph.tensors()->Get(index);
  }
  /// Returns the bytes of a tensor in the file; empty if it has none.
  llvm::ArrayRef<char> getBytes(int64_t index) const;
  mlir::Location getLocation(int64_t index) const;
  /// Returns the type that the elements of a tensor are stored in.
  mlir::FailureOr<mlir::Type> getStorageElement(int64_t index);
  /// Returns the quantized type of a tensor with scales; see makeQuantizedType.
  /// Returns null for a storage type that has none.
  mlir::FailureOr<mlir::Type> getQuantizedElement(int64_t index,
                                                  mlir::Type storage);
  mlir::FailureOr<HostTensor> readConstant(int64_t index,
                                           mlir::RankedTensorType type);
  /// Dequantizes a constant of 4 or 8 bits that has scales for blocks. `type`
  /// is its type of f32.
  mlir::FailureOr<HostTensor> readBlocks(int64_t index,
                                         mlir::RankedTensorType type);
  mlir::Value createConstant(int64_t index);
  mlir::Value scaleWideIntegers(int64_t index, mlir::Value data);

  mlir::OpBuilder &builder;
  ImportErrors &errors;
  const schema::Model &model;
  const schema::SubGraph &graph;
  const TFLiteImportOptions &options;
  Constants &constants;
  std::vector<Entry> entries;
};

/// Returns the scales of blocks of a tensor; null for other quantizations.
const schema::BlockwiseQuantization *findBlocks(const schema::Tensor &tensor);

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_TENSORTABLE_H
