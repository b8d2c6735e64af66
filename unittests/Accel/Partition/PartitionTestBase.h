//===- PartitionTestBase.h - Parsing for the partition tests -*- C++ -*----===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef UMA_UNITTESTS_ACCEL_PARTITION_PARTITIONTESTBASE_H
#define UMA_UNITTESTS_ACCEL_PARTITION_PARTITIONTESTBASE_H

#include "uma/Accel/Partition/Passes.h"
#include "uma/Accel/Partition/Report.h"
#include "uma/Graph/IR/GraphOps.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

namespace uma::accel {

/// Two accelerators. @npu takes same-padded convolutions with an odd kernel,
/// relu and add; @dsp takes multiply and relu.
inline constexpr llvm::StringLiteral kAccelerators = R"mlir(
  uma.accel.accelerator @npu {
    uma.accel.pattern @conv2d {
      %ic = uma.accel.dim "ic"
      %oc = uma.accel.dim "oc"
      %kh = uma.accel.dim "kh"
      %kw = uma.accel.dim "kw"
      %ih = uma.accel.dim "ih"
      %iw = uma.accel.dim "iw"
      %x = uma.accel.input "ifmap" f32 [1, %ic, %ih, %iw]
      %w = uma.accel.input "weights" f32 [%oc, %ic, %kh, %kw]
      %y = uma.accel.op "conv2d"(%x, %w) as "result" {padding = "same"}
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %half = arith.constant 0.5 : f32
      %m = arith.remsi %kh, %c2 : index
      %odd = arith.cmpi eq, %m, %c1 : index
      %area = arith.muli %ih, %iw : index
      uma.accel.require %odd, "same padding needs an odd kernel"
      uma.accel.call "npu_conv2d"(%x, %w, %y, %oc, %area, %half)
          : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index, index, f32
    }
    uma.accel.pattern @relu {
      %x = uma.accel.input "x" f32
      %y = uma.accel.op "relu"(%x) as "y"
      uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
    }
    uma.accel.pattern @add {
      %a = uma.accel.input "a" f32
      %b = uma.accel.input "b" f32
      %y = uma.accel.op "add"(%a, %b) as "y"
      uma.accel.call "npu_add"(%a, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
    }
  }
  uma.accel.accelerator @dsp {
    uma.accel.pattern @multiply {
      %a = uma.accel.input "a" f32
      %b = uma.accel.input "b" f32
      %y = uma.accel.op "multiply"(%a, %b) as "y"
      uma.accel.call "dsp_multiply"(%a, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
    }
    uma.accel.pattern @relu {
      %x = uma.accel.input "x"
      %y = uma.accel.op "relu"(%x) as "y"
      uma.accel.call "dsp_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
    }
  }
)mlir";

class PartitionTestBase : public ::testing::Test {
protected:
  PartitionTestBase() { context.loadDialect<UMADialect>(); }

  /// Parses the accelerators above and `source`.
  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef source) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        (kAccelerators + source).str(), &context);
    EXPECT_TRUE(module);
    return module;
  }

  PatternOp getPattern(mlir::ModuleOp module, llvm::StringRef accelerator,
                       llvm::StringRef pattern) {
    auto accel = module.lookupSymbol<AcceleratorOp>(accelerator);
    return accel.lookupSymbol<PatternOp>(pattern);
  }

  mlir::MLIRContext context;
};

} // namespace uma::accel

#endif // UMA_UNITTESTS_ACCEL_PARTITION_PARTITIONTESTBASE_H
