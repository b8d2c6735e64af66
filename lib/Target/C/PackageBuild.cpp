//===- PackageBuild.cpp - Build files and metadata of a package -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Target/C/DeviceFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace uma;

static std::string getModelComment(const PackageInfo &info) {
  // Comments of Makefiles and of CMake end with the line.
  return "# Network " + toCComment(info.model) +
         ", compiled to C99 by uma. Generated.\n";
}

static std::vector<std::string> getDeviceFolders(const PackageInfo &info) {
  std::vector<std::string> folders;
  for (const AcceleratorInfo &accelerator : info.accelerators)
    folders.push_back(accelerator.folder);
  return folders;
}

static bool isCXX(StringRef source) {
  return getModelKind(source) == ModelKind::CXX;
}

/// Returns the C++ models of all devices.
static llvm::SmallVector<std::string> getCXXSources(const PackageInfo &info) {
  llvm::SmallVector<std::string> result;
  for (const AcceleratorInfo &accelerator : info.accelerators)
    llvm::copy_if(accelerator.sources, std::back_inserter(result), isCXX);
  return result;
}

/// Returns the objects of all devices, or their archives.
static llvm::SmallVector<std::string> getBuilt(const PackageInfo &info,
                                               ModelKind kind) {
  llvm::SmallVector<std::string> result;
  for (const AcceleratorInfo &accelerator : info.accelerators)
    llvm::copy_if(accelerator.objects, std::back_inserter(result),
                  [&](StringRef file) { return getModelKind(file) == kind; });
  return result;
}

/// Returns ` -lA -lB`, the libraries of the accelerators.
static std::string getLinkFlags(const PackageInfo &info) {
  std::string flags;
  for (const std::string &library : info.getLibraries())
    flags += " -l" + library;
  return flags;
}

/// Returns the object of a file in the Makefile. C++ objects keep the source's
/// extension, so that each has a rule.
static std::string getObject(StringRef source) {
  StringRef stem = isCXX(source) ? source : source.rsplit('.').first;
  return ("$(BUILD)/" + stem + ".o").str();
}

/// Prints the rules that compile the models of devices.
static void printModelRules(const PackageInfo &info, raw_ostream &os) {
  os << "# Models of devices are somebody else's code and keep their "
        "warnings.\n"
     << "$(BUILD)/devices/%.o: devices/%.c Makefile\n"
     << "\t@mkdir -p $(@D)\n"
     << "\t$(CC) $(DEVICES:%=-I%) $(FLAGS) -c -o $@ $<\n\n";
  llvm::StringSet<> seen;
  for (StringRef source : getCXXSources(info)) {
    StringRef ending = source.rsplit('.').second;
    if (seen.insert(ending).second)
      os << "$(BUILD)/devices/%." << ending << ".o: devices/%." << ending
         << " Makefile\n\t@mkdir -p $(@D)\n"
         << "\t$(CXX) $(DEVICES:%=-I%) -I. $(CPPFLAGS) $(CXXFLAGS) -c -o $@ "
            "$<\n\n";
  }
}

