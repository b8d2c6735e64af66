//===- HeaderProbe.cpp - Calls of a description as C ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "HeaderProbe.h"

#include "uma/Accel/IR/CArguments.h"
#include "uma/Accel/IR/CallLocation.h"
#include "uma/Accel/IR/CodeTemplate.h"
#include "uma/Accel/IR/SampleTypes.h"
#include "uma/Conversion/TIRToEmitC/CText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace uma;
using namespace uma::accel;

std::string ProbeArgument::getElementText() const {
  StringRef name = element ? getCTypeName(element) : StringRef();
  return name.empty() ? "void" : name.str();
}

Location ProbeCall::getLocation() const {
  return getCalleeLocation(op->getLoc());
}

Location ProbeCall::getLocation(size_t argument) const {
  return getArgumentLocation(op->getLoc(), arguments[argument].location);
}

bool ProbeCall::isCode() const {
  auto call = dyn_cast<CallOp>(op);
  return call && call.getCodeAttr();
}

size_t ProbeCall::getNumArguments() const {
  return llvm::count_if(arguments, [](const ProbeArgument &argument) {
    return argument.position >= 0;
  });
}

Location ProbeCall::getPositionLocation(size_t position) const {
  for (size_t index = 0; index < arguments.size(); ++index)
    if (arguments[index].position == static_cast<int>(position))
      return getLocation(index);
  return getLocation();
}

/// Returns the value of a constant expression; null for expressions with names.
static TypedAttr fold(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa_and_present<arith::ArithDialect>(op->getDialect()))
    return nullptr;
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands())
    if (!operands.emplace_back(fold(operand)))
      return nullptr;
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return nullptr;
  return dyn_cast_or_null<TypedAttr>(dyn_cast<Attribute>(results.front()));
}

/// Returns the writer of each result of the pattern's operators: the first call
/// that takes it as an argument.
static llvm::DenseMap<Value, Operation *> getWriters(PatternOp pattern) {
  llvm::DenseMap<Value, Operation *> writers;
  for (CallOp call : pattern.getBody().getOps<CallOp>())
    for (Value argument : call.getArguments())
      if (isa_and_present<OperatorOp, ChoiceOp, ScratchOp>(
              argument.getDefiningOp()))
        writers.try_emplace(argument, call);
  return writers;
}

HeaderProbe::HeaderProbe(AcceleratorOp accelerator) : accelerator(accelerator) {
  for (Operation &op : accelerator.getBody().getOps())
    if (isa<InitOp, LaunchOp, AwaitOp, EngineOp, PathOp, TokensOp, LayersOp>(
            op)) {
      functions.push_back(calls.size());
      for (CallOp call : op.getRegion(0).getOps<CallOp>())
        addCall(call, call.getCallee(), call.getArguments(), ElementTypes());
    }
  accelerator->walk([&](PatternOp pattern) { addCalls(pattern); });
  llvm::SetVector<StringRef> seen;
  for (const ProbeCall &call : calls)
    if (!call.replace && !call.isCode())
      seen.insert(call.callee);
  callees.assign(seen.begin(), seen.end());
}

void HeaderProbe::addCalls(PatternOp pattern) {
  if (pattern.isLowered())
    return;
  llvm::DenseMap<Value, Operation *> writers = getWriters(pattern);
  for (const ElementTypes &elements : sampleElementTypes(pattern)) {
    functions.push_back(calls.size());
    for (auto configure : pattern.getBody().getOps<ConfigureOp>())
      addCall(configure, configure.getCallee(), configure.getArguments(),
              elements);
    for (auto call : pattern.getBody().getOps<CallOp>()) {
      addCall(call, call.getCallee(), call.getArguments(), elements);
      for (ProbeArgument &argument : calls.back().arguments)
        argument.isOutput = writers.lookup(argument.value) == call;
    }
  }
}

void HeaderProbe::addCall(Operation *op, StringRef callee,
                          OperandRange operands, const ElementTypes &elements) {
  ProbeCall &call = calls.emplace_back();
  call.op = op;
  call.callee = callee;
  for (auto replace : accelerator.getOps<ReplaceOp>())
    if (replace.getCallee() == callee)
      call.replace = replace;
  if (auto described = dyn_cast<CallOp>(op);
      described && described.getCArgumentsAttr()) {
    addElements(call, described, elements);
    return;
  }
  for (auto [index, operand] : llvm::enumerate(operands)) {
    addArgument(call, operand, index, elements);
    call.arguments.back().position = static_cast<int>(index);
  }
}

