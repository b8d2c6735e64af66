//===- Emulator.cpp - Running a board's program ---------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The program prints lines that start with '@'; see boards/runner.c.
//
//===----------------------------------------------------------------------===//

#include "Emulator.h"

#include "uma/Support/PrintableText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace uma;

/// Bytes around the end of the stack that a fault is attributed to it in.
static constexpr uint64_t kStackMargin = 4096;

namespace {
/// A fault as runner_fault prints it.
struct Fault {
  std::string name;
  uint32_t cause = 0, pc = 0, lr = 0, sp = 0, address = 0;
};

/// Reads what the program printed.
class LogReader {
public:
  LogReader(const Board &board, BoardRun &run) : board(board), run(run) {}

  void read(StringRef line);
  /// Completes the counts.
  void finish();
  const std::optional<Fault> &getFault() const { return fault; }
  /// Returns the name of the layer that began and did not end; empty if none.
  StringRef getLayer() const { return layer; }
  bool hasEnded() const { return ended; }
  StringRef getFile() const { return file; }

private:
  static constexpr uint32_t kEmptyLayer = 0xffffffff;
  /// Parses `numbers`, hexadecimal words.
  static SmallVector<uint32_t> parse(ArrayRef<StringRef> words);

  const Board &board;
  BoardRun &run;
  std::optional<Fault> fault;
  std::string layer, file;
  bool ended = false;
  std::map<uint32_t, unsigned> executions;
  double empty = 0, emptyLayer = 0;
  /// Lengths of the calibration loops, and the counted instructions.
  SmallVector<std::pair<double, double>> loops;
};
} // namespace

SmallVector<uint32_t> LogReader::parse(ArrayRef<StringRef> words) {
  SmallVector<uint32_t> numbers;
  for (StringRef word : words) {
    uint32_t number = 0;
    // The rest of a line that was cut off.
    if (word.getAsInteger(16, number))
      break;
    numbers.push_back(number);
  }
  return numbers;
}

void LogReader::read(StringRef line) {
  if (!line.starts_with("@")) {
    run.output += (line + "\n").str();
    return;
  }
  auto [key, rest] = line.split(' ');
  SmallVector<StringRef> words;
  rest.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  SmallVector<uint32_t> numbers = parse(words);
  const BoardCounter &counter = board.counter;
  if (key == "@begin" && !numbers.empty()) {
    StringRef name = rest.split(' ').second;
    if (numbers[0] != kEmptyLayer) {
      run.layers[numbers[0]].name = name.str();
      layer = name.str();
    }
  } else if (key == "@end" && numbers.size() == 3) {
    double count = counter.getInstructions(numbers[1], numbers[2]);
    if (numbers[0] == kEmptyLayer) {
      emptyLayer = count;
    } else {
      run.layers[numbers[0]].instructions += count;
      ++executions[numbers[0]];
    }
    layer.clear();
  } else if (key == "@empty" && numbers.size() == 2) {
    empty = counter.getInstructions(numbers[0], numbers[1]);
  } else if (key == "@spin" && numbers.size() == 3) {
    loops.emplace_back(numbers[0],
                       counter.getInstructions(numbers[1], numbers[2]));
  } else if (key == "@total" && numbers.size() == 2) {
    run.instructions = counter.getInstructions(numbers[0], numbers[1]);
  } else if (key == "@stack" && !numbers.empty()) {
    run.stack = numbers[0];
  } else if (key == "@status" && !numbers.empty()) {
    run.status = int32_t(numbers[0]);
    ended = true;
  } else if (key == "@file") {
    file = rest.str();
  } else if (key == "@fault" && words.size() == 6) {
    numbers = parse(ArrayRef(words).drop_front());
    if (numbers.size() == 5)
      fault = Fault{words[0].str(), numbers[0], numbers[1],
                    numbers[2],     numbers[3], numbers[4]};
  }
}

void LogReader::finish() {
  run.instructions = std::round(run.instructions - empty);
  for (auto &[index, layer] : run.layers)
    layer.instructions =
        std::round(layer.instructions - emptyLayer * executions[index]);
  // What is around the loop cancels out.
  if (loops.size() == 2)
    run.counterError =
        (loops[1].second - loops[0].second) - (loops[1].first - loops[0].first);
}

