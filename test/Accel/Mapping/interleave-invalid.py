# Interleaved layers that are written by hand and cannot be: each has one message, which says what is missing.
#
# RUN: %python %s | FileCheck %s --match-full-lines

import re
import subprocess

MODULE = """uma.accel.accelerator @npu {
  uma.accel.memory "sram" align 16 {
    %size = arith.constant 1024 : index
    uma.accel.yield %size
  }
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %macs = arith.constant 4 : index
    uma.accel.yield %macs
  }
  uma.accel.path "main" to "sram" on "core" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%to, %from, %row_bytes) : index, !uma.accel.tensor, index
    %setup = arith.constant 10 : index
    %bandwidth = arith.constant 4 : index
    uma.accel.yield %setup, %bandwidth
  }
  uma.accel.path "sram" to "main" on "core" {
  ^bb0(%from: index, %to: !uma.accel.tensor, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_store"(%to, %from, %row_bytes) : !uma.accel.tensor, index, index
    %setup = arith.constant 10 : index
    %bandwidth = arith.constant 4 : index
    uma.accel.yield %setup, %bandwidth
  }
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n]
    uma.accel.tile %n by 16
    uma.accel.place %x, %y in "sram"
    uma.accel.call "npu_relu"(%x, %y, %n) on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor, index
  }
}
func.func @main(%a: tensor<64xf32>) -> tensor<64xf32> {
  %r = call @layers(%a) : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}
func.func private @layers(%a: tensor<64xf32>) -> tensor<64xf32> attributes {uma.target = #uma.target<"npu">} {
  %0 = uma.graph.composite @npu::@relu (%x = %a : tensor<64xf32>) -> tensor<64xf32>
      attributes {uma.mapping = #uma.accel.mapping<FIRST>} {
    %1 = uma.graph.relu %x : (tensor<64xf32>) -> tensor<64xf32>
    uma.graph.yield %1 : tensor<64xf32>
  }
  %2 = uma.graph.composite @npu::@relu (%x = %0 : tensor<64xf32>) -> tensor<64xf32>
      attributes {uma.mapping = #uma.accel.mapping<SECOND>} {
    %3 = uma.graph.relu %x : (tensor<64xf32>) -> tensor<64xf32>
    uma.graph.yield %3 : tensor<64xf32>
  }
  return %2 : tensor<64xf32>
}
"""
TILES = "loops = [n by 16], buffers = "


def run(title, first, second):
    text = MODULE.replace("FIRST", first).replace("SECOND", second)
    done = subprocess.run(["uma-opt", "--uma-accel-map", "--convert-uma-graph-to-uma-tir"], input=text, capture_output=True, text=True)
    errors = re.findall(r"error: (?:'uma.graph.composite' op )?(.*)", done.stderr)
    print(f"{title}: {done.returncode}, {'; '.join(errors) or done.stdout.count('call_extern')}")


# The second layer finds the whole result of the first one in the memory: the loop over the commands has load, call and store of
# the first layer, call and store of the second one, and a wait at the end.
# CHECK: right: 0, 6
run("right", TILES + "[x at 1 double, y at 0]", TILES + "[x at 0 kept, y at 1 double], interleaved")

# CHECK-NEXT: alone: 1, accelerator 'npu' cannot compute the layer in tiles: 'x' cannot be kept: only inputs of an interleaved layer can
run("alone", TILES + "[x at 1, y at 0]", TILES + "[x at 0 kept, y at 1]")

# CHECK-NEXT: result: 1, accelerator 'npu' cannot compute the layer in tiles: 'y' cannot be kept: only inputs of an interleaved layer can
run("result", TILES + "[x at 1, y at 0]", TILES + "[x at 0, y at 0 kept], interleaved")

# CHECK-NEXT: part: 1, accelerator 'npu' cannot compute the layer in tiles: it keeps a tensor that no layer before, which is interleaved with it, has whole in this memory
run("part", TILES + "[x at 1, y at 1]", TILES + "[x at 0 kept, y at 1], interleaved")

# CHECK-NEXT: first: 1, accelerator 'npu' cannot compute the layer in tiles: it keeps a tensor that no layer before, which is interleaved with it, has whole in this memory
run("first", TILES + "[x at 0 kept, y at 1], interleaved", TILES + "[x at 1, y at 1]")

# CHECK-NEXT: large: 1, accelerator 'npu' cannot compute the layer in tiles: the layer and those that are interleaved with it need 1280 bytes of memory 'sram', which has 1024
run("large", "loops = [], buffers = [x at 0, y at 0]", TILES + "[x at 0, y at 0 double], interleaved")
