//===- LoadPlugin.cpp - Accelerators in shared libraries ------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A plugin shares the MLIR and the uma of the program that loads it. Plugins
// for other versions are refused before any of their code runs.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Language/Language.h"
#include "uma/Accel/Language/Plugin.h"
#include "uma/Support/PrintableText.h"
#include "uma/Support/Version.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>

using namespace mlir;
using namespace uma::accel;

/// Different for each copy of this library in a process.
extern "C" const void *umaGetLibraryIdentity();
const void *umaGetLibraryIdentity() {
  static const char identity = 0;
  return &identity;
}

bool uma::accel::isBackendPlugin(StringRef nameOrPath) {
  return nameOrPath.ends_with(".so");
}

/// Returns the names of the libraries that an ELF file is linked to.
template <typename ELFT>
static SmallVector<std::string>
getNeededLibraries(const llvm::object::ELFObjectFile<ELFT> &object) {
  SmallVector<std::string> names;
  auto entries = object.getELFFile().dynamicEntries();
  if (!entries) {
    llvm::consumeError(entries.takeError());
    return names;
  }
  // Find the table of strings by its address.
  std::optional<uint64_t> address;
  for (const auto &entry : *entries)
    if (entry.getTag() == llvm::ELF::DT_STRTAB)
      address = entry.getPtr();
  if (!address)
    return names;
  auto table = object.getELFFile().toMappedAddr(*address);
  if (!table) {
    llvm::consumeError(table.takeError());
    return names;
  }
  auto *begin = reinterpret_cast<const char *>(*table);
  const char *end = object.getData().end();
  for (const auto &entry : *entries) {
    if (entry.getTag() != llvm::ELF::DT_NEEDED ||
        entry.getVal() >= static_cast<uint64_t>(end - begin))
      continue;
    StringRef rest(begin + entry.getVal(), end - begin - entry.getVal());
    names.push_back(rest.take_until([](char c) { return c == 0; }).str());
  }
  return names;
}

std::string uma::accel::checkPlugin(StringRef file) {
  llvm::file_magic magic;
  if (std::error_code error = llvm::identify_magic(file, magic))
    return "cannot be read: " + error.message();
  if (magic != llvm::file_magic::elf_shared_object)
    return magic == llvm::file_magic::macho_bundle ||
                   magic ==
                       llvm::file_magic::macho_dynamically_linked_shared_lib
               ? ""
               : "is no shared library";
  auto binary = llvm::object::ObjectFile::createObjectFile(file);
  if (!binary)
    return "is a damaged shared library: " + llvm::toString(binary.takeError());
  SmallVector<std::string> needed;
  if (auto *object =
          dyn_cast<llvm::object::ELF64LEObjectFile>(binary->getBinary()))
    needed = getNeededLibraries(*object);
  // The part of a version that is in the names of libraries.
  StringRef mlirVersion = getMLIRVersion(), umaVersion = getVersion();
  std::pair<StringRef, StringRef> libraries[] = {
      {"libMLIR.so.", mlirVersion.rsplit('.').first},
      {"libLLVM.so.", mlirVersion.rsplit('.').first},
      {"libUMA.so.", umaVersion.rsplit('.').first}};
  for (const std::string &name : needed)
    for (auto [library, expected] : libraries) {
      StringRef version = name;
      if (version.consume_front(library) && version != expected)
        return "is built against " + toPrintable(name) +
               ", but this program uses " + (library + expected).str() +
               "; rebuild it against uma " + umaVersion.str() + " and MLIR " +
               mlirVersion.str();
    }
  return "";
}

