//===- NumberProgram.h - Integer arithmetic of descriptions -*- C++ -*-----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_ACCEL_MAPPING_NUMBERPROGRAM_H
#define UMA_ACCEL_MAPPING_NUMBERPROGRAM_H

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>

namespace uma::accel {

/// The integer arithmetic of a block, compiled for repeated evaluation with
/// other inputs. Mappings evaluate the numbers of calls for each tile. Copies
/// share the code; each has its own numbers.
class NumberProgram {
public:
  /// Compiles the arith operations on integers and conditions in `block`.
  /// `getConstant` returns the value of other results, or null for inputs that
  /// `set` provides.
  NumberProgram(mlir::Block &block,
                llvm::function_ref<mlir::TypedAttr(mlir::Value)> getConstant);

  /// Returns whether `value` has a number.
  bool has(mlir::Value value) const { return code->slots.contains(value); }
  /// Returns whether the number of `value` depends on inputs.
  bool isVariable(mlir::Value value) const;
  void set(mlir::Value input, int64_t number) {
    numbers[code->slots.at(input)] = number;
  }
  /// Evaluates all operations. A division by 0 has the result 0.
  void run();
  int64_t get(mlir::Value value) const {
    return numbers[code->slots.at(value)];
  }

private:
  struct Instruction {
    mlir::Operation *op;
    unsigned result;
    llvm::SmallVector<unsigned, 3> operands;
  };
  struct Code {
    llvm::DenseMap<mlir::Value, unsigned> slots;
    llvm::SmallVector<bool> variable;
    llvm::SmallVector<Instruction> instructions;
  };
  void addOperation(mlir::Operation &op, Code &code);

  std::shared_ptr<const Code> code;
  llvm::SmallVector<int64_t> numbers;
};

} // namespace uma::accel

#endif // UMA_ACCEL_MAPPING_NUMBERPROGRAM_H
