//===- Load.cpp - Loading of descriptions into a module -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The pass uma-accel-load and its functions. They inline everything that the
// compiler knows about a device into the module: no later pass reads a file,
// and another tool can lower a partitioned module.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/Language/Language.h"
#include "uma/Accel/Language/Passes.h"
#include "uma/Accel/Language/Plugin.h"
#include "uma/Support/ParseScript.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

namespace uma::accel {
#define GEN_PASS_DEF_LOADPASS
#include "uma/Accel/Language/Passes.h.inc"
} // namespace uma::accel

/// Reads a description in MLIR syntax.
static OwningOpRef<AcceleratorOp>
readOperations(const std::shared_ptr<llvm::SourceMgr> &sourceMgr,
               StringRef file, MLIRContext *context) {
  auto module = parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(context));
  if (!module)
    return nullptr;
  Location loc = FileLineColLoc::get(context, file, 1, 1);
  auto accelerators = module->getOps<AcceleratorOp>();
  if (!llvm::hasSingleElement(module->getOps()) || accelerators.empty()) {
    mlir::emitError(loc) << "a description holds one uma.accel.accelerator "
                            "and nothing else";
    return nullptr;
  }
  AcceleratorOp accelerator = *accelerators.begin();
  accelerator->remove();
  return accelerator;
}

/// Inlines the transform script in `file` into the description.
static LogicalResult readScript(ScriptOp script, StringRef file) {
  // Within LoadPass, which depends on the dialect, this does nothing.
  script.getContext()->loadDialect<transform::TransformDialect>();
  OwningOpRef<ModuleOp> module = parseScript(file, script.getContext());
  auto note = [&](InFlightDiagnostic error) -> LogicalResult {
    error.attachNote(script.getLoc()) << "the description names it here";
    return error;
  };
  if (!module)
    return mlir::emitError(script.getLoc())
           << "the script '" << *script.getFile() << "' cannot be read";
  if (!module->lookupSymbol<transform::NamedSequenceOp>(
          transform::TransformDialect::kTransformEntryPointSymbolName))
    return note(mlir::emitError(module->getLoc())
                << "a script holds transform.named_sequence @"
                << transform::TransformDialect::kTransformEntryPointSymbolName);
  Region &region = script.getBody();
  Block &body = region.empty() ? region.emplaceBlock() : region.front();
  body.push_back(module.release());
  return success();
}

OwningOpRef<AcceleratorOp>
uma::accel::readDescription(StringRef file, MLIRContext *context,
                            ArrayRef<std::string> settings) {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(file, &message);
  if (!buffer) {
    mlir::emitError(FileLineColLoc::get(context, file, 1, 1)) << message;
    return nullptr;
  }
  return readDescription(std::move(buffer), file, context, settings);
}

OwningOpRef<AcceleratorOp>
uma::accel::readDescription(std::unique_ptr<llvm::MemoryBuffer> buffer,
                            StringRef file, MLIRContext *context,
                            ArrayRef<std::string> settings,
                            DescriptionNames *names) {
  auto sourceMgr = std::make_shared<llvm::SourceMgr>();
  sourceMgr->AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<AcceleratorOp> accelerator =
      file.ends_with(".mlir")
          ? readOperations(sourceMgr, file, context)
          : parseDescription(*sourceMgr, context, settings, names);
  if (!accelerator)
    return nullptr;
  accelerator->setSource(file);
  auto resolve = [&](Operation *op, StringRef name) -> FailureOr<std::string> {
    if (llvm::sys::path::is_absolute(name))
      return name.str();
    SmallString<256> resolved(llvm::sys::path::parent_path(file));
    llvm::sys::path::append(resolved, name);
    if (llvm::sys::fs::is_regular_file(resolved))
      return resolved.str().str();
    return mlir::emitError(op->getLoc())
           << "no such file: '" << resolved
           << "'; the path is relative to the description's folder";
  };
  bool hasErrors = false;
  for (ModelOp model : accelerator->getOps<ModelOp>()) {
    FailureOr<std::string> resolved = resolve(model, model.getFile());
    if (succeeded(resolved))
      model.setFile(*resolved);
    else
      hasErrors = true;
  }
  for (ScriptOp script : accelerator->getOps<ScriptOp>()) {
    if (!script.getBody().getOps().empty())
      continue;
    FailureOr<std::string> resolved = resolve(script, *script.getFile());
    hasErrors |= failed(resolved) || failed(readScript(script, *resolved));
  }
  if (hasErrors)
    return nullptr;
  return accelerator;
}

namespace {
class FileBackend final : public Backend {
public:
  FileBackend(StringRef file, ArrayRef<std::string> settings)
      : file(file), settings(settings.begin(), settings.end()) {}

