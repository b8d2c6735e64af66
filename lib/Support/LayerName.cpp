//===- LayerName.cpp - The name of a layer in the model -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Support/LayerName.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

StringRef uma::getLayerName(Location loc) {
  return TypeSwitch<LocationAttr, StringRef>(loc)
      .Case([](NameLoc named) { return named.getName().getValue(); })
      .Case([](CallSiteLoc call) { return getLayerName(call.getCallee()); })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (StringRef name = getLayerName(part); !name.empty())
            return name;
        return StringRef();
      })
      .Default(StringRef());
}

std::string uma::getLayerName(Operation *op) {
  StringRef name = getLayerName(op->getLoc());
  if (!name.empty())
    return name.str();
  // `graph.conv2d` of `uma.graph.conv2d`, `call` of `func.call`.
  name = op->getName().stripDialect();
  return name.drop_front(name.rfind('.') + 1).str();
}

static constexpr llvm::StringLiteral kRowsBegin = " [rows ";

std::string uma::nameRows(StringRef layer, int64_t begin, int64_t end) {
  return (layer + kRowsBegin + Twine(begin) + ".." + Twine(end) + ")").str();
}

std::string uma::dropRows(StringRef name) {
  auto [layer, rows] = name.split(kRowsBegin);
  size_t end = rows.find(')');
  if (end == StringRef::npos)
    return name.str();
  return (layer + rows.drop_front(end + 1)).str();
}

std::string uma::toCIdentifier(StringRef name) {
  std::string result;
  if (name.empty() || llvm::isDigit(name.front()))
    result = "_";
  for (char c : name)
    result += llvm::isAlnum(c) ? c : '_';
  return result;
}
