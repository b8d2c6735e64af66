//===- Operations.cpp - Operations and values as Python classes
//------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IR.h"

#include "uma/Graph/IR/GraphOps.h"
#include "uma/IR/UMADialect.h"
#include "uma/Support/LayerName.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/IR/Verifier.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir;
using namespace uma;
using namespace uma::python;

template <typename T>
static std::string print(T value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

static std::string printOp(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

py::list uma::python::toList(const SessionPtr &session, ValueRange values) {
  py::list list;
  for (Value value : values)
    list.append(PyValue(session, value));
  return list;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

/// Returns an operation outside of `op` that uses a value from inside, or null.
static Operation *findOuterUser(Operation *op) {
  Operation *found = nullptr;
  auto check = [&](Value value) {
    for (Operation *user : value.getUsers())
      if (!op->isAncestor(user))
        found = user;
  };
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      llvm::for_each(inner->getResults(), check);
      for (Region &nested : inner->getRegions())
        for (Block &block : nested)
          llvm::for_each(block.getArguments(), check);
    });
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::for_each(block.getArguments(), check);
  return found;
}

static void eraseOp(const PyOperation &self) {
  Operation *op = self.get();
  if (!op->use_empty()) {
    Operation *user = *op->user_begin();
    throwError("'" + op->getName().getStringRef().str() + "' of layer '" +
               getLayerName(op) + "' cannot be erased: '" +
               user->getName().getStringRef().str() +
               "' uses its result; replace it first");
  }
  if (Operation *user = findOuterUser(op))
    throwError("'" + op->getName().getStringRef().str() +
               "' cannot be erased: '" + user->getName().getStringRef().str() +
               "' uses a value in it; replace it first");
  if (!op->getParentOp() || op->hasTrait<OpTrait::IsTerminator>())
    throwError("'" + op->getName().getStringRef().str() +
               "' cannot be erased: what it stands in needs it");
  self.session->forget(op);
  op->erase();
}

static void replaceOp(const PyOperation &self,
                      const std::vector<PyValue> &values) {
  Operation *op = self.get();
  if (values.size() != op->getNumResults())
    throwError("'" + op->getName().getStringRef().str() + "' has " +
               std::to_string(op->getNumResults()) +
               " results and cannot be replaced by " +
               std::to_string(values.size()) + " values");
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    if (value.get().getType() != result.getType())
      throwError("'" + op->getName().getStringRef().str() + "' of layer '" +
                 getLayerName(op) + "' gives " + print(result.getType()) +
                 " and cannot be replaced by a value of " +
                 print(value.get().getType()));
    if (value.get().getDefiningOp() == op)
      throwError("an operation cannot be replaced by its own result");
  }
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    result.replaceAllUsesWith(value.get());
  eraseOp(self);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

static py::object getArray(const PyValue &self) {
  Attribute elements;
  if (!matchPattern(self.get(), m_Constant(&elements)))
    return py::none();
  return toArray(elements);
}

static py::object getTarget(const PyOperation &self) {
  for (Operation *op = self.get(); op; op = op->getParentOp()) {
    auto target = op->getAttrOfType<TargetAttr>(kTargetAttrName);
    if (!target)
      continue;
    py::object attributes = py::dict();
    if (DictionaryAttr values = target.getConfig())
      attributes = toPython(self.session, values);
    return py::make_tuple(target.getAccelerator().str(), attributes);
  }
  return py::none();
}

static void defineOperation(py::module_ &module) {
  using Op = PyOperation;
  py::class_<Op>(module, "Operation",
                 "An operation. It belongs to the pass in which it was read.")
      .def_property_readonly(
          "name",
          [](const Op &self) {
            return self.get()->getName().getStringRef().str();
          },
          "its name, `uma.graph.conv2d`")
      .def_property_readonly(
          "layer", [](const Op &self) { return getLayerName(self.get()); },
          "name of the layer that it belongs to")
      .def_property_readonly("operands",
                             [](const Op &self) {
                               return toList(self.session,
                                             self.get()->getOperands());
                             })
      .def_property_readonly("results",
                             [](const Op &self) {
                               return toList(self.session,
                                             self.get()->getResults());
                             })
      .def_property_readonly(
          "result",
          [](const Op &self) {
            Operation *op = self.get();
            if (op->getNumResults() != 1)
              throwError("'" + op->getName().getStringRef().str() + "' has " +
                         std::to_string(op->getNumResults()) +
                         " results, `result` is for operations with one");
            return PyValue(self.session, op->getResult(0));
          },
          "its only result")
      .def_property_readonly(
          "parent",
          [](const Op &self) -> py::object {
            Operation *parent = self.get()->getParentOp();
            return parent ? py::cast(Op(self.session, parent)) : py::none();
          },
          "the operation around it; None for a module")
      .def_property_readonly("blocks",
                             [](const Op &self) {
                               py::list list;
                               for (Region &region : self.get()->getRegions())
                                 for (Block &block : region)
                                   list.append(PyBlock{self, &block});
                               return list;
                             })
      .def_property_readonly("regions",
                             [](const Op &self) {
                               py::list regions;
                               for (Region &region : self.get()->getRegions()) {
                                 py::list blocks;
                                 for (Block &block : region)
                                   blocks.append(PyBlock{self, &block});
                                 regions.append(blocks);
                               }
                               return regions;
                             })
      .def(
          "get_attributes",
          [](const Op &self) {
            py::dict dict;
            for (NamedAttribute attribute : self.get()->getAttrDictionary())
              dict[py::str(attribute.getName().str())] =
                  toPython(self.session, attribute.getValue());
            return dict;
          },
          "all attributes, as a new dict")
      .def("get_attribute",
           [](const Op &self, const std::string &name) -> py::object {
             Attribute attribute = self.get()->getAttr(name);
             return attribute ? toPython(self.session, attribute) : py::none();
           })
      .def(
          "set_attribute",
          [](const Op &self, const std::string &name, const py::object &value) {
            Operation *op = self.get();
            ErrorCollector errors(op->getContext());
            Attribute before = op->getAttr(name);
            Attribute attribute = toAttribute(*self.session, value, before);
            NamedAttrList all(op->getAttrDictionary());
            all.set(name, attribute);
            // Unlike setAttr, this checks the types of inherent attributes.
            DictionaryAttr old = op->getAttrDictionary();
            auto emitError = [&] { return op->emitOpError(); };
            auto registered = op->getRegisteredInfo();
            if (registered && op->getPropertiesStorageSize() != 0 &&
                failed(registered->setOpPropertiesFromAttribute(
                    *registered, op->getPropertiesStorage(),
                    all.getDictionary(op->getContext()), emitError))) {
              op->setAttrs(old);
              errors.raise("the attribute '" + name + "' has no value like " +
                           print(attribute));
            }
            op->setAttr(name, attribute);
          })
      .def("remove_attribute",
           [](const Op &self, const std::string &name) {
             Operation *op = self.get();
             // Accessors rely on them, also on those with a default.
             if (llvm::is_contained(op->getName().getAttributeNames(), name))
               throwError("the attribute '" + name + "' belongs to '" +
                          op->getName().getStringRef().str() +
                          "' and cannot be removed; set it to another value");
             return bool(op->removeAttr(name));
           })
      .def("set_operand",
           [](const Op &self, unsigned index, const PyValue &value) {
             Operation *op = self.get();
             if (index >= op->getNumOperands())
               throw py::index_error(
                   "'" + op->getName().getStringRef().str() + "' has " +
                   std::to_string(op->getNumOperands()) + " operands");
             op->setOperand(index, value.get());
           })
      .def("erase", &eraseOp,
           "Removes the operation, whose results must have no uses.")
      .def("replace", &replaceOp,
           "Replaces the results by values of the same types, and removes the "
           "operation.")
      .def("move_before",
           [](const Op &self, const Op &other) {
             Operation *op = self.get(), *where = other.get();
             if (!where->getBlock() || !op->getBlock() || op->isAncestor(where))
               throwError("'" + op->getName().getStringRef().str() +
                          "' cannot be moved there");
             op->moveBefore(where);
           })
      .def(
          "walk",
          [](const Op &self) {
            py::list list;
            self.get()->walk([&](Operation *op) {
              if (op != self.get())
                list.append(Op(self.session, op));
            });
            return list;
          },
          "all operations in it, inner ones before outer ones, as a list: "
          "changes while it is walked do not matter")
      .def("verify",
           [](const Op &self) {
             ErrorCollector errors(self.get()->getContext());
             if (failed(mlir::verify(self.get())))
               errors.raise("the operation is not valid");
           })
      .def_property_readonly(
          "target", &getTarget,
          "the accelerator of the function that it is in or is, as a pair of "
          "its name and its attributes; None for the CPU")
      .def_property_readonly(
          "is_valid", [](const Op &self) { return self.target->op != nullptr; },
          "False once it was erased or its pass has ended")
      .def("__eq__", [](const Op &self,
                        const Op &other) { return self.get() == other.get(); })
      .def("__hash__",
           [](const Op &self) {
             return static_cast<size_t>(llvm::hash_value(self.get()));
           })
      .def("__str__", [](const Op &self) { return printOp(self.get()); });
}

static void defineValue(py::module_ &module) {
  py::class_<PyValue>(module, "Value",
                      "A result of an operation or an argument of a block.")
      .def_property_readonly("type",
                             [](const PyValue &self) {
                               return PyType{self.owner.session,
                                             self.get().getType()};
                             })
      .def_property_readonly(
          "owner",
          [](const PyValue &self) -> py::object {
            Operation *op = self.get().getDefiningOp();
            return op ? py::cast(PyOperation(self.owner.session, op))
                      : py::none();
          },
          "the operation that computes it; None for an argument")
      .def_property_readonly(
          "index",
          [](const PyValue &self) -> unsigned {
            Value value = self.get();
            if (auto argument = dyn_cast<BlockArgument>(value))
              return argument.getArgNumber();
            return cast<OpResult>(value).getResultNumber();
          },
          "its number among the results or arguments")
      .def_property_readonly(
          "uses",
          [](const PyValue &self) {
            py::list list;
            for (OpOperand &use : self.get().getUses())
              list.append(py::make_tuple(
                  PyOperation(self.owner.session, use.getOwner()),
                  use.getOperandNumber()));
            return list;
          },
          "pairs of an operation and the number of its operand")
      .def("array", &getArray,
           "the elements of a constant as a new NumPy array; None if it is no "
           "constant")
      .def("replace_all_uses_with",
           [](const PyValue &self, const PyValue &other) {
             if (self.get().getType() != other.get().getType())
               throwError("a value of " + print(self.get().getType()) +
                          " cannot be replaced by one of " +
                          print(other.get().getType()));
             if (self.get() != other.get())
               self.get().replaceAllUsesWith(other.get());
           })
      .def("__eq__",
           [](const PyValue &self, const PyValue &other) {
             return self.get() == other.get();
           })
      .def("__hash__",
           [](const PyValue &self) {
             return static_cast<size_t>(
                 llvm::hash_value(self.get().getAsOpaquePointer()));
           })
      .def("__str__", [](const PyValue &self) { return print(self.get()); });
}

static void defineTypes(py::module_ &module) {
  py::class_<PyType>(module, "Type")
      .def_property_readonly(
          "shape",
          [](const PyType &self) -> py::object {
            auto type = dyn_cast<ShapedType>(self.get());
            if (!type || !type.hasRank())
              return py::none();
            return py::cast(type.getShape().vec());
          },
          "the sizes of a tensor or buffer, or None")
      .def_property_readonly(
          "element",
          [](const PyType &self) {
            return print(getElementTypeOrSelf(self.get()));
          },
          "the type of elements as MLIR writes it: `f32`")
      .def("__eq__",
           [](const PyType &self, const PyType &other) {
             return self.get() == other.get();
           })
      .def("__hash__",
           [](const PyType &self) {
             return static_cast<size_t>(
                 llvm::hash_value(self.get().getAsOpaquePointer()));
           })
      .def("__str__", [](const PyType &self) { return print(self.get()); });
  py::class_<PyAttribute>(module, "Attribute",
                          "An attribute that has no counterpart in Python.")
      .def("array", [](const PyAttribute &self) { return toArray(self.get()); })
      .def("__eq__",
           [](const PyAttribute &self, const PyAttribute &other) {
             return self.get() == other.get();
           })
      .def("__hash__",
           [](const PyAttribute &self) {
             return static_cast<size_t>(
                 llvm::hash_value(self.get().getAsOpaquePointer()));
           })
      .def("__str__",
           [](const PyAttribute &self) { return print(self.get()); });
}

/// A context for questions about operators; it lives as long as the process.
static MLIRContext &getGraphContext() {
  static auto *context = [] {
    auto *created = new MLIRContext(MLIRContext::Threading::DISABLED);
    created->loadDialect<UMADialect>();
    return created;
  }();
  return *context;
}

std::vector<std::string> uma::python::getGraphOperators() {
  std::vector<std::string> names;
  for (RegisteredOperationName op :
       getGraphContext().getRegisteredOperations()) {
    StringRef name = op.getStringRef();
    if (name.consume_front("uma.graph."))
      names.push_back(name.str());
  }
  return names;
}

std::vector<std::string>
uma::python::getGraphAttributes(const std::string &name) {
  std::vector<std::string> names;
  if (auto op = RegisteredOperationName::lookup("uma.graph." + name,
                                                &getGraphContext()))
    for (StringAttr attribute : op->getAttributeNames())
      names.push_back(attribute.str());
  return names;
}

void uma::python::defineIR(py::module_ &module) {
  defineTypes(module);
  defineOperation(module);
  defineValue(module);
  defineBuilder(module);
  defineSchedule(module);
}
