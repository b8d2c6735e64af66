//===- ResourceBlobs.cpp - Removal of unused resource blobs ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/ResourceBlobs.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;

static DialectResourceBlobManager &getBlobManager(MLIRContext *context) {
  return DenseResourceElementsHandle::getManagerInterface(context)
      .getBlobManager();
}

size_t uma::getBlobBytes(MLIRContext *context) {
  size_t bytes = 0;
  getBlobManager(context).getBlobMap([&](const auto &blobs) {
    for (const auto &blob : blobs)
      if (blob.second.getBlob())
        bytes += blob.second.getBlob()->getData().size();
  });
  return bytes;
}

void uma::releaseUnusedBlobs(Operation *root) {
  // A copy of a module inside of it shares its blobs.
  while (Operation *parent = root->getParentOp())
    root = parent;
  llvm::StringSet<> used;
  AttrTypeWalker walker;
  walker.addWalk([&](DenseResourceElementsAttr attr) {
    used.insert(attr.getRawHandle().getKey());
  });
  // Visit attributes one by one: a dictionary of all of them would be uniqued
  // and live as long as the context.
  root->walk([&](Operation *op) {
    for (NamedAttribute attr : op->getDiscardableAttrs())
      walker.walk(attr.getValue());
    NamedAttrList inherent;
    if (op->isRegistered())
      op->getName().populateInherentAttrs(op, inherent);
    else if (Attribute properties = op->getPropertiesAsAttribute())
      walker.walk(properties);
    for (NamedAttribute attr : inherent)
      walker.walk(attr.getValue());
  });

  DialectResourceBlobManager &manager = getBlobManager(root->getContext());
  // Collect first: the map is locked during the iteration.
  std::vector<std::string> unused;
  manager.getBlobMap([&](const auto &blobs) {
    for (const auto &blob : blobs)
      if (blob.second.getBlob() && !blob.second.getBlob()->getData().empty() &&
          !used.contains(blob.first()))
        unused.push_back(blob.first().str());
  });
  for (const std::string &name : unused)
    manager.update(name, AsmResourceBlob());
}
