"""The three forms of the weights give the same numbers, and an image of weights works at any address: of the linker, of another
file, of a file that is read at run time, of several threads at once. Its check knows another image and a damaged one."""
# REQUIRES: gcc, clang
# RUN: rm -rf %t && mkdir %t && %python -B %s %source/examples/digits/digits.onnx %t %gcc %clang

import hashlib
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib

model, root = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
gcc, clang = sys.argv[3:5]
os.chdir(root)
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1"]


def run(*command, status=0, **options) -> str:
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if result.returncode != status:
        sys.exit(f"{command}: status {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout


def compile_model(folder: str, *options: str, path: str = model) -> pathlib.Path:
    run("uma", "compile", path, *options, "-o", folder)
    return root / folder


forms = {form: compile_model(form, f"--weights={form}") for form in ("auto", "array", "incbin", "image")}
outputs = {form: run("make", "-s", "-C", package, "run", f"CC={gcc}") for form, package in forms.items()}
if len(set(outputs.values())) != 1:
    sys.exit(f"numbers: {outputs}")
names = {form: {path.name for path in package.iterdir() if "weights" in path.name} for form, package in forms.items()}
if names["auto"] != names["incbin"] or names["array"] != {"digits_weights.c"} or "digits_weights.h" not in names["image"]:
    sys.exit(f"files: {names}")
for form, flags in (("incbin", "-DUMA_NO_INCBIN"), ("image", "-DUMA_NO_INCBIN"), ("image", "-DUMA_RUN_LAYERS")):
    run("make", "-s", "-C", forms[form], "clean")
    if run("make", "-s", "-C", forms[form], "run", f"CC={clang}", f"CPPFLAGS={flags}") != outputs["auto"]:
        sys.exit(f"{form}, {flags}: other numbers")
if "equal to the reference interpreter" not in run("uma", "run", forms["image"], "--compare"):
    sys.exit("image: the comparison fails")

# The layout of the image, by its documentation.
image = (forms["image"] / "digits_weights.bin").read_bytes()
magic, version, size, crc, alignment, zero, digest = struct.unpack("<4sIQIIQ32s", image[:64])
expected = (b"UMAW", 1, len(image), zlib.crc32(image[64:]), 64, 0, hashlib.sha256(pathlib.Path(model).read_bytes()).digest())
if (magic, version, size, crc, alignment, zero, digest) != expected:
    sys.exit(f"image: {image[:64]}, expected {expected}")
described = json.loads((forms["image"] / "metadata.json").read_text())["weights"]["image"]
if (described["bytes"], described["crc32"], described["alignment"]) != (size, crc, alignment):
    sys.exit(f"metadata: {described}")
header = (forms["image"] / "digits_weights.h").read_text()
listed = re.findall(r"^ \* +(\d+) (\w+) x (\d+) (\w+)$", header, re.MULTILINE)
if [(int(offset), name) for offset, _, _, name in listed] != [(each["offset"], each["name"]) for each in described["constants"]]:
    sys.exit(f"header: {listed}, {described}")
# Each constant is at its offset: as in the arrays.
arrays = (forms["array"] / "digits_weights.c").read_text()
for offset, kind, count, name in listed:
    text = re.search(rf" {name}\[{count}\] = {{([^}}]*)}}", arrays)[1]
    values = [float(value.strip().rstrip("f")) for value in text.split(",")]
    stored = struct.unpack_from(f"<{count}f", image, int(offset))
    if int(offset) % 64 or kind != "float" or any(struct.pack("<f", x) != struct.pack("<f", y) for x, y in zip(values, stored)):
        sys.exit(f"{name}: not at {offset}")

# Hash and version in the header.
digits_header = (forms["auto"] / "digits.h").read_text()
if f'#define DIGITS_MODEL_HASH "{digest.hex()}"' not in digits_header or "#define DIGITS_VERSION 0\n" not in digits_header:
    sys.exit(digits_header)
import onnx  # Here, since it is slow.

versioned = onnx.load(model)
versioned.model_version = 42
onnx.save(versioned, "digits.onnx")
second = compile_model("second", "--weights=image", path="digits.onnx")
digest = hashlib.sha256(pathlib.Path("digits.onnx").read_bytes()).hexdigest()
text = (second / "digits.h").read_text()
if "#define DIGITS_VERSION 42\n" not in text or f'"{digest}"' not in text:
    sys.exit(text)
if (metadata := json.loads((second / "metadata.json").read_text()))["model_version"] != 42 or metadata["model_sha256"] != digest:
    sys.exit("metadata: version and hash")

# A program that reads the image at run time: at every address of the alignment, checked before, in four threads at once.
pathlib.Path("load.c").write_text(r"""
#define _POSIX_C_SOURCE 200112L
#include "digits.h"
#include "digits_weights.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *image;

static void *run(void *result) {
  static const float zeros[DIGITS_INPUT_IMAGE_SIZE];
  unsigned char workspace[DIGITS_WORKSPACE_SIZE + DIGITS_WORKSPACE_ALIGNMENT];
  size_t at = (size_t)workspace % DIGITS_WORKSPACE_ALIGNMENT;
  int i;
  for (i = 0; i < 100; ++i) {
    if (digits_run_with_weights(zeros, (float *)result, workspace + DIGITS_WORKSPACE_ALIGNMENT - at, image) != 0) {
      return result;
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "rb");
  void *memory = NULL;
  float results[4][DIGITS_OUTPUT_PROBABILITIES_SIZE];
  pthread_t threads[4];
  int offset, i;
  if (argc < 2 || !file || posix_memalign(&memory, 4096, DIGITS_WEIGHTS_SIZE + 8 * DIGITS_WEIGHTS_ALIGNMENT) != 0) {
    return 9;
  }
  for (offset = 0; offset < 8; ++offset) {
    image = (unsigned char *)memory + (size_t)offset * DIGITS_WEIGHTS_ALIGNMENT;
    rewind(file);
    if (fread(image, 1, DIGITS_WEIGHTS_SIZE, file) != DIGITS_WEIGHTS_SIZE) {
      return 8;
    }
    if (digits_check_weights(image) != 0) {
      printf("check: %d\n", (int)digits_check_weights(image));
      return 0;
    }
    for (i = 0; i < 4; ++i) {
      if (pthread_create(&threads[i], NULL, run, results[i]) != 0) {
        return 7;
      }
    }
    for (i = 0; i < 4; ++i) {
      void *failed;
      if (pthread_join(threads[i], &failed) != 0 || failed || memcmp(results[i], results[0], sizeof(results[0])) != 0) {
        return 6;
      }
    }
  }
  for (i = 0; i < DIGITS_OUTPUT_PROBABILITIES_SIZE; ++i) {
    printf("%.9g ", (double)results[0][i]);
  }
  printf("\n");
  return 0;
}
""")
# Without digits_weights.c: nothing but the parameter names the image.
build = [gcc, *STRICT, f"-I{forms['image']}", "load.c", forms["image"] / "digits.c", "-lm", "-lpthread", "-o", "load"]
run(*build)
loaded = run("./load", forms["image"] / "digits_weights.bin")
pathlib.Path("zeros.bin").write_bytes(bytes(256))
direct = run(forms["array"] / "build/digits", "--input", "image=zeros.bin")
if loaded.split() != direct.split()[1:]:
    sys.exit(f"loaded: {loaded}, {direct}")
for position, code in ((0, 1), (40, 1), (64, 2), (70000, 2), (len(image) - 1, 2)):
    damaged = bytearray(image)
    damaged[position] ^= 0x10
    pathlib.Path("damaged.bin").write_bytes(damaged)
    if (text := run("./load", "damaged.bin")) != f"check: {code}\n":
        sys.exit(f"damaged at {position}: {text}")
if (text := run("./load", second / "digits_weights.bin")) != "check: 1\n":
    sys.exit(f"another model's image: {text}")

# Where the linker has the image from: a section of its own, at an address of its own.
pathlib.Path("flash.c").write_text("""#include "digits_weights.h"
__attribute__((section(".weights"), aligned(64))) const unsigned char digits_weights[] = {
#include "digits_weights_arrays.inc"
};
""")
sources = [forms["image"] / name for name in ("digits.c", "digits_weights.c", "main.c")]
run(clang, *STRICT, "-DUMA_WEIGHTS_EXTERN", f"-I{forms['image']}", "flash.c", *sources, "-lm", "-Wl,--section-start=.weights=0x40000000", "-no-pie",
    "-o", "flash")
if run("./flash") != outputs["auto"]:
    sys.exit("flash: other numbers")
run(gcc, *STRICT, "-DUMA_WEIGHTS_EXTERN", f"-I{forms['image']}", *sources, "-lm", "-o", "none", status=1)

# A network without constants has an image that is a header.
pathlib.Path("relu.mlir").write_text('''func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.network = "r"} {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
''')
empty = compile_model("empty", "--weights=image", path="relu.mlir")
if len((empty / "r_weights.bin").read_bytes()) != 64 or "output0: 0 " not in run("make", "-s", "-C", empty, "run"):
    sys.exit("a network without constants")
