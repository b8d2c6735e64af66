//===- BoardRunner.cpp - A package on a board -----------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Builds two programs. One has hooks around the layers: it counts their
// instructions and knows the layer of a fault. The other one is what firmware
// would contain: it gives the outputs, the sizes, the stack and the
// instructions of the whole run.
//
//===----------------------------------------------------------------------===//

#include "BoardRunner.h"
#include "RunnerText.h"

#include "uma/Import/ONNX/TensorFile.h"
#include "uma/Support/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;

/// Instructions of the calibration loop by which the counter may be off.
static constexpr double kCounterTolerance = 1;

ExitCode BoardRunner::checkCalls() {
  auto symbols =
      getUndefinedSymbols(builder.getObjects(), builder.getDeviceObjects());
  if (!symbols)
    return context.fail(ExitCode::ExecutionFailed,
                        llvm::toString(symbols.takeError()));
  results.calls = sortLibraryCalls(*symbols);
  if (results.calls.forbidden.empty())
    return ExitCode::Success;
  return context.fail(ExitCode::ExecutionFailed,
                      "the C of '" + package.name + "' calls " +
                          llvm::join(results.calls.forbidden, ", ") +
                          ", which firmware cannot have");
}

ExitCode BoardRunner::buildImage(bool isProfiled, std::string &program,
                                 Image &image) {
  if (ExitCode code = builder.compile(isProfiled); code != ExitCode::Success)
    return code;
  // Before linking, which fails for lack of an operating system.
  if (!isProfiled)
    if (ExitCode code = checkCalls(); code != ExitCode::Success)
      return code;
  if (ExitCode code = builder.link(program); code != ExitCode::Success)
    return code;
  auto read = Image::read(program);
  if (!read)
    return context.fail(ExitCode::ExecutionFailed,
                        llvm::toString(read.takeError()));
  image = std::move(*read);
  return ExitCode::Success;
}

void BoardRunner::computeStack() {
  std::string log = scratch + "/disassembly.txt";
  StackUsage usage;
  if (execute(builder.getDisassembler(), {"-d", "--no-show-raw-insn", program},
              log) == 0)
    usage.readDisassembly(readText(log));
  for (StringRef file : builder.getStackUsageFiles())
    usage.readStackUsage(readText(file));
  results.stack = usage.getWorst(package.name + "_run");
}

ExitCode BoardRunner::build() {
  if (!package.otherModels.empty())
    return context.fail(ExitCode::ExecutionFailed,
                        "the model '" + package.otherModels.front() +
                            "' of an accelerator is no C, expected C for "
                            "board '" +
                            board.name + "'");
  if (ExitCode code = builder.prepare(); code != ExitCode::Success)
    return code;
  if (options.library.empty())
    if (ExitCode code = findEmulator(context, board); code != ExitCode::Success)
      return code;
  if (ExitCode code = buildImage(/*isProfiled=*/false, program, image);
      code != ExitCode::Success)
    return code;
  for (const std::string &instruction : builder.getMissingInstructions())
    llvm::errs() << "uma: warning: board '" << board.name
                 << "' has no instruction '" << instruction
                 << "', which the package was compiled for; plain C computes "
                    "the same\n";
  if (std::string overflow = explainOverflow(board, image.sizes);
      !overflow.empty())
    return context.fail(ExitCode::ExecutionFailed,
                        "network '" + package.name + "' does not fit board '" +
                            board.name + "': " + overflow);
  results.sizes = image.sizes;
  computeStack();
  if (results.stack.isBound() && results.stack.bytes > board.stack)
    return context.fail(
        ExitCode::ExecutionFailed,
        "network '" + package.name + "' needs a stack of " +
            Twine(results.stack.bytes) + " bytes, board '" + board.name +
            "' reserves " + Twine(board.stack) +
            " ('stack'): " + llvm::join(results.stack.path, " > "));
  return ExitCode::Success;
}

ExitCode BoardRunner::runProgram(const std::string &program, const Image &image,
                                 BoardRun &result) {
  result = runOnBoard(board, image, program, scratch, options.timeout);
  llvm::errs() << result.output;
  if (!result.problem.empty())
    return context.fail(ExitCode::ExecutionFailed,
                        "network '" + package.name + "' failed on board '" +
                            board.name + "': " + result.problem);
  if (std::abs(result.counterError) > kCounterTolerance)
    return context.fail(
        ExitCode::BadInput,
        "board '" + board.name + "': its counter is off by " +
            llvm::formatv("{0:f1}", result.counterError).str() +
            " in a loop of 200000 instructions; correct 'counter' in its "
            "description");
  return ExitCode::Success;
}

ExitCode BoardRunner::run(ArrayRef<HostTensor> inputs,
                          ArrayRef<RankedTensorType> types,
                          SmallVectorImpl<HostTensor> &outputs) {
  for (auto [i, tensor] : llvm::enumerate(inputs)) {
    ArrayRef<char> bytes = tensor.getBytes();
    if (llvm::Error error =
            writeFileAtomically(scratch + "/" + getBoardInputFile(i),
                                StringRef(bytes.data(), bytes.size())))
      return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  }
  if (!results.profiled) {
    if (ExitCode code =
            buildImage(/*isProfiled=*/true, profiledProgram, profiledImage);
        code != ExitCode::Success)
      return code;
    results.profiled.emplace();
    if (explainOverflow(board, profiledImage.sizes).empty()) {
      if (ExitCode code =
              runProgram(profiledProgram, profiledImage, *results.profiled);
          code != ExitCode::Success)
        return code;
    } else {
      llvm::errs() << "uma: warning: with counts of each layer, the program "
                      "does not fit board '"
                   << board.name << "'; only the whole run is counted\n";
    }
  }
  for (size_t i = 0; i < types.size(); ++i)
    (void)fs::remove(scratch + "/" + getBoardOutputFile(i));
  if (ExitCode code = runProgram(program, image, results.run);
      code != ExitCode::Success)
    return code;
  outputs.clear();
  for (auto [i, type] : llvm::enumerate(types)) {
    auto tensor = readTensor(scratch + "/" + getBoardOutputFile(i), type);
    if (!tensor)
      return context.fail(ExitCode::ExecutionFailed,
                          llvm::toString(tensor.takeError()));
    outputs.push_back(*tensor);
  }
  return ExitCode::Success;
}

ExitCode BoardRunner::writeLibrary() {
  if (ExitCode code = builder.archive(options.library);
      code != ExitCode::Success)
    return code;
  llvm::outs() << "wrote " << options.library << '\n';
  return report();
}

ExitCode BoardRunner::report() {
  printReport(results, llvm::outs());
  if (options.json.empty())
    return ExitCode::Success;
  if (llvm::Error error = writeFileAtomically(options.json, toJSON(results)))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  return ExitCode::Success;
}
