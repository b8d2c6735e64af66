//===- WorkspaceMemories.cpp - Memories of a workspace --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/IR/WorkspaceMemories.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace uma;

std::vector<WorkspaceMemory> uma::getWorkspaceMemories(Operation *function) {
  std::vector<WorkspaceMemory> result;
  auto memories =
      function->getAttrOfType<ArrayAttr>(kWorkspaceMemoriesAttrName);
  if (!memories)
    return result;
  for (auto memory : memories.getAsRange<DictionaryAttr>()) {
    auto name = memory.getAs<StringAttr>("name");
    auto offset = memory.getAs<IntegerAttr>("offset");
    auto bytes = memory.getAs<IntegerAttr>("bytes");
    if (name && offset && bytes)
      result.push_back({name.str(), offset.getInt(), bytes.getInt()});
  }
  return result;
}

void uma::setWorkspaceMemories(Operation *function,
                               ArrayRef<WorkspaceMemory> memories) {
  Builder builder(function->getContext());
  SmallVector<Attribute> entries;
  for (const WorkspaceMemory &memory : memories)
    entries.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("name", builder.getStringAttr(memory.name)),
         builder.getNamedAttr("offset",
                              builder.getI64IntegerAttr(memory.offset)),
         builder.getNamedAttr("bytes",
                              builder.getI64IntegerAttr(memory.bytes))}));
  function->setAttr(kWorkspaceMemoriesAttrName, builder.getArrayAttr(entries));
}

size_t uma::getMemoryOf(ArrayRef<WorkspaceMemory> memories, int64_t offset) {
  size_t found = 0;
  for (size_t i = 0; i < memories.size(); ++i)
    if (memories[i].offset <= offset && memories[i].bytes > 0)
      found = i;
  return found;
}
