//===- ParseTypes.cpp - Inputs and the types of tensors -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

ArrayRef<StringRef> language::getTypeNames() {
  static const StringRef names[] = {"f16", "bf16", "f32", "f64", "i1",
                                    "i8",  "u8",   "i16", "i32", "i64"};
  return names;
}

Type language::getType(MLIRContext *context, StringRef name) {
  if (!llvm::is_contained(getTypeNames(), name))
    return nullptr;
  Builder builder(context);
  if (name == "u8")
    return builder.getIntegerType(8, /*isSigned=*/false);
  if (name == "bf16")
    return builder.getBF16Type();
  unsigned width = 0;
  (void)name.drop_front().getAsInteger(10, width);
  if (name.front() == 'i')
    return builder.getIntegerType(width);
  return width == 16   ? Type(builder.getF16Type())
         : width == 32 ? Type(builder.getF32Type())
                       : Type(builder.getF64Type());
}

/// Parses `type {| type}`.
LogicalResult
PatternParser::parseElementTypes(SmallVectorImpl<Attribute> &types) {
  do {
    Name name;
    if (failed(parseName(name, "an element type after '|'")))
      return failure();
    Type type = getType(source.getContext(), name.text);
    if (!type) {
      SmallVector<StringRef> known(getTypeNames());
      known.push_back("const");
      std::string hint = didYouMean(name.text, known);
      error(name.loc) << "unknown element type '" << name.text << "'"
                      << (hint.empty() ? "; types are " +
                                             llvm::join(getTypeNames(), ", ")
                                       : hint);
      continue;
    }
    Attribute attribute = TypeAttr::get(type);
    if (llvm::is_contained(types, attribute))
      error(name.loc) << "element type '" << name.text << "' is given twice";
    types.push_back(attribute);
  } while (consumeIf("|"));
  return success();
}

/// Parses `size, …]`.
LogicalResult PatternParser::parseShape(TensorType &type, const Twine &tensor) {
  SmallVector<int64_t> sizes;
  auto parseSize = [&]() -> LogicalResult {
    llvm::SMLoc loc = token.getLoc();
    type.names.emplace_back();
    if (token.is(Token::Integer)) {
      if (failed(parseInteger(sizes.emplace_back())))
        return failure();
      if (sizes.back() < 1)
        error(loc) << "size " << sizes.back() << " of " << tensor
                   << " is not positive";
      return success();
    }
    if (isWord(kAnyValue)) {
      advance();
      sizes.push_back(kAnySize);
      return success();
    }
    bool isPack = consumeIf("...");
    if (!token.is(Token::Identifier) || isReservedWord(token.spelling))
      return unexpected(isPack ? "a name for the leading sizes after '...'"
                               : "a size: an integer, a name or any");
    Name name{token.spelling, token.getLoc()};
    advance();
    if (isPack && !sizes.empty())
      error(loc) << "'...' names the leading sizes, so that it stands first";
    Value dim = lookupOrCreateDim(name, builder.getIndexType());
    if (!dim)
      excuse(name);
    sizes.push_back(isPack ? kPackedSizes : ShapedType::kDynamic);
    type.dims.push_back(dim);
    if (!isPack)
      type.names.back() = name;
    return success();
  };
  LogicalResult result = parseList("]", "the shape", parseSize);
  type.sizes = builder.getDenseI64ArrayAttr(sizes);
  return result;
}

