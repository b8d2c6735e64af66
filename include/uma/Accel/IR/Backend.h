//===- Backend.h - An accelerator as C++ -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The interface behind descriptions. A file of the description language is a
// Backend (uma/Accel/Language/Language.h). Plugins and other programs register
// their own for features that a file cannot express: a predicate over the
// values of weights, a pass or a strategy. docs/backend.md is the guide,
// examples/backend a complete one.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_BACKEND_H
#define UMA_ACCEL_IR_BACKEND_H

#include "uma/Accel/IR/AccelOps.h"

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <memory>
#include <string>
#include <vector>

namespace uma {
class StrategyRegistry;
} // namespace uma

namespace uma::accel {

struct Match;

/// An accelerator. Source: TVM's `UMABackend`; each function names its
/// counterpart there. All but the first two have defaults that add nothing.
///
/// Functions may be called from several threads at once, for one context or for
/// several.
class Backend {
public:
  virtual ~Backend();

  /// Returns the name by which users select the accelerator (`-a NAME`), a C
  /// identifier. Source: `target_name`.
  virtual std::string getName() const = 0;

  /// Builds the description: target attributes, patterns, includes, whatever
  /// `uma.accel` can express. `parseDescription` builds it from text. Its
  /// symbol must be getName(). Emits an error through `context` and returns
  /// null on failure. Source: `_register_target_attr`, `_register_pattern`,
  /// `_register_codegen`.
  virtual mlir::OwningOpRef<AcceleratorOp>
  describe(mlir::MLIRContext *context) const = 0;

  /// Checks whether the device takes a match that satisfies all constraints of
  /// its pattern. On failure, sets `reason` to the text that `uma explain`
  /// prints after the layer's name: "3 of 4 weights are zero at most ...".
  /// Source: a pattern's predicate.
  virtual mlir::LogicalResult checkMatch(const Match &match,
                                         std::string &reason) const {
    return mlir::success();
  }

  /// Adds passes on `builtin.module` to a phase (see getPhases), after those of
  /// the description. Source: `_register_relay_pass`, `_register_tir_pass`.
  virtual void addPasses(llvm::StringRef phase,
                         mlir::OpPassManager &manager) const {}

  /// Adds implementations of operators in matches that a pattern lowers
  /// (uma/Conversion/GraphToTIR/Strategy.h), beside the `strategy`s of the
  /// description. The highest level wins; at equal levels the description's
  /// precedes these. Source: `_register_operator_strategy`.
  virtual void populateStrategies(StrategyRegistry &registry) const {}
};

/// Registry of the backends that a context knows beside the descriptions in
/// files; an interface of the `uma` dialect. Programs add their own; plugins
/// (`-a PATH.so`) are added when they are loaded.
class BackendRegistry : public mlir::DialectInterface::Base<BackendRegistry> {
public:
  explicit BackendRegistry(mlir::Dialect *dialect) : Base(dialect) {}

  /// Returns the registry of `context`, which has loaded the `uma` dialect.
  static BackendRegistry &get(mlir::MLIRContext *context);

  /// Adds a backend and replaces one of the same name. Must not be called while
  /// passes run on several threads.
  void add(std::unique_ptr<Backend> backend);

  /// Returns the backend called `name`, or null if none is registered.
  const Backend *lookup(llvm::StringRef name) const;

  /// Returns the backend of a pattern's accelerator, or null if a file or the
  /// module itself describes it.
  const Backend *lookup(PatternOp pattern) const;

  /// Returns all backends in the order of registration.
  llvm::ArrayRef<std::unique_ptr<Backend>> getBackends() const {
    return backends;
  }

private:
  std::vector<std::unique_ptr<Backend>> backends;
};

/// Entry of a shared library that defines a backend; see
/// UMA_DEFINE_BACKEND_PLUGIN.
struct BackendPlugin {
  /// Version of the interface in this header. A library of another version does
  /// not load.
  static constexpr uint32_t kVersion = 1;

  uint32_t version;
  /// Creates the backend.
  Backend *(*create)();
};

} // namespace uma::accel

MLIR_DECLARE_EXPLICIT_TYPE_ID(uma::accel::BackendRegistry)

/// Makes a shared library a plugin whose accelerator is a `BackendT`. Use it
/// once in the library, outside of namespaces. Users then pass `-a PATH.so`.
#define UMA_DEFINE_BACKEND_PLUGIN(BackendT)                                    \
  extern "C" uma::accel::BackendPlugin umaGetBackendPlugin() {                 \
    return {uma::accel::BackendPlugin::kVersion,                               \
            []() -> uma::accel::Backend * { return new BackendT(); }};         \
  }

#endif // UMA_ACCEL_IR_BACKEND_H
