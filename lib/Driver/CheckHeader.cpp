//===- CheckHeader.cpp - A description against its header -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// A C compiler knows headers best: it gets C with the calls of the description
// (HeaderProbe), and what it says of a line of that becomes an error at the
// argument in the description, in words that speak of tensors and numbers.
//
//===----------------------------------------------------------------------===//

#include "CheckHeader.h"

#include "Build.h"
#include "CompilerLog.h"
#include "HeaderProbe.h"

#include "uma/Support/DidYouMean.h"
#include "uma/Support/OutputFile.h"
#include "uma/Target/C/DeviceFiles.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

#include <unistd.h>

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {
/// What the compiler says of one call.
struct CallFindings {
  const CompilerMessage *count = nullptr;
  const CompilerMessage *status = nullptr;
  const CompilerMessage *macro = nullptr;
  llvm::MapVector<size_t, const CompilerMessage *> arguments;
  /// Arguments whose parameter is `const`, and whose is not.
  llvm::MapVector<size_t, const CompilerMessage *> isConst, isNotConst;
};

/// Where a function of a header is declared.
struct Declaration {
  std::string file;
  unsigned line = 0, column = 0;
  bool isMacro = false;
  Prototype prototype;
};

class HeaderCheck {
public:
  HeaderCheck(accel::AcceleratorOp accelerator, const ModelContext &context)
      : accelerator(accelerator), context(context), probe(accelerator) {}

  ExitCode run(StringRef compiler);

private:
  // The compiler.
  std::optional<SmallVector<std::string>> getCompiler(StringRef compiler,
                                                      ExitCode &code);
  ExitCode prepare(const DeviceFiles &files);
  std::vector<CompilerMessage> compile(ArrayRef<std::string> command);
  bool replaceWrongArguments(const std::vector<CompilerMessage> &messages);

  // What it says.
  void classify(const CompilerMessage &message);
  void classifyCall(const CompilerMessage &message, const ProbeLine &line);
  void findDeclaration(const CompilerMessage &message, StringRef callee);

  // What users are told.
  void reportHeader(const CompilerMessage &message);
  void reportMissingHeader(accel::IncludeOp include);
  void reportCode(const CompilerMessage &message, const ProbeLine &line);
  void reportCall(const ProbeCall &call, const CallFindings &found);
  void reportMissingFunction(const ProbeCall &call);
  void reportCount(const ProbeCall &call, const CompilerMessage &message);
  void reportStatus(const ProbeCall &call, const CompilerMessage &message);
  void reportArgument(const ProbeCall &call, size_t index,
                      const CompilerMessage &message);
  void reportConst(const ProbeCall &call, const CallFindings &found);
  InFlightDiagnostic error(Location loc) {
    hasErrors = true;
    return emitError(loc);
  }
  /// Attaches where the function is declared.
  void attachNote(InFlightDiagnostic &error, const ProbeCall &call);
  /// Returns the parameter as the header has it, in quotes and behind a word.
  std::string describeParameter(const ProbeCall &call, size_t index,
                                const CompilerMessage &message);
  /// Returns the position in a file that the user knows.
  Location getLocation(StringRef file, unsigned line, unsigned column);
  std::string getOriginal(StringRef file) const;
  SmallVector<StringRef> getIncludeFolders() const;

  accel::AcceleratorOp accelerator;
  const ModelContext &context;
  HeaderProbe probe;
  ScratchFolder scratch;
  std::string mainFile, log, compilerName;
  DeviceFiles files;
  std::vector<CallFindings> findings;
  llvm::StringMap<Declaration> declarations;
  /// What C that does not compile comes from.
  llvm::SmallPtrSet<Operation *, 4> wrongCode;
  bool hasErrors = false;
  bool isIncomplete = false; ///< a header could not be read
};
} // namespace

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

/// Splits a variable of the environment into words, as a shell would.
static SmallVector<std::string> splitWords(StringRef text) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  return SmallVector<std::string>(words.begin(), words.end());
}