std::string uma::getMakefileText(const PackageInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const std::string &name = info.name;
  bool hasCXX = !getCXXSources(info).empty();
  os << getModelComment(info) << "#\n"
     << "# make builds $(BUILD)/" << name
     << ", which runs the network once; make run runs it.\n"
     << "# CC, CFLAGS, " << (hasCXX ? "CXX, CXXFLAGS, " : "")
     << "LDFLAGS, WARNINGS and BUILD may be given.\n\n"
     << "CFLAGS ?= -O2\n"
     << (hasCXX ? "CXXFLAGS ?= -O2\n" : "")
     << "WARNINGS ?= -Wall -Wextra -Wpedantic -Werror\n"
     << "BUILD ?= build\n\n"
     << "# -I. is also where the assembler looks for the weights.\n"
     << "FLAGS =" << (info.useOpenMP ? " -fopenmp" : "")
     << " -I. -DUMA_HOOKS $(CPPFLAGS) $(CFLAGS)\n";
  if (!info.accelerators.empty())
    os << "# The headers of devices are system headers: no warnings of "
          "theirs.\nDEVICES = "
       << llvm::join(getDeviceFolders(info), " ") << '\n';
  os << "OBJECTS =";
  for (StringRef source : info.sources)
    os << ' ' << getObject(source);
  os << " $(BUILD)/main.o";
  for (const AcceleratorInfo &accelerator : info.accelerators)
    for (StringRef source : accelerator.sources)
      os << ' ' << getObject(source);
  for (ModelKind kind : {ModelKind::Object, ModelKind::Archive})
    for (const std::string &file : getBuilt(info, kind))
      os << ' ' << file;
  os << "\n\n$(BUILD)/" << name << ": $(OBJECTS)\n"
     << (hasCXX ? "\t$(CXX) $(CFLAGS) $(CXXFLAGS) $(LDFLAGS)"
                : "\t$(CC) $(CFLAGS) $(LDFLAGS)")
     << (info.useOpenMP ? " -fopenmp" : "") << " -o $@ $(OBJECTS)"
     << getLinkFlags(info) << " -lm\n\n"
     << "$(BUILD)/%.o: %.c Makefile\n"
     << "\t@mkdir -p $(@D)\n"
     << "\t$(CC) -std=c99 $(WARNINGS) $(DEVICES:%=-isystem %) $(FLAGS) -c -o "
        "$@ $<\n\n";
  printModelRules(info, os);
  os << "$(BUILD)/" << name << ".o $(BUILD)/main.o: " << name
     << ".h uma_hooks.h\n";
  if (!info.layersHeader.empty())
    os << "$(OBJECTS): " << info.layersHeader << ' ' << name
       << ".h uma_hooks.h\n";
  if (info.binaryWeights)
    os << "$(BUILD)/" << name << "_weights.o: " << name << "_weights.bin\n";
  os << "\nrun: $(BUILD)/" << name << "\n\t$(BUILD)/" << name << "\n\n"
     << "clean:\n\trm -f $(filter $(BUILD)/%,$(OBJECTS)) $(BUILD)/" << name
     << "\n\n"
     << ".PHONY: run clean\n";
  return text;
}

/// Returns the name of the network's CMake target: NET, unless CMake reserves
/// it or it is the name of a system library, which would be linked instead.
static std::string getCMakeTarget(const PackageInfo &info) {
  static constexpr StringLiteral reserved[] = {"all",
                                               "all_build",
                                               "c",
                                               "clean",
                                               "continuous",
                                               "depend",
                                               "dl",
                                               "edit_cache",
                                               "experimental",
                                               "gcc",
                                               "help",
                                               "install",
                                               "m",
                                               "nightly",
                                               "package",
                                               "package_source",
                                               "preinstall",
                                               "pthread",
                                               "rebuild_cache",
                                               "rt",
                                               "run_tests",
                                               "test",
                                               "zero_check"};
  bool isReserved = llvm::is_contained(reserved, StringRef(info.name).lower());
  return isReserved ? "net_" + info.name : info.name;
}

