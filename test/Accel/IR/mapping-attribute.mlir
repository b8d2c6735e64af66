// Round trip of the attribute that says how a match is computed tile by tile.

// RUN: uma-opt %s | FileCheck %s
// RUN: uma-opt %s | uma-opt | FileCheck %s

// CHECK-LABEL: func.func private @whole()
// CHECK-SAME: attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = []>}
func.func private @whole() attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = []>}

// CHECK-LABEL: func.func private @forwards()
// CHECK-SAME: #uma.accel.mapping<loops = [], buffers = [x at 0], rows>
func.func private @forwards() attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = [x at 0], rows>}

// CHECK-LABEL: func.func private @no_buffers()
// CHECK-SAME: #uma.accel.mapping<loops = [oh by 14, oc by 32], buffers = []>
func.func private @no_buffers() attributes {
  uma.mapping = #uma.accel.mapping<loops = [oh by 14, oc by 32], buffers = []>}

// Each buffer is outside of, between or inside of the loops, single or double.
// CHECK-LABEL: func.func private @buffers()
// CHECK-SAME: #uma.accel.mapping<loops = [oh by 14, oc by 32], buffers = [x at 1 double, w at 2 double, sums at 0]>
func.func private @buffers() attributes {
  uma.mapping = #uma.accel.mapping<loops = [oh by 14, oc by 32], buffers = [x at 1 double, w at 2 double, sums at 0]>}

// The words of the syntax name dims and tensors, too.
// CHECK-LABEL: func.func private @words()
// CHECK-SAME: #uma.accel.mapping<loops = [by by 1, loops by 2], buffers = [at at 0, double at 1 double, rows at 2], rows>
func.func private @words() attributes {
  uma.mapping = #uma.accel.mapping<loops = [by by 1, loops by 2], buffers = [at at 0, double at 1 double, rows at 2], rows>}

// CHECK-LABEL: func.func private @large()
// CHECK-SAME: #uma.accel.mapping<loops = [n by 9223372036854775807], buffers = []>
func.func private @large() attributes {
  uma.mapping = #uma.accel.mapping<loops = [n by 9223372036854775807], buffers = []>}

// CHECK-LABEL: func.func private @interleaved()
// CHECK-SAME: #uma.accel.mapping<loops = [], buffers = [x at 0], interleaved>
func.func private @interleaved() attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = [x at 0], interleaved>}

// CHECK-LABEL: func.func private @forwards_interleaved()
// CHECK-SAME: #uma.accel.mapping<loops = [], buffers = [x at 0], rows, interleaved>
func.func private @forwards_interleaved() attributes {
  uma.mapping = #uma.accel.mapping<loops = [], buffers = [x at 0], rows, interleaved>}

// CHECK-LABEL: func.func private @kept()
// CHECK-SAME: #uma.accel.mapping<loops = [oh by 4], buffers = [x at 0 kept, w at 0, kept at 1 double], interleaved>
func.func private @kept() attributes {
  uma.mapping = #uma.accel.mapping<loops = [oh by 4], buffers = [x at 0 kept, w at 0, kept at 1 double], interleaved>}
