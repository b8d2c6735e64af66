"""`uma new` with names, headers and folders of every kind: one message, a documented exit code and no partial folder."""
# REQUIRES: libclang
# RUN: rm -rf %t && mkdir %t && cc -shared -fPIC -o %t/faults.so %S/Inputs/faults.c -ldl
# RUN: %python -B %s %t %S/Inputs | FileCheck %s --match-full-lines --implicit-check-not={{.}}

import os
import pathlib
import resource
import shutil
import subprocess
import sys

root, inputs = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
folder = root / "work"
folder.mkdir()


def start(*arguments, cwd=folder, **environment):
    return subprocess.run(["uma", "new", *arguments], cwd=cwd, env={**os.environ, **environment}, capture_output=True, timeout=600)


def new(*arguments, **environment):
    """Prints what a failing command says; nothing but the headers may be in the folder behind it."""
    before = sorted(os.listdir(folder))
    result = start(*arguments, **environment)
    lines = result.stderr.decode(errors="backslashreplace").splitlines()
    print("\n".join(lines))
    if result.stdout or len(lines) != 1 or sorted(os.listdir(folder)) != before:
        sys.exit(f"{arguments}: printed {result.stdout} and {len(lines)} errors, left {os.listdir(folder)}")
    print(f"status {result.returncode}")


# Names.
# CHECK: uma: error: '1abc' is no name of an accelerator, expected up to 60 letters, digits and '_', a letter first
# CHECK-NEXT: status 2
new("1abc")
# CHECK-NEXT: uma: error: '' is no name of an accelerator, expected up to 60 letters, digits and '_', a letter first
# CHECK-NEXT: status 2
new("")
# CHECK-NEXT: uma: error: '../x' is no name of an accelerator, expected up to 60 letters, digits and '_', a letter first
# CHECK-NEXT: status 2
new("../x")
# CHECK-NEXT: uma: error: '\x1B[2Jx' is no name of an accelerator, expected up to 60 letters, digits and '_', a letter first
# CHECK-NEXT: status 2
new("\x1b[2Jx")
# CHECK-NEXT: uma: error: '{{a+~[0-9a-f]+}}' is no name of an accelerator, expected up to 60 letters, digits and '_', a letter first
# CHECK-NEXT: status 2
new("a" * 1000)
# CHECK-NEXT: uma: error: 'while' is a word of C or of the description language, expected a name that functions of C can start with
# CHECK-NEXT: status 2
new("while")
# CHECK-NEXT: uma: error: 'require' is a word of C or of the description language, expected a name that functions of C can start with
# CHECK-NEXT: status 2
new("require")
# CHECK-NEXT: uma: error: 'string.h' would hide a header of C or a file of a package, expected another name
# CHECK-NEXT: status 2
new("string")

# Headers that are none.
# CHECK-NEXT: uma: error: --from-header=missing.h: No such file or directory; expected a C header, by its path or below a folder that CPPFLAGS=-IFOLDER names
# CHECK-NEXT: status 2
new("dev", "--from-header=missing.h")
# CHECK-NEXT: uma: error: --from-header=.: is no regular file, expected a C header
# CHECK-NEXT: status 2
new("dev", "--from-header=.")
# CHECK-NEXT: uma: error: --from-header=/dev/zero: is no regular file, expected a C header
# CHECK-NEXT: status 2
new("dev", "--from-header=/dev/zero")
headers = {
    "big.h": b"x" * (10 << 20),
    "junk.h": bytes(range(128, 256)) * 30,
    "wrong.h": b"int f(int n);\nint g(floot x);\n",
    "recursive.h": b'#include "recursive.h"\n',
    "lacks.h": b'#include "lacking.h"\n',
    "cpp.h": b"class A { public: int f(); };\nnamespace n { int g(int); }\n",
    "none.h": b"struct s { int n; };\nextern int x;\n",
    "deep.h": b"int f(" + b"(" * 100000,
    'quo"te.h': b"int f(int n);\n",
    "Makefile": b"int f(int n);\n",
    "many.h": b"".join(b"void query%d(void);\nint odd%d(const float *x, float *y);\n" % (i, i) for i in range(60)),
    "debug.h": b"#pragma clang __debug crash\n",
    "outside.h": b'#include "../other.h"\nint dev_f(const float *x, float *y, int n);\n',
}
# Takes clang long, but little memory: 2 ** 100 includes.
headers["bomb.h"] = b"#if __INCLUDE_LEVEL__ < 100\n" + b'#include "bomb.h"\n' * 2 + b"#endif\n"
# Takes much memory: 64 ** 8 tokens.
letters = "ABCDEFGHI"
headers["memory.h"] = "".join(f"#define {a} {' '.join(b * 64)}\n" for a, b in zip(letters, letters[1:])).encode() + b"#define I 1,\nint x[] = {A};\n"
for name, text in headers.items():
    (folder / name).write_bytes(text)