/// Loads a plugin and creates its backend.
static llvm::Expected<std::unique_ptr<Backend>> openPlugin(StringRef file) {
  auto fail = [&](const Twine &problem) {
    return llvm::createStringError("the plugin '" + uma::toPrintable(file) +
                                   "' " + problem);
  };
  // Use an absolute path: dlopen searches system folders for a bare name.
  SmallString<256> path(file);
  if (!llvm::sys::fs::is_regular_file(path) ||
      llvm::sys::fs::make_absolute(path))
    return llvm::createStringError("no such plugin: '" +
                                   uma::toPrintable(file) + "'");
  if (std::string problem = checkPlugin(path); !problem.empty())
    return fail(problem);
  // Resolve all symbols now, so that a missing one is an error here.
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    // The format is "PATH: REASON"; our message already has the path.
    StringRef reason(dlerror());
    reason.consume_front((path + ": ").str());
    return fail("cannot be loaded: " + reason);
  }
  auto get = reinterpret_cast<BackendPlugin (*)()>(
      dlsym(library, "umaGetBackendPlugin"));
  if (!get)
    return fail("has no backend: it does not say UMA_DEFINE_BACKEND_PLUGIN");
  auto getIdentity = reinterpret_cast<const void *(*)()>(
      dlsym(library, "umaGetLibraryIdentity"));
  if (getIdentity && getIdentity() != umaGetLibraryIdentity())
    return fail("brings a second copy of uma into the program; link both to "
                "libUMA.so, and neither to static libraries of uma");
  BackendPlugin plugin = get();
  if (plugin.version != BackendPlugin::kVersion)
    return fail("is made for version " + Twine(plugin.version) +
                " of the backend interface, this program has version " +
                Twine(BackendPlugin::kVersion) + "; rebuild it against uma " +
                uma::getVersion() + " and MLIR " + uma::getMLIRVersion());
  std::unique_ptr<Backend> backend(plugin.create());
  if (!backend)
    return fail("creates no backend: its function returns null");
  std::string name = backend->getName();
  if (name.empty() || llvm::isDigit(name.front()) ||
      !llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return fail("calls its backend '" + uma::toPrintable(name) +
                "', which is no C identifier; getName() returns letters, "
                "digits and '_'");
  return std::move(backend);
}

FailureOr<const Backend *>
uma::accel::loadBackendPlugin(StringRef file, MLIRContext *context,
                              EmitErrorFn emitError) {
  auto backend = openPlugin(file);
  if (!backend)
    return emitError() << llvm::toString(backend.takeError());
  BackendRegistry &registry = BackendRegistry::get(context);
  std::string name = (*backend)->getName();
  const Backend *present = registry.lookup(name);
  if (!present) {
    registry.add(std::move(*backend), file);
    return registry.lookup(name);
  }
  StringRef library = registry.getLibrary(*present);
  if (!llvm::sys::fs::equivalent(library, file))
    return emitError() << "the plugin '" << file << "' calls its backend '"
                       << name << "', as "
                       << (library.empty() ? Twine("this program")
                                           : "the plugin '" + library + "'")
                              .str()
                       << " does; rename one of them";
  return present;
}

OwningOpRef<AcceleratorOp> uma::accel::describeBackend(const Backend &backend,
                                                       StringRef nameOrPath,
                                                       MLIRContext *context,
                                                       EmitErrorFn emitError) {
  bool hasError = false;
  OwningOpRef<AcceleratorOp> accelerator;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return failure(); // The next handler prints it.
    });
    accelerator = backend.describe(context);
  }
  if (!accelerator) {
    if (!hasError)
      emitError() << "the backend of '" << nameOrPath
                  << "' has no description: describe() returns null and emits "
                     "no error";
    return nullptr;
  }
  if (accelerator->getSymName() == backend.getName())
    return accelerator;
  mlir::emitError(accelerator->getLoc())
      << "the backend of '" << nameOrPath << "' is called '"
      << backend.getName() << "', but describes accelerator '"
      << accelerator->getSymName() << "'; give both one name";
  return nullptr;
}

void uma::accel::registerPluginDialects(ArrayRef<std::string> namesOrPaths,
                                        DialectRegistry &registry) {
  for (StringRef file : namesOrPaths) {
    if (!isBackendPlugin(file))
      continue;
    auto backend = openPlugin(file);
    // The pass reports the error when it runs.
    if (!backend)
      llvm::consumeError(backend.takeError());
    else
      (*backend)->getDependentDialects(registry);
  }
}
