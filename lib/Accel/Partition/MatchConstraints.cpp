//===- MatchConstraints.cpp - Constraints on operators and tensors --------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "AttributeText.h"
#include "Constants.h"
#include "MatchAttempt.h"

#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Accel/IR/TensorSize.h"
#include "uma/Graph/IR/GraphOps.h"

#include "uma/Support/TensorText.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

static std::string getTypeText(Type type) {
  if (isQuantized(type))
    return getElementText(type);
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

LogicalResult MatchAttempt::checkElementTypes() {
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input.getResult());
    if (value && input.getConstant() && !isConstant(value) &&
        failed(fail(firstUser.lookup(input.getResult()),
                    input.getName() + " is not known at compile time, the "
                                      "pattern wants a constant")))
      return failure();
  }
  for (auto type : pattern.getBody().getOps<TensorTypeOpInterface>())
    if (failed(checkElementType(type)))
      return failure();
  return success();
}

/// Returns the graph operation for messages about a tensor of the pattern.
Operation *MatchAttempt::getPlace(Value tensor) const {
  // Use the operation of a result, and the first user of an input.
  Value value = match.tensors.lookup(tensor);
  if (Operation *op = tensor.getDefiningOp<InputOp>() || !value
                          ? nullptr
                          : value.getDefiningOp())
    return op;
  Operation *user = firstUser.lookup(tensor);
  return user ? user : root;
}

LogicalResult MatchAttempt::checkElementType(TensorTypeOpInterface type) {
  std::optional<ArrayAttr> wanted = type.getElementTypes();
  Value value = match.tensors.lookup(type.getTensor());
  if (!value || !wanted)
    return success();
  Type actual = getElementTypeOrSelf(value.getType());
  if (llvm::is_contained(*wanted, TypeAttr::get(getStorageElementType(actual))))
    return success();
  std::string types;
  for (auto [index, element] :
       llvm::enumerate(wanted->getAsValueRange<TypeAttr>())) {
    if (index > 0)
      types += index + 1 == wanted->size() ? " or " : ", ";
    types += getTypeText(element);
  }
  return fail(getPlace(type.getTensor()), getTensorName(type.getTensor()) +
                                              " is " + getTypeText(actual) +
                                              ", the pattern wants " + types);
}

/// Converts an attribute to the value of a dim of `type`. Returns null if this
/// is impossible.
static TypedAttr toNumber(Attribute value, Type type) {
  Builder builder(type.getContext());
  if (auto flag = dyn_cast_or_null<BoolAttr>(value))
    return type.isInteger(1) ? flag : TypedAttr();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    return type.isIndex() ? builder.getIndexAttr(integer.getInt())
                          : TypedAttr();
  if (auto number = dyn_cast_or_null<FloatAttr>(value))
    return type.isF64() ? builder.getF64FloatAttr(number.getValueAsDouble())
                        : TypedAttr();
  return {};
}

/// Returns whether two numbers denote the same axis of the operator's data.
/// Negative numbers count from the end.
static bool isSameAxis(Operation *op, Attribute lhs, Attribute rhs) {
  auto left = dyn_cast_or_null<IntegerAttr>(lhs);
  auto right = dyn_cast_or_null<IntegerAttr>(rhs);
  auto data = op->getNumOperands() > 0
                  ? dyn_cast<RankedTensorType>(op->getOperand(0).getType())
                  : RankedTensorType();
  if (!left || !right || !data)
    return false;
  int64_t rank = data.getRank();
  return graph::getPositiveAxis(left.getInt(), rank) ==
         graph::getPositiveAxis(right.getInt(), rank);
}

