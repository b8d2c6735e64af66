//===- StackUsage.cpp - Worst-case stack of a function --------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The calls come from the linked program, which shows inlining, jumps to other
// functions at the end of one, and the libraries. The compiler reports the
// frames of what it compiles; those of libraries are read from the
// instructions.
//
//===----------------------------------------------------------------------===//

#include "StackUsage.h"

#include "llvm/ADT/StringExtras.h"

using namespace uma;
using llvm::StringRef;

/// Largest frame of the functions `__riscv_save_*` for 32 bits.
static constexpr uint64_t kRISCVSaveBytes = 64;

/// Returns the number of registers in `{r4, r5, d8-d11, lr}`.
static uint64_t countRegisters(StringRef list) {
  uint64_t count = 0;
  llvm::SmallVector<StringRef> entries;
  list.take_until([](char c) { return c == '}'; }).split(entries, ',');
  for (StringRef entry : entries) {
    auto [first, last] = entry.trim().split('-');
    uint64_t from = 0, to = 0;
    bool isRange = !last.empty() &&
                   !first.drop_front().getAsInteger(10, from) &&
                   !last.drop_front().getAsInteger(10, to) && to >= from;
    count += isRange ? to - from + 1 : 1;
  }
  return count;
}

/// Returns the number after `#` or the last comma; 0 if there is none.
static int64_t getNumber(StringRef operands) {
  int64_t number = 0;
  StringRef text = operands.split('@').first.split(';').first;
  text = text.contains('#') ? text.split('#').second : text.rsplit(',').second;
  text = text.trim().take_while(
      [](char c) { return llvm::isHexDigit(c) || c == '-' || c == 'x'; });
  (void)text.getAsInteger(0, number);
  return number;
}

/// Returns the symbol in `8000 <symbol+0x12>`, without the offset; empty if
/// there is none.
static StringRef getSymbol(StringRef operands) {
  size_t open = operands.rfind('<');
  if (open == StringRef::npos)
    return "";
  StringRef symbol = operands.substr(open + 1).split('>').first;
  return symbol.split('+').first;
}

void StackUsage::readInstruction(Function &function, StringRef name,
                                 StringRef mnemonic, StringRef operands) {
  mnemonic = mnemonic.split('.').first == "c" ? mnemonic.split('.').second
                                              : mnemonic.split('.').first;
  // Arm.
  size_t list = operands.find('{');
  bool pushesList = (mnemonic == "push" || mnemonic == "vpush") ||
                    ((mnemonic == "stmdb" || mnemonic == "vstmdb") &&
                     operands.starts_with("sp!"));
  if (pushesList && list != StringRef::npos) {
    StringRef registers = operands.substr(list + 1);
    function.frame.bytes +=
        countRegisters(registers) * (registers.trim().starts_with("d") ? 8 : 4);
    return;
  }
  if (mnemonic.starts_with("str") && operands.ends_with("]!") &&
      operands.contains("[sp, #-")) {
    function.frame.bytes += -getNumber(operands);
    return;
  }
  if ((mnemonic == "sub" || mnemonic == "subw" || mnemonic == "add" ||
       mnemonic == "addi") &&
      operands.starts_with("sp,")) {
    llvm::SmallVector<StringRef> parts;
    operands.split('@').first.split(';').first.split(parts, ',');
    // Restored from the frame pointer.
    if (parts.size() == 3 && parts[1].trim() != "sp")
      return;
    StringRef last = parts.back().trim();
    last.consume_front("#");
    int64_t number = 0;
    // A register holds a large constant or a variable size.
    if (last.getAsInteger(0, number))
      function.frame.isDynamic = true;
    else
      function.frame.bytes +=
          std::max<int64_t>(mnemonic.starts_with("sub") ? number : -number, 0);
    return;
  }
  // Calls: to a symbol, also at the end of a function, or through a register.
  bool isLinked = mnemonic == "bl" || mnemonic == "blx" || mnemonic == "jal" ||
                  mnemonic == "jalr" || mnemonic == "call";
  bool isJump = mnemonic.starts_with("b") || mnemonic.starts_with("j") ||
                mnemonic == "tail" || mnemonic == "cbz" || mnemonic == "cbnz";
  if (!isLinked && !isJump)
    return;
  StringRef callee = getSymbol(operands);
  // What RISC-V's compilers call to save registers on the stack of the caller.
  if (callee.starts_with("__riscv_save_") ||
      callee.starts_with("__riscv_restore_")) {
    if (isLinked)
      function.frame.bytes += kRISCVSaveBytes;
    return;
  }
  if (!callee.empty() && callee != name)
    function.callees.insert(callee.str());
  if (callee.empty() && isLinked)
    function.isIndirect = true;
}