void HeaderProbe::addArgument(ProbeCall &call, Value operand, size_t location,
                              const ElementTypes &elements) {
  ProbeArgument &argument = call.arguments.emplace_back();
  argument.value = operand;
  argument.location = location;
  // Tensors in memories of a device are addresses.
  auto pattern = dyn_cast<PatternOp>(call.op->getParentOp());
  if (pattern && pattern.isTiled() &&
      llvm::any_of(operand.getUsers(), llvm::IsaPred<PlaceOp>))
    return;
  if (isa<AccelTensorType>(operand.getType())) {
    argument.kind = ProbeArgument::Tensor;
    if (auto scratch = operand.getDefiningOp<ScratchOp>())
      argument.element = scratch.getElementType();
    else if (auto array = operand.getDefiningOp<ArrayOp>())
      argument.element = array.getElementType();
    else
      argument.element = elements.lookup(operand);
  } else if (isa<FloatType>(operand.getType())) {
    argument.kind = ProbeArgument::Float;
  } else if (auto constant = dyn_cast_or_null<IntegerAttr>(fold(operand))) {
    argument.kind = ProbeArgument::Constant;
    argument.constant = constant.getInt();
  }
}

void HeaderProbe::addElements(ProbeCall &call, CallOp op,
                              const ElementTypes &elements) {
  size_t nextField = op.getArguments().size();
  auto addElement = [&](Attribute element, size_t location) -> ProbeArgument & {
    if (auto operand = dyn_cast<IntegerAttr>(element)) {
      addArgument(call, op.getArguments()[operand.getInt()], operand.getInt(),
                  elements);
      return call.arguments.back();
    }
    ProbeArgument &argument = call.arguments.emplace_back();
    argument.kind = ProbeArgument::Text;
    argument.location = location;
    auto getInteger = [](unsigned) { return "uma_probe_integer"; };
    auto getPick = [](unsigned) { return std::optional<int64_t>(); };
    argument.text = getCText(element, getInteger, getPick);
    return argument;
  };
  // Structs and texts have no positions.
  size_t nowhere = SIZE_MAX - 1;
  for (auto [position, element] : llvm::enumerate(getCArguments(op))) {
    std::optional<CStruct> type = getStruct(element);
    if (!type) {
      addElement(element, nowhere).position = static_cast<int>(position);
      continue;
    }
    for (auto [designator, value] : type->fields) {
      ProbeArgument &field = addElement(value, nextField);
      field.location = nextField++;
      field.field = designator.str();
      field.type = type->type.str();
      field.text = field.kind == ProbeArgument::Text ? field.text : "";
    }
    ProbeArgument &argument = call.arguments.emplace_back();
    argument.kind = ProbeArgument::Struct;
    argument.location = nowhere;
    argument.position = static_cast<int>(position);
    argument.type = type->type.str();
    argument.text = getStructArgument(*type, position);
  }
}

//===----------------------------------------------------------------------===//
// C code
//===----------------------------------------------------------------------===//

void HeaderProbe::print(const Twine &line, ProbeLine meaning) {
  text += line.str() + "\n";
  lines.push_back(meaning);
}

std::string HeaderProbe::getArgumentText(const ProbeArgument &argument,
                                         bool isQualified) {
  if (!argument.replacement.empty())
    return "*(__typeof__(" + argument.replacement + ") *)0";
  switch (argument.kind) {
  case ProbeArgument::Integer:
    return "uma_probe_integer";
  case ProbeArgument::Float:
    return "uma_probe_number";
  case ProbeArgument::Constant:
    return toCLiteral(APInt(64, argument.constant, /*isSigned=*/true));
  case ProbeArgument::Text:
  case ProbeArgument::Struct:
    return argument.text;
  case ProbeArgument::Tensor:
    break;
  }
  std::string qualifier = !isQualified        ? ""
                          : argument.isOutput ? "volatile "
                                              : "const ";
  // As in the emitted C, with the same pointer type.
  return "*(" + qualifier + argument.getElementText() + " **)uma_probe_tensor";
}

