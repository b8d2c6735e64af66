//===- Prologue.h - What stands before the functions of a C file ----------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TIRTOEMITC_PROLOGUE_H
#define UMA_LIB_CONVERSION_TIRTOEMITC_PROLOGUE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace uma {

/// Functions of C that the prologue defines where the module needs them.
enum class CHelper {
  F16ToF32,
  F32ToF16,
  BF16ToF32,
  F32ToBF16,
  F64ToF32Odd,
  F64ToF16,
  F64ToBF16,
  PowI64,
  F32ToBits,
  BitsToF32,
};

llvm::StringRef getHelperName(CHelper helper);

/// The includes, macros and helper functions at the start of the C file.
class Prologue {
public:
  /// Asks for a helper, with those that it calls, and returns its name.
  llvm::StringRef require(CHelper helper);
  void requireMath() { math = true; }
  void requireString() { string = true; }
  void requireErrorHook() { errorHook = true; }
  void requireProfileHooks() { profileHooks = true; }
  void requireDeviceHooks() { deviceHooks = true; }
  void requireBoundsHook() { boundsHook = true; }
  void requireMayAlias() { mayAlias = true; }
  /// Asks for UMA_LANES, which says how wide the target's vectors are.
  void requireLanes() { lanes = true; }
  /// Asks for the vector types of so many lanes.
  void requireVectorType(int64_t count);
  /// Asks for a function on vectors, such as `load_f32`, and returns its name,
  /// `uma_load_f32x8`.
  std::string requireVector(mlir::VectorType type, llvm::StringRef function);
  /// Asks for a function of <math.h> of our own on f32, or on vectors of so
  /// many, such as `exp`, and returns its name.
  std::string requireMath(llvm::StringRef function, int64_t count);
  /// Asks for `sum`, `product`, `largest` or `smallest` of a vector's lanes.
  std::string requireReduction(llvm::StringRef function, int64_t count);
  /// Adds `#include "header"`, once.
  void addHeader(llvm::StringRef header);
  /// Adds the definition of a function that calls a device, at the end.
  void addDeviceFunction(llvm::StringRef text) {
    deviceFunctions += "\n" + text.str();
  }
  bool hasHeaders() const { return !headers.empty(); }

  /// Creates the operations at the builder's insertion point.
  void emit(mlir::OpBuilder &builder, mlir::Location loc,
            const std::optional<std::string> &network) const;

private:
  std::string getVectorText() const;
  static std::string getMathText(int64_t count,
                                 const std::set<std::string> &used);

  // A set with a fixed order: same input, same bytes.
  std::set<CHelper> helpers;
  llvm::SmallVector<std::string> headers;
  std::string deviceFunctions;
  bool math = false;
  bool string = false;
  bool errorHook = false;
  bool profileHooks = false;
  bool deviceHooks = false;
  bool boundsHook = false;
  bool mayAlias = false;
  bool lanes = false;
  /// The functions used, by the number of lanes, 1 for scalars.
  std::map<int64_t, std::set<std::string>> vectors;
};

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_PROLOGUE_H
