//===- Functions.cpp - Functions of a model -------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Functions.h"

#include "Rules.h"

#include <google/protobuf/unknown_field_set.h>

using namespace mlir;
using namespace uma;
using namespace uma::importer;

namespace {
/// Numbers of fields that are newer than the library.
enum NewerField : int {
  kNodeOverload = 8,
  kFunctionAttributeProto = 11,
  kFunctionOverload = 13
};
} // namespace

/// Calls `fn` with the bytes of each value of an unknown field.
template <typename Fn>
static void forEachUnknown(const google::protobuf::Message &message, int number,
                           Fn fn) {
  const auto &fields = message.GetReflection()->GetUnknownFields(message);
  for (int index = 0; index < fields.field_count(); ++index) {
    const google::protobuf::UnknownField &field = fields.field(index);
    if (field.number() == number &&
        field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED)
      fn(field.length_delimited());
  }
}

static std::string getOverload(const google::protobuf::Message &message,
                               int number) {
  std::string overload;
  forEachUnknown(message, number,
                 [&](const std::string &bytes) { overload = bytes; });
  return overload;
}

/// Returns the key of a function in the table.
static std::string getKey(StringRef domain, StringRef name,
                          StringRef overload) {
  std::string key = isDefaultDomain(domain) ? "" : domain.str();
  (key += '\0').append(name);
  return (key += '\0').append(overload);
}

FailureOr<std::optional<int64_t>> importer::findOpset(
    ImportErrors &errors, const Twine &what,
    const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>
        &imports) {
  std::optional<int64_t> opset;
  for (const onnx::OperatorSetIdProto &import : imports) {
    if (!isDefaultDomain(import.domain()))
      continue;
    if (opset && *opset != import.version())
      return errors.badInput(what +
                             "imports the default operator set twice, "
                             "as " +
                             Twine(*opset) + " and as " +
                             Twine(import.version()));
    opset = import.version();
  }
  return opset;
}

/// Moves the content of `proto` to `function`.
static LogicalResult readFunction(ImportErrors &errors,
                                  onnx::FunctionProto &proto,
                                  ModelFunction &function) {
  function.name = proto.domain().empty() ? proto.name()
                                         : proto.domain() + "." + proto.name();
  std::string what = "function " + quote(function.name) + " ";
  for (const std::string &input : proto.input())
    function.body.add_input()->set_name(input);
  for (const std::string &output : proto.output())
    function.body.add_output()->set_name(output);
  function.body.mutable_node()->Swap(proto.mutable_node());
  bool isRead = true;
  for (const std::string &attribute : proto.attribute())
    function.attributes.insert(attribute);
  forEachUnknown(proto, kFunctionAttributeProto, [&](const std::string &bytes) {
    onnx::AttributeProto &attribute = function.defaults.emplace_back();
    isRead &= parseProtobuf(attribute, bytes);
    function.attributes.insert(attribute.name());
  });
  if (!isRead)
    return errors.badInput(what + "has an attribute that is damaged");
  auto opset = findOpset(errors, what, proto.opset_import());
  if (failed(opset))
    return failure();
  function.opset = *opset;
  return success();
}

LogicalResult FunctionTable::build(ImportErrors &errors,
                                   onnx::ModelProto &model) {
  for (onnx::FunctionProto &proto : *model.mutable_functions()) {
    std::string key = getKey(proto.domain(), proto.name(),
                             getOverload(proto, kFunctionOverload));
    ModelFunction &function = functions.emplace_back();
    if (failed(readFunction(errors, proto, function)))
      return failure();
    if (!byKey.try_emplace(key, &function).second)
      return errors.badInput("function " + quote(function.name) +
                             " is defined twice");
  }
  return success();
}

const ModelFunction *FunctionTable::find(const onnx::NodeProto &node) const {
  if (byKey.empty())
    return nullptr;
  return byKey.lookup(
      getKey(node.domain(), node.op_type(), getOverload(node, kNodeOverload)));
}
