//===- BoardRunner.h - A package on a board -*- C++ -* --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BOARD_BOARDRUNNER_H
#define UMA_LIB_DRIVER_BOARD_BOARDRUNNER_H

#include "../Package/Tensors.h"
#include "BoardReport.h"
#include "BuildImage.h"

namespace uma {

/// Builds a package for a board and runs it in the emulator.
class BoardRunner {
public:
  BoardRunner(const RunOptions &options, ModelContext &context,
              const PackageDescription &package, llvm::StringRef folder,
              llvm::StringRef scratch, const Board &board)
      : options(options), context(context), package(package),
        scratch(scratch.str()), board(board),
        builder(context, board, package, folder, scratch, options.compiler,
                options.flags),
        results{board, package, {}, {}, {}, {}, {}} {}

  /// Builds the program that firmware would contain. Fails if it does not fit
  /// the board, or if the network calls what firmware cannot have.
  ExitCode build();
  /// Writes the objects of the network as a library and prints its sizes.
  ExitCode writeLibrary();
  /// Runs the network once. `types` are those of the outputs. The first call
  /// also counts the instructions of each layer.
  ExitCode run(llvm::ArrayRef<HostTensor> inputs,
               llvm::ArrayRef<mlir::RankedTensorType> types,
               llvm::SmallVectorImpl<HostTensor> &outputs);
  /// Prints what the network needs on the board.
  /// Also writes it to options.json, if that names a file.
  ExitCode report();

private:
  ExitCode checkCalls();
  ExitCode buildImage(bool isProfiled, std::string &program, Image &image);
  ExitCode runProgram(const std::string &program, const Image &image,
                      BoardRun &result);
  void computeStack();

  const RunOptions &options;
  ModelContext &context;
  const PackageDescription &package;
  std::string scratch;
  const Board &board;
  ImageBuilder builder;
  std::string program, profiledProgram;
  Image image, profiledImage;
  BoardReport results;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_BOARD_BOARDRUNNER_H