(root / "other.h").write_text("typedef int other;\n")
# CHECK-NEXT: uma: error: --from-header=big.h: has 10 MiB, expected at most 4 MiB; name the header that declares the device's functions
# CHECK-NEXT: status 2
new("dev", "--from-header=big.h")
# CHECK-NEXT: junk.h:1:1: error: source file is not valid UTF-8{{.*}}
# CHECK-NEXT: status 2
new("dev", "--from-header=junk.h")
# CHECK-NEXT: wrong.h:2:7: error: unknown type name 'floot'
# CHECK-NEXT: status 2
new("dev", "--from-header=wrong.h")
# CHECK-NEXT: recursive.h:1:10: error: #include nested too deeply
# CHECK-NEXT: status 2
new("dev", "--from-header=recursive.h")
# CHECK-NEXT: lacks.h:1:10: error: 'lacking.h' file not found
# CHECK-NEXT: status 2
new("dev", "--from-header=lacks.h")
# CHECK-NEXT: cpp.h:1:1: error: unknown type name 'class'{{.*}}; the header is C++, expected C, which the emitted code is: declare the functions in a header of C, within '#ifdef __cplusplus extern "C"'
# CHECK-NEXT: status 2
new("dev", "--from-header=cpp.h")
# CHECK-NEXT: uma: error: none.h: declares no functions, expected those of the device
# CHECK-NEXT: status 2
new("dev", "--from-header=none.h")
# CHECK-NEXT: uma: error: deep.h: clang crashes on it or needs more than 1 GiB, expected a header that a C compiler accepts
# CHECK-NEXT: status 2
new("dev", "--from-header=deep.h")
# CHECK-NEXT: uma: error: --from-header=quo"te.h: expected a name of printable ASCII characters without '"' and '\'
# CHECK-NEXT: status 2
new("dev", '--from-header=quo"te.h')
# CHECK-NEXT: uma: error: outside.h: includes './../other.h', which is outside of its folder; name the folder that both are below by CPPFLAGS=-IFOLDER, then the headers stay where they are
# CHECK-NEXT: status 2
new("dev", "--from-header=outside.h")
# CHECK-NEXT: uma: error: debug.h: clang crashes on it or needs more than 1 GiB, expected a header that a C compiler accepts
# CHECK-NEXT: status 2
new("dev", "--from-header=debug.h")
# CHECK-NEXT: uma: error: --from-header: the draft has a file 'Makefile' of its own; rename the header, or name its folder by CPPFLAGS=-IFOLDER
# CHECK-NEXT: status 2
new("dev", "--from-header=Makefile")
(root / "memory.c").write_text("""#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  void *(*next)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
  if (flags & MAP_SHARED && flags & MAP_ANONYMOUS)
    return errno = ENOMEM, MAP_FAILED;
  return next(at, size, protection, flags, file, offset);
}
""")
subprocess.run(["cc", "-shared", "-fPIC", "-o", root / "memory.so", root / "memory.c", "-ldl"], check=True)
# CHECK-NEXT: uma: error: there is no memory to read the header
# CHECK-NEXT: status 2
new("dev", "--from-header=wrong.h", LD_PRELOAD=str(root / "memory.so"))
# CHECK-NEXT: uma: error: bomb.h: takes clang more than 5 s; name the header that declares the device's functions
# CHECK-NEXT: status 2
new("dev", "--from-header=bomb.h")
# A slow machine may come to the other limit first.
# CHECK-NEXT: uma: error: memory.h: {{clang crashes on it or needs more than 1 GiB, expected a header that a C compiler accepts|takes clang more than 5 s; name the header that declares the device's functions}}
# CHECK-NEXT: status 2
new("dev", "--from-header=memory.h")
os.mkfifo(folder / "pipe")
(folder / "waits.h").write_text('#include "pipe"\nint f(int n);\n')
# CHECK-NEXT: uma: error: waits.h: could not be read; does it include a pipe or a device?
# CHECK-NEXT: status 2
new("dev", "--from-header=waits.h")
# CHECK-NEXT: uma: error: wrong.h: clang cannot parse it with the flags of CPPFLAGS and CFLAGS
# CHECK-NEXT: status 2
new("dev", "--from-header=wrong.h", CPPFLAGS="-emit-ast -x nothing")

# Folders. A folder of the system takes no files, not even root's.
# CHECK-NEXT: uma: error: dev/dev.uma: {{.*}}
result = start("dev", cwd="/proc")
print(result.stderr.decode(), end="")
assert result.returncode == 2 and not result.stdout, result


# A full disk at any time leaves nothing.
def count_faults(call):
    for at in range(1, 100):
        result = start("full", "--from-header", str(inputs / "new/plain.h"), LD_PRELOAD=str(root / "faults.so"), FAULT_CALL=call, FAULT_AT=str(at))
        if result.returncode == 0:
            shutil.rmtree(folder / "full")
            return at - 1
        message = result.stderr.decode()
        assert result.returncode == 2 and "No space left on device" in message and message.count("\n") == 1, result
        left = set(os.listdir(folder)) - set(headers) - {"pipe", "waits.h"}
        assert not left, (call, at, left)
    sys.exit(f"{call} still fails")


# A file gets its name by a link, or by a rename where file systems cannot link one that has none.
faults = {call: count_faults(call) for call in ("write", "rename", "linkat", "mkdir")}
assert faults["write"] >= 6 and faults["rename"] + faults["linkat"] >= 6 and faults["mkdir"] >= 1, faults

# A header with more than a draft can hold: 20 questions, 50 names.
assert start("many", "--from-header=many.h").returncode == 0
text = (folder / "many/many.uma").read_text()
assert text.count("# pattern odd") == 20 and ", query" in text and " and 50 more\n" in text, text

# The draft and its check take less than a second.
before = resource.getrusage(resource.RUSAGE_CHILDREN)
assert start("quick", "--from-header", str(inputs / "new/plain.h")).returncode == 0
subprocess.run(["uma", "check", "quick.uma"], cwd=folder / "quick", check=True, stdout=subprocess.DEVNULL)
after = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
assert seconds < 1, seconds
