// Which descriptions the pass uma-accel-load loads, where it finds them and in which order.

// RUN: split-file %s %t
// RUN: cd %t

// Names are found as N/N.uma and N.uma; paths are taken as they are; each is loaded once.
// RUN: uma-opt empty.mlir --uma-accel-load="accelerators=one,two,here/three.uma,one,./lib/one/one.uma,four.mlir accelerator-dir=lib" \
// RUN:   | FileCheck %s
// CHECK: @one attributes {source = "lib{{.}}one{{.}}one.uma"}
// CHECK: uma.accel.model "lib/one/model/one.c"
// CHECK: @two attributes {source = "lib{{.}}two.uma"}
// CHECK: @three attributes {source = "here/three.uma"}
// CHECK: @four attributes {source = "four.mlir"}
// CHECK-NOT: uma.accel.accelerator

// An accelerator that the module describes stays as it is.
// RUN: uma-opt present.mlir --uma-accel-load="accelerators=one accelerator-dir=lib" | FileCheck %s --check-prefix=PRESENT
// PRESENT: @one {
// PRESENT-NEXT: include "mine.h"
// PRESENT-NOT: uma.accel.accelerator

// The environment names folders, too; those of the option come first.
// RUN: env UMA_ACCELERATOR_PATH=nowhere:here uma-opt empty.mlir --uma-accel-load="accelerators=three,two accelerator-dir=lib" \
// RUN:   | FileCheck %s --check-prefix=ENV
// ENV: @three attributes {source = "here{{.}}three.uma"}
// ENV: @two attributes {source = "lib{{.}}two.uma"}

//--- empty.mlir
module {}
//--- present.mlir
uma.accel.accelerator @one {
  uma.accel.include "mine.h"
}
//--- lib/one/one.uma
accelerator one {
  model "model/one.c"
}
//--- lib/one/model/one.c
int one(void);
//--- lib/two.uma
accelerator two {
}
//--- here/three.uma
accelerator three {
}
//--- here/two.uma
accelerator two {
  include "wrong.h"
}
//--- four.mlir
uma.accel.accelerator @four {
}
