//===- SampleText.cpp - Text form of samples ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "SampleText.h"

#include "uma/Accel/Partition/Report.h"
#include "uma/Support/TensorText.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using Kind = SampleVariable::Kind;

static void print(llvm::raw_ostream &os, Attribute value) {
  if (auto number = dyn_cast<IntegerAttr>(value);
      number && number.getType().isIndex())
    os << number.getInt();
  else if (auto real = dyn_cast<FloatAttr>(value))
    os << llvm::format("%g", real.getValueAsDouble());
  else if (auto type = dyn_cast<TypeAttr>(value))
    os << type.getValue();
  else if (auto list = dyn_cast<DenseI64ArrayAttr>(value)) {
    os << '[';
    llvm::interleaveComma(list.asArrayRef(), os);
    os << ']';
  } else {
    value.print(os, /*elideType=*/true);
  }
}

std::string
uma::accel::getSampleText(const SampleSpace &space, const Sample &sample,
                          ArrayRef<unsigned> relevant,
                          const llvm::DenseMap<Value, Value> &tensors) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << PatternOp(space.pattern).getSymName() << '(';
  llvm::ListSeparator comma;
  for (unsigned index : relevant) {
    const SampleVariable &variable = space.variables[index];
    Attribute value = sample[index];
    if (auto dim = dyn_cast<DimOp>(variable.op)) {
      os << comma << dim.getName() << '=';
      print(os, value);
    }
  }
  for (unsigned index : relevant) {
    const SampleVariable &variable = space.variables[index];
    Attribute value = sample[index];
    std::string tensor = getTensorName(variable.op->getResult(0));
    switch (variable.kind) {
    case Kind::Way: {
      auto choice = cast<ChoiceOp>(variable.op);
      auto way = cast<IntegerAttr>(value).getInt();
      auto alternatives = choice.getAlternatives();
      os << comma << tensor << '=';
      if (way < int64_t(alternatives.size()))
        os << alternatives[way].getDefiningOp<OperatorOp>().getKind();
      else
        os << "absent";
      break;
    }
    case Kind::Dim:
    case Kind::Size:
    case Kind::Rank:
      break;
    case Kind::ElementType:
    case Kind::Shape: {
      // Print the type once for the element type and the shape, if the pattern
      // leaves either open.
      auto input = dyn_cast<InputOp>(variable.op);
      if (!input || (variable.kind == Kind::ElementType && input.getAnyShape()))
        break;
      bool changesShape = llvm::any_of(relevant, [&](unsigned other) {
        const SampleVariable &size = space.variables[other];
        return size.op == input && sample[other] &&
               (size.kind == Kind::Size || size.kind == Kind::Rank);
      });
      if (!value && !changesShape)
        break;
      auto type =
          cast<RankedTensorType>(tensors.lookup(input.getResult()).getType());
      os << comma << tensor << '=' << getTensorText(type);
      break;
    }
    case Kind::Quantization: {
      Value value = tensors.lookup(variable.op->getResult(0));
      Type element = value ? getElementTypeOrSelf(value.getType()) : Type();
      // The scales of a bias are those of the sums.
      if (element && isQuantized(element) &&
          !getStorageElementType(element).isInteger(32))
        os << comma << tensor << ' ' << getQuantizationText(element);
      break;
    }
    case Kind::Constant:
      if (value && cast<BoolAttr>(value).getValue())
        os << comma << tensor << " constant";
      else if (value && variable.isFixed)
        os << comma << tensor << " not constant";
      break;
    case Kind::Attribute: {
      if (!value)
        break;
      Operation *op = tensors.lookup(variable.op->getResult(0)).getDefiningOp();
      Attribute actual =
          op->getInherentAttr(variable.attribute).value_or(Attribute());
      os << comma << variable.attribute.getValue() << '=';
      if (actual)
        print(os, actual);
      break;
    }
    case Kind::Number:
      if (value) {
        os << comma << "number ";
        print(os, value);
      }
      break;
    case Kind::ExtraUse:
      if (value)
        os << comma << tensor << " used elsewhere";
      break;
    }
  }
  os << ')';
  return text;
}
