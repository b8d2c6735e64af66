//===- TestProgram.cpp - The program that runs sampled layers -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The profile hooks of the emitted C stand around every layer. They tell which
// layer was begun last when the device crashes or hangs, and look for what a
// layer wrote where it may not. Memory that nothing may read holds bytes that
// are NaN as floats, so that reading it shows in the results.
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "uma/Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace uma;

static constexpr llvm::StringLiteral kHeader = R"(#ifndef UMA_PROFILE_H
#define UMA_PROFILE_H
void uma_test_begin(const char *layer);
void uma_test_end(const char *layer);
#define UMA_PROFILE_BEGIN(index, layer) uma_test_begin(layer)
#define UMA_PROFILE_END(index, layer) uma_test_end(layer)
#endif
)";

/// Behind what writeTestProgram() says of the network.
static constexpr llvm::StringLiteral kMain = R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes before and behind each tensor. */
enum { GUARD = 4096, NOTHING = 0xff };

typedef struct tensor {
  const char *name;
  size_t bytes;
  unsigned char *data, *copy; /* copy: of an input, null for an output */
} tensor;

static tensor tensors[INPUTS + OUTPUTS + 1];
static unsigned char nothing[GUARD];

void uma_test_begin(const char *layer) {
  fprintf(stderr, "begin %s\n", layer);
  (void)alarm(SECONDS);
}

static void check(const char *layer, const char *side, const char *name,
                  unsigned char *memory, const unsigned char *expected,
                  size_t bytes) {
  if (memcmp(memory, expected, bytes) == 0)
    return;
  fprintf(stderr, "damage %s %s '%s'\n", layer, side, name);
  memcpy(memory, expected, bytes);
}

void uma_test_end(const char *layer) {
  int i;
  for (i = 0; i < INPUTS + OUTPUTS; ++i) {
    tensor *t = &tensors[i];
    check(layer, "before", t->name, t->data - GUARD, nothing, GUARD);
    check(layer, "behind", t->name, t->data + t->bytes, nothing, GUARD);
    if (t->copy)
      check(layer, "into", t->name, t->data, t->copy, t->bytes);
  }
}

static void *allocate(size_t bytes) {
  void *memory = NULL;
  if (posix_memalign(&memory, GUARD, bytes + 1) != 0) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  memset(memory, NOTHING, bytes + 1);
  return memory;
}

static FILE *open_file(const char *path, const char *mode) {
  FILE *file = fopen(path, mode);
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}

int main(int argc, char **argv) {
  FILE *in, *out;
  unsigned char *buffers[INPUTS + OUTPUTS + 1];
  void *workspace = allocate(WORKSPACE);
  int run, i;
  if (argc != 3)
    return 1;
  in = open_file(argv[1], "rb");
  out = open_file(argv[2], "wb");
  memset(nothing, NOTHING, GUARD);
  for (i = 0; i < INPUTS + OUTPUTS; ++i) {
    const uma_tensor_info *info =
        i < INPUTS ? &INPUT_TABLE[i] : &OUTPUT_TABLE[i - INPUTS];
    tensor *t = &tensors[i];
    t->name = info->name;
    t->bytes = info->bytes;
    t->data = (unsigned char *)allocate(info->bytes + 2 * GUARD) + GUARD;
    t->copy = i < INPUTS ? (unsigned char *)allocate(info->bytes) : NULL;
    buffers[i] = t->data;
  }
  for (run = 0; run < RUNS; ++run) {
    int32_t status;
    for (i = 0; i < INPUTS; ++i) {
      if (fread(tensors[i].copy, 1, tensors[i].bytes, in) != tensors[i].bytes) {
        fprintf(stderr, "the inputs are too short\n");
        return 1;
      }
      memcpy(tensors[i].data, tensors[i].copy, tensors[i].bytes);
    }
    for (i = INPUTS; i < INPUTS + OUTPUTS; ++i)
      memset(tensors[i].data, NOTHING, tensors[i].bytes);
    memset(workspace, NOTHING, WORKSPACE);
    status = RUN(buffers, workspace);
    if (status != 0) {
      fprintf(stderr, "status %ld\n", (long)status);
      return 1;
    }
    for (i = INPUTS; i < INPUTS + OUTPUTS; ++i)
      fwrite(tensors[i].data, 1, tensors[i].bytes, out);
  }
  if (fclose(out) != 0) {
    perror(argv[2]);
    return 1;
  }
  fprintf(stderr, "complete\n");
  return 0;
}
)";

llvm::Error uma::writeTestProgram(llvm::StringRef package,
                                  llvm::StringRef network, unsigned numInputs,
                                  unsigned numOutputs, unsigned numRuns,
                                  unsigned timeout) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "#define _POSIX_C_SOURCE 200112L\n#include \"" << network
     << ".h\"\n#include \"uma_profile.h\"\n"
     << "enum { INPUTS = " << numInputs << ", OUTPUTS = " << numOutputs
     << ", RUNS = " << numRuns << " };\n"
     << "/* A layer that takes longer hangs. */\nenum { SECONDS = " << timeout
     << " };\n"
     << "#define WORKSPACE ((size_t)" << network.upper() << "_WORKSPACE_SIZE)\n"
     << "#define INPUT_TABLE " << network << "_inputs\n#define OUTPUT_TABLE "
     << network << "_outputs\n#define RUN(tensors, workspace) " << network
     << "_run(";
  for (unsigned i = 0; i < numInputs + numOutputs; ++i)
    os << "(void *)(tensors)[" << i << "], ";
  os << "(workspace))\n" << kMain;
  if (llvm::Error error =
          writeFileAtomically((package + "/main.c").str(), text))
    return error;
  return writeFileAtomically((package + "/uma_profile.h").str(), kHeader);
}

TestLog uma::parseTestLog(llvm::StringRef text) {
  TestLog log;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    auto [word, rest] = line.split(' ');
    if (word == "begin") {
      log.lastLayer = rest.str();
    } else if (word == "damage") {
      auto [layer, what] = rest.split(' ');
      auto [side, tensor] = what.split(' ');
      if (llvm::none_of(log.damages, [name = layer](const auto &damage) {
            return damage.layer == name;
          }))
        log.damages.push_back(
            {layer.str(),
             side == "into"
                 ? "writes into its input " + tensor.str()
                 : "writes " + side.str() + " the memory of " + tensor.str()});
    } else if (word == "status") {
      (void)rest.getAsInteger(10, log.status);
    } else if (line == "complete") {
      log.isComplete = true;
    }
  }
  return log;
}
