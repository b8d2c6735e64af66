//===- PackageRunner.h - Building and running a package ---------*- C++ -*-===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_RUN_PACKAGERUNNER_H
#define UMA_LIB_DRIVER_RUN_PACKAGERUNNER_H

#include "../Board/BoardRunner.h"
#include "../Compare/DeviceComparison.h"
#include "../Package/Build.h"
#include "../Package/CheckedRun.h"
#include "../Package/PackageDescription.h"
#include "../Package/Tensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace uma {

struct NamedType {
  std::string name;
  mlir::RankedTensorType type;
  /// uma.start of a state, otherwise null.
  mlir::Attribute start = {};
};

/// `uma run`: a package on disk.
class PackageRunner {
public:
  PackageRunner(const RunOptions &options, ModelContext &context)
      : options(options), context(context) {}

  ExitCode run();

private:
  // Run.cpp
  ExitCode prepare();
  ExitCode openPackage();
  /// Reads the given inputs and generates the others from `seed`.
  ExitCode gatherInputs(uint64_t seed);
  /// Returns the make variables of the options.
  llvm::SmallVector<std::string> getVariables() const;
  ExitCode build();
  ExitCode execute();
  ExitCode writeOutputs();
  void warnOfIdleDevices();

  // RunTrace.cpp
  /// Asks the models of the devices for timelines.
  ExitCode requestTimelines();
  /// Writes the timelines of all devices to options.trace.
  ExitCode writeTimelines();

  // RunBoard.cpp
  /// Checks the options for runs on a board and finds it.
  ExitCode prepareBoard();
  /// Builds the package for the board and writes options.library, if any.
  ExitCode buildForBoard();
  /// Runs the package on the board, for each seed if it is compared.
  ExitCode runOnBoard();
  /// Prints what the network needs on the board.
  ExitCode reportBoard();

  // Compare.cpp
  /// Builds the package with the program of writeCheckProgram.
  ExitCode buildChecked();
  /// Runs that program once for each seed and compares the results.
  ExitCode runChecked();
  ExitCode runSeed(CheckedProgram &program, DeviceComparison &devices,
                   uint64_t seed);
  unsigned getNumSeeds() const;
  /// Calls `runSeed` for each seed until one fails or its numbers differ. Keeps
  /// the outputs of the first one. Sets `where` to the end of messages about
  /// the numbers.
  ExitCode runSeeds(llvm::function_ref<ExitCode(uint64_t)> runSeed,
                    std::string &where);
  /// Prints the comparison of each output.
  void reportOutputs(llvm::StringRef where);
  ExitCode compareWithReference();
  ExitCode compareWithTestData();
  /// Prints the errors on devices in the run that `where` names; `sumsUp` adds
  /// a line for each device.
  void reportDevices(const DeviceComparison &devices, llvm::StringRef where,
                     bool sumsUp);

  const RunOptions &options;
  ModelContext &context;
  std::optional<Board> board;
  std::unique_ptr<BoardRunner> boardRunner;
  ScratchFolder scratch;
  llvm::SmallString<128> package;
  PackageDescription description;
  std::string network;
  mlir::OwningOpRef<mlir::ModuleOp> graph;
  mlir::func::FuncOp entry;
  llvm::SmallVector<NamedType> inputTypes, outputTypes;
  llvm::SmallVector<HostTensor> inputs, outputs;
  /// Largest difference of each output, over all seeds.
  llvm::SmallVector<Comparison> comparisons;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_RUN_PACKAGERUNNER_H