void StackUsage::readDisassembly(StringRef text) {
  Function *function = nullptr;
  StringRef name;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    // `00008000 <name>:` begins a function.
    if (line.ends_with(">:") && line.contains(" <")) {
      name = line.split(" <").second.drop_back(2);
      function = &functions[name];
      continue;
    }
    // `    8000:<tab>mnemonic<tab>operands`
    auto [address, instruction] = line.split(":\t");
    if (!function || instruction.empty())
      continue;
    auto [mnemonic, operands] = instruction.split('\t');
    readInstruction(*function, name, mnemonic.trim(), operands.trim());
  }
}

void StackUsage::readStackUsage(StringRef text) {
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    // `file.c:12:13:name<tab>bytes<tab>static`
    llvm::SmallVector<StringRef> fields;
    line.split(fields, '\t');
    uint64_t bytes = 0;
    if (fields.size() != 3 || fields[1].getAsInteger(10, bytes))
      continue;
    // Copies of a function have one name here.
    Frame &frame = reported[fields[0].rsplit(':').second];
    frame.bytes = std::max(frame.bytes, bytes);
    frame.isDynamic |= fields[2] == "dynamic";
  }
}

StackUsage::Frame StackUsage::getFrame(StringRef name) const {
  auto known = reported.find(name);
  // `f.constprop.0` is `f.constprop` in the compiler's report.
  auto [stem, number] = name.rsplit('.');
  if (known == reported.end() && !number.empty() &&
      llvm::all_of(number, llvm::isDigit))
    known = reported.find(stem);
  return known != reported.end() ? known->second
                                 : functions.find(name)->second.frame;
}

struct StackUsage::Visit {
  bool isActive = true;
  uint64_t bytes = 0;
  std::string deepest; ///< the callee of the worst path
};

uint64_t StackUsage::visit(StringRef name, llvm::StringMap<Visit> &visits,
                           Worst &worst) const {
  auto [entry, isNew] = visits.try_emplace(name);
  if (!isNew) {
    if (entry->second.isActive)
      worst.recursive.insert(name.str());
    return entry->second.bytes;
  }
  uint64_t below = 0;
  std::string deepest;
  auto known = functions.find(name);
  if (known == functions.end()) {
    visits[name].isActive = false;
    return 0;
  }
  const Function &function = known->second;
  Frame frame = getFrame(name);
  if (frame.isDynamic)
    worst.dynamic.insert(name.str());
  if (function.isIndirect)
    worst.indirect.insert(name.str());
  for (const std::string &callee : function.callees) {
    uint64_t bytes = visit(callee, visits, worst);
    if (bytes > below || deepest.empty()) {
      below = bytes;
      deepest = callee;
    }
  }
  Visit &result = visits[name];
  result = {/*isActive=*/false, frame.bytes + below, deepest};
  return result.bytes;
}

StackUsage::Worst StackUsage::getWorst(StringRef function) const {
  Worst worst;
  llvm::StringMap<Visit> visits;
  worst.bytes = visit(function, visits, worst);
  for (std::string name = function.str(); !name.empty();) {
    // A recursion ends the path.
    if (llvm::is_contained(worst.path, name))
      break;
    worst.path.push_back(name);
    auto known = visits.find(name);
    name = known == visits.end() ? "" : known->second.deepest;
  }
  return worst;
}
