//===- Builder.cpp - Building operations in Python
//-------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IR.h"

#include "uma/Support/DidYouMean.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Parser/Parser.h"

#include <pybind11/stl.h>

#include <cstddef>

namespace py = pybind11;
using namespace mlir;
using namespace uma;
using namespace uma::python;

namespace {
/// Builds operations at a place: before or after one, or at the end of a block.
struct PyBuilder {
  SessionPtr session;
  std::optional<PyOperation> anchor;
  bool isAfter = false;
  std::optional<PyBlock> block;

  OpBuilder get(Location &loc) const {
    OpBuilder builder(session->getContext());
    loc = builder.getUnknownLoc();
    if (anchor) {
      Operation *op = anchor->get();
      if (!op->getBlock())
        throwError("nothing can be built beside the module itself");
      loc = op->getLoc();
      if (isAfter)
        builder.setInsertionPointAfter(op);
      else
        builder.setInsertionPoint(op);
      return builder;
    }
    Block *end = block->get();
    if (!end->empty() && end->back().hasTrait<OpTrait::IsTerminator>())
      builder.setInsertionPoint(&end->back());
    else
      builder.setInsertionPointToEnd(end);
    return builder;
  }
};
} // namespace

static std::string suggestOp(MLIRContext *context, StringRef name) {
  SmallVector<StringRef> known;
  for (RegisteredOperationName other : context->getRegisteredOperations())
    known.push_back(other.getStringRef());
  return didYouMean(name, known);
}

/// Raises an error unless an operation with a fixed number of operands gets
/// that many: the inference of types relies on it.
static void checkOperandCount(RegisteredOperationName op, size_t count) {
  auto check = [&](size_t wanted, bool isFixed) {
    if (isFixed && count != wanted)
      throwError("'" + op.getStringRef().str() + "' has " +
                 std::to_string(wanted) + " operands, found " +
                 std::to_string(count));
  };
  auto checkLeast = [&](size_t wanted, bool isLeast) {
    if (isLeast && count < wanted)
      throwError("'" + op.getStringRef().str() + "' has at least " +
                 std::to_string(wanted) + " operands, found " +
                 std::to_string(count));
  };
  check(0, op.hasTrait<OpTrait::ZeroOperands>());
  check(1, op.hasTrait<OpTrait::OneOperand>());
  check(2, op.hasTrait<OpTrait::NOperands<2>::Impl>());
  check(3, op.hasTrait<OpTrait::NOperands<3>::Impl>());
  check(4, op.hasTrait<OpTrait::NOperands<4>::Impl>());
  check(5, op.hasTrait<OpTrait::NOperands<5>::Impl>());
  checkLeast(1, op.hasTrait<OpTrait::AtLeastNOperands<1>::Impl>());
  checkLeast(2, op.hasTrait<OpTrait::AtLeastNOperands<2>::Impl>());
  checkLeast(3, op.hasTrait<OpTrait::AtLeastNOperands<3>::Impl>());
  checkLeast(4, op.hasTrait<OpTrait::AtLeastNOperands<4>::Impl>());
}

/// Adds an operation that was built, or raises why it is none.
static PyOperation insert(PyBuilder &self, OpBuilder &builder, Operation *op,
                          const ErrorCollector &errors) {
  builder.insert(op);
  if (failed(verify(op, /*verifyRecursively=*/true))) {
    std::string name = op->getName().getStringRef().str();
    op->erase();
    errors.raise("'" + name + "' is not valid");
  }
  // Further operations follow this one.
  if (self.anchor && self.isAfter)
    self.anchor = PyOperation(self.session, op);
  return {self.session, op};
}

