//===- TensorTypes.cpp - Types of a pattern's tensors ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "TensorTypes.h"

#include "Verify.h"

#include "uma/Accel/IR/GraphOperators.h"
#include "uma/Support/QuantizedTypes.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

#include "uma/Accel/IR/TensorTypeOpInterface.cpp.inc"

SmallVector<WrittenSize>
uma::accel::getWrittenSizes(ArrayRef<int64_t> staticDims, ValueRange dims) {
  SmallVector<WrittenSize> sizes;
  auto dim = dims.begin();
  for (int64_t size : staticDims) {
    WrittenSize &written = sizes.emplace_back();
    written.isPack = size == kPackedSizes;
    if (ShapedType::isDynamic(size) || written.isPack)
      written.dim = *dim++;
    else if (size != kAnySize)
      written.size = size;
  }
  return sizes;
}

TensorTypeOpInterface uma::accel::getTensorTypeOp(Value tensor) {
  if (auto input = tensor.getDefiningOp<InputOp>())
    return input;
  for (Operation *user : tensor.getUsers())
    if (auto result = dyn_cast<ResultOp>(user))
      return result;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

namespace {
/// Result of a layout map: a whole dimension, the number of its blocks, or the
/// size of a block.
struct LayoutSize {
  /// Dimension of the graph's tensor; std::nullopt for a constant size of 1.
  std::optional<unsigned> dim;
  int64_t block = 1;
  bool isWithinBlock = false;
};
} // namespace

/// Parses a result of a layout map. Returns std::nullopt if it is invalid.
static std::optional<LayoutSize> readLayoutSize(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() == 0 ? std::optional(LayoutSize())
                                    : std::nullopt;
  LayoutSize size;
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr)) {
    auto block = dyn_cast<AffineConstantExpr>(binary.getRHS());
    bool isBlock = expr.getKind() == AffineExprKind::FloorDiv;
    if (!block || block.getValue() < 2 ||
        (!isBlock && expr.getKind() != AffineExprKind::Mod))
      return std::nullopt;
    size.block = block.getValue();
    size.isWithinBlock = !isBlock;
    expr = binary.getLHS();
  }
  auto dim = dyn_cast<AffineDimExpr>(expr);
  if (!dim)
    return std::nullopt;
  size.dim = dim.getPosition();
  return size;
}

bool uma::accel::isLayout(AffineMap map, ArrayRef<int64_t> staticDims) {
  if (map.getNumSymbols() != 0 || map.getNumDims() != staticDims.size())
    return false;
  struct Use {
    unsigned count = 0;
    int64_t block = 1;
    bool hasBlocks = false, hasRest = false;
  };
  SmallVector<Use> uses(staticDims.size());
  for (AffineExpr result : map.getResults()) {
    std::optional<LayoutSize> size = readLayoutSize(result);
    if (!size)
      return false;
    if (!size->dim)
      continue;
    Use &use = uses[*size->dim];
    if (use.count++ > 0 && use.block != size->block)
      return false;
    use.block = size->block;
    (size->isWithinBlock ? use.hasRest : use.hasBlocks) = true;
  }
  return llvm::all_of(llvm::zip_equal(uses, staticDims), [](auto pair) {
    auto [use, size] = pair;
    if (use.count == 0)
      return size == 1;
    bool isBlocked = use.block > 1;
    return size != kPackedSizes && use.hasBlocks && use.hasRest == isBlocked &&
           use.count == (isBlocked ? 2U : 1U);
  });
}

RankedTensorType uma::accel::getDeviceType(RankedTensorType type,
                                           std::optional<AffineMap> layout) {
  if (!layout)
    return type;
  SmallVector<int64_t> shape;
  for (AffineExpr result : layout->getResults()) {
    LayoutSize size = *readLayoutSize(result);
    if (!size.dim)
      shape.push_back(1);
    else if (size.isWithinBlock)
      shape.push_back(size.block);
    else
      shape.push_back(llvm::divideCeil(type.getDimSize(*size.dim), size.block));
  }
  return RankedTensorType::get(shape,
                               getStorageElementType(type.getElementType()));
}

//===----------------------------------------------------------------------===//
// Syntax and verification
//===----------------------------------------------------------------------===//

