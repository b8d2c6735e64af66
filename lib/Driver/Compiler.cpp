//===- Compiler.cpp - The compiler inside another program -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Driver/Compiler.h"

#include "Compile/ModelFormat.h"
#include "Compile/ModuleFile.h"
#include "Explain/Explanation.h"
#include "Package/Build.h"
#include "Quantize/QuantizeReport.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Accel/Language/Language.h"
#include "uma/Accel/Partition/Memories.h"
#include "uma/InitAll.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/OutputFile.h"
#include "uma/Support/PrintableText.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FormatVariadic.h"

#include <mutex>

using namespace mlir;
using namespace uma;

void uma::initializeEmbedding() {
  static std::once_flag once;
  std::call_once(once, [] {
    disableSupervision();
    mlir::registerAllPasses();
    uma::registerAllPasses();
  });
}

static MessageHandler collectInto(Messages &messages) {
  return [&messages](const Message &message) { messages.push_back(message); };
}

std::string uma::suggest(const std::string &name,
                         const std::vector<std::string> &names) {
  SmallVector<StringRef> known(names.begin(), names.end());
  return didYouMean(name, known);
}

ExitCode uma::checkModel(const ModelOptions &options, Messages &messages) {
  ModelFormat format = ModelFormat::Unknown;
  std::string problem = findModelFormat(options, format);
  if (problem.empty())
    return ExitCode::Success;
  messages.push_back({Severity::Error, "", toPrintable(problem)});
  return ExitCode::BadInput;
}

std::string uma::explainAsJSON(const ModelOptions &options,
                               Messages &messages) {
  std::string json;
  (void)explainAsJSON(options, json, messages);
  return json;
}

ExitCode uma::explainAsJSON(const ModelOptions &options, std::string &json,
                            Messages &messages) {
  ModelContext context(options.model, collectInto(messages));
  OwningOpRef<ModuleOp> module;
  Explanation explanation;
  ExitCode code = explainModel(options, context, module, explanation);
  if (code == ExitCode::Success)
    json = llvm::formatv("{0}", toJSON(explanation)).str();
  return code;
}

ExitCode uma::explainMappingAsJSON(const ModelOptions &options,
                                   std::string &json, Messages &messages) {
  ModelContext context(options.model, collectInto(messages));
  llvm::json::Object object;
  ExitCode code = explainMapping(options, context, object);
  if (code == ExitCode::Success)
    json = llvm::formatv("{0}", llvm::json::Value(std::move(object))).str();
  return code;
}

/// Converts the value of a target attribute.
static llvm::json::Value getAttributeJSON(Attribute value) {
  if (auto text = dyn_cast<StringAttr>(value))
    return llvm::json::fixUTF8(text.getValue());
  if (auto boolean = dyn_cast<BoolAttr>(value))
    return boolean.getValue();
  return cast<IntegerAttr>(value).getInt();
}

ExitCode uma::describeAsJSON(const std::vector<std::string> &accelerator,
                             const std::vector<std::string> &acceleratorDirs,
                             std::string &json, Messages &messages) {
  ModelContext context("", collectInto(messages));
  auto emitError = [&] {
    return mlir::emitError(UnknownLoc::get(context.get()));
  };
  accel::LoadOptions load;
  load.searchPath.assign(acceleratorDirs.begin(), acceleratorDirs.end());
  FailureOr<std::string> file =
      accel::findDescription(accelerator.front(), load, emitError);
  if (failed(file))
    return ExitCode::BadInput;
  ArrayRef<std::string> settings = ArrayRef(accelerator).drop_front();
  OwningOpRef<accel::AcceleratorOp> description =
      accel::readDescription(*file, context.get(), settings);
  if (!description)
    return ExitCode::BadInput;
  for (const std::string &setting : settings)
    if (failed(accel::setTargetAttribute(*description, setting, emitError)))
      return ExitCode::BadInput;
  llvm::json::Object attributes;
  for (auto attribute : description->getOps<accel::AttributeOp>())
    attributes[attribute.getName()] = getAttributeJSON(attribute.getValue());
  llvm::json::Object memories;
  for (auto memory : description->getOps<accel::MemoryOp>()) {
    accel::MemorySize size = accel::getMemorySize(memory);
    if (!size.problem.empty()) {
      mlir::emitError(memory.getLoc())
          << "the size of memory '" << memory.getName() << "' " << size.problem;
      return ExitCode::BadInput;
    }
    memories[memory.getName()] = size.bytes;
  }
  llvm::json::Array models;
  for (auto model : description->getOps<accel::ModelOp>())
    models.push_back(model.getFile());
  json = llvm::formatv("{0}", llvm::json::Value(llvm::json::Object{
                                  {"name", description->getSymName()},
                                  {"models", std::move(models)},
                                  {"file", *file},
                                  {"attributes", std::move(attributes)},
                                  {"memories", std::move(memories)}}))
             .str();
  return ExitCode::Success;
}

