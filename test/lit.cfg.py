"""The lit configuration of every test below this folder."""

import glob
import os
import shutil
import subprocess
import sys

sys.path.append(os.path.join(config.uma_source_dir, "utils"))
import lit_timing

config.name = "uma"
config.test_format = lit_timing.TimedShTest(os.path.join(config.uma_binary_dir, "test", "processor-seconds.txt"))
config.suffixes = [".mlir", ".uma", ".test", ".py"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py", "lit.site.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.uma_binary_dir, "test")

bin_dir = os.path.join(config.uma_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
# Each search of a mapping runs, and the user's cache stays as it is.
config.environment["UMA_CACHE_DIR"] = ""
config.environment["UMA_ACCELERATOR_PATH"] = os.path.join(config.uma_source_dir, "dialects")

# `make test` leaves out tests marked `REQUIRES: full`, and the parts of others in `%if full %{…%}`; see docs/testing.md.
if os.environ.get("UMA_TEST_TIER") != "quick":
    config.available_features.add("full")
config.substitutions.append(("%full", "--full" if "full" in config.available_features else ""))

# Models that are not in the repository: tests that need them are marked
# `REQUIRES: mlperf-tiny` and reported as unsupported where they are missing.
# `lit -D models=FOLDER` names another folder.
models = lit_config.params.get("models", os.path.join(config.uma_source_dir, "..", "shared", "models"))
if os.path.isdir(models):
    config.available_features.add("mlperf-tiny")
config.substitutions.append(("%models", models))
# Small inputs that once failed, beside the models.
cases = os.path.join(os.path.dirname(models), "cases")
if os.path.isdir(cases):
    config.available_features.add("cases")
config.substitutions.append(("%cases", cases))
config.substitutions.append(("%python", "/usr/bin/python3"))
config.substitutions.append(("%dialects", os.path.join(config.uma_source_dir, "dialects")))
config.substitutions.append(("%source", config.uma_source_dir))
config.substitutions.append(("%build", config.uma_binary_dir))
config.substitutions.append(("%cmake", config.cmake))
config.substitutions.append(("%cxx", config.cxx))
config.substitutions.append(("%plugin", os.path.join(config.uma_binary_dir, "lib", "UMAPlugin.so")))

# Upstream's way from linalg on tensors to the LLVM dialect, and what mlir-runner runs it with.
to_llvm = (
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
    "convert-linalg-to-loops,convert-math-to-funcs,convert-scf-to-cf,expand-strided-metadata,lower-affine,"
    "convert-vector-to-llvm,convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,finalize-memref-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,convert-index-to-llvm,reconcile-unrealized-casts"
)
mlir_lib = os.path.join(os.path.dirname(config.llvm_tools_dir), "lib")
runner_libs = [f"--shared-libs={mlir_lib}/libmlir_{name}.so" for name in ("runner_utils", "c_runner_utils")]
config.substitutions.append(("%mlir_lib", mlir_lib))
config.substitutions.append(("%to_llvm", to_llvm))
config.substitutions.append(("%runner_libs", " ".join(runner_libs)))

if glob.glob(os.path.join(config.uma_binary_dir, "python", "uma", "_uma*.so")):
    config.available_features.add("python")
else:
    lit_config.note("the Python module is not built (pybind11-dev, python3-dev): its tests are skipped")

if config.libclang:
    config.available_features.add("libclang")
else:
    lit_config.note("uma is built without libclang (libclang-22-dev): tests of uma new --from-header are skipped")

# Compiler flags of a C program with the library of the build folder. One with AddressSanitizer needs a program with it.
if not config.asan:
    config.available_features.add("capi")
lib_dir = os.path.join(config.uma_binary_dir, "lib")
config.substitutions.append(
    ("%capi", f"-I{config.uma_source_dir}/include -L{lib_dir} -luma-c -Wl,-rpath,{lib_dir}")
)

# The emitted C is compiled under these flags, everywhere.
config.substitutions.append(("%strict", "-std=c99 -Wall -Wextra -Wpedantic -Werror"))
for compiler, names in {"gcc": ["gcc"], "gxx": ["g++"], "clang": ["clang-22", "clang"]}.items():
    path = next(filter(None, map(shutil.which, names)), None)
    if path:
        config.available_features.add(compiler)
        config.substitutions.append((f"%{compiler}", path))

# The emitted C runs on other processors too, here in emulators.
for processor, system in {"aarch64": "linux-gnu", "riscv64": "linux-gnu", "arm": "linux-gnueabihf"}.items():
    if shutil.which(f"{processor}-{system}-gcc") and shutil.which(f"qemu-{processor}"):
        config.available_features.add(f"cross-{processor}")
    else:
        lit_config.note(f"no gcc-{processor}-{system} or qemu-user: tests on {processor} are skipped")

# Boards without an operating system.
boards = {
    "arm": ("arm-none-eabi-gcc", "qemu-system-arm", "gcc-arm-none-eabi, libnewlib-arm-none-eabi or qemu-system-arm"),
    "riscv32": ("riscv64-unknown-elf-gcc", "qemu-system-riscv32", "gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf or qemu-system-misc"),
}
for processor, (compiler, emulator, packages) in boards.items():
    command = [compiler, *(["--specs=picolibc.specs"] if processor == "riscv32" else []), "-x", "c", "-", "-fsyntax-only"]
    found = shutil.which(compiler) and shutil.which(emulator)
    if found and subprocess.run(command, input=b"#include <string.h>\n", stderr=subprocess.DEVNULL).returncode == 0:
        config.available_features.add(f"board-{processor}")
    else:
        lit_config.note(f"no {packages}: tests on boards with {processor} are skipped")

# Verilog of a device is simulated, too.
if shutil.which("verilator"):
    config.available_features.add("verilator")
else:
    lit_config.note("no verilator: the test of Strawberry's array in Verilog is skipped")

if shutil.which("mandoc"):
    config.available_features.add("mandoc")
else:
    lit_config.note("no mandoc: the test of the manual pages is skipped")
if shutil.which("fish"):
    config.available_features.add("fish")
else:
    lit_config.note("no fish: the test of its completion is skipped")

# Pages are opened in a browser.
if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))):
    config.available_features.add("chromium")