ParseResult uma::accel::parseTensorPattern(
    OpAsmParser &parser, ArrayAttr &elementTypes, UnitAttr &anyShape,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &dims,
    DenseI64ArrayAttr &staticDims, AffineMapAttr &layout) {
  Builder &builder = parser.getBuilder();
  Type elementType;
  OptionalParseResult hasType = parser.parseOptionalType(elementType);
  if (hasType.has_value()) {
    if (failed(*hasType))
      return failure();
    SmallVector<Attribute> types = {TypeAttr::get(elementType)};
    while (succeeded(parser.parseOptionalVerticalBar())) {
      if (failed(parser.parseType(elementType)))
        return failure();
      types.push_back(TypeAttr::get(elementType));
    }
    elementTypes = builder.getArrayAttr(types);
  }
  SmallVector<int64_t> sizes;
  auto parseSize = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      sizes.push_back(kAnySize);
      return success();
    }
    bool isPack = succeeded(parser.parseOptionalEllipsis());
    OpAsmParser::UnresolvedOperand dim;
    OptionalParseResult isDim = parser.parseOptionalOperand(dim);
    if (!isDim.has_value())
      return isPack ? parser.emitError(parser.getCurrentLocation(),
                                       "expected a dim after '...'")
                    : parser.parseInteger(sizes.emplace_back());
    sizes.push_back(isPack ? kPackedSizes : ShapedType::kDynamic);
    dims.push_back(dim);
    return *isDim;
  };
  if (failed(parser.parseOptionalLSquare())) {
    anyShape = builder.getUnitAttr();
  } else if (failed(parser.parseOptionalRSquare())) {
    if (parser.parseCommaSeparatedList(parseSize) || parser.parseRSquare())
      return failure();
  }
  staticDims = builder.getDenseI64ArrayAttr(sizes);
  if (succeeded(parser.parseOptionalKeyword("as")))
    return parser.parseAttribute(layout);
  return success();
}

void uma::accel::printTensorPattern(OpAsmPrinter &printer, Operation * /*op*/,
                                    ArrayAttr elementTypes, UnitAttr anyShape,
                                    OperandRange dims,
                                    DenseI64ArrayAttr staticDims,
                                    AffineMapAttr layout) {
  if (elementTypes) {
    printer << ' ';
    llvm::interleave(
        elementTypes.getAsValueRange<TypeAttr>(), printer,
        [&](Type type) { printer << type; }, "|");
  }
  if (!anyShape) {
    printer << " [";
    auto dim = dims.begin();
    llvm::interleaveComma(staticDims.asArrayRef(), printer, [&](int64_t size) {
      if (size == kPackedSizes)
        printer << "..." << *dim++;
      else if (ShapedType::isDynamic(size))
        printer << *dim++;
      else if (size == kAnySize)
        printer << '?';
      else
        printer << size;
    });
    printer << ']';
  }
  if (layout)
    printer.getStream() << " as affine_map<" << layout.getValue() << '>';
}

/// Verifies the element types, shape and layout of the tensor called `name`.
static LogicalResult verifyTensorType(TensorTypeOpInterface op,
                                      const Twine &name) {
  ArrayRef<int64_t> sizes = op.getStaticDims();
  size_t numDims = llvm::count_if(sizes, [](int64_t size) {
    return ShapedType::isDynamic(size) || size == kPackedSizes;
  });
  if (numDims != op.getDims().size())
    return report(op) << "the shape has " << numDims << " dims, but "
                      << op.getDims().size() << " are given";
  if (op.getAnyShape() && !sizes.empty())
    return report(op) << name << " has a shape and any_shape";
  for (auto [index, size] : llvm::enumerate(sizes)) {
    if (size == kPackedSizes && index > 0)
      return report(op) << "'...' in the shape of " << name
                        << " stands behind a size; it names the leading sizes";
    if (!ShapedType::isDynamic(size) && size != kAnySize &&
        size != kPackedSizes && size < 1)
      return report(op) << "size " << size << " of " << name
                        << " is not positive";
  }
  for (Value dim : op.getDims())
    if (!dim.getDefiningOp<DimOp>())
      return report(op) << "the shape of " << name
                        << " holds a value that is not a dim";
  if (std::optional<ArrayAttr> types = op.getElementTypes()) {
    if (types->empty())
      return report(op) << name << " has no element type that it could have";
    for (Type type : types->getAsValueRange<TypeAttr>())
      if (!type.isIntOrFloat())
        return report(op) << "element type of " << name
                          << " must be an integer or a float, found " << type;
  }
  std::optional<AffineMap> layout = op.getLayout();
  if (layout && !isLayout(*layout, sizes))
    return report(op) << "the layout of " << name
                      << " does not hold each size once, whole or as the two "
                         "parts of n / 16 and n % 16";
  return success();
}

