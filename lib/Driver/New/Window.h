//===- Window.h - Kernels, strides and padding -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_DRIVER_NEW_WINDOW_H
#define UMA_LIB_DRIVER_NEW_WINDOW_H

#include "Draft.h"
#include "ModelText.h"

namespace uma::draft {

/// Common part of convolutions and poolings: the sizes of the image and of the
/// window, and how the window moves.
class Window {
public:
  Window(Signature &signature, Draft &draft);

  /// Gives the slots their values. Adds guesses and questions about missing
  /// values to the pattern. `tensor` is the operator's result.
  void setNumbers(PatternText &pattern, StringRef tensor);
  /// Returns the operator for each padding mode of the device: `conv2d(x, w,
  /// strides=[sh, sw], padding=same)`. `start` is everything up to the
  /// attributes of the window.
  std::string printOperator(StringRef start, StringRef end);
  /// Returns the sizes of the image, and of the result if `isResult`.
  std::vector<std::string> getShape(bool isResult = false) const;

  /// Declares image, window and result as local variables of the model.
  void declare(ModelText &model);
  /// Returns the index of an element of the image, or of the result.
  std::string getIndex(StringRef channel, StringRef row, StringRef column,
                       bool isResult) const;

  /// Returns the shape of an image in the graph.
  std::vector<std::string> getImage(StringRef channels) const {
    return {batch, channels.str(), "ih", "iw"};
  }
  /// Returns the layout of an image on the device; empty if it is the graph's.
  std::string getLayout(StringRef channels, StringRef height = "ih",
                        StringRef width = "iw") const;
  /// Sets the shape and the layout of a result if the layout is not the
  /// graph's.
  void setResult(PatternText &pattern, StringRef channels);

  bool isNHWC = false, isLayoutKnown = false, isKernelKnown = false;
  std::string batch, kernelH, kernelW; ///< names in the description
  /// Names in the model.
  struct Names {
    std::string batch, channels, filters, height, width, kernelH, kernelW,
        strideH, strideW, dilationH, dilationW, top, left, outH, outW, image;
  } names;

private:
  std::string getAttribute(Role both, Role one, StringRef name, StringRef dim,
                           StringRef otherwise);
  std::string getOutput(StringRef size, StringRef kernel, StringRef stride,
                        StringRef dilation, StringRef before, StringRef after,
                        StringRef tensor) const;
  void readPadding();
  void declarePadding(ModelText &model);

  Signature &signature;
  Draft &draft;
  std::string strideH, strideW, dilationH, dilationW;
  std::string top, left, bottom, right; ///< empty for padding by a mode
  std::string same, valid;              ///< constants of the mode
  const Slot *mode = nullptr;
};

} // namespace uma::draft

#endif // UMA_LIB_DRIVER_NEW_WINDOW_H
