// RUN: uma-opt %s -split-input-file -verify-diagnostics

// Every error of batch_matmul, attention, einsum and det.

func.func @det_square(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{data has shape 2x3, expected square matrices of at most 16 rows in the last two dimensions}}
  %0 = uma.graph.det %x : (tensor<2x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @det_large(%x: tensor<17x17xf32>) {
  // expected-error @+1 {{data has shape 17x17, expected square matrices of at most 16 rows}}
  %0 = uma.graph.det %x : (tensor<17x17xf32>) -> tensor<f32>
  return
}

// -----

func.func @det_integers(%x: tensor<2x2xi32>) {
  // expected-error @+1 {{data has element type 'i32', expected a float type; cast it first}}
  %0 = uma.graph.det %x : (tensor<2x2xi32>) -> tensor<i32>
  return
}

// -----

func.func @matmul_rank(%x: tensor<3x2xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{rhs has shape 2, expected rank 2 or more: matrices}}
  %0 = uma.graph.batch_matmul %x, %y : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @matmul_inner(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{lhs has matrices of 3 rows and 2 columns, rhs of 3 rows and 2 columns, expected as many rows of rhs as columns of lhs}}
  %0 = uma.graph.batch_matmul %x, %y : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @matmul_batch(%x: tensor<2x3x3xf32>, %y: tensor<4x3x3xf32>) {
  // expected-error @+1 {{which do not broadcast}}
  %0 = uma.graph.batch_matmul %x, %y : (tensor<2x3x3xf32>, tensor<4x3x3xf32>) -> tensor<2x3x3xf32>
  return
}

// -----

func.func @matmul_integers(%x: tensor<3x3xi8>, %y: tensor<3x3xi8>) {
  // expected-error @+1 {{data has the integer element type 'i8', which is too narrow to accumulate in; add an out_dtype}}
  %0 = uma.graph.batch_matmul %x, %y : (tensor<3x3xi8>, tensor<3x3xi8>) -> tensor<3x3xi8>
  return
}

// -----

func.func @einsum_arrow(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{equation is "ij,jk", expected the dimensions of the result behind a '->'}}
  %0 = uma.graph.einsum "ij,jk" %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @einsum_count(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{equation has 1 operands, expected 2}}
  %0 = uma.graph.einsum "ij->" %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<f32>
  return
}

// -----

func.func @einsum_rank(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{operand 1 has shape 3x2, expected rank 1 as "j" in the equation}}
  %0 = uma.graph.einsum "ij,j->" %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<f32>
  return
}

// -----

func.func @einsum_letter(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{equation is "ij,j1->", expected dimensions named by letters, found '1'}}
  %0 = uma.graph.einsum "ij,j1->" %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<f32>
  return
}

// -----

func.func @einsum_size(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{dimension 'i' of operand 1 has size 3, expected 2 as in other operands, or 1}}
  %0 = uma.graph.einsum "ij,ik->" %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<f32>
  return
}

// -----

func.func @einsum_unknown(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{equation is "ij,jk->l", expected 'l' of the result in an operand, too}}
  %0 = uma.graph.einsum "ij,jk->l" %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<f32>
  return
}

// -----

func.func @einsum_twice(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) {
  // expected-error @+1 {{equation is "ij,jk->ii", expected 'i' once in the result}}
  %0 = uma.graph.einsum "ij,jk->ii" %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<f32>
  return
}

// -----

func.func @einsum_type(%x: tensor<2x3xf32>, %y: tensor<3x2xf64>) {
  // expected-error @+1 {{operand 1 has element type 'f64', expected 'f32' as operand 0}}
  %0 = uma.graph.einsum "ij,jk->" %x, %y : (tensor<2x3xf32>, tensor<3x2xf64>) -> tensor<f32>
  return
}

// -----

func.func @attention_rank(%q: tensor<8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x3xf32>) {
  // expected-error @+1 {{query has shape 8, expected rank 2 or more: matrices}}
  %0 = uma.graph.attention %q, %k, %v : (tensor<8xf32>, tensor<6x8xf32>, tensor<6x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @attention_types(%q: tensor<5x8xf32>, %k: tensor<6x8xf16>, %v: tensor<6x3xf32>) {
  // expected-error @+1 {{key has element type 'f16', expected 'f32' as query}}
  %0 = uma.graph.attention %q, %k, %v : (tensor<5x8xf32>, tensor<6x8xf16>, tensor<6x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @attention_integers(%q: tensor<5x8xi8>, %k: tensor<6x8xi8>, %v: tensor<6x3xi8>) {
  // expected-error @+1 {{query has elements 'i8', expected floats}}
  %0 = uma.graph.attention %q, %k, %v : (tensor<5x8xi8>, tensor<6x8xi8>, tensor<6x3xi8>) -> tensor<5x3xi8>
  return
}

// -----

func.func @attention_depth(%q: tensor<5x8xf32>, %k: tensor<6x7xf32>, %v: tensor<6x3xf32>) {
  // expected-error @+1 {{key has shape 6x7, expected 8 elements in the last dimension, as query has}}
  %0 = uma.graph.attention %q, %k, %v : (tensor<5x8xf32>, tensor<6x7xf32>, tensor<6x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @attention_rows(%q: tensor<5x8xf32>, %k: tensor<6x8xf32>, %v: tensor<7x3xf32>) {
  // expected-error @+1 {{value has shape 7x3, expected 6 rows, one for each of key}}
  %0 = uma.graph.attention %q, %k, %v : (tensor<5x8xf32>, tensor<6x8xf32>, tensor<7x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @attention_batch(%q: tensor<2x5x8xf32>, %k: tensor<3x6x8xf32>, %v: tensor<6x3xf32>) {
  // expected-error @+1 {{do not broadcast}}
  %0 = uma.graph.attention %q, %k, %v : (tensor<2x5x8xf32>, tensor<3x6x8xf32>, tensor<6x3xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

func.func @attention_values(%q: tensor<5x8xf32>, %k: tensor<6x8xf32>, %v: tensor<2x6x3xf32>) {
  // expected-error @+1 {{value has shape 2x6x3, whose batches do not broadcast to those of the scores, which have shape 5x6}}
  %0 = uma.graph.attention %q, %k, %v : (tensor<5x8xf32>, tensor<6x8xf32>, tensor<2x6x3xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

func.func @attention_mask(%q: tensor<5x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x3xf32>, %m: tensor<2x5x6xf32>) {
  // expected-error @+1 {{mask has shape 2x5x6, which does not broadcast to the scores, which have shape 5x6}}
  %0 = uma.graph.attention %q, %k, %v mask %m : (tensor<5x8xf32>, tensor<6x8xf32>, tensor<6x3xf32>, tensor<2x5x6xf32>) -> tensor<5x3xf32>
  return
}