static PyOperation create(PyBuilder &self, const std::string &name,
                          const std::vector<PyValue> &operands,
                          const py::dict &attributes,
                          const std::optional<std::vector<PyType>> &types,
                          const std::string &layer) {
  Location loc = UnknownLoc::get(self.session->getContext());
  OpBuilder builder = self.get(loc);
  MLIRContext *context = builder.getContext();
  if (!layer.empty())
    loc = NameLoc::get(builder.getStringAttr(layer));
  std::optional<RegisteredOperationName> registered =
      RegisteredOperationName::lookup(name, context);
  if (!registered)
    throwError("there is no operation '" + name + "'" +
               suggestOp(context, name));
  checkOperandCount(*registered, operands.size());
  OperationState state(loc, name);
  for (const PyValue &operand : operands)
    state.operands.push_back(operand.get());
  for (auto [key, value] : attributes)
    state.addAttribute(py::cast<std::string>(py::str(key)),
                       toAttribute(*self.session, value));
  ErrorCollector errors(context);
  if (types) {
    for (const PyType &type : *types)
      state.types.push_back(type.get());
  } else if (auto *infer = registered->getInterface<InferTypeOpInterface>()) {
    // Inference reads defaults and attributes from the properties.
    OperationState copy(loc, name);
    copy.operands = state.operands;
    auto storage = std::make_unique<std::max_align_t[]>(
        registered->getOpPropertyByteSize() / sizeof(std::max_align_t) + 1);
    OpaqueProperties properties(storage.get());
    registered->initOpProperties(properties, nullptr);
    auto emitError = [&] { return mlir::emitError(loc); };
    DictionaryAttr dictionary = state.attributes.getDictionary(context);
    bool isDone = (registered->getOpPropertyByteSize() == 0 ||
                   succeeded(registered->setOpPropertiesFromAttribute(
                       *registered, properties, dictionary, emitError))) &&
                  succeeded(infer->inferReturnTypes(
                      context, loc, state.operands, dictionary, properties, {},
                      state.types));
    registered->destroyOpProperties(properties);
    if (!isDone)
      errors.raise("the type of the result of '" + name +
                   "' cannot be inferred");
  }
  Operation *op = Operation::create(state);
  return insert(self, builder, op, errors);
}

static Type parseTypeText(const SessionPtr &session, const std::string &text) {
  ErrorCollector errors(session->getContext());
  Type type = parseType(text, session->getContext());
  if (!type)
    errors.raise("'" + text + "' is no type");
  return type;
}

/// Makes values the results of a `func.func`.
static void setResults(const PyOperation &self,
                       const std::vector<PyValue> &values) {
  auto function = dyn_cast<func::FuncOp>(self.get());
  if (!function || function.empty())
    throwError("results are those of a func.func");
  SmallVector<Value> results;
  for (const PyValue &value : values)
    results.push_back(value.get());
  function.front().getTerminator()->setOperands(results);
  function.setFunctionType(
      FunctionType::get(self.get()->getContext(), function.getArgumentTypes(),
                        llvm::to_vector(ValueRange(results).getTypes())));
}

void uma::python::defineBuilder(py::module_ &module) {
  py::class_<PyBlock>(module, "Block")
      .def_property_readonly("arguments",
                             [](const PyBlock &self) {
                               return toList(self.parent.session,
                                             self.get()->getArguments());
                             })
      .def_property_readonly("operations",
                             [](const PyBlock &self) {
                               py::list list;
                               for (Operation &op : *self.get())
                                 list.append(
                                     PyOperation(self.parent.session, &op));
                               return list;
                             })
      .def_property_readonly("parent",
                             [](const PyBlock &self) { return self.parent; });
  py::class_<PyBuilder>(module, "Builder",
                        "Builds operations before or after one, or at the end "
                        "of a block, before its terminator.")
      .def_static("before",
                  [](const PyOperation &op) {
                    op.get();
                    return PyBuilder{op.session, op, false, std::nullopt};
                  })
      .def_static("after",
                  [](const PyOperation &op) {
                    op.get();
                    return PyBuilder{op.session, op, true, std::nullopt};
                  })
      .def_static("at_end",
                  [](const PyBlock &block) {
                    block.get();
                    return PyBuilder{block.parent.session, std::nullopt, false,
                                     block};
                  })
      .def("create", &create, py::arg("name"),
           py::arg("operands") = std::vector<PyValue>(),
           py::arg("attributes") = py::dict(), py::arg("types") = py::none(),
           py::arg("layer") = "",
           "Builds an operation and verifies it. Operators of uma.graph infer "
           "the types of their results. It belongs to the layer that the "
           "operation beside it does, unless `layer` names another one.")
      .def(
          "parse",
          [](PyBuilder &self, const std::string &text) {
            Location loc = UnknownLoc::get(self.session->getContext());
            OpBuilder builder = self.get(loc);
            ErrorCollector errors(builder.getContext());
            OwningOpRef<Operation *> op = parseSourceString(
                text, ParserConfig(builder.getContext()), "<text>");
            if (!op)
              errors.raise("the text is no operation");
            return insert(self, builder, op.release(), errors);
          },
          "Builds an operation from text. It must use no value from around it.")
      .def("type", [](const PyBuilder &self, const std::string &text) {
        return PyType{self.session, parseTypeText(self.session, text)};
      });
  module.def("set_results", &setResults);
}
