//===- Inference.cpp - Checks shared by shape inference -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Inference.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace uma;
using namespace uma::graph;

//===----------------------------------------------------------------------===//
// GraphOps.h
//===----------------------------------------------------------------------===//

FailureOr<int64_t> graph::normalizeAxis(EmitErrorFn emitError, int64_t axis,
                                        int64_t rank, StringRef name) {
  if (rank == 0)
    return emitError() << name << " is " << axis
                       << ", but the data is a scalar and has no axis";
  if (axis < -rank || axis >= rank)
    return emitError() << name << " is " << axis << ", expected " << -rank
                       << " to " << rank - 1 << " for data of rank " << rank;
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<int64_t>> graph::broadcastShapes(EmitErrorFn emitError,
                                                       ArrayRef<int64_t> lhs,
                                                       ArrayRef<int64_t> rhs,
                                                       StringRef lhsName,
                                                       StringRef rhsName) {
  ArrayRef<int64_t> longer = lhs.size() < rhs.size() ? rhs : lhs;
  ArrayRef<int64_t> shorter = lhs.size() < rhs.size() ? lhs : rhs;
  SmallVector<int64_t> shape(longer);
  // NumPy aligns the last dimensions.
  size_t offset = longer.size() - shorter.size();
  for (auto [dim, size] : llvm::enumerate(shorter)) {
    int64_t &broadcast = shape[offset + dim];
    if (broadcast == 1)
      broadcast = size;
    else if (size != 1 && size != broadcast)
      return emitError() << lhsName << " has shape " << detail::formatShape(lhs)
                         << " and " << rhsName << " has shape "
                         << detail::formatShape(rhs)
                         << ", which do not broadcast: "
                         << "counted from the end, dimension "
                         << shorter.size() - dim << " is "
                         << (lhs.size() < rhs.size() ? size : broadcast)
                         << " and "
                         << (lhs.size() < rhs.size() ? broadcast : size)
                         << ", expected equal sizes or a 1";
  }
  return shape;
}

FusionKind graph::getFusionKind(Operation *op) {
  if (op->hasTrait<Elementwise>())
    return op->getNumOperands() == 1 ? FusionKind::Elementwise
                                     : FusionKind::Broadcast;
  if (op->hasTrait<Fusion<FusionKind::Broadcast>::Impl>())
    return FusionKind::Broadcast;
  if (op->hasTrait<Fusion<FusionKind::Injective>::Impl>())
    return FusionKind::Injective;
  if (op->hasTrait<Fusion<FusionKind::Reduction>::Impl>())
    return FusionKind::Reduction;
  if (op->hasTrait<Fusion<FusionKind::OutElementwise>::Impl>())
    return FusionKind::OutElementwise;
  return FusionKind::Opaque;
}

LogicalResult graph::detail::verifyResultType(Operation *op,
                                              RankedTensorType inferred) {
  Type type = op->getResult(0).getType();
  if (type == inferred)
    return success();
  return op->emitOpError() << "result has type " << type << ", expected "
                           << inferred << " from the operands and attributes";
}

LogicalResult graph::detail::verifyResultTypes(Operation *op,
                                               ArrayRef<Type> inferred) {
  for (auto [index, type, expected] :
       llvm::enumerate(op->getResultTypes(), inferred))
    if (type != expected)
      return op->emitOpError()
             << "result " << index << " has type " << type << ", expected "
             << expected << " from the operands and attributes";
  return success();
}

LogicalResult
graph::detail::inferWithErrors(MLIRContext *context,
                               std::optional<Location> location, StringRef name,
                               function_ref<LogicalResult(EmitErrorFn)> infer) {
  if (location)
    return infer([&] {
      InFlightDiagnostic diagnostic = mlir::emitError(*location);
      diagnostic << "'" << name << "' op ";
      return diagnostic;
    });
  // Inactive diagnostics must not be streamed into. Therefore emit active ones
  // and drop those of this thread only.
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler silence(context, [thread](Diagnostic &) {
    return success(llvm::get_threadid() == thread);
  });
  return infer([&] { return mlir::emitError(UnknownLoc::get(context)); });
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

std::string graph::detail::formatShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text;
}

std::string graph::detail::formatNumber(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

std::optional<int64_t> graph::detail::checkedProduct(ArrayRef<int64_t> sizes) {
  // The product of the other dimensions of an empty tensor must not overflow
  // either, because other code may multiply them one by one.
  int64_t product = 1;
  for (int64_t size : sizes)
    if (size < 0 ||
        llvm::MulOverflow(product, std::max<int64_t>(size, 1), product))
      return std::nullopt;
  return llvm::is_contained(sizes, 0) ? 0 : product;
}

/// Returns whether a tensor of this shape has fewer than 2^63 bytes.
static bool fitsMemory(ArrayRef<int64_t> shape, Type elementType) {
  SmallVector<int64_t> sizes(shape);
  sizes.push_back(llvm::divideCeil(
      getStorageElementType(elementType).getIntOrFloatBitWidth(), 8));
  return graph::detail::checkedProduct(sizes).has_value();
}

FailureOr<RankedTensorType> graph::detail::getTensor(EmitErrorFn emitError,
                                                     Value operand,
                                                     const Twine &name,
                                                     Elements elements) {
  auto type = dyn_cast<RankedTensorType>(operand.getType());
  bool isKnown = type && type.hasStaticShape() &&
                 (type.getElementType().isIntOrFloat() ||
                  isQuantized(type.getElementType()));
  if (!isKnown)
    return emitError() << name << " has type " << operand.getType()
                       << ", expected a tensor of integers or floats whose "
                          "shape is known";
  bool takesFloat8 =
      elements == Elements::WithFloat8 || elements == Elements::Moved;
  if (isa<FloatType>(type.getElementType()) && !takesFloat8 &&
      type.getElementType().getIntOrFloatBitWidth() < 16)
    return emitError() << name << " has type " << type
                       << ", expected integers or floats of at least 16 bits; "
                          "cast it first";
  if (isQuantized(type.getElementType())) {
    if (elements == Elements::Plain || elements == Elements::WithFloat8)
      return emitError() << name << " has type " << type
                         << ", expected integers or floats; dequantize it "
                            "first";
    Quantization quantization = Quantization::of(type.getElementType());
    if (elements != Elements::WithQuantized && quantization.axis)
      return emitError() << name << " has type " << type
                         << ", expected one scale for the tensor";
    if (quantization.axis &&
        (*quantization.axis < 0 || *quantization.axis >= type.getRank() ||
         type.getDimSize(*quantization.axis) !=
             int64_t(quantization.scales.size())))
      return emitError() << name << " has type " << type << " with "
                         << quantization.scales.size()
                         << " scales, expected one for each index of axis "
                         << *quantization.axis;
  }
  if (!fitsMemory(type.getShape(), type.getElementType()))
    return emitError() << name << " has type " << type
                       << ", expected fewer than 2^63 bytes";
  return type;
}

FailureOr<RankedTensorType>
graph::detail::getTensorOfRank(EmitErrorFn emitError, Value operand,
                               const Twine &name, int64_t rank, StringRef what,
                               Elements elements) {
  FailureOr<RankedTensorType> type =
      getTensor(emitError, operand, name, elements);
  if (failed(type))
    return failure();
  if (type->getRank() != rank)
    return emitError() << name << " has shape " << formatShape(type->getShape())
                       << " of rank " << type->getRank() << ", expected rank "
                       << rank << " (" << what << ")";
  return type;
}

FailureOr<RankedTensorType> graph::detail::makeResult(EmitErrorFn emitError,
                                                      ArrayRef<int64_t> shape,
                                                      Type elementType) {
  if (!fitsMemory(shape, elementType))
    return emitError() << "result would have shape " << formatShape(shape)
                       << " of " << elementType
                       << ", expected fewer than 2^63 bytes";
  return RankedTensorType::get(shape, elementType);
}

LogicalResult graph::detail::checkElementType(EmitErrorFn emitError,
                                              const Twine &name,
                                              RankedTensorType type,
                                              const Twine &reference,
                                              Type expected) {
  if (type.getElementType() == expected)
    return success();
  return emitError() << name << " has element type " << type.getElementType()
                     << ", expected " << expected << " as " << reference;
}

LogicalResult graph::detail::checkIndices(EmitErrorFn emitError, StringRef name,
                                          RankedTensorType type) {
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (element && !element.isUnsigned() && element.getWidth() > 1)
    return success();
  return emitError() << name << " has element type " << type.getElementType()
                     << ", expected a signed integer type such as i64";
}

LogicalResult graph::detail::checkFloat(EmitErrorFn emitError, StringRef name,
                                        RankedTensorType type) {
  if (isa<FloatType>(type.getElementType()))
    return success();
  return emitError() << name << " has element type " << type.getElementType()
                     << ", expected a float type; cast it first";
}

LogicalResult graph::detail::checkVectorAlongAxis(EmitErrorFn emitError,
                                                  Value operand, StringRef name,
                                                  RankedTensorType data,
                                                  int64_t axis) {
  FailureOr<RankedTensorType> vector =
      getTensor(emitError, operand, name, Elements::WithQuantized);
  if (failed(vector))
    return failure();
  if (vector->getRank() != 1 || vector->getDimSize(0) != data.getDimSize(axis))
    return emitError() << name << " has shape "
                       << formatShape(vector->getShape()) << ", expected "
                       << data.getDimSize(axis) << ", the size of data along "
                       << "axis " << axis;
  Type expected = data.getElementType();
  if (auto perAxis = dyn_cast<quant::UniformQuantizedPerAxisType>(expected)) {
    if (perAxis.getQuantizedDimension() != axis)
      return emitError() << "data has a scale for each index of axis "
                         << perAxis.getQuantizedDimension() << ", expected "
                         << axis << ", the axis of " << name;
    // The vector has one axis.
    expected = withAxis(perAxis, 0);
  }
  return checkElementType(emitError, name, *vector, "data", expected);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

LogicalResult graph::detail::checkSizes(EmitErrorFn emitError, StringRef name,
                                        ArrayRef<int64_t> sizes, size_t count,
                                        int64_t minimum, StringRef what) {
  if (sizes.size() != count)
    return emitError() << name << " has " << sizes.size()
                       << (sizes.size() == 1 ? " element" : " elements")
                       << ", expected " << count << " (" << what << ")";
  for (auto [index, size] : llvm::enumerate(sizes))
    if (size < minimum)
      return emitError() << name << "[" << index << "] is " << size
                         << ", expected at least " << minimum;
  return success();
}

LogicalResult graph::detail::checkElementValue(EmitErrorFn emitError,
                                               StringRef name, double value,
                                               Type elementType) {
  auto type = dyn_cast<IntegerType>(elementType);
  if (!type)
    return success();
  // Signless integers are signed, but i1 is ONNX's bool: 0 and 1.
  unsigned width = type.getWidth();
  bool isUnsigned = type.isUnsigned() || width == 1;
  double low = isUnsigned ? 0 : -std::ldexp(1.0, width - 1);
  double end = std::ldexp(1.0, isUnsigned ? width : width - 1);
  if (value == std::trunc(value) && value >= low && value < end)
    return success();
  return emitError() << name << " is " << formatNumber(value)
                     << ", expected a whole number that fits the data's "
                        "element type "
                     << elementType;
}

/// Formats `names` as `"A", "B" or "C"`.
static std::string quoteChoices(ArrayRef<StringRef> names) {
  std::string text;
  for (auto [index, name] : llvm::enumerate(names))
    text += (index == 0                  ? "\""
             : index + 1 == names.size() ? " or \""
                                         : ", \"") +
            name.str() + "\"";
  return text;
}

/// Returns the layout `name`, which must be one of `names`.
template <typename LayoutT>
static FailureOr<LayoutT> checkLayout(EmitErrorFn emitError, StringRef attr,
                                      StringRef name,
                                      ArrayRef<StringRef> names) {
  if (llvm::is_contained(names, name))
    return *LayoutT::parse(name);
  return emitError() << attr << " is \"" << name << "\", expected "
                     << quoteChoices(names) << didYouMean(name, names);
}

FailureOr<WindowLayout> graph::detail::checkDataLayout(EmitErrorFn emitError,
                                                       StringRef name,
                                                       int64_t rank) {
  if (rank == 3)
    return checkLayout<WindowLayout>(emitError, "data_layout", name,
                                     {"NCDHW", "NDHWC"});
  return checkLayout<WindowLayout>(emitError, "data_layout", name,
                                   {"NCHW", "NHWC"});
}

FailureOr<KernelLayout> graph::detail::checkKernelLayout(EmitErrorFn emitError,
                                                         StringRef name,
                                                         int64_t rank) {
  if (rank == 3)
    return checkLayout<KernelLayout>(emitError, "kernel_layout", name,
                                     {"OIDHW", "ODHWI", "DHWIO"});
  return checkLayout<KernelLayout>(emitError, "kernel_layout", name,
                                   {"OIHW", "OHWI", "HWIO"});
}

LogicalResult graph::detail::checkGroups(EmitErrorFn emitError, int64_t groups,
                                         int64_t inChannels) {
  if (groups < 1)
    return emitError() << "groups is " << groups << ", expected at least 1";
  if (inChannels % groups != 0)
    return emitError() << "groups is " << groups
                       << ", expected a divisor of the " << inChannels
                       << " channels of data";
  return success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

Window graph::detail::makeWindow(ArrayRef<int64_t> input,
                                 ArrayRef<int64_t> kernel,
                                 ArrayRef<int64_t> strides,
                                 ArrayRef<int64_t> padding,
                                 ArrayRef<int64_t> dilations, bool ceilMode) {
  size_t rank = input.size();
  return {SpatialVector(input),
          SpatialVector(kernel),
          SpatialVector(strides),
          SpatialVector(dilations),
          SpatialVector(padding.take_front(rank)),
          SpatialVector(padding.drop_front(rank)),
          ceilMode};
}

/// Returns the name of dimension `dim` of `rank` spatial ones in errors.
static std::string getDimName(int64_t rank, int64_t dim) {
  static constexpr StringLiteral names[] = {"depth", "height", "width"};
  if (rank <= 3)
    return names[3 - rank + dim].str();
  return "size " + std::to_string(dim);
}

LogicalResult graph::detail::checkWindowSizes(EmitErrorFn emitError,
                                              int64_t rank,
                                              ArrayRef<int64_t> strides,
                                              ArrayRef<int64_t> padding,
                                              ArrayRef<int64_t> dilations) {
  StringRef sizes = rank == 2   ? "height and width"
                    : rank == 3 ? "depth, height and width"
                                : "one for each spatial dimension";
  StringRef sides = rank == 2   ? "top, left, bottom and right"
                    : rank == 3 ? "front, top, left, back, bottom and right"
                                : "all begins, then all ends";
  if (failed(checkSizes(emitError, "strides", strides, rank, 1, sizes)) ||
      failed(checkSizes(emitError, "padding", padding, 2 * rank, 0, sides)) ||
      failed(checkSizes(emitError, "dilations", dilations, rank, 1, sizes)))
    return failure();
  return success();
}

LogicalResult graph::detail::inferWindow(EmitErrorFn emitError, Window &window,
                                         ArrayRef<int64_t> strides,
                                         ArrayRef<int64_t> padding,
                                         ArrayRef<int64_t> dilations,
                                         bool needsData) {
  int64_t rank = window.getRank();
  if (failed(checkWindowSizes(emitError, rank, strides, padding, dilations)))
    return failure();
  window = makeWindow(window.input, window.kernel, strides, padding, dilations,
                      window.ceilMode);

  for (int64_t dim = 0; dim < rank; ++dim) {
    std::string name = getDimName(rank, dim);
    int64_t input = window.input[dim];
    int64_t begin = window.padBegin[dim], end = window.padEnd[dim];
    if (input < 1)
      return emitError() << "data has " << name << " " << input
                         << ", expected at least 1";
    int64_t extent, padded;
    if (llvm::MulOverflow(window.kernel[dim] - 1, window.dilations[dim],
                          extent) ||
        llvm::AddOverflow(extent, int64_t(1), extent))
      return emitError() << "window of " << name << " " << window.kernel[dim]
                         << " with dilation " << window.dilations[dim]
                         << " has an extent of 2^63 or more elements";
    if (llvm::AddOverflow(input, begin, padded) ||
        llvm::AddOverflow(padded, end, padded))
      return emitError() << "data of " << name << " " << input
                         << " with padding " << begin << " and " << end
                         << " has 2^63 or more elements";
    if (needsData)
      for (int side : {0, 1})
        if (padding[dim + rank * side] >= extent)
          return emitError()
                 << "padding[" << dim + rank * side << "] is "
                 << padding[dim + rank * side]
                 << ", expected less than the window's " << name << " "
                 << extent << ": a window would see nothing but padding";
    // Neighbouring taps may lie on both sides of the data if it is narrower
    // than the dilation.
    if (needsData && begin > 0 && window.dilations[dim] > input)
      return emitError() << "dilations[" << dim << "] is "
                         << window.dilations[dim] << ", expected at most "
                         << input << ", the data's " << name
                         << ": a window would see nothing but padding";
    if (window.getOutput(dim) < 1)
      return emitError() << "window of " << name << " " << extent
                         << " (dilation included) does not fit data of " << name
                         << " " << input << " with padding " << begin << " and "
                         << end;
  }
  return success();
}
