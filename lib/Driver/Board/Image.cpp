//===- Image.cpp - Parts of a program in ELF ------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Image.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"

#include <set>

using namespace uma;
using llvm::object::ELF32LEObjectFile;

static llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>>
open(llvm::StringRef path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file)
    return llvm::createStringError(path + ": " +
                                   llvm::toString(file.takeError()));
  if (!llvm::isa<ELF32LEObjectFile>(file->getBinary()))
    return llvm::createStringError(
        path + ": the compiler wrote no little-endian ELF file of 32 bits");
  return file;
}

llvm::Expected<Image> Image::read(llvm::StringRef path) {
  auto file = open(path);
  if (!file)
    return file.takeError();
  const auto &elf = llvm::cast<ELF32LEObjectFile>(*file->getBinary());
  llvm::StringMap<uint64_t> sections, symbols;
  for (const llvm::object::SectionRef &section : elf.sections())
    if (auto name = section.getName())
      sections[*name] = section.getSize();
    else
      return name.takeError();
  Image image;
  for (const llvm::object::ELFSymbolRef symbol : elf.symbols()) {
    auto name = symbol.getName();
    auto value = symbol.getValue();
    if (!name)
      return name.takeError();
    if (!value)
      return value.takeError();
    // The lowest bit marks Thumb code.
    bool isFunction = symbol.getELFType() == llvm::ELF::STT_FUNC;
    bool isThumb = elf.getArch() == llvm::Triple::arm ||
                   elf.getArch() == llvm::Triple::thumb;
    if (isFunction)
      image.functions.push_back(
          {name->str(), *value & ~uint64_t(isThumb), symbol.getSize()});
    else
      symbols[*name] = *value;
  }
  llvm::sort(image.functions,
             [](const ImageFunction &a, const ImageFunction &b) {
               return a.address < b.address;
             });
  auto between = [&](llvm::StringRef from, llvm::StringRef to) {
    return symbols.lookup(to) - symbols.lookup(from);
  };
  ImageSizes &sizes = image.sizes;
  sizes.weights = sections.lookup(".weights");
  sizes.code = sections.lookup(".code");
  sizes.constants = sections.lookup(".constants");
  sizes.devices = sections.lookup(".devices");
  sizes.libraries = sections.lookup(".libraries");
  sizes.initial = sections.lookup(".data");
  sizes.runner = sections.lookup(".vectors") + sections.lookup(".runner");
  sizes.workspace = sections.lookup(".workspace");
  sizes.tensors = sections.lookup(".tensors");
  sizes.runnerTensors = sections.lookup(".runner_tensors");
  sizes.data = between("uma_data_begin", "uma_data_of_others") +
               between("uma_bss_begin", "uma_bss_of_others");
  sizes.libraryData = between("uma_data_of_others", "uma_data_end") +
                      between("uma_bss_of_others", "uma_bss_end");
  sizes.stack = sections.lookup(".stack");
  sizes.runnerData = sections.lookup(".runner_data");
  sizes.flash = between("uma_flash_begin", "uma_data_load") + sizes.initial;
  sizes.ram = between("uma_stack_begin", "uma_bss_end");
  image.stackBegin = symbols.lookup("uma_stack_begin");
  image.stackEnd = symbols.lookup("uma_stack_end");
  return image;
}

llvm::StringRef Image::getFunction(uint64_t address) const {
  for (const ImageFunction &function : functions)
    if (address >= function.address &&
        address < function.address + std::max<uint64_t>(function.bytes, 1))
      return function.name;
  return "";
}

llvm::Expected<std::vector<std::string>>
uma::getUndefinedSymbols(llvm::ArrayRef<std::string> objects,
                         llvm::ArrayRef<std::string> others) {
  std::set<std::string> used;
  llvm::StringSet<> defined;
  for (llvm::StringRef path :
       llvm::concat<const std::string>(objects, others)) {
    bool isOther = llvm::is_contained(others, path);
    auto file = open(path);
    if (!file)
      return file.takeError();
    for (const llvm::object::SymbolRef &symbol : file->getBinary()->symbols()) {
      auto flags = symbol.getFlags();
      if (!flags)
        return flags.takeError();
      auto name = symbol.getName();
      if (!name)
        return name.takeError();
      if (name->empty())
        continue;
      bool isUndefined = *flags & llvm::object::SymbolRef::SF_Undefined;
      if (isUndefined && !isOther)
        used.insert(name->str());
      else if (!isUndefined && (*flags & llvm::object::SymbolRef::SF_Global))
        defined.insert(*name);
    }
  }
  std::vector<std::string> result;
  llvm::copy_if(used, std::back_inserter(result),
                [&](const std::string &name) { return !defined.count(name); });
  return result;
}
