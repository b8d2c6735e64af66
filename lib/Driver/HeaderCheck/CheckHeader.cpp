//===- CheckHeader.cpp - A description against its header -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Compiles C code with the calls of the description (HeaderProbe) with a C
// compiler. Each of its messages (HeaderFindings) becomes an error at the
// argument in the description, in terms of tensors and numbers.
//
//===----------------------------------------------------------------------===//

#include "CheckHeader.h"

#include "HeaderArgument.h"
#include "HeaderCompiler.h"
#include "HeaderFindings.h"

#include "uma/Accel/IR/CallLocation.h"
#include "uma/Accel/IR/NumberFunctionOpInterface.h"
#include "uma/Support/DidYouMean.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <deque>

using namespace mlir;
using namespace uma;
namespace path = llvm::sys::path;

namespace {
class HeaderCheck {
public:
  HeaderCheck(accel::AcceleratorOp accelerator, const ModelContext &context)
      : accelerator(accelerator), probe(accelerator),
        compiler(accelerator, context), findings(probe) {}

  ExitCode run(StringRef name);

private:
  bool replaceWrongArguments(ArrayRef<CompilerMessage> messages);

  void reportHeaders();
  void reportHeader(const CompilerMessage &message);
  void reportCode();
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
  /// Attaches the position of the function's declaration.
  void attachNote(InFlightDiagnostic &error, const ProbeCall &call);
  /// Returns the prototype of the called function; null if the function is
  /// replaced, is a macro or cannot be read.
  const Prototype *getPrototype(const ProbeCall &call) const;
  /// Returns the parameter as the header declares it, in quotes.
  std::string describeParameter(const ProbeCall &call, size_t index,
                                const CompilerMessage &message);
  /// Returns the position in the user's file.
  Location getLocation(StringRef file, unsigned line, unsigned column);

  accel::AcceleratorOp accelerator;
  HeaderProbe probe;
  HeaderCompiler compiler;
  HeaderFindings findings;
  bool hasErrors = false;
  bool isIncomplete = false; ///< a header could not be read
};
} // namespace