else:
    lit_config.note("no chromium: the page of uma compile --report and the site of the documentation are not opened in a browser")

# Workers of Dask measure and explore.
find = "import importlib.util, sys; sys.exit(not importlib.util.find_spec('distributed'))"
if subprocess.run(["/usr/bin/python3", "-c", find], stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("dask")
else:
    lit_config.note("no python3-distributed: tests with workers of Dask are skipped")

# The site of the documentation is built, and opened.
if shutil.which("mkdocs") and os.path.isdir("/usr/share/mkdocs/themes/material"):
    config.available_features.add("mkdocs")
else:
    lit_config.note("no mkdocs or mkdocs-material: the site of the documentation is not built")

# Libraries that accelerators in dialects call. NVIDIA's are only compiled and linked.
cuda = next(iter(sorted(glob.glob("/usr/local/cuda*/include"))), "/usr/include")
libraries = {
    "onednn": ("dnnl.h", ["-ldnnl"], "libdnnl-dev"),
    "openblas": ("cblas.h", ["-lopenblas"], "libopenblas-dev"),
    "cublas": ("cublas_v2.h", [f"-I{cuda}"], "CUDA"),
    "cudnn": ("cudnn.h", [f"-I{cuda}"], "cuDNN"),
}
for library, (header, flags, package) in libraries.items():
    program = f"#include <{header}>\nint main(void) {{ return 0; }}\n"
    mode = ["-o", os.devnull] if flags[0].startswith("-l") else ["-fsyntax-only"]
    command = ["cc", "-x", "c", "-", *flags, *mode]
    if shutil.which("cc") and subprocess.run(command, input=program.encode(), stderr=subprocess.DEVNULL).returncode == 0:
        config.available_features.add(library)
    else:
        lit_config.note(f"no {package}: tests of the accelerator {library} are skipped")
config.substitutions.append(("%cuda_include", cuda))
