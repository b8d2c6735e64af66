# Layers that a device cannot compute in tiles, and mappings that do not fit their layer: each has one message, which says
# what is missing.
#
# RUN: %python %s | FileCheck %s --match-full-lines

import re
import subprocess

MODULE = """uma.accel.accelerator @npu {
  uma.accel.memory "sram" align 16 {
    %size = arith.constant 1024 : index
    uma.accel.yield %size
  }
  uma.accel.memory "other"
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %zero = arith.constant 0 : index
    %macs = arith.constant 4 : index
    uma.accel.yield %macs
  }
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%to, %from, %rows, %row_bytes, %stride)
        : index, !uma.accel.tensor, index, index, index
    %zero = arith.constant 0 : index
    %setup = arith.constant 10 : index
    %bandwidth = arith.constant 4 : index
    uma.accel.yield %setup, %bandwidth
  }
  uma.accel.pattern @layer {
    PATTERN
  }
}
func.func @main(FUNCTION) {
  %result = call @layer(CALL
  return %result : TYPE
}
func.func private @layer(FUNCTION) attributes {uma.target = #uma.target<"npu">} {
  %result = uma.graph.composite @npu::@layer (COMPOSITE)
      attributes {MAPPING} {
    OPERATOR
  }
  return %result : TYPE
}
"""
RELU = {
    "PATTERN": """%n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n, %m]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.result %y f32 [%n, %m]
    uma.accel.tile %n by 4
    uma.accel.place %x in "sram"
    %cycles = arith.muli %n, %m : index
    uma.accel.call "npu_relu"(%x, %y) on "dma" cycles %cycles : !uma.accel.tensor, !uma.accel.tensor""",
    "FUNCTION": "%a: TYPE) -> (TYPE",
    "CALL": "%a) : (TYPE) -> TYPE",
    "COMPOSITE": "%x = %a : TYPE) -> (TYPE",
    "OPERATOR": "%1 = uma.graph.relu %x : (TYPE) -> TYPE uma.graph.yield %1 : TYPE",
    "TYPE": "tensor<64x4xf32>",
}
CONV2D = {
    "PATTERN": """%oc = uma.accel.dim "oc"
    %ic = uma.accel.dim "ic"
    %h = uma.accel.dim "h"
    %p = uma.accel.dim "p"
    %x = uma.accel.input "x" f32 [1, %ic, %h, ?]
    %w = uma.accel.input "w" f32 [%oc, %ic, 3, 3]
    %y = uma.accel.op "conv2d"(%x, %w) as "y" {padding = [@p, 1, 1, 1]}
    uma.accel.result %y f32 [1, %oc, ?, ?]
    uma.accel.tile %oc
    %cycles = arith.constant 1 : index
    uma.accel.call "npu_conv"(%x, %w, %y, %p) on "dma" cycles %cycles
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index""",
    "FUNCTION": "%a: tensor<1x4x8x8xf32>, %b: tensor<8x4x3x3xf32>) -> (TYPE",
    "CALL": "%a, %b) : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> TYPE",
    "COMPOSITE": "%x = %a : tensor<1x4x8x8xf32>, %w = %b : tensor<8x4x3x3xf32>) -> (TYPE",
    "OPERATOR": """%1 = uma.graph.conv2d %x, %w {padding = array<i64: 1, 1, 1, 1>}
        : (tensor<1x4x8x8xf32>, tensor<8x4x3x3xf32>) -> TYPE
    uma.graph.yield %1 : TYPE""",
    "TYPE": "tensor<1x8x8x8xf32>",
}


def check(name, *edits, layer=RELU, mapping=None):
    """Prints the message for the layer after replacements of its text, or that there is none."""
    text = MODULE
    for key, value in layer.items():
        text = text.replace(key, value)
    text = text.replace("attributes {MAPPING}", f"attributes {{uma.mapping = #uma.accel.mapping<{mapping}>}}" if mapping else "")
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    decide = [] if mapping else ["--uma-accel-map"]
    run = subprocess.run(["uma-opt", *decide, "--convert-uma-graph-to-uma-tir"], input=text, capture_output=True, text=True, timeout=600)
    errors = re.findall(r"^<stdin>:\d+:\d+: error: (.*)", run.stderr, re.MULTILINE)
    start = "accelerator 'npu' cannot compute the layer in tiles: "
    if run.returncode != (1 if errors else 0) or len(errors) > 1 or errors and not errors[0].startswith(start):
        print(f"{name}: status {run.returncode}\n{run.stderr}")
    else:
        print(f"{name}: {errors[0].removeprefix(start) if errors else 'no error'}")


# CHECK: relu: no error
check("relu")
# CHECK-NEXT: conv2d: no error
check("conv2d", layer=CONV2D)

# The smallest tile of `x` has 4 rows of 4 floats. Gaps of the alignment count.
# CHECK-NEXT: fits: no error
check("fits", ("constant 1024", "constant 64"))
# CHECK-NEXT: small: needs 64 bytes of memory 'sram' (x 64), which has 63
check("small", ("constant 1024", "constant 63"))
# CHECK-NEXT: aligned: needs 128 bytes of memory 'sram' (x 64), which has 127
check("aligned", ("constant 1024", "constant 127"), ("align 16", "align 128"))

