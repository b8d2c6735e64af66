//===- Processor.cpp - Target processors ----------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Instruction sets are defined here, since the emitted C tests for them by
// macros. Processors are the files in the folder `processors`, which the build
// embeds in the program.
//
//===----------------------------------------------------------------------===//

#include "uma/CPU/Model/Processor.h"

#include "uma/Support/DidYouMean.h"
#include "uma/Support/ParseJSON.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace uma;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

llvm::ArrayRef<ISA> ISA::getAll() {
  // Generic vectors of 128 bits may run on any processor: they have SSE's
  // registers, and no special instructions are assumed.
  static constexpr ISA all[] = {
      {"avx512", 16, 32, /*hasFMA=*/true, "", /*isTwoOperand=*/false,
       /*hasLaneProducts=*/false, /*hasDots=*/true, /*hasQuads=*/true,
       /*tableEntries=*/16},
      {"avx2", 8, 16, /*hasFMA=*/true, "", /*isTwoOperand=*/false,
       /*hasLaneProducts=*/false, /*hasDots=*/true, /*hasQuads=*/false,
       /*tableEntries=*/16},
      {"sse", 4, 16, /*hasFMA=*/false, "UMA_SSE", /*isTwoOperand=*/true,
       /*hasLaneProducts=*/false, /*hasDots=*/true, /*hasQuads=*/false,
       /*tableEntries=*/16},
      {"neon", 4, 32, /*hasFMA=*/true, "UMA_NEON", /*isTwoOperand=*/false,
       /*hasLaneProducts=*/true, /*hasDots=*/true, /*hasQuads=*/true,
       /*tableEntries=*/64},
      {"simd128", 4, 16, /*hasFMA=*/false},
      {"scalar", 1, 16}};
  return all;
}

int64_t ISA::getLookupCost() const {
  // Loads of the byte and of its entry, and a store.
  if (tableEntries == 1)
    return 3 * lanes;
  // Each part of the table takes a lookup, a change of the index and the
  // combination with the other parts, for four bytes in a lane.
  constexpr int64_t entries = 256, bytes = 4;
  return llvm::divideCeil(3 * (entries / tableEntries) + 2, bytes);
}

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

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Contents of the files in the folder `processors`.
static constexpr llvm::StringLiteral kTable[] = {
#include "Processors.inc"
};

static constexpr llvm::StringLiteral kFormat = "uma-processor";
static constexpr int64_t kVersion = 1;

llvm::Expected<Processor> Processor::parse(llvm::StringRef text,
                                           llvm::StringRef path) {
  llvm::Expected<json::Value> value = parseJSON(text, path);
  if (!value)
    return value.takeError();
  auto fail = [&](const llvm::Twine &problem) {
    return llvm::createStringError(path + ": " + problem);
  };
  const json::Object *object = value->getAsObject();
  if (!object || object->getString("format") != kFormat)
    return fail("describes no processor: expected \"format\": \"" + kFormat +
                "\"");
  if (object->getInteger("version") != kVersion)
    return fail("has another version of the format, expected " +
                llvm::Twine(kVersion));
  std::string name, summary;
  std::vector<std::string> sets;
  int64_t ports = 0, portLanes = 0, issue = 0, latency = 0, l1 = 0, l2 = 0,
          l2LineCycles = 0, memoryLineCycles = 0,
          coreRegisters = kUsualCoreRegisters;
  bool hasFloatUnit = true, hasSignedLoads = true;
  json::Path::Root root("processor");
  json::ObjectMapper mapper(*value, root);
  static const llvm::StringRef members[] = {"format",
                                            "version",
                                            "name",
                                            "summary",
                                            "sets",
                                            "ports",
                                            "port_lanes",
                                            "issue",
                                            "latency",
                                            "l1",
                                            "l2",
                                            "l2_line_cycles",
                                            "memory_line_cycles",
                                            "core_registers",
                                            "float_unit",
                                            "signed_loads"};
  for (const auto &[key, member] : *object)
    if (!llvm::is_contained(members, llvm::StringRef(key)))
      return fail("has the unknown member '" + llvm::StringRef(key) + "'" +
                  didYouMean(key, members));
  if (!mapper.map("name", name) || !mapper.map("summary", summary) ||
      !mapper.map("sets", sets) || !mapper.map("ports", ports) ||
      !mapper.map("port_lanes", portLanes) || !mapper.map("issue", issue) ||
      !mapper.map("latency", latency) || !mapper.map("l1", l1) ||
      !mapper.map("l2", l2) || !mapper.map("l2_line_cycles", l2LineCycles) ||
      !mapper.map("memory_line_cycles", memoryLineCycles) ||
      !mapper.mapOptional("core_registers", coreRegisters) ||
      !mapper.mapOptional("float_unit", hasFloatUnit) ||
      !mapper.mapOptional("signed_loads", hasSignedLoads))
    return fail(llvm::toString(root.getError()));
  // The attribute's verifier checks the numbers.
  MLIRContext context;
  context.loadDialect<UMADialect>();
  std::string problem;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    problem = diagnostic.str();
    return success();
  });
  auto names = llvm::map_to_vector(sets, [&](const std::string &set) {
    return StringAttr::get(&context, set);
  });
  auto emit = [&] { return emitError(UnknownLoc::get(&context)); };
  auto attribute = ProcessorAttr::getChecked(
      function_ref<InFlightDiagnostic()>(emit), &context,
      StringAttr::get(&context, name), ArrayRef<StringAttr>(names), ports,
      portLanes, issue, latency, l1, l2, l2LineCycles, memoryLineCycles,
      coreRegisters, hasFloatUnit, hasSignedLoads);
  if (!attribute)
    return fail(problem);
  Processor processor = fromAttribute(attribute);
  processor.summary = summary;
  return processor;
}

