//===- Compiler.h - The compiler inside another program -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The commands of `uma` as functions that return data, for the Python module
// and the C library.
// They print nothing and return messages, the same as on the command line. The
// signatures use only the C++ standard library, since callers use other
// compiler flags (exceptions) than MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_COMPILER_H
#define UMA_DRIVER_COMPILER_H

#include "uma/Driver/Driver.h"
#include "uma/Driver/Message.h"
#include "uma/Driver/Test.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace uma {

using Messages = std::vector<Message>;

/// Registers the passes that descriptions and pipelines name. Must be called
/// before anything else here; further calls have no effect.
void initializeEmbedding();

/// Returns `; did you mean 'NAME'?`, or an empty string if no name is close.
std::string suggest(const std::string &name,
                    const std::vector<std::string> &names);

/// Checks that the file of a model exists, or that the format of its bytes is
/// known.
ExitCode checkModel(const ModelOptions &options, Messages &messages);

/// Returns the output of `uma explain --json`; empty after an error.
std::string explainAsJSON(const ModelOptions &options, Messages &messages);

/// Sets `json` to the output of `uma explain --json`.
ExitCode explainAsJSON(const ModelOptions &options, std::string &json,
                       Messages &messages);

/// Sets `json` to the output of `uma explain --mapping --json`.
ExitCode explainMappingAsJSON(const ModelOptions &options, std::string &json,
                              Messages &messages);

/// Sets `json` to `{name, file, models: [FILE], attributes: {NAME: VALUE},
/// memories: {NAME: BYTES}}` of a description; a memory without a limit has
/// null bytes.
/// `accelerator` holds its name or path and settings of its attributes.
ExitCode describeAsJSON(const std::vector<std::string> &accelerator,
                        const std::vector<std::string> &acceleratorDirs,
                        std::string &json, Messages &messages);

/// Writes a package like `uma compile`.
ExitCode compileToFolder(const ModelOptions &options,
                         const std::string &outputDir, Messages &messages);

/// Sets `text` to the graph of a model as MLIR.
ExitCode importAsText(const ModelOptions &options, std::string &text,
                      Messages &messages);

/// Quantizes a network like `uma quantize` and writes the files of `options`.
/// Returns the report as JSON; empty after an error.
std::string quantizeToFiles(const QuantizeOptions &options, Messages &messages);

/// Tests a description like `uma test`. Returns the results as JUnit XML; empty
/// if the tests could not run, and then `messages` has an error.
std::string testToJUnit(const TestOptions &options, Messages &messages);

/// Tunes a network like `uma tune` and writes the database. Returns the table
/// of the layers; empty after an error.
std::string tuneToFile(const TuneOptions &options, Messages &messages);

/// An MLIR module in its own context, with all upstream dialects.
class TextModule {
public:
  /// Parses a module. Returns null after an error.
  static std::unique_ptr<TextModule> parse(const std::string &text,
                                           Messages &messages);
  static std::unique_ptr<TextModule> importModel(const ModelOptions &options,
                                                 Messages &messages);
  ~TextModule();

  /// Prints the module, optionally with the locations that name layers.
  std::string print(bool withLocations) const;
  /// Returns the module as bytecode, with its locations.
  std::string getBytecode() const;
  /// Writes the bytecode to a file.
  bool write(const std::string &path, Messages &messages) const;
  /// Returns the module.
  mlir::Operation *getOperation() const;
  /// Checks a module of the same context. Returns false after an error.
  bool verify(mlir::Operation *module, Messages &messages) const;
  /// Replaces the module by a changed copy of it.
  void setOperation(mlir::Operation *module);
  /// Runs `builtin.module(…)`. Returns false after an error and leaves the
  /// module unchanged.
  bool runPipeline(const std::string &pipeline, Messages &messages);

private:
  struct State;
  explicit TextModule(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// An input or output of a network.
struct TensorDescription {
  std::string name;
  std::string dtype; ///< as in MLIR: "f32", "i8", "ui8", …
  std::vector<int64_t> shape;
  size_t bytes = 0;     ///< size of all elements
  size_t alignment = 1; ///< required alignment of the address, in bytes
  /// Offset in the workspace if it is there, and no parameter of NET_run.
  std::optional<size_t> offset = std::nullopt;
};

/// A network that was compiled, built and loaded into this process, with the C
/// models of its devices.
class Network {
public:
  /// Returns null after an error. `compiler` is the C compiler, `cc` if empty.
  static std::unique_ptr<Network> compile(const ModelOptions &options,
                                          const std::string &compiler,
                                          Messages &messages);
  /// Removes all files that were built.
  ~Network();

  const std::string &getName() const;
  const std::vector<TensorDescription> &getInputs() const;
  const std::vector<TensorDescription> &getOutputs() const;

  /// Runs the network on the elements of inputs and outputs, in that order,
  /// dense and row-major. Returns the reason if a device reports an error,
  /// otherwise an empty string. Calls from several threads are serialised.
  std::string run(const std::vector<void *> &tensors);

  /// Writes the package, as `uma compile` does.
  bool save(const std::string &outputDir, Messages &messages) const;

private:
  struct State;
  explicit Network(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace uma

#endif // UMA_DRIVER_COMPILER_H
