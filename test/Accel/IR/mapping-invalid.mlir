// Engines, paths between memories and patterns with tiles that make no sense. Errors at positions of the text language are
// tested in test/Accel/Language.

// RUN: uma-opt %s -split-input-file -verify-diagnostics

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body takes 1 argument}}
  uma.accel.engine "dma" {
    uma.accel.call "npu_wait"()
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body must end with uma.accel.yield of 1 number}}
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    uma.accel.yield %commands, %commands
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body must end with uma.accel.yield of 1 number}}
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.yield
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    // expected-error @+1 {{block with no terminator}}
    uma.accel.call "npu_wait"(%commands) : index
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    // expected-error @+1 {{'tensor.empty' cannot stand here: the body holds arith operations and one call}}
    %0 = tensor.empty() : tensor<4xf32>
    uma.accel.call "npu_wait"(%commands) : index
    uma.accel.yield %commands
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body has one call}}
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    uma.accel.call "npu_wait"(%commands) : index
    uma.accel.yield %commands
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-note @+1 {{the first one is here}}
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    uma.accel.yield %commands
  }
  // expected-error @+1 {{the description has the engine 'dma' twice}}
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    uma.accel.yield %commands
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  // expected-error @+1 {{the body takes 5 arguments, found 1}}
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor):
    uma.accel.call "npu_load"(%from) : !uma.accel.tensor
    %one = arith.constant 1 : index
    uma.accel.yield %one, %one
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  // expected-error @+1 {{the body must end with uma.accel.yield of 2 numbers}}
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%from, %to) : !uma.accel.tensor, index
    uma.accel.yield %rows
  }
}

// -----

// The pointer is the address in main memory.

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  // expected-error @+1 {{argument 0 of the body is a tensor, found 'index'}}
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: index, %to: !uma.accel.tensor, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%from, %to) : index, !uma.accel.tensor
    uma.accel.yield %rows, %rows
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  // expected-error @+1 {{argument 0 of the body is an index, found '!uma.accel.tensor'}}
  uma.accel.path "sram" to "main" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_store"(%from, %to) : !uma.accel.tensor, index
    uma.accel.yield %rows, %rows
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  // expected-error @+1 {{argument 4 of the body is an index, found 'i64'}}
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: i64):
    uma.accel.call "npu_load"(%from, %to) : !uma.accel.tensor, index
    uma.accel.yield %rows, %rows
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  uma.accel.memory "l2"
  // expected-error @+1 {{a transfer is between 'main' and a memory of the device, found 'l2' and 'sram'}}
  uma.accel.path "l2" to "sram" on "dma" {
  ^bb0(%from: index, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%from, %to) : index, index
    uma.accel.yield %rows, %rows
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{a transfer is between 'main' and a memory of the device, found 'main' and 'main'}}
  uma.accel.path "main" to "main" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%from, %to) : !uma.accel.tensor, index
    uma.accel.yield %rows, %rows
  }
}

// -----

// An unknown engine and an unknown memory.

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  // expected-error @+2 {{accelerator 'npu' has no engine 'dmaa'; did you mean 'dma'?}}
  // expected-error @+1 {{accelerator 'npu' has no memory 'sarm'; did you mean 'sram'?}}
  uma.accel.path "main" to "sarm" on "dmaa" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%from, %to) : !uma.accel.tensor, index
    %one = arith.constant 1 : index
    uma.accel.yield %one, %one
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%from, %to) : !uma.accel.tensor, index
    %one = arith.constant 1 : index
    uma.accel.yield %one, %one
  }
  // expected-error @+1 {{the description has a transfer from 'main' to 'sram' already}}
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.call "npu_load"(%from, %to) : !uma.accel.tensor, index
    %one = arith.constant 1 : index
    uma.accel.yield %one, %one
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{'main' is the memory that the host and the device share; give the device's memory another name}}
  uma.accel.memory "main"
}

// -----

