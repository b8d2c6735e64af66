//===- BuildImage.cpp - Compiling and linking for a board -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The folders of the objects tell the linker script which part of the program
// they are; see RunnerText.h.
//
//===----------------------------------------------------------------------===//

#include "BuildImage.h"
#include "RunnerText.h"

#include "uma/Support/OutputFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uma;
namespace fs = llvm::sys::fs;

/// Flags of every file: the linker drops functions that nobody calls.
static const std::string kCommonFlags[] = {"-ffunction-sections",
                                           "-fdata-sections", "-fstack-usage"};
/// Those of the generated C; the same as in the package's Makefile.
static const std::string kNetworkFlags[] = {"-std=c99", "-Wall", "-Wextra",
                                            "-Wpedantic", "-Werror"};
/// Those of the runner, which may call no library.
static const std::string kRunnerFlags[] = {
    "-std=gnu99", "-Os", "-fno-builtin", "-fno-tree-loop-distribute-patterns"};

/// Returns the flags that find the files which the C includes.
static std::vector<std::string> getIncludes(const PackageDescription &package,
                                            StringRef folder, bool isModel) {
  std::vector<std::string> flags;
  for (const std::string &include : package.includeFolders) {
    flags.push_back(("-I" + folder + "/" + include).str());
    // The assembler looks there for weights.
    flags.push_back(("-Wa,-I" + folder + "/" + include).str());
  }
  // The headers of devices keep their warnings.
  for (const std::string &device : package.deviceFolders)
    if (isModel)
      flags.push_back(("-I" + folder + "/" + device).str());
    else
      flags.insert(flags.end(), {"-isystem", (folder + "/" + device).str()});
  return flags;
}

/// Splits flags as a shell does.
static std::vector<std::string> splitFlags(StringRef text) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  return {words.begin(), words.end()};
}

ImageBuilder::ImageBuilder(const ModelContext &context, const Board &board,
                           const PackageDescription &package, StringRef folder,
                           StringRef scratch, StringRef compiler,
                           StringRef flags)
    : context(context), board(board), package(package), folder(folder.str()),
      scratch(scratch.str()), command(board.compiler),
      userFlags(splitFlags(flags.empty() ? StringRef(kBoardFlags) : flags)) {
  if (!compiler.empty())
    command.front() = compiler.str();
}

ExitCode ImageBuilder::findTool(StringRef name, std::string &path) {
  // Compilers know the other programs of their toolchain.
  std::string log = getPath("tool.log");
  std::string flag = ("-print-prog-name=" + name).str();
  if (execute(command.front(), {flag}, log) == 0)
    path = StringRef(readText(log)).trim().str();
  if (auto found = llvm::sys::findProgramByName(path); found && !path.empty()) {
    path = *found;
    return ExitCode::Success;
  }
  return context.fail(ExitCode::ExecutionFailed,
                      "'" + name + "' of the toolchain of '" + command.front() +
                          "' is not installed" +
                          board.getInstallAdvice(board.compiler.front()));
}

ExitCode ImageBuilder::prepare() {
  auto compiler = llvm::sys::findProgramByName(command.front());
  if (!compiler)
    return context.fail(
        ExitCode::ExecutionFailed,
        "'" + command.front() + "', the C compiler for board '" + board.name +
            "', is not installed" + board.getInstallAdvice(command.front()));
  command.front() = *compiler;
  if (ExitCode code = findTool("objdump", disassembler);
      code != ExitCode::Success)
    return code;
  return findTool("ar", archiver);
}

ExitCode ImageBuilder::run(ArrayRef<std::string> words, StringRef what) {
  std::string log = getPath("build.log"), problem;
  if (execute(words.front(), words.drop_front(), log, &problem) == 0)
    return ExitCode::Success;
  std::string text = readText(log);
  llvm::errs() << text;
  // A compiler without its C library.
  bool lacksLibrary = StringRef(text).contains(".h: No such file") ||
                      StringRef(text).contains("cannot find -lc") ||
                      StringRef(text).contains(".specs: No such file");
  return context.fail(
      ExitCode::ExecutionFailed,
      what + " for board '" + board.name + "'" +
          (problem.empty() ? "" : ": " + problem) +
          (lacksLibrary
               ? "; is the C library of '" + board.compiler.front() +
                     "' installed" +
                     board.getInstallAdvice(board.compiler.front()) + "?"
               : ""));
}

