"""Mistakes in the description of an instruction: each is an error at its line and column. A right one is printed as it was written."""
# RUN: rm -rf %t && mkdir %t && %python -B %s %t

import pathlib
import subprocess
import sys

RIGHT = """accelerator core {
  instruction dot4(sum: i32, x: u8[4], w: i8[4]) {
    sum = sum + x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3]
    lanes 4
    guard "defined(HAS_DOT4)"
    include "core.h"
    code { sum = dot4(sum, x, w); }
  }
}
"""
# Each row has the replaced text, its replacement and the start of the first error.
WRONG = [
    ('instruction dot4(', 'instruction (',
     "2:15: expected the instruction's name, found '('"),
    ('x: u8[4]', 'x u8[4]',
     "2:32: expected ':' after the operand's name, found 'u8'"),
    ('x: u8[4]', 'x: u9[4]',
     "2:33: unknown element type 'u9'; did you mean 'u8'?"),
    ('x: u8[4]', 'x: u8|i8[4]',
     "2:30: operand 'x' of an instruction has one type"),
    ('x: u8[4]', 'x: u8[0]',
     '2:36: an operand has 1 to 32 elements in a word, found 0'),
    ('x: u8[4]', 'x: u8[n]',
     "2:36: expected the number of elements in a word, e.g. u8[4], found 'n'"),
    ('x: u8[4]', 'x: i8[4]',
     "2:30: instruction 'dot4' has operands that no kernel can feed: i8[4] and i8[4] for a sum of i32; "),
    ('x: u8[4], w: i8[4]', 'x: u8[8], w: i8[8]',
     "2:30: instruction 'dot4' has operands that no kernel can feed: u8[8] and i8[8] for a sum of i32; "),
    ('x: u8[4], ', '',
     "3:17: 'x' is no operand of the instruction; it has sum, w"),
    ('sum: i32', 'sum: i16',
     "2:20: instruction 'dot4' has the sum 'sum', which no kernel can feed; expected o"),
    ('sum: i32', 'sum: f32',
     "2:30: instruction 'dot4' has operands that no kernel can feed: u8[4] and i8[4] for a sum of f32; "),
    ('x: u8[4], w: i8[4]', 'x: bf16[4], w: bf16[4]',
     "2:30: instruction 'dot4' has operands that no kernel can feed: bf16[4] and bf16[4] for a sum of i32; "),
    ('sum: i32, ', 'x: u8[4], sum: i32, ',
     "2:40: operand 'x' is given twice"),
    ('w: i8[4]', 'x: i8[4]',
     "2:40: operand 'x' is given twice"),
    ('x: u8[4]', 'int: u8[4]',
     "3:17: 'x' is no operand of the instruction; it has sum, int, w"),
    ('    sum = sum + x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3]\n', '',
     '2:15: the instruction does not say what it computes, e.g. sum = sum + x[0] * w[0'),
    ('sum = sum', 'acc = sum',
     "3:5: unknown statement 'acc'; an instruction holds code, guard, include, lanes "),
    ('x[3] * w[3]', 'x[4] * w[3]',
     "3:61: operand 'x' has elements 0 to 3, found 4"),
    ('x[3] * w[3]', 'x * w[3]',
     "3:59: operand 'x' has 4 elements; write e.g. x[0]"),
    ('sum + x[0]', 'sum[0] + x[0]',
     "3:11: operand 'sum' has one element; write sum"),
    ('x[3] * w[3]', 'x[3] * v[3]',
     "3:66: 'v' is no operand of the instruction; it has sum, x, w"),
    ('x[3] * w[3]', 'x[3] - w[3]',
     "3:64: expected '+', '*' or the end of the line after an element; an instruction "),
    (' + x[3] * w[3]', '',
     "3:5: instruction 'dot4' computes sum + x[0] * w[0] + x[1] * w[1] + x[2] * w[2],"),
    ('sum + x[0]', 'x[0]',
     "3:5: instruction 'dot4' computes x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3]"),
    ('x[3] * w[3]', 'x[3] * w[3] * w[3]',
     "3:5: instruction 'dot4' computes sum + x[0] * w[0] + x[1] * w[1] + x[2] * w[2] "),
    ('x[3] * w[3]', 'x[3] *',
     '3:65: expected an element, e.g. x[0], found the end of the line'),
    ('x[3] * w[3]', 'x[3] * 3',
     "3:66: expected an element, e.g. x[0], found '3'"),
    ('lanes 4', 'lanes 5',
     "4:5: instruction 'dot4' has 5 lanes; vectors of the kernels have 4, 8 or 16 wor"),
    ('lanes 4', 'lanes',
     '4:10: expected the number of lanes, an integer, found the end of the line'),
    ('lanes 4', 'lanes 4\n    lanes 8',
     "5:5: the instruction has 'lanes' already"),
    ('lanes 4', 'lane 4',
     "4:5: unknown statement 'lane'; did you mean 'lanes'?"),
    ('guard "defined(HAS_DOT4)"', 'guard "defined(HAS_DOT4"',
     "5:5: instruction 'dot4' has a guard that has parentheses that do not match"),
    ('guard "defined(HAS_DOT4)"', 'guard ""',
     "5:5: instruction 'dot4' has a guard that is not one line of a condition, e.g. g"),
    ('guard "defined(HAS_DOT4)"', 'guard "defined(HAS_DOT4) \\\\"',
     "5:5: instruction 'dot4' has a guard that is not one line of a condition"),
    ('guard "defined(HAS_DOT4)"', 'guard "1 // always"',
     "5:5: instruction 'dot4' has a guard that is not one line of a condition"),
    (' + x[3] * w[3]', ' + x[3]' + ' * w[3]' * 10,
     "3:115: an instruction multiplies up to 8 elements"),
    ('guard "defined(HAS_DOT4)"', 'guard HAS_DOT4',
     "5:11: expected the condition in double quotes, found 'HAS_DOT4'"),
    ('    code { sum = dot4(sum, x, w); }\n', '',
     '2:15: the instruction has no C, e.g. code { sum = __smlad(x, w, sum); }'),
    ('code { sum = dot4(sum, x, w); }', 'code { sum = dot4(sum, x); }',
     "7:5: instruction 'dot4' has C that does not use the operand 'w'"),
    ('code { sum = dot4(sum, x, w); }', 'code "sum = 1;"',
     '7:10: expected \'{\' and C after \'code\', found the string "sum = 1;"'),
    ('instruction dot4', 'instruction for',
     "2:15: instruction 'for' has a name that C cannot have"),
    ('instruction dot4', 'instructoin dot4',
     "2:3: unknown statement 'instructoin'; did you mean 'instruction'?"),
    ('  }\n}\n', '  }\n  instruction dot4(sum: i32, x: i16[2], w: i16[2]) {\n    sum = sum + x[0] * w[0] + x[1] * w[1]\n    code { sum = dot2(sum, x, w); }\n  }\n}\n',
     "9:15: the description has the instruction 'dot4' twice"),
    ('include "core.h"', 'include "no\\"such.h"',
     '6:5: the name of the header cannot hold a quote, a backslash or a control character'),
]

