//===- Attributes.cpp - Attributes as Python values -----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "IR.h"

#include "uma/Support/HostTensor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <pybind11/numpy.h>

namespace py = pybind11;
using namespace mlir;
using namespace uma;
using namespace uma::python;

/// NumPy's names of element types.
static const std::pair<const char *, const char *> kDTypes[] = {
    {"f16", "float16"}, {"f32", "float32"}, {"f64", "float64"},
    {"i1", "bool"},     {"i8", "int8"},     {"i16", "int16"},
    {"i32", "int32"},   {"i64", "int64"},   {"ui8", "uint8"},
    {"ui16", "uint16"}, {"ui32", "uint32"}, {"ui64", "uint64"},
    {"si8", "int8"},    {"si16", "int16"},  {"si32", "int32"},
    {"si64", "int64"},  {"bf16", "uint16"}};

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

py::object uma::python::toArray(Attribute attribute) {
  auto elements = dyn_cast_or_null<ElementsAttr>(attribute);
  if (!elements)
    return py::none();
  FailureOr<HostTensor> tensor = HostTensor::fromAttribute(elements);
  if (failed(tensor))
    return py::none();
  std::string element = print(tensor->getElementType());
  for (auto [ours, numpys] : kDTypes)
    if (element == ours) {
      ArrayRef<int64_t> shape = tensor->getShape();
      py::array array(py::dtype(numpys),
                      std::vector<py::ssize_t>(shape.begin(), shape.end()));
      std::memcpy(array.mutable_data(), tensor->getBytes().data(),
                  tensor->getBytes().size());
      return std::move(array);
    }
  return py::none();
}

static Attribute fromArray(MLIRContext *context, const py::array &given) {
  // The C order of elements.
  auto array = py::cast<py::array>(
      py::module_::import("numpy").attr("ascontiguousarray")(given));
  auto dtype = py::cast<std::string>(py::str(array.dtype()));
  Builder builder(context);
  Type element;
  if (dtype == "bool")
    element = builder.getI1Type();
  else if (dtype == "float16")
    element = builder.getF16Type();
  else if (dtype == "float32")
    element = builder.getF32Type();
  else if (dtype == "float64")
    element = builder.getF64Type();
  else if (StringRef(dtype).starts_with("int"))
    element = builder.getIntegerType(8 * array.itemsize());
  else if (StringRef(dtype).starts_with("uint"))
    element = builder.getIntegerType(8 * array.itemsize(), /*isSigned=*/false);
  else
    throwError("a constant has elements of the dtype " + dtype +
               ", expected bool, float16, float32, float64 or integers");
  // ascontiguousarray makes a vector of a scalar.
  SmallVector<int64_t> shape(given.shape(), given.shape() + given.ndim());
  HostTensor tensor(
      RankedTensorType::get(shape, element),
      ArrayRef(static_cast<const char *>(array.data()), array.nbytes()));
  return tensor.toAttribute("python");
}

py::object uma::python::toPython(const SessionPtr &session,
                                 Attribute attribute) {
  if (auto value = dyn_cast<BoolAttr>(attribute))
    return py::bool_(value.getValue());
  if (auto value = dyn_cast<IntegerAttr>(attribute);
      value && value.getValue().getSignificantBits() <= 64) {
    if (value.getType().isUnsignedInteger())
      return py::int_(value.getValue().getZExtValue());
    return py::int_(value.getValue().getSExtValue());
  }
  if (auto value = dyn_cast<FloatAttr>(attribute))
    return py::float_(value.getValueAsDouble());
  if (auto value = dyn_cast<StringAttr>(attribute))
    return py::str(value.getValue().str());
  if (auto value = dyn_cast<TypeAttr>(attribute))
    return py::cast(PyType{session, value.getValue()});
  auto toList = [](auto values) {
    py::list list;
    for (auto value : values)
      list.append(value);
    return list;
  };
  if (auto values = dyn_cast<DenseI64ArrayAttr>(attribute))
    return toList(values.asArrayRef());
  if (auto values = dyn_cast<DenseI32ArrayAttr>(attribute))
    return toList(values.asArrayRef());
  if (auto values = dyn_cast<DenseF64ArrayAttr>(attribute))
    return toList(values.asArrayRef());
  if (auto values = dyn_cast<ArrayAttr>(attribute)) {
    py::list list;
    for (Attribute value : values)
      list.append(toPython(session, value));
    return std::move(list);
  }
  if (auto values = dyn_cast<DictionaryAttr>(attribute)) {
    py::dict dict;
    for (NamedAttribute value : values)
      dict[py::str(value.getName().str())] =
          toPython(session, value.getValue());
    return std::move(dict);
  }
  return py::cast(PyAttribute{session, attribute});
}

