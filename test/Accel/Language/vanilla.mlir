// The description that the repository has, found by its name, is a description for everybody:
// without a path, and at the start of a module that has something in it already.

// RUN: uma-opt %s --uma-accel-load=accelerators=vanilla | FileCheck %s

// CHECK: module
// CHECK-NEXT: uma.accel.accelerator @vanilla attributes {source = "{{.*}}/dialects/vanilla/vanilla.uma"} {
// CHECK-NEXT: uma.accel.include "vanilla.h"
// CHECK-NEXT: uma.accel.model "{{.*}}/dialects/vanilla/runtime/vanilla.c"
// CHECK: uma.accel.input "ifmap" f32 [1, %ic, %ih, %iw]
// CHECK: uma.accel.input "weights" f32 [%oc, %ic, %kh, %kw]
// CHECK: uma.accel.op "conv2d"(%ifmap, %weights) as "result" {dilations = [1, 1], groups = 1 : i64, padding = "same", strides = [1, 1]}
// CHECK: uma.accel.require %{{.*}}, "same padding needs an odd kernel" source "kh % 2 == 1 && kw % 2 == 1"
// CHECK: uma.accel.call "vanilla_conv2dnchw"(%ifmap, %weights, %result, %oc, %iw, %ih, %ic, %kh, %kw)
// CHECK: func.func private @f()
func.func private @f()

// Operations have the positions of the text.
// RUN: uma-opt %s --uma-accel-load=accelerators=vanilla --mlir-print-debuginfo --mlir-print-local-scope \
// RUN:   | FileCheck %s --check-prefix=LOC
// LOC: uma.accel.op "conv2d"{{.*}} loc("{{.*}}vanilla.uma":7:14)
