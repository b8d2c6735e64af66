//===- Convolutions.cpp - Drafts of convolutions --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "Operators.h"
#include "Window.h"

#include "llvm/ADT/StringExtras.h"

using namespace uma::draft;

namespace {
class ConvolutionDraft {
public:
  ConvolutionDraft(Signature &signature, Draft &draft)
      : signature(signature), draft(draft), window(signature, draft) {}
  void write();

private:
  void readKernelLayout();
  std::string printModel();

  Signature &signature;
  Draft &draft;
  Window window;
  bool isDepthwise = false;
  StringRef layout = "OIHW";
};
} // namespace

void ConvolutionDraft::readKernelLayout() {
  StringRef comment = signature.function.comment;
  for (StringRef known : {"OIHW", "HWIO", "OHWI"})
    if (comment.contains(known.lower())) {
      layout = known;
      return;
    }
  if (window.isNHWC)
    layout = "OHWI";
}

void ConvolutionDraft::write() {
  isDepthwise = signature.meaning.meaning == Meaning::Depthwise;
  readKernelLayout();
  PatternText pattern = makePattern(signature, draft);
  std::string x = getElementType(signature, Role::Input, pattern);
  std::string w = getElementType(signature, Role::Weight, pattern);
  bool hasGroups = !isDepthwise && signature.has(Role::Groups);
  for (auto [role, what] : {std::pair(Role::Channels, "the input's channels"),
                            std::pair(Role::Filters, "the output's channels")})
    if (!signature.has(role) &&
        !(isDepthwise &&
          (signature.has(Role::Channels) || signature.has(Role::Filters))))
      pattern.ask(llvm::Twine("which parameter is ") + what + "?");
  std::string in = isDepthwise ? "ch" : "ic", out = isDepthwise ? "ch" : "oc";
  std::string group = isDepthwise ? "1" : hasGroups ? "icg" : "ic";
  signature.set(Role::Input, "x");
  signature.set(Role::Weight, "w");
  signature.set(Role::Output, "y");
  signature.set(Role::Channels, in);
  signature.set(Role::Filters, out);
  signature.set(Role::Groups, isDepthwise ? "ch" : "g");
  // The names in a layout must be distinct.
  bool isSquare = layout != "OIHW" && window.kernelH == window.kernelW &&
                  !llvm::isDigit(window.kernelH.front());
  std::string kernelW = isSquare ? "kw" : window.kernelW;
  std::vector<std::string> kernel;
  for (char dimension : layout)
    kernel.push_back(dimension == 'O'   ? out
                     : dimension == 'I' ? group
                     : dimension == 'H' ? window.kernelH
                                        : kernelW);
  pattern.addInput("x", x, window.getImage(in), /*isConst=*/false,
                   window.getLayout(in));
  pattern.addInput("w", w, {out, group, window.kernelH, kernelW},
                   /*isConst=*/true,
                   layout == "OIHW" ? ""
                                    : "[" + llvm::join(kernel, ", ") + "]");
  Epilogue epilogue(signature, draft);
  StringRef result = epilogue.getFirst();
  window.setNumbers(pattern, result);
  std::string end;
  if (isDepthwise || hasGroups)
    end += isDepthwise ? ", groups=ch" : ", groups=g";
  if (std::string type = getOutputType(signature, pattern); !type.empty())
    end += ", " + type;
  window.setResult(pattern, out);
  // An added tensor has the sizes of the result.
  std::string sizes;
  if (window.isNHWC && signature.has(Role::Residual))
    sizes = ": " + pattern.getResultType().split(" as ").first.str();
  pattern.add(result + sizes + " = " +
              window.printOperator("conv2d(x, w", end));
  if (isSquare)
    pattern.add("require " + window.kernelH + " == " + kernelW +
                ", \"the window is square\"");
  if (hasGroups)
    pattern.add("require ic == icg * g, \"the weights span the channels of "
                "their group\"");
  epilogue.add(pattern, out, {}, "",
               window.isNHWC ? pattern.getResultType() : "");
  addCall(signature, pattern, draft);
  finish(signature, std::move(pattern), printModel(), draft);
}

std::string ConvolutionDraft::printModel() {
  ModelText model(signature);
  window.declare(model);
  Window::Names &n = window.names;
  std::string groups = model.declare(
      "groups", isDepthwise ? n.channels : signature.access(Role::Groups, "1"));
  std::string inside = model.declare("inside", n.channels + " / " + groups);
  n.image = model.local("image");
  std::string filter = model.local("filter"), row = model.local("row"),
              column = model.local("column"), channel = model.local("channel"),
              ky = model.local("ky"), kx = model.local("kx"),
              inRow = model.local("in_row"),
              inColumn = model.local("in_column"), from = model.local("from"),
              to = model.local("to"), source = model.local("source");
  std::string type = model.getSumType().str(), sum = model.local("sum");
  model.loop(n.image, n.batch);
  model.loop(filter, n.filters);
  model.loop(row, n.outH);
  model.loop(column, n.outW);
  model.add(type + " " + sum + " = 0;");
  model.loop(channel, inside);
  model.loop(ky, n.kernelH);
  model.loop(kx, n.kernelW);
  model.add("const ptrdiff_t " + inRow + " = " + row + " * " + n.strideH +
            " - " + n.top + " + " + ky + " * " + n.dilationH + ";");
  model.add("const ptrdiff_t " + inColumn + " = " + column + " * " + n.strideW +
            " - " + n.left + " + " + kx + " * " + n.dilationW + ";");
  model.add("if (" + inRow + " < 0 || " + inRow + " >= " + n.height + " || " +
            inColumn + " < 0 || " + inColumn + " >= " + n.width + ")");
  model.add("  continue;");
  model.add("const ptrdiff_t " + source + " = " + filter + " / (" + n.filters +
            " / " + groups + ") * " + inside + " + " + channel + ";");
  model.add("const ptrdiff_t " + from + " = " +
            window.getIndex(source, inRow, inColumn, /*isResult=*/false) + ";");
  std::string position;
  for (char dimension : layout) {
    auto [index, size] = dimension == 'O'   ? std::pair(filter, n.filters)
                         : dimension == 'I' ? std::pair(channel, inside)
                         : dimension == 'H' ? std::pair(ky, n.kernelH)
                                            : std::pair(kx, n.kernelW);
    position = position.empty() ? index
                                : (position.find(' ') == std::string::npos
                                       ? position
                                       : "(" + position + ")") +
                                      " * " + size + " + " + index;
  }
  std::string cast =
      type == "int32_t" || type == "int64_t" ? "(" + type + ")" : "";
  model.add(sum + " += " + cast + model.tensor(Role::Input) + "[" + from +
            "] * " + model.tensor(Role::Weight) + "[" + position + "];");
  for (unsigned i = 0; i < 3; ++i)
    model.close();
  model.add("const ptrdiff_t " + to + " = " +
            window.getIndex(filter, row, column, /*isResult=*/true) + ";");
  Epilogue(signature, draft).add(model, filter, to);
  model.add(model.tensor(Role::Output) + "[" + to + "] = " + sum + ";");
  return model.print();
}

void uma::draft::draftConvolution(Signature signature, Draft &draft) {
  ConvolutionDraft(signature, draft).write();
}
