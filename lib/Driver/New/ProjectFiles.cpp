//===- ProjectFiles.cpp - Files beside a description ----------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ProjectFiles.h"

using namespace uma::draft;
using llvm::StringRef;

static constexpr llvm::StringLiteral kNetwork =
    R"(// A small network to compile for the accelerator. Layers that it does not take run on the CPU.
func.func @network(%image: tensor<1x3x8x8xf32> {uma.name = "image"})
    -> (tensor<1x10xf32> {uma.name = "scores"}) attributes {uma.network = "network"} {
  %kernel = uma.graph.constant dense<0.125> : tensor<4x3x3x3xf32>
  %weight = uma.graph.constant dense<0.25> : tensor<10x256xf32>
  %bias = uma.graph.constant dense<1.0> : tensor<10xf32>
  %0 = uma.graph.conv2d %image, %kernel padding [1, 1, 1, 1]
      : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x8x8xf32>
  %1 = uma.graph.relu %0 : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %2 = uma.graph.add %0, %1 : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %3 = uma.graph.batch_flatten %2 : (tensor<1x4x8x8xf32>) -> tensor<1x256xf32>
  %4 = uma.graph.dense %3, %weight : (tensor<1x256xf32>, tensor<10x256xf32>) -> tensor<1x10xf32>
  %5 = uma.graph.bias_add %4, %bias : (tensor<1x10xf32>, tensor<10xf32>) -> tensor<1x10xf32>
  return %5 : tensor<1x10xf32>
}
)";

static constexpr llvm::StringLiteral kMakefile =
    R"(# 'make' checks the description, tests each pattern on the model of the device, and compiles and runs
# a small network. 'uma' is on the PATH; CPPFLAGS has the -I of the device's header, if it needs one.

.PHONY: all check test network
all: check test network

check:
	uma check @name@.uma

test:
	uma test @name@.uma

network:
	uma run network.mlir -a ./@name@.uma --compare
)";

static constexpr llvm::StringLiteral kReadme =
    R"(# @name@

| file | what it is |
|---|---|
| `@name@.uma` | the description: what the device takes, and the calls that it becomes |
| @header@ |
| `@name@_model.c` | a model of the device in plain C, for `uma run` and `uma test` |
| `network.mlir` | a small network |
| `Makefile` | `make` runs the first three commands below |

The next commands, in this folder:

```sh
uma check @name@.uma                                    # the description, and its calls against the header
uma test @name@.uma                                     # small layers of each pattern, on the model of the device
uma run network.mlir -a ./@name@.uma --compare          # a whole network, compared with the reference interpreter
uma compile MODEL.onnx -a ./@name@.uma -o package       # your network as C that calls the device
```

Lines of the description with `guess` say what was read from names: check them. Lines with `@open@` ask for what no header
says; a pattern whose question is open stands there as a comment. `uma explain MODEL.onnx -a ./@name@.uma` tells where each
layer of your network runs, and why.
)";

/// Replaces all occurrences of `from`.
static void replaceAll(std::string &text, StringRef from, StringRef to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

std::string uma::draft::fillIn(StringRef text, StringRef name) {
  std::string result = text.str();
  replaceAll(result, "@name@", name);
  replaceAll(result, "@NAME@", name.upper());
  return result;
}

std::vector<ProjectFile> uma::draft::makeProjectFiles(StringRef name,
                                                      StringRef header) {
  std::string readme = fillIn(kReadme, name);
  replaceAll(readme, "@header@", header);
  // Two literals; see kOpen.
  replaceAll(readme, "@open@",
             "TO"
             "DO");
  return {{"network.mlir", kNetwork.str()},
          {"Makefile", fillIn(kMakefile, name)},
          {"README.md", std::move(readme)}};
}