std::optional<SmallVector<std::string>>
HeaderCheck::getCompiler(StringRef compiler, ExitCode &code) {
  std::string name = compiler.str();
  if (name.empty())
    name = llvm::sys::Process::GetEnv("CC").value_or("");
  SmallVector<std::string> command = splitWords(name);
  if (command.empty())
    command = {"cc"};
  compilerName = command.front();
  auto program = llvm::sys::findProgramByName(command.front());
  if (program) {
    command.front() = *program;
    return command;
  }
  if (!compiler.empty()) {
    code = context.fail(ExitCode::BadInput,
                        "--cc=" + compiler + ": no such program");
    return std::nullopt;
  }
  emitWarning(accelerator.getLoc())
      << "there is no C compiler '" << compilerName
      << "', so the calls are not checked against the header; --cc or CC "
         "names one, and --no-header leaves the check out";
  return std::nullopt;
}

ExitCode HeaderCheck::prepare(const DeviceFiles &deviceFiles) {
  files = deviceFiles;
  if (ExitCode code = scratch.createSupervised(context, "uma-check");
      code != ExitCode::Success)
    return code;
  for (auto &[name, file] : files.files) {
    SmallString<256> target(scratch.getPath("device/" + name)), source(file);
    std::error_code error = fs::make_absolute(source);
    if (!error)
      error = fs::create_directories(path::parent_path(target));
    if (!error)
      error = fs::create_link(source, target);
    if (error)
      return context.fail(ExitCode::BadInput,
                          target.str() + ": " + error.message());
  }
  mainFile = scratch.getPath("probe.c");
  log = scratch.getPath("log");
  return ExitCode::Success;
}

std::vector<CompilerMessage>
HeaderCheck::compile(ArrayRef<std::string> command) {
  if (llvm::Error error = writeFileAtomically(mainFile, probe.write())) {
    context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
    return {};
  }
  SmallVector<std::string> arguments(command);
  for (StringRef variable : {"CPPFLAGS", "CFLAGS"})
    if (auto flags = llvm::sys::Process::GetEnv(variable))
      llvm::append_range(arguments, splitWords(*flags));
  // Calls of macros in headers of the system are checked as any other.
  llvm::append_range(
      arguments, ArrayRef<StringRef>{
                     "-x", "c", "-std=c99", "-fsyntax-only", "-Wall",
                     "-Wconversion", "-Wsign-conversion", "-Wfloat-conversion",
                     "-Wimplicit-function-declaration", "-Wsystem-headers",
                     "-Wno-error", "-fdiagnostics-color=never", "-I"});
  arguments.push_back(scratch.getPath("device"));
  arguments.push_back(mainFile);
  // clang stops after 20 errors otherwise; gcc does not know the flag.
  arguments.push_back("-ferror-limit=0");

  // Messages in English, whatever the user's language is.
  std::vector<StringRef> environment{"LC_ALL=C"};
  for (char **entry = environ; *entry; ++entry)
    if (!StringRef(*entry).starts_with("LC_ALL="))
      environment.emplace_back(*entry);
  auto execute = [&] {
    (void)fs::remove(log);
    SmallVector<StringRef> argv(arguments.begin(), arguments.end());
    std::optional<StringRef> redirects[] = {StringRef(), log, log};
    (void)llvm::sys::ExecuteAndWait(argv.front(), argv,
                                    ArrayRef<StringRef>(environment), redirects,
                                    /*SecondsToWait=*/60);
    return readText(log);
  };
  std::string text = execute();
  if (StringRef(text).contains("-ferror-limit") &&
      !StringRef(text).contains(mainFile)) {
    arguments.pop_back();
    text = execute();
  }
  std::vector<CompilerMessage> messages = parseCompilerLog(text, mainFile);
  if (messages.empty() && !StringRef(text).trim().empty()) {
    isIncomplete = true;
    emitWarning(accelerator.getLoc())
        << "'" << compilerName
        << "' cannot check the header: " << StringRef(text).trim();
  }
  return messages;
}

/// Puts values of the right type in the places of arguments that keep clang
/// from looking at those behind. False if there are none.
bool HeaderCheck::replaceWrongArguments(
    const std::vector<CompilerMessage> &messages) {
  bool hasReplaced = false;
  for (const CompilerMessage &message : messages) {
    ProbeLine line =
        message.file == mainFile ? probe.getLine(message.line) : ProbeLine();
    if (!message.isError() || line.role != ProbeLine::Argument)
      continue;
    ProbeCall &call = probe.getCalls()[line.call];
    ProbeArgument &argument = call.arguments[line.index];
    std::string type = message.getType("to parameter of incompatible type");
    bool isLast = line.index + 1 == call.arguments.size();
    if (type.empty() || isLast || !argument.replacement.empty())
      continue;
    argument.replacement = type;
    hasReplaced = true;
  }
  return hasReplaced;
}

