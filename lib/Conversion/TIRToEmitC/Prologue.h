//===- Prologue.h - Prologue of a C file -*- C++ -*------------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_LIB_CONVERSION_TIRTOEMITC_PROLOGUE_H
#define UMA_LIB_CONVERSION_TIRTOEMITC_PROLOGUE_H

#include "uma/Accel/IR/AccelOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace uma {

/// C functions that the prologue defines on demand.
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
  F64ToBits,
  BitsToF64,
};

llvm::StringRef getHelperName(CHelper helper);

/// Includes, macros and helper functions at the start of the C file.
class Prologue {
public:
  /// Requests a helper and its callees, and returns its name.
  llvm::StringRef require(CHelper helper);
  /// Requests the conversion between a format of 8 bits and f32, and returns
  /// its name, e.g. `uma_f8e5m2_to_f32`.
  std::string requireFloat8(mlir::Type type, bool toF32);
  void requireMath() { math = true; }
  /// Requests arithmetic as IEEE 754 defines it.
  void requireFloats() { floats = true; }
  /// Requests the byte order of an image of weights.
  void requireImage() { image = true; }
  void requireString() { string = true; }
  void requireErrorHook() { errorHook = true; }
  void requireProfileHooks() { profileHooks = true; }
  void requireDeviceHooks() { deviceHooks = true; }
  void requireBoundsHook() { boundsHook = true; }
  void requireMayAlias() { mayAlias = true; }
  /// Requests UMA_LANES, the vector width of the target.
  void requireLanes() { lanes = true; }
  /// Requires the function that transposes a square of `size` elements of
  /// `bits` bits, and returns its name.
  std::string requireTranspose(unsigned bits, int64_t size);
  /// Requests the vector types with `count` lanes.
  void requireVectorType(mlir::VectorType type);
  /// Requests a function on vectors, such as `load_f32`, and returns its name,
  /// e.g. `uma_load_f32x8`.
  std::string requireVector(mlir::VectorType type, llvm::StringRef function);
  /// Requests a function on words, such as `load_word` or `dot_i16`, and
  /// returns its name.
  std::string requireWord(llvm::StringRef function);
  /// Requests uma's version of a <math.h> function, such as `exp`, on f32 or on
  /// vectors of `count` lanes, and returns its name.
  std::string requireMath(llvm::StringRef function, int64_t count);
  /// Requests the reduction `sum`, `product`, `largest` or `smallest` of a
  /// vector's lanes of f32, or the sum of lanes of i32, and returns its name.
  std::string requireReduction(llvm::StringRef function,
                               llvm::StringRef element, int64_t count);
  /// Adds `#include "header"`, once.
  void addHeader(llvm::StringRef header);
  /// Appends the definition of a function that calls a device.
  void addDeviceFunction(llvm::StringRef text) {
    deviceFunctions += "\n" + text.str();
  }
  /// Adds an instruction that computes dot products of pairs (i16) or quads
  /// (u8) in vectors of `lanes` words.
  void addInstruction(accel::InstructionOp instruction);
  /// Requests the functions of an instruction with operands in memory by its
  /// full name. Returns false if no description has it.
  bool requireTileInstruction(llvm::StringRef name);
  bool hasHeaders() const { return !headers.empty(); }

  /// Creates the operations at the builder's insertion point.
  void emit(mlir::OpBuilder &builder, mlir::Location loc,
            const std::optional<std::string> &network) const;

private:
  std::string getVectorText() const;
  std::string getFloat8Text() const;

  // An ordered set, for reproducible output.
  std::set<CHelper> helpers;
  /// Conversions of floats of 8 bits and the parameters of their formats.
  std::map<std::string, llvm::StringRef> decoders, encoders;
  llvm::SmallVector<std::string> headers;
  /// Instructions of descriptions, in order.
  llvm::SmallVector<accel::InstructionOp> instructions;
  std::set<std::string> tileInstructions;
  std::string deviceFunctions;
  bool math = false;
  bool floats = false;
  bool image = false;
  bool string = false;
  bool errorHook = false;
  bool profileHooks = false;
  bool deviceHooks = false;
  bool boundsHook = false;
  bool mayAlias = false;
  bool lanes = false;
  /// Functions used, by the number of lanes (1 for scalars).
  std::map<int64_t, std::set<std::string>> vectors;
};

/// Replaces all of `from` in `text`, but not in what replaces it.
void replaceAll(std::string &text, llvm::StringRef from, const llvm::Twine &to);

/// Appends the branch of an #if for the condition `guard` to `branches`.
void addBranch(std::string &branches, llvm::StringRef guard,
               llvm::StringRef code);

/// Returns the functions of `used` on integers in lanes, or in single words if
/// `count` is 1. Dot products use `instructions` where these exist.
std::string
getIntegerPrologue(int64_t count, const std::set<std::string> &used,
                   llvm::ArrayRef<accel::InstructionOp> instructions);

/// Returns the functions of `used` that load and store integers of 8 and 16
/// bits, which are in lanes of 32 bits.
std::string getNarrowPrologue(int64_t count, const std::set<std::string> &used);

/// Returns the dot product of pairs of bf16 in lanes, with the placeholder `@`
/// for their number, or of one pair if `count` is 1, and the instructions for
/// it as branches of an #if.
llvm::StringRef getBF16Dot(int64_t count);
std::string getBF16Instructions(int64_t lanes);

/// Returns the functions of `used` that load, store and round numbers of bf16,
/// which are in lanes of f32.
std::string getBF16Prologue(int64_t count, const std::set<std::string> &used);

/// Returns the functions of `used` that load, store and round numbers of f16,
/// which are in lanes of f32.
std::string getF16Prologue(int64_t count, const std::set<std::string> &used);

/// Returns the functions of `used` that transpose squares whose rows are
/// vectors of `count` lanes of 32 bits.
std::string getTransposePrologue(int64_t count,
                                 const std::set<std::string> &used);

/// Returns the function that looks bytes up in a table, if it is in `used`.
std::string getLookupPrologue(const std::set<std::string> &used);

/// Returns the functions of `used` for fixed-point arithmetic, in lanes or, if
/// `count` is 1, on one number.
std::string getFixedPointPrologue(int64_t count,
                                  const std::set<std::string> &used);

/// Returns uma's versions of the <math.h> functions of `used`.
std::string getMathPrologue(int64_t count, const std::set<std::string> &used);

} // namespace uma

#endif // UMA_LIB_CONVERSION_TIRTOEMITC_PROLOGUE_H
