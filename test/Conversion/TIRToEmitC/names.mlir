// The options prefix and reserved decide the names in C.
// RUN: uma-opt %s --convert-uma-tir-to-emitc | uma-translate --uma-to-c | FileCheck %s --check-prefixes=ALL,DEFAULT
// RUN: uma-opt %s --convert-uma-tir-to-emitc=prefix= | uma-translate --uma-to-c | FileCheck %s --check-prefixes=ALL,DEFAULT
// RUN: uma-opt %s --convert-uma-tir-to-emitc=prefix=other | uma-translate --uma-to-c | FileCheck %s --check-prefixes=ALL,PREFIX --implicit-check-not=my_net_

// The prefix starts the names of functions and constants. Comments keep the model's name.
// ALL:      /* Network my net, compiled
// DEFAULT:  static const float my_net_w[4]
// PREFIX:   static const float other_w[4]
// DEFAULT:  static int32_t my_net_relu(
// PREFIX:   static int32_t other_relu(
// ALL:      npu_relu(
// DEFAULT:  int32_t my_net_run(
// PREFIX:   int32_t other_run(
// ALL:      float *hidden =
// DEFAULT:  my_net_relu(v1, my_net_w, hidden);
// PREFIX:   other_relu(v1, other_w, hidden);

// A prefix that is no identifier becomes one, as the network's name does. A keyword may be a prefix. Names that start with uma_ get a '_'.
// RUN: uma-opt %s "--convert-uma-tir-to-emitc=prefix={1 bad-name}" | uma-translate --uma-to-c | FileCheck %s --check-prefix=BAD
// BAD: static int32_t n1_bad_name_relu(
// BAD: int32_t n1_bad_name_run(
// RUN: uma-opt %s --convert-uma-tir-to-emitc=prefix=__x__ | uma-translate --uma-to-c | FileCheck %s --check-prefix=UNDERSCORE
// UNDERSCORE: int32_t x_run(
// RUN: uma-opt %s --convert-uma-tir-to-emitc=prefix=int | uma-translate --uma-to-c | FileCheck %s --check-prefix=KEYWORD
// KEYWORD: int32_t int_run(
// RUN: uma-opt %s --convert-uma-tir-to-emitc=prefix=uma | uma-translate --uma-to-c | FileCheck %s --check-prefix=UMA
// UMA: static int32_t uma_relu_(
// UMA: int32_t uma_run_(

// The device's function keeps its name.
// RUN: uma-opt %s --convert-uma-tir-to-emitc=prefix=npu | uma-translate --uma-to-c | FileCheck %s --check-prefix=DEVICE
// DEVICE: static int32_t npu_relu_2(
// DEVICE: = npu_relu(

// No function, constant or local variable takes a reserved name; it gets the first free suffix.
// RUN: uma-opt %s --convert-uma-tir-to-emitc=reserved=my_net_w,my_net_relu,my_net_relu_2,my_net_run,hidden | uma-translate --uma-to-c | FileCheck %s --check-prefix=RESERVED
// RESERVED: static const float my_net_w_2[4]
// RESERVED: static int32_t my_net_relu_3(
// RESERVED: = npu_relu(
// RESERVED: int32_t my_net_run_2(
// RESERVED: float *hidden_2 =
// RESERVED: my_net_relu_3(v1, my_net_w_2, hidden_2);

// A reserved name is compared with the whole name, prefix included, case-sensitively.
// RUN: uma-opt %s "--convert-uma-tir-to-emitc=prefix=other reserved=relu,w,run,my_net_relu,OTHER_RELU,other_run" | uma-translate --uma-to-c | FileCheck %s --check-prefix=BOTH
// BOTH: static const float other_w[4]
// BOTH: static int32_t other_relu(
// BOTH: int32_t other_run_2(

// Empty names, texts that are no identifier, keywords and functions that the device calls change nothing.
// RUN: uma-opt %s --convert-uma-tir-to-emitc > %t.default
// RUN: uma-opt %s "--convert-uma-tir-to-emitc=reserved=,1x,my-net,int,while,npu_relu,npu_relu" | diff %t.default -
// RUN: uma-opt %s --convert-uma-tir-to-emitc=reserved= | diff %t.default -

// A keyword gets the suffix '_', and a number if that name is reserved.
// RUN: sed 's|label "hidden"|label "while"|' %s | uma-opt --convert-uma-tir-to-emitc=reserved=while | uma-translate --uma-to-c | FileCheck %s --check-prefix=WHILE
// WHILE: float *while_ =
// RUN: sed 's|label "hidden"|label "while"|' %s | uma-opt --convert-uma-tir-to-emitc=reserved=while_ | uma-translate --uma-to-c | FileCheck %s --check-prefix=TAKEN
// TAKEN: float *while_2 =

// The prefix has no effect without a network; reserved names have.
// RUN: sed 's|uma.network = "my net", ||' %s | uma-opt "--convert-uma-tir-to-emitc=prefix=other reserved=relu,main_" | uma-translate --uma-to-c | FileCheck %s --check-prefix=NONETWORK
// NONETWORK: static const float w[4]
// NONETWORK: static int32_t relu_2(
// NONETWORK: int32_t main_2(

// A value is required.
// RUN: not uma-opt %s --convert-uma-tir-to-emitc=prefix 2>&1 | FileCheck %s --check-prefix=NOPREFIX
// NOPREFIX: for the --prefix option: requires a value!
// NOPREFIX-NOT: emitc.func
// RUN: not uma-opt %s --convert-uma-tir-to-emitc=reserved 2>&1 | FileCheck %s --check-prefix=NORESERVED
// NORESERVED: for the --reserved option: requires a value!
// NORESERVED-NOT: emitc.func

uma.accel.accelerator @npu {
  uma.accel.include "npu.h"
}
memref.global "private" constant @w : memref<4xf32> = dense<1.5>
uma.tir.func private @relu(%x: memref<4xf32>, %w: memref<4xf32>, %y: memref<4xf32>) attributes {uma.target = #uma.target<"npu">} {
  uma.tir.call_extern "npu_relu"(%x, %w, %y) writes [2] : memref<4xf32>, memref<4xf32>, memref<4xf32>
}
uma.tir.func @main(%x: memref<4xf32>, %y: memref<4xf32>) attributes {uma.network = "my net", uma.workspace_size = 64 : i64} {
  %w = memref.get_global @w : memref<4xf32>
  %a = uma.tir.alloc workspace offset 0 label "hidden" : memref<4xf32>
  uma.tir.call @relu(%x, %w, %a) : memref<4xf32>, memref<4xf32>, memref<4xf32>
  uma.tir.call @relu(%a, %w, %y) : memref<4xf32>, memref<4xf32>, memref<4xf32>
}
