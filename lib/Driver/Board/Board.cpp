//===- Board.cpp - Boards without an operating system ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Board.h"

#include "uma/Support/DidYouMean.h"
#include "uma/Support/ParseJSON.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace uma;
namespace json = llvm::json;

/// Names and contents of the files in the folder `boards`.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kFiles[] =
    {
#include "Boards.inc"
};

static constexpr llvm::StringLiteral kFormat = "uma-board";
static constexpr int64_t kVersion = 1;

double BoardCounter::getInstructions(uint32_t low, uint32_t coarseUnits) const {
  double elapsed = low;
  if (coarse != 0) {
    double estimate = double(coarseUnits) * double(coarse);
    elapsed += std::max(0.0, std::round((estimate - low) / 0x1p32)) * 0x1p32;
  }
  return elapsed * double(instructions) / double(ticks);
}

namespace {
/// Reads the members of a description and keeps the first problem.
class BoardReader {
public:
  explicit BoardReader(const json::Object &object) : object(object) {}

  void readText(llvm::StringRef key, std::string &text);
  void readTexts(llvm::StringRef key, std::vector<std::string> &texts);
  void readMemories(Board &board);
  void readCounter(BoardCounter &counter);
  void readPackages(Board &board);
  /// Reads a number of at least `least`.
  void readNumber(const json::Object &from, llvm::StringRef path,
                  llvm::StringRef key, int64_t least, int64_t &number);
  void checkKeys(const json::Object &from, llvm::StringRef path,
                 llvm::ArrayRef<llvm::StringRef> keys);
  void fail(const llvm::Twine &what) {
    if (problem.empty())
      problem = what.str();
  }
  llvm::StringRef getProblem() const { return problem; }

private:
  const json::Object &object;
  std::string problem;
};
} // namespace

void BoardReader::checkKeys(const json::Object &from, llvm::StringRef path,
                            llvm::ArrayRef<llvm::StringRef> keys) {
  for (const auto &[key, value] : from)
    if (!llvm::is_contained(keys, llvm::StringRef(key)))
      fail(path + "has the unknown member '" + llvm::StringRef(key) + "'" +
           didYouMean(key, keys));
}

void BoardReader::readText(llvm::StringRef key, std::string &text) {
  auto value = object.getString(key);
  if (!value || value->empty())
    return fail("expected a text as '" + key + "'");
  text = value->str();
}

void BoardReader::readTexts(llvm::StringRef key,
                            std::vector<std::string> &texts) {
  const json::Array *array = object.getArray(key);
  if (!array)
    return fail("expected an array of texts as '" + key + "'");
  for (const json::Value &value : *array) {
    auto text = value.getAsString();
    if (!text)
      return fail("expected only texts in '" + key + "'");
    texts.push_back(text->str());
  }
}

void BoardReader::readNumber(const json::Object &from, llvm::StringRef path,
                             llvm::StringRef key, int64_t least,
                             int64_t &number) {
  const json::Value *value = from.get(key);
  auto found = value ? value->getAsInteger() : std::nullopt;
  // JSON has no hexadecimal numbers, in which manuals give addresses.
  if (auto text = value ? value->getAsString() : std::nullopt) {
    int64_t parsed = 0;
    if (!text->getAsInteger(0, parsed))
      found = parsed;
  }
  if (!found || *found < least || *found > (int64_t(1) << 32))
    return fail("expected a number from " + llvm::Twine(least) +
                " to 2^32 as '" + path + key +
                "'; hexadecimal ones are texts, \"0x20000000\"");
  number = *found;
}

void BoardReader::readMemories(Board &board) {
  const json::Array *array = object.getArray("memories");
  if (!array)
    return fail("expected an array as 'memories'");
  for (auto [index, value] : llvm::enumerate(*array)) {
    std::string path = "memories[" + std::to_string(index) + "].";
    const json::Object *entry = value.getAsObject();
    if (!entry)
      return fail("expected an object as 'memories[" + llvm::Twine(index) +
                  "]'");
    checkKeys(*entry, "'memories[" + std::to_string(index) + "]' ",
              {"name", "start", "bytes"});
    auto name = entry->getString("name");
    if (name != llvm::StringRef("flash") && name != llvm::StringRef("ram"))
      return fail("expected \"flash\" or \"ram\" as '" + path + "name'");
    BoardMemory &memory = *name == "ram" ? board.ram : board.flash;
    if (!memory.name.empty())
      return fail("'memories' has two with the name '" + *name + "'");
    memory.name = name->str();
    int64_t start = 0, bytes = 0;
    readNumber(*entry, path, "start", 0, start);
    readNumber(*entry, path, "bytes", 1, bytes);
    memory.start = start;
    memory.bytes = bytes;
    if (memory.start + memory.bytes > (uint64_t(1) << 32))
      return fail("'memories[" + llvm::Twine(index) +
                  "]' ends after the address space of 32 bits");
  }
  for (auto [memory, name] :
       {std::pair(&board.flash, "flash"), std::pair(&board.ram, "ram")})
    if (memory->name.empty())
      return fail("'memories' has none with the name '" + llvm::Twine(name) +
                  "'");
  const BoardMemory *first = &board.flash, *second = &board.ram;
  if (second->start < first->start)
    std::swap(first, second);
  if (first->start + first->bytes > second->start)
    fail("the memories 'flash' and 'ram' overlap");
}