TILE = """accelerator core {
  instruction dot4(sum: i32, x: u8[4], w: i8[4]) {
    sum = sum + x[0] * w[0] + x[1] * w[1] + x[2] * w[2] + x[3] * w[3]
    lanes 16
    tile rows 8 columns 32 words 16
    guard "defined(HAS_DOT4)"
    include "core.h"
    available "core_exists()"
    configure { core_configure(rows, words); }
    start { core_start(); }
    code { core_dot4(x, x_stride, w, w_stride, w_panel); }
    finish { core_finish(sum, sum_stride); }
  }
}
"""
WRONG_TILES = [
    ('rows 8 columns', 'row 8 columns', "5:10: expected 'rows', as in tile rows 16 columns 16 words 16, found 'row'"),
    ('rows 8 columns', 'rows eight columns', "5:15: expected the number of rows, an integer, found 'eight'"),
    ('words 16', '', "5:28: expected 'words', as in tile rows 16 columns 16 words 16, found the end of the line"),
    ('rows 8 columns', 'rows 0 columns', "5:5: instruction 'dot4' has a tile of 0 rows, expected 1 to 256"),
    ('words 16', 'words 5000', "5:5: instruction 'dot4' has a tile of 5000 words, expected 1 to 1024"),
    ('columns 32', 'columns 8', "5:5: instruction 'dot4' has a tile of 8 columns; expected a multiple of 16, the channels that lie together"),
    ('words 16', 'words 16\n    tile rows 1 columns 16 words 1', "6:5: the instruction has 'tile' already"),
    ('lanes 16', 'lanes 4', "4:5: instruction 'dot4' has operands in memory and 4 lanes; it is used in kernels with vectors of 16 lanes, or without vectors (1)"),
    ('    tile rows 8 columns 32 words 16\n', '', "8:5: instruction 'dot4' has 'configure', which is for operands in memory; write their size, e.g. tile rows 16 columns 16 words 16"),
    ('"core_exists()"', '"core_exists("', "8:5: instruction 'dot4' has a condition 'available' that has parentheses that do not match"),
    ('"core_exists()"', 'core_exists', "8:15: expected the condition in double quotes, found 'core_exists'"),
    ('start { core_start(); }', 'start core_start()', "10:11: expected '{' and C after 'start', found 'core_start'"),
    ('finish {', 'finsh {', "12:5: unknown statement 'finsh'; did you mean 'finish'?"),
    ('x, x_stride, w, ', 'x, ', "11:5: instruction 'dot4' has C that does not use the operand 'w'"),
    ('x: u8[4]', 'x_stride: u8[4]', "3:17: 'x' is no operand of the instruction; it has sum, x_stride, w"),
    ('include "core.h"', 'include "core.h"\n    include "more.h"', "8:5: the instruction has 'include' already"),
]

path = pathlib.Path(sys.argv[1], "core.uma")


def check(text: str, *options: str) -> subprocess.CompletedProcess:
    path.write_text(text)
    return subprocess.run(["uma", "check", *options, str(path)], capture_output=True, text=True)


for right, mistakes in ((RIGHT, WRONG), (TILE, WRONG_TILES)):
    printed = check(right, "--print-text")
    assert printed.returncode == 0 and printed.stdout == right, printed
    for old, new, expected in mistakes:
        assert old in right, old
        result = check(right.replace(old, new, 1))
        errors = [line.split("core.uma:", 1)[-1].replace("error: ", "", 1) for line in result.stderr.splitlines() if "error: " in line]
        assert result.returncode == 2 and errors and errors[0].startswith(expected), (new, result.returncode, errors, expected)
renamed = TILE.replace("x: u8", "words: u8").replace("x[", "words[").replace("(x, x_stride", "(words, x_stride")
assert "2:30: error: instruction 'dot4' has the operand 'words', the name of a size or stride of the tile" in check(renamed).stderr, check(renamed)
