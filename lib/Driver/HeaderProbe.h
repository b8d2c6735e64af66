//===- HeaderProbe.h - The calls of a description as C -*- C++ -*----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_HEADERPROBE_H
#define UMA_LIB_DRIVER_HEADERPROBE_H

#include "uma/Accel/IR/AccelOps.h"

#include "llvm/ADT/MapVector.h"

#include <string>
#include <vector>

namespace uma {

/// An argument of a call as the C compiler sees it.
struct ProbeArgument {
  enum Kind { Tensor, Integer, Constant, Float };

  Kind kind = Integer;
  mlir::Value value;
  mlir::Type element;    ///< of a tensor; null if it may be any
  bool isOutput = false; ///< a tensor that nothing but this call can write
  int64_t constant = 0;
  /// The type that the parameter has, in place of the argument, if that has
  /// been found to be wrong: clang says nothing of those behind it.
  std::string replacement;

  /// Returns the C type of the elements; `void` if they may have any.
  std::string getElementText() const;
};

/// A call of a description, for one combination of element types.
struct ProbeCall {
  mlir::Operation *op = nullptr; ///< a call or configure
  llvm::StringRef callee;
  accel::ReplaceOp replace; ///< null if the function itself is called
  std::vector<ProbeArgument> arguments;

  mlir::Location getLocation() const;
  mlir::Location getLocation(size_t argument) const;
};

/// What a line of the C stands for.
struct ProbeLine {
  enum Role {
    Other,
    Include,  ///< of `op`
    Code,     ///< C of `op`, a prologue, epilogue or text that replaces a call
    Call,     ///< the function's name and what is around the call
    Argument, ///< argument `index` of `call`
    Declaration ///< asks where function `index` is declared
  };

  Role role = Other;
  mlir::Operation *op = nullptr;
  int call = -1; ///< index into the calls
  size_t index = 0;
  /// Inputs are const and results volatile, so that the compiler tells which
  /// parameters are const.
  bool isQualified = false;
};

/// C that makes the calls of a description, so that a C compiler checks them
/// against the prototypes. Each argument has a line of its own.
class HeaderProbe {
public:
  explicit HeaderProbe(accel::AcceleratorOp accelerator);

  /// Returns the C. Its lines are known until the next call.
  std::string write();
  /// Returns what a line stands for, from 1.
  ProbeLine getLine(unsigned line) const;

  accel::AcceleratorOp getAccelerator() { return accelerator; }
  std::vector<ProbeCall> &getCalls() { return calls; }
  const std::vector<ProbeCall> &getCalls() const { return calls; }
  /// The functions that are called and not replaced, each once.
  llvm::ArrayRef<llvm::StringRef> getCallees() const { return callees; }

private:
  void addCalls(accel::PatternOp pattern);
  void addCall(mlir::Operation *op, llvm::StringRef callee,
               mlir::OperandRange operands,
               const llvm::DenseMap<mlir::Value, mlir::Type> &elements);
  void print(const llvm::Twine &line, ProbeLine meaning = {});
  void printCall(size_t index, bool isQualified);
  std::string getArgumentText(const ProbeArgument &argument, bool isQualified);

  accel::AcceleratorOp accelerator;
  std::vector<ProbeCall> calls;
  /// The first call of each function of C.
  std::vector<size_t> functions;
  llvm::SmallVector<llvm::StringRef> callees;
  std::string text;
  std::vector<ProbeLine> lines;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_HEADERPROBE_H