ExitCode ImageBuilder::writeFile(StringRef path, StringRef text) {
  (void)fs::create_directories(llvm::sys::path::parent_path(path));
  if (llvm::Error error = writeFileAtomically(path, text))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  return ExitCode::Success;
}

ExitCode ImageBuilder::compileFile(StringRef source, StringRef object,
                                   ArrayRef<std::string> flags) {
  (void)fs::create_directories(llvm::sys::path::parent_path(object));
  std::vector<std::string> words = command;
  llvm::append_range(words, kCommonFlags);
  llvm::append_range(words, flags);
  llvm::append_range(
      words, std::vector<std::string>{"-c", source.str(), "-o", object.str()});
  return run(words, "the C of '" + package.name + "' does not build");
}

ExitCode ImageBuilder::compileNetwork(bool isProfiled) {
  std::string build = getPath(isProfiled ? "profiled" : "plain");
  std::vector<std::string> flags(std::begin(kNetworkFlags),
                                 std::end(kNetworkFlags));
  flags.push_back("-I" + scratch + "/board");
  llvm::append_range(flags, getIncludes(package, folder, /*isModel=*/false));
  if (isProfiled)
    flags.emplace_back("-DUMA_PROFILE");
  llvm::append_range(flags, userFlags);
  for (StringRef source : package.sources) {
    StringRef stem = llvm::sys::path::stem(source);
    bool isWeights = stem == package.name + "_weights";
    std::string object = build + "/" +
                         (isWeights ? kWeightsFolder : kNetworkFolder).str() +
                         "/" + stem.str() + ".o";
    if (ExitCode code = compileFile(folder + "/" + source.str(), object, flags);
        code != ExitCode::Success)
      return code;
    linked.push_back(object);
    if (!isProfiled)
      objects.push_back(object);
  }
  std::vector<std::string> deviceFlags =
      getIncludes(package, folder, /*isModel=*/true);
  llvm::append_range(deviceFlags, userFlags);
  for (auto [i, source] : llvm::enumerate(package.deviceSources)) {
    std::string object =
        build + "/" + kDevicesFolder.str() + "/" + std::to_string(i) + ".o";
    if (ExitCode code = compileFile(folder + "/" + source, object, deviceFlags);
        code != ExitCode::Success)
      return code;
    linked.push_back(object);
    if (!isProfiled)
      deviceObjects.push_back(object);
  }
  if (!isProfiled)
    for (const std::string &object : linked) {
      SmallString<128> usage(object);
      llvm::sys::path::replace_extension(usage, "su");
      usageFiles.push_back(usage.str().str());
    }
  return ExitCode::Success;
}

ExitCode ImageBuilder::compileRunner(bool isProfiled) {
  std::string build = getPath(isProfiled ? "profiled" : "plain");
  std::vector<std::string> flags(std::begin(kRunnerFlags),
                                 std::end(kRunnerFlags));
  flags.push_back("-I" + scratch + "/board");
  llvm::append_range(flags, getIncludes(package, folder, /*isModel=*/false));
  if (isProfiled)
    flags.emplace_back("-DUMA_PROFILE");
  llvm::append_range(flags, board.sourceFlags);
  std::vector<std::string> files = board.sources;
  files.emplace_back("runner.c");
  for (auto [i, file] : llvm::enumerate(files)) {
    SmallString<128> source(board.folder);
    llvm::sys::path::append(source, file);
    if (board.folder.empty() || !fs::exists(source)) {
      auto text = getBoardSource(file);
      if (!text)
        return context.fail(
            ExitCode::BadInput,
            "board '" + board.name + "': there is no source '" + file + "'" +
                (board.folder.empty() ? "" : " in '" + board.folder + "'"));
      source = getPath("board/" + file);
      if (ExitCode code = writeFile(source, *text); code != ExitCode::Success)
        return code;
    }
    std::string object =
        build + "/" + kRunnerFolder.str() + "/" + std::to_string(i) + ".o";
    if (ExitCode code = compileFile(source, object, flags);
        code != ExitCode::Success)
      return code;
    linked.push_back(object);
  }
  return ExitCode::Success;
}