/// Replaces arguments of wrong types by values of the right type, because clang
/// does not check the arguments after a wrong one. Returns false if nothing was
/// replaced.
bool HeaderCheck::replaceWrongArguments(ArrayRef<CompilerMessage> messages) {
  bool hasReplaced = false;
  for (const CompilerMessage &message : messages) {
    ProbeLine line = message.file == compiler.getMainFile()
                         ? probe.getLine(message.line)
                         : ProbeLine();
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

Location HeaderCheck::getLocation(StringRef file, unsigned line,
                                  unsigned column) {
  return FileLineColLoc::get(accelerator.getContext(),
                             compiler.getOriginal(file), line, column);
}

void HeaderCheck::reportHeaders() {
  ArrayRef<std::string> folders = compiler.getFiles().folders;
  for (accel::IncludeOp include : findings.getMissingHeaders())
    error(include.getLoc())
        << "header '" << include.getHeader() << "' not found; searched in '"
        << llvm::join(folders, "', '") << "' and where '" << compiler.getName()
        << "' looks; CPPFLAGS=-IFOLDER adds a folder, and --no-header leaves "
           "the check out";
  isIncomplete |= !findings.getMissingHeaders().empty();
  const CompilerMessage *message = findings.getHeaderError();
  if (isIncomplete || !message)
    return;
  isIncomplete = true;
  reportHeader(*message);
}

void HeaderCheck::reportHeader(const CompilerMessage &message) {
  ProbeLine at = probe.getLine(message.includedAt);
  Location loc = at.op ? at.op->getLoc() : accelerator.getLoc();
  std::string header = at.role == ProbeLine::Include
                           ? cast<accel::IncludeOp>(at.op).getHeader().str()
                           : compiler.getOriginal(message.file);
  // A header that is not installed here may be available where the package is
  // compiled.
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

/// Returns whether the operation is C code instead of a call to a function.
static bool isCode(Operation *op) {
  auto call = dyn_cast<accel::CallOp>(op);
  return call && call.getCodeAttr();
}

/// Returns the position in the description of a message about C code.
static Location getCodeLocation(const HeaderFindings::Code &code) {
  Location loc = accel::getCalleeLocation(code.op->getLoc());
  auto start = dyn_cast<FileLineColLoc>(loc);
  if (!isCode(code.op) || !start || code.message->column == 0)
    return loc;
  // The first line of the code starts after the brace.
  unsigned column =
      code.message->column + (code.line == 0 ? start.getColumn() : 0);
  return FileLineColLoc::get(start.getFilename(), start.getLine() + code.line,
                             column);
}

void HeaderCheck::reportCode() {
  llvm::SmallPtrSet<Operation *, 4> wrongSyntax;
  for (const HeaderFindings::Code &code : findings.getCode()) {
    const CompilerMessage *message = code.message;
    Operation *op = code.op;
    bool isUndeclared = message->flag == "implicit-function-declaration" ||
                        message->contains("undeclared");
    // A missing header may declare it.
    if (isUndeclared && isIncomplete)
      continue;
    // A syntax error causes further errors.
    if (message->flag.empty() && !isUndeclared &&
        !wrongSyntax.insert(op).second)
      continue;
    StringRef what = isa<accel::PrologueOp>(op)   ? "this prologue"
                     : isa<accel::EpilogueOp>(op) ? "this epilogue"
                     : isCode(op)                 ? "this pattern"
                     : isa<accel::CallOp>(op)     ? "this call"
                                                  : "this text";
    Location loc = getCodeLocation(code);
    StringRef name =
        StringRef(message->text).split('\'').second.split('\'').first;
    if (isUndeclared && isa<accel::ConstantsOp>(op))
      error(loc) << "no header of the description declares '" << name << "'"
                 << StringRef(message->text).split(';').second.rtrim();
    else if (isUndeclared && isCode(op) &&
             accel::lookupNumberFunction(op->getContext(), name))
      error(loc) << "'" << name
                 << "' is a function of descriptions, which C does not know; "
                    "'call' passes its value to a function of a header";
    else if (isUndeclared && !name.empty())
      error(loc)
          << "'" << name << "' in the C of " << what
          << " is declared neither there nor in a header of the description";
    else
      error(loc) << "the C of " << what
                 << " does not compile: " << message->text;
  }
}

void HeaderCheck::attachNote(InFlightDiagnostic &error, const ProbeCall &call) {
  if (call.replace) {
    error.attachNote(call.replace->getLoc())
        << "this text replaces calls of '" << call.callee << "'";
    return;
  }
  const Declaration *declaration = findings.getDeclaration(call.callee);
  if (!declaration)
    return;
  Diagnostic &note = error.attachNote(getLocation(
      declaration->file, declaration->line, std::max(declaration->column, 1u)));
  if (declaration->isMacro)
    note << "the macro '" << call.callee << "' is defined here";
  else if (declaration->prototype.text.empty())
    note << "'" << call.callee << "' is declared here";
  else
    note << "the header has " << declaration->prototype.text;
}

const Prototype *HeaderCheck::getPrototype(const ProbeCall &call) const {
  const Declaration *declaration = findings.getDeclaration(call.callee);
  return declaration && !call.replace && !declaration->isMacro &&
                 !declaration->prototype.text.empty()
             ? &declaration->prototype
             : nullptr;
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
  for (auto &[name, file] : compiler.getFiles().files)
    if (path::extension(name).starts_with(".h"))
      llvm::append_range(names, getFunctionNames(readText(file)));
  SmallVector<StringRef> candidates(names.begin(), names.end());
  // The function may be declared for other compilers only.
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
  size_t count = call.getNumArguments();
  bool isFew = message.contains("few") || message.contains("requires");
  Location loc = call.getLocation();
  std::string expected;
  if (const Prototype *prototype = getPrototype(call)) {
    size_t parameters = prototype->parameters.size();
    expected = (prototype->isVariadic ? "at least " : "") +
               std::to_string(parameters) +
               (parameters == 1 ? " argument" : " arguments");
    if (!isFew && parameters < count)
      loc = call.getPositionLocation(parameters);
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
  if (const Prototype *prototype = getPrototype(call))
    type = prototype->result;
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
  if (const Prototype *prototype = getPrototype(call);
      prototype && call.arguments[index].position >= 0 &&
      size_t(call.arguments[index].position) < prototype->parameters.size())
    return "'" + prototype->parameters[call.arguments[index].position] + "'";
  for (StringRef words : {"expected", "to parameter of incompatible type",
                          "to parameter of type", "to"})
    if (std::string type = message.getType(words); !type.empty())
      return "'" + type + "'";
  return "";
}

void HeaderCheck::reportArgument(const ProbeCall &call, size_t index,
                                 const CompilerMessage &message) {
  const ProbeArgument &argument = call.arguments[index];
  std::string parameter = describeParameter(call, index, message);
  InFlightDiagnostic diagnostic = error(call.getLocation(index));
  diagnostic << describeSlot(call, index) << " is "
             << describeArgument(argument);
  bool isConversion = message.flag != "int-conversion" &&
                      (StringRef(message.flag).contains("conversion") ||
                       message.flag == "overflow");
  if (argument.kind == ProbeArgument::Integer && isConversion)
    diagnostic << ", which " << parameter
               << " may round; write it as a float, e.g. n * 1.0";
  else if (argument.kind == ProbeArgument::Constant && isConversion)
    diagnostic << ", which " << parameter << " cannot hold";
  else if (parameter.empty())
    diagnostic << ", which does not fit: " << message.text;
  else
    diagnostic << ", expected " << parameter;
  if (argument.position >= 0)
    attachNote(diagnostic, call);
}

void HeaderCheck::reportConst(const ProbeCall &call,
                              const CallFindings &found) {
  // Returns the tensor that a result may be swapped with.
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
               << "', a result: argument " << argument.position + 1 << " is "
               << describeParameter(call, index, *message);
    if (std::optional<size_t> other = findSwapped(argument.value)) {
      swapped.insert(*other);
      diagnostic << "; is it swapped with '"
                 << accel::getTensorName(call.arguments[*other].value)
                 << "', argument " << call.arguments[*other].position + 1
                 << "?";
    }
    attachNote(diagnostic, call);
  }
  // In a header that never uses const, its absence means nothing.
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
               << "', an input: argument " << argument.position + 1 << " is "
               << describeParameter(call, index, *message) << ", without const";
    attachNote(diagnostic, call);
  }
}

void HeaderCheck::reportCall(const ProbeCall &call, const CallFindings &found) {
  if (call.isCode())
    return;
  if (!call.replace && !findings.getDeclaration(call.callee)) {
    if (!isIncomplete)
      reportMissingFunction(call);
    return;
  }
  // Without its struct, the call cannot be checked.
  if (llvm::any_of(findings.getCode(), [&](const HeaderFindings::Code &code) {
        return code.op == call.op;
      }))
    return;
  for (auto &[index, message] : found.fields) {
    // See HeaderProbe::printBounds.
    bool isOutside = message->contains("negative");
    error(call.getLocation(index))
        << "field '" << call.arguments[index].field << "' of '"
        << call.arguments[index].type << "'"
        << (isOutside ? " is behind the end of the array in the header"
                      : ": " + message->text);
  }
  if (found.count) {
    reportCount(call, *found.count);
    return;
  }
  if (found.status)
    reportStatus(call, *found.status);
  for (auto &[index, message] : found.arguments)
    if (!found.fields.count(index))
      reportArgument(call, index, *message);
  if (found.macro && found.arguments.empty()) {
    InFlightDiagnostic diagnostic = error(call.getLocation());
    diagnostic << "the arguments of '" << call.callee
               << "' do not fit the macro: " << found.macro->text;
    attachNote(diagnostic, call);
  }
  reportConst(call, found);
}

ExitCode HeaderCheck::run(StringRef name) {
  FailureOr<DeviceFiles> files = findDeviceFiles(accelerator);
  if (failed(files))
    return ExitCode::BadInput;
  if (ExitCode code = compiler.find(name);
      code != ExitCode::Success || !compiler.isFound())
    return code;
  if (ExitCode code = compiler.prepare(*files); code != ExitCode::Success)
    return code;
  // The findings point into these messages.
  std::deque<std::vector<CompilerMessage>> rounds;
  constexpr unsigned maxRounds = 8;
  do {
    auto messages = compiler.compile(probe.write());
    if (!messages) {
      isIncomplete = true;
      break;
    }
    findings.add(rounds.emplace_back(std::move(*messages)),
                 compiler.getMainFile());
  } while (rounds.size() < maxRounds && replaceWrongArguments(rounds.back()));
  reportHeaders();
  reportCode();
  for (auto [call, found] :
       llvm::zip_equal(probe.getCalls(), findings.getCalls()))
    reportCall(call, found);
  return hasErrors ? ExitCode::BadInput : ExitCode::Success;
}

ExitCode uma::checkHeader(accel::AcceleratorOp accelerator,
                          const ModelContext &context, StringRef compiler) {
  return HeaderCheck(accelerator, context).run(compiler);
}