# Numbers of the device that have no value, or none that makes sense.
DIVIDES = "arith.divsi %zero, %zero : index"
# CHECK-NEXT: size: the size of memory 'sram' divides by zero
check("size", ("%size = arith.constant 1024 : index", "%zero = arith.constant 0 : index\n    %size = " + DIVIDES))
# CHECK-NEXT: macs: a number of engine 'dma' divides by zero
check("macs", ("%macs = arith.constant 4 : index", "%macs = " + DIVIDES))
# CHECK-NEXT: setup: a number of the transfer to memory 'sram' divides by zero
check("setup", ("%setup = arith.constant 10 : index", "%setup = " + DIVIDES))
# CHECK-NEXT: negative: the transfer to memory 'sram' has setup -10 and bandwidth 4; {{.*}}
check("negative", ("%setup = arith.constant 10", "%setup = arith.constant -10"))
# CHECK-NEXT: bandwidth: the transfer to memory 'sram' has setup 10 and bandwidth 0; {{.*}} a bandwidth 1 byte per cycle or more
check("bandwidth", ("%bandwidth = arith.constant 4", "%bandwidth = arith.constant 0"))

# Tensors that nothing moves.
# CHECK-NEXT: load: nothing moves 'x' to memory 'other': transfer main -> other on ENGINE { ... }
check("load", ('place %x in "sram"', 'place %x in "other"'))
# CHECK-NEXT: store: nothing moves 'y' to main memory: transfer sram -> main on ENGINE { ... }
check("store", ('place %x in "sram"', 'place %x, %y in "sram"'))

# Operators without parts, calls that cannot find them, and cycles that are not known for parts.
# CHECK-NEXT: operator: its operator softmax cannot be computed in parts
check("operator", ('"relu"', '"softmax"'), ("graph.relu", "graph.softmax"))
# CHECK-NEXT: stride: needs parts of tensors that its calls cannot address: they take no stride(...)
check("stride", ("64x4", "64x512"), ("tile %n by 4", "tile %n by 4\n    uma.accel.tile %m"))
# CHECK-NEXT: cycles: the cycles of npu_relu depend on more than whole numbers
check("cycles", ("%cycles = arith.muli %n, %m : index", """%scale = uma.accel.scale %x
    %large = arith.cmpf ogt, %scale, %scale : f64
    %cycles = arith.index_castui %large : i1 to index"""))

# Sizes that are neither sizes of the result nor summed over.
# CHECK-NEXT: rows: 'h' is neither a size of the result nor one that conv2d sums over
FIRST = ("uma.accel.result", "%first = uma.accel.first %y\n    uma.accel.result")
check("rows", ("tile %oc", "tile %h"), FIRST, layer=CONV2D)
# CHECK-NEXT: padding: nothing gives 'p' a size
check("padding", ("tile %oc", "tile %p"), layer=CONV2D)
# CHECK-NEXT: sides: 'p' is the padding of several sides, which differ from tile to tile; give each side its own name
check("sides", ("[@p, 1, 1, 1]", "[@p, 1, @p, 1]"), layer=CONV2D)

# Calls that nothing orders.
AGAIN = 'uma.accel.call "npu_relu"(%x, %y) on "dma" cycles %cycles : !uma.accel.tensor, !uma.accel.tensor'
# CHECK-NEXT: unplaced: several calls take 'y', which is in main memory; place it in a memory
check("unplaced", (AGAIN, f"{AGAIN}\n    {AGAIN}"))

# Mappings that were written by hand, or for another layer.
# CHECK-NEXT: by hand: no error
check("by hand", mapping="loops = [n by 16], buffers = [x at 1 double], rows")
# CHECK-NEXT: loop: the loop over 'm' is along no size with a tile
check("loop", mapping="loops = [m by 4], buffers = [x at 1]")
# CHECK-NEXT: loop twice: the loop over 'n' is written twice
check("loop twice", mapping="loops = [n by 8, n by 4], buffers = [x at 1]")
# CHECK-NEXT: step: the tile of 'n' has 6 elements, expected a multiple of 4
check("step", mapping="loops = [n by 6], buffers = [x at 1]")
# CHECK-NEXT: tensor: the pattern has no tensor 'w'
check("tensor", mapping="loops = [], buffers = [w at 0]")
# CHECK-NEXT: no buffer: the mapping needs buffers of x, in this order
check("no buffer", mapping="loops = [], buffers = []")
# CHECK-NEXT: buffer twice: the mapping needs buffers of x, in this order
check("buffer twice", mapping="loops = [], buffers = [x at 0, x at 0]")
# CHECK-NEXT: not placed: the mapping needs buffers of x, in this order
check("not placed", mapping="loops = [], buffers = [x at 0, y at 0]")
# CHECK-NEXT: large: needs 1536 bytes of memory 'sram' (x 768 twice), which has 1024
check("large", mapping="loops = [n by 48], buffers = [x at 1 double]")
# CHECK-NEXT: address: its calls cannot address the tiles of the mapping
check("address", ("tile %n by 4", "tile %n by 4\n    uma.accel.tile %m"), mapping="loops = [m by 2], buffers = [x at 1]")