LogicalResult MatchAttempt::checkAttributes() {
  for (OperatorOp opOp : pattern.getBody().getOps<OperatorOp>()) {
    Operation *op = bound.lookup(opOp);
    // A clip that is a relu has no attributes of a relu.
    if (!op || getOperatorKind(op) != opOp.getKind())
      continue;
    // A newly created operation has the default attributes.
    OperationState state(op->getLoc(), op->getName());
    Operation *fresh = Operation::create(state);
    llvm::scope_exit destroyFresh([&] { fresh->destroy(); });
    DictionaryAttr written = opOp.getMatchedAttributesAttr();
    // The meaning of "same" padding depends on strides and dilations. Compare
    // padding last, so that the reason names the actual difference.
    SmallVector<StringAttr> names(op->getName().getAttributeNames());
    llvm::sort(names, [](StringAttr lhs, StringAttr rhs) {
      return std::pair(lhs == "padding", lhs.getValue()) <
             std::pair(rhs == "padding", rhs.getValue());
    });
    StringRef kernelLayout = "kernel_layout";
    Attribute wantedKernel = written ? written.get(kernelLayout) : Attribute();
    if (!wantedKernel)
      wantedKernel = fresh->getInherentAttr(kernelLayout).value_or(Attribute());
    for (StringAttr name : names) {
      Attribute byDefault = fresh->getInherentAttr(name).value_or(Attribute());
      Attribute actual = op->getInherentAttr(name).value_or(Attribute());
      if (!actual)
        actual = byDefault;
      Attribute wanted = written ? written.get(name) : Attribute();
      // Without a clamp, the bounds are those of the stored integers.
      auto requantize = dyn_cast<graph::RequantizeOp>(op);
      if (requantize && wanted && name == "clamp" && !actual) {
        auto [low, high] = requantize.getBounds();
        actual = Builder(op->getContext()).getDenseI64ArrayAttr({low, high});
      }
      if (name == "axis" && isSameAxis(op, actual, wanted ? wanted : byDefault))
        continue;
      LogicalResult result =
          wanted ? checkWritten(opOp, op, name, actual, wanted)
                 : checkUnwritten(op, name, actual, byDefault, wantedKernel);
      if (failed(result))
        return failure();
    }
  }
  return success();
}

/// Returns a hint how the pattern could accept the padding, or an empty string
/// if it cannot.
static std::string getPaddingHint(Operation *op, StringRef name) {
  auto window = dyn_cast<graph::WindowOpInterface>(op);
  if (name != "padding" || !window || !window.getPaddingNumber())
    return "";
  return "; padding=outside would take it";
}

/// Returns a hint to replace a required layout of the graph by a layout of an
/// input: `; x: [1, c, h, w] as [1, h, w, c], …, would take it`. Returns an
/// empty string if the input's shape does not have a name for each size.
static std::string getLayoutHint(OperatorOp opOp, StringRef name,
                                 Attribute actual, Attribute wanted) {
  bool isKernel = name == "kernel_layout";
  auto from = dyn_cast_or_null<StringAttr>(actual);
  auto to = dyn_cast<StringAttr>(wanted);
  if ((!isKernel && name != "data_layout") || !from || !to ||
      opOp.getOperands_().size() <= isKernel)
    return "";
  auto input = opOp.getOperands_()[isKernel].getDefiningOp<InputOp>();
  if (!input || input.getLayout() ||
      input.getSizes().size() != to.getValue().size())
    return "";
  SmallVector<std::string> device, graph;
  for (const WrittenSize &size : input.getSizes()) {
    if (!size.dim && size.size != 1)
      return "";
    device.push_back(size.dim ? size.dim.getDefiningOp<DimOp>().getName().str()
                              : "1");
  }
  for (char dimension : from.getValue()) {
    size_t position = to.getValue().find(dimension);
    if (position == StringRef::npos)
      return "";
    graph.push_back(device[position]);
  }
  return ("; " + input.getName() + ": [" + llvm::join(graph, ", ") + "] as [" +
          llvm::join(device, ", ") + "], without " + name + ", would take it")
      .str();
}

/// Returns a hint to convert the layout of the whole graph to `wanted`, and
/// that of the weights to `wantedKernel` unless it is null. Returns an empty
/// string for other attributes.
static std::string getConversionHint(Operation *op, StringRef name,
                                     Attribute wanted, Attribute wantedKernel) {
  bool isKernel = name == "kernel_layout";
  auto data = op->getAttrOfType<StringAttr>("data_layout");
  auto to = dyn_cast<StringAttr>(wanted);
  if ((!isKernel && name != "data_layout") || !data || !to)
    return "";
  std::string text = "; layout " + getOperatorKind(op).str();
  if (isKernel)
    text += " \"" + data.str() + "\"";
  text += " \"" + to.str() + "\"";
  auto kernel = dyn_cast_or_null<StringAttr>(wantedKernel);
  if (!isKernel && kernel && kernel != op->getAttr("kernel_layout"))
    text += " \"" + kernel.str() + "\"";
  return text + " in the accelerator would convert the graph";
}

