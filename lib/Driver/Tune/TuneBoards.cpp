//===- TuneBoards.cpp - Machines that measure schedules -------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// One thread starts a program on each board and polls them: waiting costs
// nothing on the boards, and signals and the supervisor work as for one
// program.
//
//===----------------------------------------------------------------------===//

#include "TuneBoards.h"
#include "../Explore/PythonFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <deque>
#include <thread>

using namespace mlir;
using namespace uma;

ExitCode TuneBoards::open(ArrayRef<std::string> commands, unsigned limit) {
  if (commands.empty()) {
    boards.emplace_back();
    return ExitCode::Success;
  }
  timeout = limit;
  for (const std::string &command : commands) {
    llvm::Expected<Runner> runner = Runner::parse(command);
    if (!runner)
      return context.fail(ExitCode::BadInput,
                          llvm::toString(runner.takeError()));
    if (llvm::any_of(boards, [&](const Board &board) {
          return board.runner.getName() == runner->getName();
        }))
      return context.fail(ExitCode::BadInput,
                          "--run-with='" + runner->getName() +
                              "' is there twice: two programs would run on one "
                              "board at the same time");
    boards.emplace_back().runner = std::move(*runner);
  }
  return ExitCode::Success;
}

ExitCode TuneBoards::openWorkers(StringRef scheduler, StringRef processor,
                                 unsigned limit, StringRef scratch) {
  timeout = limit;
  auto fail = [&](const Twine &problem) {
    return context.fail(ExitCode::ExecutionFailed,
                        "--scheduler=" + scheduler + ": " + problem);
  };
  auto python = findPythonFile("_dask_runner.py");
  if (!python)
    return fail(llvm::toString(python.takeError()));
  std::vector<std::string> words = std::move(*python);
  words.push_back(("--scheduler=" + scheduler).str());
  words.push_back(("--resource=cpu=" + processor).str());
  std::vector<std::string> arguments(std::next(words.begin()), words.end());
  arguments.emplace_back("--list");
  ProgramResult listed =
      Runner().run(words.front(), arguments, (scratch + "/workers").str(),
                   /*seconds=*/0);
  if (!listed.isSuccess())
    return fail(listed.errors.empty() ? listed.explain()
                                      : StringRef(listed.errors).trim().str());
  for (StringRef worker : llvm::split(StringRef(listed.output).trim(), '\n')) {
    std::vector<std::string> own = words;
    own.push_back(("--worker=" + worker).str());
    boards.emplace_back().runner = Runner(std::move(own), worker.str());
  }
  return ExitCode::Success;
}

ExitCode TuneBoards::drop(Board &board, std::string problem) {
  board.problem = std::move(problem);
  size_t left = llvm::count_if(
      boards, [](const Board &other) { return other.problem.empty(); });
  std::string text =
      ("'" + board.runner.getName() + "' " + board.problem).str();
  if (left == 0)
    return context.fail(ExitCode::ExecutionFailed,
                        text +
                            (boards.size() == 1 ? "" : "; no board is left"));
  handler({Severity::Warning, "",
           text + "; it is dropped, " + std::to_string(left) +
               (left == 1 ? " board is left" : " boards are left")});
  return ExitCode::Success;
}

ExitCode TuneBoards::askProcessor(const ProfiledNetwork &network,
                                  std::string &name) {
  const Board *first = nullptr;
  std::vector<RunningProgram> running;
  for (auto [i, board] : llvm::enumerate(boards)) {
    board.log = (network.getProgram() + ".board" + Twine(i)).str();
    running.push_back(board.runner.start(network.getProgram(), {"--processor"},
                                         board.log, timeout));
  }
  std::vector<ProgramResult> results;
  for (RunningProgram &program : running)
    results.push_back(program.wait());
  for (auto [board, result] : llvm::zip_equal(boards, results)) {
    if (!result.isSuccess()) {
      if (ExitCode code = drop(board, result.explain());
          code != ExitCode::Success)
        return code;
      continue;
    }
    std::string processor = getProcessorName(result.output);
    if (!first) {
      first = &board;
      name = processor;
    } else if (processor != name) {
      return context.fail(ExitCode::BadInput,
                          "'" + first->runner.getName() + "' has processor '" +
                              name + "', '" + board.runner.getName() +
                              "' has '" + processor +
                              "': times of different processors cannot be "
                              "compared");
    }
  }
  return ExitCode::Success;
}

/// The programs of a round, which a board runs one after the other.
class TuneBoards::Round {
public:
  Round(size_t index, size_t numVariants) : index(index), times(numVariants) {}

  /// Returns the variant that runs next; the order rotates.
  size_t getNext() const { return (index + done) % times.size(); }
  bool isDone() const { return done == times.size(); }
  /// Forgets the times of a board that failed.
  void restart() { done = 0; }
  void add(std::vector<double> measured) {
    times[getNext()] = std::move(measured);
    ++done;
  }
  ArrayRef<std::vector<double>> getTimes() const { return times; }

private:
  size_t index, done = 0;
  /// Times of all calls, by variant.
  std::vector<std::vector<double>> times;
};

ExitCode TuneBoards::measure(std::vector<Variant> &variants, size_t count) {
  std::vector<Round> rounds;
  std::deque<Round *> waiting;
  for (size_t i = 0; i < count; ++i)
    rounds.emplace_back(i, variants.size());
  for (Round &round : rounds)
    waiting.push_back(&round);
  struct Work {
    Board *board;
    Round *round = nullptr;
    RunningProgram program;
  };
  std::vector<Work> works;
  for (auto [i, board] : llvm::enumerate(boards)) {
    board.log =
        (variants.front().network.getProgram() + ".board" + Twine(i)).str();
    works.push_back({&board, nullptr, {}});
  }
  auto start = [&](Work &work) {
    work.program = work.board->runner.start(
        variants[work.round->getNext()].network.getProgram(), {"100000"},
        work.board->log, timeout);
  };
  // Takes the result of a program, and starts the next one of the round.
  auto proceed = [&](Work &work, const ProgramResult &result) {
    ProfiledNetwork &network = variants[work.round->getNext()].network;
    llvm::Expected<std::vector<double>> times = network.readTimes(result);
    if (times) {
      work.round->add(std::move(*times));
      if (work.round->isDone())
        work.round = nullptr;
      else
        start(work);
      return ExitCode::Success;
    }
    std::string problem = llvm::toString(times.takeError());
    if (work.board->runner.isHere())
      return context.fail(ExitCode::ExecutionFailed,
                          "network '" + network.getName() + "' " + problem);
    work.round->restart();
    waiting.push_front(work.round);
    work.round = nullptr;
    return drop(*work.board, problem);
  };
  for (;;) {
    bool isBusy = false;
    for (Work &work : works) {
      if (!work.round && work.board->problem.empty() && !waiting.empty()) {
        work.round = waiting.front();
        waiting.pop_front();
        start(work);
      }
      if (!work.round)
        continue;
      isBusy = true;
      std::optional<ProgramResult> result =
          areHere() ? work.program.wait() : work.program.poll();
      if (!result)
        continue;
      if (ExitCode code = proceed(work, *result); code != ExitCode::Success)
        return code;
    }
    if (!isBusy && waiting.empty())
      break;
    if (!areHere())
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  for (const Round &round : rounds)
    for (auto [variant, times] : llvm::zip_equal(variants, round.getTimes())) {
      variant.times.resize(times.size());
      for (auto [known, time] : llvm::zip_equal(variant.times, times))
        known.push_back(time);
    }
  return ExitCode::Success;
}
