//===- InputTypes.cpp - Types of a model's inputs -------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"

#include "uma/Import/ONNX/TensorFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace uma;
using namespace uma::importer;

llvm::Expected<InputShape> uma::parseInputShape(StringRef text) {
  auto [name, sizes] = text.rsplit('=');
  InputShape result{name.str(), {}};
  SmallVector<StringRef> parts;
  sizes.split(parts, 'x');
  bool isValid = text.contains('=') && !name.empty();
  for (StringRef part : parts) {
    int64_t size = 0;
    isValid &= !part.getAsInteger(10, size) && size > 0;
    result.second.push_back(size);
  }
  if (isValid)
    return result;
  return llvm::createStringError(
      "the shape " + quote(text) +
      " is invalid; expected an input's name and its positive sizes, "
      "e.g. image=1x3x32x32");
}

LogicalResult importer::checkInputOptions(ImportErrors &errors,
                                          ArrayRef<StringRef> inputs,
                                          const ONNXImportOptions &options) {
  auto getNames = [](const auto &entries) {
    return llvm::map_to_vector(
        entries, [](const auto &entry) -> StringRef { return entry.first; });
  };
  return success(succeeded(checkInputNames(errors, "shape", inputs,
                                           getNames(options.shapes))) &&
                 succeeded(checkInputNames(errors, "constant", inputs,
                                           getNames(options.constants))));
}

FailureOr<HostTensor>
importer::readInputConstant(MLIRContext *context, ImportErrors &errors,
                            const onnx::ValueInfoProto &input,
                            ArrayRef<InputShape> shapes, StringRef path) {
  std::string what = "input " + quote(input.name()) + ": ";
  auto report = [&](llvm::Error error) {
    return errors.badInput(what + llvm::toString(std::move(error)));
  };
  // A file that contains its shape closes open dimensions. Its type and fixed
  // sizes are compared with the declaration.
  std::vector<InputShape> known = shapes;
  auto typed = readTypedTensor(path, context);
  if (!typed)
    return report(typed.takeError());
  bool isKnown = llvm::any_of(shapes, [&](const InputShape &entry) {
    return entry.first == input.name();
  });
  if (*typed && !isKnown)
    known.emplace_back(input.name(), (*typed)->getShape().vec());
  FailureOr<RankedTensorType> type =
      getInputType(context, errors, input, known, /*allowEmpty=*/true);
  if (failed(type))
    return failure();
  auto tensor = readTensor(path, *type);
  if (!tensor)
    return report(tensor.takeError());
  return *tensor;
}

namespace {
/// Sizes of the dimensions that have a name. An input may share the name, and
/// so the size, with others.
class NamedDims {
public:
  /// Adds the dimensions of an input of a given shape.
  void add(const onnx::ValueInfoProto &input, ArrayRef<int64_t> shape) {
    const auto &declared = input.type().tensor_type().shape();
    if (size_t(declared.dim_size()) != shape.size())
      return;
    for (auto [dim, size] : llvm::zip_equal(declared.dim(), shape)) {
      // Two sizes of one name leave it unknown.
      auto [it, inserted] = sizes.try_emplace(dim.dim_param(), size);
      if (!inserted && it->second != size)
        it->second = 0;
    }
  }

  /// Returns the shape of an input if some dimensions are open and the names of
  /// all of these are known.
  std::optional<SmallVector<int64_t>>
  complete(const onnx::ValueInfoProto &input) const {
    SmallVector<int64_t> shape;
    bool isOpen = false;
    for (const auto &dim : input.type().tensor_type().shape().dim()) {
      int64_t size = dim.dim_value();
      if (!dim.dim_param().empty()) {
        isOpen = true;
        size = sizes.lookup(dim.dim_param());
      }
      if (size <= 0)
        return std::nullopt;
      shape.push_back(size);
    }
    return isOpen ? std::optional(shape) : std::nullopt;
  }

private:
  llvm::StringMap<int64_t> sizes;
};
} // namespace