void BoardReader::readCounter(BoardCounter &counter) {
  const json::Object *entry = object.getObject("counter");
  if (!entry)
    return fail("expected an object as 'counter'");
  checkKeys(*entry, "'counter' ", {"ticks", "instructions", "coarse"});
  readNumber(*entry, "counter.", "ticks", 1, counter.ticks);
  readNumber(*entry, "counter.", "instructions", 1, counter.instructions);
  readNumber(*entry, "counter.", "coarse", 0, counter.coarse);
}

void BoardReader::readPackages(Board &board) {
  const json::Value *value = object.get("packages");
  if (!value)
    return;
  const json::Object *entry = value->getAsObject();
  if (!entry)
    return fail("expected an object as 'packages'");
  for (const auto &[program, packages] : *entry) {
    auto text = packages.getAsString();
    if (!text)
      return fail("expected names of packages as 'packages." +
                  llvm::StringRef(program) + "'");
    board.packages.emplace_back(llvm::StringRef(program).str(), text->str());
  }
  llvm::sort(board.packages);
}

llvm::Expected<Board> Board::parse(llvm::StringRef text, llvm::StringRef path) {
  llvm::Expected<json::Value> value = parseJSON(text, path);
  if (!value)
    return value.takeError();
  auto fail = [&](const llvm::Twine &problem) {
    return llvm::createStringError(path + ": " + problem);
  };
  const json::Object *object = value->getAsObject();
  if (!object || object->getString("format") != kFormat)
    return fail("describes no board: expected \"format\": \"" + kFormat + "\"");
  if (object->getInteger("version") != kVersion)
    return fail("has another version of the format, expected " +
                llvm::Twine(kVersion));
  Board board;
  BoardReader reader(*object);
  reader.checkKeys(*object, "",
                   {"format", "version", "name", "summary", "processor",
                    "compiler", "sources", "source_flags", "memories", "stack",
                    "emulator", "counter", "packages"});
  reader.readText("name", board.name);
  reader.readText("summary", board.summary);
  reader.readText("processor", board.processor);
  reader.readTexts("compiler", board.compiler);
  reader.readTexts("sources", board.sources);
  reader.readTexts("source_flags", board.sourceFlags);
  reader.readMemories(board);
  int64_t stack = 0;
  reader.readNumber(*object, "", "stack", 256, stack);
  board.stack = stack;
  reader.readTexts("emulator", board.emulator);
  reader.readCounter(board.counter);
  reader.readPackages(board);
  if (board.compiler.empty())
    reader.fail("'compiler' is empty");
  if (!llvm::is_contained(board.emulator, "{program}"))
    reader.fail("'emulator' has no \"{program}\", which stands for the ELF "
                "file");
  if (board.stack > board.ram.bytes)
    reader.fail("'stack' is larger than the memory 'ram'");
  if (!reader.getProblem().empty())
    return fail(reader.getProblem());
  return board;
}

llvm::ArrayRef<Board> Board::getAll() {
  static const std::vector<Board> all = [] {
    std::vector<Board> table;
    for (const auto &[file, text] : kFiles)
      if (file.ends_with(".json"))
        table.push_back(llvm::cantFail(parse(text, file)));
    return table;
  }();
  return all;
}

llvm::Expected<Board> Board::get(llvm::StringRef name) {
  for (const Board &board : getAll())
    if (board.name == name)
      return board;
  if (name.contains('/') || name.ends_with(".json")) {
    auto buffer = llvm::MemoryBuffer::getFile(name);
    if (!buffer)
      return llvm::createStringError(name + ": " + buffer.getError().message());
    llvm::Expected<Board> board = parse((*buffer)->getBuffer(), name);
    if (board) {
      board->folder = llvm::sys::path::parent_path(name).str();
      if (board->folder.empty())
        board->folder = ".";
    }
    return board;
  }
  llvm::SmallVector<llvm::StringRef> names;
  for (const Board &board : getAll())
    names.push_back(board.name);
  return llvm::createStringError(
      "there is no board '" + name + "'" + didYouMean(name, names) +
      "; 'uma list --boards' tells all, and a path with '/' or '.json' names a "
      "file");
}

std::string Board::getInstallAdvice(llvm::StringRef program) const {
  for (const auto &[known, names] : packages)
    if (known == program)
      return "; on Debian, 'apt-get install " + names + "'";
  return "";
}

std::optional<llvm::StringRef> uma::getBoardSource(llvm::StringRef file) {
  for (const auto &[name, text] : kFiles)
    if (name == file)
      return text;
  return std::nullopt;
}
