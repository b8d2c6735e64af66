//===- Window.cpp - Kernels, strides and padding --------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "Window.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace uma::draft;
using llvm::Twine;

/// Returns the name of an attribute in one dimension: `sh` if the dimension has
/// its own stride, `s` for a common one, `otherwise` if there is no parameter.
std::string Window::getAttribute(Role both, Role one, StringRef name,
                                 StringRef dim, StringRef otherwise) {
  if (signature.has(one))
    return (name + dim).str();
  return signature.has(both) ? name.str() : otherwise.str();
}

Window::Window(Signature &signature, Draft &draft)
    : signature(signature), draft(draft) {
  // The function's own words take precedence over those of the whole header.
  const Header &header = signature.header;
  auto says = [&](StringRef layout) {
    return StringRef(signature.function.comment).contains(layout) ||
           StringRef(signature.function.name).contains_insensitive(layout);
  };
  isNHWC = says("nhwc") || (header.namesNHWC && !header.namesNCHW);
  isLayoutKnown =
      says("nhwc") || says("nchw") || header.namesNHWC != header.namesNCHW;
  batch = signature.has(Role::Batch) ? "n" : "1";
  // The name may give the size: conv3x3.
  std::string fixed;
  StringRef name = signature.function.name;
  for (char digit : {'1', '3', '5', '7'})
    if (name.contains(std::string{digit, 'x', digit}))
      fixed = digit;
  kernelH = getAttribute(Role::Kernel, Role::KernelH, "k", "h", fixed);
  kernelW = getAttribute(Role::Kernel, Role::KernelW, "k", "w", fixed);
  isKernelKnown = !kernelH.empty() && !kernelW.empty();
  if (!isKernelKnown) {
    kernelH = "kh";
    kernelW = "kw";
  }
  strideH = getAttribute(Role::Stride, Role::StrideH, "s", "h", "1");
  strideW = getAttribute(Role::Stride, Role::StrideW, "s", "w", "1");
  dilationH = getAttribute(Role::Dilation, Role::DilationH, "d", "h", "1");
  dilationW = getAttribute(Role::Dilation, Role::DilationW, "d", "w", "1");
  readPadding();
}

void Window::readPadding() {
  mode = signature.find(Role::PadMode);
  if (mode) {
    auto constants = signature.getConstants(*mode);
    if (mode->type.kind != CType::Enum)
      llvm::erase_if(constants, [](const Constant *constant) {
        return !StringRef(constant->name).contains_insensitive("pad");
      });
    same = Signature::match(constants, "same", "lower");
    valid = Signature::match(constants, "valid");
    return;
  }
  if (signature.has(Role::PadTop) || signature.has(Role::PadLeft)) {
    top = signature.has(Role::PadTop) ? "pt" : "0";
    left = signature.has(Role::PadLeft) ? "pl" : "0";
    // If bottom and right are missing, they follow from the size of the result,
    // or are the same as top and left.
    bool isOpen = signature.has(Role::OutHeight);
    bottom = signature.has(Role::PadBottom) || isOpen ? "pb" : top;
    right = signature.has(Role::PadRight) || isOpen ? "pr" : left;
    return;
  }
  top = bottom = getAttribute(Role::Pad, Role::PadH, "p", "h", "0");
  left = right = getAttribute(Role::Pad, Role::PadW, "p", "w", "0");
}

/// Returns the expression for a size of the result.
std::string Window::getOutput(StringRef size, StringRef kernel,
                              StringRef stride, StringRef dilation,
                              StringRef before, StringRef after,
                              StringRef tensor) const {
  std::string reach = dilation == "1"
                          ? ("(" + kernel + " - 1)").str()
                          : (dilation + " * (" + kernel + " - 1)").str();
  std::string sum = size.str();
  if (mode) {
    // `which` of two padding modes is 0 or 1.
    if (!same.empty() && !valid.empty())
      sum += (" - which(" + tensor + ") * ").str() + reach;
    else if (same.empty())
      sum += " - " + reach;
  } else {
    for (StringRef pad : {before, after})
      if (pad != "0")
        sum += (" + " + pad).str();
    sum += " - " + reach;
  }
  if (stride == "1")
    return sum;
  return ("(" + sum + " + " + stride + " - 1) / " + stride).str();
}