std::vector<InputShape>
importer::completeShapes(MLIRContext *context,
                         ArrayRef<const onnx::ValueInfoProto *> inputs,
                         const ONNXImportOptions &options) {
  std::vector<InputShape> shapes = options.shapes;
  llvm::StringMap<const onnx::ValueInfoProto *> open;
  for (const onnx::ValueInfoProto *input : inputs)
    open[input->name()] = input;
  NamedDims dims;
  for (const InputShape &entry : shapes)
    if (const auto *input = open.lookup(entry.first)) {
      dims.add(*input, entry.second);
      open.erase(entry.first);
    }
  for (const auto &[name, path] : options.constants)
    if (const auto *input = open.lookup(name)) {
      auto tensor = readTypedTensor(path, context);
      if (tensor && *tensor)
        dims.add(*input, (*tensor)->getShape());
      else // readInputConstant reports it
        llvm::consumeError(tensor.takeError());
      open.erase(name);
    }
  for (const onnx::ValueInfoProto *input : inputs)
    if (open.contains(input->name()))
      if (auto shape = dims.complete(*input))
        shapes.emplace_back(input->name(),
                            std::vector<int64_t>(shape->begin(), shape->end()));
  return shapes;
}

/// Reports an input with open dimensions and suggests an option --shape.
static LogicalResult reportOpenDims(ImportErrors &errors, const Twine &what,
                                    StringRef name,
                                    const onnx::TensorShapeProto &shape) {
  SmallVector<std::string> open;
  SmallVector<int64_t> example;
  bool hasZero = false;
  for (auto [index, dim] : llvm::enumerate(shape.dim())) {
    bool isKnown = dim.has_dim_value() && dim.dim_value() > 0;
    example.push_back(isKnown ? dim.dim_value() : 1);
    hasZero |= dim.has_dim_value() && dim.dim_value() == 0;
    if (!isKnown)
      open.push_back(
          std::to_string(index) +
          (dim.dim_param().empty() ? "" : " (" + quote(dim.dim_param()) + ")"));
  }
  return errors.badInput(
      what + ": the size of dimension" + (open.size() > 1 ? "s " : " ") +
      llvm::join(open, ", ") +
      (hasZero ? " is not known (some exporters write 0 for that)"
               : " is not known") +
      "; give the input's shape, e.g. --shape " + name + "=" +
      formatShape(example) +
      (hasZero ? "; an input without elements has to be a constant (--const)"
               : ""));
}

FailureOr<RankedTensorType>
importer::getInputType(MLIRContext *context, ImportErrors &errors,
                       const onnx::ValueInfoProto &input,
                       ArrayRef<InputShape> shapes, bool allowEmpty) {
  std::string what = "input " + quote(input.name());
  if (!input.has_type() ||
      input.type().value_case() == onnx::TypeProto::VALUE_NOT_SET)
    return errors.badInput(what + " has no type");
  if (!input.type().has_tensor_type())
    return errors.notSupported(what + " is no tensor, which is not supported");
  const auto &type = input.type().tensor_type();
  const auto *given = llvm::find_if(shapes, [&](const InputShape &entry) {
    return entry.first == input.name();
  });
  bool isGiven = given != shapes.end();
  if (!type.has_shape() && !isGiven)
    return errors.badInput(what +
                           ": the shape is not known; give it, e.g. "
                           "--shape " +
                           input.name() + "=1x3x32x32");

  SmallVector<int64_t> sizes;
  if (isGiven)
    sizes.assign(given->second.begin(), given->second.end());
  if (type.has_shape()) {
    int64_t rank = type.shape().dim_size();
    if (isGiven && int64_t(sizes.size()) != rank)
      return errors.badInput(
          what + " has " + Twine(rank) + " dimensions, but the given shape " +
          formatShape(sizes) + " has " + Twine(sizes.size()));
    bool isOpen = false;
    for (auto [index, dim] : llvm::enumerate(type.shape().dim())) {
      // Some exporters write 0 for an unknown size.
      bool isFixed = dim.has_dim_value() && dim.dim_value() != 0;
      if (isFixed && dim.dim_value() < 0 && !isGiven)
        return errors.badInput(what + " has the negative size " +
                               Twine(dim.dim_value()) + " in dimension " +
                               Twine(index));
      if (!isGiven)
        sizes.push_back(isFixed ? dim.dim_value() : 1);
      else if (isFixed && dim.dim_value() != sizes[index])
        return errors.badInput(what + ": the given shape " +
                               formatShape(sizes) + " changes dimension " +
                               Twine(index) + ", which the model fixes to " +
                               Twine(dim.dim_value()));
      isOpen |= !isFixed;
    }
    if (isOpen && !isGiven)
      return reportOpenDims(errors, what, input.name(), type.shape());
  }
  return getTensorType(context, errors, what, type.elem_type(), sizes,
                       allowEmpty);
}
