//===- PackageForm.h - Form of a package -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Choices of the user about a package that do not change the network's
// numbers. Separate from Package.h, so that the driver's options need no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef UMA_TARGET_C_PACKAGEFORM_H
#define UMA_TARGET_C_PACKAGEFORM_H

#include <set>

namespace uma {

/// Layout of a package's files and metadata.
enum class PackageFormat {
  Flat,         ///< sources beside the metadata, devices in a folder each
  ModelLibrary, ///< TVM's Model Library Format; see docs/package.md
};

/// Build system or SDK that a package has the files of.
enum class Project {
  CMake,   ///< CMakeLists.txt, also for add_subdirectory and find_package
  Make,    ///< Makefile, which `uma run` uses
  Arduino, ///< a library: library.properties, src/, examples/
  Zephyr,  ///< a module: zephyr/module.yml, CMakeLists.txt, Kconfig
  ESPIDF,  ///< a component: CMakeLists.txt, idf_component.yml
};

/// Storage of a package's weights.
enum class WeightsAs {
  Auto,   ///< arrays up to 16 KiB in total, otherwise binary
  Arrays, ///< C arrays in NET_weights.c
  Binary, ///< NET_weights.bin, included by the assembler's .incbin
  Image,  ///< NET_weights.bin, whose address is a parameter of the C
};

/// The form of a package.
struct PackageForm {
  PackageFormat format = PackageFormat::Flat;
  std::set<Project> projects = {Project::CMake, Project::Make};
  WeightsAs weights = WeightsAs::Auto;

  bool has(Project project) const { return projects.count(project) != 0; }
};

} // namespace uma

#endif // UMA_TARGET_C_PACKAGEFORM_H
