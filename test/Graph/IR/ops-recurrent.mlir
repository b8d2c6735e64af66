// RUN: uma-opt %s | uma-opt | FileCheck %s
// RUN: uma-opt %s --mlir-print-op-generic | uma-opt | FileCheck %s

// CHECK-LABEL: @lstm
func.func @lstm(%x: tensor<5x2x4xf32>, %w: tensor<2x12x4xf32>, %r: tensor<2x12x3xf32>, %b: tensor<2x24xf32>,
                %lens: tensor<2xi32>, %h: tensor<2x2x3xf32>, %p: tensor<2x9xf32>) {
  // CHECK: uma.graph.lstm %{{.*}}, %{{.*}}, %{{.*}} bias %{{.*}} sequence_lens %{{.*}} initial_h %[[H:.*]] initial_c %[[H]] peephole %{{.*}} input_forget true cell_clip 1.0{{.*}} direction "bidirectional" clip 3.{{.*}} :
  %y, %yh, %yc = uma.graph.lstm %x, %w, %r bias %b sequence_lens %lens initial_h %h initial_c %h peephole %p
      input_forget true cell_clip 10.0 direction "bidirectional" clip 3.0
      : (tensor<5x2x4xf32>, tensor<2x12x4xf32>, tensor<2x12x3xf32>, tensor<2x24xf32>, tensor<2xi32>,
         tensor<2x2x3xf32>, tensor<2x2x3xf32>, tensor<2x9xf32>)
      -> (tensor<5x2x2x3xf32>, tensor<2x2x3xf32>, tensor<2x2x3xf32>)
  return
}

// CHECK-LABEL: @gru
func.func @gru(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>) {
  // CHECK: uma.graph.gru %{{.*}}, %{{.*}}, %{{.*}} linear_before_reset true direction "reverse" activations ["hard_sigmoid", "affine"] alphas [2.{{.*}}, 1.{{.*}}] betas [5.{{.*}}, 0.{{.*}}] :
  %y, %yh = uma.graph.gru %x, %w, %r linear_before_reset true direction "reverse"
      activations ["hard_sigmoid", "affine"] alphas [0.2, 1.0] betas [0.5, 0.0]
      : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// CHECK-LABEL: @rnn
func.func @rnn(%x: tensor<5x1x2xf16>, %w: tensor<1x3x2xf16>, %r: tensor<1x3x3xf16>) {
  // CHECK: uma.graph.rnn %{{.*}}, %{{.*}}, %{{.*}} :
  %y, %yh = uma.graph.rnn %x, %w, %r
      : (tensor<5x1x2xf16>, tensor<1x3x2xf16>, tensor<1x3x3xf16>) -> (tensor<5x1x1x3xf16>, tensor<1x1x3xf16>)
  return
}