uma.accel.accelerator @npu {
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    // expected-error @+1 {{'uma.accel.tile' op expects parent op 'uma.accel.pattern'}}
    uma.accel.tile %commands
    uma.accel.call "npu_wait"(%commands) : index
    uma.accel.yield %commands
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    %two = arith.constant 2 : index
    // expected-error @+1 {{a tile is along a size of the pattern}}
    uma.accel.tile %two by 8
    uma.accel.call "npu_relu"(%x, %y) on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{attribute 'step' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
    uma.accel.tile %n by 0
    uma.accel.call "npu_relu"(%x, %y) on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.tile %n by 8
    // expected-error @+1 {{'n' has a tile already}}
    uma.accel.tile %n
    // expected-error @+1 {{accelerator 'npu' has no engine 'core'}}
    uma.accel.call "npu_relu"(%x, %y) on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.tile %n
    // expected-error @+1 {{accelerator 'npu' has no engine 'coer'; did you mean 'core'?}}
    uma.accel.call "npu_relu"(%x, %y) on "coer" cycles %n : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

// Calls of a pattern with tiles are commands.

uma.accel.accelerator @npu {
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.tile %n
    // expected-error @+1 {{the call to 'npu_1' is a command of an engine; say which and how long it takes: call npu_1(...) on NAME { cycles = EXPRESSION }}}
    uma.accel.call "npu_1"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
    // expected-error @+1 {{the call to 'npu_2' is a command of an engine; say which and how long it takes}}
    uma.accel.call "npu_2"(%x, %y) on "core" : !uma.accel.tensor, !uma.accel.tensor
    // expected-error @+1 {{the call to 'npu_3' is a command of an engine; say which and how long it takes}}
    uma.accel.call "npu_3"(%x, %y) cycles %n : !uma.accel.tensor, !uma.accel.tensor
    // expected-error @+1 {{C code is no command of an engine}}
    uma.accel.call "npu_4"(%x, %y) code "f({0}, {1});" on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{a call on an engine belongs to a pattern with 'tile'}}
    uma.accel.call "npu_relu"(%x, %y) on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

// Statements that do not fit tiles.

uma.accel.accelerator @npu {
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.tile %n
    // expected-error @+1 {{'split' does not fit a pattern with 'tile'}}
    uma.accel.split %n by 16
    // expected-error @+1 {{'scratch' does not fit a pattern with 'tile'}}
    %t = uma.accel.scratch "t" f32 [%n]
    // expected-error @+1 {{'configure' does not fit a pattern with 'tile'}}
    uma.accel.configure "npu_mode"(%n) : index
    // expected-error @+1 {{'cost' does not fit a pattern with 'tile'}}
    uma.accel.cost %n
    uma.accel.call "npu_relu"(%x, %y, %t) on "core" cycles %n
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
  uma.accel.pattern @tanh {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "tanh"(%x) as "y"
    uma.accel.tile %n
    // expected-error @+1 {{'lower' does not fit a pattern with 'tile'}}
    uma.accel.lower
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n]
    %b = uma.accel.input "b" f32 [%n, %m]
    %t = uma.accel.op "add"(%x, %b) as "t"
    %y = uma.accel.op "relu"(%t) as "y"
    // expected-error @+1 {{'x' has no size 'm' in its type}}
    %1 = uma.accel.stride %x, %m
    uma.accel.call "npu_relu"(%x, %b, %y, %1) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// -----

// A tensor without a type has no sizes.

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %t = uma.accel.op "tanh"(%x) as "t"
    %y = uma.accel.op "relu"(%t) as "y"
    // expected-error @+1 {{'t' has no size 'n' in its type}}
    %1 = uma.accel.stride %t, %n
    uma.accel.call "npu_relu"(%x, %y, %1) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.attribute "rows" = 4
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %rows = uma.accel.target_attribute "rows" : index
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{'step' takes a size of the pattern, found an attribute of the target}}
    %1 = uma.accel.step %x, %rows
    uma.accel.call "npu_relu"(%x, %y, %1) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// -----

// A name for several sizes is no size of the tensor.

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %m = uma.accel.dim "m"
    %k = uma.accel.dim "k"
    %x = uma.accel.input "x" f32 [...%m, %k]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{'x' has no size 'm' in its type}}
    %1 = uma.accel.stride %x, %m
    uma.accel.call "npu_relu"(%x, %y, %1) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// -----

// Without tiles, a tensor between operators has no layout.

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %x = uma.accel.input "x" f32 [%n, %m]
    %t = uma.accel.op "tanh"(%x) as "t"
    // expected-error @+1 {{'t' stays in the device: only inputs and results of a pattern have a layout}}
    uma.accel.result %t f32 [%n, %m] as affine_map<(d0, d1) -> (d1, d0)>
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

// -----

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  uma.accel.engine "dma" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  // expected-error @+1 {{the body has no call}}
  uma.accel.path "main" to "sram" on "dma" {
  ^bb0(%from: !uma.accel.tensor, %to: index, %rows: index, %row_bytes: index, %stride: index):
    uma.accel.yield %rows, %rows
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body takes 2 index arguments}}
  uma.accel.tokens {
  ^bb0(%from: index):
    uma.accel.call "npu_push"(%from) : index
    uma.accel.call "npu_pop"(%from) : index
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body takes 2 index arguments}}
  uma.accel.tokens {
  ^bb0(%from: index, %to: i32):
    uma.accel.call "npu_push"(%from) : index
    uma.accel.call "npu_pop"(%from) : index
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body has two calls: push and pop}}
  uma.accel.tokens {
  ^bb0(%from: index, %to: index):
    uma.accel.call "npu_push"(%from, %to) : index, index
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.tokens {
  ^bb0(%from: index, %to: index):
    uma.accel.call "npu_push"(%from, %to) : index, index
    uma.accel.call "npu_pop"(%from, %to) : index, index
    // expected-error @+1 {{'tensor.empty' cannot stand here: the body holds arith operations and two calls}}
    %0 = tensor.empty() : tensor<4xf32>
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-note @+1 {{it is said here first}}
  uma.accel.tokens {
  ^bb0(%from: index, %to: index):
    uma.accel.call "npu_push"(%from, %to) : index, index
    uma.accel.call "npu_pop"(%from, %to) : index, index
  }
  // expected-error @+1 {{the description says its tokens twice}}
  uma.accel.tokens {
  ^bb0(%from: index, %to: index):
    uma.accel.call "npu_push"(%from, %to) : index, index
    uma.accel.call "npu_pop"(%from, %to) : index, index
  }
  uma.accel.await {
    uma.accel.call "npu_finish"()
  }
}

// -----

// A sum in parts whose calls do not know which part is the first.

uma.accel.accelerator @npu {
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  uma.accel.pattern @dense {
    %n = uma.accel.dim "n"
    %m = uma.accel.dim "m"
    %k = uma.accel.dim "k"
    %x = uma.accel.input "x" i8 [%n, %k]
    %w = uma.accel.input "w" i8 [%m, %k]
    %y = uma.accel.op "dense"(%x, %w) as "y"
    uma.accel.result %y i32 [%n, %m]
    uma.accel.tile %n
    // expected-error @+1 {{'k' is no size of the result, so that calls add up parts of it; tell them which part is the first: first(TENSOR)}}
    uma.accel.tile %k by 16
    uma.accel.call "npu_dense"(%x, %w, %y, %k) on "core" cycles %n
        : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    // expected-error @+1 {{'first' takes the result of an operator, to which calls add; 'x' is none}}
    %first = uma.accel.first %x
    uma.accel.call "npu_relu"(%x, %y, %first) : !uma.accel.tensor, !uma.accel.tensor, i1
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.memory "sram"
  uma.accel.memory "other"
  uma.accel.engine "core" {
  ^bb0(%commands: index):
    uma.accel.call "npu_wait"(%commands) : index
    %macs = arith.constant 0 : index
    uma.accel.yield %macs
  }
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.tile %n
    uma.accel.place %x, %y in "sram"
    // expected-error @+1 {{'y' is placed in a memory already}}
    uma.accel.place %y in "other"
    uma.accel.call "npu_relu"(%x, %y) on "core" cycles %n : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the host waits for no engine; write await FUNCTION(), which waits for all}}
  uma.accel.tokens {
  ^bb0(%from: index, %to: index):
    uma.accel.call "npu_push"(%from, %to) : index, index
    uma.accel.call "npu_pop"(%from, %to) : index, index
  }
}

// -----

uma.accel.accelerator @npu {
  uma.accel.tokens {
  ^bb0(%from: index, %to: index):
    uma.accel.call "npu_push"(%from, %to) : index, index
    uma.accel.call "npu_pop"(%from, %to) : index, index
  }
  uma.accel.await {
    uma.accel.call "npu_finish"()
  }
  // expected-error @+1 {{pattern 'relu' has no 'tile', so that no token orders its calls}}
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body takes 1 index argument}}
  uma.accel.layers {
    uma.accel.call "npu_layer"()
    uma.accel.call "npu_failed_layer"()
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the body has two calls: begin and failed}}
  uma.accel.layers {
  ^bb0(%number: index):
    uma.accel.call "npu_layer"(%number) : index
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the function of 'failed' takes no arguments}}
  uma.accel.layers {
  ^bb0(%number: index):
    uma.accel.call "npu_layer"(%number) : index
    uma.accel.call "npu_failed_layer"(%number) : index
  }
}

// -----

uma.accel.accelerator @npu {
  // expected-error @+1 {{the host does not wait for the commands; write await FUNCTION()}}
  uma.accel.launch {
    uma.accel.call "npu_start"()
  }
}