ExitCode uma::compileToFolder(const ModelOptions &options,
                              const std::string &outputDir,
                              Messages &messages) {
  ModelContext context(options.model, collectInto(messages));
  return compileModel(options, context, outputDir, /*showProgress=*/false);
}

ExitCode uma::importAsText(const ModelOptions &options, std::string &text,
                           Messages &messages) {
  ModelContext context(options.model, collectInto(messages));
  OwningOpRef<ModuleOp> module;
  ExitCode code = loadModel(options, context, module);
  if (code == ExitCode::Success) {
    llvm::raw_string_ostream os(text);
    module->print(os);
  }
  return code;
}

std::string uma::quantizeToFiles(const QuantizeOptions &options,
                                 Messages &messages) {
  ModelContext context(options.model.model, collectInto(messages));
  QuantizeReport report;
  if (quantizeModel(options, context, report) != ExitCode::Success)
    return "";
  return getQuantizeJSON(report);
}

std::string uma::testToJUnit(const TestOptions &options, Messages &messages) {
  std::string junit;
  testDescription(options, collectInto(messages), junit);
  return junit;
}

std::string uma::tuneToFile(const TuneOptions &options, Messages &messages) {
  std::string report;
  if (tuneModel(options, collectInto(messages), report) != ExitCode::Success)
    return "";
  return report;
}

//===----------------------------------------------------------------------===//
// TextModule
//===----------------------------------------------------------------------===//

static const DialectRegistry &getUpstreamDialects() {
  static const DialectRegistry registry = [] {
    DialectRegistry all;
    mlir::registerAllDialects(all);
    mlir::registerAllExtensions(all);
    return all;
  }();
  return registry;
}

struct TextModule::State {
  explicit State(StringRef name)
      : context(
            name,
            [this](const Message &message) { messages->push_back(message); },
            getUpstreamDialects()) {}

  /// Current receiver of messages.
  Messages *messages = nullptr;
  ModelContext context;
  OwningOpRef<ModuleOp> module;
};

TextModule::TextModule(std::unique_ptr<State> state)
    : state(std::move(state)) {}
TextModule::~TextModule() = default;

std::unique_ptr<TextModule> TextModule::parse(const std::string &text,
                                              Messages &messages) {
  auto state = std::make_unique<State>("<module>");
  state->messages = &messages;
  state->module = parseModule(
      llvm::MemoryBuffer::getMemBufferCopy(text, "<module>"), state->context);
  if (!state->module)
    return nullptr;
  return std::unique_ptr<TextModule>(new TextModule(std::move(state)));
}

std::unique_ptr<TextModule> TextModule::importModel(const ModelOptions &options,
                                                    Messages &messages) {
  auto state = std::make_unique<State>(options.model);
  state->messages = &messages;
  if (loadModel(options, state->context, state->module) != ExitCode::Success)
    return nullptr;
  return std::unique_ptr<TextModule>(new TextModule(std::move(state)));
}

std::string TextModule::print(bool withLocations) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  state->module->print(os, OpPrintingFlags().enableDebugInfo(withLocations));
  return text;
}

std::string TextModule::getBytecode() const {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  // The current version can be written always.
  (void)writeBytecodeToFile(*state->module, os);
  return bytes;
}

bool TextModule::write(const std::string &path, Messages &messages) const {
  state->messages = &messages;
  if (llvm::Error error = writeFileAtomically(path, getBytecode())) {
    state->context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
    return false;
  }
  return true;
}

Operation *TextModule::getOperation() const { return *state->module; }

void TextModule::setOperation(Operation *module) {
  state->module = cast<ModuleOp>(module);
}

bool TextModule::verify(Operation *module, Messages &messages) const {
  state->messages = &messages;
  return succeeded(mlir::verify(module));
}

bool TextModule::runPipeline(const std::string &pipeline, Messages &messages) {
  state->messages = &messages;
  std::string problem;
  llvm::raw_string_ostream os(problem);
  FailureOr<OpPassManager> passes = parsePassPipeline(pipeline, os);
  if (failed(passes)) {
    // Use the first line only, without the position in the pipeline's text.
    StringRef reason = StringRef(problem).split("error: ").second;
    reason = reason.take_until([](char c) { return c == '\n'; });
    state->context.fail(ExitCode::BadInput,
                        "cannot parse the pipeline '" + pipeline + "': " +
                            (reason.empty() ? StringRef(problem) : reason));
    return false;
  }
  if (passes->getOpAnchorName() != ModuleOp::getOperationName()) {
    state->context.fail(ExitCode::BadInput, "the pipeline '" + pipeline +
                                                "' runs on " +
                                                passes->getOpAnchorName() +
                                                "; write builtin.module(…)");
    return false;
  }
  PassManager manager(state->context.get());
  static_cast<OpPassManager &>(manager) = std::move(*passes);
  OwningOpRef<ModuleOp> changed(state->module->clone());
  if (failed(manager.run(*changed)))
    return false;
  state->module = std::move(changed);
  return true;
}
