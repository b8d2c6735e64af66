"""`uma check` reports all errors of a description at once: each where it is, each once, in the order of the text, and
nothing that only follows from another one."""
# RUN: rm -rf %t && mkdir %t && %python -B %s %t %S/Inputs | FileCheck %s
# CHECK: {{^}}descriptions: [[#COUNT:]], 0 wrong{{$}}

import os
import sys

sys.path.insert(0, sys.argv[2])
from marked import check  # noqa: E402

os.chdir(sys.argv[1])

CASES = {
    # Syntax: the parser goes on with the next statement.
    "statements": ("""accelerator npu {
  include @<npu.h>
  @inclde "npu.h"
  include "npu.h" @include "b.h"
  link @8
  attribute ratio = @0.5
  pattern relu(x: f32[1, n]) {
    y @relu(x)
    @requre n < 4, "small"
    require n < 0@x10, "small"
    require n < 4@
    call npu_relu(x, y, n)
  }
  keep_off @conv
}
""", ["expected the header's name in double quotes, found '<'", "unknown statement 'inclde'; did you mean 'include'?",
      "expected the end of the line after the header, found 'include'", "expected the library's name in double quotes",
      "attribute 'ratio' is a fraction", "expected '=' after 'y'", "unknown statement 'requre'",
      "unexpected 'x' in a number", "expected ',' and the reason after the condition", "the names of layers"]),
    # What is in parentheses that are not closed is one statement, up to what looks like the next one.
    "parentheses": ("""accelerator npu {
  pattern relu(x: f32[1, n]) {
    y = relu(x
    @call npu_relu(x, y, n)
    z = @rellu(x)
    call npu_relu(x,
                  y @z,
                  n)
    require (n < 4@, "small"
  }
  pattern conv(x: f32[@1.5], w: f32[ {
    y = @con2d(x, w)
  }
}
""", ["expected ',' or ')' in the arguments of 'relu'", "unknown operator 'rellu'", "expected ',' or ')' in the arguments of 'npu_relu'",
      "expected ')' to close the parenthesis", "expected a size", "unknown operator 'con2d'"]),
    # A whole block that is not understood is skipped, with what is in it.
    "blocks": ("""accelerator npu {
  @patern relu(x: f32[1, n]) {
    y = relu(x
    call
  }
  memory sram {
    size = @
    @aligment = 64
    cost = @"a"
  }
  transfer { cycles = @; }
  @memry dram { size = 4 }
  pattern relu(x: f32[1, n]) {
    y = relu(x)
    place y in dram
    call npu_relu(x, y, @m)
  }
}
""", ["unknown statement 'patern'", "expected a number, a name or '('", "memory 'sram' has no 'aligment'", "expected the cycles per byte",
      "expected a number, a name or '('", "unknown statement 'memry'", "undefined name 'm'"]),
    # A brace that is missing is one error, too.
    "brace": ("""accelerator npu {
  pattern relu(x: f32[1, n]) {
    y = relu(x)
    call npu_relu(x, y, n)
  @pattern relu2(x: f32[1, n]) {
    y = @rellu(x)
    call npu_relu(x, y, n)
  }
}
""", ["expected '}' at the end of pattern 'relu', found 'pattern'", "unknown operator 'rellu'"]),
    "truncated": ("""accelerator npu {
  @inclde "npu.h"
  pattern relu(x: f32[1, n]) {
    y = @rellu(x)
""", ["unknown statement 'inclde'", "unknown operator 'rellu'"]),
    "characters": ("""accelerator npu {
  @$
  include "@\\n"
  include @'npu.h'
}
""", ["unexpected character '$'", "unknown escape", "strings stand in double quotes"]),
    # Names: an unknown one is reported once, and so is what an operator with an error makes.
    "names": ("""accelerator npu {
  pattern conv(x: f32[1, ic, h, w], k: @f23[oc, kh, kw]) {
    c = conv2d(x, k, @stride=[s, s], @groups2=1)
    t = bias_add(c, @b)
    y = @rellu(t)
    require s <= 4 && kh <= 4, "small"
    require @q < 4, "undefined"
    require q < 8, "again"
    require x @< 4, "a tensor"
    call npu_conv(x, k, b, y, s, oc, @undefined, ic @== 3)
  }
  pattern @conv(x: f32[1, n]) {
    y = relu(x, @groups=1)
    call npu_relu(x, y, n)
  }
}
""", ["unknown element type 'f23'", "did you mean 'strides'?", "'groups2'", "undefined name 'b'", "unknown operator 'rellu'",
      "undefined name 'q'", "'<' takes numbers, found a tensor", "undefined name 'undefined'",
      "an argument of a call is a tensor or a number", "a pattern 'conv' exists already", "'groups'"]),
    # Verifiers: of all operations, and of all patterns.
    "verifiers": ("""accelerator npu {
  link @"libnpu.so"
  pass @TIR_PHASE1 "cse"
  pass @TIR_PHASE_1 "csse"
  memory @sram { alignment = 3 }
  keep_off @"[a"
  pattern relu(x: f32[1, n], @z: f32[n]) {
    t = @relu(x)
    y = relu(x)
    call npu_relu(x, y, n, z)
  }
  pattern @nothing(x: f32[1, n]) {
    y = relu(x)
  }
}
""", ["'libnpu.so' is not the name of a library", "unknown phase 'TIR_PHASE1'", "cannot parse the passes of TIR_PHASE_1",
      "the alignment of memory 'sram' is 3", "is not a glob", "no operator of the pattern uses input 'z'",
      "'t' is not part of what the pattern computes", "pattern 'nothing' does nothing with a match"]),
    "twice": ("""accelerator npu {
  memory sram { size = 4 }
  memory @sram { size = 8 }
  layout conv2d "NHWC"
  layout @conv2d "NCHW"
  replace @npu_conv "X({0})"
  pattern relu(x: f32[1, n]) {
    y = relu(x)
    place y in @dram
    call npu_relu(x, y, n)
  }
}
""", ["the description has the memory 'sram' twice", "the description says the layout of 'conv2d' twice",
      "nothing calls 'npu_conv', which is to be replaced", "has no memory 'dram'"]),
    # Files: all that are missing.
    "files": ("""accelerator npu {
  model @"npu.c"
  model @"npu2.c"
  script TIR_PHASE_0 @"npu.mlir"
}
""", ["no such file: 'files/npu.c'", "no such file: 'files/npu2.c'", "no such file: 'files/npu.mlir'"]),
}

wrong = 0
for name, (text, expected) in CASES.items():
    problems = check(name, text, expected, arguments=["--no-header"])
    print(*problems, sep="\n  ") if problems else None
    wrong += bool(problems)
print(f"descriptions: {len(CASES)}, {wrong} wrong")
