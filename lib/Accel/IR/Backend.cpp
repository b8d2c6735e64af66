//===- Backend.cpp - Accelerators defined in C++ --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/Backend.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

MLIR_DEFINE_EXPLICIT_TYPE_ID(uma::accel::BackendRegistry)

// Anchors the vtable.
Backend::~Backend() = default;

BackendRegistry &BackendRegistry::get(MLIRContext *context) {
  return *context->getLoadedDialect<UMADialect>()
              ->getRegisteredInterface<BackendRegistry>();
}

void BackendRegistry::add(std::unique_ptr<Backend> backend) {
  std::string name = backend->getName();
  for (std::unique_ptr<Backend> &present : backends) {
    if (present->getName() == name) {
      present = std::move(backend);
      return;
    }
  }
  backends.push_back(std::move(backend));
}

const Backend *BackendRegistry::lookup(StringRef name) const {
  for (const std::unique_ptr<Backend> &backend : backends)
    if (backend->getName() == name)
      return backend.get();
  return nullptr;
}

const Backend *BackendRegistry::lookup(PatternOp pattern) const {
  if (backends.empty())
    return nullptr;
  return lookup(cast<AcceleratorOp>(pattern->getParentOp()).getSymName());
}
