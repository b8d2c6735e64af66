//===- AccelInstructionOps.cpp - Instructions of a core -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/Accel/IR/AccelOps.h"

#include "uma/Support/ReservedNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

StringRef InstructionOp::getOperandName(unsigned index) {
  return cast<StringAttr>(getOperandNames()[index]).getValue();
}

Location InstructionOp::getPartLocation(StringRef part) {
  auto fused = dyn_cast<FusedLoc>(getLoc());
  if (!fused)
    return getLoc();
  for (Location loc : fused.getLocations())
    if (auto named = dyn_cast<NameLoc>(loc); named && named.getName() == part)
      return named.getChildLoc();
  return fused.getLocations().front();
}

std::string InstructionOp::getFullName() {
  auto accelerator = cast<AcceleratorOp>((*this)->getParentOp());
  std::string name = (accelerator.getSymName() + "_" + getName()).str();
  // A symbol in MLIR's syntax may have any name.
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  return name;
}

FailureOr<InstructionOp::Terms> InstructionOp::getTerms(bool emit) {
  // Sums and products of sums may grow without bound.
  constexpr size_t mostTerms = 64, mostFactors = 8;
  auto fail = [&](Location loc, const Twine &message) -> FailureOr<Terms> {
    if (emit)
      mlir::emitError(loc) << message;
    return failure();
  };
  Block &body = getBody().front();
  llvm::DenseMap<Value, Terms> known;
  for (BlockArgument argument : body.getArguments())
    known[argument] = {{argument.getArgNumber()}};
  for (Operation &op : body.without_terminator()) {
    if (!isa<arith::AddIOp, arith::MulIOp>(op))
      return fail(op.getLoc(), "an instruction adds and multiplies elements; "
                               "found " +
                                   op.getName().getStringRef());
    Terms lhs = known.lookup(op.getOperand(0));
    Terms rhs = known.lookup(op.getOperand(1));
    Terms terms = lhs;
    if (isa<arith::AddIOp>(op)) {
      llvm::append_range(terms, rhs);
    } else {
      terms.clear();
      for (const auto &x : lhs)
        for (const auto &y : rhs) {
          llvm::append_range(terms.emplace_back(x), y);
          llvm::sort(terms.back());
        }
    }
    if (terms.size() > mostTerms)
      return fail(op.getLoc(), "an instruction sums up to " + Twine(mostTerms) +
                                   " products");
    if (llvm::any_of(terms, [&](const auto &product) {
          return product.size() > mostFactors;
        }))
      return fail(op.getLoc(), "an instruction multiplies up to " +
                                   Twine(mostFactors) + " elements");
    known[op.getResult(0)] = std::move(terms);
  }
  Terms terms = known.lookup(body.getTerminator()->getOperand(0));
  llvm::sort(terms);
  return terms;
}

/// Returns the form that kernels can use, or std::nullopt.
static std::optional<InstructionOp::Dot> findDot(InstructionOp op) {
  auto getType = [&](unsigned i) {
    return cast<TypeAttr>(op.getOperandTypes()[i]).getValue();
  };
  ArrayRef<int64_t> counts = op.getCounts();
  for (unsigned data : {1, 2}) {
    unsigned weights = 3 - data;
    Type x = getType(data), w = getType(weights);
    bool isFloat = x.isBF16() && w.isBF16();
    bool isPairs =
        isFloat || (x.isSignlessInteger(16) && w.isSignlessInteger(16));
    bool isQuads = x.isUnsignedInteger(8) && w.isSignlessInteger(8);
    int64_t count = isPairs ? 2 : 4;
    if ((isPairs || isQuads) && isFloat == getType(0).isF32() &&
        counts[data] == count && counts[weights] == count)
      return InstructionOp::Dot{data, weights, isPairs, isFloat};
  }
  return std::nullopt;
}

InstructionOp::Dot InstructionOp::getDot() { return *findDot(*this); }

/// Returns an error about a condition of the preprocessor, or an empty string.
static std::string checkGuard(StringRef guard) {
  // A backslash would continue the line, and a comment would hide its end.
  if (guard.trim().empty() ||
      guard.find_first_of("\n\r#\\\"") != StringRef::npos ||
      guard.contains("//") || guard.contains("/*"))
    return "is not one line of a condition, e.g. guard "
           "\"defined(__ARM_FEATURE_SIMD32)\"";
  int depth = 0;
  for (char c : guard) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0)
      break;
  }
  return depth == 0 ? "" : "has parentheses that do not match";
}

