// RUN: uma-opt %s -uma-accel-merge-composite -uma-accel-annotate-target -uma-accel-merge-compiler-regions \
// RUN:   | FileCheck %s
// RUN: uma-opt %s -uma-accel-merge-composite -uma-accel-annotate-target \
// RUN:   -uma-accel-merge-compiler-regions=merge-regions=false | FileCheck %s --check-prefix=APART

// relu and add run on @npu, multiply on @dsp, softmax on the CPU. The
// checks give the regions of the composites in the order of the function.

uma.accel.accelerator @npu {
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
}

// Neighbours share a region.
// CHECK-LABEL: func.func @chain(
// APART-LABEL: func.func @chain(
// CHECK:         uma.region = 0
// APART:         uma.region = 0
// CHECK:         uma.region = 0
// APART:         uma.region = 1
// CHECK:         uma.region = 0
// APART:         uma.region = 2
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @chain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("a")
  %b = uma.graph.relu %a : (tensor<8xf32>) -> tensor<8xf32> loc("b")
  %c = uma.graph.relu %b : (tensor<8xf32>) -> tensor<8xf32> loc("c")
  return %c : tensor<8xf32>
}

// Users of one result of the CPU share a region, unless one needs what the CPU
// computes from another.
// CHECK-LABEL: func.func @users(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 0
// CHECK:         uma.region = 1
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @users(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %s = uma.graph.softmax %x : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  %a = uma.graph.relu %s : (tensor<8xf32>) -> tensor<8xf32> loc("a")
  %b = uma.graph.relu %s : (tensor<8xf32>) -> tensor<8xf32> loc("b")
  %t = uma.graph.softmax %b : (tensor<8xf32>) -> tensor<8xf32> loc("t")
  %c = uma.graph.add %s, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("c")
  return %a, %c : tensor<8xf32>, tensor<8xf32>
}

// The users of a result of another device, too.
// CHECK-LABEL: func.func @users_of_device(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 1
// CHECK:         uma.region = 1
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @users_of_device(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %m = uma.graph.multiply %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("m")
  %a = uma.graph.relu %m : (tensor<8xf32>) -> tensor<8xf32> loc("a")
  %b = uma.graph.relu %m : (tensor<8xf32>) -> tensor<8xf32> loc("b")
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}

// What the CPU computes in between parts them.
// CHECK-LABEL: func.func @between(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 1
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @between(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("a")
  %s = uma.graph.softmax %a : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  %b = uma.graph.relu %s : (tensor<8xf32>) -> tensor<8xf32> loc("b")
  return %b : tensor<8xf32>
}

// A diamond whose one side runs on the CPU: merging top and bottom would need the
// side before it is computed. The other side goes with the top.
// CHECK-LABEL: func.func @diamond(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 0
// CHECK:         uma.region = 1
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @diamond(%x: tensor<8xf32>) -> tensor<8xf32> {
  %top = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("top")
  %left = uma.graph.relu %top : (tensor<8xf32>) -> tensor<8xf32> loc("left")
  %right = uma.graph.softmax %top : (tensor<8xf32>) -> tensor<8xf32> loc("right")
  %bottom = uma.graph.add %left, %right : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("bottom")
  return %bottom : tensor<8xf32>
}

// A diamond of the accelerator alone.
// CHECK-LABEL: func.func @whole_diamond(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 0
// CHECK:         uma.region = 0
// CHECK:         uma.region = 0
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @whole_diamond(%x: tensor<8xf32>) -> tensor<8xf32> {
  %top = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("top")
  %left = uma.graph.relu %top : (tensor<8xf32>) -> tensor<8xf32> loc("left")
  %right = uma.graph.relu %top : (tensor<8xf32>) -> tensor<8xf32> loc("right")
  %bottom = uma.graph.add %left, %right : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("bottom")
  return %bottom : tensor<8xf32>
}

// A value of the CPU that does not depend on the region is no obstacle, even where
// it is computed between.
// CHECK-LABEL: func.func @independent(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 0
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @independent(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %a = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("a")
  %s = uma.graph.softmax %y : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  %b = uma.graph.add %a, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("b")
  return %b : tensor<8xf32>
}

// `late` could run anywhere; it goes with its only user, which `a` cannot reach
// but through the CPU.
// CHECK-LABEL: func.func @late(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 1
// CHECK:         uma.region = 1
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @late(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %a = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("a")
  %late = uma.graph.relu %y : (tensor<8xf32>) -> tensor<8xf32> loc("late")
  %s = uma.graph.softmax %a : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  %b = uma.graph.add %s, %late : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("b")
  return %b : tensor<8xf32>
}

// Neither end of the graph tells that `g` and `h` can be one: only the search does.
// CHECK-LABEL: func.func @search(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 1
// CHECK:         uma.region = 1
// CHECK:         uma.region = 2
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @search(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %t0 = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("t0")
  %g = uma.graph.relu %y : (tensor<8xf32>) -> tensor<8xf32> loc("g")
  %s0 = uma.graph.softmax %t0 : (tensor<8xf32>) -> tensor<8xf32> loc("s0")
  %h = uma.graph.add %g, %s0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("h")
  %s1 = uma.graph.softmax %g : (tensor<8xf32>) -> tensor<8xf32> loc("s1")
  %t1 = uma.graph.relu %s1 : (tensor<8xf32>) -> tensor<8xf32> loc("t1")
  return %h, %t1 : tensor<8xf32>, tensor<8xf32>
}

// Interleaved regions of two accelerators: one of the two cycles must be cut.
// CHECK-LABEL: func.func @interleaved(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 1
// CHECK:         uma.region = 2
// CHECK:         uma.region = 0
// CHECK:         uma.region = 2
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @interleaved(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("a")
  %m = uma.graph.multiply %y, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("m")
  %n = uma.graph.multiply %a, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("n")
  %b = uma.graph.add %a, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("b")
  %c = uma.graph.multiply %n, %n : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("c")
  return %b, %c : tensor<8xf32>, tensor<8xf32>
}

// Operations that do not feed one another stay apart.
// CHECK-LABEL: func.func @siblings(
// CHECK:         uma.region = 0
// CHECK:         uma.region = 1
// CHECK-NOT:     uma.region
// CHECK:         return
func.func @siblings(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("a")
  %b = uma.graph.relu %x : (tensor<8xf32>) -> tensor<8xf32> loc("b")
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}