  std::string getName() const override {
    return llvm::sys::path::stem(file).str();
  }
  OwningOpRef<AcceleratorOp> describe(MLIRContext *context) const override {
    return readDescription(file, context, settings);
  }

private:
  std::string file;
  std::vector<std::string> settings;
};
} // namespace

std::unique_ptr<Backend>
uma::accel::makeFileBackend(StringRef file, ArrayRef<std::string> settings) {
  return std::make_unique<FileBackend>(file, settings);
}

/// Returns the accelerator called `name` in `module`, or null if there is none.
static AcceleratorOp lookupAccelerator(ModuleOp module, StringRef name) {
  return dyn_cast_or_null<AcceleratorOp>(
      SymbolTable::lookupSymbolIn(module, name));
}

LogicalResult uma::accel::loadAccelerators(ModuleOp module,
                                           ArrayRef<std::string> namesOrPaths,
                                           const LoadOptions &options,
                                           unsigned *numLoaded) {
  auto emitError = [&] {
    // The command line has no location: report errors at the module.
    return mlir::emitError(module.getLoc());
  };
  const BackendRegistry &registry = BackendRegistry::get(module.getContext());
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  AcceleratorOp last;
  for (auto [index, nameOrPath] : llvm::enumerate(namesOrPaths)) {
    if (isAttributeSetting(nameOrPath)) {
      if (!last)
        return emitError() << "'" << nameOrPath
                           << "' sets an attribute, but no accelerator stands "
                              "in front of it; write ACCELERATOR,"
                           << nameOrPath;
      if (failed(setTargetAttribute(last, nameOrPath, emitError)))
        return failure();
      continue;
    }
    if ((last = lookupAccelerator(module, nameOrPath)))
      continue;
    const Backend *backend = registry.lookup(nameOrPath);
    std::unique_ptr<Backend> inFile;
    std::string file;
    if (isBackendPlugin(nameOrPath)) {
      FailureOr<const Backend *> plugin =
          loadBackendPlugin(nameOrPath, module.getContext(), emitError);
      if (failed(plugin))
        return failure();
      backend = *plugin;
      file = nameOrPath;
    } else if (!backend) {
      auto found = findDescription(nameOrPath, options, emitError);
      if (failed(found))
        return failure();
      file = *found;
      inFile =
          makeFileBackend(file, namesOrPaths.drop_front(index + 1).take_while(
                                    [](const std::string &entry) {
                                      return isAttributeSetting(entry);
                                    }));
      backend = inFile.get();
    }
    OwningOpRef<AcceleratorOp> accelerator =
        inFile ? inFile->describe(module.getContext())
               : describeBackend(*backend, nameOrPath, module.getContext(),
                                 emitError);
    if (!accelerator || failed(verify(*accelerator)))
      return failure();
    StringRef name = accelerator->getSymName();
    // `-a NAME` must load NAME: later stages refer to it by its symbol.
    bool isPath = file == nameOrPath;
    if (!isPath && name != nameOrPath)
      return mlir::emitError(accelerator->getLoc())
             << "the file is found as '" << nameOrPath
             << "', but describes accelerator '" << name
             << "'; give both one name";
    if (AcceleratorOp present = lookupAccelerator(module, name)) {
      StringRef source = present.getSource().value_or("");
      if (!inFile ? present.getLoc() == accelerator->getLoc()
                  : llvm::sys::fs::equivalent(source, file)) {
        last = present;
        continue;
      }
      InFlightDiagnostic error = mlir::emitError(accelerator->getLoc())
                                 << "another accelerator is called '" << name
                                 << "' already";
      error.attachNote(present.getLoc()) << "it is described here";
      return error;
    }
    if (Operation *symbol = SymbolTable::lookupSymbolIn(module, name)) {
      InFlightDiagnostic error = mlir::emitError(accelerator->getLoc())
                                 << "accelerator '" << name
                                 << "' has the name of a function of the "
                                    "module; rename one of them";
      error.attachNote(symbol->getLoc()) << "the function is here";
      return error;
    }
    last = accelerator.release();
    builder.insert(last);
    if (numLoaded)
      ++*numLoaded;
  }
  return success();
}

namespace {

struct LoadPass : uma::accel::impl::LoadPassBase<LoadPass> {
  using LoadPassBase::LoadPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    LoadPassBase::getDependentDialects(registry);
    registerPluginDialects(llvm::to_vector(accelerators), registry);
  }

  void runOnOperation() override {
    LoadOptions options;
    options.searchPath.assign(acceleratorDirs.begin(), acceleratorDirs.end());
    SmallVector<std::string> names(accelerators.begin(), accelerators.end());
    unsigned count = 0;
    if (failed(loadAccelerators(getOperation(), names, options, &count)))
      return signalPassFailure();
    numLoaded += count;
  }
};

} // namespace
