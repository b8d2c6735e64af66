//===- LoadedNetwork.cpp - Networks loaded into this process --------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Builds the package with its own Makefile as a shared library. Another main.c
// provides functions that take all tensors in one array. The saved package
// stays unchanged.
//
//===----------------------------------------------------------------------===//

#include "Build.h"
#include "PackageDescription.h"

#include "uma/Driver/Compiler.h"
#include "uma/Support/OutputFile.h"
#include "uma/Target/C/Package.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

using namespace mlir;
using namespace uma;

/// Alignment of NET_WORKSPACE and of its buffers.
static constexpr size_t kWorkspaceAlignment = 64;

using RunFn = int32_t (*)(void *const *tensors, void *workspace);
using FailedLayerFn = const char *(*)();

struct Network::State {
  ~State() {
    if (library)
      dlclose(library);
    std::free(workspace);
  }

  ExitCode compile(const ModelOptions &options, StringRef compiler,
                   ModelContext &context, Messages &messages);

  PackageDescription package;

  std::mutex mutex;
  ScratchFolder scratch;
  void *library = nullptr;
  RunFn run = nullptr;
  FailedLayerFn getFailedLayer = nullptr;
  void *workspace = nullptr;

private:
  std::string getMainText() const;
  ExitCode load(const ModelContext &context);
};

std::string Network::State::getMainText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "#include \"" << package.name
     << ".h\"\n#include \"uma_hooks.h\"\n#include <string.h>\n\n"
     << getRunFunctionText(package) << "const char *uma_failed_layer;\n"
     << "const char *uma_get_failed_layer(void) { return uma_failed_layer; }\n"
     << "int32_t uma_run(void *const *tensors, void *workspace) {\n"
     << "  uma_failed_layer = NULL;\n  return uma_run_network(";
  // Parameters are inputs, outputs and the workspace.
  for (size_t i = 0; i < package.inputs.size() + package.outputs.size(); ++i)
    os << "tensors[" << i << "], ";
  os << "workspace);\n}\n";
  return text;
}

static constexpr llvm::StringLiteral kHooks = R"(#ifndef UMA_HOOKS_H
#define UMA_HOOKS_H
extern const char *uma_failed_layer;
#define UMA_ON_ERROR(layer, status) (uma_failed_layer = (layer))
#endif
)";

/// Returns an assignment to a make variable: its value from the environment, or
/// `otherwise`, extended by `flag`.
static std::string extend(StringRef variable, StringRef otherwise,
                          StringRef flag) {
  std::string value =
      llvm::sys::Process::GetEnv(variable).value_or(otherwise.str());
  return (variable + "=" + value + " " + flag).str();
}

ExitCode Network::State::compile(const ModelOptions &options,
                                 StringRef compiler, ModelContext &context,
                                 Messages &messages) {
  if (ExitCode code = scratch.create(context, "uma-network");
      code != ExitCode::Success)
    return code;
  std::string folder = scratch.getPath("package");
  std::string copy = scratch.getPath("loaded");
  if (ExitCode code = compileModel(options, context, folder);
      code != ExitCode::Success)
    return code;
  llvm::Expected<PackageDescription> described = describePackage(folder);
  if (!described)
    return context.fail(ExitCode::BadInput,
                        llvm::toString(described.takeError()));
  package = std::move(*described);
  if (failed(copyPackage(UnknownLoc::get(context.get()), folder, copy)))
    return ExitCode::BadInput;
  std::string files[][2] = {{"main.c", getMainText()},
                            {"uma_hooks.h", kHooks.str()}};
  for (const auto &[file, text] : files)
    if (llvm::Error error = writeFileAtomically(copy + "/" + file, text))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  std::string log;
  ExitCode code = buildPackage(
      context, copy, package.name, scratch.getPath(), compiler,
      {extend("CFLAGS", "-O2", "-fPIC"), extend("CXXFLAGS", "-O2", "-fPIC"),
       extend("LDFLAGS", "", "-shared")},
      [&](StringRef text) { log = text.trim().str(); });
  if (code != ExitCode::Success) {
    if (StringRef(log).contains("recompile with -fPIC"))
      messages.back().text += "; a model of a device is an object or archive "
                              "that was built without "
                              "-fPIC, which a network in this process needs";
    if (!log.empty())
      messages.back().text += ":\n" + log;
    return code;
  }
  return load(context);
}

ExitCode Network::State::load(const ModelContext &context) {
  std::string file = scratch.getPath("build/" + package.name);
  // Threads of a library that a device uses may outlive the last call, so its
  // code must stay loaded.
  int stay = package.hasDevices ? RTLD_NODELETE : 0;
  library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | stay);
  if (library) {
    run = reinterpret_cast<RunFn>(dlsym(library, "uma_run"));
    getFailedLayer =
        reinterpret_cast<FailedLayerFn>(dlsym(library, "uma_get_failed_layer"));
  }
  if (!run || !getFailedLayer) {
    const char *problem = dlerror();
    return context.fail(ExitCode::ExecutionFailed,
                        "the C of '" + package.name + "' does not load: " +
                            (problem ? problem : "no reason is given"));
  }
  // aligned_alloc requires sizes that are multiples of the alignment.
  size_t bytes =
      (package.workspaceBytes / kWorkspaceAlignment + 1) * kWorkspaceAlignment;
  workspace = std::aligned_alloc(kWorkspaceAlignment, bytes);
  if (workspace)
    return ExitCode::Success;
  return context.fail(ExitCode::ExecutionFailed,
                      "network '" + package.name + "' needs a workspace of " +
                          Twine(package.workspaceBytes) +
                          " bytes, which there is no memory for");
}

Network::Network(std::unique_ptr<State> state) : state(std::move(state)) {}
Network::~Network() = default;

const std::string &Network::getName() const { return state->package.name; }
const std::vector<TensorDescription> &Network::getInputs() const {
  return state->package.inputs;
}
const std::vector<TensorDescription> &Network::getOutputs() const {
  return state->package.outputs;
}

std::unique_ptr<Network> Network::compile(const ModelOptions &options,
                                          const std::string &compiler,
                                          Messages &messages) {
  ModelContext context(options.model, [&](const Message &message) {
    messages.push_back(message);
  });
  auto state = std::make_unique<State>();
  if (state->compile(options, compiler, context, messages) != ExitCode::Success)
    return nullptr;
  return std::unique_ptr<Network>(new Network(std::move(state)));
}

std::string Network::run(const std::vector<void *> &tensors) {
  std::lock_guard<std::mutex> lock(state->mutex);
  int32_t status = state->run(tensors.data(), state->workspace);
  if (status == 0)
    return "";
  std::string reason = "network '" + state->package.name + "' failed: ";
  if (const char *layer = state->getFailedLayer())
    return reason + "layer '" + layer + "' failed with status " +
           std::to_string(status);
  return reason + "the run ended with status " + std::to_string(status);
}

bool Network::save(const std::string &outputDir, Messages &messages) const {
  ModelContext context(
      outputDir, [&](const Message &message) { messages.push_back(message); });
  return succeeded(copyPackage(UnknownLoc::get(context.get()),
                               state->scratch.getPath("package"), outputDir));
}
