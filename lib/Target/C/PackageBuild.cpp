//===- PackageBuild.cpp - Build files and metadata of a package -----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageLayout.h"

#include "uma/Conversion/TIRToEmitC/CText.h"
#include "uma/Target/C/DeviceFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace uma;

std::string uma::getModelComment(const PackageInfo &info) {
  // Comments of Makefiles, CMake and YAML end with the line.
  return "# Network " + toCComment(info.model) +
         ", compiled to C99 by uma. Generated.\n";
}

/// Returns the folders with the headers of devices.
static std::vector<std::string> getDeviceFolders(const PackageInfo &info) {
  const PackageLayout layout(info.form);
  std::vector<std::string> folders;
  for (const AcceleratorInfo &accelerator : info.accelerators)
    if (layout.isFlat())
      folders.push_back(accelerator.folder);
  if (!layout.isFlat() && !info.accelerators.empty())
    folders.push_back(StringRef(layout.includes).drop_back().str());
  return folders;
}

static bool isCXX(StringRef source) {
  return getModelKind(source) == ModelKind::CXX;
}

/// Returns the models of all devices in C or in C++.
static llvm::SmallVector<std::string> getModels(const PackageInfo &info,
                                                ModelKind kind) {
  llvm::SmallVector<std::string> result;
  for (const AcceleratorInfo &accelerator : info.accelerators)
    llvm::copy_if(accelerator.sources, std::back_inserter(result),
                  [&](StringRef file) { return getModelKind(file) == kind; });
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

/// Prints the rule that compiles the models of devices in C or in C++.
static void printModelRule(const PackageInfo &info, ModelKind kind,
                           raw_ostream &os) {
  llvm::SmallVector<std::string> models = getModels(info, kind);
  if (models.empty())
    return;
  for (const std::string &source : models)
    os << getObject(source) << (source == models.back() ? "" : " ");
  if (kind == ModelKind::CXX)
    os << ": $(BUILD)/%.o: % Makefile\n\t@mkdir -p $(@D)\n"
       << "\t$(CXX) $(DEVICES:%=-I%) -I. $(CPPFLAGS) $(CXXFLAGS) -c -o $@ "
          "$<\n\n";
  else
    os << ": $(BUILD)/%.o: %.c Makefile\n\t@mkdir -p $(@D)\n"
       << "\t$(CC) $(DEVICES:%=-I%) $(FLAGS) -c -o $@ $<\n\n";
}

/// Prints what the objects of the network depend on besides their sources.
static void printDependencies(const PackageInfo &info, raw_ostream &os) {
  const PackageLayout layout(info.form);
  const std::string &name = info.name;
  std::string header = layout.getIncluded(name + ".h");
  os << getObject(layout.getSource(name + ".c"))
     << " $(BUILD)/main.o: " << header << " uma_hooks.h\n";
  if (!info.layersHeader.empty())
    os << "$(OBJECTS): " << layout.getIncluded(info.layersHeader) << ' '
       << header << " uma_hooks.h\n";
  if (info.binaryWeights)
    os << getObject(layout.getSource(name + "_weights.c")) << ": "
       << layout.getIncluded(name + "_weights.bin")
       << (info.hasImage() ? " " + layout.getIncluded(name + "_weights.h") : "")
       << '\n';
}

std::string uma::getMakefileText(const PackageInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const PackageLayout layout(info.form);
  const std::string &name = info.name;
  bool hasCXX = !getModels(info, ModelKind::CXX).empty();
  os << getModelComment(info) << "#\n"
     << "# make builds $(BUILD)/" << name
     << ", which runs the network once; make run runs it.\n"
     << "# CC, CFLAGS, " << (hasCXX ? "CXX, CXXFLAGS, " : "")
     << "LDFLAGS, WARNINGS and BUILD may be given. AS_CXX=1 compiles the\n"
        "# network as C++, with CXX.\n\n"
     << "CFLAGS ?= -O2\n"
     << (hasCXX ? "CXXFLAGS ?= -O2\n" : "")
     << "WARNINGS ?= -Wall -Wextra -Wpedantic -Werror\n"
     << "BUILD ?= build\n\n"
     << "# -I is also where the assembler looks for the weights.\n"
     << "FLAGS =" << (info.useOpenMP ? " -fopenmp" : "") << " -I."
     << (layout.isFlat() ? ""
                         : " -I" + StringRef(layout.includes).drop_back().str())
     << " -DUMA_HOOKS $(CPPFLAGS) $(CFLAGS)\n"
     << "NETWORK_CC = $(if $(AS_CXX),$(CXX) -x c++ -std=c++17,$(CC) "
        "-std=c99)\n";
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
                : "\t$(if $(AS_CXX),$(CXX),$(CC)) $(CFLAGS) $(LDFLAGS)")
     << (info.useOpenMP ? " -fopenmp" : "") << " -o $@ $(OBJECTS)"
     << getLinkFlags(info) << " -lm\n\n"
     << "$(BUILD)/%.o: %.c Makefile\n"
     << "\t@mkdir -p $(@D)\n"
     << "\t$(NETWORK_CC) $(WARNINGS) $(DEVICES:%=-isystem %) $(FLAGS) -c -o "
        "$@ $<\n\n";
  if (!info.accelerators.empty())
    os << "# Models of devices are somebody else's code and keep their "
          "warnings.\n";
  for (ModelKind kind : {ModelKind::C, ModelKind::CXX})
    printModelRule(info, kind, os);
  printDependencies(info, os);
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

static constexpr StringLiteral kSourceDir = "${CMAKE_CURRENT_SOURCE_DIR}";

/// Prints the library of the network.
static void printCMakeLibrary(const PackageInfo &info, StringRef target,
                              raw_ostream &os) {
  const PackageLayout layout(info.form);
  const std::string &name = info.name;
  std::string includes = kSourceDir.str();
  if (!layout.isFlat())
    includes += "/" + StringRef(layout.includes).drop_back().str();
  os << "# The network alone, to link with your program.\n"
     << "add_library(" << target << " STATIC\n";
  for (const std::string &source : info.sources)
    os << "  " << source << '\n';
  os << ")\ntarget_include_directories(" << target
     << " PUBLIC\n  \"$<BUILD_INTERFACE:" << includes << ">\")\n";
  if (!info.accelerators.empty() && layout.isFlat()) {
    os << "# The headers of devices: no warnings of theirs.\n"
       << "target_include_directories(" << target << " SYSTEM PUBLIC";
    for (const std::string &folder : getDeviceFolders(info))
      os << "\n  \"$<BUILD_INTERFACE:" << kSourceDir << "/" << folder << ">\"";
    os << ")\n";
  }
  if (!info.accelerators.empty())
    os << "# Behind a call of a device the C names its file by a relative "
          "path, which debuggers\n# look for here.\n"
          "if(CMAKE_C_COMPILER_ID MATCHES \"GNU|Clang\")\n"
       << "  target_compile_options(" << target << " PRIVATE\n"
       << "    \"-fdebug-prefix-map=" << name << "=" << kSourceDir << "/"
       << layout.getSource(name) << "\")\nendif()\n";
  os << "find_library(MATH_LIBRARY m)\nif(MATH_LIBRARY)\n"
     << "  target_link_libraries(" << target
     << " PUBLIC ${MATH_LIBRARY})\nendif()\n";
  // As flags, since the network's own target may have a library's name.
  if (std::string flags = getLinkFlags(info); !flags.empty())
    os << "\n# What the accelerators' C needs.\ntarget_link_libraries("
       << target << " PUBLIC" << flags << ")\n";
  if (info.binaryWeights)
    os << "set_source_files_properties("
       << layout.getSource(name + "_weights.c")
       << " PROPERTIES\n  OBJECT_DEPENDS " << kSourceDir << "/"
       << layout.getIncluded(name + "_weights.bin") << ")\n";
}

std::string uma::getCMakeText(const PackageInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const std::string &name = info.name;
  const std::string target = getCMakeTarget(info);
  const PackageLayout layout(info.form);
  const std::string header = layout.getIncluded(name + ".h");
  const std::string weightsHeader = layout.getIncluded(name + "_weights.h");
  os << "cmake_minimum_required(VERSION 3.10)\nproject(" << name << " C"
     << (getModels(info, ModelKind::CXX).empty() ? "" : " CXX") << ")\n\n"
     << "set(CMAKE_C_STANDARD 99)\n\n";
  printCMakeLibrary(info, target, os);
  os << "\n# An example on the host, with the models of the devices.\n"
     << "add_executable(" << target << "_example\n  main.c\n";
  for (const AcceleratorInfo &accelerator : info.accelerators)
    for (const std::string &source : accelerator.sources)
      os << "  " << source << "\n";
  for (const std::string &file : getBuilt(info, ModelKind::Object))
    os << "  " << file << "\n";
  os << ")\ntarget_link_libraries(" << target << "_example PRIVATE " << target;
  for (const std::string &file : getBuilt(info, ModelKind::Archive))
    os << "\n  " << kSourceDir << "/" << file;
  os << ")\n\n"
     << "option(UMA_AS_CXX \"Compile the network as C++\" OFF)\n"
     << "if(UMA_AS_CXX)\n  enable_language(CXX)\n"
     << "  if(CMAKE_CXX_COMPILER_ID MATCHES \"Clang\")\n"
     << "    set(UMA_CXX_FLAGS -xc++)\n  endif()\n"
     << "  set_source_files_properties(\n    main.c";
  for (const std::string &source : info.sources)
    os << "\n    " << source;
  os << "\n    PROPERTIES LANGUAGE CXX COMPILE_FLAGS "
        "\"${UMA_CXX_FLAGS}\")\nendif()\n\n"
     << "# For find_package(" << name
     << "): the network without its devices. A project that takes\n"
        "# this folder in installs what it wants itself.\n"
     << "if(CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR)\n"
     << "  install(TARGETS " << target << " EXPORT " << name
     << " ARCHIVE DESTINATION lib\n          INCLUDES DESTINATION include)\n"
     << "  install(FILES " << header
     << (info.hasImage() ? " " + weightsHeader : "")
     << " DESTINATION include)\n"
     << "  install(EXPORT " << name << " FILE " << name
     << "Config.cmake DESTINATION lib/cmake/" << name << ")\nendif()\n";
  return text;
}