//===----------------------------------------------------------------------===//
// What it says
//===----------------------------------------------------------------------===//

void HeaderCheck::findDeclaration(const CompilerMessage &message,
                                  StringRef callee) {
  for (const CompilerMessage &note : message.notes) {
    // A call of a function that is not declared declares it.
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

/// Whether the type, as a compiler writes it, is that of floats.
static bool isFloatType(StringRef type) {
  while (type.consume_front("const ") || type.consume_front("volatile "))
    ;
  return llvm::StringSwitch<bool>(type)
      .Cases({"float", "double", "long double", "_Float16", "__fp16", "__bf16"},
             true)
      .Default(type.starts_with("_Float"));
}

/// Whether what the compiler says of the argument is a mistake.
static bool isMistake(const ProbeArgument &argument,
                      const CompilerMessage &message) {
  if (!argument.replacement.empty())
    return false;
  StringRef flag = message.flag;
  if (flag.empty())
    return message.severity >= CompilerMessage::Error;
  bool isConversion = flag.contains("conversion") || flag == "overflow";
  if (flag == "int-conversion" || !isConversion)
    return flag == "int-conversion" || flag == "pointer-sign" ||
           flag.starts_with("incompatible-pointer-types") ||
           flag == "incompatible-function-pointer-types";
  // The type behind the last "to".
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
  }
  llvm_unreachable("every argument has a kind");
}

void HeaderCheck::classifyCall(const CompilerMessage &message,
                               const ProbeLine &line) {
  const ProbeCall &call = probe.getCalls()[line.call];
  CallFindings &found = findings[line.call];
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
    ProbeLine text = line;
    text.op = accel::ReplaceOp(call.replace);
    reportCode(message, text);
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

void HeaderCheck::classify(const CompilerMessage &message) {
  unsigned number = message.file == mainFile ? message.line : 0;
  // gcc speaks of the inside of a macro first.
  for (const CompilerMessage &note : message.notes)
    if (number == 0 && note.file == mainFile && message.includedAt == 0)
      number = note.line;
  ProbeLine line = probe.getLine(number);
  if (number == 0 || message.severity == CompilerMessage::Fatal) {
    if (message.isError())
      reportHeader(message);
    return;
  }
  switch (line.role) {
  case ProbeLine::Include:
    if (message.contains("uma: missing"))
      reportMissingHeader(cast<accel::IncludeOp>(line.op));
    return;
  case ProbeLine::Code:
    reportCode(message, line);
    return;
  case ProbeLine::Call:
  case ProbeLine::Argument:
    classifyCall(message, line);
    return;
  case ProbeLine::Declaration:
    findDeclaration(message, probe.getCallees()[line.index]);
    return;
  case ProbeLine::Other:
    return;
  }
}

//===----------------------------------------------------------------------===//
// What users are told
//===----------------------------------------------------------------------===//

std::string HeaderCheck::getOriginal(StringRef file) const {
  StringRef name = file;
  if (!name.consume_front(scratch.getPath("device/")))
    return file.str();
  SmallString<256> plain(name);
  path::remove_dots(plain, /*remove_dot_dot=*/true);
  auto original = files.files.find(plain.str().str());
  return original == files.files.end() ? name.str() : original->second;
}

Location HeaderCheck::getLocation(StringRef file, unsigned line,
                                  unsigned column) {
  return FileLineColLoc::get(accelerator.getContext(), getOriginal(file), line,
                             column);
}

SmallVector<StringRef> HeaderCheck::getIncludeFolders() const {
  return SmallVector<StringRef>(files.folders.begin(), files.folders.end());
}

void HeaderCheck::reportMissingHeader(accel::IncludeOp include) {
  isIncomplete = true;
  InFlightDiagnostic diagnostic =
      error(include.getLoc())
      << "header '" << include.getHeader() << "' not found; searched in '"
      << llvm::join(getIncludeFolders(), "', '") << "' and where '"
      << compilerName
      << "' looks; CPPFLAGS=-IFOLDER adds a folder, and --no-header leaves the "
         "check out";
}

void HeaderCheck::reportHeader(const CompilerMessage &message) {
  if (isIncomplete)
    return;
  isIncomplete = true;
  ProbeLine at = probe.getLine(message.includedAt);
  Location loc = at.op ? at.op->getLoc() : accelerator.getLoc();
  std::string header = at.role == ProbeLine::Include
                           ? cast<accel::IncludeOp>(at.op).getHeader().str()
                           : getOriginal(message.file);
  // What is not installed here may be where the package is compiled.
  std::string text = readText(message.file);
  StringRef rest = text;
  for (unsigned line = 1; line < message.line; ++line)
    rest = rest.split('\n').second;
  StringRef line = rest.split('\n').first.trim();
  bool isFatal = message.severity == CompilerMessage::Fatal;
  bool isOutside = isFatal && line.contains("include") && line.contains('<');
  hasErrors |= !isOutside;
  InFlightDiagnostic diagnostic = isOutside ? emitWarning(loc) : emitError(loc);
  if (isOutside)
    diagnostic << "the calls are not checked: '" << header << "' includes <"
               << line.split('<').second.split('>').first
               << ">, which is not installed here; CPPFLAGS=-IFOLDER says "
                  "where it is";
  else
    diagnostic << "'" << header
               << "' does not compile as C99: " << message.text;
  diagnostic.attachNote(
      getLocation(message.file, message.line, std::max(message.column, 1u)))
      << (isOutside ? "it is included here" : "the compiler stops here");
}

void HeaderCheck::reportCode(const CompilerMessage &message,
                             const ProbeLine &line) {
  bool isImplicit = message.flag == "implicit-function-declaration";
  if (!message.isError() && !isImplicit)
    return;
  StringRef what = isa<accel::PrologueOp>(line.op)   ? "this prologue"
                   : isa<accel::EpilogueOp>(line.op) ? "this epilogue"
                                                     : "this text";
  bool isUndeclared = isImplicit || message.contains("undeclared");
  // What a missing header declares is not missing.
  if (isUndeclared && isIncomplete)
    return;
  // What follows from an error of syntax is no error of its own.
  if (!isUndeclared && !wrongCode.insert(line.op).second)
    return;
  StringRef name = StringRef(message.text).split('\'').second.split('\'').first;
  if (isUndeclared && !name.empty())
    error(line.op->getLoc())
        << "'" << name << "' in the C of " << what
        << " is declared neither there nor in a header of the description";
  else
    error(line.op->getLoc())
        << "the C of " << what << " does not compile: " << message.text;
}

void HeaderCheck::attachNote(InFlightDiagnostic &error, const ProbeCall &call) {
  if (call.replace) {
    error.attachNote(call.replace->getLoc())
        << "this text replaces calls of '" << call.callee << "'";
    return;
  }
  auto found = declarations.find(call.callee);
  if (found == declarations.end())
    return;
  const Declaration &declaration = found->second;
  Diagnostic &note = error.attachNote(getLocation(
      declaration.file, declaration.line, std::max(declaration.column, 1u)));
  if (declaration.isMacro)
    note << "the macro '" << call.callee << "' is defined here";
  else if (declaration.prototype.text.empty())
    note << "'" << call.callee << "' is declared here";
  else
    note << "the header has " << declaration.prototype.text;
}

void HeaderCheck::reportMissingFunction(const ProbeCall &call) {
  auto includes = accelerator.getOps<accel::IncludeOp>();
  if (includes.empty()) {
    error(call.getLocation())
        << "the description includes no header that declares '" << call.callee
        << "', e.g. include \"" << accelerator.getSymName() << ".h\"";
    return;
  }
  std::vector<std::string> names;
  for (auto &[name, file] : files.files)
    if (path::extension(name).starts_with(".h"))
      llvm::append_range(names, getFunctionNames(readText(file)));
  SmallVector<StringRef> candidates(names.begin(), names.end());
  // It may be there for other compilers alone.
  llvm::erase(candidates, call.callee);
  SmallVector<StringRef> headers;
  for (accel::IncludeOp include : includes)
    headers.push_back(include.getHeader());
  error(call.getLocation())
      << (headers.size() == 1 ? "" : "none of ") << "'"
      << llvm::join(headers, "', '") << "'"
      << (headers.size() == 1 ? " does not declare '" : " declares '")
      << call.callee << "'" << didYouMean(call.callee, candidates);
}

void HeaderCheck::reportCount(const ProbeCall &call,
                              const CompilerMessage &message) {
  auto found = declarations.find(call.callee);
  size_t count = call.arguments.size();
  bool isFew = message.contains("few") || message.contains("requires");
  Location loc = call.getLocation();
  std::string expected;
  if (found != declarations.end() && !found->second.isMacro &&
      !found->second.prototype.text.empty()) {
    const Prototype &prototype = found->second.prototype;
    size_t parameters = prototype.parameters.size();
    expected = (prototype.isVariadic ? "at least " : "") +
               std::to_string(parameters) +
               (parameters == 1 ? " argument" : " arguments");
    if (!isFew && parameters < count)
      loc = call.getLocation(parameters);
  }
  InFlightDiagnostic diagnostic = error(loc);
  if (expected.empty())
    diagnostic << "'" << call.callee << "' takes " << (isFew ? "more" : "fewer")
               << " arguments than " << count;
  else
    diagnostic << "'" << call.callee << "' takes " << expected << ", found "
               << count;
  attachNote(diagnostic, call);
}

void HeaderCheck::reportStatus(const ProbeCall &call,
                               const CompilerMessage &message) {
  std::string type;
  if (auto found = declarations.find(call.callee); found != declarations.end())
    type = found->second.prototype.result;
  if (type.empty())
    type = message.contains("void") ? "void" : "";
  InFlightDiagnostic diagnostic = error(call.getLocation());
  diagnostic << "'" << call.callee << "' returns "
             << (type == "void" ? "nothing"
                 : type.empty() ? "no integer"
                                : "'" + type + "'")
             << ", but the value of a call is its status, an integer that is 0 "
                "for success";
  if (type == "void" && !call.replace) {
    diagnostic << "; to call it without one, write replace " << call.callee
               << " \"" << call.callee << "(";
    for (size_t i = 0; i < call.arguments.size(); ++i)
      diagnostic << (i > 0 ? ", {" : "{") << i << "}";
    diagnostic << ");\"";
  }
  attachNote(diagnostic, call);
}

std::string HeaderCheck::describeParameter(const ProbeCall &call, size_t index,
                                           const CompilerMessage &message) {
  if (auto found = declarations.find(call.callee);
      !call.replace && found != declarations.end() &&
      index < found->second.prototype.parameters.size())
    return "'" + found->second.prototype.parameters[index] + "'";
  for (StringRef words : {"expected", "to parameter of incompatible type",
                          "to parameter of type", "to"})
    if (std::string type = message.getType(words); !type.empty())
      return "'" + type + "'";
  return "";
}

/// What messages call a type of elements.
static std::string getElementName(Type element) {
  std::string text;
  llvm::raw_string_ostream(text) << element;
  StringRef name = text;
  return name.consume_front("ui") ? ("u" + name).str() : text;
}

void HeaderCheck::reportArgument(const ProbeCall &call, size_t index,
                                 const CompilerMessage &message) {
  const ProbeArgument &argument = call.arguments[index];
  std::string parameter = describeParameter(call, index, message);
  InFlightDiagnostic diagnostic = error(call.getLocation(index));
  diagnostic << "argument " << index + 1 << " of '" << call.callee << "' is ";
  bool isConversion = message.flag != "int-conversion" &&
                      (StringRef(message.flag).contains("conversion") ||
                       message.flag == "overflow");
  auto expect = [&](StringRef otherwise) {
    if (parameter.empty())
      diagnostic << ", which does not fit: " << message.text;
    else
      diagnostic << ", expected " << parameter << otherwise;
  };
  switch (argument.kind) {
  case ProbeArgument::Tensor: {
    diagnostic << "tensor '" << accel::getTensorName(argument.value) << "'";
    if (argument.element)
      diagnostic << " of " << getElementName(argument.element);
    diagnostic << ", passed as '" << argument.getElementText() << " *'";
    expect("");
    break;
  }
  case ProbeArgument::Float:
    diagnostic << "a float";
    expect("");
    break;
  case ProbeArgument::Integer:
    diagnostic << "an integer";
    if (isConversion)
      diagnostic << ", which " << parameter
                 << " may round; write it as a float, e.g. n * 1.0";
    else
      expect("");
    break;
  case ProbeArgument::Constant:
    diagnostic << argument.constant;
    if (isConversion)
      diagnostic << ", which " << parameter << " cannot hold";
    else
      expect("");
    break;
  }
  attachNote(diagnostic, call);
}

void HeaderCheck::reportConst(const ProbeCall &call,
                              const CallFindings &found) {
  // The arguments that were taken for one another.
  auto findSwapped = [&](Value output) -> std::optional<size_t> {
    for (auto &[index, message] : found.isNotConst)
      if (!found.arguments.count(index) &&
          call.arguments[index].kind == ProbeArgument::Tensor)
        return index;
    return std::nullopt;
  };
  llvm::SmallDenseSet<size_t> swapped;
  for (auto &[index, message] : found.isConst) {
    if (found.arguments.count(index))
      continue;
    const ProbeArgument &argument = call.arguments[index];
    // A device that works in place gets the tensor twice.
    bool isWritten = llvm::any_of(
        llvm::enumerate(call.arguments), [&, index = index](auto other) {
          return other.value().value == argument.value &&
                 other.index() != index && !found.isConst.count(other.index());
        });
    if (isWritten)
      continue;
    InFlightDiagnostic diagnostic = error(call.getLocation(index));
    diagnostic << "'" << call.callee << "' cannot write tensor '"
               << accel::getTensorName(argument.value)
               << "', a result: argument " << index + 1 << " is "
               << describeParameter(call, index, *message);
    if (std::optional<size_t> other = findSwapped(argument.value)) {
      swapped.insert(*other);
      diagnostic << "; is it swapped with '"
                 << accel::getTensorName(call.arguments[*other].value)
                 << "', argument " << *other + 1 << "?";
    }
    attachNote(diagnostic, call);
  }
  // Headers that say const nowhere say nothing by leaving it out.
  bool saysConst =
      llvm::any_of(llvm::enumerate(call.arguments), [&](auto argument) {
        return argument.value().kind == ProbeArgument::Tensor &&
               !argument.value().isOutput &&
               !found.isNotConst.count(argument.index());
      });
  for (auto &[index, message] : found.isNotConst) {
    const ProbeArgument &argument = call.arguments[index];
    if (!saysConst || swapped.count(index) || found.arguments.count(index) ||
        !argument.value.getDefiningOp<accel::InputOp>())
      continue;
    InFlightDiagnostic diagnostic = emitWarning(call.getLocation(index));
    diagnostic << "'" << call.callee << "' may write tensor '"
               << accel::getTensorName(argument.value)
               << "', an input: argument " << index + 1 << " is "
               << describeParameter(call, index, *message) << ", without const";
    attachNote(diagnostic, call);
  }
}

void HeaderCheck::reportCall(const ProbeCall &call, const CallFindings &found) {
  if (!call.replace && !declarations.count(call.callee)) {
    if (!isIncomplete)
      reportMissingFunction(call);
    return;
  }
  if (found.count) {
    reportCount(call, *found.count);
    return;
  }
  if (found.status)
    reportStatus(call, *found.status);
  for (auto &[index, message] : found.arguments)
    reportArgument(call, index, *message);
  if (found.macro && found.arguments.empty()) {
    InFlightDiagnostic diagnostic = error(call.getLocation());
    diagnostic << "the arguments of '" << call.callee
               << "' do not fit the macro: " << found.macro->text;
    attachNote(diagnostic, call);
  }
  reportConst(call, found);
}

ExitCode HeaderCheck::run(StringRef compiler) {
  FailureOr<DeviceFiles> found = findDeviceFiles(accelerator);
  if (failed(found))
    return ExitCode::BadInput;
  ExitCode code = ExitCode::Success;
  auto command = getCompiler(compiler, code);
  if (!command)
    return code;
  if (code = prepare(*found); code != ExitCode::Success)
    return code;
  findings.resize(probe.getCalls().size());
  // Findings point into the messages.
  std::vector<std::vector<CompilerMessage>> rounds;
  constexpr unsigned maxRounds = 8;
  do {
    rounds.push_back(compile(*command));
    for (const CompilerMessage &message : rounds.back())
      classify(message);
  } while (rounds.size() < maxRounds && replaceWrongArguments(rounds.back()));
  for (auto [call, found] : llvm::zip_equal(probe.getCalls(), findings))
    reportCall(call, found);
  return hasErrors ? ExitCode::BadInput : ExitCode::Success;
}

ExitCode uma::checkHeader(accel::AcceleratorOp accelerator,
                          const ModelContext &context, StringRef compiler) {
  return HeaderCheck(accelerator, context).run(compiler);
}
