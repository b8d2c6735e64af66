//===- Completion.cpp - Completion of a command line ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Completion.h"

#include "uma/Accel/Language/Language.h"
#include "uma/CPU/Model/Processor.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace uma;

namespace {

/// Kinds of candidates that the shell adds to those of the command.
enum class Fallback { None, Files, Folders, Programs };

/// Completes the last word of a command line.
class Completer {
public:
  Completer(ArrayRef<StringRef> words) : words(words), word(words.back()) {}

  void complete(ArrayRef<Command *> commands);
  void print(raw_ostream &os) const;

private:
  void completeCommand(ArrayRef<Command *> commands);
  void completeOption(const Command &command);
  /// Completes `word` after `prefix` as the value of an option.
  void completeValue(const Command &command, const cl::Option &option);
  void completePositional(const Command &command, unsigned index);
  void addAccelerators();
  /// Adds a candidate if the word is its beginning.
  void add(const Twine &candidate, StringRef help = "");
  /// Moves the beginning of the word that the shell keeps to `prefix`.
  void keep(size_t size) { prefix = word.take_front(prefix.size() + size); }

  ArrayRef<StringRef> words;
  StringRef word;
  StringRef prefix;
  SmallVector<std::pair<std::string, std::string>> candidates;
  Fallback fallback = Fallback::None;
};

} // namespace

/// Returns the option that `word` names, `--cpu` or `--cpu=...`, or null.
static const cl::Option *findOption(const Command &command, StringRef word) {
  if (!word.consume_front("--") && !word.consume_front("-"))
    return nullptr;
  return command.command.OptionsMap.lookup(word.split('=').first);
}

static bool takesNextWord(const cl::Option &option) {
  return option.getValueExpectedFlag() == cl::ValueRequired;
}

void Completer::add(const Twine &candidate, StringRef help) {
  std::string text = (prefix + candidate).str();
  if (StringRef(text).starts_with(word))
    candidates.emplace_back(std::move(text), help.split('\n').first.str());
}

void Completer::completeCommand(ArrayRef<Command *> commands) {
  for (const Command *command : commands)
    add(command->command.getName(), command->command.getDescription());
  // As llvm::cl, offer these before a command only.
  if (word.starts_with("-")) {
    add("--help", "Print the commands");
    add("--version", "Print the version");
  }
}

void Completer::completeOption(const Command &command) {
  SmallVector<const cl::Option *> options;
  for (const auto &[name, option] : command.command.OptionsMap)
    if (option->getOptionHiddenFlag() == cl::NotHidden)
      options.push_back(option);
  llvm::sort(options, [](const cl::Option *a, const cl::Option *b) {
    return a->ArgStr < b->ArgStr;
  });
  for (const cl::Option *option : options) {
    std::string text =
        ((option->ArgStr.size() == 1 ? "-" : "--") + option->ArgStr).str();
    bool hasValues = command.values.contains(option->ArgStr);
    // A value of -a or -o is a word of its own.
    if (takesNextWord(*option) && option->ArgStr.size() > 1)
      add(text + "=", option->HelpStr);
    else
      add(text, option->HelpStr);
    if (hasValues && !takesNextWord(*option))
      add(text + "=", option->HelpStr);
  }
}

void Completer::addAccelerators() {
  accel::LoadOptions options;
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    StringRef name = words[i];
    if (!name.consume_front("--") && !name.consume_front("-"))
      continue;
    auto [option, folder] = name.split('=');
    if (option == "accelerator-dir")
      options.searchPath.push_back(
          (name.contains('=') ? folder : words[i + 1]).str());
  }
  for (const accel::FoundDescription &found : accel::listAccelerators(options))
    add(found.name, found.path);
}

