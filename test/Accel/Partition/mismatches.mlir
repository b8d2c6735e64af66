// RUN: uma-opt %s -uma-accel-merge-composite=report=true -split-input-file -verify-diagnostics

// The reason for each constraint that can fail.

uma.accel.accelerator @npu {
  // expected-warning @+1 {{matched nothing: closest is conv2d 'strides', but strides is [2, 2], the pattern wants [1, 1]}}
  uma.accel.pattern @conv2d {
    %ic = uma.accel.dim "ic"
    %oc = uma.accel.dim "oc"
    %kh = uma.accel.dim "kh"
    %kw = uma.accel.dim "kw"
    %ih = uma.accel.dim "ih"
    %iw = uma.accel.dim "iw"
    %x = uma.accel.input "ifmap" f32 [1, %ic, %ih, %iw]
    %w = uma.accel.input "weights" f32 [%oc, %ic, %kh, %kw]
    %y = uma.accel.op "conv2d"(%x, %w) as "result" {strides = [1, 1], dilations = [1, 1], groups = 1, padding = "same"}
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %mh = arith.remsi %kh, %c2 : index
    %mw = arith.remsi %kw, %c2 : index
    %oddh = arith.cmpi eq, %mh, %c1 : index
    %oddw = arith.cmpi eq, %mw, %c1 : index
    %odd = arith.andi %oddh, %oddw : i1
    uma.accel.require %odd, "same padding needs an odd kernel" source "kh % 2 == 1 && kw % 2 == 1"
    uma.accel.call "npu_conv2d"(%x, %w, %y, %oc) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, index
  }
}

