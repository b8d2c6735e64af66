//===- Network.cpp - A network in this process ----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The package's own Makefile builds it, with another main.c: functions that
// take any number of tensors in one array, and `-shared`. The package that is
// saved stays as it was written.
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include "uma/Driver/Embedding.h"
#include "uma/Support/OutputFile.h"
#include "uma/Target/C/Package.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <dlfcn.h>
#include <mutex>

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;

/// The start of NET_WORKSPACE and of its buffers.
static constexpr size_t kWorkspaceAlignment = 64;

using RunFn = int32_t (*)(void *const *tensors, void *workspace);
using FailedLayerFn = const char *(*)();

struct Network::State {
  ~State() {
    if (library)
      dlclose(library);
    std::free(workspace);
    if (!scratch.empty())
      (void)fs::remove_directories(scratch);
  }

  ExitCode compile(const ModelOptions &options, StringRef compiler,
                   ModelContext &context, Messages &messages);

  std::string name;
  std::vector<TensorDescription> inputs, outputs;

  std::mutex mutex;
  SmallString<128> scratch;
  void *library = nullptr;
  RunFn run = nullptr;
  FailedLayerFn getFailedLayer = nullptr;
  void *workspace = nullptr;

private:
  std::string scratchFile(const Twine &file) {
    return (scratch + "/" + file).str();
  }
  /// Reads what the package says of itself; false where that is not complete.
  bool readMetadata(size_t &workspaceBytes);
  std::string getMainText() const;
  ExitCode load(const ModelContext &context, size_t workspaceBytes);
};

static bool readTensors(const llvm::json::Array *tensors,
                        std::vector<TensorDescription> &descriptions) {
  if (!tensors)
    return false;
  for (const llvm::json::Value &value : *tensors) {
    const llvm::json::Object *tensor = value.getAsObject();
    auto name = tensor ? tensor->getString("name") : std::nullopt;
    auto dtype = tensor ? tensor->getString("dtype") : std::nullopt;
    const llvm::json::Array *shape =
        tensor ? tensor->getArray("shape") : nullptr;
    if (!name || !dtype || !shape)
      return false;
    TensorDescription &description = descriptions.emplace_back();
    description.name = name->str();
    description.dtype = dtype->str();
    for (const llvm::json::Value &size : *shape)
      description.shape.push_back(size.getAsInteger().value_or(0));
  }
  return true;
}

bool Network::State::readMetadata(size_t &workspaceBytes) {
  auto metadata =
      llvm::json::parse(readText(scratchFile("package/metadata.json")));
  if (!metadata) {
    llvm::consumeError(metadata.takeError());
    return false;
  }
  const llvm::json::Object *object = metadata->getAsObject();
  const llvm::json::Object *memory =
      object ? object->getObject("workspace") : nullptr;
  auto network = object ? object->getString("name") : std::nullopt;
  auto bytes = memory ? memory->getInteger("bytes") : std::nullopt;
  if (!network || !bytes || !readTensors(object->getArray("inputs"), inputs) ||
      !readTensors(object->getArray("outputs"), outputs))
    return false;
  name = network->str();
  workspaceBytes = static_cast<size_t>(*bytes);
  return true;
}

std::string Network::State::getMainText() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "#include \"" << name << ".h\"\n#include \"uma_hooks.h\"\n\n"
     << "const char *uma_failed_layer;\n"
     << "const char *uma_get_failed_layer(void) { return uma_failed_layer; }\n"
     << "int32_t uma_run(void *const *tensors, void *workspace) {\n"
     << "  uma_failed_layer = NULL;\n  return " << name << "_run(";
  // Parameters are inputs, outputs and the workspace.
  for (size_t i = 0; i < inputs.size() + outputs.size(); ++i)
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

/// What the environment gives a variable of make, and `flag`.
static std::string extend(StringRef variable, StringRef otherwise,
                          StringRef flag) {
  std::string value =
      llvm::sys::Process::GetEnv(variable).value_or(otherwise.str());
  return (variable + "=" + value + " " + flag).str();
}

ExitCode Network::State::compile(const ModelOptions &options,
                                 StringRef compiler, ModelContext &context,
                                 Messages &messages) {
  if (std::error_code error = fs::createUniqueDirectory("uma-network", scratch))
    return context.fail(ExitCode::BadInput,
                        "no temporary folder can be made: " + error.message());
  std::string package = scratchFile("package"), copy = scratchFile("loaded");
  if (ExitCode code =
          compileModel(options, context, package, /*showProgress=*/false);
      code != ExitCode::Success)
    return code;
  size_t workspaceBytes = 0;
  if (!readMetadata(workspaceBytes))
    return context.fail(ExitCode::BadInput,
                        options.model + ": its package cannot be read back");
  if (failed(copyPackage(UnknownLoc::get(context.get()), package, copy)))
    return ExitCode::BadInput;
  std::string files[][2] = {{"main.c", getMainText()},
                            {"uma_hooks.h", kHooks.str()}};
  for (const auto &[file, text] : files)
    if (llvm::Error error = writeFileAtomically(copy + "/" + file, text))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  std::string log;
  ExitCode code = buildPackage(
      context, copy, name, scratch, compiler,
      {extend("CFLAGS", "-O2", "-fPIC"), extend("LDFLAGS", "", "-shared")},
      [&](StringRef text) { log = text.trim().str(); });
  if (code != ExitCode::Success) {
    if (!log.empty())
      messages.back().text += ":\n" + log;
    return code;
  }
  return load(context, workspaceBytes);
}

ExitCode Network::State::load(const ModelContext &context,
                              size_t workspaceBytes) {
  std::string file = scratchFile("build/" + name);
  library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library) {
    run = reinterpret_cast<RunFn>(dlsym(library, "uma_run"));
    getFailedLayer =
        reinterpret_cast<FailedLayerFn>(dlsym(library, "uma_get_failed_layer"));
  }
  if (!run || !getFailedLayer) {
    const char *problem = dlerror();
    return context.fail(ExitCode::ExecutionFailed,
                        "the C of '" + name + "' does not load: " +
                            (problem ? problem : "no reason is given"));
  }
  // Sizes are multiples of the alignment, as aligned_alloc wants.
  size_t bytes =
      (workspaceBytes / kWorkspaceAlignment + 1) * kWorkspaceAlignment;
  workspace = std::aligned_alloc(kWorkspaceAlignment, bytes);
  if (workspace)
    return ExitCode::Success;
  return context.fail(ExitCode::ExecutionFailed,
                      "network '" + name + "' needs a workspace of " +
                          Twine(workspaceBytes) +
                          " bytes, which there is no "
                          "memory for");
}

Network::Network(std::unique_ptr<State> state) : state(std::move(state)) {}
Network::~Network() = default;

const std::string &Network::getName() const { return state->name; }
const std::vector<TensorDescription> &Network::getInputs() const {
  return state->inputs;
}
const std::vector<TensorDescription> &Network::getOutputs() const {
  return state->outputs;
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
  std::string reason = "network '" + state->name + "' failed: ";
  if (const char *layer = state->getFailedLayer())
    return reason + "layer '" + layer + "' failed with status " +
           std::to_string(status);
  return reason + "the run ended with status " + std::to_string(status);
}

bool Network::save(const std::string &outputDir, Messages &messages) const {
  ModelContext context(
      outputDir, [&](const Message &message) { messages.push_back(message); });
  return succeeded(copyPackage(UnknownLoc::get(context.get()),
                               (state->scratch + "/package").str(), outputDir));
}