/// Parses `size, …]` after `as [`. A size is a size of the shape, its number of
/// blocks `n / 16`, its block size `n % 16`, or 1.
LogicalResult PatternParser::parseLayout(TensorType &type, llvm::SMLoc loc,
                                         const Twine &tensor) {
  SmallVector<AffineExpr> results;
  SmallVector<bool> isThere(type.names.size());
  auto parseSize = [&]() -> LogicalResult {
    llvm::SMLoc at = token.getLoc();
    if (token.is(Token::Integer)) {
      int64_t size = 0;
      if (failed(parseInteger(size)))
        return failure();
      // Use the next unused size with this number; 1 may also be a new size.
      ArrayRef<int64_t> sizes = type.sizes.asArrayRef();
      auto indices = llvm::seq<size_t>(0, sizes.size());
      auto unused = llvm::find_if(indices, [&](size_t index) {
        return sizes[index] == size && !isThere[index];
      });
      if (unused != indices.end()) {
        results.push_back(builder.getAffineDimExpr(*unused));
        isThere[*unused] = true;
      } else if (size == 1) {
        results.push_back(builder.getAffineConstantExpr(0));
      } else {
        error(at) << tensor << " has no size " << size
                  << " that the layout does not hold already";
      }
      return success();
    }
    Name name;
    if (failed(parseName(name, "a size of the layout, e.g. n or n / 16")))
      return failure();
    auto isName = [&](const Name &other) { return other.text == name.text; };
    auto *found = llvm::find_if(type.names, isName);
    bool isKnown = found != type.names.end();
    if (!isKnown) {
      SmallVector<StringRef> known;
      for (const Name &other : type.names)
        if (!other.text.empty())
          known.push_back(other.text);
      error(name.loc) << "'" << name.text << "' is no size of " << tensor
                      << didYouMean(name.text, known);
    } else if (llvm::count_if(type.names, isName) > 1) {
      error(name.loc) << "'" << name.text << "' is two sizes of " << tensor
                      << "; give them two names, and require that they are "
                         "equal";
      isKnown = false;
    }
    size_t index = isKnown ? found - type.names.begin() : 0;
    if (isKnown) {
      isThere[index] = true;
      record(name, NameKind::Size);
    }
    AffineExpr expr = builder.getAffineDimExpr(index);
    if (token.is("/") || token.is("%")) {
      bool isWithin = token.is("%");
      advance();
      int64_t block = 0, least = 2;
      llvm::SMLoc blockLoc = token.getLoc();
      if (token.is(Token::Identifier)) {
        Name attribute{token.spelling, blockLoc};
        advance();
        FailureOr<int64_t> value =
            readConstant(attribute, "the size of a block");
        if (failed(value))
          return success();
        // Blocks of one element are none.
        block = *value;
        least = 1;
      } else if (!token.is(Token::Integer)) {
        return unexpected("the size of a block, an integer");
      } else if (failed(parseInteger(block))) {
        return failure();
      }
      if (block < least) {
        error(blockLoc) << "a block has " << (least == 1 ? "one" : "two")
                        << " or more elements, found " << block;
        return success();
      }
      expr = isWithin ? expr % block : expr.floorDiv(block);
    }
    results.push_back(expr);
    return success();
  };
  if (failed(expect("[", "and the device's sizes after 'as'")) ||
      failed(parseList("]", "the layout", parseSize)))
    return failure();
  if (isWrong)
    return success();
  ArrayRef<int64_t> sizes = type.sizes.asArrayRef();
  for (auto [index, size] : llvm::enumerate(sizes)) {
    if (isThere[index] || size == 1)
      continue;
    InFlightDiagnostic diagnostic = error(loc)
                                    << "the layout of " << tensor << " lacks ";
    if (!type.names[index].text.empty())
      diagnostic << "'" << type.names[index].text << "'";
    else
      diagnostic << "dimension " << index << "; give that size a name";
    return success();
  }
  AffineMap map = AffineMap::get(sizes.size(), /*symbolCount=*/0, results,
                                 source.getContext());
  if (!isLayout(map, sizes)) {
    error(loc) << "the layout of " << tensor
               << " does not hold each size once, whole or as the two parts of "
                  "n / 16 and n % 16";
    return success();
  }
  type.layout = AffineMapAttr::get(map);
  return success();
}

/// Parses `[const] [type {| type}] [shape [as layout]]`. `const` is not allowed
/// if `isConstant` is null.
LogicalResult PatternParser::parseTensorType(TensorType &type,
                                             const Twine &tensor,
                                             bool *isConstant) {
  bool isConst = isConstant && isWord("const");
  if (isConst) {
    *isConstant = true;
    advance();
  }
  if (!isConstant && isWord("const"))
    return fail(token.getLoc(), tensor + " is computed; only inputs are const");
  bool hasTypes = token.is(Token::Identifier) && !isWord("as");
  SmallVector<Attribute> elements;
  if (hasTypes && failed(parseElementTypes(elements)))
    return failure();
  if (!elements.empty())
    type.elements = builder.getArrayAttr(elements);
  llvm::SMLoc loc = token.getLoc();
  type.sizes = builder.getDenseI64ArrayAttr({});
  type.anyShape = builder.getUnitAttr();
  if (consumeIf("[")) {
    type.anyShape = UnitAttr();
    if (failed(parseShape(type, tensor)))
      return failure();
  } else if (!isConst && !hasTypes) {
    return unexpected("an element type or a shape, e.g. f32[1, n], after ':'");
  }
  if (!isWord("as"))
    return success();
  loc = token.getLoc();
  advance();
  if (type.anyShape)
    return fail(loc, "a layout needs a shape in front of it, e.g. f32[n, k] "
                     "as [k, n]");
  return parseLayout(type, loc, tensor);
}

/// Parses `name [: type]`.
LogicalResult PatternParser::parseInput() {
  Name name;
  if (failed(parseName(name, "the name of an input")))
    return failure();
  bool wasWrong = std::exchange(isWrong, false);
  bool isConstant = false;
  TensorType type;
  type.anyShape = builder.getUnitAttr();
  type.sizes = builder.getDenseI64ArrayAttr({});
  if (consumeIf(":") &&
      failed(parseTensorType(type, "input '" + name.text + "'", &isConstant)))
    return failure();
  if (!isWrong)
    define(name,
           InputOp::create(
               builder, at(name.loc), AccelTensorType::get(source.getContext()),
               builder.getStringAttr(name.text),
               isConstant ? builder.getUnitAttr() : UnitAttr(), type.elements,
               type.anyShape, type.dims, type.sizes, type.layout));
  else
    excuse(name);
  isWrong |= wasWrong;
  return success();
}
