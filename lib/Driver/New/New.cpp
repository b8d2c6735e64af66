//===- New.cpp - uma new --------------------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Reads headers in a separate process with limits on time and memory, because
// libclang is not robust against arbitrary input.
//
//===----------------------------------------------------------------------===//

#include "uma/Driver/New.h"

#include "Draft.h"
#include "HeaderFiles.h"
#include "NewFolder.h"
#include "ReadHeader.h"

#include "uma/Driver/Message.h"
#include "uma/Support/DidYouMean.h"
#include "uma/Support/PrintableText.h"
#include "uma/Support/ReservedNames.h"
#include "uma/Support/RunInFork.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace uma;
using llvm::StringRef;
using llvm::Twine;

/// Prints an error. Errors of clang start with their position.
static ExitCode failNew(ExitCode code, const Twine &message) {
  std::string text = message.str();
  auto [where, rest] = StringRef(text).split(": error: ");
  if (rest.empty())
    printMessage({Severity::Error, "", text});
  else
    printMessage({Severity::Error, where.str(), rest.str()});
  return code;
}

/// Returns the problem of a name; empty if it is valid.
static std::string checkName(StringRef name) {
  constexpr size_t maxLength = 60;
  bool isIdentifier =
      !name.empty() && llvm::isAlpha(name.front()) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isIdentifier || name.size() > maxLength)
    return "'" + toPrintable(shorten(name, 80)) +
           "' is no name of an accelerator, expected up to 60 letters, digits "
           "and '_', a letter first";
  if (!draft::isNameInDescription(name) || !isFunctionNameInC(name))
    return "'" + name.str() +
           "' is a word of C or of the description language, expected a name "
           "that functions of C can start with";
  // The header is NAME.h, and a package's network may be in the same folder.
  if (isReservedFileName(name.lower()))
    return "'" + name.str() +
           ".h' would hide a header of C or a file of a "
           "package, expected another name";
  return "";
}

//===----------------------------------------------------------------------===//
// Reading a header in a separate process
//===----------------------------------------------------------------------===//

