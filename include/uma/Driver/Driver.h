//===- Driver.h - The commands of uma -*- C++ -*---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One function per command, so that tools/uma is a thin main and other front
// ends (Python, C) agree. Messages go to `errs`, results to `outs`.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_DRIVER_H
#define UMA_DRIVER_DRIVER_H

#include "uma/Accel/Partition/Policy.h"
#include "uma/Conversion/TIRToEmitC/Threads.h"
#include "uma/Driver/Message.h"
#include "uma/Import/TFLite/ImportTFLite.h"
#include "uma/Target/C/PackageForm.h"

#include "mlir/Support/LLVM.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace uma::accel {
class Backend;
} // namespace uma::accel

namespace uma {

/// Exit codes of every command of `uma`.
enum class ExitCode : int {
  Success = 0,        ///< done, and compared numbers are equal
  NumbersDiffer = 1,  ///< the emitted C computes different results; a file is
                      ///< not formatted
  BadInput = 2,       ///< wrong usage, or a file that cannot be read
  NotSupported = 3,   ///< a valid model that the compiler cannot compile
  ExecutionFailed = 4 ///< the C compiler or the device failed
};

/// Kernels for layers on the CPU.
enum class Kernels {
  Loops,   ///< plain loops, simple to read and slow
  Vector,  ///< vectorised, with packed weights
  Winograd ///< Vector, with Winograd's algorithm for 3x3 convolutions and
           ///< Strassen's for matrix products, if faster
};

/// How integer layers round their sums.
enum class Requantize {
  AsGiven,   ///< as the model's format says
  FixedPoint ///< in integers; see uma-graph-requantize-fixed-point
};

/// The type in which layers of f32 multiply; their sums are in f32.
enum class Math { F32, BF16 };

/// A model and the accelerators to compile it for.
struct ModelOptions {
  /// An `.onnx` or `.tflite` file, or an `.mlir`/`.mlirbc` file of uma.graph.
  std::string model;
  /// The model's bytes if it is in memory; `model` is its name in messages. The
  /// content decides the format.
  std::shared_ptr<const std::string> contents;
  /// Whether a model in MLIR may hold descriptions, scripts and C text, as
  /// stages of `uma-opt` do.
  bool trustModel = false;
  /// Names or paths of descriptions, in order of priority.
  std::vector<std::string> accelerators;
  /// Folders to search first for descriptions.
  std::vector<std::string> acceleratorDirs;
  /// Accelerators that the calling program defines, by their names among
  /// `accelerators`.
  std::vector<std::function<std::unique_ptr<accel::Backend>()>> backends;
  /// Sizes of inputs, `name=1x3x32x32`.
  std::vector<std::string> shapes;
  /// Inputs to bind as constants, `name=file`; see RunOptions::inputs.
  std::vector<std::string> constants;
  /// How quantized operators of a `.tflite` file round.
  TFLiteRounding rounding = TFLiteRounding::Float;
  /// Inputs and outputs inside the workspace, instead of memory of the caller.
  bool tensorsInside = false;
  /// Memories that the workspace is divided among, the fastest first, each as
  /// `NAME=BYTES`.
  std::vector<std::string> memories;
  /// Largest workspace in bytes; 0 for no limit.
  int64_t arena = 0;
  Requantize requantize = Requantize::AsGiven;
  accel::MergeRegions mergeRegions = accel::MergeRegions::AsDescribed;
  /// Policy that assigns operators to targets; see docs/placement.md.
  accel::Policy policy = accel::Policy::Greedy;
  double cpuCyclesPerMAC = 1;
  double cpuCyclesPerElement = 1;
  Kernels kernels = Kernels::Vector;
  Math math = Math::F32;
  Threads threads = Threads::None;
  /// Processor that the C is for: a name of the table, "native" or a file; any
  /// processor if empty.
  std::string cpu;
  /// Database of `uma tune`; none if empty.
  std::string tuning;
  /// Options of the pass uma-lower, `name=value ...`.
  std::string lower;
  /// Whether the C checks every index; see uma-tir-instrument-bound-checkers.
  bool debugBounds = false;
  /// Kilobytes above which the C file is split into files of about this size.
  unsigned sourceKilobytes = 1024;
  /// Format, build files and weights of the package.
  PackageForm form;
};

struct ReportOptions {
  /// Page about the package; none if empty.
  std::string file;
  /// Command line after `uma`, which the page shows.
  std::vector<std::string> command;
};

/// `uma compile`: writes a package of C (see uma/Target/C/Package.h), and a
/// page about it.
ExitCode runCompile(const ModelOptions &options, llvm::StringRef outputDir,
                    const ReportOptions &report = {});

/// Comparison mode of `uma run`.
enum class CompareMode {
  Off,
  /// Compares the network's outputs with the reference interpreter's, and each
  /// device call with the results of its match on the same data.
  Network,
  /// As Network, but the network continues with the reference's results after
  /// each device call, and every layer on a device is reported.
  Layers,
};

struct RunOptions {
  /// A package, or a model to be compiled with the options below.
  ModelOptions model;
  /// `name=file` with a `.npy`, `.pb` or raw little-endian file.
  std::vector<std::string> inputs;
  /// Folder for a `NAME.npy` of every output; none if empty.
  std::string outputDir;
  /// File for a timeline of the devices' models; none if empty.
  std::string trace;
  /// ONNX test data set: a folder with input_*.pb and output_*.pb.
  std::string testData;
  CompareMode compare = CompareMode::Off;
  /// First seed of inputs that are not given.
  uint64_t seed = 0;
  /// Number of seeds to compare with; by default several for networks that the
  /// reference interpreter computes quickly.
  std::optional<unsigned> numSeeds;
  /// Time limit in seconds for a device call in comparing runs, and for a run
  /// on a board; 0 for none.
  unsigned timeout = 120;
  /// Largest allowed difference, relative to the largest element of the
  /// reference; by default the resolution of the element type.
  std::optional<double> tolerance;
  /// C compiler; `cc` or the board's if empty.
  std::string compiler;
  /// Flags of the C compiler; if empty, those of the package's Makefile or -O2
  /// for a board.
  std::string flags;
  /// Board to run on: a name of the table or a file; this machine if empty.
  std::string board;
  /// Library to write for the board instead of running the network; none if
  /// empty.
  std::string library;
  /// File for what the network needs on the board, as JSON; none if empty.
  std::string json;
};

/// `uma run`: builds a package on this machine or for a board with the devices'
/// C models, runs it and compares.
ExitCode runRun(const RunOptions &options);

struct TuneOptions {
  /// Model without a database: the baseline is the analytic model's choice.
  ModelOptions model;
  /// Output database; its entries for other layers stay.
  std::string output;
  /// Number of schedules to measure for each layer, at least two.
  unsigned candidates = 6;
  /// Number of measurements of each schedule.
  unsigned rounds = 10;
  /// C compiler; `cc` if empty.
  std::string compiler;
  /// Compiler flags; if empty, CFLAGS from the environment, or optimisation for
  /// this machine.
  std::string flags;
  /// Commands that run programs on boards of one kind, each on another board;
  /// this machine if empty.
  std::vector<std::string> runWith;
  /// Address of a Dask scheduler whose workers with the resource `cpu=<cpu>`
  /// are the boards; none if empty.
  std::string scheduler;
  /// Seconds after which a program on a board hangs.
  unsigned timeout = 60;
};

/// `uma tune`: measures schedules on this machine or on boards and writes a
/// database of the fastest ones.
ExitCode runTune(const TuneOptions &options);
/// Like runTune, but gives messages to `handler` and the table to `report`.
ExitCode tuneModel(const TuneOptions &options, const MessageHandler &handler,
                   std::string &report);

/// Choice of a tensor's range from its elements on the calibration samples.
enum class CalibrationMethod {
  MinMax,     ///< the least and the largest element
  Percentile, ///< cuts off the same share of the elements at either end
  MSE,        ///< the least mean squared error of the rounded elements
};

struct QuantizeOptions {
  ModelOptions model;
  /// Folder of the samples; see docs/quantize.md.
  std::string calibration;
  /// Output file, `.mlir` or `.mlirbc`.
  std::string output;
  CalibrationMethod method = CalibrationMethod::MinMax;
  /// Percentage of the elements up to which a range reaches at either end.
  double percentile = 99.99;
  /// Whether to equalize weights across layers first; see uma-graph-equalize.
  bool equalize = false;
  /// Names of the layers to keep in f32.
  std::vector<std::string> keepFloat;
  /// Largest error of an output, relative to its root mean square; more layers
  /// stay in f32 until it is met.
  std::optional<double> errorBudget;
  /// Files for the report as JSON and as HTML; none if empty.
  std::string json, html;
};

/// `uma quantize`: quantizes a float network to 8 bits from the ranges of its
/// tensors on samples, and prints the error of each layer.
ExitCode runQuantize(const QuantizeOptions &options);

/// Output of `uma explain`.
enum class ExplainOutput { Text, JSON, HTML };

/// `uma explain`: prints the target of each layer, and why not others; for one
/// layer in detail if `layer` names it. HTML is written to `file`, "-" for the
/// standard output.
ExitCode runExplain(const ModelOptions &options, llvm::StringRef layer,
                    ExplainOutput output, llvm::StringRef file);

/// `uma explain --kernels`: prints how the CPU computes its layers, what that
/// costs by the models and what came second; one layer in detail.
ExitCode runExplainKernels(const ModelOptions &options, llvm::StringRef layer,
                           ExplainOutput output);

/// `uma explain --mapping`: prints the tiles, loops and buffers of the layers
/// that devices compute in tiles, and their cost. Writes the timeline of all
/// commands to the file `trace` unless it is empty.
ExitCode runExplainMapping(const ModelOptions &options, llvm::StringRef layer,
                           ExplainOutput output, llvm::StringRef trace);

/// Output of `uma check` for a description without errors.
enum class CheckOutput {
  Summary,    ///< name and number of patterns
  Operations, ///< uma.accel operations
  Text,       ///< these in the text language
};

struct CheckOptions {
  /// Name or path of the description.
  std::string description;
  /// Folders to search first for descriptions.
  std::vector<std::string> acceleratorDirs;
  CheckOutput output = CheckOutput::Summary;
  /// Whether to check calls against the header; only for CheckOutput::Summary.
  bool checkHeader = true;
  /// C compiler for the check; if empty, CC from the environment, or `cc`.
  std::string compiler;
};

/// `uma check`: verifies a description.
ExitCode runCheck(const CheckOptions &options);

/// Action of `uma format` for a description whose layout differs from the
/// formatter's.
enum class FormatMode {
  Print, ///< print the formatted text
  Write, ///< rewrite the file
  Check, ///< print the file's name; the exit code is NumbersDiffer
};

/// `uma format`: lays out descriptions.
ExitCode runFormat(const std::vector<std::string> &files, FormatMode mode);

/// `uma list --cpus`: lists the processors that packages can be for.
ExitCode runListProcessors();

/// `uma list --boards`: lists the boards that `uma run --board` knows.
ExitCode runListBoards();

/// A board that `uma run --board` knows by name.
struct BoardName {
  std::string name, summary;
};

/// Returns the boards that `uma run --board` knows by name.
std::vector<BoardName> getBoards();

/// `uma list --operators`: lists the supported operators of ONNX with the opset
/// versions and the inputs that must be constants.
ExitCode runListOperators();

/// `uma list`: lists the accelerators found by name.
ExitCode runList(const std::vector<std::string> &acceleratorDirs);

} // namespace uma

#endif // UMA_DRIVER_DRIVER_H