std::string uma::getCMakeText(const PackageInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const std::string &name = info.name;
  const std::string target = getCMakeTarget(info);
  os << getModelComment(info)
     << "cmake_minimum_required(VERSION 3.10)\nproject(" << name << " C"
     << (getCXXSources(info).empty() ? "" : " CXX") << ")\n\n"
     << "set(CMAKE_C_STANDARD 99)\n\n"
     << "# The network alone, to link with your program.\n"
     << "add_library(" << target << " STATIC\n";
  for (const std::string &source : info.sources)
    os << "  " << source << '\n';
  os << ")\ntarget_include_directories(" << target
     << " PUBLIC\n  \"$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>\")\n";
  if (!info.accelerators.empty()) {
    os << "# The headers of devices: no warnings of theirs.\n"
       << "target_include_directories(" << target << " SYSTEM PUBLIC";
    for (const std::string &folder : getDeviceFolders(info))
      os << "\n  \"$<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/" << folder
         << ">\"";
    os << ")\n# Behind a call of a device the C names its file by a relative "
          "path, which debuggers\n# look for here.\n"
          "if(CMAKE_C_COMPILER_ID MATCHES \"GNU|Clang\")\n"
       << "  target_compile_options(" << target << " PRIVATE\n"
       << "    \"-fdebug-prefix-map=" << name << "=${CMAKE_CURRENT_SOURCE_DIR}/"
       << name << "\")\nendif()\n";
  }
  os << "find_library(MATH_LIBRARY m)\nif(MATH_LIBRARY)\n"
     << "  target_link_libraries(" << target
     << " PUBLIC ${MATH_LIBRARY})\nendif()\n";
  // As flags, since the network's own target may have a library's name.
  if (std::string flags = getLinkFlags(info); !flags.empty())
    os << "\n# What the accelerators' C needs.\ntarget_link_libraries("
       << target << " PUBLIC" << flags << ")\n";
  if (info.binaryWeights)
    os << "set_source_files_properties(" << name
       << "_weights.c PROPERTIES\n  OBJECT_DEPENDS "
          "${CMAKE_CURRENT_SOURCE_DIR}/"
       << name << "_weights.bin)\n";
  os << "\n# An example on the host, with the models of the devices.\n"
     << "add_executable(" << target << "_example\n  main.c\n";
  for (const AcceleratorInfo &accelerator : info.accelerators)
    for (const std::string &source : accelerator.sources)
      os << "  " << source << "\n";
  for (const std::string &file : getBuilt(info, ModelKind::Object))
    os << "  " << file << "\n";
  os << ")\ntarget_link_libraries(" << target << "_example PRIVATE " << target;
  for (const std::string &file : getBuilt(info, ModelKind::Archive))
    os << "\n  ${CMAKE_CURRENT_SOURCE_DIR}/" << file;
  os << ")\n\n"
     << "# For find_package(" << name
     << "): the network without its devices. A project that takes\n"
        "# this folder in installs what it wants itself.\n"
     << "if(CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR)\n"
     << "  install(TARGETS " << target << " EXPORT " << name
     << " ARCHIVE DESTINATION lib\n          INCLUDES DESTINATION include)\n"
     << "  install(FILES " << name << ".h DESTINATION include)\n"
     << "  install(EXPORT " << name << " FILE " << name
     << "Config.cmake DESTINATION lib/cmake/" << name << ")\nendif()\n";
  return text;
}

static llvm::json::Array getTensors(ArrayRef<TensorInfo> tensors) {
  llvm::json::Array result;
  for (const TensorInfo &tensor : tensors) {
    std::string dtype;
    llvm::raw_string_ostream(dtype) << tensor.type.getElementType();
    llvm::json::Object entry{
        {"name", llvm::json::fixUTF8(tensor.name)},
        {"dtype", dtype},
        {"shape", llvm::json::Array(tensor.type.getShape())},
        {"bytes", tensor.getBytes()},
        {"parameter", tensor.cName}};
    if (tensor.alignment > 1)
      entry["alignment"] = tensor.alignment;
    result.push_back(std::move(entry));
  }
  return result;
}

static llvm::json::Array getTexts(ArrayAttr texts) {
  llvm::json::Array array;
  for (auto text : texts.getAsRange<StringAttr>())
    array.push_back(llvm::json::fixUTF8(text.getValue()));
  return array;
}

