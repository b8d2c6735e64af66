//===- PackageSources.cpp - C of a package around its network -------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "PackageInfo.h"

#include "uma/Conversion/TIRToEmitC/CText.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace uma;

static std::string getDType(const TensorInfo &tensor) {
  std::string text;
  llvm::raw_string_ostream(text) << tensor.type.getElementType();
  return text;
}

/// Returns how a state starts, for a comment; empty for other tensors.
static std::string getStartText(const TensorInfo &tensor) {
  if (auto integer = dyn_cast_if_present<IntegerAttr>(tensor.start))
    return "; a state: all elements are " + std::to_string(integer.getInt()) +
           " in the first run";
  return tensor.start ? "; a state: metadata.json has its elements in the "
                        "first run"
                      : "";
}

static std::string getShapeText(const TensorInfo &tensor) {
  std::string text;
  for (int64_t size : tensor.type.getShape())
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return text.empty() ? "scalar" : text;
}

void uma::printRunSignature(const PackageInfo &info, StringRef function,
                            raw_ostream &os, StringRef others) {
  os << "int32_t " << info.name << '_' << function << '(';
  for (const TensorInfo &tensor : info.parameters)
    os << (tensor.isOutput ? "" : "const ")
       << getCTypeName(tensor.type.getElementType()) << " *UMA_RESTRICT "
       << tensor.cName << ", ";
  llvm::interleaveComma(info.memories, os, [&](const MemoryInfo &memory) {
    os << "void *UMA_RESTRICT " << memory.cName;
  });
  os << others << ')';
}

/// Returns the parameter of the weights' address, if functions have one.
static StringRef getWeightsParameter(const PackageInfo &info) {
  return info.hasImage() ? ", const void *weights" : "";
}

/// Prints the functions besides NET_run.
static void printOtherFunctions(const PackageInfo &info, raw_ostream &os) {
  const std::string &name = info.name, &macro = info.macro;
  if (info.hasImage()) {
    os << "\n/* Runs the network with the image of weights at an address of "
          "your choice, a multiple\n * of "
       << info.getWeightAlignment() << "; see " << name << "_weights.h. "
       << name << "_run uses the one that is linked. */\n";
    printRunSignature(info, "run_with_weights", os, getWeightsParameter(info));
    os << ";\n";
  }
  os << "\n#ifdef UMA_RUN_LAYERS\n"
     << "/* The layers in the order in which they run; a NULL ends the "
        "table. */\n"
     << "extern const char *const " << name << "_layers[" << macro
     << "_NUM_LAYERS + 1];\n"
     << "/* Runs the layers from number `first` up to, but without, number "
        "`last`. All of them, in\n * order, over the same buffers and "
        "workspace, are a run. What a layer reads may be\n * overwritten by a "
        "later one. Layers that are computed together, tile by tile, run\n * "
        "with the first of them. */\n";
  printRunSignature(
      info, "run_layers", os,
      (getWeightsParameter(info) + ", int32_t first, int32_t last").str());
  os << ";\n#endif\n";
}

static void printTensorMacros(const PackageInfo &info, const TensorInfo &tensor,
                              raw_ostream &os) {
  os << "\n/* " << (tensor.isOutput ? "Output " : "Input ")
     << toCComment(tensor.name) << ": " << getDType(tensor) << ", "
     << getShapeText(tensor) << ", row-major; elements and bytes. */\n"
     << "#define " << tensor.macro << "_SIZE " << tensor.type.getNumElements()
     << "\n#define " << tensor.macro << "_BYTES " << tensor.getBytes() << "\n";
  if (tensor.offset) {
    std::string element = getCTypeName(tensor.type.getElementType()).str();
    const MemoryInfo &memory = info.memories[tensor.memory];
    os << "#define " << tensor.macro << "_OFFSET "
       << *tensor.offset - memory.offset << "\n#define " << tensor.macro << '('
       << memory.cName << ") ((" << element << " *)(void *)((unsigned char *)("
       << memory.cName << ") + " << tensor.macro << "_OFFSET))\n";
    return;
  }
  if (tensor.alignment > 1)
    os << "/* A device works on it: its address must be a multiple of this. "
          "*/\n"
       << "#define " << tensor.macro << "_ALIGNMENT " << tensor.alignment
       << "\n";
}

