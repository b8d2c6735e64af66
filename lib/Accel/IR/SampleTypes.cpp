//===- SampleTypes.cpp - Element types of a pattern's tensors -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A pattern specifies the element types of its inputs. Operators infer the
// element types of results, but only from static shapes. So the pattern is
// instantiated with sample sizes for all unconstrained sizes and ranks.
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/SampleTypes.h"

#include "PatternProofs.h"

#include "uma/Accel/IR/QuantFunctions.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

/// Maximum number of combinations of element types.
static constexpr size_t kMaxCombinations = 16;

namespace {
/// Value of all unconstrained sizes, and rank of all inputs without a shape.
struct SampleShape {
  int64_t size;
  unsigned rank;
};

/// Tensors of one sample.
class PatternSample {
public:
  PatternSample(const ElementTypes &inputs, SampleShape shape, bool isQuantized)
      : inputs(inputs), shape(shape), isQuantized(isQuantized) {}

  void add(InputOp input);
  void add(OperatorOp op);
  void addQuantized(OperatorOp op);
  void add(ChoiceOp choice);
  RankedTensorType lookup(Value tensor) const { return types.lookup(tensor); }

private:
  const ElementTypes &inputs;
  SampleShape shape;
  /// Whether integers store quantized elements.
  bool isQuantized;
  llvm::DenseMap<Value, RankedTensorType> types;
};
} // namespace

void PatternSample::add(InputOp input) {
  Type element = inputs.lookup(input);
  if (!element)
    return;
  if (Type quantized = getUnitQuantizedType(element); quantized && isQuantized)
    element = quantized;
  SmallVector<int64_t> sizes(input.getStaticDims());
  if (input.getAnyShape())
    sizes.assign(shape.rank, shape.size);
  for (int64_t &size : sizes)
    size = size < 0 ? shape.size : size;
  types[input] = RankedTensorType::get(sizes, element);
}

/// Adds a quantize or requantize, whose result no operand determines.
void PatternSample::addQuantized(OperatorOp op) {
  RankedTensorType data = lookup(op.getOperands_().front());
  if (!data || !isQuantized)
    return;
  Type storage = IntegerType::get(op.getContext(), 8);
  if (TensorTypeOpInterface type = getTensorTypeOp(op.getResult()))
    if (std::optional<ArrayAttr> written = type.getElementTypes())
      storage = cast<TypeAttr>((*written)[0]).getValue();
  if (Type element = getUnitQuantizedType(storage))
    types[op] = RankedTensorType::get(data.getShape(), element);
}

void PatternSample::add(OperatorOp op) {
  if (op.getKind() == "requantize" || op.getKind() == "quantize" ||
      op.getKind() == "quantized_add")
    return addQuantized(op);
  auto name = RegisteredOperationName::lookup(
      ("uma.graph." + op.getKind()).str(), op.getContext());
  NamedAttrList attributes;
  if (!name || !name->hasInterface<InferTypeOpInterface>() ||
      failed(sampleAttributes(op, *name, attributes)))
    return;
  Type element;
  for (Value operand : op.getOperands_())
    if (RankedTensorType type = lookup(operand); type && !element)
      element = type.getElementType();
  SmallVector<Type> operands;
  for (Value operand : op.getOperands_()) {
    RankedTensorType type = lookup(operand);
    // A splat has the element type of the other operands.
    if (element && operand.getDefiningOp<SplatOp>())
      type = RankedTensorType::get({}, element);
    if (!type)
      return;
    operands.push_back(type);
  }
  std::string message;
  Type type = inferSampleType(op, *name, attributes, operands, message);
  if (auto tensor = dyn_cast_or_null<RankedTensorType>(type))
    types[op] = tensor;
}

void PatternSample::add(ChoiceOp choice) {
  SmallVector<Value> candidates(choice.getAlternatives());
  if (choice.getOtherwise())
    candidates.push_back(choice.getOtherwise());
  for (Value candidate : candidates)
    if (RankedTensorType type = lookup(candidate)) {
      types[choice] = type;
      return;
    }
}

/// Adds the element types of results to `elements`, which has the inputs'
/// types.
static void inferResults(PatternOp pattern, ElementTypes &elements,
                         bool isQuantized) {
  for (int64_t size : {4, 1, 16})
    for (unsigned rank : {4, 2, 1, 3}) {
      PatternSample sample(elements, {size, rank}, isQuantized);
      for (Operation &op : pattern.getBody().front()) {
        if (auto input = dyn_cast<InputOp>(op))
          sample.add(input);
        else if (auto opOp = dyn_cast<OperatorOp>(op))
          sample.add(opOp);
        else if (auto choice = dyn_cast<ChoiceOp>(op))
          sample.add(choice);
        else
          continue;
        if (RankedTensorType type = sample.lookup(op.getResult(0)))
          elements.try_emplace(op.getResult(0),
                               getStorageElementType(type.getElementType()));
      }
    }
}

SmallVector<ElementTypes> uma::accel::sampleElementTypes(PatternOp pattern) {
  SmallVector<ElementTypes> combinations(1);
  for (InputOp input : pattern.getBody().getOps<InputOp>()) {
    std::optional<ArrayAttr> types = input.getElementTypes();
    if (!types)
      continue;
    SmallVector<ElementTypes> extended;
    for (const ElementTypes &combination : combinations)
      for (Type type : types->getAsValueRange<TypeAttr>()) {
        if (extended.size() == kMaxCombinations)
          break;
        extended.push_back(combination);
        extended.back()[input] = type;
      }
    combinations = std::move(extended);
  }
  size_t most = 0;
  for (ElementTypes &combination : combinations) {
    inferResults(pattern, combination, /*isQuantized=*/false);
    inferResults(pattern, combination, /*isQuantized=*/true);
    most = std::max<size_t>(most, combination.size());
  }
  // Remove combinations that an operator rejects: they do not occur in graphs.
  llvm::erase_if(combinations, [&](const ElementTypes &combination) {
    return combination.size() < most;
  });
  return combinations;
}
