//===- Driver.h - The commands of uma -*- C++ -*---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Each command is a function here, so that tools/uma is a thin main and other
// doors (Python, C) do the same. Messages go to `errs`, results to `outs`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_DRIVER_H
#define UMA_DRIVER_DRIVER_H

#include "uma/Accel/Partition/Policy.h"
#include "uma/Conversion/TIRToEmitC/Threads.h"

#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace uma {

/// The exit codes of every command of `uma`.
enum class ExitCode : int {
  Success = 0,        ///< done, and numbers compared are equal
  NumbersDiffer = 1,  ///< the emitted C computes something else; a file is
                      ///< not formatted
  BadInput = 2,       ///< wrong usage, or a file that cannot be read
  NotSupported = 3,   ///< a valid model that the compiler cannot compile
  ExecutionFailed = 4 ///< the C compiler or the device failed
};

/// How layers of the CPU are computed.
enum class Kernels {
  Loops,   ///< plain loops, small and simple
  Vector,  ///< with vectors and packed weights
  Winograd ///< the same, and Winograd's algorithm for convolutions of 3x3 and
           ///< Strassen's for products of matrices, wherever they are faster
};

/// A model and the accelerators to compile it for.
struct ModelOptions {
  /// An `.onnx` file, or an `.mlir`/`.mlirbc` file of uma.graph.
  std::string model;
  /// Names or paths of descriptions, in order of priority.
  std::vector<std::string> accelerators;
  /// Folders to look for descriptions in first.
  std::vector<std::string> acceleratorDirs;
  /// Sizes of inputs, `name=1x3x32x32`.
  std::vector<std::string> shapes;
  /// Inputs that become constants, `name=file`; see RunOptions::inputs.
  std::vector<std::string> constants;
  accel::MergeRegions mergeRegions = accel::MergeRegions::AsDescribed;
  /// What decides which operators go where; see docs/placement.md.
  accel::Policy policy = accel::Policy::Greedy;
  double cpuCyclesPerMAC = 1;
  double cpuCyclesPerElement = 1;
  Kernels kernels = Kernels::Vector;
  Threads threads = Threads::None;
  /// A database of `uma tune`, none when empty.
  std::string tuning;
  /// Options of the pass uma-lower, `name=value ...`.
  std::string lower;
  /// Check every index in the C; see uma-tir-instrument-bound-checkers.
  bool debugBounds = false;
  /// The layers of a larger C file go to files of about so many kilobytes.
  unsigned sourceKilobytes = 1024;
};

/// `uma compile`: writes a package of C (see uma/Target/C/Package.h).
ExitCode runCompile(const ModelOptions &options, llvm::StringRef outputDir);

/// Comparison that `uma run` makes.
enum class CompareMode {
  Off,
  /// The outputs of the network with the reference interpreter's, and each call
  /// of a device with what its match computes on the same data.
  Network,
  /// The same, but the network goes on with the reference's results after each
  /// call of a device, and every layer on a device is reported.
  Layers,
};

struct RunOptions {
  /// A package, or a model that is compiled on the way with the options below.
  ModelOptions model;
  /// `name=file` with a `.npy`, `.pb` or raw little-endian file.
  std::vector<std::string> inputs;
  /// Where `NAME.npy` is written for every output; nothing when empty.
  std::string outputDir;
  /// An ONNX test data set: a folder with input_*.pb and output_*.pb.
  std::string testData;
  CompareMode compare = CompareMode::Off;
  /// The first seed of inputs that are not given.
  uint64_t seed = 0;
  /// The number of seeds to compare with; by default several for networks that
  /// the reference interpreter computes in a moment.
  std::optional<unsigned> numSeeds;
  /// Seconds that a call of a device may take in comparing runs; 0 for no
  /// limit.
  unsigned timeout = 120;
  /// The largest difference allowed, relative to the largest element of the
  /// reference; by default what the element type can resolve.
  std::optional<double> tolerance;
  /// The C compiler, `cc` when empty.
  std::string compiler;
};

/// `uma run`: builds a package on this machine with the devices' C models, runs
/// it and compares.
ExitCode runRun(const RunOptions &options);

struct TuneOptions {
  /// Without a database: what the analytic model chooses is compared with.
  ModelOptions model;
  /// The database; what it says of other layers stays.
  std::string output;
  /// Schedules to measure for each layer, at least two.
  unsigned candidates = 4;
  /// How often each of them has its turn.
  unsigned rounds = 10;
  /// The C compiler, `cc` when empty.
  std::string compiler;
  /// Its flags; when empty those of the environment's CFLAGS, or optimisation
  /// for this machine.
  std::string flags;
};

/// `uma tune`: measures schedules on this machine and writes a database of the
/// fastest ones.
ExitCode runTune(const TuneOptions &options);

/// `uma explain`: where each layer runs, and why not elsewhere; the details of
/// one layer where `layer` names it.
ExitCode runExplain(const ModelOptions &options, llvm::StringRef layer,
                    bool asJSON);

/// What `uma check` prints of a description that has no errors.
enum class CheckOutput {
  Summary,    ///< its name and the number of its patterns
  Operations, ///< its uma.accel operations
  Text,       ///< these in the text language
};

struct CheckOptions {
  /// A name or path.
  std::string description;
  /// Folders to look for descriptions in first.
  std::vector<std::string> acceleratorDirs;
  CheckOutput output = CheckOutput::Summary;
  /// Check the calls against the header, too; for CheckOutput::Summary only.
  bool checkHeader = true;
  /// The C compiler for that; that of the environment's CC, or `cc`, when
  /// empty.
  std::string compiler;
};

/// `uma check`: verifies a description.
ExitCode runCheck(const CheckOptions &options);

/// What `uma format` does with a description whose layout is not the
/// formatter's.
enum class FormatMode {
  Print, ///< print it as it should be
  Write, ///< rewrite the file
  Check, ///< name the file, and NumbersDiffer as the exit code
};

/// `uma format`: lays out descriptions.
ExitCode runFormat(const std::vector<std::string> &files, FormatMode mode);

/// `uma list --operators`: the operators of ONNX that models may hold, with the
/// versions of the operator set and the inputs that have to be constants.
ExitCode runListOperators();

/// `uma list`: the accelerators found by name.
ExitCode runList(const std::vector<std::string> &acceleratorDirs);

} // namespace uma

#endif // UMA_DRIVER_DRIVER_H
