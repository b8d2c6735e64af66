//===- RunBoard.cpp - uma run --board -------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageRunner.h"

using namespace mlir;
using namespace uma;

ExitCode PackageRunner::prepareBoard() {
  auto fail = [&](const Twine &message) {
    return context.fail(ExitCode::BadInput, message);
  };
  if (options.board.empty()) {
    if (!options.library.empty())
      return fail("--lib needs --board, which says for what to compile");
    if (!options.json.empty())
      return fail("--json is for runs on boards; give --board");
    return ExitCode::Success;
  }
  auto found = Board::get(options.board);
  if (!found)
    return fail("--board: " + llvm::toString(found.takeError()));
  board = std::move(*found);
  if (!options.trace.empty())
    return fail("--trace is for runs on this machine, without --board");
  if (options.compare == CompareMode::Layers)
    return fail("--compare=layers is for runs on this machine; with --board, "
                "--compare compares the outputs");
  return ExitCode::Success;
}

ExitCode PackageRunner::buildForBoard() {
  boardRunner = std::make_unique<BoardRunner>(
      options, context, description, package, scratch.getPath(), *board);
  if (ExitCode code = boardRunner->build(); code != ExitCode::Success)
    return code;
  return options.library.empty() ? ExitCode::Success
                                 : boardRunner->writeLibrary();
}

ExitCode PackageRunner::runOnBoard() {
  auto types = llvm::map_to_vector(
      outputTypes, [](const NamedType &output) { return output.type; });
  if (options.compare == CompareMode::Off)
    return boardRunner->run(inputs, types, outputs);
  std::string where;
  ExitCode code = runSeeds(
      [&](uint64_t seed) {
        if (ExitCode code = gatherInputs(seed); code != ExitCode::Success)
          return code;
        if (ExitCode code = boardRunner->run(inputs, types, outputs);
            code != ExitCode::Success)
          return code;
        return compareWithReference();
      },
      where);
  if (code == ExitCode::Success || code == ExitCode::NumbersDiffer)
    reportOutputs(where);
  return code;
}

ExitCode PackageRunner::reportBoard() { return boardRunner->report(); }
