//===- ModelContext.cpp - Context and messages of a model ----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "uma/InitAll.h"
#include "uma/Support/LayerName.h"
#include "uma/Support/PrintableText.h"

#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Transform/DebugExtension/DebugExtension.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/LoopExtension/LoopExtension.h"

using namespace mlir;
using namespace uma;

/// Returns the position of a location as `FILE:LINE:COL`, or `FILE` if the file
/// has no lines; empty if there is no file.
static std::string getFilePosition(Location loc) {
  std::string position;
  loc->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file)
      return WalkResult::advance();
    llvm::raw_string_ostream os(position);
    os << file.getFilename().getValue();
    // Binary files have no lines; their locations have line 0.
    if (file.getLine() != 0)
      os << ':' << file.getLine() << ':' << file.getColumn();
    return WalkResult::interrupt();
  });
  return position;
}

const char *uma::getSeverityName(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "note";
  case Severity::Remark:
    return "remark";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("every severity has a name");
}

void uma::printMessage(const Message &message) {
  llvm::errs() << (message.where.empty() ? "uma" : message.where) << ": "
               << getSeverityName(message.severity) << ": " << message.text
               << '\n';
}

static Severity getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return Severity::Note;
  case DiagnosticSeverity::Remark:
    return Severity::Remark;
  case DiagnosticSeverity::Warning:
    return Severity::Warning;
  case DiagnosticSeverity::Error:
    return Severity::Error;
  }
  llvm_unreachable("every severity of MLIR is one of ours");
}

/// Passes a diagnostic and its notes to `handler`.
static void handleDiagnostic(StringRef model, Diagnostic &diagnostic,
                             const MessageHandler &handler) {
  Message message;
  message.severity = getSeverity(diagnostic.getSeverity());
  message.where = getFilePosition(diagnostic.getLocation());
  if (message.where.empty()) {
    message.where = model.str();
    StringRef layer = getLayerName(diagnostic.getLocation());
    if (!layer.empty())
      message.text = ("layer '" + layer + "': ").str();
  }
  // Names of a model may contain arbitrary bytes.
  message.text = toPrintable(message.text + diagnostic.str());
  handler(message);
  for (Diagnostic &note : diagnostic.getNotes())
    handleDiagnostic(model, note, handler);
}

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  uma::registerAllDialects(registry);
  // Register the operations that scripts of descriptions use.
  linalg::registerTransformDialectExtension(registry);
  scf::registerTransformDialectExtension(registry);
  transform::registerDebugExtension(registry);
  transform::registerLoopExtension(registry);
  return registry;
}

ModelContext::ModelContext(StringRef model, MessageHandler handler,
                           const DialectRegistry &others)
    : context(makeRegistry()), handler(std::move(handler)) {
  // Models are too small for multithreading to pay off.
  context.disableMultithreading();
  context.loadAllAvailableDialects();
  // For scripts in a network, which few networks have; loaded on demand.
  DialectRegistry rare;
  rare.insert<transform::TransformDialect>();
  context.appendDialectRegistry(rare);
  context.appendDialectRegistry(others);
  context.printOpOnDiagnostic(false);
  context.getDiagEngine().registerHandler(
      [this, model = model.str()](Diagnostic &diagnostic) {
        handleDiagnostic(model, diagnostic, this->handler);
      });
}

ExitCode ModelContext::fail(ExitCode code, const Twine &message) const {
  handler({Severity::Error, "", toPrintable(message.str(), /*keep=*/"\n")});
  return code;
}
