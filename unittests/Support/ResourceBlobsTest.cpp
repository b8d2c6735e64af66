//===- ResourceBlobsTest.cpp - Tests of releaseUnusedBlobs ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/ResourceBlobs.h"

#include "uma/Support/HostTensor.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace uma;

TEST(ResourceBlobsTest, KeepsWhatAttributesName) {
  MLIRContext context;
  Builder builder(&context);
  auto type = RankedTensorType::get({100}, builder.getF32Type());
  auto make = [&](llvm::StringRef name) {
    return llvm::cast<DenseResourceElementsAttr>(
        HostTensor(type).toAttribute(name));
  };
  auto isThere = [](DenseResourceElementsAttr attribute) {
    return !attribute.getRawHandle().getBlob()->getData().empty();
  };
  DenseResourceElementsAttr used = make("w"), nested = make("w"),
                            unused = make("w");
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  OpBuilder inner = OpBuilder::atBlockBegin(module->getBody());
  ModuleOp child = ModuleOp::create(inner, builder.getUnknownLoc());
  (*module)->setAttr("test.weight", used);
  child->setAttr("test.weights", builder.getArrayAttr({nested}));

  size_t size = used.getRawHandle().getBlob()->getData().size();
  EXPECT_EQ(getBlobBytes(&context), 3 * size);
  releaseUnusedBlobs(*module);
  EXPECT_EQ(getBlobBytes(&context), 2 * size);
  EXPECT_TRUE(isThere(used));
  EXPECT_TRUE(isThere(nested));
  EXPECT_FALSE(isThere(unused));
  EXPECT_TRUE(failed(HostTensor::fromAttribute(unused)));

  child->removeAttr("test.weights");
  releaseUnusedBlobs(*module);
  EXPECT_TRUE(isThere(used));
  EXPECT_FALSE(isThere(nested));
}