/// Returns a hint how the pattern could take layers of both roundings, or an
/// empty string for other attributes.
static std::string getRoundingHint(StringRef name, Attribute actual) {
  auto rounding = dyn_cast<StringAttr>(actual);
  if (name != "rounding" || !rounding || rounding != "tflite")
    return "";
  return "; rounding=any would take it, if the device rounds as TensorFlow "
         "Lite";
}

LogicalResult MatchAttempt::checkUnwritten(Operation *op, StringRef name,
                                           Attribute actual,
                                           Attribute byDefault,
                                           Attribute wantedKernel) {
  if (actual == byDefault)
    return success();
  if (name == "clamp")
    return fail(op, "clamp is " + getAttributeText(actual) +
                        ", which the pattern does not mention; clamp=[low, "
                        "high] would take it, and names the bounds");
  if (byDefault)
    return fail(op, name + " is " + getAttributeText(actual) +
                        ", the pattern wants its default " +
                        getAttributeText(byDefault) + getPaddingHint(op, name) +
                        getRoundingHint(name, actual) +
                        getConversionHint(op, name, byDefault, wantedKernel));
  return fail(op, name + " is " + getAttributeText(actual) +
                      ", which the pattern does not mention; " + name +
                      "=any would take it");
}

LogicalResult MatchAttempt::checkWritten(OperatorOp opOp, Operation *op,
                                         StringRef name, Attribute actual,
                                         Attribute wanted) {
  if (auto keyword = dyn_cast<StringAttr>(wanted)) {
    if (keyword.getValue() == kAnyValue)
      return success();
    if (name == "padding" && keyword.getValue() == kOutsideValue)
      return checkOutside(op, actual);
    auto window = dyn_cast<graph::WindowOpInterface>(op);
    if (window && name == "padding" && keyword.getValue() == kSameValue) {
      if (window.isSamePadding())
        return success();
      return fail(op, "padding is " + getAttributeText(actual) +
                          ", the pattern wants same, which is " +
                          getListText(window.getWindow().getSamePadding()) +
                          " here");
    }
  }

  auto mismatch = [&] {
    return fail(op, name + " is " + getAttributeText(actual) +
                        ", the pattern wants " + getAttributeText(wanted) +
                        getPaddingHint(op, name) +
                        getLayoutHint(opOp, name, actual, wanted));
  };
  std::string place = (name + " of " + getOperatorKind(op)).str();
  auto matchElement = [&](Attribute element, Attribute value) {
    auto dim = dyn_cast<FlatSymbolRefAttr>(value);
    if (!dim)
      return haveEqualValue(element, value) ? success() : mismatch();
    DimOp dimOp = pattern.getDim(dim.getValue());
    TypedAttr number = dimOp ? toNumber(element, dimOp.getType()) : TypedAttr();
    return number ? bindDim(dimOp, number, op, place) : mismatch();
  };

  auto list = dyn_cast<ArrayAttr>(wanted);
  if (!list)
    return matchElement(actual, wanted);
  if (llvm::none_of(list, llvm::IsaPred<FlatSymbolRefAttr>))
    return haveEqualValue(actual, wanted) ? success() : mismatch();
  std::optional<SmallVector<int64_t>> integers = getIntegers(actual);
  if (!integers || integers->size() != list.size())
    return mismatch();
  Builder builder(op->getContext());
  for (auto [integer, value] : llvm::zip_equal(*integers, list))
    if (failed(matchElement(builder.getI64IntegerAttr(integer), value)))
      return failure();
  return success();
}

LogicalResult MatchAttempt::checkTensors() {
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    Value value = match.tensors.lookup(input.getResult());
    // The user is missing and was reported.
    if (!value)
      continue;
    if (Operation *producer = value.getDefiningOp();
        producer && llvm::is_contained(match.ops, producer) &&
        failed(fail(firstUser.lookup(input.getResult()),
                    input.getName() + " is the result of " +
                        describeLayer(producer) +
                        ", which the pattern computes inside")))
      return failure();
    if (!llvm::is_contained(match.inputs, value))
      match.inputs.push_back(value);
  }
  for (auto type : pattern.getBody().getOps<TensorTypeOpInterface>())
    if (match.tensors.contains(type.getTensor()) && failed(checkShape(type)))
      return failure();
  // If an optional operator is absent, two outputs may be the same value.
  for (Value output : pattern.getOutputs()) {
    Value value = match.tensors.lookup(output);
    TensorTypeOpInterface type = getTensorTypeOp(output);
    if (value &&
        match.getOutputLayout(value) !=
            (type ? type.getLayout() : std::nullopt) &&
        failed(fail(getPlace(output), getTensorName(output) +
                                          " is also another result, in another "
                                          "layout")))
      return failure();
  }
  return success();
}

