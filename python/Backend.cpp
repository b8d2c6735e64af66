//===- Backend.cpp - Accelerators defined in Python -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Backend.h"
#include "IR.h"

#include "uma/Accel/Language/Language.h"
#include "uma/Accel/Partition/Matcher.h"
#include "uma/Conversion/GraphToTIR/Strategy.h"
#include "uma/Support/LayerName.h"
#include "uma/TIR/IR/TIROps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"

#include <optional>
#include <utility>

namespace py = pybind11;
using namespace mlir;
using namespace uma;
using namespace uma::python;

/// First exception of a Python function that the compiler called.
static thread_local std::optional<py::error_already_set> pending;

void uma::python::raisePending() {
  if (!pending)
    return;
  throw py::error_already_set(*std::exchange(pending, std::nullopt));
}

/// Keeps the exception for raisePending. Returns its type and text.
static std::string keep(py::error_already_set &error) {
  std::string name = py::cast<std::string>(error.type().attr("__name__")) +
                     ": " + py::cast<std::string>(py::str(error.value()));
  if (!pending)
    pending.emplace(std::move(error));
  return name;
}

namespace {
/// An object of Python that may be copied and released without the GIL.
class SharedObject {
public:
  explicit SharedObject(py::object object)
      : object(new py::object(std::move(object)), [](py::object *held) {
          py::gil_scoped_acquire lock;
          delete held;
        }) {}
  const py::object &get() const { return *object; }

private:
  std::shared_ptr<py::object> object;
};

/// Opens a session for the duration of a call.
class OpenSession {
public:
  explicit OpenSession(MLIRContext *context)
      : session(std::make_shared<Session>(context)) {}
  ~OpenSession() { session->close(); }
  SessionPtr session;
};

class PythonPass final
    : public PassWrapper<PythonPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PythonPass)

  PythonPass(std::string name, py::object function)
      : name(std::move(name)), function(std::move(function)) {}
  StringRef getName() const override { return name; }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    py::gil_scoped_acquire lock;
    OpenSession open(&getContext());
    try {
      function.get()(PyOperation(open.session, module));
    } catch (py::error_already_set &error) {
      mlir::emitError(module.getLoc())
          << "the pass '" << name << "' raised " << keep(error);
      signalPassFailure();
    }
  }

private:
  std::string name;
  SharedObject function;
};

class PythonBackend final : public accel::Backend {
public:
  explicit PythonBackend(SharedObject object) : object(std::move(object)) {
    py::gil_scoped_acquire lock;
    name = py::cast<std::string>(this->object.get().attr("name"));
  }

  std::string getName() const override { return name; }

  OwningOpRef<accel::AcceleratorOp>
  describe(MLIRContext *context) const override {
    std::string file;
    {
      py::gil_scoped_acquire lock;
      try {
        file = py::cast<std::string>(object.get().attr("describe")());
      } catch (py::error_already_set &error) {
        mlir::emitError(UnknownLoc::get(context))
            << "the accelerator '" << name << "' raised " << keep(error);
        return nullptr;
      }
    }
    // Attributes are read in Python.
    ScopedDiagnosticHandler quiet(context, [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() == DiagnosticSeverity::Warning);
    });
    return accel::readDescription(file, context);
  }

  LogicalResult checkMatch(const accel::Match &match,
                           std::string &reason) const override {
    py::gil_scoped_acquire lock;
    OpenSession open(match.pattern->getContext());
    try {
      py::list inputs, ops;
      for (Value input : match.inputs)
        inputs.append(PyValue(open.session, input));
      for (Operation *op : match.ops)
        ops.append(PyOperation(open.session, op));
      accel::PatternOp pattern = match.pattern;
      py::object result =
          object.get().attr("check")(pattern.getSymName().str(), inputs,
                                     PyValue(open.session, match.result), ops);
      if (result.is_none())
        return success();
      reason = py::cast<std::string>(py::str(result));
    } catch (py::error_already_set &error) {
      reason = "its predicate raised " + keep(error);
    }
    return failure();
  }

  void addPasses(StringRef phase, OpPassManager &manager) const override {
    py::gil_scoped_acquire lock;
    try {
      for (py::handle entry : object.get().attr("passes")(phase.str())) {
        auto [passName, function] =
            py::cast<std::pair<std::string, py::object>>(entry);
        manager.addPass(createPythonPass(passName, function));
      }
    } catch (py::error_already_set &error) {
      keep(error);
    }
  }

  void populateStrategies(StrategyRegistry &registry) const override {
    py::gil_scoped_acquire lock;
    try {
      for (py::handle entry : object.get().attr("strategies")()) {
        auto [kind, level, function] =
            py::cast<std::tuple<std::string, int, py::object>>(entry);
        Strategy strategy;
        strategy.plevel = level;
        strategy.lower = [function = SharedObject(function)](
                             LayerBuilder &builder, Operation *op,
                             ValueRange inputs, ValueRange outputs) {
          return lower(function, builder, op, inputs, outputs);
        };
        registry.add("uma.graph." + kind, strategy);
      }
    } catch (py::error_already_set &error) {
      keep(error);
    }
  }

