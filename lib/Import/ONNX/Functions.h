//===- Functions.h - Functions of a model -*- C++ -*-----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A model may define operators itself, as functions of other operators. They
// have priority over operators of the same name.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_ONNX_FUNCTIONS_H
#define UMA_LIB_IMPORT_ONNX_FUNCTIONS_H

#include "Support.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <optional>

namespace uma::importer {

/// Returns the version of the default operator set in `imports`, or
/// std::nullopt if it is not imported. Reports two versions; the message starts
/// with `what`.
mlir::FailureOr<std::optional<int64_t>>
findOpset(ImportErrors &errors, const llvm::Twine &what,
          const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>
              &imports);

struct ModelFunction {
  std::string name; ///< with the domain, for messages
  /// Nodes, and inputs and outputs without types.
  onnx::GraphProto body;
  /// Names of all attributes.
  llvm::StringSet<> attributes;
  /// Attributes with a default value.
  std::vector<onnx::AttributeProto> defaults;
  /// Version of the default operator set; std::nullopt if it is the model's.
  std::optional<int64_t> opset;
};

class FunctionTable {
public:
  /// Moves the functions of the model into the table.
  mlir::LogicalResult build(ImportErrors &errors, onnx::ModelProto &model);

  /// Returns the function that a node calls; null if it has an operator.
  const ModelFunction *find(const onnx::NodeProto &node) const;

private:
  /// A deque, since nodes refer to their attributes.
  std::deque<ModelFunction> functions;
  llvm::StringMap<const ModelFunction *> byKey;
};

} // namespace uma::importer

#endif // UMA_LIB_IMPORT_ONNX_FUNCTIONS_H
