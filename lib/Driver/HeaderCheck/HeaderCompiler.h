//===- HeaderCompiler.h - A C compiler for header checks -*- C++ -*--------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_HEADERCHECK_HEADERCOMPILER_H
#define UMA_LIB_DRIVER_HEADERCHECK_HEADERCOMPILER_H

#include "../Package/Build.h"
#include "../Package/CompilerLog.h"

#include "uma/Accel/IR/AccelOps.h"
#include "uma/Target/C/DeviceFiles.h"

namespace uma {

/// C compiler that checks code against the headers of a device, in a folder
/// that holds links to the device's files.
class HeaderCompiler {
public:
  HeaderCompiler(accel::AcceleratorOp accelerator, const ModelContext &context)
      : accelerator(accelerator), context(context) {}

  /// Finds `compiler`, or CC from the environment if empty. Emits a warning and
  /// leaves isFound() false if there is none. Fails if `compiler` is no
  /// program.
  ExitCode find(llvm::StringRef compiler);
  bool isFound() const { return !command.empty(); }

  /// Links the device's files into a new folder.
  ExitCode prepare(const DeviceFiles &deviceFiles);

  /// Returns the compiler's messages about `text`, or std::nullopt after an
  /// error that has been reported. Emits a warning if the compiler fails
  /// without a message about the text.
  std::optional<std::vector<CompilerMessage>> compile(llvm::StringRef text);

  /// Returns the name of the compiler as users write it.
  llvm::StringRef getName() const { return name; }
  /// Returns the file that `text` is compiled in.
  llvm::StringRef getMainFile() const { return mainFile; }
  /// Returns the user's path of a file that a message names.
  std::string getOriginal(llvm::StringRef file) const;
  const DeviceFiles &getFiles() const { return files; }

private:
  accel::AcceleratorOp accelerator;
  const ModelContext &context;
  ScratchFolder scratch;
  DeviceFiles files;
  llvm::SmallVector<std::string> command;
  std::string name, mainFile, log;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_HEADERCHECK_HEADERCOMPILER_H
