// Descriptions that are not found, or cannot be loaded into the module.

// RUN: split-file %s %t
// RUN: cd %t

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=vanila" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: empty.mlir:1:1: error: unknown accelerator 'vanila'; did you mean 'vanilla'?
// NAME-NOT: note:

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=unlike-anything accelerator-dir=lib" 2>&1 | FileCheck %s --check-prefix=UNLIKE
// UNLIKE: error: unknown accelerator 'unlike-anything'; known are {{.*}}model, {{.*}}other, second, {{.*}}syntax{{.*}}; searched in lib:{{.*}}dialects{{.*}}; add folders by UMA_ACCELERATOR_PATH, or give a path

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=lib/none.uma" 2>&1 | FileCheck %s --check-prefix=PATH
// PATH: error: no such description: 'lib/none.uma'

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=./lib/" 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: './lib/' is not a file; name the description in it, e.g. './lib/lib.uma'

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=lib/syntax.uma" 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: lib/syntax.uma:2:3: error: unknown statement 'includ'; did you mean 'include'?
// SYNTAX-NEXT: includ "a.h"
// SYNTAX-NEXT: ^

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=other accelerator-dir=lib" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: lib{{.}}other.uma:1:13: error: the file is found as 'other', but describes accelerator 'another'; give both one name

// RUN: not uma-opt function.mlir --uma-accel-load="accelerators=lib/other.uma" 2>&1 | FileCheck %s --check-prefix=FUNCTION
// FUNCTION: lib/other.uma:1:13: error: accelerator 'another' has the name of a function of the module; rename one of them
// FUNCTION: function.mlir:1:1: note: the function is here

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=lib/other.uma,lib/second.uma" 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND: lib/second.uma:1:13: error: another accelerator is called 'another' already
// SECOND: lib/other.uma:1:13: note: it is described here

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=lib/model.uma" 2>&1 | FileCheck %s --check-prefix=MODEL
// MODEL: lib/model.uma:2:9: error: no such file: 'lib{{.}}none.c'; the path is relative to the description's folder

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=function.mlir" 2>&1 | FileCheck %s --check-prefix=MLIR
// MLIR: function.mlir:1:1: error: a description holds one uma.accel.accelerator and nothing else

// RUN: not uma-opt empty.mlir --uma-accel-load="accelerators=lib/wrong.mlir" 2>&1 | FileCheck %s --check-prefix=WRONG-MLIR
// WRONG-MLIR: lib/wrong.mlir:2:3: error: unknown phase 'X'; phases are

//--- empty.mlir
module {}
//--- function.mlir
func.func private @another()
//--- lib/syntax.uma
accelerator syntax {
  includ "a.h"
}
//--- lib/other.uma
accelerator another {
}
//--- lib/second.uma
accelerator another {
}
//--- lib/model.uma
accelerator model {
  model "none.c"
}
//--- lib/wrong.mlir
uma.accel.accelerator @wrong {
  uma.accel.pipeline "X" "cse"
}
