//===- ConstantRules.cpp - Constant, Identity, Shape, Size ----------------===//
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

/// Returns the tensor of a Constant's attribute; null if the attribute is not
/// one of the value forms.
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
  if (name == "value_string" || name == "value_strings")
    (void)node.notSupported("attribute " + quote(name) + " is not supported");
  return nullptr;
}

static LogicalResult importConstant(Node &node) {
  if (node.getAttrs().size() != 1)
    return node.badInput("has " + Twine(node.getAttrs().size()) +
                         " attributes; expected exactly one, the value");
  if (std::optional<HostTensor> sparse = node.getSparseAttr("sparse_value")) {
    Value value = node.createConstant(*sparse);
    node.markNarrow(value,
                    node.getAttrs()[0].sparse_tensor().values().data_type());
    return node.yield(value);
  }
  // For an unknown attribute, the message of checkAllAttrsRead is better.
  node.ignoreAttrs({"value"});
  const TensorProto *tensor = getValue(node, node.getAttrs()[0]);
  if (!tensor && succeeded(node.checkAllAttrsRead()))
    return node.badInput("has no value");
  return node.yield(ImportedValue{{}, tensor, node.getOutputName()});
}

static LogicalResult importIdentity(Node &node) {
  return node.yield(node.forward(0));
}

//===----------------------------------------------------------------------===//
// Shape, Size
//===----------------------------------------------------------------------===//

// All shapes are static, so the results are constants.

static LogicalResult yieldInts(Node &node, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> elements) {
  Type type = node.getBuilder().getI64Type();
  HostTensor tensor(RankedTensorType::get(shape, type));
  for (auto [index, element] : llvm::enumerate(elements))
    tensor.setInt(index, element);
  return node.yield(node.createConstant(tensor));
}

static LogicalResult importShape(Node &node) {
  ArrayRef<int64_t> shape = getShape(node.getOperand(0));
  // Negative positions count from the end; positions beyond the end are
  // clamped.
  int64_t rank = shape.size();
  auto normalize = [&](StringRef name, int64_t defaultValue) {
    if (node.getOpset() < 15)
      return defaultValue;
    int64_t position = node.getIntAttr(name, defaultValue);
    return std::clamp(position < 0 ? position + rank : position, int64_t(0),
                      rank);
  };
  int64_t start = normalize("start", 0), end = normalize("end", rank);
  shape = start < end ? shape.slice(start, end - start) : ArrayRef<int64_t>();
  return yieldInts(node, {int64_t(shape.size())}, shape);
}

static LogicalResult importSize(Node &node) {
  auto type = cast<RankedTensorType>(node.getOperand(0).getType());
  return yieldInts(node, {}, {type.getNumElements()});
}

ArrayRef<Rule> importer::getConstantRules() {
  static constexpr Rule rules[] = {
      {"Constant", 1, "", importConstant},
      {"Identity", 1, "input&", importIdentity},
      {"Shape", 1, "data", importShape},
      {"Size", 1, "data", importSize},
  };
  return rules;
}