ExitCode ImageBuilder::compile(bool isProfiled) {
  std::pair<std::string, std::string> files[] = {
      {getPath("board/board.ld"), getLinkerScript(board)},
      {getPath("board/board.h"), getBoardSource("board.h")->str()},
      {getPath("board/runner.h"), getRunnerHeader(package)},
      {getPath("board/uma_profile.h"), kBoardProfileHeader.str()}};
  for (const auto &[path, text] : files)
    if (ExitCode code = writeFile(path, text); code != ExitCode::Success)
      return code;
  linked.clear();
  if (ExitCode code = compileNetwork(isProfiled); code != ExitCode::Success)
    return code;
  return compileRunner(isProfiled);
}

ExitCode ImageBuilder::link(std::string &program) {
  // Beside the folder of the objects.
  StringRef build = llvm::sys::path::parent_path(
      llvm::sys::path::parent_path(linked.front()));
  program = build.str() + ".elf";
  std::vector<std::string> words = command;
  llvm::append_range(words, userFlags);
  llvm::append_range(words, std::vector<std::string>{
                                "-nostartfiles", "-Wl,--gc-sections",
                                "-Wl,--no-warn-rwx-segments", "-T",
                                getPath("board/board.ld"), "-o", program});
  llvm::append_range(words, linked);
  words.emplace_back("-lm");
  // A model that calls malloc or printf needs functions of a system.
  StringRef hint = package.deviceFolders.empty()
                       ? ""
                       : ", whose models of devices have no heap and no files,";
  return run(words, "the program with '" + package.name + "'" + hint.str() +
                        " does not link");
}

ExitCode ImageBuilder::archive(StringRef path) {
  std::string file = getPath("network.a");
  // D: no times and owners, so that the same objects are the same bytes.
  std::vector<std::string> words = {archiver, "rcsD", file};
  llvm::append_range(words, objects);
  if (ExitCode code = run(words, "the library is not written");
      code != ExitCode::Success)
    return code;
  return writeFile(path, readText(file));
}

std::vector<std::string> ImageBuilder::getMissingInstructions() {
  constexpr llvm::StringLiteral prefix = "uma_instruction_";
  std::vector<std::string> missing;
  for (StringRef source : package.sources) {
    std::string path = folder + "/" + source.str();
    std::string text = readText(path), preprocessed;
    SmallVector<StringRef> lines;
    StringRef(text).split(lines, '\n');
    for (StringRef line : lines) {
      // The wrapper of an instruction is defined where its guard holds.
      size_t at = line.find(prefix);
      if (!line.starts_with("UMA_INLINE ") || at == StringRef::npos)
        continue;
      StringRef name = line.substr(at).split('(').first;
      if (preprocessed.empty()) {
        std::vector<std::string> words = command;
        llvm::append_range(words, userFlags);
        llvm::append_range(words,
                           getIncludes(package, folder, /*isModel=*/false));
        words.insert(words.end(),
                     {"-E", "-P", path, "-o", getPath("preprocessed.i")});
        if (execute(words.front(), ArrayRef(words).drop_front(),
                    getPath("build.log")) != 0)
          return missing;
        preprocessed = readText(getPath("preprocessed.i")) + "\n";
      }
      StringRef shown = name.drop_front(prefix.size());
      if (!StringRef(preprocessed).contains((name + "(").str()) &&
          !llvm::is_contained(missing, shown))
        missing.push_back(shown.str());
    }
  }
  return missing;
}