std::string uma::getHeaderText(const PackageInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const std::string &name = info.name, &macro = info.macro;
  os << "/* Network " << toCComment(info.model)
     << ", compiled to C99 by uma. Generated; edit the model instead. */\n"
     << "#ifndef " << macro << "_H\n#define " << macro << "_H\n"
     << R"(
#include <stddef.h>
#include <stdint.h>

#ifndef UMA_RESTRICT
#if !defined(__cplusplus)
#define UMA_RESTRICT restrict
#elif defined(__GNUC__) || defined(_MSC_VER)
#define UMA_RESTRICT __restrict
#else
#define UMA_RESTRICT
#endif
#endif

/* What a tensor is; also for programs that do not know the network. */
#ifndef UMA_TENSOR_INFO
#define UMA_TENSOR_INFO
typedef struct uma_tensor_info {
  const char *name;    /* in the model */
  const char *dtype;   /* f32, i8, ui8, f16 (stored as uint16_t), ... */
  size_t bytes;        /* of the whole tensor */
  size_t rank;         /* number of entries of shape */
  const size_t *shape; /* outermost first; NULL for rank 0 */
} uma_tensor_info;
#endif
)"
     << "\n/* The workspace that a run needs, in bytes"
     << (info.hasNamedMemories() ? " of each memory" : "")
     << ". Its address must be a multiple of the\n * alignment. */\n";
  for (const MemoryInfo &memory : info.memories)
    os << "#define " << memory.macro << "_SIZE " << memory.bytes << "\n#define "
       << memory.macro << "_ALIGNMENT " << info.workspaceAlignment << "\n";
  for (const auto *list : {&info.inputs, &info.outputs})
    for (const TensorInfo &tensor : *list)
      printTensorMacros(info, tensor, os);
  os << "\n#define " << macro << "_NUM_INPUTS " << info.inputs.size()
     << "\n#define " << macro << "_NUM_OUTPUTS " << info.outputs.size() << "\n"
     << "\n/* Number of layers, as hooks and " << name
     << "_run_layers count them. Compile with\n * -DUMA_RUN_LAYERS to have "
        "the latter. */\n"
     << "#define " << macro << "_NUM_LAYERS " << info.calls.size() << "\n"
     << "\n/* The model's file: its version, 0 if it has none, and the SHA-256 "
        "of its contents. */\n"
     << "#define " << macro << "_VERSION " << info.modelVersion << "\n#define "
     << macro << "_MODEL_HASH \"" << info.modelHash << "\"\n";

  os << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
     << "\n/* Inputs and outputs in the order of the model; a NULL name ends "
        "each table. */\n"
     << "extern const uma_tensor_info " << name << "_inputs[" << macro
     << "_NUM_INPUTS + 1];\n"
     << "extern const uma_tensor_info " << name << "_outputs[" << macro
     << "_NUM_OUTPUTS + 1];\n"
     << "\n/* Runs the network once.\n *\n";
  for (const TensorInfo &tensor : info.parameters)
    os << " * " << tensor.cName << ": "
       << (tensor.isOutput ? "output " : "input ") << toCComment(tensor.name)
       << ", " << getDType(tensor) << ", " << getShapeText(tensor)
       << (tensor.alignment > 1
               ? ", aligned to " + std::to_string(tensor.alignment) + " bytes"
               : "")
       << getStartText(tensor) << "\n";
  for (const MemoryInfo &memory : llvm::ArrayRef(info.memories).drop_back())
    os << " * " << memory.cName << ": " << memory.macro << "_SIZE bytes;\n";
  const MemoryInfo &last = info.memories.back();
  os << " * " << last.cName << ": " << last.macro << "_SIZE bytes";
  if (info.hasTensorsInside())
    os << ", which also hold the inputs and outputs. Write every\n"
          " *   input before each run, since a run overwrites them, and read "
          "the outputs before you\n *   write the next inputs; "
       << macro << "_INPUT_X(" << last.cName
       << ") is the address of X\n *\n * Runs";
  else
    os << " whose contents do not matter before and after;\n"
          " *   may be NULL where that is 0\n *\n"
          " * Buffers must not overlap. Runs";
  os << " at the same time are fine where each has a workspace\n * and outputs "
        "of its own. Returns 0, or the status of the device that reported "
        "an\n * error; the outputs are then of no meaning. */\n";
  printRunSignature(info, "run", os);
  os << ";\n";
  printOtherFunctions(info, os);
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << macro << "_H */\n";
  return text;
}

