//===- Binding.cpp - The compiler as a Python module ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The only file with exceptions, which pybind11 needs: none crosses into the
// libraries, since nothing in them calls back. Functions give their result
// and the messages; python/uma/__init__.py makes exceptions of these.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"
#include "IR.h"

#include "uma/Driver/Compiler.h"
#include "uma/Driver/OptionText.h"
#include "uma/Support/InstalledFile.h"
#include "uma/Support/PrintableText.h"
#include "uma/Support/Version.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ScopeExit.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <tuple>
#include <utility>

namespace py = pybind11;
using namespace uma;

/// A result, None after an error, and the messages as tuples of texts.
template <typename T>
using Result = std::pair<T, py::list>;

static py::list toPython(const Messages &messages) {
  py::list list;
  for (const Message &message : messages)
    list.append(py::make_tuple(getSeverityName(message.severity), message.where,
                               message.text));
  return list;
}

using PyTensor = std::tuple<std::string, std::string, std::vector<int64_t>>;

static std::vector<PyTensor>
toPython(const std::vector<TensorDescription> &tensors) {
  std::vector<PyTensor> result;
  for (const TensorDescription &tensor : tensors)
    result.emplace_back(tensor.name, tensor.dtype, tensor.shape);
  return result;
}

namespace {
/// A network that can be closed before Python forgets it.
struct PyNetwork {
  std::unique_ptr<Network> network;

  Network &get() const {
    if (!network)
      throw py::value_error("the network is closed");
    return *network;
  }
};
} // namespace

static Result<std::optional<PyNetwork>>
compileNetwork(const ModelOptions &options, const std::string &compiler) {
  Messages messages;
  std::optional<PyNetwork> result;
  {
    py::gil_scoped_release release;
    if (auto network = Network::compile(options, compiler, messages))
      result = PyNetwork{std::move(network)};
  }
  python::raisePending();
  return {std::move(result), toPython(messages)};
}

/// Runs on arrays that the caller has checked: contiguous, of the right sizes.
static std::string runNetwork(const PyNetwork &self,
                              const std::vector<py::buffer> &arrays) {
  std::vector<py::buffer_info> buffers;
  std::vector<void *> tensors;
  for (const py::buffer &array : arrays) {
    buffers.push_back(array.request());
    tensors.push_back(buffers.back().ptr);
  }
  Network &network = self.get();
  if (tensors.size() !=
      network.getInputs().size() + network.getOutputs().size())
    throw py::value_error("a run needs one array per input and output");
  py::gil_scoped_release release;
  return network.run(tensors);
}

/// Calls a function of the driver that gives a text, or an empty one.
template <typename Options>
static Result<py::object> callForText(const Options &options,
                                      std::string (*function)(const Options &,
                                                              Messages &)) {
  Messages messages;
  std::string text;
  {
    py::gil_scoped_release release;
    text = function(options, messages);
  }
  python::raisePending();
  return {text.empty() ? py::object(py::none()) : py::object(py::str(text)),
          toPython(messages)};
}

/// Calls a function of the driver that sets a text unless it fails.
template <typename Options>
static Result<py::object>
callForJSON(const Options &options,
            ExitCode (*function)(const Options &, std::string &, Messages &)) {
  Messages messages;
  std::string text;
  ExitCode code;
  {
    py::gil_scoped_release release;
    code = function(options, text, messages);
  }
  python::raisePending();
  return {code == ExitCode::Success ? py::object(py::str(text))
                                    : py::object(py::none()),
          toPython(messages)};
}

/// Calls `function` with a copy of the module, which replaces the module if it
/// is valid afterwards.
static Result<py::object> editModule(TextModule &self,
                                     const py::object &function) {
  Messages messages;
  mlir::Operation *before = self.getOperation();
  mlir::OwningOpRef<mlir::Operation *> copy(before->clone());
  auto session = std::make_shared<python::Session>(before->getContext());
  llvm::scope_exit close([&] { session->close(); });
  py::object result = function(python::PyOperation(session, *copy));
  if (!self.verify(*copy, messages))
    return {py::object(py::none()), toPython(messages)};
  self.setOperation(copy.release());
  return {py::make_tuple(result), toPython(messages)};
}

