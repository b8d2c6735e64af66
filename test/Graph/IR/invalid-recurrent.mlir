// RUN: uma-opt %s -split-input-file -verify-diagnostics

func.func @direction(%x: tensor<5x1x2xf32>, %w: tensor<1x3x2xf32>, %r: tensor<1x3x3xf32>) {
  // expected-error @+1 {{direction is "foward", expected "forward", "reverse" or "bidirectional"; did you mean 'forward'?}}
  %y, %h = uma.graph.rnn %x, %w, %r direction "foward"
      : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @result(%x: tensor<5x1x2xf32>, %w: tensor<1x3x2xf32>, %r: tensor<1x3x3xf32>) {
  // expected-error @+1 {{result 1 has type 'tensor<1x3xf32>', expected 'tensor<1x1x3xf32>' from the operands and attributes}}
  %y, %h = uma.graph.rnn %x, %w, %r
      : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x3xf32>)
  return
}

// -----

func.func @weight(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x12x3xf32>) {
  // expected-error @+1 {{weight has shape 1x9x2, expected 1x12x2 (directions, gates * units, inputs)}}
  %y, %h, %c = uma.graph.lstm %x, %w, %r
      : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x12x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @bias(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %b: tensor<1x9xf32>) {
  // expected-error @+1 {{bias has shape 1x9, expected 1x18 (directions, 2 * gates * units)}}
  %y, %h = uma.graph.gru %x, %w, %r bias %b
      : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<1x9xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @lens(%x: tensor<5x1x2xf32>, %w: tensor<1x9x2xf32>, %r: tensor<1x9x3xf32>, %l: tensor<2xi32>) {
  // expected-error @+1 {{sequence_lens has type 'tensor<2xi32>', expected 1 integers, one for each sequence of the batch}}
  %y, %h = uma.graph.gru %x, %w, %r sequence_lens %l
      : (tensor<5x1x2xf32>, tensor<1x9x2xf32>, tensor<1x9x3xf32>, tensor<2xi32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @activation(%x: tensor<5x1x2xf32>, %w: tensor<1x3x2xf32>, %r: tensor<1x3x3xf32>) {
  // expected-error @+1 {{activations holds "tanhh", which is no function of a recurrent layer; did you mean 'tanh'?}}
  %y, %h = uma.graph.rnn %x, %w, %r activations ["tanhh"]
      : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @activations(%x: tensor<5x1x2xf32>, %w: tensor<1x3x2xf32>, %r: tensor<1x3x3xf32>) {
  // expected-error @+1 {{activations has 2 elements, expected 1, those of each direction in turn}}
  %y, %h = uma.graph.rnn %x, %w, %r activations ["tanh", "tanh"]
      : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @alphas(%x: tensor<5x1x2xf32>, %w: tensor<1x3x2xf32>, %r: tensor<1x3x3xf32>) {
  // expected-error @+1 {{alphas has 1 elements, expected one for each of activations}}
  %y, %h = uma.graph.rnn %x, %w, %r alphas [1.0]
      : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @cell_clip(%x: tensor<5x1x2xf32>, %w: tensor<1x12x2xf32>, %r: tensor<1x12x3xf32>) {
  // expected-error @+1 {{cell_clip is 0, expected more than 0}}
  %y, %h, %c = uma.graph.lstm %x, %w, %r cell_clip 0.0
      : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x3xf32>)
      -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @clip(%x: tensor<5x1x2xf32>, %w: tensor<1x3x2xf32>, %r: tensor<1x3x3xf32>) {
  // expected-error @+1 {{clip is -1, expected more than 0}}
  %y, %h = uma.graph.rnn %x, %w, %r clip -1.0
      : (tensor<5x1x2xf32>, tensor<1x3x2xf32>, tensor<1x3x3xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>)
  return
}

// -----

func.func @peephole(%x: tensor<5x1x2xf32>, %w: tensor<1x12x2xf32>, %r: tensor<1x12x3xf32>, %p: tensor<1x12xf32>) {
  // expected-error @+1 {{peephole has shape 1x12, expected 1x9 (directions, 3 * units)}}
  %y, %h, %c = uma.graph.lstm %x, %w, %r peephole %p
      : (tensor<5x1x2xf32>, tensor<1x12x2xf32>, tensor<1x12x3xf32>, tensor<1x12xf32>) -> (tensor<5x1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>)
  return
}
