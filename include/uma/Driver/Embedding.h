//===- Embedding.h - The compiler inside another program -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// What the commands of `uma` do, as functions that return data: the Python
// module is made of these. Nothing is printed; what there is to say is handed
// back as messages, the same as on the command line. Only the C++ library
// stands in the signatures, since programs that call this use other compiler
// flags (exceptions) than MLIR does.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_DRIVER_EMBEDDING_H
#define UMA_DRIVER_EMBEDDING_H

#include "uma/Driver/Driver.h"
#include "uma/Driver/Message.h"

#include <memory>
#include <string>
#include <vector>

namespace uma {

using Messages = std::vector<Message>;

/// Registers the passes that descriptions and pipelines name. To be called
/// before anything else here; again it does nothing.
void initializeEmbedding();

/// `; did you mean 'NAME'?`, or nothing where no name is near.
std::string suggest(const std::string &name,
                    const std::vector<std::string> &names);

/// `uma explain --json`; empty after an error.
std::string explainAsJSON(const ModelOptions &options, Messages &messages);

/// A module of MLIR in a context of its own, with all dialects of upstream.
class TextModule {
public:
  /// Null after an error.
  static std::unique_ptr<TextModule> parse(const std::string &text,
                                           Messages &messages);
  static std::unique_ptr<TextModule> importModel(const ModelOptions &options,
                                                 Messages &messages);
  ~TextModule();

  /// The module as text, with the locations that name layers on demand.
  std::string print(bool withLocations) const;
  /// Writes the module as bytecode, with its locations.
  bool write(const std::string &path, Messages &messages) const;
  /// Runs `builtin.module(…)`. After an error, which is false, the module is as
  /// it was.
  bool runPipeline(const std::string &pipeline, Messages &messages);

private:
  struct State;
  explicit TextModule(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// What an input or output is.
struct TensorDescription {
  std::string name;
  std::string dtype; ///< as in MLIR: "f32", "i8", "ui8", …
  std::vector<int64_t> shape;
  size_t bytes = 0; ///< of all elements
};

/// A network that is compiled, built and loaded into this process, with the C
/// models of its devices.
class Network {
public:
  /// Null after an error. `compiler` is the C compiler, `cc` when empty.
  static std::unique_ptr<Network> compile(const ModelOptions &options,
                                          const std::string &compiler,
                                          Messages &messages);
  /// Removes everything that was built.
  ~Network();

  const std::string &getName() const;
  const std::vector<TensorDescription> &getInputs() const;
  const std::vector<TensorDescription> &getOutputs() const;

  /// Runs on the elements of inputs and outputs, in that order, dense and
  /// row-major. The reason where a device reports an error, else empty. Calls
  /// from several threads wait for one another.
  std::string run(const std::vector<void *> &tensors);

  /// Writes the package, as `uma compile` does.
  bool save(const std::string &outputDir, Messages &messages) const;

private:
  struct State;
  explicit Network(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace uma

#endif // UMA_DRIVER_EMBEDDING_H
