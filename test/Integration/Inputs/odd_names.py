"""Names that a model may give its parts: what C, build files, file systems and terminals have a meaning for."""

import itertools
import re
import subprocess

# C89 to C23, C++98 to C++26.
KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await
co_return co_yield compl concept const const_cast consteval constexpr constinit continue contract_assert decltype
default delete do double dynamic_cast else enum explicit export extern false final float for friend goto if import
inline int long module mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected
public register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct
switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using
virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof _Atomic _BitInt _Bool _Complex _Decimal32 _Decimal64
_Decimal128 _Generic _Imaginary _Noreturn _Static_assert _Thread_local __asm __attribute__ __restrict __func__
""".split()

HEADERS = ["float.h", "limits.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h"]

# Functions and types that packages call or use, and names of their own.
USED = """
abs exp expf fabsf fmaf index j0 y1 gamma log memcpy memmove memset signgam sqrt sqrtf float_t size_t ptrdiff_t int8_t
int32_t uint64_t intptr_t int_fast8_t FILE printf main uma uma_tensor_info uma_f16_to_f32 uma_run UMA_HOOKS UMA_RESTRICT
UMA_ALIGNED UMA_LANES UMA_ON_ERROR UMA_PROFILE UMA_PROFILE_BEGIN UMA_TENSOR_INFO UMA_WEIGHTS workspace buffer run inputs
outputs input output input0 output0 input_shape0 output_shape1 unnamed find fill status net net_run net_inputs
net_outputs net_input_shape0 NET_H NET_LAYERS_H NET_NUM_INPUTS NET_WORKSPACE_SIZE NET_INPUT_X_SIZE NET_INPUT_X
NET_OUTPUT_X_BYTES v1 v2 v99 i1 i2 j3 u9 x x_2 X x_SIZE
""".split()

# Fragments that are put together in pairs.
FRAGMENTS = ["*", "/", "\\", "?", "??/", "\n", "\r", '"', "'", "%s%n", "{}", "{{", "$(shell false)", "#", "a"]

BIDIRECTIONAL = [chr(code) for code in [0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]]

ODD = [
    "*\\ void INJECTED(void) {} /*",
    "*/ void INJECTED(void) {} /*",
    "*\\\nvoid INJECTED(void) {}",
    "??/\nvoid INJECTED(void) {}",
    "\\\nvoid INJECTED(void) {}",
    "\nvoid INJECTED(void) {}",
    "\rvoid INJECTED(void) {}",
    '", INJECTED, "',
    '"); INJECTED(); ("',
    "\n#error INJECTED",
    "\n%:error INJECTED",
    "\n\tINJECTED",
    "\nall: ; INJECTED",
    ")\nmessage(FATAL_ERROR INJECTED)",
    "[[", "]]", "[=[", "$(shell INJECTED)", "$(error INJECTED)", "${INJECTED}", "`INJECTED`", "$x", "$$", "%", "%s", "%n",
    "{}", "{", "}", "{{", "}}", "{0}", "/*", "*/", "//", "/", "\\", "\\\\", "*", "?", "??", "??/", "??=", "???/", "%:", "<:",
    " ", "  ", "\t", "\n", "\r", "\r\n", "\v", "\f", "\0", "a\0", "a\0b", "a\0c", "\x1b[2J", "\x1b]0;INJECTED\a", "\x7f", "\x85",
    ".", "..", "...", "../..", "../x", "/etc/passwd", "a/b", "a_b", "a\\b", "a:b", "C:", "C:\\x", "~", "-", "--", "-o", "--input",
    "--output", "=", "a=b", "a=b=c", "a==", "#", "#0", "#1", "#1=x", "@", "&", "|", ";", ":", "::", ",", "(", ")", "[", "]", "<", ">",
    "!", "'", '"', "^", "+", "0", "9", "9 lives", "3x3", "_", "__", "___", "_a", "__a", "a_", "a__", "a__b", "_A", "A", "a", "AA",
    "aA", "Aa", "é", "été", "ß", "İ", "入力", "出力", "Ω", "Ω", "ﬁ", "e\u0301", "🙂", "👨\u200d👩\u200d👧", "\u00a0", "\u00ad", "\u200b",
    "\u200c", "\u200d", "\u2028", "\u2029", "\u2060", "\u3000", "\u3164", "\ufeff", "\ufe0f", "\ufffd", "\ufffe", "\U000e0041",
    "\U0010ffff", "\u202e INJECTED \u202c", *BIDIRECTIONAL, "\u2066/*\u2069 INJECTED \u2066*/\u2069",
    "CON", "nul", "aux", "com1", "test", "all", "install", "x" * 63, "x" * 255, "x" * 256, "x" * 4095, "x" * 4096, "x" * 5000,
    "x" * 5000 + "y", "X" * 300, "_" * 5000, "\n" * 5000, "é" * 3000, "/" * 300, "*/" * 2500, "?" * 5000, "\0" * 5000,
    b"\x80", b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80", b"\xe2\x80*/", b"a\xe2", b"\xff" * 5000,
    *("".join(pair) for pair in itertools.product(FRAGMENTS, FRAGMENTS)),
]


def encode(name: str | bytes) -> bytes:
    return name if isinstance(name, bytes) else name.encode("utf-8")


def get_odd() -> list[bytes]:
    return list(dict.fromkeys(map(encode, ODD)))


def get_macros(*command: str) -> list[str]:
    """Every macro of the headers that packages include, and those that the compiler predefines."""
    program = "".join(f"#include <{header}>\n" for header in HEADERS)
    done = subprocess.run([*command, "-dM", "-E", "-"], input=program, capture_output=True, text=True, check=True)
    return sorted(set(re.findall(r"#define (\w+)", done.stdout)))
