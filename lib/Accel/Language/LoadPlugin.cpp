//===- LoadPlugin.cpp - Accelerators in shared libraries ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A plugin uses the MLIR and uma symbols of the program that loads it. All
// symbols are resolved eagerly, so that a plugin of another build fails here
// instead of crashing later.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Language/Language.h"

#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>

using namespace mlir;
using namespace uma::accel;

bool uma::accel::isBackendPlugin(StringRef nameOrPath) {
  return nameOrPath.ends_with(".so");
}

FailureOr<const Backend *>
uma::accel::loadBackendPlugin(StringRef file, MLIRContext *context,
                              EmitErrorFn emitError) {
  // Use an absolute path: dlopen searches system folders for a bare name.
  SmallString<256> path(file);
  if (!llvm::sys::fs::is_regular_file(path) ||
      llvm::sys::fs::make_absolute(path))
    return emitError() << "no such plugin: '" << file << "'";
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    // The format is "PATH: REASON"; our message already has the path.
    StringRef reason(dlerror());
    reason.consume_front((path + ": ").str());
    return emitError() << "cannot load the plugin '" << file << "': " << reason;
  }
  auto get = reinterpret_cast<BackendPlugin (*)()>(
      dlsym(library, "umaGetBackendPlugin"));
  if (!get)
    return emitError() << "'" << file
                       << "' is no plugin: it does not say "
                          "UMA_DEFINE_BACKEND_PLUGIN";
  BackendPlugin plugin = get();
  if (plugin.version != BackendPlugin::kVersion)
    return emitError() << "the plugin '" << file << "' is made for version "
                       << plugin.version
                       << " of the backend interface, this program has version "
                       << BackendPlugin::kVersion << "; build it again";
  BackendRegistry &registry = BackendRegistry::get(context);
  std::unique_ptr<Backend> backend(plugin.create());
  std::string name = backend->getName();
  if (!registry.lookup(name))
    registry.add(std::move(backend));
  return registry.lookup(name);
}
