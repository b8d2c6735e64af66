//===- Processor.cpp - Vector instructions that C is written for ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Processor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace uma;

static constexpr size_t kSSE = 2;

llvm::ArrayRef<ISA> ISA::getAll() {
  static constexpr ISA all[] = {
      {"avx512", 16, 32},
      {"avx2", 8, 16},
      {"sse", 4, 16, /*hasFMA=*/false, /*isUsual=*/false},
      {"simd128", 4, 16},
      {"scalar", 1, 16}};
  return all;
}

llvm::ArrayRef<ISA> ISA::getUsual() {
  static const llvm::SmallVector<ISA> usual =
      llvm::to_vector(llvm::make_filter_range(
          getAll(), [](const ISA &i) { return i.isUsual; }));
  return usual;
}

const ISA &ISA::getSSE() { return getAll()[kSSE]; }

std::optional<size_t> ISA::getIndex(llvm::StringRef name) {
  for (auto [index, isa] : llvm::enumerate(getAll()))
    if (isa.name == name)
      return index;
  return std::nullopt;
}

const ISA *ISA::lookup(llvm::StringRef name) {
  std::optional<size_t> index = getIndex(name);
  return index ? &getAll()[*index] : nullptr;
}

llvm::SmallVector<llvm::StringRef> ISA::getNames() {
  return llvm::map_to_vector(getAll(), [](const ISA &isa) { return isa.name; });
}