void HeaderProbe::printBounds(StringRef designator, size_t position,
                              const ProbeLine &line) {
  // gcc warns about constant indices only where it optimises.
  for (size_t open = designator.find('['); open != StringRef::npos;
       open = designator.find('[', open + 1)) {
    std::string array = getField(position, designator.take_front(open));
    std::string number = designator.drop_front(open + 1)
                             .take_until([](char c) { return c == ']'; })
                             .str();
    // A pointer has as many elements as the device says.
    print("(void)sizeof(char[__builtin_types_compatible_p(__typeof__(" + array +
              "), __typeof__(&(" + array + ")[0])) || " + number +
              " < sizeof(" + array + ") / sizeof((" + array +
              ")[0]) ? 1 : -1]);",
          line);
  }
}

void HeaderProbe::printStructs(const ProbeCall &call, const ProbeLine &line,
                               bool isQualified) {
  auto op = dyn_cast<CallOp>(call.op);
  if (!op || !op.getCArgumentsAttr())
    return;
  size_t next = 0;
  for (auto [position, element] : llvm::enumerate(getCArguments(op))) {
    std::optional<CStruct> type = getStruct(element);
    if (!type) {
      ++next;
      continue;
    }
    ProbeLine declaration = line;
    declaration.role = ProbeLine::Code;
    print(getStructDeclaration(*type, position), declaration);
    for (auto [designator, value] : type->fields) {
      ProbeLine field = line;
      field.role = ProbeLine::Field;
      field.index = next;
      print("(void)" + getField(position, designator) + ";", field);
      printBounds(designator, position, field);
      field.role = ProbeLine::Argument;
      print(getField(position, designator) + " =", field);
      print(getArgumentText(call.arguments[next], isQualified), field);
      print(";", field);
      ++next;
    }
    ++next;
  }
}

/// Prints the function for C code of the description, with the same line
/// breaks.
void HeaderProbe::printCode(size_t index) {
  const ProbeCall &call = calls[index];
  CodeTemplate code;
  std::string problem, text;
  if (failed(
          CodeTemplate::parse(*cast<CallOp>(call.op).getCode(), code, problem)))
    return;
  CNameTable used(CNameTable::Kind::Parameter);
  SmallVector<std::string> names, parameters;
  for (const ProbeArgument &argument : call.arguments) {
    bool isTensor = argument.kind == ProbeArgument::Tensor;
    names.push_back(
        used.unique(isTensor ? getTensorName(argument.value)
                             : getSourceName(argument.value.getDefiningOp())));
    // A tensor of any type is checked as a tensor of floats.
    std::string type = argument.element     ? argument.getElementText() + " *"
                       : isTensor           ? "float *"
                       : argument.isFloat() ? "double "
                                            : "int64_t ";
    parameters.push_back(type + names.back());
  }
  for (auto [part, piece] : llvm::enumerate(code.getTexts())) {
    text += piece;
    if (part < code.getArguments().size())
      text += names[code.getArguments()[part]];
  }
  std::string head =
      "int32_t uma_probe_code" + std::to_string(index) + "(" +
      (parameters.empty() ? "void" : llvm::join(parameters, ", ")) + ")";
  print(head + ";");
  print(head + " { {");
  ProbeLine line{ProbeLine::Code, call.op};
  SmallVector<StringRef> written;
  StringRef(text).split(written, '\n');
  for (auto [number, content] : llvm::enumerate(written)) {
    line.index = number;
    print(content, line);
  }
  print("} return 0; }");
}

