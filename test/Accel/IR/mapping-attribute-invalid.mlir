// Mappings that no match can have.

// RUN: uma-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{a tile has 0 elements, expected 1 or more}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [n by 4, m by 0], buffers = []>}

// -----

// expected-error @+1 {{a tile has -3 elements, expected 1 or more}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [n by -3], buffers = []>}

// -----

// expected-error @+1 {{buffer 'x' is at level 3, but there are 2 loops}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [n by 4, m by 4], buffers = [w at 2, x at 3]>}

// -----

// expected-error @+1 {{buffer 'x' is at level -1, but there are 0 loops}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = [x at -1]>}

// -----

// expected-error @+1 {{expected 'loops'}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<buffers = [], loops = []>}

// -----

// expected-error @+1 {{expected ','}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = []>}

// -----

// expected-error @+1 {{expected 'by'}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [n], buffers = []>}

// -----

// expected-error @+1 {{expected integer value}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [n by m], buffers = []>}

// -----

// expected-error @+1 {{integer value too large}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [n by 9223372036854775808], buffers = []>}

// -----

// expected-error @+1 {{expected 'at'}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = [x]>}

// -----

// expected-error @+1 {{expected ']'}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = [x at 0 triple]>}

// -----

// expected-error @+1 {{expected 'rows' or 'interleaved'}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = [], row>}

// -----

// expected-error @+1 {{expected 'interleaved'}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = [], rows, rows>}

// -----

// expected-error @+1 {{expected '>'}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [], buffers = [], interleaved, rows>}

// -----

// expected-error @+1 {{tensor 'x' is kept whole, so it is at level 0, found 1}}
func.func private @f() attributes {uma.mapping = #uma.accel.mapping<loops = [n by 4], buffers = [x at 1 kept], interleaved>}