llvm::ArrayRef<Processor> Processor::getAll() {
  static const std::vector<Processor> all = [] {
    std::vector<Processor> table;
    for (llvm::StringRef text : kTable)
      table.push_back(llvm::cantFail(parse(text, "processors")));
    return table;
  }();
  return all;
}

const Processor &Processor::getGeneric() {
  static const Processor &generic = *llvm::find_if(
      getAll(), [](const Processor &p) { return p.name == "generic"; });
  return generic;
}

/// Returns the entry of the table that is closest to this machine.
static Processor getNative() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  llvm::StringRef name = "generic";
#if defined(__x86_64__)
  name = features.lookup("avx512f")                          ? "x86-64-v4"
         : features.lookup("avx2") && features.lookup("fma") ? "x86-64-v3"
                                                             : "x86-64-v2";
#elif defined(__aarch64__)
  llvm::StringRef cpu = llvm::sys::getHostCPUName();
  name = cpu.starts_with("apple")      ? "apple-m1"
         : cpu == "cortex-a53"         ? "cortex-a53"
         : cpu.starts_with("neoverse") ? "neoverse-n1"
                                       : "cortex-a72";
#elif defined(__riscv)
  name = "rv64gc";
#endif
  return llvm::cantFail(Processor::get(name));
}

llvm::Expected<Processor> Processor::get(llvm::StringRef name) {
  if (name == "native")
    return getNative();
  for (const Processor &processor : getAll())
    if (processor.name == name)
      return processor;
  if (name.contains('/') || name.ends_with(".json")) {
    auto buffer = llvm::MemoryBuffer::getFile(name);
    if (!buffer)
      return llvm::createStringError(name + ": " + buffer.getError().message());
    return parse((*buffer)->getBuffer(), name);
  }
  llvm::SmallVector<llvm::StringRef> names = {"native"};
  for (const Processor &processor : getAll())
    names.push_back(processor.name);
  return llvm::createStringError("there is no processor '" + name + "'" +
                                 didYouMean(name, names) +
                                 "; 'uma list --cpus' tells all, and a path "
                                 "with '/' or '.json' names a file");
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

Processor Processor::fromAttribute(ProcessorAttr attribute) {
  Processor processor;
  processor.name = attribute.getName().str();
  for (StringAttr set : attribute.getSets()) {
    ISA &isa = processor.sets.emplace_back(*ISA::lookup(set.getValue()));
    isa.ports = attribute.getPorts();
    isa.portLanes = attribute.getPortLanes();
    isa.issue = attribute.getIssue();
    isa.latency = attribute.getLatency();
  }
  processor.l1 = attribute.getL1();
  processor.l2 = attribute.getL2();
  processor.l2LineCycles = attribute.getL2LineCycles();
  processor.memoryLineCycles = attribute.getMemoryLineCycles();
  processor.coreRegisters = attribute.getCoreRegisters();
  processor.hasFloatUnit = attribute.getFloatUnit();
  processor.hasSignedLoads = attribute.getSignedLoads();
  return processor;
}

ProcessorAttr Processor::toAttribute(MLIRContext *context) const {
  auto names = llvm::map_to_vector(
      sets, [&](const ISA &isa) { return StringAttr::get(context, isa.name); });
  const ISA &isa = sets.front();
  return ProcessorAttr::get(context, StringAttr::get(context, name), names,
                            isa.ports, isa.portLanes, isa.issue, isa.latency,
                            l1, l2, l2LineCycles, memoryLineCycles,
                            coreRegisters, hasFloatUnit, hasSignedLoads);
}

Processor Processor::of(ModuleOp module) {
  auto attribute = module->getAttrOfType<ProcessorAttr>(kProcessorAttrName);
  return attribute ? fromAttribute(attribute) : getGeneric();
}

//===----------------------------------------------------------------------===//
// Instruction sets of a processor
//===----------------------------------------------------------------------===//

const ISA *Processor::lookup(llvm::StringRef name) const {
  auto isa =
      llvm::find_if(sets, [&](const ISA &set) { return set.name == name; });
  return isa == sets.end() ? nullptr : &*isa;
}

static const ISA &getUsualOf(const Processor &processor, int64_t lanes) {
  return *llvm::find_if(llvm::reverse(processor.sets),
                        [&](const ISA &isa) { return isa.lanes == lanes; });
}

bool Processor::isUsual(const ISA &isa) const {
  return getUsualOf(*this, isa.lanes).name == isa.name;
}

bool Processor::hasOwnTiles(const ISA &isa) const {
  const ISA &usual = getUsualOf(*this, isa.lanes);
  return isa.registers != usual.registers || isa.hasFMA != usual.hasFMA;
}

std::vector<ISA> Processor::getUsual() const {
  std::vector<ISA> usual;
  llvm::copy_if(sets, std::back_inserter(usual),
                [&](const ISA &isa) { return isUsual(isa); });
  return usual;
}

double Processor::getPeak() const {
  const ISA &widest = sets.front();
  return double(widest.lanes) / widest.getIssueCost(widest.lanes);
}