void HeaderProbe::printCall(size_t index, bool isQualified) {
  const ProbeCall &call = calls[index];
  if (call.isCode())
    return;
  ProbeLine line{ProbeLine::Call, call.op, int(index), 0, isQualified};
  auto printArgument = [&](size_t position) {
    ProbeLine argument = line;
    argument.role = ProbeLine::Argument;
    argument.index = position;
    print(getArgumentText(call.arguments[position], isQualified), argument);
  };
  // Arguments in C, in order.
  SmallVector<size_t> positions;
  for (size_t i = 0; i < call.arguments.size(); ++i)
    if (call.arguments[i].position >= 0)
      positions.push_back(i);
  print("{", line);
  printStructs(call, line, isQualified);
  if (!call.replace) {
    print("int32_t uma_probe_status =", line);
    print(call.callee + "(", line);
    for (auto [number, argument] : llvm::enumerate(positions)) {
      if (number > 0)
        print(",", line);
      printArgument(argument);
    }
    print("); (void)uma_probe_status; }", line);
    return;
  }
  CodeTemplate code;
  std::string problem;
  ReplaceOp replace = call.replace;
  if (failed(CodeTemplate::parse(replace.getText(), code, problem)))
    return;
  if (!code.isStatement())
    print("int32_t uma_probe_status =", line);
  ProbeLine part = line;
  part.role = ProbeLine::Code;
  part.op = call.replace;
  for (auto [position, piece] : llvm::enumerate(code.getTexts())) {
    print(piece, part);
    if (position < code.getArguments().size() &&
        code.getArguments()[position] < positions.size())
      printArgument(positions[code.getArguments()[position]]);
  }
  print(code.isStatement() ? "}" : "; (void)uma_probe_status; }", line);
}

std::string HeaderProbe::write() {
  text.clear();
  lines.clear();
  // The emitted C also includes these first.
  print("#include <stddef.h>");
  print("#include <stdint.h>");
  print("#include <string.h>");
  for (auto include : accelerator.getOps<IncludeOp>()) {
    // A missing header must not hide other errors.
    print("#if defined(__has_include)");
    print("#if !__has_include(\"" + include.getHeader() + "\")");
    print("#define UMA_PROBE_MISSING");
    print("#error uma: missing", {ProbeLine::Include, include});
    print("#endif");
    print("#endif");
    print("#ifndef UMA_PROBE_MISSING");
    print("#include \"" + include.getHeader() + "\"",
          {ProbeLine::Include, include});
    print("#endif");
    print("#undef UMA_PROBE_MISSING");
  }
  print("extern void *uma_probe_tensor;");
  print("extern int uma_probe_integer;");
  print("extern double uma_probe_number;");
  size_t number = 0;
  auto printText = [&](auto op) { print(op.getCode(), {ProbeLine::Code, op}); };
  auto printFunction = [&](size_t begin, size_t end, bool isQualified) {
    print("int32_t uma_probe_" + Twine(number++) + "(void);");
    print("int32_t uma_probe_" + Twine(number - 1) + "(void) {");
    for (auto op : accelerator.getOps<PrologueOp>())
      printText(op);
    for (size_t call = begin; call < end; ++call)
      printCall(call, isQualified);
    for (auto op : accelerator.getOps<EpilogueOp>())
      printText(op);
    print("return 0; }");
  };
  printFunction(0, 0, /*isQualified=*/false);
  for (size_t call = 0; call < calls.size(); ++call)
    if (calls[call].isCode())
      printCode(call);
  print("void uma_probe_constants(void);");
  print("void uma_probe_constants(void) {");
  for (auto op : accelerator.getOps<ConstantsOp>())
    for (StringRef name : op.getNames().getAsValueRange<StringAttr>())
      print("(void)(" + name + ");", {ProbeLine::Code, op});
  print("}");
  for (auto [index, begin] : llvm::enumerate(functions)) {
    size_t end =
        index + 1 < functions.size() ? functions[index + 1] : calls.size();
    printFunction(begin, end, /*isQualified=*/false);
    printFunction(begin, end, /*isQualified=*/true);
  }
  // A conflicting declaration of a function makes the compiler report the
  // original one; so does a redefinition of a macro.
  for (auto [index, callee] : llvm::enumerate(callees)) {
    ProbeLine line{ProbeLine::Declaration, nullptr, -1, index};
    print("#define " + callee + " uma_probe_macro", line);
    print("#undef " + callee);
    print("extern struct uma_probe *" + callee + ";", line);
  }
  return text;
}

ProbeLine HeaderProbe::getLine(unsigned line) const {
  return line > 0 && line <= lines.size() ? lines[line - 1] : ProbeLine();
}