/// Returns whether C contains the identifier `name`.
static bool contains(StringRef code, StringRef name) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  while (!code.empty()) {
    code = code.drop_until(isPart);
    StringRef word = code.take_while(isPart);
    if (word == name)
      return true;
    code = code.drop_front(word.size());
  }
  return false;
}

LogicalResult InstructionOp::verify() {
  auto error = [&](StringRef part) {
    return mlir::emitError(getPartLocation(part))
           << "instruction '" << getName() << "' ";
  };
  if (!isFieldNameInC(getName()))
    return error("") << "has a name that C cannot have";
  size_t count = getOperandNames().size();
  if (count != getOperandTypes().size() || count != getCounts().size())
    return error("") << "has names, types and counts of different numbers of "
                        "operands";
  if (count != 3)
    return error("")
           << "has " << count
           << " operands; kernels feed three: a sum of type i32 or f32, "
              "data and weights";
  auto getType = [&](unsigned i) {
    return cast<TypeAttr>(getOperandTypes()[i]).getValue();
  };
  if ((!getType(0).isSignlessInteger(32) && !getType(0).isF32()) ||
      getCounts()[0] != 1)
    return error(getOperandName(0))
           << "has the sum '" << getOperandName(0)
           << "', which no kernel can feed; expected one i32 or f32";
  for (auto name : getOperandNames().getAsValueRange<StringAttr>())
    if (!isFieldNameInC(name))
      return error(name) << "has the operand '" << name
                         << "', a name that C cannot have";
  for (unsigned i : {1, 2})
    if (getOperandName(i) == getOperandName(0) ||
        getOperandName(2) == getOperandName(1))
      return error(getOperandName(i))
             << "has two operands called '" << getOperandName(i) << "'";
  if (getLanes() != 1 && getLanes() != 4 && getLanes() != 8 && getLanes() != 16)
    return error("lanes")
           << "has " << getLanes()
           << " lanes; vectors of the kernels have 4, 8 or 16 words, and 1 is "
              "a word in a register of the core";
  if (!findDot(*this)) {
    auto describe = [&](unsigned i) {
      std::string type;
      llvm::raw_string_ostream os(type);
      if (getType(i).isUnsignedInteger())
        os << 'u' << getType(i).getIntOrFloatBitWidth();
      else
        os << getType(i);
      return type + "[" + std::to_string(getCounts()[i]) + "]";
    };
    return error(getOperandName(1))
           << "has operands that no kernel can feed: " << describe(1) << " and "
           << describe(2) << " for a sum of "
           << (getType(0).isF32() ? "f32" : "i32")
           << "; expected u8[4] and i8[4], or i16[2] and i16[2], for one of "
              "i32, or bf16[2] and bf16[2] for one of f32: data and weights";
  }
  if (std::optional<StringRef> guard = getGuard())
    if (std::string problem = checkGuard(*guard); !problem.empty())
      return error("guard") << "has a guard that " << problem;
  if (std::optional<StringRef> available = getAvailable())
    if (std::string problem = checkGuard(*available); !problem.empty())
      return error("available")
             << "has a condition 'available' that " << problem;
  if (std::optional<StringRef> header = getHeader())
    if (failed(
            verifyPackagedName(getPartLocation("include"), "header", *header)))
      return failure();
  if (failed(verifyTile()))
    return failure();
  for (auto name : getOperandNames().getAsValueRange<StringAttr>())
    if (!contains(getCode(), name))
      // A device keeps the sums between start and finish.
      if (!hasTile() || name != getOperandName(0))
        return error("code")
               << "has C that does not use the operand '" << name << "'";
  return success();
}