/// Returns what the fault status register of Cortex-M says.
static StringRef explainCortexFault(uint32_t cause) {
  static constexpr std::pair<unsigned, StringLiteral> bits[] = {
      {24, "unaligned access"},
      {25, "division by zero"},
      {16, "undefined instruction"},
      {17, "invalid state"},
      {19, "no floating-point unit"},
      {8, "no memory to fetch an instruction from"},
      {9, "no memory at the accessed address"},
      {10, "no memory at an accessed address"},
      {12, "no memory at the stack pointer"},
      {4, "no access at the stack pointer"},
      {0, "no access to fetch an instruction"},
      {1, "no access to the data"}};
  for (auto [bit, text] : bits)
    if (cause & (1u << bit))
      return text;
  return "";
}

/// Returns what `mcause` of RISC-V says.
static StringRef explainRISCVTrap(uint32_t cause) {
  static constexpr StringLiteral causes[] = {
      "misaligned jump",     "no access to fetch an instruction",
      "illegal instruction", "breakpoint",
      "misaligned load",     "no access to load from the address",
      "misaligned store",    "no access to store to the address"};
  return cause < std::size(causes) ? StringRef(causes[cause]) : "";
}

static std::string describe(const Fault &fault, const Board &board,
                            const Image &image) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Near the end of the stack, whatever the processor says about it.
  bool isOverflow = (fault.sp < image.stackBegin + 64 &&
                     fault.sp + kStackMargin >= image.stackBegin) ||
                    (fault.address != 0 && fault.address < image.stackBegin &&
                     fault.address + kStackMargin >= image.stackBegin);
  StringRef reason = fault.name == "trap" ? explainRISCVTrap(fault.cause)
                                          : explainCortexFault(fault.cause);
  os << fault.name;
  if (isOverflow)
    os << ": the stack of " << board.stack << " bytes is used up";
  else if (!reason.empty())
    os << ": " << reason;
  StringRef function = image.getFunction(fault.pc);
  if (!function.empty())
    os << ", in function '" << function << "'";
  os << llvm::format(" (pc 0x%08x, lr 0x%08x, sp 0x%08x, address 0x%08x, "
                     "cause 0x%08x)",
                     fault.pc, fault.lr, fault.sp, fault.address, fault.cause);
  return text;
}

/// Returns the last lines of a text as one.
static std::string getEnd(StringRef text) {
  SmallVector<StringRef> lines;
  text.trim().split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  constexpr size_t limit = 3;
  ArrayRef<StringRef> last(lines);
  // QEMU's message comes first; registers follow.
  for (auto [i, line] : llvm::enumerate(lines))
    if (line.starts_with("qemu"))
      last = ArrayRef(lines).slice(i, 1);
  if (last.size() > limit)
    last = last.take_back(limit);
  return llvm::join(last, "; ");
}

BoardRun uma::runOnBoard(const Board &board, const Image &image, StringRef path,
                         StringRef folder, unsigned seconds) {
  // The program opens files by relative paths. The shell is replaced by the
  // emulator, so that it is what a time limit ends.
  SmallVector<std::string> words = {"-c", "cd \"$0\" && exec \"$@\"",
                                    folder.str()};
  for (StringRef word : board.emulator)
    words.push_back(word == "{program}" ? path.str() : word.str());
  std::string log = (folder + "/board.log").str(), problem;
  int status = execute("/bin/sh", words, log, &problem, seconds);
  BoardRun run;
  LogReader reader(board, run);
  std::string text = readText(log);
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    reader.read(line);
  reader.finish();
  std::string where;
  if (!reader.getLayer().empty())
    where = " in layer '" + toPrintable(reader.getLayer()) + "'";
  if (reader.getFault())
    run.problem = describe(*reader.getFault(), board, image) + where;
  else if (!reader.getFile().empty())
    run.problem = "file '" + reader.getFile().str() +
                  "' is not transferred: does the emulator have semihosting?";
  else if (StringRef(problem).contains("timed out"))
    run.problem = "no end after " + std::to_string(seconds) + " s" + where +
                  "; --timeout changes the limit";
  else if (!reader.hasEnded() || status != 0) {
    run.problem = "'" + board.emulator.front() + "' ended with status " +
                  std::to_string(status) + where +
                  (problem.empty() ? "" : ": " + problem) +
                  (run.output.empty() ? "" : ": " + getEnd(run.output));
    run.output.clear();
  } else if (run.status != 0)
    run.problem =
        "the run ended with status " + std::to_string(run.status) + where;
  return run;
}

ExitCode uma::findEmulator(const ModelContext &context, const Board &board) {
  StringRef program = board.emulator.front();
  if (llvm::sys::findProgramByName(program))
    return ExitCode::Success;
  return context.fail(ExitCode::ExecutionFailed,
                      "'" + program + "', the emulator of board '" +
                          board.name + "', is not installed" +
                          board.getInstallAdvice(program));
}