std::string uma::getTablesText(const PackageInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](ArrayRef<TensorInfo> tensors, StringRef kind) {
    std::string prefix = info.name + "_" + kind.str();
    for (auto [i, tensor] : llvm::enumerate(tensors)) {
      if (tensor.type.getRank() == 0)
        continue;
      os << "\nstatic const size_t " << prefix << "_shape" << i << "[] = {";
      llvm::interleaveComma(tensor.type.getShape(), os);
      os << "};";
    }
    os << "\nconst uma_tensor_info " << prefix << "s[" << info.macro << "_NUM_"
       << kind.upper() << "S + 1] = {\n";
    for (auto [i, tensor] : llvm::enumerate(tensors)) {
      os << "  {" << toCString(tensor.name) << ", "
         << toCString(getDType(tensor)) << ", " << tensor.macro << "_BYTES, "
         << tensor.type.getRank() << ", ";
      if (tensor.type.getRank() == 0)
        os << "NULL},\n";
      else
        os << prefix << "_shape" << i << "},\n";
    }
    os << "  {NULL, NULL, 0, 0, NULL}\n};\n";
  };
  print(info.inputs, "input");
  print(info.outputs, "output");
  os << "\n#ifdef UMA_RUN_LAYERS\nconst char *const " << info.name << "_layers["
     << info.macro << "_NUM_LAYERS + 1] = {\n";
  for (const CallInfo &call : info.calls)
    os << "  " << toCString(toCComment(call.layer)) << ",\n";
  os << "  NULL\n};\n#endif\n";
  return text;
}

std::string uma::getHooksText() {
  return R"(/* Hooks of the example and of `uma run`: compile with -DUMA_HOOKS to have them
 * called. Generated by uma; yours may do anything that is safe on your device. */
#ifndef UMA_HOOKS_H
#define UMA_HOOKS_H

#include <stdio.h>

/* Called once where a device reports an error, before the run ends. */
#define UMA_ON_ERROR(layer, status)                                            \
  ((void)fprintf(stderr, "layer '%s' failed with status %d\n", (layer),        \
                 (int)(status)))

/* Called once where C with checks of bounds would leave a buffer. */
#define UMA_ON_OUT_OF_BOUNDS(layer, buffer, index, size)                       \
  ((void)fprintf(stderr,                                                       \
                 "layer '%s': index %ld is outside of '%s', which has %ld "    \
                 "elements\n",                                                 \
                 (layer), (long)(index), (buffer), (long)(size)))

#endif /* UMA_HOOKS_H */
)";
}

/// Part of the example that is the same for every network.
static constexpr llvm::StringLiteral kMainBegin = R"(
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
#define UMA_ALIGNED __attribute__((aligned(@ALIGNMENT@)))
#else
#define UMA_ALIGNED
#endif
)";

static constexpr llvm::StringLiteral kMainFunctions = R"(
/* The tensor that an argument NAME=FILE or #NUMBER=FILE means and its file, or
 * NULL. The first tensor has number 0. */
