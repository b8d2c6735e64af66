//===- HeaderFindings.cpp - Compiler messages by call ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HeaderFindings.h"

#include "../Package/Build.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace uma;

const Declaration *HeaderFindings::getDeclaration(StringRef callee) const {
  auto found = declarations.find(callee);
  return found == declarations.end() ? nullptr : &found->second;
}

void HeaderFindings::addDeclaration(const CompilerMessage &message,
                                    StringRef callee) {
  for (const CompilerMessage &note : message.notes) {
    // A call to an undeclared function is an implicit declaration.
    if (note.file == mainFile || note.line == 0)
      continue;
    Declaration &declaration = declarations[callee];
    if (!declaration.file.empty())
      return;
    declaration.file = note.file;
    declaration.line = note.line;
    declaration.column = note.column;
    declaration.isMacro = message.contains("redefined");
    if (!declaration.isMacro)
      declaration.prototype =
          readPrototype(readText(note.file), note.line, note.column);
    return;
  }
}

/// Returns whether a type, spelled as in a compiler's message, is a
/// floating-point type.
static bool isFloatType(StringRef type) {
  while (type.consume_front("const ") || type.consume_front("volatile "))
    ;
  return llvm::StringSwitch<bool>(type)
      .Cases({"float", "double", "long double", "_Float16", "__fp16", "__bf16"},
             true)
      .Default(type.starts_with("_Float"));
}

/// Returns whether a warning reports mismatched types.
static bool isWrongType(StringRef flag) {
  return flag == "int-conversion" || flag == "pointer-sign" ||
         flag.starts_with("incompatible-pointer-types") ||
         flag == "incompatible-function-pointer-types";
}

/// Returns whether a message about an argument reports a mistake in the
/// description.
static bool isMistake(const ProbeArgument &argument,
                      const CompilerMessage &message) {
  if (!argument.replacement.empty())
    return false;
  StringRef flag = message.flag;
  if (flag.empty())
    return message.severity >= CompilerMessage::Error;
  bool isConversion = flag.contains("conversion") || flag == "overflow";
  if (flag == "int-conversion" || !isConversion)
    return isWrongType(flag);
  // The target type follows the last "to".
  bool isToFloat = isFloatType(message.getType("to", /*isCanonical=*/true));
  switch (argument.kind) {
  case ProbeArgument::Tensor:
    return true;
  case ProbeArgument::Float:
    return !isToFloat;
  case ProbeArgument::Integer:
    return isToFloat;
  case ProbeArgument::Constant:
    return true;
  case ProbeArgument::Text:
  case ProbeArgument::Struct:
    return false;
  }
  llvm_unreachable("every argument has a kind");
}

void HeaderFindings::addCode(const CompilerMessage &message, Operation *op,
                             size_t line) {
  bool isCall = isa<accel::CallOp>(op) && isWrongType(message.flag);
  if (!message.isError() && message.flag != "implicit-function-declaration" &&
      !isCall)
    return;
  // Each compilation repeats the messages.
  if (llvm::none_of(code, [&](const Code &other) {
        return other.op == op && other.message->text == message.text;
      }))
    code.push_back({&message, op, line});
}

void HeaderFindings::addToCall(const CompilerMessage &message,
                               const ProbeLine &line) {
  const ProbeCall &call = probe.getCalls()[line.call];
  CallFindings &found = calls[line.call];
  auto note = [&](const CompilerMessage *&place) {
    if (!place)
      place = &message;
  };
  bool isAboutMacro = message.contains("macro");
  bool isAboutCount = message.contains("too few arguments") ||
                      message.contains("too many arguments") ||
                      (isAboutMacro && message.isError());
  if (message.flag == "implicit-function-declaration" ||
      message.contains("undeclared"))
    return;
  if (isAboutCount) {
    note(found.count);
    return;
  }
  if (call.replace && message.isError() &&
      StringRef(message.text).starts_with("expected ")) {
    addCode(message, accel::ReplaceOp(call.replace));
    return;
  }
  if (line.isQualified) {
    if (line.role != ProbeLine::Argument || !message.contains("discards"))
      return;
    const ProbeArgument &argument = call.arguments[line.index];
    std::string type = message.getType("expected", /*isCanonical=*/true);
    if (type.empty())
      type = message.getType("to parameter of type", /*isCanonical=*/true);
    bool isConst = StringRef(type).rsplit('*').first.contains("const");
    if (argument.isOutput ? isConst : !type.empty() && !isConst)
      (argument.isOutput ? found.isConst : found.isNotConst)
          .insert({line.index, &message});
    return;
  }
  if (line.role == ProbeLine::Argument) {
    if (isMistake(call.arguments[line.index], message))
      found.arguments.insert({line.index, &message});
    return;
  }
  bool isInHeader = message.file != mainFile;
  bool isMistake = message.isError() || message.flag == "int-conversion" ||
                   message.flag.find("incompatible") == 0;
  if (isInHeader) {
    if (isMistake || message.flag == "overflow")
      note(found.macro);
    return;
  }
  if (isMistake || message.flag == "float-conversion")
    note(found.status);
}

void HeaderFindings::add(const CompilerMessage &message) {
  unsigned number = message.file == mainFile ? message.line : 0;
  // For messages inside a macro, gcc gives the line of the probe in a note.
  for (const CompilerMessage &note : message.notes)
    if (number == 0 && note.file == mainFile && message.includedAt == 0)
      number = note.line;
  ProbeLine line = probe.getLine(number);
  if (number == 0 || message.severity == CompilerMessage::Fatal) {
    if (message.isError() && !headerError)
      headerError = &message;
    return;
  }
  switch (line.role) {
  case ProbeLine::Include:
    if (message.contains("uma: missing"))
      missingHeaders.insert(cast<accel::IncludeOp>(line.op));
    return;
  case ProbeLine::Code:
    addCode(message, line.op, line.index);
    return;
  case ProbeLine::Field:
    if (message.isError())
      calls[line.call].fields.insert({line.index, &message});
    return;
  case ProbeLine::Call:
  case ProbeLine::Argument:
    addToCall(message, line);
    return;
  case ProbeLine::Declaration:
    addDeclaration(message, probe.getCallees()[line.index]);
    return;
  case ProbeLine::Other:
    return;
  }
}

void HeaderFindings::add(ArrayRef<CompilerMessage> messages, StringRef file) {
  mainFile = file.str();
  for (const CompilerMessage &message : messages)
    add(message);
}
