//===- IR.cpp - Handles to operations
//--------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IR.h"

namespace py = pybind11;
using namespace mlir;
using namespace uma::python;

void uma::python::throwError(const std::string &message) {
  py::object error = py::module_::import("uma").attr("Error");
  PyErr_SetString(error.ptr(), message.c_str());
  throw py::error_already_set();
}

ErrorCollector::ErrorCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        if (!text.empty())
          text += '\n';
        text += diagnostic.str();
        for (const Diagnostic &note : diagnostic.getNotes())
          text += "\nnote: " + note.str();
        return success();
      }) {}

void ErrorCollector::raise(const std::string &otherwise) const {
  throwError(text.empty() ? otherwise : text);
}

MLIRContext *Session::getContext() const {
  if (!context)
    throwError("the pass that this object belongs to has ended; keep texts or "
               "numbers instead of operations, values and types");
  return context;
}

std::shared_ptr<Target> Session::getTarget(Operation *op) {
  std::weak_ptr<Target> &entry = targets[op];
  std::shared_ptr<Target> target = entry.lock();
  if (!target) {
    target = std::make_shared<Target>(Target{op});
    entry = target;
  }
  return target;
}

void Session::forget(Operation *op) {
  op->walk([&](Operation *nested) {
    auto entry = targets.find(nested);
    if (entry == targets.end())
      return;
    if (std::shared_ptr<Target> target = entry->second.lock())
      target->op = nullptr;
    targets.erase(entry);
  });
}

void Session::close() {
  for (auto &[op, entry] : targets)
    if (std::shared_ptr<Target> target = entry.lock())
      target->op = nullptr;
  targets.clear();
  context = nullptr;
}

Operation *PyOperation::get() const {
  session->getContext();
  if (!target->op)
    throwError("the operation was erased");
  return target->op;
}

static Operation *getOwner(Value value) {
  if (Operation *op = value.getDefiningOp())
    return op;
  return cast<BlockArgument>(value).getOwner()->getParentOp();
}

PyValue::PyValue(const SessionPtr &session, Value value)
    : owner(session, getOwner(value)), value(value) {}

Value PyValue::get() const {
  owner.get();
  return value;
}

Block *PyBlock::get() const {
  parent.get();
  return block;
}
