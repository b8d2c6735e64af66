"""Descriptions that do not fit their header: `uma check` finds each mistake at its place, with every C compiler."""
# REQUIRES: gcc, clang
# RUN: rm -rf %t && mkdir %t && %python -B %s %t %S/Inputs %gcc %clang | FileCheck %s
# CHECK: {{^}}mistakes: [[#COUNT:]], each with 2 compilers, 0 wrong{{$}}

import os
import pathlib
import sys

sys.path.insert(0, sys.argv[2])
from marked import check  # noqa: E402

os.chdir(sys.argv[1])

HEADER = """#ifndef NPU_H
#define NPU_H
#include <stddef.h>
#include <stdint.h>

struct npu_config { int kernel; };
typedef struct { int kernel; } npu_options;
typedef int32_t npu_status;
enum npu_act { NPU_NONE, NPU_RELU };

npu_status npu_relu(const float *x, float *y, int n);
int npu_relu_plain(float *x, float *y, int n);
int npu_relu_i8(const int8_t *x, int8_t *y, int32_t n);
int npu_scale(const float *x, float *y, size_t n, float alpha);
int npu_wide(const float *x, float *y, double beta, uint8_t shift);
int npu_conv(const struct npu_config *config, const float *x, const float *w, float *y);
int npu_value(struct npu_config config, const float *x, float *y, int n);
int npu_act(const float *x, float *y, int n, enum npu_act act);
int npu_any(const void *x, void *y, size_t n);
int npu_in_place(float *x, int n);
int npu_scratch(const float *x, float *scratch, float *y, int n);
void npu_nothing(const float *x, float *y, int n);
const char *npu_text(const float *x, float *y, int n);
float npu_float(const float *x, float *y, int n);
npu_options npu_struct(const float *x, float *y, int n);
int npu_mode(int mode);
int npu_start(uint16_t kilobytes);
int npu_wait(void);
int npu_print(const char *format, ...);
int npu_long_one(const float *input,
                 const float *weights, /* [m][n] */
                 float *output,
                 int n);
static inline int npu_inline(const float *x, float *y, int n) { y[0] = x[n]; return 0; }
#define NPU_MACRO(x, y, n) npu_relu((x), (y), (n))
#endif
"""


def relu(call, types="f32", rest=""):
    return f"""accelerator npu {{
  include "npu.h"
{rest}
  pattern relu(x: {types}[1, n]) {{
    y = relu(x)
    {call}
  }}
}}
"""


def clip(call):
    return f"""accelerator npu {{
  include "npu.h"
  attribute kib = 64
  pattern clip(x: f32[1, n]) {{
    y = clip(x, a_min=0, a_max=top)
    {call}
  }}
}}
"""


def dense(call, second=""):
    return f"""accelerator npu {{
  include "npu.h"
  pattern dense(x: f32[1, n], w: f32[m, n]) {{
    t = dense(x, w)
    y = relu(t)
    {call}
    {second}
  }}
}}
"""