namespace {
/// Result of the process: an error, or description, model and headers.
struct DraftResult {
  std::string error, description, model;
  std::vector<std::string> files;
};

/// Memory shared between a process and its parent.
class SharedText {
public:
  SharedText()
      : memory(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~SharedText() {
    if (isValid())
      (void)munmap(memory, kBytes);
  }
  SharedText(const SharedText &) = delete;
  void operator=(const SharedText &) = delete;

  bool isValid() const { return memory != MAP_FAILED; }
  /// Appends a text. Ends the process with status 1 if the memory is full.
  void write(StringRef text) {
    size_t size = text.size();
    if (size > kBytes || used + size + sizeof(size) > kBytes)
      _exit(1);
    std::memcpy(at(used), &size, sizeof(size));
    std::memcpy(at(used + sizeof(size)), text.data(), size);
    used += size + sizeof(size);
  }
  /// Returns the next text, in the order of writing.
  std::string read() {
    size_t size = 0;
    std::memcpy(&size, at(used), sizeof(size));
    std::string text(at(used + sizeof(size)), size);
    used += size + sizeof(size);
    return text;
  }

private:
  static constexpr size_t kBytes = size_t(64) << 20;
  char *at(size_t offset) { return static_cast<char *>(memory) + offset; }

  void *memory;
  size_t used = 0;
};
} // namespace

/// Reads the header and drafts its accelerator.
static DraftResult makeDraftFromHeader(StringRef name,
                                       const draft::HeaderFile &header) {
  DraftResult result;
  llvm::Expected<draft::Header> declarations = draft::readHeader(header.path);
  if (!declarations) {
    result.error = llvm::toString(declarations.takeError());
    return result;
  }
  if (declarations->functions.empty()) {
    result.error = header.path + ": declares no functions, expected those of "
                                 "the device";
    return result;
  }
  draft::Draft text = draft::makeDraft(name, header.included, *declarations);
  result.description = text.printDescription();
  result.model = text.printModel();
  result.files = declarations->files;
  return result;
}

/// Runs makeDraftFromHeader in a separate process with limits on time and
/// memory.
static DraftResult tryDraft(StringRef name, const draft::HeaderFile &header) {
  constexpr unsigned seconds = 5;
  SharedText text;
  DraftResult result;
  if (!text.isValid()) {
    result.error = "there is no memory to read the header";
    return result;
  }
  ForkLimits limits;
  limits.seconds = seconds;
  limits.bytes = uint64_t(1) << 30;
  ForkResult outcome = runInFork(
      [&] {
        // A header may include a pipe, which blocks without using processor
        // time.
        (void)alarm(seconds + 2);
        DraftResult draft = makeDraftFromHeader(name, header);
        for (StringRef part : {draft.error, draft.description, draft.model,
                               llvm::join(draft.files, "\n")})
          text.write(part);
      },
      limits);
  std::string file = toPrintable(header.path);
  switch (outcome) {
  case ForkResult::Done:
    break;
  case ForkResult::TooLong:
    result.error = file + ": takes clang more than " + std::to_string(seconds) +
                   " s; name the header that declares the device's functions";
    return result;
  case ForkResult::Crashed:
    result.error = file + ": clang crashes on it or needs more than 1 GiB, "
                          "expected a header that a C compiler accepts";
    return result;
  case ForkResult::Undecided:
    result.error = file + ": could not be read; does it include a pipe or a "
                          "device?";
    return result;
  }
  result.error = text.read();
  result.description = text.read();
  result.model = text.read();
  llvm::SmallVector<StringRef> files;
  std::string joined = text.read();
  StringRef(joined).split(files, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : files)
    result.files.push_back(line.str());
  return result;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// Returns the files of a draft from a header.
static llvm::Expected<std::vector<draft::ProjectFile>>
makeFromHeader(StringRef name, StringRef header, std::string &place) {
  llvm::Expected<draft::HeaderFile> file = draft::findHeader(header);
  if (!file)
    return file.takeError();
  DraftResult result = tryDraft(name, *file);
  if (!result.error.empty())
    return llvm::createStringError(toPrintable(result.error));
  auto copies = draft::copyHeaders(*file, result.files);
  if (!copies)
    return copies.takeError();
  std::vector<draft::ProjectFile> files = std::move(*copies);
  place = file->isOnIncludePath
              ? "`" + file->included +
                    "` | the device's header, which stays where it is: keep "
                    "its folder in `CPPFLAGS=-IFOLDER`"
              : "`" + file->included +
                    "` | a copy of the device's header; to use the original, "
                    "remove it and set `CPPFLAGS=-IFOLDER`";
  files.insert(files.begin(),
               {{(name + ".uma").str(), std::move(result.description)},
                {(name + "_model.c").str(), std::move(result.model)}});
  return files;
}

/// Counts the lines of a description that start with a mark.
static unsigned countLines(StringRef text, StringRef mark) {
  return llvm::count_if(llvm::split(text, '\n'), [&](StringRef line) {
    return line.ltrim("# ").starts_with(mark);
  });
}

static std::string printCount(unsigned count, StringRef one, StringRef many) {
  return (Twine(count) + " " + (count == 1 ? one : many)).str();
}

static ExitCode writePythonProject(const NewOptions &options) {
  StringRef name = options.name;
  if (!options.header.empty())
    return failNew(ExitCode::BadInput,
                   "--python and --from-header: a header becomes a "
                   "description; choose one of the two");
  std::vector<draft::ProjectFile> files = draft::makePythonProject(name);
  std::vector<std::string> names;
  for (const draft::ProjectFile &file : files)
    names.push_back(file.name);
  if (llvm::Error error = draft::checkFolder(name, names))
    return failNew(ExitCode::BadInput, llvm::toString(std::move(error)));
  if (llvm::Error error = draft::writeFolder(name, files))
    return failNew(ExitCode::BadInput, llvm::toString(std::move(error)));
  llvm::outs() << name << ": wrote " << llvm::join(names, ", ") << '\n'
               << "Next: cd " << name << " && python3 run.py\n";
  return ExitCode::Success;
}

ExitCode uma::runNew(const NewOptions &options) {
  StringRef name = options.name;
  if (std::string problem = checkName(name); !problem.empty())
    return failNew(ExitCode::BadInput, problem);
  if (options.isPython)
    return writePythonProject(options);
  // Check for existing files before reading a header.
  if (llvm::Error error = draft::checkFolder(name, {(name + ".uma").str()}))
    return failNew(ExitCode::BadInput, llvm::toString(std::move(error)));
  std::string place = ("`" + name + ".h` | the device's interface in C").str();
  std::vector<draft::ProjectFile> files;
  if (options.header.empty()) {
    files = draft::makeExample(name);
  } else if (!draft::canReadHeaders()) {
    return failNew(ExitCode::NotSupported,
                   "--from-header: this uma was built without libclang; "
                   "install libclang-22-dev and build it again, or write an "
                   "example with 'uma new " +
                       name + "'");
  } else {
    auto made = makeFromHeader(name, options.header, place);
    if (!made)
      return failNew(ExitCode::BadInput, llvm::toString(made.takeError()));
    files = std::move(*made);
  }
  StringRef description = files.front().text;
  for (draft::ProjectFile &file : draft::makeProjectFiles(name, place))
    files.push_back(std::move(file));
  unsigned guesses = countLines(description, "guess: ");
  unsigned questions = countLines(description, (draft::kOpen + ": ").str());
  std::vector<std::string> names;
  for (const draft::ProjectFile &file : files) {
    if (llvm::is_contained(names, file.name))
      return failNew(ExitCode::BadInput,
                     "--from-header: the draft has a file '" + file.name +
                         "' of its own; rename the header, or name its folder "
                         "by CPPFLAGS=-IFOLDER");
    names.push_back(file.name);
  }
  if (llvm::Error error = draft::writeFolder(name, files))
    return failNew(ExitCode::BadInput, llvm::toString(std::move(error)));
  llvm::outs() << name << ": wrote " << llvm::join(names, ", ") << '\n';
  if (guesses + questions > 0)
    llvm::outs() << name << '/' << name
                 << ".uma: " << printCount(guesses, "guess", "guesses")
                 << " to check, "
                 << printCount(questions, "open question", "open questions")
                 << '\n';
  llvm::outs() << "Next: cd " << name << " && uma check " << name
               << ".uma && uma test " << name << ".uma\n";
  return ExitCode::Success;
}