static const uma_tensor_info *find(const uma_tensor_info *table,
                                   const char *argument, const char **file) {
  size_t number = 0, digits = 0, i;
  if (argument[0] == '#') {
    for (; argument[1 + digits] >= '0' && argument[1 + digits] <= '9'; ++digits) {
      number = number * 10 + (size_t)(argument[1 + digits] - '0');
    }
  }
  for (i = 0; table[i].name != NULL; ++i) {
    size_t length = digits != 0 ? 1 + digits : strlen(table[i].name);
    int is_meant = digits != 0 ? i == number
                               : strncmp(argument, table[i].name, length) == 0;
    if (is_meant && argument[length] == '=') {
      *file = argument + length + 1;
      return &table[i];
    }
  }
  return NULL;
}

static int read_file(const char *path, void *data, size_t bytes) {
  FILE *file = fopen(path, "rb");
  size_t count;
  if (file == NULL) {
    perror(path);
    return 0;
  }
  count = fread(data, 1, bytes, file);
  if (count != bytes || fgetc(file) != EOF) {
    fprintf(stderr, "%s: expected exactly %lu bytes\n", path,
            (unsigned long)bytes);
    (void)fclose(file);
    return 0;
  }
  (void)fclose(file);
  return 1;
}

static int write_file(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  size_t count;
  if (file == NULL) {
    perror(path);
    return 0;
  }
  count = fwrite(data, 1, bytes, file);
  if (fclose(file) != 0 || count != bytes) {
    fprintf(stderr, "%s: cannot be written\n", path);
    return 0;
  }
  return 1;
}

/* Something to run on where no input is given: bytes 0 to 63 for integers,
 * 0 to 1 for floats. */
static void fill(const uma_tensor_info *tensor, void *data) {
  size_t i;
  if (strcmp(tensor->dtype, "f32") == 0) {
    for (i = 0; i < tensor->bytes / sizeof(float); ++i) {
      ((float *)data)[i] = (float)(i % 256) / 255.0f;
    }
  } else if (strcmp(tensor->dtype, "f64") == 0) {
    for (i = 0; i < tensor->bytes / sizeof(double); ++i) {
      ((double *)data)[i] = (double)(i % 256) / 255.0;
    }
  } else if (strcmp(tensor->dtype, "i8") == 0 ||
             strcmp(tensor->dtype, "ui8") == 0) {
    for (i = 0; i < tensor->bytes; ++i) {
      ((unsigned char *)data)[i] = (unsigned char)(i % 64);
    }
  } else {
    memset(data, 0, tensor->bytes);
  }
}

static void print(const uma_tensor_info *tensor, const void *data) {
  size_t i;
  printf("%s:", tensor->name);
  if (strcmp(tensor->dtype, "f32") == 0) {
    for (i = 0; i < tensor->bytes / sizeof(float); ++i) {
      printf(" %.9g", (double)((const float *)data)[i]);
    }
  } else if (strcmp(tensor->dtype, "f64") == 0) {
    for (i = 0; i < tensor->bytes / sizeof(double); ++i) {
      printf(" %.17g", ((const double *)data)[i]);
    }
  } else if (strcmp(tensor->dtype, "i32") == 0) {
    for (i = 0; i < tensor->bytes / sizeof(int32_t); ++i) {
      printf(" %ld", (long)((const int32_t *)data)[i]);
    }
  } else if (strcmp(tensor->dtype, "i8") == 0) {
    for (i = 0; i < tensor->bytes; ++i) {
      printf(" %d", (int)((const int8_t *)data)[i]);
    }
  } else {
    for (i = 0; i < tensor->bytes; ++i) {
      printf(" %02x", (unsigned)((const unsigned char *)data)[i]);
    }
  }
  printf("\n");
}
)";