/// Returns the elements of a list if all have the type T of Python.
template <typename PyT, typename T>
static std::optional<SmallVector<T>> getAll(const py::sequence &list) {
  SmallVector<T> values;
  for (py::handle value : list) {
    if (!py::isinstance<PyT>(value) || py::isinstance<py::bool_>(value))
      return std::nullopt;
    values.push_back(py::cast<T>(value));
  }
  return values;
}

static Attribute toAttribute(Session &session, const py::sequence &list,
                             Attribute like) {
  Builder builder(session.getContext());
  if (!isa_and_present<ArrayAttr>(like)) {
    if (isa_and_present<DenseF64ArrayAttr>(like)) {
      SmallVector<double> values;
      for (py::handle value : list)
        values.push_back(py::cast<double>(value));
      return builder.getDenseF64ArrayAttr(values);
    }
    if (auto values = getAll<py::int_, int64_t>(list))
      return builder.getDenseI64ArrayAttr(*values);
    if (auto values = getAll<py::float_, double>(list))
      return builder.getDenseF64ArrayAttr(*values);
  }
  SmallVector<Attribute> values;
  for (py::handle value : list)
    values.push_back(toAttribute(session, value, Attribute()));
  return builder.getArrayAttr(values);
}

Attribute uma::python::toAttribute(Session &session, py::handle value,
                                   Attribute like) {
  Builder builder(session.getContext());
  if (py::isinstance<PyAttribute>(value))
    return py::cast<PyAttribute &>(value).get();
  if (py::isinstance<PyType>(value))
    return TypeAttr::get(py::cast<PyType &>(value).get());
  if (py::isinstance<py::bool_>(value))
    return builder.getBoolAttr(py::cast<bool>(value));
  if (py::isinstance<py::array>(value))
    return fromArray(session.getContext(),
                     py::reinterpret_borrow<py::array>(value));
  // NumPy's scalars are numbers, too.
  bool isInteger = PyIndex_Check(value.ptr()) != 0;
  auto typed = dyn_cast_or_null<TypedAttr>(like);
  if (isInteger && !isa_and_present<FloatAttr>(like)) {
    auto number = py::reinterpret_steal<py::int_>(PyNumber_Index(value.ptr()));
    if (!number)
      throw py::error_already_set();
    int overflow = 0;
    long long bits = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0)
      throwError("the integer " + py::cast<std::string>(py::str(value)) +
                 " has more than 64 bits");
    auto type = isa_and_present<IntegerAttr>(like)
                    ? dyn_cast<IntegerType>(typed.getType())
                    : IntegerType();
    if (type && type.getWidth() < 64 && !llvm::isIntN(type.getWidth(), bits) &&
        !llvm::isUIntN(type.getWidth(), bits))
      throwError("the integer " + std::to_string(bits) + " does not fit into " +
                 print(type));
    return type ? builder.getIntegerAttr(type, bits)
                : builder.getI64IntegerAttr(bits);
  }
  if (isInteger || py::isinstance<py::float_>(value))
    return builder.getFloatAttr(
        isa_and_present<FloatAttr>(like) ? typed.getType()
                                         : builder.getF64Type(),
        py::cast<double>(
            py::float_(py::reinterpret_borrow<py::object>(value))));
  if (py::isinstance<py::str>(value))
    return builder.getStringAttr(py::cast<std::string>(value));
  if (py::isinstance<py::dict>(value)) {
    NamedAttrList attributes;
    for (auto [key, entry] : py::reinterpret_borrow<py::dict>(value))
      attributes.set(py::cast<std::string>(py::str(key)),
                     toAttribute(session, entry));
    return attributes.getDictionary(session.getContext());
  }
  if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value))
    return ::toAttribute(session, py::reinterpret_borrow<py::sequence>(value),
                         like);
  throwError("an attribute cannot hold a value of the type " +
             py::cast<std::string>(py::type::of(value).attr("__name__")) +
             "; expected a bool, int, float, str, list, dict, NumPy array, "
             "Type or Attribute");
}