LogicalResult InstructionOp::verifyTile() {
  auto error = [&](StringRef part) {
    return mlir::emitError(getPartLocation(part))
           << "instruction '" << getName() << "' ";
  };
  const std::pair<StringRef, std::optional<StringRef>> parts[] = {
      {"configure", getConfigure()},
      {"start", getStart()},
      {"finish", getFinish()},
      {"available", getAvailable()}};
  if (!hasTile()) {
    for (auto [name, text] : parts)
      if (text)
        return error(name) << "has '" << name
                           << "', which is for operands in memory; write their "
                              "size, e.g. tile rows 16 columns 16 words 16";
    return success();
  }
  // Kernels divide the channels into panels of a cache line.
  constexpr int64_t mostRows = 256, panel = 16, mostWords = 1024;
  if (getTile()->size() != 3)
    return error("tile") << "has a tile of " << getTile()->size()
                         << " sizes; expected rows, columns and words";
  const std::tuple<StringRef, int64_t, int64_t> sizes[] = {
      {"rows", getMostRows(), mostRows}, {"words", getMostWords(), mostWords}};
  for (auto [name, size, most] : sizes)
    if (size < 1 || size > most)
      return error("tile") << "has a tile of " << size << " " << name
                           << ", expected 1 to " << most;
  if (getMostColumns() < panel || getMostColumns() % panel != 0 ||
      getMostColumns() > mostRows)
    return error("tile") << "has a tile of " << getMostColumns()
                         << " columns; expected a multiple of " << panel
                         << ", the channels that lie together";
  // Names of the sizes and strides in C.
  for (auto [i, name] :
       llvm::enumerate(getOperandNames().getAsValueRange<StringAttr>()))
    for (unsigned other = 0; other < 3; ++other)
      for (StringRef suffix : {"", "_stride", "_panel"}) {
        std::string taken = (getOperandName(other) + suffix).str();
        if (llvm::is_contained({"rows", "columns", "words"}, name) ||
            (i != other && name == taken))
          return error(name) << "has the operand '" << name
                             << "', the name of a size or stride of the tile";
      }
  if (getLanes() != 1 && getLanes() != panel)
    return error("lanes") << "has operands in memory and " << getLanes()
                          << " lanes; it is used in kernels with vectors of "
                          << panel << " lanes, or without vectors (1)";
  return success();
}

LogicalResult InstructionOp::verifyRegions() {
  Block &body = getBody().front();
  int64_t numElements = 0;
  for (int64_t count : getCounts())
    numElements += count;
  if (body.getNumArguments() != size_t(numElements) ||
      !llvm::all_of(body.getArgumentTypes(), llvm::IsaPred<IndexType>))
    return mlir::emitError(getPartLocation(""))
           << "expects a body with " << numElements
           << " arguments of type index, one for each element";
  if (!isa<YieldOp>(body.back()))
    return mlir::emitError(getPartLocation(""))
           << "expects a body that ends with uma.accel.yield";
  FailureOr<Terms> terms = getTerms(/*emit=*/true);
  if (failed(terms))
    return failure();
  Terms expected = {{0}};
  int64_t count = getCounts()[1];
  for (int64_t i = 0; i < count; ++i)
    expected.push_back({unsigned(1 + i), unsigned(1 + count + i)});
  if (*terms == expected)
    return success();
  auto format = [&](ArrayRef<unsigned> product) {
    return llvm::join(
        llvm::map_range(
            product,
            [&](unsigned element) -> std::string {
              if (element == 0)
                return getOperandName(0).str();
              unsigned operand = element > count ? 2 : 1;
              unsigned i = (element - 1) % count;
              return (getOperandName(operand) + "[" + Twine(i) + "]").str();
            }),
        " * ");
  };
  auto formatAll = [&](const Terms &all) {
    return llvm::join(llvm::map_range(all, format), " + ");
  };
  return mlir::emitError(body.back().getLoc())
         << "instruction '" << getName() << "' computes " << formatAll(*terms)
         << ", which no kernel can use; expected " << formatAll(expected);
}

bool uma::accel::hasInstructions(ModuleOp module) {
  return llvm::any_of(module.getOps<AcceleratorOp>(), [](AcceleratorOp op) {
    return !op.getOps<InstructionOp>().empty();
  });
}

SmallVector<InstructionOp> uma::accel::getTileInstructions(ModuleOp module) {
  SmallVector<InstructionOp> found;
  for (auto accelerator : module.getOps<AcceleratorOp>())
    for (auto instruction : accelerator.getOps<InstructionOp>())
      if (instruction.hasTile())
        found.push_back(instruction);
  return found;
}
