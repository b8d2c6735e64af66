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

void BackendRegistry::add(std::unique_ptr<Backend> backend, StringRef library) {
  std::string name = backend->getName();
  for (auto [present, file] : llvm::zip_equal(backends, libraries)) {
    if (present->getName() == name) {
      present = std::move(backend);
      file = library.str();
      return;
    }
  }
  backends.push_back(std::move(backend));
  libraries.push_back(library.str());
}

StringRef BackendRegistry::getLibrary(const Backend &backend) const {
  for (const auto &[present, file] : llvm::zip_equal(backends, libraries))
    if (present.get() == &backend)
      return file;
  return "";
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
