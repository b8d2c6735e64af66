//===- TestLayers.h - The layers of uma test -*- C++ -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_TESTLAYERS_H
#define UMA_LIB_DRIVER_TESTLAYERS_H

#include "CheckedRun.h"
#include "Model.h"

#include "uma/Accel/Sampling/Sampling.h"
#include "uma/Driver/Test.h"

namespace uma {

/// What became of a layer.
enum class TestStatus {
  NotRun,      ///< no device got it; `message` says why
  Equal,       ///< the device computes what the interpreter does
  Differs,     ///< it computes something else
  DeviceFailed ///< it reported an error, crashed or hung, or its call does not
               ///< compile
};

/// A sampled layer.
struct TestLayer {
  /// The index of the pattern it was sampled from.
  unsigned pattern;
  accel::Sample sample;
  /// `conv2d(ic=3, oc=5)`.
  std::string text;
  /// Its name in the network: `conv2d_3`.
  std::string name;
  TestStatus status = TestStatus::NotRun;
  /// What is wrong, or why it was not run.
  std::string message;
  /// The pattern that takes it if that is not its own; empty otherwise.
  std::string takenBy;

  bool hasFailed() const {
    return status == TestStatus::Differs || status == TestStatus::DeviceFailed;
  }
};

/// The results of one pattern.
struct TestedPattern {
  std::string name;
  /// `FILE:LINE:COL`.
  std::string where;
  std::vector<TestLayer> layers;
  std::vector<accel::RefusedSample> refused;
  /// What has not been tested, and why.
  std::vector<std::string> untested;
  /// What is probably wrong.
  std::vector<std::string> suspicious;
  /// What is wrong with the pattern as a whole; empty if nothing is.
  std::string problem;
};

/// The results of a description.
struct TestedDescription {
  std::string accelerator;
  std::vector<TestedPattern> patterns;
  /// Why nothing was run; empty if layers were run.
  std::string notRun;
};

/// Prints failures as errors and a table of the patterns.
void printTested(const TestedDescription &tested, bool verbose);

/// Returns the results as JUnit XML.
std::string getJUnitText(const TestedDescription &tested, uint64_t seed);

/// Layers in a network of their own.
struct TestNetwork {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<accel::SampleLayer> layers;
  /// The arguments and results of each layer: indices of the network's.
  std::vector<llvm::SmallVector<unsigned>> arguments, results;
};

/// Builds one network that holds all the layers, side by side.
TestNetwork buildTestNetwork(mlir::MLIRContext *context,
                             llvm::ArrayRef<accel::SampleSpace> spaces,
                             llvm::ArrayRef<TestLayer *> layers, uint64_t seed);

/// Runs layers on the device, and sets their status.
class TestRunner {
public:
  /// Messages of the compiler about descriptions have been printed already.
  TestRunner(const TestOptions &options, ModelContext &context,
             mlir::MLIRContext *layerContext,
             llvm::ArrayRef<accel::SampleSpace> spaces,
             TestedDescription &tested)
      : options(options), context(context), layerContext(layerContext),
        spaces(spaces), tested(tested) {}

  ExitCode run();

private:
  /// Number of runs, each with other inputs: the second finds state that a
  /// device keeps from the first.
  static constexpr unsigned kNumRuns = 2;

  ExitCode explain(llvm::ArrayRef<TestLayer *> layers);
  ExitCode runLayers(std::vector<TestLayer *> layers);
  /// Runs `layers` in one package. Leaves those in it that must be run again,
  /// without others whose device failed.
  ExitCode runPackage(std::vector<TestLayer *> &layers, llvm::StringRef folder);
  /// Compiles and builds the network of `layers`. Leaves `built` empty if that
  /// fails; then the layers have been split and run, or have their status.
  ExitCode buildNetwork(const TestNetwork &network,
                        llvm::ArrayRef<TestLayer *> layers,
                        llvm::StringRef folder,
                        std::optional<PackageDescription> &built);
  /// Takes the layers of a pattern whose device failed repeatedly out.
  void giveUp(unsigned pattern, std::vector<TestLayer *> &layers);
  /// Runs layers that failed together again: those of the first pattern, then
  /// the others. Layers of one pattern get `problem` as their message.
  ExitCode splitAfter(llvm::StringRef problem,
                      llvm::ArrayRef<TestLayer *> layers);

  // TestNumbers.cpp
  /// Returns the inputs of a layer, the same whatever stands beside it.
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

#endif // UMA_LIB_DRIVER_TESTLAYERS_H
