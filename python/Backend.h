//===- Backend.h - Accelerators defined in Python -*- C++ -*---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A backend whose functions are methods of a Python object:
//
//   name                                  the accelerator's name
//   describe()                            the file of its description
//   check(pattern, inputs, result, ops)   None, or the reason of a mismatch
//   passes(phase)                         pairs of a name and a function of the
//                                         module's operation
//   strategies()                          triples of an operator, a level and a
//                                         function of the operator, which
//                                         returns a uma.tir.func as text
//
// An exception in one of these ends the compilation, which raises it.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_PYTHON_BACKEND_H
#define UMA_PYTHON_BACKEND_H

#include "uma/Accel/IR/Backend.h"

#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

namespace uma::python {

/// Returns factories of the backends that these objects define.
std::vector<accel::BackendFactory>
makeBackends(const std::vector<pybind11::object> &objects);

/// Creates a pass that calls a Python function with the module's operation.
std::unique_ptr<mlir::Pass> createPythonPass(std::string name,
                                             pybind11::object function);

/// Raises the exception of a Python function that the compiler called on this
/// thread, if there was one. Must be called after each compilation.
void raisePending();

} // namespace uma::python

#endif // UMA_PYTHON_BACKEND_H