func.func @attributes(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x3x3xf32>, %g: tensor<8x4x3x3xf32>, %e: tensor<8x8x2x2xf32>, %l: tensor<8x3x3x8xf32>) {
  // expected-remark @unknown {{conv2d 'strides' does not run on 'npu': conv2d 'strides': strides is [2, 2], the pattern wants [1, 1]}}
  %0 = uma.graph.conv2d %x, %w strides [2, 2] padding [0, 0, 1, 1] : (tensor<1x8x4x4xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x2x2xf32> loc("strides")
  // expected-remark @unknown {{conv2d 'dilations': dilations is [2, 2], the pattern wants [1, 1]}}
  %1 = uma.graph.conv2d %x, %w padding [2, 2, 2, 2] dilations [2, 2] : (tensor<1x8x4x4xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x4x4xf32> loc("dilations")
  // expected-remark @unknown {{conv2d 'groups': groups is 2, the pattern wants 1}}
  %2 = uma.graph.conv2d %x, %g padding [1, 1, 1, 1] groups 2 : (tensor<1x8x4x4xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32> loc("groups")
  // expected-remark @unknown {{conv2d 'padding': padding is [0, 0, 0, 0], the pattern wants same, which is [1, 1, 1, 1] here}}
  %3 = uma.graph.conv2d %x, %w : (tensor<1x8x4x4xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x2x2xf32> loc("padding")
  // expected-remark @unknown {{conv2d 'layout': kernel_layout is OHWI, the pattern wants its default OIHW}}
  %4 = uma.graph.conv2d %x, %l padding [1, 1, 1, 1] kernel_layout "OHWI" : (tensor<1x8x4x4xf32>, tensor<8x3x3x8xf32>) -> tensor<1x8x4x4xf32> loc("layout")
  // expected-remark @unknown {{conv2d 'even': same padding needs an odd kernel (kh % 2 == 1 && kw % 2 == 1 with kh = 2, kw = 2)}}
  %5 = uma.graph.conv2d %x, %e padding [0, 0, 1, 1] : (tensor<1x8x4x4xf32>, tensor<8x8x2x2xf32>) -> tensor<1x8x4x4xf32> loc("even")
  // expected-remark @unknown {{conv2d 'accumulator': out_dtype is f64, which the pattern does not mention; out_dtype=any would take it}}
  %6 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] out_dtype f64 : (tensor<1x8x4x4xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x4x4xf64> loc("accumulator")
  return
}

func.func @inputs(%x: tensor<2x8x4x4xf32>, %w: tensor<8x8x3x3xf32>, %h: tensor<1x8x4x4xf16>, %v: tensor<8x8x3x3xf16>) {
  // expected-remark @unknown {{conv2d 'batch': ifmap has size 2 in dimension 0, the pattern wants 1}}
  %0 = uma.graph.conv2d %x, %w padding [1, 1, 1, 1] : (tensor<2x8x4x4xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x4x4xf32> loc("batch")
  // expected-remark @unknown {{conv2d 'type': ifmap is f16, the pattern wants f32}}
  %1 = uma.graph.conv2d %h, %v padding [1, 1, 1, 1] : (tensor<1x8x4x4xf16>, tensor<8x8x3x3xf16>) -> tensor<1x8x4x4xf16> loc("type")
  // expected-remark @unknown {{relu 'other' does not run on 'npu': no pattern for 'relu'}}
  %2 = uma.graph.relu %1 : (tensor<1x8x4x4xf16>) -> tensor<1x8x4x4xf16> loc("other")
  return
}

// -----

uma.accel.accelerator @npu {
  // expected-warning @+1 {{matched nothing}}
  uma.accel.pattern @square {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n, %n]
    %b = uma.accel.input "b" f32 [%n]
    %y = uma.accel.op "add"(%x, %b) as "y"
    uma.accel.call "npu_add"(%x, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @dims(%x: tensor<4x8xf32>, %s: tensor<4x4xf32>, %b: tensor<8xf32>, %one: tensor<1xf32>) {
  // expected-remark @unknown {{add 'unequal': n is both 4 and 8 in x}}
  %0 = uma.graph.add %x, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> loc("unequal")
  // expected-remark @unknown {{add 'across': n is 4 in x but 1 in b}}
  %1 = uma.graph.add %s, %one : (tensor<4x4xf32>, tensor<1xf32>) -> tensor<4x4xf32> loc("across")
  // expected-remark @unknown {{add 'rank': b has the shape [4, 4], the pattern wants 1 dimension}}
  %2 = uma.graph.add %s, %s : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc("rank")
  return
}

// -----

// Structure: what feeds an operator, what uses it, how many operands it has.
uma.accel.accelerator @npu {
  // expected-warning @+1 {{matched nothing}}
  uma.accel.pattern @conv_bias_relu {
    %x = uma.accel.input "x"
    %w = uma.accel.input "w"
    %b = uma.accel.input "b"
    %c = uma.accel.op "conv2d"(%x, %w)
    %t = uma.accel.op "bias_add"(%c, %b)
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.call "npu"(%x, %w, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
  // expected-warning @+1 {{matched nothing: closest is concatenate 'three', but has 3 operands, the pattern wants 2}}
  uma.accel.pattern @concat {
    %a = uma.accel.input "a"
    %b = uma.accel.input "b"
    %y = uma.accel.op "concatenate"(%a, %b) as "y" {axis = "any"}
    uma.accel.call "npu_concat"(%a, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
  // expected-warning @+1 {{matched nothing: closest is multiply 'product', but operand 1 is an input of the graph, the pattern wants 'a' again}}
  uma.accel.pattern @square {
    %a = uma.accel.input "a"
    %y = uma.accel.op "multiply"(%a, %a) as "y"
    uma.accel.call "npu_square"(%a, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @structure(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x1x1xf32>, %b: tensor<8xf32>) -> (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) {
  // expected-remark @unknown {{relu 'alone' does not run on 'npu': relu 'alone': operand 0 is an input of the graph, the pattern wants the result of a bias_add}}
  %0 = uma.graph.relu %x : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> loc("alone")
  // expected-remark @unknown {{conv2d 'last' does not run on 'npu': conv2d 'last': the result is one of the graph's, the pattern wants a bias_add there}}
  %1 = uma.graph.conv2d %0, %w : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> loc("last")
  %k = uma.graph.constant dense<1.0> : tensor<1x8x4x4xf32>
  // expected-remark @unknown {{bias_add 'bias' does not run on 'npu': bias_add 'bias': operand 0 is a constant, the pattern wants the result of a conv2d}}
  %2 = uma.graph.bias_add %k, %b : (tensor<1x8x4x4xf32>, tensor<8xf32>) -> tensor<1x8x4x4xf32> loc("bias")
  // expected-remark @unknown {{relu 'act' does not run on 'npu': bias_add 'bias': operand 0 is a constant}}
  %3 = uma.graph.relu %2 : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> loc("act")
  // expected-remark @unknown {{conv2d 'first': the result goes to relu 'act2', the pattern wants a bias_add there}}
  %4 = uma.graph.conv2d %3, %w : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> loc("first")
  // expected-remark @unknown {{relu 'act2': operand 0 is conv2d 'first', the pattern wants the result of a bias_add}}
  %5 = uma.graph.relu %4 : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> loc("act2")
  // expected-remark @unknown {{conv2d 'dead': nothing uses the result, the pattern wants a bias_add there}}
  %6 = uma.graph.conv2d %5, %w : (tensor<1x8x4x4xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x4x4xf32> loc("dead")
  // expected-remark @unknown {{concatenate 'three': has 3 operands, the pattern wants 2}}
  %7 = uma.graph.concatenate %b, %b, %b axis 0 : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<24xf32> loc("three")
  // expected-remark @unknown {{multiply 'product': operand 1 is an input of the graph, the pattern wants 'a' again}}
  %8 = uma.graph.multiply %5, %x : (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> loc("product")
  return %1, %5, %8 : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>
}

// -----

// Results inside a match must not be used outside.
uma.accel.accelerator @npu {
  // expected-warning @+1 {{matched nothing: closest is bias_add 'bias', but its result is used elsewhere, by add 'skip'}}
  uma.accel.pattern @bias_relu {
    %x = uma.accel.input "x"
    %b = uma.accel.input "b"
    %t = uma.accel.op "bias_add"(%x, %b)
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.call "npu"(%x, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @uses(%x: tensor<1x8xf32>, %b: tensor<8xf32>) -> (tensor<1x8xf32>, tensor<1x8xf32>) {
  // expected-remark @unknown {{bias_add 'bias' does not run on 'npu': bias_add 'bias': its result is used elsewhere, by add 'skip'}}
  %0 = uma.graph.bias_add %x, %b : (tensor<1x8xf32>, tensor<8xf32>) -> tensor<1x8xf32> loc("bias")
  // expected-remark @unknown {{relu 'act' does not run on 'npu': bias_add 'bias': its result is used elsewhere, by add 'skip'}}
  %1 = uma.graph.relu %0 : (tensor<1x8xf32>) -> tensor<1x8xf32> loc("act")
  // expected-remark @unknown {{add 'skip' does not run on 'npu': no pattern for 'add'}}
  %2 = uma.graph.add %0, %1 : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32> loc("skip")
  // expected-remark @unknown {{bias_add 'returned' does not run on 'npu': bias_add 'returned': its result is used elsewhere, by the graph's results}}
  %3 = uma.graph.bias_add %2, %b : (tensor<1x8xf32>, tensor<8xf32>) -> tensor<1x8xf32> loc("returned")
  // expected-remark @+1 {{bias_add 'returned': its result is used elsewhere, by the graph's results}}
  %4 = uma.graph.relu %3 : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return %3, %4 : tensor<1x8xf32>, tensor<1x8xf32>
}

// -----

// An input cannot be what the pattern computes inside.
uma.accel.accelerator @npu {
  // expected-warning @+1 {{closest is add, but b is the result of relu 'act', which the pattern computes inside}}
  uma.accel.pattern @relu_add {
    %a = uma.accel.input "a"
    %b = uma.accel.input "b"
    %t = uma.accel.op "relu"(%a)
    %y = uma.accel.op "add"(%t, %b) as "y"
    uma.accel.call "npu"(%a, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @inside(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @unknown {{add: b is the result of relu 'act', which the pattern computes inside}}
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("act")
  // expected-remark @+1 {{add: b is the result of relu 'act', which the pattern computes inside}}
  %1 = uma.graph.add %0, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Attributes bind dims; numbers that cannot be computed are mismatches.
uma.accel.accelerator @npu {
  // expected-warning @+1 {{matched nothing}}
  uma.accel.pattern @pool {
    %k = uma.accel.dim "k"
    %s = uma.accel.dim "s"
    %h = uma.accel.dim "h"
    %x = uma.accel.input "x" f32 [1, 8, %h, %h]
    %y = uma.accel.op "max_pool2d"(%x) as "y" {pool_size = [@k, @k], strides = [@s, 2]}
    %c2 = arith.constant 2 : index
    %d = arith.subi %s, %c2 : index
    %q = arith.divsi %k, %d : index
    %ok = arith.cmpi sgt, %q, %c2 : index
    uma.accel.require %ok, "the stride must divide the window" source "k / (s - 2) > 2"
    uma.accel.call "npu_pool"(%x, %y, %k) : !uma.accel.tensor, !uma.accel.tensor, index
  }
  // expected-warning @+1 {{matched nothing: closest is avg_pool2d, but argument 3 of npu_pool is too large for its type with k = 2}}
  uma.accel.pattern @overflow {
    %k = uma.accel.dim "k"
    %x = uma.accel.input "x"
    %y = uma.accel.op "avg_pool2d"(%x) as "y" {pool_size = [@k, @k]}
    %big = arith.constant 5000000000000000000 : index
    %n = arith.muli %k, %big : index
    uma.accel.call "npu_pool"(%x, %y, %n) : !uma.accel.tensor, !uma.accel.tensor, index
  }
}

func.func @numbers(%x: tensor<1x8x8x8xf32>) {
  // expected-remark @unknown {{max_pool2d 'window': k is both 2 and 3 in pool_size of max_pool2d}}
  %0 = uma.graph.max_pool2d %x size [2, 3] strides [3, 2] : (tensor<1x8x8x8xf32>) -> tensor<1x8x3x3xf32> loc("window")
  // expected-remark @unknown {{max_pool2d 'stride': strides is [3, 3], the pattern wants [s, 2]}}
  %1 = uma.graph.max_pool2d %x size [3, 3] strides [3, 3] : (tensor<1x8x8x8xf32>) -> tensor<1x8x2x2xf32> loc("stride")
  // expected-remark @unknown {{max_pool2d 'zero': the stride must divide the window (k / (s - 2) > 2 divides by zero with k = 2, s = 2)}}
  %2 = uma.graph.max_pool2d %x size [2, 2] strides [2, 2] : (tensor<1x8x8x8xf32>) -> tensor<1x8x4x4xf32> loc("zero")
  // expected-remark @unknown {{max_pool2d 'small': the stride must divide the window (k / (s - 2) > 2 with k = 2, s = 3)}}
  %3 = uma.graph.max_pool2d %x size [2, 2] strides [3, 2] : (tensor<1x8x8x8xf32>) -> tensor<1x8x3x4xf32> loc("small")
  // expected-remark @+1 {{argument 3 of npu_pool is too large for its type with k = 2}}
  %4 = uma.graph.avg_pool2d %x size [2, 2] : (tensor<1x8x8x8xf32>) -> tensor<1x8x7x7xf32>
  return
}

// -----

// A condition that is decided before the division by zero is no failure.
uma.accel.accelerator @npu {
  uma.accel.pattern @relu {
    %n = uma.accel.dim "n"
    %x = uma.accel.input "x" f32 [%n]
    %y = uma.accel.op "relu"(%x) as "y"
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %d = arith.subi %n, %c8 : index
    %r = arith.remsi %n, %d : index
    %divides = arith.cmpi eq, %r, %c0 : index
    %is8 = arith.cmpi eq, %n, %c8 : index
    %ok = arith.ori %is8, %divides : i1
    uma.accel.require %ok, "8 or a multiple"
    uma.accel.call "npu_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @decided(%x: tensor<8xf32>, %y: tensor<13xf32>) {
  %0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{relu: 8 or a multiple (with n = 13)}}
  %1 = uma.graph.relu %y : (tensor<13xf32>) -> tensor<13xf32>
  return
}

// -----

// Two accelerators: the first takes what it can, the second what is left.
uma.accel.accelerator @first {
  uma.accel.pattern @relu {
    %x = uma.accel.input "x" f32
    %y = uma.accel.op "relu"(%x) as "y"
    uma.accel.call "first_relu"(%x, %y) : !uma.accel.tensor, !uma.accel.tensor
  }
}
uma.accel.accelerator @second {
  uma.accel.pattern @add_relu {
    %a = uma.accel.input "a"
    %b = uma.accel.input "b"
    %t = uma.accel.op "add"(%a, %b)
    %y = uma.accel.op "relu"(%t) as "y"
    uma.accel.call "second_add_relu"(%a, %b, %y) : !uma.accel.tensor, !uma.accel.tensor, !uma.accel.tensor
  }
}

func.func @priority(%x: tensor<8xf32>, %y: tensor<8xf16>) -> (tensor<8xf32>, tensor<8xf16>) {
  // expected-remark @unknown {{add 'a' does not run on 'first': no pattern for 'add'}}
  // expected-remark @unknown {{add 'a' does not run on 'second': add 'a': it matches together with relu 'b', which pattern 'relu' of 'first' takes}}
  %0 = uma.graph.add %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("a")
  // expected-remark @unknown {{relu 'b' does not run on 'second': relu 'b': pattern 'relu' of 'first' comes first and takes it}}
  %1 = uma.graph.relu %0 : (tensor<8xf32>) -> tensor<8xf32> loc("b")
  // expected-remark @unknown {{add 'c' does not run on 'first': no pattern for 'add'}}
  %2 = uma.graph.add %y, %y : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16> loc("c")
  // expected-remark @unknown {{relu 'd' does not run on 'first': relu 'd': x is f16, the pattern wants f32}}
  %3 = uma.graph.relu %2 : (tensor<8xf16>) -> tensor<8xf16> loc("d")
  return %1, %3 : tensor<8xf32>, tensor<8xf16>
}