void Completer::completeValue(const Command &command,
                              const cl::Option &option) {
  if (option.getMiscFlags() & cl::CommaSeparated)
    keep(word.drop_front(prefix.size()).rfind(',') + 1);
  StringRef name = option.ArgStr, kind = option.ValueStr;
  if (auto values = command.values.find(name); values != command.values.end())
    for (const auto &[value, help] : values->second)
      add(value, help);
  if (name == "a") {
    addAccelerators();
  } else if (name == "cpu") {
    add("native", "this machine");
    for (const Processor &processor : Processor::getAll())
      add(processor.name, processor.summary);
  } else if (name == "board") {
    for (const BoardName &board : getBoards())
      add(board.name, board.summary);
  }
  // NAME=FILE: the name of an input is not known here.
  if (kind.starts_with("name=")) {
    size_t end = word.drop_front(prefix.size()).find('=');
    if (end == StringRef::npos || !kind.ends_with("file"))
      return;
    keep(end + 1);
  }
  if (name == "a" || kind.contains_insensitive("file"))
    fallback = Fallback::Files;
  else if (kind == "folder")
    fallback = Fallback::Folders;
  else if (kind == "program")
    fallback = Fallback::Programs;
}

void Completer::completePositional(const Command &command, unsigned index) {
  const auto &positionals = command.command.PositionalOpts;
  bool isRepeated =
      !positionals.empty() &&
      positionals.back()->getNumOccurrencesFlag() == cl::OneOrMore;
  if (index >= positionals.size() && !isRepeated)
    return completeOption(command);
  StringRef kind =
      positionals[std::min<size_t>(index, positionals.size() - 1)]->HelpStr;
  if (kind == "NAME" || kind == "[LAYER]")
    return;
  if (kind.starts_with("DESCRIPTION"))
    addAccelerators();
  fallback = Fallback::Files;
}

void Completer::complete(ArrayRef<Command *> commands) {
  if (words.size() == 1)
    return completeCommand(commands);
  auto *found = find_if(commands, [&](const Command *command) {
    return command->command.getName() == words.front();
  });
  if (found == commands.end())
    return;
  const Command &command = **found;

  // Decide for each word between the command and the last one whether it is an
  // option, the value of one, or an argument.
  unsigned numPositionals = 0;
  const cl::Option *open = nullptr;
  bool onlyPositionals = false;
  for (StringRef before : words.drop_front().drop_back()) {
    if (open) {
      open = nullptr;
    } else if (onlyPositionals || !before.starts_with("-") || before == "-") {
      ++numPositionals;
    } else if (before == "--") {
      onlyPositionals = true;
    } else if (const cl::Option *option = findOption(command, before);
               option && takesNextWord(*option) && !before.contains('=')) {
      open = option;
    }
  }
  if (open)
    return completeValue(command, *open);
  if (onlyPositionals || !word.starts_with("-"))
    return completePositional(command, numPositionals);
  if (size_t equals = word.find('='); equals != StringRef::npos) {
    keep(equals + 1);
    if (const cl::Option *option = findOption(command, word))
      completeValue(command, *option);
    return;
  }
  completeOption(command);
}

void Completer::print(raw_ostream &os) const {
  // A line break would end a candidate.
  auto isLine = [](StringRef text) { return !text.contains('\n'); };
  for (const auto &[text, help] : candidates) {
    if (!isLine(text))
      continue;
    os << text;
    if (!help.empty())
      os << '\t' << help;
    os << '\n';
  }
  constexpr StringLiteral names[] = {"none", "files", "folders", "programs"};
  os << ':' << names[unsigned(fallback)] << '\t'
     << (isLine(prefix) ? prefix : "") << '\n';
}

ExitCode uma::printCompletions(ArrayRef<Command *> commands,
                               ArrayRef<StringRef> words) {
  if (words.empty()) {
    errs() << "uma: error: __complete is for the completion of shells: "
              "expected the words of a command line after it\n";
    return ExitCode::BadInput;
  }
  Completer completer(words);
  completer.complete(commands);
  completer.print(outs());
  return ExitCode::Success;
}