void Window::setNumbers(PatternText &pattern, StringRef tensor) {
  for (auto [role, name] :
       {std::pair(Role::Height, "ih"), std::pair(Role::Width, "iw"),
        std::pair(Role::Batch, "n")})
    signature.set(role, name);
  for (auto [role, what] : {std::pair(Role::Height, "the image's height"),
                            std::pair(Role::Width, "the image's width")})
    if (!signature.has(role))
      pattern.ask(Twine("which parameter is ") + what + "?");
  if (!isKernelKnown)
    pattern.ask("which parameter is the size of the window?");
  signature.set(Role::KernelH, kernelH);
  signature.set(Role::KernelW, kernelW);
  signature.set(Role::Kernel, kernelH);
  signature.set(Role::StrideH, strideH);
  signature.set(Role::StrideW, strideW);
  signature.set(Role::Stride, strideH);
  signature.set(Role::DilationH, dilationH);
  signature.set(Role::DilationW, dilationW);
  signature.set(Role::Dilation, dilationH);
  for (const auto &[role, value] :
       {std::pair(Role::PadTop, top), std::pair(Role::PadLeft, left),
        std::pair(Role::PadBottom, bottom), std::pair(Role::PadRight, right),
        std::pair(Role::PadH, top), std::pair(Role::PadW, left),
        std::pair(Role::Pad, top)})
    signature.set(role, value);
  if (mode) {
    std::string value = same.empty() ? valid : same;
    if (same.empty() && valid.empty())
      pattern.ask("which values does '" + mode->access + "' have?");
    for (const std::string &name : {same, valid})
      if (!name.empty())
        draft.useConstant(name);
    if (!same.empty() && !valid.empty())
      value = printWhich(tensor, {same, valid});
    signature.set(Role::PadMode, value);
    if (!same.empty())
      pattern.guess("the odd element of 'same' padding is at the end, as in "
                    "TensorFlow and ONNX's SAME_UPPER");
  } else if (top == "0" && left == "0") {
    pattern.guess("no parameter says the padding: the device has none");
  }
  // In NHWC, the type of the result names its sizes.
  signature.set(Role::OutHeight,
                isNHWC ? "oh"
                       : getOutput("ih", kernelH, strideH, dilationH, top,
                                   bottom, tensor));
  signature.set(Role::OutWidth,
                isNHWC ? "ow"
                       : getOutput("iw", kernelW, strideW, dilationW, left,
                                   right, tensor));
  if (!isLayoutKnown)
    pattern.guess("tensors are NCHW; for NHWC write layouts, such as "
                  "[n, c, ih, iw] as [n, ih, iw, c]");
}

std::string Window::getLayout(StringRef channels, StringRef height,
                              StringRef width) const {
  if (!isNHWC)
    return "";
  return ("[" + StringRef(batch) + ", " + height + ", " + width + ", " +
          channels + "]")
      .str();
}

void Window::setResult(PatternText &pattern, StringRef channels) {
  if (!isNHWC)
    return;
  // Names used only in types start with an underscore.
  std::string height = signature.has(Role::OutHeight) ? "oh" : "_oh";
  std::string width = signature.has(Role::OutWidth) ? "ow" : "_ow";
  pattern.setResultType(("[" + StringRef(batch) + ", " + channels + ", " +
                         height + ", " + width + "] as " +
                         getLayout(channels, height, width))
                            .str());
}

