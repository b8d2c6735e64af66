// RUN: uma-opt %s -uma-accel-apply-script='accelerator=npu index=1' | FileCheck %s
// RUN: not uma-opt %s -uma-accel-apply-script='accelerator=npu index=2' 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not uma-opt %s -uma-accel-apply-script='accelerator=npu' 2>&1 | FileCheck %s --check-prefix=FAILED

// COUNT: error: uma-accel-apply-script: accelerator 'npu' has 2 scripts, but number 2 is wanted, counted from 0
// FAILED: remark: it runs
// FAILED: error: {{.*}}no-such-pass
// FAILED: [[#@LINE+4]]:3: error: the script of TIR_PHASE_0 of accelerator 'npu' failed

uma.accel.accelerator @npu {

  uma.accel.script "TIR_PHASE_0" {
    builtin.module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
        transform.debug.emit_remark_at %module, "it runs" : !transform.any_op
        transform.apply_registered_pass "no-such-pass" to %module : (!transform.any_op) -> !transform.any_op
        transform.yield
      }
    }
  }
  uma.accel.script "TIR_PHASE_2" {
    builtin.module attributes {transform.with_named_sequence} {
      transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
        %loops = transform.structured.match ops{["uma.tir.for"]} in %module : (!transform.any_op) -> !transform.any_op
        %unrolled = transform.param.constant 3 : i32 -> !transform.param<i32>
        transform.annotate %loops "kind" = %unrolled : !transform.any_op, !transform.param<i32>
        transform.yield
      }
    }
  }
}

// CHECK-LABEL: uma.tir.func @f
uma.tir.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
  // CHECK-NEXT: uma.tir.for unrolled
  uma.tir.for %i = 0 to 4 {
    %v = memref.load %x[%i] : memref<4xf32>
    memref.store %v, %y[%i] : memref<4xf32>
  }
}