LogicalResult InputOp::verify() {
  return verifyTensorType(*this, "input '" + getName() + "'");
}

LogicalResult SplitOp::verify() {
  auto dim = getDim().getDefiningOp<DimOp>();
  if (!dim)
    return report(*this) << "splits what is no dim";
  for (Operation *user : dim->getUsers()) {
    auto input = dyn_cast<InputOp>(user);
    if (input && llvm::any_of(input.getSizes(), [&](const WrittenSize &size) {
          return size.dim == dim.getResult() && !size.isPack;
        }))
      return success();
  }
  return report(*this) << "'" << dim.getName()
                       << "' is no size of an input, so that there is nothing "
                          "to split";
}

LogicalResult ResultOp::verify() {
  Operation *maker = getTensor().getDefiningOp();
  if (!isa_and_nonnull<OperatorOp, ChoiceOp>(maker))
    return report(*this) << "says what '" << getTensorName(getTensor())
                         << "' is, which the pattern does not compute";
  for (Operation *user : getTensor().getUsers())
    if (isa<ResultOp>(user) && user != *this && user->isBeforeInBlock(*this))
      return report(*this) << "what '" << getTensorName(getTensor())
                           << "' is has been said already";
  return verifyTensorType(*this, "'" + getTensorName(getTensor()) + "'");
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

/// Verifies an operator with `padding=outside`.
static LogicalResult verifyOutside(OperatorOp op) {
  auto data = op.getOperands_().front().getDefiningOp<InputOp>();
  if (!data)
    return report(op) << "padding=outside pads an input of the pattern, but '"
                      << getTensorName(op.getOperands_().front())
                      << "' is computed in it";
  for (Operation *user : data->getUsers()) {
    auto other = dyn_cast<OperatorOp>(user);
    if (!other || other == op ||
        (op.getChoice() && op.getChoice() == other.getChoice()))
      continue;
    return report(op) << "padding=outside pads '" << data.getName()
                      << "', which '" << other.getKind()
                      << "' would get padded, too";
  }
  if (llvm::count(op.getOperands_(), data.getResult()) > 1)
    return report(op) << "padding=outside pads '" << data.getName()
                      << "', which is two operands of '" << op.getKind() << "'";
  return success();
}

LogicalResult uma::accel::verifyBorders(PatternOp pattern) {
  bool isStrategy = isa<StrategyOp>(pattern->getParentOp());
  auto verifyCalls = [&](Operation *op, StringRef what) -> LogicalResult {
    if (!isStrategy && !pattern.isLowered())
      return success();
    return report(op) << what << " belongs to a pattern that calls the device; "
                      << (isStrategy ? "a strategy implements one operator"
                                     : "'lower' makes loops of its match");
  };
  bool hasErrors = false;
  for (OperatorOp op : pattern.getBody().getOps<OperatorOp>()) {
    DictionaryAttr attributes = op.getMatchedAttributesAttr();
    auto padding = attributes
                       ? dyn_cast_or_null<StringAttr>(attributes.get("padding"))
                       : StringAttr();
    if (padding && padding == kOutsideValue)
      hasErrors |= failed(verifyCalls(op, "padding=outside")) ||
                   failed(verifyOutside(op));
  }
  for (auto type : pattern.getBody().getOps<TensorTypeOpInterface>()) {
    if (!type.getLayout())
      continue;
    hasErrors |= failed(verifyCalls(type, "a layout"));
    if (isa<ResultOp>(type) && !pattern.isTiled() &&
        !llvm::is_contained(pattern.getOutputs(), type.getTensor())) {
      report(type) << "'" << getTensorName(type.getTensor())
                   << "' stays in the device: only inputs and results of a "
                      "pattern have a layout";
      hasErrors = true;
    }
  }
  for (ScratchOp op : pattern.getBody().getOps<ScratchOp>())
    hasErrors |= failed(verifyCalls(op, "scratch"));
  llvm::DenseSet<Value> split;
  for (SplitOp op : pattern.getBody().getOps<SplitOp>()) {
    hasErrors |= failed(verifyCalls(op, "split"));
    if (!split.insert(op.getDim()).second) {
      report(op) << "'" << op.getDim().getDefiningOp<DimOp>().getName()
                 << "' is split already";
      hasErrors = true;
    }
  }
  return failure(hasErrors);
}