std::string Window::printOperator(StringRef start, StringRef end) {
  auto printPair = [](StringRef first, StringRef second) {
    return ("[" + first + ", " + second + "]").str();
  };
  std::string text = (start + ", strides=").str() + printPair(strideH, strideW);
  if (dilationH != "1" || dilationW != "1")
    text += ", dilations=" + printPair(dilationH, dilationW);
  text += end.str();
  if (!mode && top == "0" && left == "0" && bottom == "0" && right == "0")
    return text + ", padding=outside)";
  if (!mode)
    return text + ", padding=[" + top + ", " + left + ", " + bottom + ", " +
           right + "])";
  std::string result;
  if (!same.empty())
    result = text + ", padding=same)";
  if (!valid.empty())
    result += (same.empty() ? "" : " | ") + text + ", padding=[0, 0, 0, 0])";
  return result.empty() ? text + ", padding=any)" : result;
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

void Window::declare(ModelText &model) {
  auto declare = [&](StringRef name, Role role, Role both,
                     StringRef otherwise) {
    return model.declare(
        name, signature.access(role, signature.access(both, otherwise)));
  };
  names.batch = declare("batch", Role::Batch, Role::Batch, "1");
  names.channels = declare("channels", Role::Channels, Role::Filters, "1");
  names.filters = declare("filters", Role::Filters, Role::Channels, "1");
  names.height = declare("height", Role::Height, Role::Height, "1");
  names.width = declare("width", Role::Width, Role::Width, "1");
  names.kernelH = declare("kernel_h", Role::KernelH, Role::Kernel, kernelH);
  names.kernelW = declare("kernel_w", Role::KernelW, Role::Kernel, kernelW);
  names.strideH = declare("stride_h", Role::StrideH, Role::Stride, "1");
  names.strideW = declare("stride_w", Role::StrideW, Role::Stride, "1");
  names.dilationH = declare("dilation_h", Role::DilationH, Role::Dilation, "1");
  names.dilationW = declare("dilation_w", Role::DilationW, Role::Dilation, "1");
  declarePadding(model);
}

void Window::declarePadding(ModelText &model) {
  struct Dimension {
    StringRef letter, size, kernel, stride, dilation, before;
    Role first, last, pair, out;
    std::string *pad, *result;
  };
  const Dimension dimensions[] = {
      {"h", names.height, names.kernelH, names.strideH, names.dilationH, "top",
       Role::PadTop, Role::PadBottom, Role::PadH, Role::OutHeight, &names.top,
       &names.outH},
      {"w", names.width, names.kernelW, names.strideW, names.dilationW, "left",
       Role::PadLeft, Role::PadRight, Role::PadW, Role::OutWidth, &names.left,
       &names.outW}};
  for (const Dimension &d : dimensions) {
    bool isGiven = !mode && signature.has(d.out);
    std::string reach =
        isGiven ? ""
                : model.declare(("reach_" + d.letter).str(),
                                d.dilation + " * (" + d.kernel + " - 1) + 1");
    if (mode) {
      std::string isSame = same.empty()    ? "0"
                           : valid.empty() ? "1"
                                           : mode->access + " == " + same;
      *d.result =
          model.declare(("out_" + d.letter).str(),
                        "(" + d.size + " - (" + isSame + " ? 1 : " + reach +
                            ") + " + d.stride + ") / " + d.stride);
      std::string total = model.declare(
          ("pad_" + d.letter).str(), "(" + *d.result + " - 1) * " + d.stride +
                                         " + " + reach + " - " + d.size);
      *d.pad = model.declare(d.before, "(" + isSame + ") && " + total +
                                           " > 0 ? " + total + " / 2 : 0");
      continue;
    }
    std::string pair =
        signature.access(d.pair, signature.access(Role::Pad, "0"));
    *d.pad = model.declare(d.before, signature.access(d.first, pair));
    std::string after = signature.access(d.last, *d.pad);
    *d.result = model.declare(
        ("out_" + d.letter).str(),
        signature.access(d.out, "(" + d.size.str() + " + " + *d.pad + " + " +
                                    after + " - " + reach + ") / " +
                                    d.stride.str() + " + 1"));
  }
}

std::string Window::getIndex(StringRef channel, StringRef row, StringRef column,
                             bool isResult) const {
  const std::string &height = isResult ? names.outH : names.height;
  const std::string &width = isResult ? names.outW : names.width;
  const std::string &channels = isResult ? names.filters : names.channels;
  if (isNHWC)
    return ("((" + names.image + " * " + height + " + " + row + ") * " + width +
            " + " + column + ") * " + channels + " + " + channel)
        .str();
  return ("((" + names.image + " * " + channels + " + " + channel + ") * " +
          height + " + " + row + ") * " + width + " + " + column)
      .str();
}
