//===- VariableTable.h - Resource variables of a model -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Resource variables keep their values from run to run. Subgraphs share them by
// name. One that an operator reads before any has assigned it becomes an input
// of the network, and its value after the run an output.
//
// A handle of a variable is a constant in uma.graph: the variable's number.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_IMPORT_TFLITE_VARIABLETABLE_H
#define UMA_LIB_IMPORT_TFLITE_VARIABLETABLE_H

#include "uma/Support/HostTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace uma::tflite {

/// Adds an input with this name to a network.
mlir::Value addArgument(mlir::func::FuncOp function, llvm::StringRef name,
                        mlir::RankedTensorType type);

class VariableTable {
public:
  /// Values of all variables; null for those that nothing has used yet.
  using Values = llvm::SmallVector<mlir::Value>;

  /// Returns the number of a variable; adds it at its first use.
  int64_t getNumber(llvm::StringRef container, llvm::StringRef name);
  bool contains(int64_t number) const {
    return number >= 0 && number < int64_t(variables.size());
  }
  llvm::StringRef getName(int64_t number) const {
    return variables[number].name;
  }

  /// Returns the current value of a variable, as it is stored. `type` and
  /// `zero`, the integer that stands for 0, are those of its first use.
  mlir::Value read(mlir::func::FuncOp function, int64_t number,
                   mlir::RankedTensorType type, int64_t zero);
  /// Sets the value of a variable, as it is stored.
  void assign(int64_t number, mlir::Value value) {
    variables[number].current = value;
  }
  /// Sets the value with which a variable starts in the first run.
  void setStart(int64_t number, HostTensor value) {
    variables[number].start = std::move(value);
  }

  /// Returns the current values.
  Values getValues() const;
  /// Goes back to earlier values.
  void setValues(const Values &values);

  /// Replaces variables that are read but never assigned by the constants with
  /// which they start.
  void replaceConstants(mlir::OpBuilder &builder, mlir::func::FuncOp function);
  /// Sets uma.start of all inputs.
  void describeStarts(mlir::func::FuncOp function) const;
  /// Adds the names and values of all inputs for the next run.
  void addResults(llvm::SmallVectorImpl<std::string> &names,
                  llvm::SmallVectorImpl<mlir::Value> &values) const;

private:
  struct Variable {
    std::string container, name;
    /// The input of the network; null if there is none.
    mlir::Value argument;
    mlir::Value current;
    /// The value that an initializer assigns; without one, `zero` everywhere.
    std::optional<HostTensor> start;
    int64_t zero = 0;
  };
  std::vector<Variable> variables;
};

} // namespace uma::tflite

#endif // UMA_LIB_IMPORT_TFLITE_VARIABLETABLE_H