LogicalResult MatchAttempt::checkShape(TensorTypeOpInterface written) {
  Value tensor = written.getTensor();
  Operation *where = getPlace(tensor);
  std::string name = getTensorName(tensor);
  RankedTensorType type = match.getGraphType(tensor);
  if (!type)
    return fail(where, name + " is not a ranked tensor");
  Type given = match.tensors.lookup(tensor).getType();
  auto isTooLarge = [&](RankedTensorType converted) {
    return converted != given && getNumElements(converted) == kMaxTensorSize;
  };
  if (isTooLarge(type) || isTooLarge(match.getDeviceType(tensor)))
    return fail(where, name + " would be too large with its padding and in its "
                              "layout");
  if (written.getAnyShape())
    return success();
  SmallVector<WrittenSize> sizes = written.getSizes();
  ArrayRef<int64_t> shape = type.getShape();
  Builder builder(type.getContext());
  if (!sizes.empty() && sizes.front().isPack) {
    if (shape.size() + 1 < sizes.size())
      return fail(where, name + " has the shape " + getListText(shape) +
                             ", the pattern wants at least " +
                             Twine(sizes.size() - 1) + " dimensions");
    auto dim = sizes.front().dim.getDefiningOp<DimOp>();
    ArrayRef<int64_t> leading = shape.drop_back(sizes.size() - 1);
    auto [known, isNew] =
        packs.try_emplace(dim.getResult(), leading.begin(), leading.end());
    if (!isNew && ArrayRef(known->second) != leading)
      return fail(where, dim.getName() + " stands for " +
                             getListText(known->second) + " in " +
                             places[dim.getResult()] + " but for " +
                             getListText(leading) + " in " + name);
    int64_t product =
        getNumElements(RankedTensorType::get(leading, builder.getI8Type()));
    if (failed(bindDim(dim, builder.getIndexAttr(product), where, name)))
      return failure();
    sizes.erase(sizes.begin());
    shape = shape.drop_front(leading.size());
  }
  if (shape.size() != sizes.size())
    return fail(where, name + " has the shape " + getListText(shape) +
                           ", the pattern wants " + Twine(sizes.size()) +
                           (sizes.size() == 1 ? " dimension" : " dimensions"));
  for (auto [index, size] : llvm::enumerate(shape)) {
    const WrittenSize &wanted = sizes[index];
    LogicalResult result = success();
    if (wanted.dim)
      result = bindDim(wanted.dim.getDefiningOp<DimOp>(),
                       builder.getIndexAttr(size), where, name);
    else if (wanted.size != 0 && size != wanted.size)
      result = fail(where, name + " has size " + Twine(size) +
                               " in dimension " + Twine(index) +
                               ", the pattern wants " + Twine(wanted.size));
    if (failed(result))
      return failure();
  }
  return success();
}

/// Checks the padding of an operator with `padding=outside`.
LogicalResult MatchAttempt::checkOutside(Operation *op, Attribute actual) {
  auto list = dyn_cast_or_null<DenseI64ArrayAttr>(actual);
  ArrayRef<int64_t> pads = list ? list.asArrayRef() : ArrayRef<int64_t>();
  if (llvm::all_of(pads, [](int64_t pad) { return pad == 0; }))
    return success();
  auto window = dyn_cast<graph::WindowOpInterface>(op);
  std::optional<double> number =
      window && !isInside ? window.getPaddingNumber() : std::nullopt;
  auto layoutName = op->getAttrOfType<StringAttr>("data_layout");
  auto layout = layoutName ? graph::WindowLayout::parse(layoutName.getValue())
                           : std::nullopt;
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!number || !layout || !type || 2 * layout->spatial.size() != pads.size())
    return fail(op, "padding is " + getAttributeText(actual) +
                        ", which no pad in front of the operator can replace");
  Match::Padding &padding = match.paddings.emplace_back();
  padding.op = op;
  padding.input =
      match.getChosenTensor(match.operands.lookup(&op->getOpOperand(0)));
  padding.number = *number;
  padding.before.assign(type.getRank(), 0);
  padding.after.assign(type.getRank(), 0);
  for (auto [index, dim] : llvm::enumerate(layout->spatial)) {
    padding.before[dim] = pads[index];
    padding.after[dim] = pads[index + layout->spatial.size()];
  }
  return success();
}
