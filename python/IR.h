//===- IR.h - Operations as Python objects -*- C++ -*----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Passes in Python see MLIR through handles. All handles of a pass belong to a
// session, which ends with the pass; erasing an operation ends the handles to
// it and into it. A handle that has ended raises an exception when it is used,
// so no Python code can crash the process.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_PYTHON_IR_H
#define UMA_PYTHON_IR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

namespace uma::python {

/// The state of the handles to one operation.
struct Target {
  mlir::Operation *op; ///< null once the operation is gone
};

/// The handles of one pass.
class Session : public std::enable_shared_from_this<Session> {
public:
  explicit Session(mlir::MLIRContext *context) : context(context) {}

  /// Ends all handles.
  void close();
  /// Returns the context. Throws if the session has ended.
  mlir::MLIRContext *getContext() const;
  std::shared_ptr<Target> getTarget(mlir::Operation *op);
  /// Ends the handles to `op` and to the operations in it.
  void forget(mlir::Operation *op);

private:
  mlir::MLIRContext *context;
  llvm::DenseMap<mlir::Operation *, std::weak_ptr<Target>> targets;
};

using SessionPtr = std::shared_ptr<Session>;

/// Raises uma.Error.
[[noreturn]] void throwError(const std::string &message);

/// Collects errors of MLIR to raise them as exceptions.
class ErrorCollector {
public:
  explicit ErrorCollector(mlir::MLIRContext *context);
  /// Raises what was reported, or `otherwise` if nothing was.
  [[noreturn]] void raise(const std::string &otherwise) const;

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

/// A handle to an operation.
struct PyOperation {
  SessionPtr session;
  std::shared_ptr<Target> target;

  PyOperation(SessionPtr session, mlir::Operation *op)
      : session(std::move(session)), target(this->session->getTarget(op)) {}
  /// Returns the operation. Throws if it is gone.
  mlir::Operation *get() const;
};

/// A handle to a value, which lives as long as the operation that computes it
/// or, for an argument, the operation around its block.
struct PyValue {
  PyOperation owner;
  mlir::Value value;

  PyValue(const SessionPtr &session, mlir::Value value);
  mlir::Value get() const;
};

struct PyBlock {
  PyOperation parent;
  mlir::Block *block;

  mlir::Block *get() const;
};

struct PyType {
  SessionPtr session;
  mlir::Type type;

  mlir::Type get() const {
    session->getContext();
    return type;
  }
};

/// An attribute that has no counterpart in Python.
struct PyAttribute {
  SessionPtr session;
  mlir::Attribute attribute;

  mlir::Attribute get() const {
    session->getContext();
    return attribute;
  }
};

pybind11::object toPython(const SessionPtr &session, mlir::Attribute attribute);
/// Converts a Python value; `like`, if not null, is an attribute whose type the
/// result should have.
mlir::Attribute toAttribute(Session &session, pybind11::handle value,
                            mlir::Attribute like = {});
/// Returns handles to values.
pybind11::list toList(const SessionPtr &session, mlir::ValueRange values);
/// Returns the elements of a constant as a NumPy array, or None.
pybind11::object toArray(mlir::Attribute attribute);

/// Returns the names of the operators of uma.graph, without its prefix.
std::vector<std::string> getGraphOperators();
/// Returns the names of an operator's attributes.
std::vector<std::string> getGraphAttributes(const std::string &name);

/// Defines the classes in a module of Python.
void defineIR(pybind11::module_ &module);
void defineBuilder(pybind11::module_ &module);
void defineSchedule(pybind11::module_ &module);

} // namespace uma::python

#endif // UMA_PYTHON_IR_H
