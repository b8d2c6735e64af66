//===- BuildImage.h - Compiling and linking for a board -*- C++ -*---------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_BOARD_BUILDIMAGE_H
#define UMA_LIB_DRIVER_BOARD_BUILDIMAGE_H

#include "../Package/Build.h"
#include "../Package/PackageDescription.h"
#include "Board.h"
#include "Image.h"

namespace uma {

/// Flags for the network if `--cflags` gives none.
inline constexpr llvm::StringLiteral kBoardFlags = "-O2";

/// Builds a package for a board. All files go to the folder `scratch`.
class ImageBuilder {
public:
  /// `compiler` replaces the board's unless it is empty, `flags` kBoardFlags.
  ImageBuilder(const ModelContext &context, const Board &board,
               const PackageDescription &package, llvm::StringRef folder,
               llvm::StringRef scratch, llvm::StringRef compiler,
               llvm::StringRef flags);

  /// Finds the programs of the toolchain.
  ExitCode prepare();
  /// Compiles the network, with hooks around its layers if `isProfiled`, and
  /// what runs it.
  ExitCode compile(bool isProfiled);
  /// Links what compile() has compiled last and sets the path of the program.
  ExitCode link(std::string &program);
  /// Writes the objects of the network, without hooks, as an archive.
  ExitCode archive(llvm::StringRef path);

  /// Returns the objects of the network and its weights; after compile().
  llvm::ArrayRef<std::string> getObjects() const { return objects; }
  /// Returns the objects of the models of devices; after compile().
  llvm::ArrayRef<std::string> getDeviceObjects() const { return deviceObjects; }
  /// Returns the files of `-fstack-usage`.
  llvm::ArrayRef<std::string> getStackUsageFiles() const { return usageFiles; }
  /// Returns the disassembler of the compiler's toolchain.
  llvm::StringRef getDisassembler() const { return disassembler; }
  /// Returns names of instructions that the C has a guarded version of and that
  /// this board lacks.
  std::vector<std::string> getMissingInstructions();

private:
  ExitCode compileFile(llvm::StringRef source, llvm::StringRef object,
                       llvm::ArrayRef<std::string> flags);
  ExitCode compileNetwork(bool isProfiled);
  ExitCode compileRunner(bool isProfiled);
  ExitCode writeFile(llvm::StringRef path, llvm::StringRef text);
  ExitCode findTool(llvm::StringRef name, std::string &path);
  ExitCode run(llvm::ArrayRef<std::string> words, llvm::StringRef what);
  std::string getPath(const llvm::Twine &file) const {
    return (scratch + "/" + file).str();
  }

  const ModelContext &context;
  const Board &board;
  const PackageDescription &package;
  std::string folder, scratch;
  /// Compiler and flags of the core; flags of the user.
  std::vector<std::string> command, userFlags;
  std::string disassembler, archiver;
  /// Objects of the next program.
  std::vector<std::string> linked;
  std::vector<std::string> objects, deviceObjects, usageFiles;
};

} // namespace uma

#endif // UMA_LIB_DRIVER_BOARD_BUILDIMAGE_H
