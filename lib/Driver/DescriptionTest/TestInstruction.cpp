//===- TestInstruction.cpp - uma test of instructions ---------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// Runs the C of an instruction on random words and on words of extreme elements
// and compares the sums with what the description says. Where the compiler does
// not have the instruction, nothing can be run, and the report says so.
//
//===----------------------------------------------------------------------===//

#include "../Package/Build.h"
#include "../Package/Runner.h"
#include "TestLayers.h"

#include "uma/Conversion/TIRToEmitC/InstructionText.h"
#include "uma/Support/OutputFile.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace uma;

/// Random elements of words. Expects the macro SEED, and IS_FLOAT for bf16.
static constexpr llvm::StringLiteral kRandomElements = R"(
static uint64_t uma_state = SEED;

static uint32_t uma_next(void) {
  uma_state = uma_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(uma_state >> 32);
}

#ifdef IS_FLOAT
/* Small integers, whose products and sums are exact in any order. */
static int uma_number(void) { return (int)(uma_next() % 33) - 16; }
static int uma_to_int(uint16_t number) {
  uint32_t bits = (uint32_t)number << 16;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return (int)value;
}
static void uma_fill(void *to, size_t size) {
  uint16_t *elements = (uint16_t *)to;
  size_t i;
  for (i = 0; i < size / 2; ++i) {
    float value = (float)uma_number();
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    elements[i] = (uint16_t)(bits >> 16);
  }
}
#else
#define uma_to_int(number) (number)
/* A quarter of the bytes is 0x00, 0x01, 0x7f, 0x80 or 0xff. */
static void uma_fill(void *to, size_t size) {
  static const unsigned char extremes[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  unsigned char *bytes = (unsigned char *)to;
  size_t i;
  for (i = 0; i < size; ++i)
    bytes[i] = uma_next() % 4 == 0 ? extremes[uma_next() % 5]
                               : (unsigned char)(uma_next() >> 24);
}
#endif
)";

StringRef uma::getRandomElementsText() { return kRandomElements; }

/// Expects the macros LANES, PER_WORD (elements in a word), WORDS, SEED and
/// DOT(sum, x, w), and the types word_t, data_t and weight_t.
static constexpr llvm::StringLiteral kInstructionProgram = R"(
static void uma_fill_sums(sum_t *sums) {
#ifdef IS_FLOAT
  int i;
  for (i = 0; i < LANES; ++i)
    sums[i] = (float)uma_number();
#else
  uma_fill(sums, LANES * sizeof(*sums));
#endif
}

int main(void) {
  long n;
  for (n = 0; n < WORDS; ++n) {
    data_t data[LANES][PER_WORD];
    weight_t weights[LANES][PER_WORD];
    sum_t sums[LANES], results[LANES];
    word_t x, w;
    sums_t sum;
    int lane, i;
    uma_fill(data, sizeof(data)), uma_fill(weights, sizeof(weights));
    uma_fill_sums(sums);
    memcpy(&x, data, sizeof(x));
    memcpy(&w, weights, sizeof(w));
    memcpy(&sum, sums, sizeof(sum));
    sum = DOT(sum, x, w);
    memcpy(results, &sum, sizeof(sum));
    for (lane = 0; lane < LANES; ++lane) {
      uint32_t expected = (uint32_t)(int32_t)sums[lane];
      for (i = 0; i < PER_WORD; ++i)
        expected += (uint32_t)(uma_to_int(data[lane][i]) *
                               uma_to_int(weights[lane][i]));
      if (results[lane] != (sum_t)(int32_t)expected) {
        printf("uma: lane %d: sum %ld, data", lane, (long)sums[lane]);
        for (i = 0; i < PER_WORD; ++i)
          printf(" %d", uma_to_int(data[lane][i]));
        printf(", weights");
        for (i = 0; i < PER_WORD; ++i)
          printf(" %d", uma_to_int(weights[lane][i]));
        printf(": it computes %ld, the description says %ld",
               (long)results[lane], (long)(int32_t)expected);
        return 1;
      }
    }
  }
  puts("uma: equal");
  return 0;
}
)";

/// Text before the difference in the program's output.
static constexpr llvm::StringLiteral kMark = "uma: ", kEqual = "equal",
                                     kAbsent = "absent",
                                     kUnavailable = "unavailable";

