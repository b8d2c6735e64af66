"""The lit configuration of every test below this folder."""

import os
import shutil

import lit.formats

config.name = "uma"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".uma", ".test", ".py"]
config.excludes = ["Inputs", "CMakeLists.txt", "lit.cfg.py", "lit.site.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.uma_binary_dir, "test")

bin_dir = os.path.join(config.uma_binary_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
config.environment["UMA_ACCELERATOR_PATH"] = os.path.join(config.uma_source_dir, "dialects")

# Models that are not in the repository: tests that need them are marked
# `REQUIRES: mlperf-tiny` and reported as unsupported where they are missing.
# `lit -D models=FOLDER` names another folder.
models = lit_config.params.get("models", os.path.join(config.uma_source_dir, "..", "shared", "models"))
if os.path.isdir(models):
    config.available_features.add("mlperf-tiny")
config.substitutions.append(("%models", models))
config.substitutions.append(("%python", "/usr/bin/python3"))
config.substitutions.append(("%dialects", os.path.join(config.uma_source_dir, "dialects")))
config.substitutions.append(("%source", config.uma_source_dir))
config.substitutions.append(("%build", config.uma_binary_dir))
config.substitutions.append(("%cmake", config.cmake))
config.substitutions.append(("%cxx", config.cxx))
config.substitutions.append(("%plugin", os.path.join(config.uma_binary_dir, "lib", "UMAPlugin.so")))

# The emitted C is compiled under these flags, everywhere.
config.substitutions.append(("%strict", "-std=c99 -Wall -Wextra -Wpedantic -Werror"))
for compiler, names in {"gcc": ["gcc"], "gxx": ["g++"], "clang": ["clang-22", "clang"]}.items():
    path = next(filter(None, map(shutil.which, names)), None)
    if path:
        config.available_features.add(compiler)
        config.substitutions.append((f"%{compiler}", path))
