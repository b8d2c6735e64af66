//===- Model.h - Loading and compiling a model -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_COMPILE_MODEL_H
#define UMA_LIB_DRIVER_COMPILE_MODEL_H

#include "uma/Driver/Driver.h"
#include "uma/Driver/Message.h"
#include "uma/Target/C/Package.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace uma {

/// A context for models and packages. Each diagnostic becomes one message, with
/// a position if the file has lines, otherwise with the name of the layer.
/// Dialects of `others` are loaded on demand.
class ModelContext {
public:
  explicit ModelContext(
      llvm::StringRef model, MessageHandler handler = printMessage,
      const mlir::DialectRegistry &others = mlir::DialectRegistry());
  mlir::MLIRContext *get() { return &context; }

  /// Reports an error about the command line and returns `code`.
  ExitCode fail(ExitCode code, const llvm::Twine &message) const;

private:
  mlir::MLIRContext context;
  MessageHandler handler;
};

/// Reads a model into a module of uma.graph.
ExitCode loadModel(const ModelOptions &options, ModelContext &context,
                   mlir::OwningOpRef<mlir::ModuleOp> &module);

/// Inserts the descriptions of the accelerators into a module.
ExitCode loadAccelerators(const ModelOptions &options, mlir::ModuleOp module);

/// Reads a model into a module and inserts the descriptions.
ExitCode loadWithAccelerators(const ModelOptions &options,
                              ModelContext &context,
                              mlir::OwningOpRef<mlir::ModuleOp> &module);

/// Reports an error and fails if there is no processor `options.cpu`.
ExitCode checkProcessor(const ModelOptions &options,
                        const ModelContext &context);

/// Removes files and lines from locations but keeps names of layers, so that
/// the output does not depend on the model's path.
void dropFilePositions(mlir::ModuleOp module);

/// Creates the pass uma-partition for accelerators that are in the module.
std::unique_ptr<mlir::Pass> makePartitionPass(const ModelOptions &options);

/// Creates the pass uma-lower up to the stage `until`, with which functions
/// know the workloads of their schedules if `nameWorkloads`. Returns null after
/// an error.
std::unique_ptr<mlir::Pass> makeLowerPass(const ModelOptions &options,
                                          const ModelContext &context,
                                          bool nameWorkloads = false,
                                          llvm::StringRef until = "plain");

/// Returns the folder for mappings that searches find: `mappings` in the one
/// that UMA_CACHE_DIR names, by default in the user's folder for caches. Empty
/// if there is none.
std::string getMappingCache();

/// Sets the options of the pass that --lower names, or reports an error about
/// the command line, ending with `advice`, and fails.
mlir::LogicalResult setLowerOptions(mlir::Pass &pass, llvm::StringRef text,
                                    const ModelContext &context,
                                    llvm::StringRef advice = "");

/// Receives the stages of a compilation. Observing one does not change the
/// package.
struct CompileObserver {
  virtual ~CompileObserver() = default;
  /// Receives the simplified graph with the descriptions, before partitioning.
  virtual void onSimplified(mlir::ModuleOp module) {}
  /// Receives the graph with the mappings of uma-accel-map.
  virtual void onMapped(mlir::ModuleOp module) {}
  /// Receives the network in plain TIR with the workloads of its functions.
  virtual void onLowered(mlir::ModuleOp module) {}
  /// Receives the sizes of a complete package before it appears. On failure,
  /// after an error, it does not.
  virtual mlir::LogicalResult onPackage(const PackageSizes &sizes) {
    return mlir::success();
  }
};

/// Gives `observer` the stages that the passes of `manager` reach.
void addObserver(mlir::PassManager &manager, CompileObserver &observer);

/// Writes a package to `outputDir`, which is empty or holds an older package.
/// Shows the steps on a terminal if `showProgress`.
ExitCode compileModel(const ModelOptions &options, ModelContext &context,
                      llvm::StringRef outputDir, bool showProgress = true,
                      CompileObserver *observer = nullptr);

} // namespace uma

#endif // UMA_LIB_DRIVER_COMPILE_MODEL_H