private:
  /// Replaces buffers by views of the given types. A strategy for an operator
  /// of one dimension has tensors without the height.
  static LogicalResult viewAs(LayerBuilder &builder, TypeRange types,
                              SmallVectorImpl<Value> &buffers) {
    if (types.size() != buffers.size())
      return failure();
    for (auto [type, buffer] : llvm::zip_equal(types, buffers)) {
      auto wanted = dyn_cast<MemRefType>(type);
      auto found = cast<MemRefType>(buffer.getType());
      if (!wanted || wanted.getElementType() != found.getElementType() ||
          wanted.getNumElements() != found.getNumElements())
        return failure();
      if (wanted != found)
        buffer = tir::ViewOp::create(builder.builder, builder.loc, wanted,
                                     buffer, /*offset=*/0);
    }
    return success();
  }

  /// Builds the body of the function that a strategy returns as text.
  static LogicalResult lower(const SharedObject &function,
                             LayerBuilder &builder, Operation *op,
                             ValueRange inputs, ValueRange outputs) {
    std::string text;
    {
      py::gil_scoped_acquire lock;
      OpenSession open(op->getContext());
      try {
        py::object result = function.get()(PyOperation(open.session, op));
        text = py::cast<std::string>(result);
      } catch (py::error_already_set &error) {
        return op->emitOpError("of layer '")
               << getLayerName(op) << "': its strategy raised " << keep(error);
      }
    }
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(text, ParserConfig(op->getContext()));
    if (!module)
      return op->emitOpError("has a strategy whose loops are not valid");
    auto functions = module->getOps<tir::FuncOp>();
    if (!llvm::hasSingleElement(functions))
      return op->emitOpError("has a strategy that is no function");
    SmallVector<Value> buffers(inputs);
    llvm::append_range(buffers, outputs);
    Block &body = (*functions.begin()).getBody().front();
    if (failed(viewAs(builder, body.getArgumentTypes(), buffers)))
      return op->emitOpError("has a strategy whose tensors are not those of "
                             "the operator: ")
             << (*functions.begin()).getFunctionType() << " for "
             << ValueRange(buffers).getTypes();
    IRMapping mapping;
    mapping.map(body.getArguments(), ValueRange(buffers));
    for (Operation &nested : body.without_terminator()) {
      Operation *copy = builder.builder.clone(nested, mapping);
      copy->walk([&](Operation *each) { each->setLoc(op->getLoc()); });
    }
    return success();
  }

  SharedObject object;
  std::string name;
};
} // namespace

std::unique_ptr<Pass> uma::python::createPythonPass(std::string name,
                                                    py::object function) {
  return std::make_unique<PythonPass>(std::move(name), std::move(function));
}

std::vector<accel::BackendFactory>
uma::python::makeBackends(const std::vector<py::object> &objects) {
  std::vector<accel::BackendFactory> factories;
  for (const py::object &object : objects)
    factories.emplace_back([object = SharedObject(object)] {
      return std::make_unique<PythonBackend>(object);
    });
  return factories;
}
