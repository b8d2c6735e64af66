// A network comes as TOSA; its convolutions run on Vanilla, the rest goes through upstream's pipeline. mlir-runner prints the
// numbers that upstream's own lowering of the same file gives, and the device was called twice.

// RUN: rm -rf %t && mkdir %t
// RUN: %clang -shared -fPIC %dialects/vanilla/runtime/vanilla.c -o %t/libvanilla.so

// RUN: uma-opt %s --convert-tosa-to-uma-graph '--uma-graph-convert-layout=data-layout=NCHW kernel-layout=OIHW' \
// RUN:   --uma-partition=vanilla --convert-uma-graph-to-linalg -o %t/linalg.mlir
// RUN: FileCheck %s --check-prefix=LINALG --implicit-check-not=uma. --input-file=%t/linalg.mlir
// RUN: mlir-opt %t/linalg.mlir --pass-pipeline='builtin.module(%to_llvm)' -o %t/ours.mlir
// RUN: mlir-runner %t/ours.mlir -e main --entry-point-result=void %runner_libs --shared-libs=%t/libvanilla.so \
// RUN:   | sed 's/base@ = 0x[0-9a-f]*//' > %t/ours.txt
// RUN: FileCheck %s --check-prefixes=NUMBERS,OURS --input-file=%t/ours.txt

// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),%to_llvm)' -o %t/reference.mlir
// RUN: mlir-runner %t/reference.mlir -e main --entry-point-result=void %runner_libs --shared-libs=%t/libvanilla.so \
// RUN:   | sed 's/base@ = 0x[0-9a-f]*//' > %t/reference.txt
// RUN: FileCheck %s --check-prefixes=NUMBERS,REFERENCE --input-file=%t/reference.txt
// The calls stand in the last line.
// RUN: head -n -1 %t/ours.txt > %t/ours.numbers && head -n -1 %t/reference.txt > %t/reference.numbers
// RUN: diff %t/reference.numbers %t/ours.numbers

// A device that fails ends the program, with the layer's name (which upstream prints without a flush).
// RUN: env VANILLA_FAIL_AT=2:7 not --crash stdbuf -o0 mlir-runner %t/ours.mlir -e main --entry-point-result=void %runner_libs \
// RUN:   --shared-libs=%t/libvanilla.so 2>&1 | FileCheck %s --check-prefix=FAILURE

// LINALG-LABEL: func.func @net(%{{.*}}: tensor<1x4x4x3xf32>) -> tensor<1x4x4x2xf32> {
// LINALG: call @net_vanilla_0
// LINALG: linalg.generic
// LINALG: call @net_vanilla_1
// LINALG-LABEL: func.func private @net_vanilla_0(%arg0: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
// LINALG: %[[X:.*]] = bufferization.to_buffer %arg0 read_only
// LINALG: %[[STATUS:.*]] = call @vanilla_conv2dnchw({{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i32, i32) -> i32
// LINALG: %[[FINE:.*]] = arith.cmpi eq, %[[STATUS]]
// LINALG: cf.assert %[[FINE]], "layer 'first': vanilla_conv2dnchw reported an error"
// LINALG: func.func private @vanilla_conv2dnchw(!llvm.ptr, !llvm.ptr, !llvm.ptr, i32, i32, i32, i32, i32, i32) -> i32

// NUMBERS: sizes = [1, 4, 4, 2]
// OURS: calls: 2
// REFERENCE: calls: 0
// FAILURE: layer 'second': vanilla_conv2dnchw reported an error

func.func @net(%x: tensor<1x4x4x3xf32>) -> tensor<1x4x4x2xf32> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %w0 = "tosa.const"() <{values = dense<[[[[0.5, 0.25, -0.25], [1.0, 0.0, 0.5], [-0.5, 0.125, 0.25]],
                                          [[0.25, 0.5, 0.75], [-1.0, 1.0, 0.5], [0.0, 0.0, 0.25]],
                                          [[0.5, -0.5, 0.5], [0.25, 0.25, 0.5], [1.0, 0.5, -0.75]]],
                                         [[[-0.25, 0.25, 0.5], [0.0, 0.5, -0.5], [0.5, 0.5, 0.25]],
                                          [[0.75, -0.5, 0.25], [0.5, 0.25, 1.0], [-1.0, 0.0, 0.5]],
                                          [[0.5, 0.25, 0.25], [-0.25, 1.0, 0.0], [0.25, -0.5, 0.5]]]]> : tensor<2x3x3x3xf32>}> : () -> tensor<2x3x3x3xf32>
  %w1 = "tosa.const"() <{values = dense<[[[[0.5, -0.25]]], [[[1.5, 0.75]]]]> : tensor<2x1x1x2xf32>}> : () -> tensor<2x1x1x2xf32>
  %b0 = "tosa.const"() <{values = dense<[0.5, -0.25]> : tensor<2xf32>}> : () -> tensor<2xf32>
  %b1 = "tosa.const"() <{values = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %0 = tosa.conv2d %x, %w0, %b0, %zp, %zp {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x4x3xf32>, tensor<2x3x3x3xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32> loc("first")
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 0x7F800000 : f32} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = tosa.conv2d %1, %w1, %b1, %zp, %zp {acc_type = f32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}
      : (tensor<1x4x4x2xf32>, tensor<2x1x1x2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32> loc("second")
  %3 = tosa.add %2, %0 : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %3 : tensor<1x4x4x2xf32>
}

// What is no graph stays as it is.
func.func @main() {
  %x = arith.constant dense<[[[[1.0, 2.0, 3.0], [-1.0, 0.5, 2.5], [4.0, -2.0, 1.0], [0.0, 0.5, 0.25]],
                              [[1.5, -2.0, 0.5], [-1.0, 0.75, 2.5], [4.0, 2.0, 1.0], [0.0, 1.0, 0.25]],
                              [[3.0, 1.0, -3.0], [-1.5, 0.5, 2.5], [4.5, -2.0, 1.25], [7.0, 0.5, 0.25]],
                              [[-1.0, 2.0, 0.0], [1.0, -0.5, 2.5], [4.0, 0.0, 1.0], [0.5, 0.75, 0.25]]]]> : tensor<1x4x4x3xf32>
  %y = call @net(%x) : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x2xf32>
  %any = tensor.cast %y : tensor<1x4x4x2xf32> to tensor<*xf32>
  call @printMemrefF32(%any) : (tensor<*xf32>) -> ()
  %calls = call @vanilla_calls() : () -> i64
  vector.print str "calls: "
  vector.print %calls : i64
  return
}
func.func private @printMemrefF32(tensor<*xf32>)
func.func private @vanilla_calls() -> i64
