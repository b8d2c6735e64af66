//===- ModelSizes.cpp - Sizes of a model in a description -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Driver/ModelSizes.h"

#include "Model.h"

#include "uma/Accel/Language/Language.h"
#include "uma/Accel/Partition/Matcher.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace uma;

FailureOr<std::map<std::string, PatternSizes>>
uma::findModelSizes(StringRef text, StringRef file, StringRef model,
                    const MessageHandler &handler) {
  ModelOptions options;
  options.model = model.str();
  ModelContext context(model, handler);
  OwningOpRef<accel::AcceleratorOp> accelerator = accel::readDescription(
      llvm::MemoryBuffer::getMemBufferCopy(text, file), file, context.get());
  if (!accelerator)
    return failure();
  OwningOpRef<ModuleOp> module;
  if (loadModel(options, context, module) != ExitCode::Success)
    return failure();
  OpBuilder::atBlockBegin(module->getBody()).insert(accelerator.release());
  PassManager manager(context.get());
  manager.addPass(makePartitionPass(options));
  if (failed(manager.run(*module)))
    return failure();
  std::map<std::string, PatternSizes> sizes;
  module->walk([&](graph::CompositeOp composite) {
    FailureOr<accel::Match> match = accel::matchComposite(composite);
    if (failed(match))
      return;
    accel::PatternOp pattern = match->pattern;
    PatternSizes &entry = sizes[pattern.getSymName().str()];
    ++entry.layers;
    for (auto dim : pattern.getBody().getOps<accel::DimOp>())
      if (auto value =
              dyn_cast_or_null<IntegerAttr>(match->getNumber(dim.getResult())))
        entry.values[dim.getName().str()].push_back(value.getInt());
  });
  return sizes;
}
