// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of constant, composite and yield.

func.func @constant_sparse() {
  // expected-error @+1 {{'uma.graph.constant' op value is sparse<0, 1.000000e+00> : tensor<2xf32>, expected dense<...> or dense_resource<...>}}
  %0 = uma.graph.constant sparse<0, 1.0> : tensor<2xf32>
  return
}

// -----

func.func @constant_vector() {
  // expected-error @+1 {{result #0 must be statically shaped tensor of floating-point or integer or quantized values, but got 'vector<2xf32>'}}
  %0 = uma.graph.constant dense<1.0> : vector<2xf32>
  return
}

// -----

func.func @constant_huge() {
  // expected-error @+1 {{result has type 'tensor<4611686018427387904xf32>', expected fewer than 2^63 bytes}}
  %0 = uma.graph.constant dense<1.0> : tensor<4611686018427387904xf32>
  return
}

// -----

func.func @constant_resource_size() {
  // expected-error @+1 {{resource 'weights' has 8 bytes, expected 12 for 'tensor<3xf32>'}}
  %0 = uma.graph.constant dense_resource<weights> : tensor<3xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}

// -----

func.func @pattern_alone(%x: tensor<2xf32>) {
  // expected-error @+1 {{'uma.graph.composite' op pattern is @relu, expected an accelerator and one of its patterns as in @vanilla::@conv2d}}
  %0 = uma.graph.composite @relu (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
    uma.graph.yield %a : tensor<2xf32>
  }
  return
}

// -----

func.func @pattern_deep(%x: tensor<2xf32>) {
  // expected-error @+1 {{pattern is @a::@b::@c, expected an accelerator and one of its patterns as in @vanilla::@conv2d}}
  %0 = uma.graph.composite @a::@b::@c (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
    uma.graph.yield %a : tensor<2xf32>
  }
  return
}

// -----

func.func @pattern_missing(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a pattern such as @vanilla::@conv2d}}
  %0 = uma.graph.composite (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
    uma.graph.yield %a : tensor<2xf32>
  }
  return
}

// -----

func.func @pattern_string(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected a pattern such as @vanilla::@conv2d}}
  %0 = uma.graph.composite "vanilla" (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
    uma.graph.yield %a : tensor<2xf32>
  }
  return
}

// -----

func.func @input_without_operand(%x: tensor<2xf32>) {
  // expected-error @+1 {{expected '='}}
  %0 = uma.graph.composite @vanilla::@relu (%a : tensor<2xf32>) -> tensor<2xf32> {
    uma.graph.yield %a : tensor<2xf32>
  }
  return
}

// -----

func.func @isolated(%x: tensor<2xf32>) {
  // expected-note @+1 {{required by region isolation constraints}}
  %0 = uma.graph.composite @vanilla::@relu () -> tensor<2xf32> {
    // expected-error @+1 {{'uma.graph.yield' op using value defined outside the region}}
    uma.graph.yield %x : tensor<2xf32>
  }
  return
}

// -----

func.func @argument_count(%x: tensor<2xf32>) {
  // expected-error @+1 {{body has 0 arguments, expected 1, one for each input}}
  %0 = "uma.graph.composite"(%x) <{pattern = @vanilla::@relu}> ({
    %1 = "uma.graph.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<2xf32>
    "uma.graph.yield"(%1) : (tensor<2xf32>) -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @argument_type(%x: tensor<2xf32>) {
  // expected-error @+1 {{argument 0 of the body has type 'tensor<3xf32>', expected 'tensor<2xf32>' as input 0}}
  %0 = "uma.graph.composite"(%x) <{pattern = @vanilla::@relu}> ({
  ^bb0(%a: tensor<3xf32>):
    "uma.graph.yield"(%a) : (tensor<3xf32>) -> ()
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @blocks(%x: tensor<2xf32>) {
  // expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
  %0 = "uma.graph.composite"(%x) <{pattern = @vanilla::@relu}> ({
  ^bb0(%a: tensor<2xf32>):
    "uma.graph.yield"(%a) : (tensor<2xf32>) -> ()
  ^bb1:
    "uma.graph.yield"() : () -> ()
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @no_yield(%x: tensor<2xf32>) {
  // expected-error @+1 {{'uma.graph.yield' op gives 0 values, expected 1, one for each result of the composite}}
  %0 = uma.graph.composite @vanilla::@relu (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
  }
  return
}

// -----

func.func @no_block(%x: tensor<2xf32>) {
  // expected-error @+1 {{region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = "uma.graph.composite"(%x) <{pattern = @vanilla::@relu}> ({
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @yield_count(%x: tensor<2xf32>) {
  %0 = uma.graph.composite @vanilla::@relu (%a = %x : tensor<2xf32>) -> tensor<2xf32> {
    // expected-error @+1 {{'uma.graph.yield' op gives 2 values, expected 1, one for each result of the composite}}
    uma.graph.yield %a, %a : tensor<2xf32>, tensor<2xf32>
  }
  return
}

// -----

func.func @yield_type(%x: tensor<2xf32>) {
  %0 = uma.graph.composite @vanilla::@relu (%a = %x : tensor<2xf32>) -> tensor<3xf32> {
    // expected-error @+1 {{value 0 has type 'tensor<2xf32>', expected 'tensor<3xf32>' as result 0 of the composite}}
    uma.graph.yield %a : tensor<2xf32>
  }
  return
}

// -----

func.func @yield_parent(%x: tensor<2xf32>) {
  // expected-error @+1 {{'uma.graph.yield' op expects parent op 'uma.graph.composite'}}
  uma.graph.yield %x : tensor<2xf32>
}