PYBIND11_MODULE(_uma, module) {
  initializeEmbedding();
  module.attr("__version__") = getVersion().str();

  py::class_<ModelOptions>(module, "ModelOptions")
      .def(py::init<>())
      .def_readwrite("model", &ModelOptions::model)
      .def("set_contents",
           [](ModelOptions &options, const py::bytes &contents) {
             options.contents =
                 std::make_shared<const std::string>(std::string(contents));
           })
      .def_readwrite("accelerators", &ModelOptions::accelerators)
      .def_readwrite("accelerator_dirs", &ModelOptions::acceleratorDirs)
      .def("set_backends",
           [](ModelOptions &options, const std::vector<py::object> &objects) {
             options.backends = python::makeBackends(objects);
           })
      .def("set", &setOption,
           "sets an option by text; returns an error message or \"\"");
  module.def("options", [] {
    std::vector<std::string> names;
    for (const OptionDescription &option : listOptions())
      names.emplace_back(option.name);
    return names;
  });

  module.def("suggest", &suggest);
  module.def("graph_operators", &python::getGraphOperators,
             "names of the operators of uma.graph");
  module.def("graph_attributes", &python::getGraphAttributes,
             "names of the attributes of an operator of uma.graph");
  py::module_ ir = module.def_submodule("ir");
  python::defineIR(ir);
  module.def("explain", [](const ModelOptions &options) {
    return callForText(options, explainAsJSON);
  });

  module.def("explain_mapping", [](const ModelOptions &options) {
    return callForJSON(options, explainMappingAsJSON);
  });
  module.def("describe", [](const std::vector<std::string> &accelerator,
                            const std::vector<std::string> &dirs) {
    Messages messages;
    std::string text;
    (void)describeAsJSON(accelerator, dirs, text, messages);
    return Result<py::object>(text.empty() ? py::object(py::none())
                                           : py::object(py::str(text)),
                              toPython(messages));
  });
  module.def("library", &getOwnLibrary);

  py::enum_<CalibrationMethod>(module, "CalibrationMethod")
      .value("minmax", CalibrationMethod::MinMax)
      .value("percentile", CalibrationMethod::Percentile)
      .value("mse", CalibrationMethod::MSE);
  py::class_<QuantizeOptions>(module, "QuantizeOptions")
      .def(py::init<>())
      .def_readwrite("model", &QuantizeOptions::model)
      .def_readwrite("calibration", &QuantizeOptions::calibration)
      .def_readwrite("output", &QuantizeOptions::output)
      .def_readwrite("method", &QuantizeOptions::method)
      .def_readwrite("percentile", &QuantizeOptions::percentile)
      .def_readwrite("equalize", &QuantizeOptions::equalize)
      .def_readwrite("keep_float", &QuantizeOptions::keepFloat)
      .def_readwrite("error_budget", &QuantizeOptions::errorBudget)
      .def_readwrite("html", &QuantizeOptions::html);
  module.def("file_names", [](const std::vector<std::string> &names,
                              const std::string &extension) {
    return toFileNames(names, extension);
  });
  module.def("quantize", [](const QuantizeOptions &options) {
    return callForText(options, quantizeToFiles);
  });

  py::class_<TestOptions>(module, "TestOptions")
      .def(py::init<>())
      .def_readwrite("description", &TestOptions::description)
      .def_readwrite("accelerator_dirs", &TestOptions::acceleratorDirs)
      .def("set_backends",
           [](TestOptions &options, const std::vector<py::object> &objects) {
             options.backends = python::makeBackends(objects);
           })
      .def_readwrite("patterns", &TestOptions::patterns)
      .def_readwrite("cases", &TestOptions::cases)
      .def_readwrite("seed", &TestOptions::seed)
      .def_readwrite("compiler", &TestOptions::compiler)
      .def_readwrite("timeout", &TestOptions::timeout);
  module.def("test", [](const TestOptions &options) {
    return callForText(options, testToJUnit);
  });
  py::class_<TuneOptions>(module, "TuneOptions")
      .def(py::init<>())
      .def_readwrite("model", &TuneOptions::model)
      .def_readwrite("output", &TuneOptions::output)
      .def_readwrite("candidates", &TuneOptions::candidates)
      .def_readwrite("rounds", &TuneOptions::rounds)
      .def_readwrite("compiler", &TuneOptions::compiler)
      .def_readwrite("flags", &TuneOptions::flags)
      .def_readwrite("run_with", &TuneOptions::runWith)
      .def_readwrite("scheduler", &TuneOptions::scheduler)
      .def_readwrite("timeout", &TuneOptions::timeout);
  module.def("tune", [](const TuneOptions &options) {
    return callForText(options, tuneToFile);
  });

  py::class_<PyNetwork>(module, "Network")
      .def_static("compile", &compileNetwork)
      .def_property_readonly(
          "name", [](const PyNetwork &self) { return self.get().getName(); })
      .def_property_readonly("inputs",
                             [](const PyNetwork &self) {
                               return toPython(self.get().getInputs());
                             })
      .def_property_readonly("outputs",
                             [](const PyNetwork &self) {
                               return toPython(self.get().getOutputs());
                             })
      .def("run", &runNetwork)
      .def("save",
           [](const PyNetwork &self, const std::string &folder) {
             Messages messages;
             bool isSaved = self.get().save(folder, messages);
             return Result<py::object>(isSaved ? py::object(py::bool_(true))
                                               : py::object(py::none()),
                                       toPython(messages));
           })
      .def("close", [](PyNetwork &self) { self.network.reset(); });

  py::class_<TextModule>(module, "Module")
      .def_static("parse",
                  [](const std::string &text) {
                    Messages messages;
                    auto result = TextModule::parse(text, messages);
                    return Result<std::unique_ptr<TextModule>>(
                        std::move(result), toPython(messages));
                  })
      .def_static("import_model",
                  [](const ModelOptions &options) {
                    Messages messages;
                    auto result = TextModule::importModel(options, messages);
                    return Result<std::unique_ptr<TextModule>>(
                        std::move(result), toPython(messages));
                  })
      .def("text", &TextModule::print)
      .def("bytecode",
           [](const TextModule &self) { return py::bytes(self.getBytecode()); })
      .def("write",
           [](const TextModule &self, const std::string &path) {
             Messages messages;
             bool isWritten = self.write(path, messages);
             return Result<py::object>(isWritten ? py::object(py::bool_(true))
                                                 : py::object(py::none()),
                                       toPython(messages));
           })
      .def("edit", &editModule)
      .def("add_backends",
           [](TextModule &self, const std::vector<py::object> &objects) {
             auto &registry =
                 accel::BackendRegistry::get(self.getOperation()->getContext());
             for (const accel::BackendFactory &make :
                  python::makeBackends(objects))
               registry.add(make());
           })
      .def("run_pipeline", [](TextModule &self, const std::string &pipeline) {
        Messages messages;
        bool isDone = self.runPipeline(pipeline, messages);
        python::raisePending();
        return Result<py::object>(isDone ? py::object(py::bool_(true))
                                         : py::object(py::none()),
                                  toPython(messages));
      });
}