static llvm::json::Object getReference(DictionaryAttr reference) {
  llvm::json::Object object;
  for (NamedAttribute entry : reference) {
    llvm::json::Value &value = object[entry.getName().getValue()];
    if (auto text = dyn_cast<StringAttr>(entry.getValue()))
      value = llvm::json::fixUTF8(text.getValue());
    else if (auto texts = dyn_cast<ArrayAttr>(entry.getValue()))
      value = getTexts(texts);
    else if (auto numbers = dyn_cast<DenseI64ArrayAttr>(entry.getValue()))
      value = llvm::json::Array(numbers.asArrayRef());
  }
  return object;
}

/// Returns the device calls, with references for `uma run --compare`.
static llvm::json::Array getDeviceCalls(const PackageInfo &info) {
  using llvm::json::Array;
  using llvm::json::Object;
  Array calls;
  for (const DeviceCallInfo &call : info.deviceCalls) {
    Array references, arguments;
    for (auto reference : call.references.getAsRange<DictionaryAttr>())
      references.push_back(getReference(reference));
    for (auto [position, bytes] : llvm::enumerate(call.bytes))
      arguments.push_back(
          Object{{"bytes", bytes},
                 {"role", call.isWritten[position]    ? "output"
                          : call.isConstant[position] ? "constant"
                                                      : "input"}});
    calls.push_back(Object{{"index", call.index},
                           {"accelerator", call.accelerator},
                           {"arguments", std::move(arguments)},
                           {"references", std::move(references)}});
  }
  return calls;
}

std::string uma::getMetadataText(const PackageInfo &info,
                                 const PackageFiles &files) {
  using llvm::json::Array;
  using llvm::json::Object;
  Array layers, accelerators, names;
  Object checksums;
  for (const LayerInfo &layer : info.layers) {
    Object entry{{"name", llvm::json::fixUTF8(layer.name)},
                 {"target", llvm::json::fixUTF8(layer.target)}};
    Object memories;
    for (const auto &[name, bytes] : layer.memories)
      memories[llvm::json::fixUTF8(name)] = bytes;
    if (!memories.empty())
      entry["memories"] = std::move(memories);
    layers.push_back(std::move(entry));
  }
  for (const AcceleratorInfo &accelerator : info.accelerators)
    accelerators.push_back(Object{{"name", accelerator.name},
                                  {"sources", Array(accelerator.sources)},
                                  {"objects", Array(accelerator.objects)},
                                  {"libraries", Array(accelerator.libraries)}});
  Array calls;
  for (const CallInfo &call : info.calls)
    calls.push_back(Object{{"function", llvm::json::fixUTF8(call.function)},
                           {"macs", call.macs}});
  Array targets;
  for (const TargetSummary &target : info.targets)
    targets.push_back(Object{{"name", target.name},
                             {"layers", target.layers},
                             {"macs", target.macs}});
  names.push_back("metadata.json");
  for (const auto &[name, contents] : files) {
    names.push_back(name);
    checksums[name] = contents.getChecksum();
  }
  Object metadata{{"format", "uma-package"},
                  {"version", 1},
                  {"name", info.name},
                  {"model", llvm::json::fixUTF8(info.model)},
                  {"inputs", getTensors(info.inputs)},
                  {"outputs", getTensors(info.outputs)},
                  {"workspace", Object{{"bytes", info.workspaceSize},
                                       {"alignment", info.workspaceAlignment}}},
                  {"weights", Object{{"bytes", info.getWeightBytes()},
                                     {"binary", info.binaryWeights}}},
                  {"sources", Array(info.sources)},
                  {"layers", std::move(layers)},
                  {"calls", std::move(calls)},
                  {"targets", std::move(targets)},
                  {"device_calls", getDeviceCalls(info)},
                  {"accelerators", std::move(accelerators)},
                  {"files", std::move(names)},
                  {"checksums", std::move(checksums)}};
  std::string graph = info.name + ".mlirbc";
  if (files.count(graph))
    metadata["graph"] = graph;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv("{0:2}", llvm::json::Value(std::move(metadata))) << "\n";
  return text;
}
