//===- Backend.h - An accelerator as C++ -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The plumbing behind descriptions. A file of the description language is a
// Backend (uma/Accel/Language/Language.h), and so is an accelerator that a
// plugin or another program registers because it needs what no file can say: a
// predicate over the values of weights, a pass or a strategy of its own.
// docs/backend.md is the guide, examples/backend a complete one.
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

/// An accelerator. Source: TVM's `UMABackend`; each function names what it
/// stands for there. All but the first two have defaults that add nothing.
///
/// Functions may be called from several threads at once, for one context or for
/// several.
class Backend {
public:
  virtual ~Backend();

  /// The name by which users ask for the accelerator (`-a NAME`): an identifier
  /// of C. Source: `target_name`.
  virtual std::string getName() const = 0;

  /// Makes the description: target attributes, patterns, includes, whatever
  /// `uma.accel` can say. `parseDescription` makes it from text. Its symbol
  /// must be getName(). Returns null after an error, which is emitted through
  /// `context`. Source: `_register_target_attr`, `_register_pattern`,
  /// `_register_codegen`.
  virtual mlir::OwningOpRef<AcceleratorOp>
  describe(mlir::MLIRContext *context) const = 0;

  /// Whether the device takes a match of one of its patterns; asked when
  /// everything that the pattern says holds. On failure, `reason` says why, in
  /// the words that `uma explain` prints after the layer's name: "3 of 4
  /// weights are zero at most ...". Source: a pattern's predicate.
  virtual mlir::LogicalResult checkMatch(const Match &match,
                                         std::string &reason) const {
    return mlir::success();
  }

  /// Adds passes on `builtin.module` to a phase (see getPhases), behind those
  /// of the description. Source: `_register_relay_pass`, `_register_tir_pass`.
  virtual void addPasses(llvm::StringRef phase,
                         mlir::OpPassManager &manager) const {}

  /// Adds ways to compute operators of matches that a pattern lowers
  /// (uma/Conversion/GraphToTIR/Strategy.h), beside the `strategy`s of the
  /// description; the highest level wins, and of equal ones that of the
  /// description, then this. Source: `_register_operator_strategy`.
  virtual void populateStrategies(StrategyRegistry &registry) const {}
};

/// The backends that a context knows beside the descriptions in files; an
/// interface of the `uma` dialect. Programs add theirs, and plugins (`-a
/// PATH.so`) are added when they are loaded.
class BackendRegistry : public mlir::DialectInterface::Base<BackendRegistry> {
public:
  explicit BackendRegistry(mlir::Dialect *dialect) : Base(dialect) {}

  /// The registry of `context`, which has loaded the `uma` dialect.
  static BackendRegistry &get(mlir::MLIRContext *context);

  /// Adds a backend. One of the same name is replaced. Not to be called while
  /// passes run on several threads.
  void add(std::unique_ptr<Backend> backend);

  /// The backend called `name`; null when none is registered.
  const Backend *lookup(llvm::StringRef name) const;

  /// The backend behind the accelerator of a pattern; null where a file or the
  /// module itself describes it.
  const Backend *lookup(PatternOp pattern) const;

  /// All backends, in the order of registration.
  llvm::ArrayRef<std::unique_ptr<Backend>> getBackends() const {
    return backends;
  }

private:
  std::vector<std::unique_ptr<Backend>> backends;
};

/// What a library that holds a backend says of itself; see
/// UMA_DEFINE_BACKEND_PLUGIN.
struct BackendPlugin {
  /// Of the interface in this header. A library of another version does not
  /// load.
  static constexpr uint32_t kVersion = 1;

  uint32_t version;
  /// Makes the backend.
  Backend *(*create)();
};

} // namespace uma::accel

MLIR_DECLARE_EXPLICIT_TYPE_ID(uma::accel::BackendRegistry)

/// Makes a shared library a plugin whose accelerator is a `BackendT`: stands
/// once in the library, outside of namespaces. Users then say `-a PATH.so`.
#define UMA_DEFINE_BACKEND_PLUGIN(BackendT)                                    \
  extern "C" uma::accel::BackendPlugin umaGetBackendPlugin() {                 \
    return {uma::accel::BackendPlugin::kVersion,                               \
            []() -> uma::accel::Backend * { return new BackendT(); }};         \
  }

#endif // UMA_ACCEL_IR_BACKEND_H
