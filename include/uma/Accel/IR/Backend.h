//===- Backend.h - Accelerators defined in C++ -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Interface of accelerators. A description file becomes a Backend, too
// (uma/Accel/Language/Language.h). Plugins and other programs register their
// own backends for features that a file cannot express: a predicate over the
// values of weights, a pass or a strategy. See docs/backend.md for a guide and
// examples/backend for a complete backend.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_IR_BACKEND_H
#define UMA_ACCEL_IR_BACKEND_H

#include "uma/Accel/IR/AccelOps.h"

#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace uma {
class StrategyRegistry;
} // namespace uma

namespace uma::accel {

struct Match;

/// An accelerator. Source: TVM's `UMABackend`; each function names its
/// counterpart there. Only getName and describe must be overridden.
///
/// All functions must be thread-safe: several threads may call them at once,
/// for one context or for several.
class Backend {
public:
  virtual ~Backend();

  /// Returns the name by which users select the accelerator (`-a NAME`), a C
  /// identifier. Source: `target_name`.
  virtual std::string getName() const = 0;

  /// Registers the dialects that `describe` and the passes create operations
  /// of. Passes that load the backend depend on them.
  virtual void getDependentDialects(mlir::DialectRegistry &registry) const {}

  /// Builds the description from `uma.accel` operations: target attributes,
  /// patterns, includes. `parseDescription` builds it from text. Its symbol
  /// must be getName(). Emits an error through `context` and returns null on
  /// failure. Source: `_register_target_attr`, `_register_pattern`,
  /// `_register_codegen`.
  virtual mlir::OwningOpRef<AcceleratorOp>
  describe(mlir::MLIRContext *context) const = 0;

  /// Checks whether the device accepts a match that satisfies all constraints
  /// of its pattern. On failure, sets `reason` to the text that `uma explain`
  /// prints after the layer's name: "3 of 4 weights are zero at most ...".
  /// Source: a pattern's predicate.
  virtual mlir::LogicalResult checkMatch(const Match &match,
                                         std::string &reason) const {
    return mlir::success();
  }

  /// Adds passes on `builtin.module` to a phase (see getPhases), after the
  /// description's own. Source: `_register_relay_pass`, `_register_tir_pass`.
  virtual void addPasses(llvm::StringRef phase,
                         mlir::OpPassManager &manager) const {}

  /// Adds implementations of operators in lowered matches
  /// (uma/Conversion/GraphToTIR/Strategy.h), in addition to the description's
  /// `strategy`s. The highest level wins; at equal levels, the description's
  /// strategies win. Source: `_register_operator_strategy`.
  virtual void populateStrategies(StrategyRegistry &registry) const {}
};

/// Creates a backend for one context.
using BackendFactory = std::function<std::unique_ptr<Backend>()>;

/// Registry of the backends of a context that are not description files; an
/// interface of the `uma` dialect. Programs add their own backends; loading a
/// plugin (`-a PATH.so`) adds its backend.
class BackendRegistry : public mlir::DialectInterface::Base<BackendRegistry> {
public:
  explicit BackendRegistry(mlir::Dialect *dialect) : Base(dialect) {}

  /// Returns the registry of `context`. The `uma` dialect must be loaded.
  static BackendRegistry &get(mlir::MLIRContext *context);

  /// Adds a backend, replacing any of the same name. `library` is the file of
  /// its plugin. Must not be called while passes run on several threads.
  void add(std::unique_ptr<Backend> backend, llvm::StringRef library = "");

  /// Returns the backend called `name`, or null if none is registered.
  const Backend *lookup(llvm::StringRef name) const;

  /// Returns the backend of a pattern's accelerator, or null if a file or the
  /// module itself describes the accelerator.
  const Backend *lookup(PatternOp pattern) const;

  /// Returns the file of a backend's plugin; empty if the program added it.
  llvm::StringRef getLibrary(const Backend &backend) const;

  /// Returns all backends in the order of registration.
  llvm::ArrayRef<std::unique_ptr<Backend>> getBackends() const {
    return backends;
  }

private:
  std::vector<std::unique_ptr<Backend>> backends;
  /// Files of the plugins, in the order of the backends.
  std::vector<std::string> libraries;
};

/// Entry point of a shared library that defines a backend; see
/// UMA_DEFINE_BACKEND_PLUGIN.
struct BackendPlugin {
  /// Version of the interface in this header. Libraries of other versions are
  /// rejected.
  static constexpr uint32_t kVersion = 2;

  uint32_t version;
  /// Creates the backend.
  Backend *(*create)();
};

} // namespace uma::accel

MLIR_DECLARE_EXPLICIT_TYPE_ID(uma::accel::BackendRegistry)

/// Defines the entry point of a plugin with the backend `BackendT`. Use it once
/// in a shared library, outside of namespaces. Users then pass `-a PATH.so`.
#define UMA_DEFINE_BACKEND_PLUGIN(BackendT)                                    \
  extern "C" uma::accel::BackendPlugin umaGetBackendPlugin() {                 \
    return {uma::accel::BackendPlugin::kVersion,                               \
            []() -> uma::accel::Backend * { return new BackendT(); }};         \
  }

#endif // UMA_ACCEL_IR_BACKEND_H
