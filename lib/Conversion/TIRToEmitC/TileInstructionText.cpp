//===- TileInstructionText.cpp - C of instructions on tiles ---------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The functions of an instruction are empty where its guard does not hold, and
// it is never available there: C compilers remove the loops that would call it.
//
//===----------------------------------------------------------------------===//

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Conversion/TIRToEmitC/InstructionText.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

/// Returns the type of a packed operand's elements in C.
static std::string getElementType(accel::InstructionOp instruction,
                                  unsigned operand) {
  auto type = cast<TypeAttr>(instruction.getOperandTypes()[operand]).getValue();
  // C has no type for bf16.
  bool isUnsigned = type.isUnsignedInteger() || type.isBF16();
  return (Twine(isUnsigned ? "uint" : "int") +
          Twine(type.getIntOrFloatBitWidth()) + "_t")
      .str();
}

/// Returns a function of the instruction: its parameters, declarations of the
/// variables that `code` uses, and `code` where the guard holds.
static std::string
getFunction(accel::InstructionOp instruction, StringRef part,
            ArrayRef<std::string> parameters,
            ArrayRef<std::pair<std::string, std::string>> variables,
            StringRef code) {
  SmallVector<std::string> all(parameters), names;
  for (StringRef size : {"rows", "columns", "words"}) {
    all.push_back("ptrdiff_t " + size.str());
    names.push_back(size.str());
  }
  for (StringRef parameter : parameters)
    names.push_back(parameter.rsplit(' ').second.ltrim('*').str());
  std::string text = "\nUMA_INLINE void " +
                     getInstructionFunction(instruction) + part.str() + "(" +
                     llvm::join(all, ", ") + ") {\n";
  for (const auto &[declaration, value] : variables) {
    text += "  " + declaration + " = " + value + ";\n";
    names.push_back(StringRef(declaration).rsplit(' ').second.ltrim('*').str());
  }
  // No C has to use all variables.
  for (const std::string &name : names)
    text += "  (void)" + name + ";\n";
  if (!code.empty())
    text += "#if " + getInstructionGuard(instruction) + "\n  " + code.str() +
            "\n#endif\n";
  return text + "}";
}

std::string uma::getTileInstructionText(accel::InstructionOp instruction) {
  accel::InstructionOp::Dot dot = instruction.getDot();
  std::string guard = getInstructionGuard(instruction);
  std::string sum = instruction.getOperandName(0).str();
  std::string x = instruction.getOperandName(dot.data).str();
  std::string w = instruction.getOperandName(dot.weights).str();
  auto accelerator =
      cast<accel::AcceleratorOp>(instruction->getParentOp()).getSymName();
  std::string text = "\n/* Instruction " + instruction.getName().str() +
                     " of the description '" + toCComment(accelerator) +
                     "', with operands in memory. */";
  if (instruction.getHeader())
    text += "\n#if " + guard + "\n#include \"" +
            instruction.getHeader()->str() + "\"\n#endif";
  text += "\nUMA_INLINE bool " + getInstructionFunction(instruction) +
          "_available(void) {\n#if " + guard + "\n  return " +
          (instruction.getAvailable()
               ? "(" + instruction.getAvailable()->str() + ") != 0"
               : "true") +
          ";\n#else\n  return false;\n#endif\n}";
  using Variables = SmallVector<std::pair<std::string, std::string>>;
  std::string sumType = dot.isFloat ? "float *" : "int32_t *";
  std::string sumData = "uma_" + sum + "_data",
              sumFirst = "uma_" + sum + "_first";
  SmallVector<std::string> sumParameters = {sumType + sumData,
                                            "ptrdiff_t " + sumFirst};
  Variables sumVariables = {{sumType + sum, sumData + " + " + sumFirst},
                            {"ptrdiff_t " + sum + "_stride", "4 * columns"}};
  text += getFunction(instruction, "_configure", {}, {},
                      instruction.getConfigure().value_or(""));
  text += getFunction(instruction, "_start", sumParameters, sumVariables,
                      instruction.getStart().value_or(""));
  SmallVector<std::string> parameters(sumParameters);
  Variables variables(sumVariables);
  for (const auto &[operand, name, sizes] :
       {std::tuple(dot.data, x, SmallVector<StringRef>{"stride"}),
        std::tuple(dot.weights, w,
                   SmallVector<StringRef>{"stride", "panel"})}) {
    std::string type = "const " + getElementType(instruction, operand) + " *";
    parameters.push_back("const void *uma_" + name + "_data");
    parameters.push_back("ptrdiff_t uma_" + name + "_first");
    variables.emplace_back(
        type + name, "(" + type + ")uma_" + name + "_data + uma_" + name +
                         "_first * (4 / (ptrdiff_t)sizeof(*" + name + "))");
    for (StringRef size : sizes) {
      parameters.push_back("ptrdiff_t uma_" + name + "_" + size.str());
      variables.emplace_back("ptrdiff_t " + name + "_" + size.str(),
                             "4 * uma_" + name + "_" + size.str());
    }
  }
  text += getFunction(instruction, "", parameters, variables,
                      instruction.getCode());
  text += getFunction(instruction, "_finish", sumParameters, sumVariables,
                      instruction.getFinish().value_or(""));
  return text;
}