static std::string writeProgram(accel::InstructionOp instruction,
                                uint64_t seed) {
  accel::InstructionOp::Dot dot = instruction.getDot();
  std::string lanes = std::to_string(instruction.getLanes()), text;
  StringRef sum = dot.isFloat ? "float" : "int32_t";
  llvm::raw_string_ostream os(text);
  os << "#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n"
     << "#define UMA_INLINE static inline\n";
  if (instruction.getLanes() == 1)
    os << "typedef int32_t word_t;\ntypedef " << sum << " sums_t;\n";
  else
    os << "typedef int32_t uma_i32x" << lanes
       << " __attribute__((vector_size(4 * " << lanes
       << ")));\ntypedef float uma_f32x" << lanes
       << " __attribute__((vector_size(4 * " << lanes
       << ")));\ntypedef uma_i32x" << lanes << " word_t;\ntypedef uma_"
       << (dot.isFloat ? "f32x" : "i32x") << lanes << " sums_t;\n";
  os << "typedef " << sum << " sum_t;\n";
  // The instruction's header comes before the macros: it may use their names.
  os << getInstructionText(instruction) << "\n#if "
     << getInstructionGuard(instruction) << "\n#define LANES " << lanes
     << "\n#define PER_WORD " << (dot.isPairs ? 2 : 4) << "\n#define WORDS "
     << TestedInstruction::kNumWords << "\n#define SEED " << seed
     << "u\n#define DOT(sum, x, w) " << getInstructionFunction(instruction)
     << (dot.data == 1 ? "(sum, x, w)\n" : "(sum, w, x)\n")
     << (dot.isFloat   ? "#define IS_FLOAT\ntypedef uint16_t data_t, weight_t;"
         : dot.isPairs ? "typedef int16_t data_t, weight_t;"
                       : "typedef uint8_t data_t;\ntypedef int8_t weight_t;")
     << kRandomElements << kInstructionProgram
     << "#else\nint main(void) {\n  puts(\"" << kMark << kAbsent
     << "\");\n  return 0;\n}\n#endif\n";
  return text;
}

ExitCode uma::testInstruction(const TestOptions &options,
                              const ModelContext &context,
                              accel::InstructionOp instruction,
                              TestedInstruction &tested) {
  ScratchFolder scratch;
  if (ExitCode code = scratch.create(context, "uma-test");
      code != ExitCode::Success)
    return code;
  std::string compiler;
  Runner runner;
  std::string compilerName = options.compiler.empty() ? "cc" : options.compiler;
  if (auto found = llvm::sys::findProgramByName(compilerName))
    compiler = *found;
  else
    return context.fail(ExitCode::BadInput,
                        "--cc=" + compilerName + ": no such program");
  if (!options.runWith.empty()) {
    llvm::Expected<Runner> parsed = Runner::parse(options.runWith);
    if (!parsed)
      return context.fail(ExitCode::BadInput,
                          llvm::toString(parsed.takeError()));
    runner = std::move(*parsed);
  }
  std::string source = scratch.getPath("instruction.c");
  std::string program = scratch.getPath("instruction");
  std::string log = scratch.getPath("log");
  if (llvm::Error error = writeFileAtomically(
          source, instruction.hasTile()
                      ? writeTileProgram(instruction, options.seed)
                      : writeProgram(instruction, options.seed)))
    return context.fail(ExitCode::BadInput, llvm::toString(std::move(error)));
  std::vector<std::string> arguments = {"-O2", "-w"};
  auto accelerator = cast<accel::AcceleratorOp>(instruction->getParentOp());
  StringRef folder =
      llvm::sys::path::parent_path(accelerator.getSource().value_or(""));
  arguments.push_back("-I" + (folder.empty() ? "." : folder.str()));
  SmallVector<StringRef> flags;
  StringRef(options.flags).split(flags, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef flag : flags)
    arguments.push_back(flag.str());
  llvm::append_range(arguments,
                     std::vector<std::string>{source, "-o", program});
  std::string problem;
  // Returns the text behind the first `mark`, up to the end of the line, or the
  // first line.
  auto findMark = [](StringRef text, StringRef mark) {
    size_t at = text.find(mark);
    StringRef line =
        at == StringRef::npos ? text.trim() : text.drop_front(at + mark.size());
    return line.split('\n').first.str();
  };
  if (execute(compiler, arguments, log, &problem) != 0) {
    tested.problem =
        "its C does not compile: " + findMark(readText(log), "rror: ");
    tested.isCompilerFailure = true;
    return ExitCode::Success;
  }
  ProgramResult result =
      runner.run(program, {}, scratch.getPath("run"), options.timeout);
  // An emulator may end with any status: only what the program says counts.
  std::string said = findMark(result.output, kMark);
  if (result.timeout != 0) {
    tested.problem = "the program that runs it " + result.explain();
    tested.isCompilerFailure = true;
  } else if (!StringRef(result.output).contains(kMark)) {
    tested.problem = "the program that runs it " + result.explain() +
                     "; --run-with runs programs for other processors";
    tested.isCompilerFailure = true;
  } else if (said == kAbsent) {
    tested.untested = "its guard does not hold; choose a compiler of the core "
                      "with --cc and --cflags";
  } else if (said == kUnavailable) {
    tested.untested = "its condition 'available' does not hold here";
  } else if (said != kEqual) {
    tested.problem = said;
  }
  return ExitCode::Success;
}
