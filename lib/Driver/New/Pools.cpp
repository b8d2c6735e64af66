//===- Pools.cpp - Drafts of poolings -------------------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "ModelText.h"
#include "Operators.h"
#include "Window.h"

using namespace uma::draft;

/// Returns the model of a global average pool in C.
static std::string printGlobalPool(const Signature &signature, bool isNHWC) {
  ModelText model(signature);
  std::string batch =
      model.declare("batch", signature.access(Role::Batch, "1"));
  std::string channels =
      model.declare("channels", signature.access(Role::Channels));
  std::string pixels =
      model.declare("pixels", "(ptrdiff_t)" + signature.access(Role::Height) +
                                  " * " + signature.access(Role::Width));
  std::string image = model.local("image"), channel = model.local("channel"),
              i = model.local("i"), sum = model.local("sum");
  std::string type = model.getSumType().str();
  model.loop(image, batch);
  model.loop(channel, channels);
  model.add(type + " " + sum + " = 0;");
  model.loop(i, pixels);
  model.add(sum + " += " + model.tensor(Role::Input) + "[(" +
            (isNHWC ? image + " * " + pixels + " + " + i + ") * " + channels +
                          " + " + channel
                    : image + " * " + channels + " + " + channel + ") * " +
                          pixels + " + " + i) +
            "];");
  model.close();
  model.add(model.tensor(Role::Output) + "[" + image + " * " + channels +
            " + " + channel + "] = " + sum + " / (" + type + ")" + pixels +
            ";");
  return model.print();
}

/// Returns the model of a maximum or average pool in C.
static std::string printPool(const Signature &signature, Window &window,
                             bool isMaximum) {
  ModelText model(signature);
  window.declare(model);
  Window::Names &n = window.names;
  n.image = model.local("image");
  std::string channel = model.local("channel"), row = model.local("row"),
              column = model.local("column"), ky = model.local("ky"),
              kx = model.local("kx"), inRow = model.local("in_row"),
              inColumn = model.local("in_column"), value = model.local("value"),
              count = model.local("count");
  std::string type = model.getSumType().str();
  model.loop(n.image, n.batch);
  model.loop(channel, n.filters);
  model.loop(row, n.outH);
  model.loop(column, n.outW);
  model.add(type + " " + value + " = 0;");
  model.add("ptrdiff_t " + count + " = 0;");
  model.loop(ky, n.kernelH);
  model.loop(kx, n.kernelW);
  auto position = [&](StringRef at, StringRef stride, StringRef pad,
                      StringRef offset, StringRef dilation) {
    return (at + " * " + stride + " - " + pad + " + " + offset + " * " +
            dilation)
        .str();
  };
  model.add("const ptrdiff_t " + inRow + " = " +
            position(row, n.strideH, n.top, ky, n.dilationH) + ";");
  model.add("const ptrdiff_t " + inColumn + " = " +
            position(column, n.strideW, n.left, kx, n.dilationW) + ";");
  model.add("if (" + inRow + " < 0 || " + inRow + " >= " + n.height + " || " +
            inColumn + " < 0 || " + inColumn + " >= " + n.width + ")");
  model.add("  continue;");
  std::string element =
      model.tensor(Role::Input) + "[" +
      window.getIndex(channel, inRow, inColumn, /*isResult=*/false) + "]";
  if (isMaximum) {
    model.add("if (" + count + " == 0 || " + element + " > " + value + ")");
    model.add("  " + value + " = " + element + ";");
  } else {
    model.add(value + " += " + element + ";");
  }
  model.add("++" + count + ";");
  model.close();
  model.close();
  std::string out = window.getIndex(channel, row, column, /*isResult=*/true);
  model.add(model.tensor(Role::Output) + "[" + out + "] = " + value +
            (isMaximum ? "" : " / (" + type + ")" + count) + ";");
  return model.print();
}

void uma::draft::draftPool(Signature signature, Draft &draft) {
  bool isMaximum = signature.meaning.meaning == Meaning::MaxPool;
  bool isGlobal = signature.meaning.meaning == Meaning::GlobalAveragePool;
  // Without a window, an average pool covers the whole image.
  if (!signature.has(Role::Kernel) && !signature.has(Role::KernelH) &&
      signature.meaning.meaning == Meaning::AveragePool)
    isGlobal = true;
  std::string op = isMaximum  ? "max_pool2d"
                   : isGlobal ? "global_avg_pool2d"
                              : "avg_pool2d";
  PatternText pattern = makePattern(signature, draft);
  Window window(signature, draft);
  std::string type = getElementType(signature, Role::Input, pattern);
  (void)getElementType(signature, Role::Output, pattern);
  if (!signature.has(Role::Channels))
    pattern.ask("which parameter is the number of channels?");
  signature.set(Role::Input, "x");
  signature.set(Role::Output, "y");
  signature.set(Role::Channels, "c");
  pattern.addInput("x", type, window.getImage("c"), /*isConst=*/false,
                   window.getLayout("c"));
  if (isGlobal) {
    signature.set(Role::Batch, "n");
    signature.set(Role::Height, "ih");
    signature.set(Role::Width, "iw");
    pattern.add("y = global_avg_pool2d(x)");
  } else {
    window.setNumbers(pattern, "y");
    window.setResult(pattern, "c");
    pattern.add("y = " +
                window.printOperator(op + "(x, pool_size=[" + window.kernelH +
                                         ", " + window.kernelW + "]",
                                     ""));
    if (!isMaximum)
      pattern.guess("padding does not count in the average; if it does, write "
                    "count_include_pad=true");
  }
  addCall(signature, pattern, draft);
  finish(signature, std::move(pattern),
         isGlobal ? printGlobalPool(signature, window.isNHWC)
                  : printPool(signature, window, isMaximum),
         draft);
}
