//===- ContractionRules.cpp - Conv and ConvInteger -*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "WindowRules.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

static Value createConv2d(Node &node, TypeAttr outDtype) {
  Value data = node.getOperand(0), weight = node.getOperand(1);
  if (failed(checkTwoSpatialDims(node, data)) ||
      failed(node.checkRank(weight, 4, "input 'W'")))
    return {};
  ArrayRef<int64_t> kernel = getShape(weight).drop_front(2);
  auto kernelShape = node.getIntsAttr("kernel_shape");
  if (kernelShape && ArrayRef(*kernelShape) != kernel) {
    (void)node.badInput("attribute 'kernel_shape' is " +
                        formatShape(*kernelShape) + ", but the weights are " +
                        formatShape(getShape(weight)));
    return {};
  }
  int64_t groups = node.getIntAttr("group", 1);
  if (groups < 1) {
    (void)node.badInput("attribute 'group' is " + Twine(groups) +
                        "; expected 1 or more");
    return {};
  }
  std::optional<graph::Window2D> window = readWindow(node, data, kernel);
  if (!window)
    return {};
  graph::Conv2dOp::Properties properties;
  setWindow(node, *window, properties);
  properties.groups = node.getBuilder().getI64IntegerAttr(groups);
  properties.out_dtype = outDtype;
  return node.create<graph::Conv2dOp>({data, weight}, properties);
}

static LogicalResult importConv(Node &node) {
  Value result = createConv2d(node, /*outDtype=*/{});
  if (Value bias = node.getOperand(2))
    result = node.create<graph::BiasAddOp>({result, bias});
  return node.yield(result);
}

/// Reports zero points other than 0: conv2d has none.
static LogicalResult checkZeroPoint(Node &node, unsigned index,
                                    StringRef name) {
  const HostTensor *zeroPoint = node.getConstant(index);
  for (int64_t i = 0, e = zeroPoint ? zeroPoint->getNumElements() : 0; i < e;
       ++i)
    if (zeroPoint->getInt(i) != 0)
      return node.notSupported("input '" + name + "' is " +
                               Twine(zeroPoint->getInt(i)) +
                               "; only zero points of 0 are supported");
  return success();
}

static LogicalResult importConvInteger(Node &node) {
  if (failed(checkZeroPoint(node, 2, "x_zero_point")) ||
      failed(checkZeroPoint(node, 3, "w_zero_point")))
    return failure();
  return node.yield(
      createConv2d(node, TypeAttr::get(node.getBuilder().getI32Type())));
}

ArrayRef<Rule> importer::getContractionRules() {
  static constexpr Rule rules[] = {
      {"Conv", 1, "X W B?", importConv},
      {"ConvInteger", 10, "x w x_zero_point=? w_zero_point=?",
       importConvInteger},
  };
  return rules;
}
