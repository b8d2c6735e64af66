//===- TestLayers.h - Layers of uma test -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_DESCRIPTIONTEST_TESTLAYERS_H
#define UMA_LIB_DRIVER_DESCRIPTIONTEST_TESTLAYERS_H

#include "../Compile/Model.h"
#include "../Package/CheckedRun.h"

#include "uma/Accel/Sampling/Sampling.h"
#include "uma/Driver/Test.h"

namespace uma {

/// Outcome of a layer.
enum class TestStatus {
  NotRun,      ///< no device takes it; `message` says why
  Equal,       ///< the device's results equal the interpreter's
  Differs,     ///< the results differ
  DeviceFailed ///< the device reported an error, crashed or hung, or its call
               ///< does not compile
};

/// A sampled layer.
struct TestLayer {
  /// Index of the pattern it was sampled from.
  unsigned pattern;
  accel::Sample sample;
  /// Text: `conv2d(ic=3, oc=5)`.
  std::string text;
  /// Name in the network: `conv2d_3`.
  std::string name;
  TestStatus status = TestStatus::NotRun;
  /// Failure, or reason that it was not run.
  std::string message;
  /// Name of the pattern that matches it if that is not its own; empty
  /// otherwise.
  std::string takenBy;

  bool hasFailed() const {
    return status == TestStatus::Differs || status == TestStatus::DeviceFailed;
  }
};

/// Results of one pattern.
struct TestedPattern {
  std::string name;
  /// Position, `FILE:LINE:COL`.
  std::string where;
  std::vector<TestLayer> layers;
  std::vector<accel::RefusedSample> refused;
  /// Untested properties, with reasons.
  std::vector<std::string> untested;
  /// Probable mistakes.
  std::vector<std::string> suspicious;
  /// Problem of the pattern as a whole; empty if there is none.
  std::string problem;
};

/// Results of one instruction.
struct TestedInstruction {
  /// Words that are tested in each lane.
  static constexpr int64_t kNumWords = 100000;
  /// Tiles that are tested if operands lie in memory.
  static constexpr int64_t kNumTiles = 300;

  std::string name;
  /// Tested amount, e.g. "100000 words".
  std::string amount;
  /// Position, `FILE:LINE:COL`.
  std::string where;
  /// Difference from the description or failure; empty if there is none.
  std::string problem;
  /// Reason that it was not run; empty if it was.
  std::string untested;
  /// Whether the problem is that the C does not compile or run.
  bool isCompilerFailure = false;
};

/// Returns C functions that fill the operands of an instruction: uma_fill(to,
/// size), and uma_to_int(element) for its elements.
llvm::StringRef getRandomElementsText();
/// Returns the C program that tests an instruction with operands in memory. It
/// prints "uma: " and a difference, `equal`, `absent` or `unavailable`.
std::string writeTileProgram(accel::InstructionOp instruction, uint64_t seed);

/// Compiles and runs an instruction and sets its result.
ExitCode testInstruction(const TestOptions &options,
                         const ModelContext &context,
                         accel::InstructionOp instruction,
                         TestedInstruction &tested);

/// Results of a description.
struct TestedDescription {
  std::string accelerator;
  std::vector<TestedPattern> patterns;
  std::vector<TestedInstruction> instructions;
  /// Reason that nothing was run; empty if layers were run.
  std::string notRun;
};

/// Prints failures as errors and a table of the patterns.
void printTested(const TestedDescription &tested, bool verbose);

/// Returns the results as JUnit XML.
std::string getJUnitText(const TestedDescription &tested, uint64_t seed);

/// Layers as a separate network.
struct TestNetwork {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<accel::SampleLayer> layers;
  /// Arguments and results of each layer: indices of the network's.
  std::vector<llvm::SmallVector<unsigned>> arguments, results;
};

/// Builds one network that holds all the layers in parallel.
TestNetwork buildTestNetwork(mlir::MLIRContext *context,
                             llvm::ArrayRef<accel::SampleSpace> spaces,
                             llvm::ArrayRef<TestLayer *> layers, uint64_t seed);

/// Runs layers on the device and sets their status.
class TestRunner {
public:
  /// Assumes that compiler messages about the descriptions have been printed.
  TestRunner(const TestOptions &options, ModelContext &context,
             mlir::MLIRContext *layerContext,
             llvm::ArrayRef<accel::SampleSpace> spaces,
             TestedDescription &tested)
      : options(options), context(context), layerContext(layerContext),
        spaces(spaces), tested(tested) {}

  ExitCode run();

private:
  /// Number of runs, each with different inputs: the second reveals device
  /// state left by the first.
  static constexpr unsigned kNumRuns = 2;

  ExitCode explain(llvm::ArrayRef<TestLayer *> layers);
  ExitCode runLayers(std::vector<TestLayer *> layers);
  /// Runs `layers` in one package. On return `layers` holds the layers to run
  /// again, without those whose device failed.
  ExitCode runPackage(std::vector<TestLayer *> &layers, llvm::StringRef folder);
  /// Compiles and builds the network of `layers`. Leaves `built` empty on
  /// failure; then the layers have been split and run, or have their status.
  ExitCode buildNetwork(const TestNetwork &network,
                        llvm::ArrayRef<TestLayer *> layers,
                        llvm::StringRef folder,
                        std::optional<PackageDescription> &built);
  /// Removes the layers of a pattern whose device failed repeatedly.
  void giveUp(unsigned pattern, std::vector<TestLayer *> &layers);
  /// Reruns layers that failed together: those of the first pattern, then the
  /// others. Layers of one pattern get `problem` as their message.
  ExitCode splitAfter(llvm::StringRef problem,
                      llvm::ArrayRef<TestLayer *> layers);

  // TestNumbers.cpp
  /// Returns the inputs of a layer, independent of other layers.
  llvm::SmallVector<HostTensor> makeInputs(const accel::SampleLayer &built,
                                           const TestLayer &layer,
                                           unsigned run) const;
  void compareLayer(const TestNetwork &network, unsigned index,
                    TestLayer &layer, llvm::ArrayRef<RunResult> results);

  ExitCode keepFailing();
  ModelOptions getModelOptions(llvm::StringRef model) const;

  const TestOptions &options;
  ModelContext &context;
  mlir::MLIRContext *layerContext;
  llvm::ArrayRef<accel::SampleSpace> spaces;
  TestedDescription &tested;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_DESCRIPTIONTEST_TESTLAYERS_H
