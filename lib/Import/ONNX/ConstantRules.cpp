//===- ConstantRules.cpp - Constant, Identity -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;
using onnx::AttributeProto;
using onnx::TensorProto;

/// The tensor that a Constant's attribute stands for; null for an attribute
/// that is none of the value forms.
static const TensorProto *getValue(Node &node, const AttributeProto &attr) {
  StringRef name = attr.name();
  if (name == "value") {
    const AttributeProto *value = node.getAttr(name, AttributeProto::TENSOR);
    return value ? &value->t() : nullptr;
  }
  if (name == "value_float" && node.getAttr(name, AttributeProto::FLOAT)) {
    TensorProto &tensor = node.makeTensor(TensorProto::FLOAT);
    tensor.add_float_data(attr.f());
    return &tensor;
  }
  if (name == "value_int" && node.getAttr(name, AttributeProto::INT)) {
    TensorProto &tensor = node.makeTensor(TensorProto::INT64);
    tensor.add_int64_data(attr.i());
    return &tensor;
  }
  if (name == "value_floats" && node.getAttr(name, AttributeProto::FLOATS)) {
    TensorProto &tensor = node.makeTensor(TensorProto::FLOAT);
    tensor.add_dims(attr.floats_size());
    *tensor.mutable_float_data() = attr.floats();
    return &tensor;
  }
  if (name == "value_ints" && node.getAttr(name, AttributeProto::INTS)) {
    TensorProto &tensor = node.makeTensor(TensorProto::INT64);
    tensor.add_dims(attr.ints_size());
    *tensor.mutable_int64_data() = attr.ints();
    return &tensor;
  }
  if (name == "value_string" || name == "value_strings" ||
      name == "sparse_value")
    (void)node.notSupported("attribute " + quote(name) + " is not supported");
  return nullptr;
}

static LogicalResult importConstant(Node &node) {
  if (node.getAttrs().size() != 1)
    return node.badInput("has " + Twine(node.getAttrs().size()) +
                         " attributes; expected exactly one, the value");
  // After an unknown attribute checkAllAttrsRead has the better message.
  node.ignoreAttrs({"value"});
  const TensorProto *tensor = getValue(node, node.getAttrs()[0]);
  if (!tensor && succeeded(node.checkAllAttrsRead()))
    return node.badInput("has no value");
  return node.yield(ImportedValue{{}, tensor, node.getOutputName()});
}

static LogicalResult importIdentity(Node &node) {
  return node.yield(node.forward(0));
}

ArrayRef<Rule> importer::getConstantRules() {
  static constexpr Rule rules[] = {
      {"Constant", 1, "", importConstant},
      {"Identity", 1, "input&", importIdentity},
  };
  return rules;
}