/// End of the example. substitute() replaces `%_` by the network's name and
/// `_`.
static constexpr llvm::StringLiteral kMain = R"(
int main(int argc, char **argv) {
  int i, written = 0;
  int32_t status;
  const char *file = NULL;
  const uma_tensor_info *tensor;
  for (i = 0; input_data[i] != NULL; ++i) {
    fill(&%_inputs[i], input_data[i]);
  }
  for (i = 1; i < argc; ++i) {
    int is_input = strcmp(argv[i], "--input") == 0;
    if ((!is_input && strcmp(argv[i], "--output") != 0) || i + 1 == argc) {
      fprintf(stderr,
              "usage: %s [--input NAME=FILE]... [--output NAME=FILE]...\n"
              "Files hold the elements as the network has them, without a "
              "header. #0 is the\nfirst tensor, too.\n",
              argv[0]);
      return 2;
    }
    tensor = find(is_input ? %_inputs : %_outputs, argv[++i], &file);
    if (tensor == NULL) {
      fprintf(stderr, "%s: expected NAME=FILE with the name of an %s\n",
              argv[i], is_input ? "input" : "output");
      return 2;
    }
    if (is_input &&
        !read_file(file, input_data[tensor - %_inputs], tensor->bytes)) {
      return 2;
    }
  }

)";

static constexpr llvm::StringLiteral kMainEnd = R"(
  if (status != 0) {
    fprintf(stderr, "the run ended with status %ld\n", (long)status);
    return 1;
  }

  for (i = 1; i < argc; i += 2) {
    if (strcmp(argv[i], "--output") == 0) {
      tensor = find(%_outputs, argv[i + 1], &file);
      if (!write_file(file, output_data[tensor - %_outputs], tensor->bytes)) {
        return 1;
      }
      written = 1;
    }
  }
  for (tensor = %_outputs; !written && tensor->name != NULL; ++tensor) {
    print(tensor, output_data[tensor - %_outputs]);
  }
  return 0;
}
)";

/// Replaces `%_` by the network's name and `_`.
static std::string substitute(StringRef text, StringRef name) {
  std::string result;
  while (true) {
    auto [before, after] = text.split("%_");
    result += before;
    if (before.size() == text.size())
      return result;
    result += name.str() + "_";
    text = after;
  }
}

std::string uma::getMainText(const PackageInfo &info) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* An example that runs network " << toCComment(info.model)
     << " once, on files or on made-up inputs.\n * Generated by uma. "
        "*/\n#include \""
     << info.name << ".h\"\n"
     << withAlignment(kMainBegin, info.getBufferAlignment()) << "\n";
  os << "/* Arrays have at least one element. */\n";
  for (const MemoryInfo &memory : info.memories)
    os << "static UMA_ALIGNED unsigned char " << memory.cName << '['
       << memory.macro << "_SIZE + 1];\n";
  auto declare = [&](ArrayRef<TensorInfo> tensors, StringRef kind) {
    for (auto [i, tensor] : llvm::enumerate(tensors))
      if (!tensor.offset)
        os << "static UMA_ALIGNED "
           << getCTypeName(tensor.type.getElementType()) << " " << kind << i
           << "[" << tensor.macro << "_SIZE];\n";
    os << "static void *const " << kind << "_data[] = {";
    for (auto [i, tensor] : llvm::enumerate(tensors))
      if (tensor.offset)
        os << info.memories[tensor.memory].cName << " + " << tensor.macro
           << "_OFFSET, ";
      else
        os << kind << i << ", ";
    os << "NULL};\n";
  };
  declare(info.inputs, "input");
  declare(info.outputs, "output");
  os << kMainFunctions << substitute(kMain, info.name)
     << "  status = " << info.name << "_run(";
  size_t numInputs = 0, numOutputs = 0;
  for (const TensorInfo &tensor : info.parameters) {
    if (tensor.isOutput)
      os << "output" << numOutputs++ << ", ";
    else
      os << "input" << numInputs++ << ", ";
  }
  os << info.getMemoryNames() << ");" << substitute(kMainEnd, info.name);
  return text;
}
