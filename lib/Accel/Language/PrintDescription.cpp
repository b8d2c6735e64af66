//===- PrintDescription.cpp - Printer of descriptions ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Inverse of the parser, for descriptions that were written or changed as MLIR.
// Operations are more expressive than the language (unsigned arith, 32-bit
// numbers); the printer reports operations that it cannot express.
//
//===----------------------------------------------------------------------===//

#include "CScanner.h"
#include "DescriptionPrinter.h"
#include "FlatStatements.h"

#include "uma/Accel/IR/CArguments.h"
#include "uma/Accel/IR/CodeTemplate.h"
#include "uma/Accel/Language/Language.h"
#include "uma/Support/ReservedNames.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;
using namespace uma::accel::language;

std::string language::quoteText(StringRef text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

LogicalResult language::reportUnwritable(Operation *op, const Twine &what) {
  return mlir::emitError(op->getLoc())
         << what << " cannot be written in the description language";
}

/// Quotes a path without the description's folder, which the loader prepended.
std::string DescriptionPrinter::formatPath(StringRef file) const {
  StringRef relative = file;
  if (!folder.empty() && relative.consume_front(folder))
    relative = relative.ltrim('/');
  return quoteText(relative);
}

void DescriptionPrinter::printSettings(
    const Twine &keyword,
    ArrayRef<std::pair<StringRef, std::optional<std::string>>> settings) {
  os.indent(2) << keyword << " {";
  StringRef separator = " ";
  for (const auto &[name, value] : settings) {
    if (!value)
      continue;
    os << separator << name << " = " << *value;
    separator = "; ";
  }
  os << " }\n";
}

FailureOr<std::string> DescriptionPrinter::formatArgument(CallOp call,
                                                          Attribute element) {
  auto join = [&](auto range, StringRef separator) -> FailureOr<std::string> {
    std::string text;
    for (Attribute part : range) {
      FailureOr<std::string> written = formatArgument(call, part);
      if (failed(written))
        return failure();
      text += (text.empty() ? "" : separator.str()) + *written;
    }
    return text;
  };
  if (auto operand = dyn_cast<IntegerAttr>(element))
    return formatExpr(call, call.getArguments()[operand.getInt()]);
  if (auto name = dyn_cast<StringAttr>(element))
    return name.str();
  if (std::optional<CStruct> type = getStruct(element)) {
    std::string text = (type->isPointer ? "&" : "") + type->type.str() + "{";
    for (auto [index, field] : llvm::enumerate(type->fields)) {
      FailureOr<std::string> value = formatArgument(call, field.second);
      if (failed(value))
        return failure();
      text += (index ? ", " : "") + field.first.str() + " = " + *value;
    }
    return text + "}";
  }
  auto dictionary = cast<DictionaryAttr>(element);
  auto pick = dictionary.getAs<IntegerAttr>(kPickKey);
  if (!pick)
    return join(dictionary.getAs<ArrayAttr>(kSumKey), " + ");
  auto which = call.getArguments()[pick.getInt()].getDefiningOp<WhichOp>();
  FailureOr<std::string> values =
      join(dictionary.getAs<ArrayAttr>(kOfKey), ", ");
  if (failed(values))
    return failure();
  return "which(" + getName(which.getTensor()) + ", " + *values + ")";
}

LogicalResult DescriptionPrinter::printCall(StringRef keyword, StringRef callee,
                                            ValueRange arguments,
                                            Operation *op) {
  os << keyword << ' ' << callee << '(';
  SmallVector<std::string> texts;
  auto call = dyn_cast<CallOp>(op);
  if (call && call.getCArgumentsAttr()) {
    for (Attribute element : call.getCArgumentsAttr()) {
      FailureOr<std::string> text = formatArgument(call, element);
      if (failed(text))
        return failure();
      texts.push_back(*text);
    }
  } else {
    for (Value argument : arguments) {
      FailureOr<std::string> text = formatExpr(op, argument);
      if (failed(text))
        return failure();
      texts.push_back(*text);
    }
  }
  os << llvm::join(texts, ", ") << ")";
  if (call && call.getEngine()) {
    os << " on " << *call.getEngine();
    FailureOr<std::string> cycles = std::string("0");
    if (call.getCycles())
      cycles = formatExpr(call, call.getCycles());
    if (failed(cycles))
      return failure();
    os << " { cycles = " << *cycles << " }";
  }
  os << "\n";
  return success();
}

LogicalResult DescriptionPrinter::printCommand(const Twine &head,
                                               ArrayRef<StringRef> settings,
                                               StringRef keyword, Block &body) {
  Operation *yield = body.getTerminator();
  bool isEmpty = body.getOps<CallOp>().empty() &&
                 llvm::all_of(yield->getOperands(), [](Value value) {
                   return matchPattern(value, m_Zero());
                 });
  os.indent(2) << head << (isEmpty ? "\n" : " {\n");
  if (isEmpty)
    return success();
  for (auto [name, value] : llvm::zip_equal(settings, yield->getOperands())) {
    FailureOr<std::string> text = formatExpr(yield, value);
    if (failed(text))
      return failure();
    if (*text != "0" || name == "bandwidth")
      os.indent(4) << name << " = " << *text << "\n";
  }
  for (CallOp call : body.getOps<CallOp>()) {
    os.indent(4);
    if (failed(printCall(keyword, call.getCallee(), call.getArguments(), call)))
      return failure();
  }
  os.indent(2) << "}\n";
  return success();
}

LogicalResult DescriptionPrinter::printCode(CallOp call) {
  CodeTemplate code;
  std::string problem, text;
  (void)CodeTemplate::parse(*call.getCode(), code, problem);
  for (auto [index, part] : llvm::enumerate(code.getTexts())) {
    text += part;
    if (index >= code.getArguments().size())
      break;
    FailureOr<std::string> name =
        formatExpr(call, call.getArguments()[code.getArguments()[index]]);
    if (failed(name))
      return failure();
    if (!isFieldNameInC(*name))
      return reportUnwritable(call,
                              "C that uses '" + *name + "', which has no name");
    text += *name;
  }
  if (findEndOfC(text + "}") != text.size())
    return reportUnwritable(call, "C whose braces do not match");
  os << "code {" << text << "}\n";
  return success();
}

LogicalResult DescriptionPrinter::printCalls(StringRef keyword, Region &body) {
  for (CallOp call : body.getOps<CallOp>()) {
    os.indent(2);
    if (failed(printCall(keyword, call.getCallee(), call.getArguments(), call)))
      return failure();
  }
  return success();
}

LogicalResult
DescriptionPrinter::printTwoCalls(StringRef statement,
                                  std::pair<StringRef, CallOp> first,
                                  std::pair<StringRef, CallOp> second) {
  os.indent(2) << statement << " {\n";
  for (auto [keyword, call] : {first, second}) {
    os.indent(4);
    if (failed(printCall(keyword, CallOp(call).getCallee(),
                         CallOp(call).getArguments(), call)))
      return failure();
  }
  os.indent(2) << "}\n";
  return success();
}

LogicalResult DescriptionPrinter::printFlat(const FlatStatement &statement,
                                            Operation *op) {
  std::string text = statement.keyword.str();
  for (const FlatField &field : statement.fields) {
    Attribute value = op->getAttr(field.attribute);
    if (!value && field.isOptional)
      break;
    if (!value)
      return reportUnwritable(op, "'" + statement.keyword + "' without '" +
                                      field.attribute + "'");
    text += " ";
    switch (field.kind) {
    case FlatField::Word:
      text += cast<StringAttr>(value).getValue();
      break;
    case FlatField::Words:
      text += llvm::join(cast<ArrayAttr>(value).getAsValueRange<StringAttr>(),
                         ", ");
      break;
    case FlatField::Text:
      text += quoteText(cast<StringAttr>(value).getValue());
      break;
    case FlatField::Path:
      text += formatPath(cast<StringAttr>(value).getValue());
      break;
    case FlatField::Integer:
      text += std::to_string(cast<IntegerAttr>(value).getInt());
      break;
    case FlatField::Bool:
      text += cast<BoolAttr>(value).getValue() ? "true" : "false";
      break;
    }
  }
  os.indent(2) << text << '\n';
  return success();
}

LogicalResult DescriptionPrinter::printInstruction(InstructionOp op) {
  FailureOr<InstructionOp::Terms> terms = op.getTerms();
  if (failed(terms))
    return reportUnwritable(op, "an instruction that is no sum of products");
  const std::pair<StringRef, std::optional<StringRef>> codes[] = {
      {"configure", op.getConfigure()},
      {"start", op.getStart()},
      {"code", op.getCode()},
      {"finish", op.getFinish()}};
  for (auto [keyword, code] : codes)
    if (code && findEndOfC(*code) != StringRef::npos)
      return reportUnwritable(op, "C whose braces do not match");
  SmallVector<std::string> elements, operands;
  for (auto [i, count] : llvm::enumerate(op.getCounts())) {
    StringRef name = op.getOperandName(i);
    FailureOr<std::string> type =
        formatType(op, cast<TypeAttr>(op.getOperandTypes()[i]).getValue());
    if (failed(type))
      return failure();
    for (int64_t element = 0; element < count; ++element)
      elements.push_back(i == 0 ? name.str()
                                : (name + "[" + Twine(element) + "]").str());
    operands.push_back(
        (name + ": " + *type + (i == 0 ? Twine() : "[" + Twine(count) + "]"))
            .str());
  }
  SmallVector<std::string> products;
  for (const auto &term : *terms)
    products.push_back(llvm::join(
        llvm::map_range(term, [&](unsigned i) { return elements[i]; }), " * "));
  os.indent(2) << "instruction " << op.getName() << "("
               << llvm::join(operands, ", ") << ") {\n";
  os.indent(4) << op.getOperandName(0) << " = " << llvm::join(products, " + ")
               << "\n";
  if (op.getLanes() != 1)
    os.indent(4) << "lanes " << op.getLanes() << "\n";
  if (op.hasTile())
    os.indent(4) << "tile rows " << op.getMostRows() << " columns "
                 << op.getMostColumns() << " words " << op.getMostWords()
                 << "\n";
  const std::pair<StringRef, std::optional<StringRef>> texts[] = {
      {"guard", op.getGuard()},
      {"include", op.getHeader()},
      {"available", op.getAvailable()}};
  for (auto [keyword, text] : texts)
    if (text)
      os.indent(4) << keyword << " " << quoteText(*text) << "\n";
  for (auto [keyword, code] : codes)
    if (code)
      os.indent(4) << keyword << " { " << *code << " }\n";
  os.indent(2) << "}\n";
  return success();
}

LogicalResult DescriptionPrinter::printItem(Operation *op) {
  budget = 4096;
  for (const FlatStatement &statement : getFlatStatements())
    if (op->getName().stripDialect() == "accel." + statement.operation.str())
      return printFlat(statement, op);
  auto line = [&](const Twine &text) {
    os.indent(2) << text << '\n';
    return success();
  };
  /// Formats the value that a body yields; std::nullopt if it yields none.
  auto yielded = [&](Region &body) -> FailureOr<std::optional<std::string>> {
    Operation *yield = body.front().getTerminator();
    if (yield->getNumOperands() == 0)
      return std::optional<std::string>();
    FailureOr<std::string> text = formatExpr(yield, yield->getOperand(0));
    if (failed(text))
      return failure();
    return std::optional<std::string>(*text);
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AttributeOp op) -> LogicalResult {
        Attribute value = op.getValue();
        std::string text;
        if (auto string = dyn_cast<StringAttr>(value))
          text = quoteText(string.getValue());
        else if (auto boolean = dyn_cast<BoolAttr>(value))
          text = boolean.getValue() ? "true" : "false";
        else
          text = std::to_string(cast<IntegerAttr>(value).getInt());
        return line("attribute " + op.getName() + " = " + text);
      })
      .Case([&](InitOp op) { return printCalls("init", op.getBody()); })
      .Case([&](LaunchOp op) { return printCalls("launch", op.getBody()); })
      .Case([&](AwaitOp op) { return printCalls("await", op.getBody()); })
      .Case([&](MemoryOp op) -> LogicalResult {
        auto size = yielded(op.getSize());
        if (failed(size))
          return failure();
        std::optional<std::string> alignment, cost;
        if (op.getAlignment())
          alignment = std::to_string(*op.getAlignment());
        if (op.getAccessCost())
          cost = formatFloat(op.getAccessCost()->convertToDouble());
        printSettings(
            "memory " + op.getName(),
            {{"size", *size}, {"alignment", alignment}, {"cost", cost}});
        return success();
      })
      .Case([&](TransferOp op) -> LogicalResult {
        auto cycles = yielded(op.getBody());
        if (failed(cycles))
          return failure();
        printSettings("transfer", {{"cycles", *cycles}});
        return success();
      })
      .Case([&](RegionOp op) -> LogicalResult {
        auto overhead = yielded(op.getBody());
        if (failed(overhead))
          return failure();
        printSettings("region", {{"overhead", *overhead},
                                 {"min_operators",
                                  std::to_string(op.getMinOperators())}});
        return success();
      })
      .Case([&](EngineOp op) {
        return printCommand("engine " + op.getName(), {"macs"}, "wait",
                            op.getBody().front());
      })
      .Case([&](TokensOp op) {
        return printTwoCalls("tokens", {"push", op.getPush()},
                             {"pop", op.getPop()});
      })
      .Case([&](LayersOp op) {
        return printTwoCalls("layers", {"begin", op.getBegin()},
                             {"failed", op.getFailed()});
      })
      .Case([&](PathOp op) {
        return printCommand("transfer " + op.getFrom() + " -> " + op.getTo() +
                                " on " + op.getEngine(),
                            {"setup", "bandwidth"}, "call",
                            op.getBody().front());
      })
      .Case([&](InstructionOp op) { return printInstruction(op); })
      .Case([&](PatternOp pattern) {
        return printPattern(pattern, "pattern", "");
      })
      .Case([&](StrategyOp strategy) {
        return printPattern(strategy.getPattern(), "strategy",
                            " plevel " + Twine(strategy.getLevel()));
      })
      .Default([](Operation *op) {
        return reportUnwritable(op, "'" + op->getName().getStringRef() + "'");
      });
}

LogicalResult DescriptionPrinter::print(AcceleratorOp accelerator) {
  folder = llvm::sys::path::parent_path(accelerator.getSource().value_or(""));
  os << "accelerator " << accelerator.getSymName() << " {\n";
  for (Operation &op : accelerator.getBody().getOps())
    if (failed(printItem(&op)))
      return failure();
  os << "}\n";
  return success();
}

FailureOr<std::string> uma::accel::printDescription(AcceleratorOp accelerator) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (failed(DescriptionPrinter(os).print(accelerator)))
    return failure();
  return text;
}
