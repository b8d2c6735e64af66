//===- uma-translate.cpp - The mlir-translate of this project -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Translates between other representations and MLIR, one step per call, and
// prints files of devices as text:
//
//   uma-translate --import-onnx model.onnx --shape x=1x3x32x32 -o model.mlir
//   uma-translate --import-tflite model.tflite -o model.mlir
//   uma-translate --chocolate-to-text commands.bin
//
//===----------------------------------------------------------------------===//

#include "chocolate/translate/ChocolateToText.h"
#include "uma/IR/UMADialect.h"
#include "uma/Import/ONNX/ImportONNX.h"
#include "uma/Import/TFLite/ImportTFLite.h"
#include "uma/Support/StandardStreams.h"
#include "uma/Support/Version.h"
#include "uma/Target/C/ToC.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

/// Parses the texts of an option. Reports the first invalid one.
template <typename Texts, typename ParseFn, typename Parsed>
static bool parseTexts(const Texts &texts, ParseFn parseOne, Parsed &parsed) {
  for (const std::string &text : texts) {
    auto value = parseOne(text);
    if (!value) {
      llvm::WithColor::error(llvm::errs(), "uma-translate")
          << llvm::toString(value.takeError()) << "\n";
      return false;
    }
    parsed.push_back(*value);
  }
  return true;
}

/// Returns the option --const of both formats.
static llvm::cl::list<std::string> &getConstants() {
  static llvm::cl::list<std::string> constants(
      "const",
      llvm::cl::desc("Make an input a constant: .npy, ONNX .pb or raw "
                     "little-endian"),
      llvm::cl::value_desc("name=file"));
  return constants;
}

static void registerImportONNX() {
  static llvm::cl::list<std::string> shapes(
      "shape",
      llvm::cl::desc("The shape of an input whose model leaves it open"),
      llvm::cl::value_desc("name=1x3x32x32"));
  (void)getConstants();
  static TranslateToMLIRRegistration registration(
      "import-onnx", "Import an ONNX model as uma.graph",
      [](llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        ScopedDiagnosticHandler handler(context, uma::printFileDiagnostic);
        uma::ONNXImportOptions options;
        if (!parseTexts(shapes, uma::parseInputShape, options.shapes) ||
            !parseTexts(getConstants(), uma::parseInputConstant,
                        options.constants))
          return {};
        OwningOpRef<ModuleOp> module;
        (void)uma::importONNX(
            sources.getMemoryBuffer(sources.getMainFileID())->getMemBufferRef(),
            context, options, module);
        return OwningOpRef<Operation *>(module ? module.release().getOperation()
                                               : nullptr);
      },
      [](DialectRegistry &registry) {
        registry.insert<uma::UMADialect, func::FuncDialect>();
      });
}

static void registerImportTFLite() {
  static llvm::cl::opt<uma::TFLiteRounding> rounding(
      "rounding", llvm::cl::init(uma::TFLiteRounding::Float),
      llvm::cl::desc("How quantized operators of TensorFlow Lite round:"),
      llvm::cl::values(clEnumValN(uma::TFLiteRounding::Float, "float",
                                  "in f32, as ONNX Runtime does"),
                       clEnumValN(uma::TFLiteRounding::FixedPoint, "tflite",
                                  "as TensorFlow Lite's kernels do")));
  static TranslateToMLIRRegistration registration(
      "import-tflite", "Import a TensorFlow Lite model as uma.graph",
      [](llvm::SourceMgr &sources,
         MLIRContext *context) -> OwningOpRef<Operation *> {
        ScopedDiagnosticHandler handler(context, uma::printFileDiagnostic);
        uma::TFLiteImportOptions options{rounding, {}};
        if (!parseTexts(getConstants(), uma::parseInputConstant,
                        options.constants))
          return {};
        OwningOpRef<ModuleOp> module;
        (void)uma::importTFLite(
            sources.getMemoryBuffer(sources.getMainFileID())->getMemBufferRef(),
            context, options, module);
        return OwningOpRef<Operation *>(module ? module.release().getOperation()
                                               : nullptr);
      },
      [](DialectRegistry &registry) {
        registry.insert<uma::UMADialect, func::FuncDialect>();
      });
}

/// Registers all translations of the project.
static void registerAllTranslations() {
  registerImportONNX();
  registerImportTFLite();
  uma::registerToCTranslation();
  uma::registerChocolateToTextTranslation();
}

int main(int argc, char **argv) {
  uma::guardStandardStreams();
  uma::setVersionPrinter("uma-translate");
  registerAllTranslations();
  return failed(mlirTranslateMain(argc, argv, "uma translation driver\n"));
}
