//===- HeaderProbe.h - Calls of a description as C -*- C++ -*--------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_HEADERCHECK_HEADERPROBE_H
#define UMA_LIB_DRIVER_HEADERCHECK_HEADERPROBE_H

#include "uma/Accel/IR/AccelOps.h"

#include "llvm/ADT/MapVector.h"

#include <string>
#include <vector>

namespace uma {

/// An argument of a call in the C compiler's view.
struct ProbeArgument {
  enum Kind {
    Tensor,
    Integer,
    Constant,
    Float,
    Text,  ///< C with constants of the header
    Struct ///< a struct whose fields are arguments in front of it
  };

  Kind kind = Integer;
  mlir::Value value;
  mlir::Type element;    ///< element type; null if it may be any
  bool isOutput = false; ///< a tensor that only this call can write
  int64_t constant = 0;
  /// Type of the parameter, used instead of the argument if that was found to
  /// be wrong: clang does not check the arguments after a wrong one.
  std::string replacement;

  int position = -1;   ///< among the arguments in C; -1 for a field
  std::string field;   ///< designator of a field, e.g. `uma_arg0.pad`
  std::string type;    ///< name of the struct, or of the field's struct
  std::string text;    ///< C of a Text or Struct
  size_t location = 0; ///< index into the positions of the call

  /// Returns whether C gets a floating-point number.
  bool isFloat() const { return kind == Float; }
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
  /// Returns the number of arguments in C.
  size_t getNumArguments() const;
  /// Returns whether the call is C code instead of a call to a function.
  bool isCode() const;
  /// Returns the position of an argument in C.
  mlir::Location getPositionLocation(size_t position) const;
};

/// Origin of a line of the C.
struct ProbeLine {
  enum Role {
    Other,
    Include,    ///< inclusion by `op`
    Code,       ///< line `index` of the code of `op`
    Call,       ///< name of the function and the rest of the call
    Argument,   ///< argument `index` of `call`
    Field,      ///< designator of the field passed as argument `index`
    Declaration ///< checks where function `index` is declared
  };

  Role role = Other;
  mlir::Operation *op = nullptr;
  int call = -1; ///< index into the calls
  size_t index = 0;
  /// Whether inputs are const and results volatile, so that the compiler
  /// reports which parameters are const.
  bool isQualified = false;
};

/// C program with the calls of a description, which a C compiler checks against
/// the prototypes. Each argument has its own line.
class HeaderProbe {
public:
  explicit HeaderProbe(accel::AcceleratorOp accelerator);

  /// Returns the C program. getLine() refers to it until the next write().
  std::string write();
  /// Returns the origin of a line, counted from 1.
  ProbeLine getLine(unsigned line) const;

  accel::AcceleratorOp getAccelerator() { return accelerator; }
  std::vector<ProbeCall> &getCalls() { return calls; }
  const std::vector<ProbeCall> &getCalls() const { return calls; }
  /// Returns the functions that are called and not replaced, each once.
  llvm::ArrayRef<llvm::StringRef> getCallees() const { return callees; }

private:
  void addCalls(accel::PatternOp pattern);
  void addCall(mlir::Operation *op, llvm::StringRef callee,
               mlir::OperandRange operands,
               const llvm::DenseMap<mlir::Value, mlir::Type> &elements);
  void addArgument(ProbeCall &call, mlir::Value operand, size_t location,
                   const llvm::DenseMap<mlir::Value, mlir::Type> &elements);
  void addElements(ProbeCall &call, accel::CallOp op,
                   const llvm::DenseMap<mlir::Value, mlir::Type> &elements);
  void print(const llvm::Twine &line, ProbeLine meaning = {});
  void printBounds(llvm::StringRef designator, size_t position,
                   const ProbeLine &line);
  void printStructs(const ProbeCall &call, const ProbeLine &line,
                    bool isQualified);
  void printCode(size_t index);
  void printCall(size_t index, bool isQualified);
  std::string getArgumentText(const ProbeArgument &argument, bool isQualified);

  accel::AcceleratorOp accelerator;
  std::vector<ProbeCall> calls;
  /// First call of each C function.
  std::vector<size_t> functions;
  llvm::SmallVector<llvm::StringRef> callees;
  std::string text;
  std::vector<ProbeLine> lines;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_HEADERCHECK_HEADERPROBE_H
