// RUN: uma-opt %s | FileCheck %s
// RUN: uma-opt %s | uma-opt | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt | FileCheck %s

// CHECK-LABEL: uma.accel.accelerator @npu
uma.accel.accelerator @npu {
  // CHECK: uma.accel.attribute "sram_kib" = 64 : i64
  uma.accel.attribute "sram_kib" = 64 : i64
  // CHECK: uma.accel.attribute "mode" = "fast"
  uma.accel.attribute "mode" = "fast"
  // CHECK: uma.accel.attribute "fused" = true
  uma.accel.attribute "fused" = true
  // CHECK: uma.accel.merge_compiler_regions false
  uma.accel.merge_compiler_regions false
  // CHECK: uma.accel.keep_off "embedding*"
  uma.accel.keep_off "embedding*"
  // CHECK: uma.accel.pin "conv_1"
  uma.accel.pin "conv_1"
  // CHECK: uma.accel.layout "conv2d" "NHWC"
  uma.accel.layout "conv2d" "NHWC"
  // CHECK: uma.accel.script "TIR_PHASE_0" {
  uma.accel.script "TIR_PHASE_0" {
    builtin.module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
        transform.yield
      }
    }
  }
  // CHECK: uma.accel.memory "sram" align 128 {
  uma.accel.memory "sram" align 128 {
    %kib = uma.accel.target_attribute "sram_kib" : index
    // CHECK: uma.accel.yield %{{.*}}
    uma.accel.yield %kib
  }
  // CHECK: uma.accel.memory "dram" access_cost 2.500000e+00
  uma.accel.memory "dram" access_cost 2.5
  // CHECK: uma.accel.init {
  uma.accel.init {
    uma.accel.call "npu_init"()
  }
  // CHECK: uma.accel.await {
  uma.accel.await {
    uma.accel.call "npu_wait"()
  }
  // CHECK: uma.accel.replace "npu_relu" "RELU({0}, {{.}}{{.}}1}})"
  uma.accel.replace "npu_relu" "RELU({0}, {{1}})"
  // CHECK: uma.accel.prologue "LOCK();"
  uma.accel.prologue "LOCK();"
  // CHECK: uma.accel.epilogue "UNLOCK();"
  uma.accel.epilogue "UNLOCK();"
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    // CHECK: uma.accel.attribute_is "mode" "fast"
    %fast = uma.accel.attribute_is "mode" "fast"
    %fused = uma.accel.target_attribute "fused" : i1
    %ok = arith.andi %fast, %fused : i1
    uma.accel.require %ok, "mode"
    // CHECK: uma.accel.place %x, %y in "sram"
    uma.accel.place %x, %y in "sram"
    %c1 = arith.constant 1 : index
    // CHECK: uma.accel.configure "npu_mode"(%{{.*}}) : index
    uma.accel.configure "npu_mode"(%c1) : index
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
  // CHECK: uma.accel.strategy 12 {
  uma.accel.strategy 12 {
    uma.accel.pattern @relu {
      %x = uma.accel.input "x" f32
      %y = uma.accel.op "relu"(%x) as "y"
      uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
    }
  }
  uma.accel.pattern @lowered {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "tanh"(%x) as "y"
    // CHECK: uma.accel.lower
    uma.accel.lower
  }
}
