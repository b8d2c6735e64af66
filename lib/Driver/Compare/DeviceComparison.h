//===- DeviceComparison.h - Device calls against the graph -*- C++ -*------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_COMPARE_DEVICECOMPARISON_H
#define UMA_LIB_DRIVER_COMPARE_DEVICECOMPARISON_H

#include "../Compile/Model.h"
#include "../Package/CheckedRun.h"
#include "../Package/Tensors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

namespace uma {

/// A wrong result, or a write outside of a buffer, of a layer on a device.
struct DeviceFinding {
  std::string layer; ///< empty for the C of the network itself
  std::string accelerator;
  std::string pattern;
  std::string position; ///< pattern as `NAME.uma:LINE`
  std::string text;     ///< observed error, "result[0, 2] is 0, expected 1"
};

/// Checks each call to a device on its actual inputs.
class DeviceComparison {
public:
  DeviceComparison(const PackageDescription &package,
                   std::optional<double> tolerance, bool replaces)
      : package(package), tolerance(tolerance), replaces(replaces) {}

  /// Parses the references of the package. Emits an error and fails if they do
  /// not fit the calls.
  ExitCode prepare(ModelContext &context);

  /// Evaluates the matches of a call on its inputs and records differences. If
  /// `replaces`, overwrites the outputs with the reference's results and
  /// returns true.
  bool check(const DeviceCall &call,
             llvm::MutableArrayRef<std::vector<char>> arguments);
  void note(const GuardReport &report);
  /// Clears the findings of the last run; the sums below stay.
  void beginRun() { findings.clear(); }

  /// Returns the findings of the last run, in the order of the calls.
  const std::vector<DeviceFinding> &getFindings() const { return findings; }

  /// Results of one layer, summed over all runs.
  struct Layer {
    std::string name, accelerator;
    unsigned calls = 0;
    unsigned different = 0;
    double relative = 0; ///< largest difference, see Comparison
  };
  const std::vector<Layer> &getLayers() const { return layers; }

private:
  struct Reference {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    mlir::func::FuncOp function;
  };
  void addFinding(const DeviceCall &call, const DeviceReference &reference,
                  std::string text);
  Layer &getLayer(const DeviceCall &call, const DeviceReference &reference);

  const PackageDescription &package;
  std::optional<double> tolerance;
  bool replaces;
  std::map<const DeviceReference *, Reference> references;
  std::vector<DeviceFinding> findings;
  std::vector<Layer> layers;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_COMPARE_DEVICECOMPARISON_H
