//===- Describe.cpp - uma check and uma list ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Compile/DiagnosticCollector.h"
#include "Compile/Model.h"
#include "HeaderCheck/CheckHeader.h"

#include "Board/Board.h"

#include "uma/Accel/Language/Language.h"
#include "uma/Accel/Language/Plugin.h"
#include "uma/Accel/Mapping/DeviceModel.h"
#include "uma/CPU/Model/Processor.h"
#include "uma/Import/ONNX/ImportONNX.h"
#include "uma/Import/TFLite/ImportTFLite.h"
#include "uma/Support/OutputFile.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;

static accel::LoadOptions
makeLoadOptions(const std::vector<std::string> &dirs) {
  accel::LoadOptions options;
  options.searchPath.assign(dirs.begin(), dirs.end());
  return options;
}

ExitCode uma::runCheck(const CheckOptions &options) {
  const std::string &description = options.description;
  CheckOutput output = options.output;
  ModelContext context(description);
  DiagnosticCollector reports(context.get(), description);
  auto emitError = [&] {
    return mlir::emitError(UnknownLoc::get(context.get()));
  };
  FailureOr<std::string> file = description;
  OwningOpRef<accel::AcceleratorOp> accelerator;
  if (accel::isBackendPlugin(description)) {
    DialectRegistry dialects;
    accel::registerPluginDialects(description, dialects);
    context.get()->appendDialectRegistry(dialects);
    context.get()->loadAllAvailableDialects();
    auto backend =
        accel::loadBackendPlugin(description, context.get(), emitError);
    if (succeeded(backend))
      accelerator = accel::describeBackend(**backend, description,
                                           context.get(), emitError);
  } else {
    file = accel::findDescription(
        description, makeLoadOptions(options.acceleratorDirs), emitError);
    if (succeeded(file))
      accelerator = accel::readDescription(*file, context.get());
  }
  if (!accelerator || failed(verify(*accelerator)))
    return ExitCode::BadInput;
  if (output == CheckOutput::Operations) {
    accelerator->print(llvm::outs());
    llvm::outs() << '\n';
    return ExitCode::Success;
  }
  if (output == CheckOutput::Text) {
    FailureOr<std::string> text = accel::printDescription(*accelerator);
    if (failed(text))
      return ExitCode::BadInput;
    llvm::outs() << *text;
    return ExitCode::Success;
  }
  if (failed(accel::checkDevice(*accelerator)))
    return ExitCode::BadInput;
  if (options.checkHeader) {
    ExitCode code = checkHeader(*accelerator, context, options.compiler);
    if (code != ExitCode::Success)
      return code;
  }
  auto count = [](auto ops, StringRef what) {
    auto number = std::distance(ops.begin(), ops.end());
    return (Twine(number) + " " + what + (number == 1 ? "" : "s")).str();
  };
  llvm::outs() << *file << ": accelerator '" << accelerator->getSymName()
               << "', "
               << count(accelerator->getOps<accel::PatternOp>(), "pattern");
  auto instructions = accelerator->getOps<accel::InstructionOp>();
  if (!instructions.empty())
    llvm::outs() << ", " << count(instructions, "instruction");
  llvm::outs() << ", no errors\n";
  return ExitCode::Success;
}

ExitCode uma::runFormat(const std::vector<std::string> &files,
                        FormatMode mode) {
  ExitCode result = ExitCode::Success;
  for (const std::string &file : files) {
    ModelContext context(file);
    std::string message;
    std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(file, &message);
    if (!buffer)
      return context.fail(ExitCode::BadInput, message);
    std::string before = buffer->getBuffer().str();
    llvm::SourceMgr sourceMgr;
    sourceMgr.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    auto after = accel::formatDescription(sourceMgr, context.get());
    if (failed(after))
      return ExitCode::BadInput;
    if (mode == FormatMode::Print) {
      llvm::outs() << *after;
      continue;
    }
    if (before == *after)
      continue;
    if (mode == FormatMode::Check) {
      llvm::errs() << file << ": is not formatted; 'uma format -i' does it\n";
      result = ExitCode::NumbersDiffer;
      continue;
    }
    if (llvm::Error error = writeFileAtomically(file, *after))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  }
  return result;
}

ExitCode uma::runListProcessors() {
  size_t nameWidth = 0, setsWidth = StringRef("instructions").size();
  auto getSets = [](const Processor &processor) {
    return llvm::join(llvm::map_range(processor.sets,
                                      [](const ISA &isa) { return isa.name; }),
                      " ");
  };
  for (const Processor &processor : Processor::getAll()) {
    nameWidth = std::max(nameWidth, processor.name.size());
    setsWidth = std::max(setsWidth, getSets(processor).size());
  }
  llvm::outs() << llvm::left_justify("cpu", nameWidth) << "  "
               << llvm::left_justify("instructions", setsWidth)
               << "       L1       L2\n";
  for (const Processor &processor : Processor::getAll())
    llvm::outs() << llvm::left_justify(processor.name, nameWidth) << "  "
                 << llvm::left_justify(getSets(processor), setsWidth)
                 << llvm::formatv("  {0,4} kB  {1,4} kB  {2}\n",
                                  processor.l1 / 1024, processor.l2 / 1024,
                                  processor.summary);
  return ExitCode::Success;
}

ExitCode uma::runListBoards() {
  size_t width = StringRef("board").size();
  for (const Board &board : Board::getAll())
    width = std::max(width, board.name.size());
  llvm::outs() << llvm::left_justify("board", width)
               << "      flash        RAM\n";
  for (const Board &board : Board::getAll())
    llvm::outs() << llvm::left_justify(board.name, width)
                 << llvm::formatv("  {0,6} kB  {1,6} kB  {2}\n",
                                  board.flash.bytes / 1024,
                                  board.ram.bytes / 1024, board.summary);
  return ExitCode::Success;
}

std::vector<BoardName> uma::getBoards() {
  std::vector<BoardName> boards;
  for (const Board &board : Board::getAll())
    boards.push_back({board.name, board.summary});
  return boards;
}

ExitCode uma::runListOperators() {
  llvm::outs() << llvm::formatv("{0,-40} {1,-8} {2}\n", "operator", "opsets",
                                "constant inputs");
  for (const SupportedOperator &op : listSupportedOperators()) {
    std::string opsets = std::to_string(op.since.front()) + "-" +
                         std::to_string(getNewestOpset());
    std::string line = llvm::formatv("{0,-40} {1,-8} {2}", op.name, opsets,
                                     llvm::join(op.constants, " "));
    llvm::outs() << StringRef(line).rtrim() << '\n';
  }
  llvm::outs() << llvm::formatv(
      "\n{0,-49} {1}\n", "operator of TensorFlow Lite", "constant inputs");
  for (const SupportedTFLiteOperator &op : listSupportedTFLiteOperators()) {
    std::string line =
        llvm::formatv("{0,-49} {1}", op.name, llvm::join(op.constants, " "));
    llvm::outs() << StringRef(line).rtrim() << '\n';
  }
  return ExitCode::Success;
}

ExitCode uma::runList(const std::vector<std::string> &acceleratorDirs) {
  for (const accel::FoundDescription &found :
       accel::listAccelerators(makeLoadOptions(acceleratorDirs)))
    llvm::outs() << llvm::format("%-16s %s\n", found.name.c_str(),
                                 found.path.c_str());
  return ExitCode::Success;
}