# The name of a case, the description with a mark at each mistake, and what is said there.
CASES = {
    # Headers and functions.
    "no-include": ('accelerator npu {\n  pattern p(x: f32[1, n]) {\n    y = relu(x)\n    call @npu_relu(x, y, n)\n  }\n}\n',
                   ["the description includes no header that declares 'npu_relu', e.g. include \"npu.h\""]),
    "header-missing": (relu("call npu_relu(x, y, n)").replace('"npu.h"', '@"npx.h"'), ["header 'npx.h' not found; searched in"]),
    "two-headers": (relu("call npu_relu(x, y, n)").replace('"npu.h"', '@"a.h"\n  include "npu.h"\n  include @"b.h"'),
                    ["header 'a.h' not found", "header 'b.h' not found"]),
    "function-missing": (relu("call @npu_rellu(x, y, n)"), ["'npu.h' does not declare 'npu_rellu'; did you mean 'npu_relu'?"]),
    "function-unlike": (relu("call @teleport(x, y, n)"), ["'npu.h' does not declare 'teleport'"]),
    "init-missing": (relu("call npu_relu(x, y, n)", rest="  init @npu_strat(4)\n  await @npu_wiat()"),
                     ["did you mean 'npu_start'?", "did you mean 'npu_wait'?"]),
    "configure-missing": (relu("configure @npu_mod(n); call npu_relu(x, y, n)"), ["did you mean 'npu_mode'?"]),
    # Numbers of arguments.
    "too-few": (relu("call @npu_relu(x, y)"), [("'npu_relu' takes 3 arguments, found 2",
                                                "npu.h:11:12: note: the header has npu_status npu_relu(const float *x, float *y, int n)")]),
    "too-many": (relu("call npu_relu(x, y, n, @n)"), ["'npu_relu' takes 3 arguments, found 4"]),
    "none": (relu("call npu_relu(x, y, n)", rest="  await npu_wait(@4)"), ["'npu_wait' takes 0 arguments, found 1"]),
    "variadic": (relu("call npu_relu(x, y, n)", rest="  await @npu_print()"), ["'npu_print' takes at least 1 argument, found 0"]),
    "macro-count": (relu("call @NPU_MACRO(x, y)"), [("'NPU_MACRO' takes more arguments than 2", "note: the macro 'NPU_MACRO' is defined here")]),
    "long-prototype": (dense("call npu_long_one(x, w, y, @0.5)"),
                       [("argument 4 of 'npu_long_one' is a float, expected 'int n'",
                         "note: the header has int npu_long_one(const float *input, const float *weights, float *output, int n)")]),
    # Numbers for numbers.
    "float-for-int": (clip("call npu_relu(x, y, @top)"), ["argument 3 of 'npu_relu' is a float, expected 'int n'"]),
    "constant-float-for-int": (relu("call npu_relu(x, y, @2.0)"), ["argument 3 of 'npu_relu' is a float, expected 'int n'"]),
    "float-for-size": (relu("call npu_scale(x, y, @n * 0.5, 0.5)"), ["argument 3 of 'npu_scale' is a float, expected 'size_t n'"]),
    "integer-for-float": (relu("call npu_scale(x, y, n, @n)"),
                          ["argument 4 of 'npu_scale' is an integer, which 'float alpha' may round; write it as a float, e.g. n * 1.0"]),
    "constant-rounds": (relu("call npu_scale(x, y, n, @16777217)"), ["argument 4 of 'npu_scale' is 16777217, which 'float alpha' cannot hold"]),
    "constant-large": (relu("call npu_wide(x, y, n, @300)"), ["argument 4 of 'npu_wide' is 300, which 'uint8_t shift' cannot hold"]),
    "constant-negative": (relu("call npu_scale(x, y, @-1, 0.5)"), ["argument 3 of 'npu_scale' is -1, which 'size_t n' cannot hold"]),
    "init-large": (relu("call npu_relu(x, y, n)", rest="  init npu_start(@64 * 1024)"), ["is 65536, which 'uint16_t kilobytes' cannot hold"]),
    "configure-float": (clip("configure npu_mode(@top); call npu_relu(x, y, n)"), ["argument 1 of 'npu_mode' is a float, expected 'int mode'"]),
    # Tensors and numbers.
    "number-for-pointer": (relu("call npu_relu(@n, y, n)"), ["argument 1 of 'npu_relu' is an integer, expected 'const float *x'"]),
    "float-for-pointer": (relu("call npu_relu(@0.5, y, n)"), ["argument 1 of 'npu_relu' is a float, expected 'const float *x'"]),
    "tensor-for-number": (relu("call npu_relu(x, y, @x)"), ["argument 3 of 'npu_relu' is tensor 'x' of f32, passed as 'float *', expected 'int n'"]),
    "tensor-for-float": (relu("call npu_scale(x, y, n, @y)"), ["argument 4 of 'npu_scale' is tensor 'y' of f32, passed as 'float *', expected 'float alpha'"]),
    "order": (relu("call npu_relu(@n, x, @y)"), ["argument 1 of 'npu_relu' is an integer, expected 'const float *x'",
                                                 "argument 3 of 'npu_relu' is tensor 'y' of f32, passed as 'float *', expected 'int n'"]),
    # Element types.
    "i8-for-f32": (relu("call npu_relu_i8(@x, @y, n)"),
                   ["argument 1 of 'npu_relu_i8' is tensor 'x' of f32, passed as 'float *', expected 'const int8_t *x'",
                    "argument 2 of 'npu_relu_i8' is tensor 'y' of f32, passed as 'float *', expected 'int8_t *y'"]),
    "f32-for-i8": (relu("call npu_relu(@x, @y, n)", types="i8"), ["is tensor 'x' of i8, passed as 'int8_t *'", "is tensor 'y' of i8, passed as 'int8_t *'"]),
    "unsigned": (relu("call npu_relu_i8(@x, @y, n)", types="u8"), ["is tensor 'x' of u8", "is tensor 'y' of u8"]),
    "one-of-two-types": (relu("call npu_relu(@x, @y, n)", types="f32|f16"), ["is tensor 'x' of f16, passed as 'uint16_t *'", "is tensor 'y' of f16"]),
    "inferred-type": (dense("call npu_relu_i8(@t, @y, n)").replace("    call", "    call npu_long_one(x, w, t, n)\n    call"),
                      ["is tensor 't' of f32", "is tensor 'y' of f32"]),
    # Structs.
    "tensor-for-struct-pointer": (dense("call npu_conv(@x, x, w, y)"),
                                  ["argument 1 of 'npu_conv' is tensor 'x' of f32, passed as 'float *', expected 'const struct npu_config *config'"]),
    "struct-by-value": (relu("call npu_value(@x, x, y, n)"), ["argument 1 of 'npu_value' is tensor 'x' of f32, passed as 'float *', expected 'struct npu_config config'"]),
    "number-for-struct": (relu("call npu_value(@n, x, y, n)"), ["argument 1 of 'npu_value' is an integer, expected 'struct npu_config config'"]),
    "behind-a-struct": (relu("call npu_value(@n, @n, y, @0.5)"), ["expected 'struct npu_config config'", "expected 'const float *x'", "is a float, expected 'int n'"]),
    # Statuses.
    "void-status": (relu("call @npu_nothing(x, y, n)"),
                    ["'npu_nothing' returns nothing, but the value of a call is its status, an integer that is 0 for success; "
                     "to call it without one, write replace npu_nothing \"npu_nothing({0}, {1}, {2});\""]),
    "pointer-status": (relu("call @npu_text(x, y, n)"), ["'npu_text' returns 'const char *', but the value of a call is its status"]),
    "float-status": (relu("call @npu_float(x, y, n)"), ["'npu_float' returns 'float'"]),
    "struct-status": (relu("call @npu_struct(x, y, n)"), ["'npu_struct' returns 'npu_options'"]),
    # Results that cannot be written, and inputs that can.
    "const-output": (dense("call npu_long_one(x, @y, w, n)"),
                     ["'npu_long_one' cannot write tensor 'y', a result: argument 2 is 'const float *weights'; is it swapped with 'w', argument 3?"]),
    "swapped": (relu("call npu_relu(@y, x, n)"), ["'npu_relu' cannot write tensor 'y', a result: argument 1 is 'const float *x'; is it swapped with 'x', argument 2?"]),
    "const-void-output": (relu("call npu_any(@y, x, n)"), ["'npu_any' cannot write tensor 'y'"]),
    "never-written": (dense("call npu_long_one(x, @t, w, n)", "call npu_relu(t, y, n)"),
                      ["'npu_long_one' cannot write tensor 't'"]),
    # Macros, and text in place of calls.
    "replace-missing": (relu("call npu_relu(x, y, n)", rest='  replace @npu_relu "NPU_CAL({0}, {1})"'),
                        ["'NPU_CAL' in the C of this text is declared neither there nor in a header of the description"]),
    "replace-argument": (relu("call npu_relu(@x, y, n)", rest='  replace npu_relu "npu_relu_i8({0}, 0, 1)"'),
                         [("argument 1 of 'npu_relu' is tensor 'x' of f32, passed as 'float *', expected 'const int8_t *'",
                           "note: this text replaces calls of 'npu_relu'")]),
    "replace-syntax": (relu("call npu_relu(x, y, n)", rest='  replace @npu_relu "npu_relu({0}, {1}, {2}"'), ["the C of this text does not compile"]),
    "prologue": (relu("call npu_relu(x, y, n)", rest='  prologue @"NPU_LOCK();"\n  epilogue @"npu_lock_t lock;"'),
                 ["'NPU_LOCK' in the C of this prologue is declared neither", "the C of this epilogue"]),
    # Several at once, several patterns, one function.
    "all-at-once": (dense("call npu_long_one(@n, @m, y, @0.5)", "call @npu_rellu(t, y)").replace("y = relu(t)\n", "y = relu(t)\n    call @npu_relu(t, y)\n"),
                    ["'npu_relu' takes 3 arguments, found 2", "argument 1 of 'npu_long_one'", "argument 2 of 'npu_long_one'",
                     "argument 4 of 'npu_long_one'", "did you mean 'npu_relu'?"]),
}

wrong, mistakes = 0, 0
for name, (text, expected) in CASES.items():
    mistakes += len(expected)
    for compiler in sys.argv[3:]:
        folder = f"{name}-{os.path.basename(compiler)}"
        problems = check(folder, text, expected, files={"npu.h": HEADER}, arguments=[f"--cc={compiler}"])
        print(*problems, sep="\n  ") if problems else None
        wrong += bool(problems)
print(f"mistakes: {mistakes}, each with {len(sys.argv) - 3} compilers, {wrong} wrong")
