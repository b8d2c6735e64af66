"""A package builds by its own files in an empty folder: with make and CMake, by gcc and clang, as C and as C++; and as a
component of SDKs, whose functions are replaced by the few that components need."""
# REQUIRES: full, gcc, clang
# RUN: rm -rf %t && mkdir %t && %python -B %s %source/examples/digits/digits.onnx %S/Inputs/sdk %t %gcc %clang

import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

model, sdk, root = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
gcc, clang = sys.argv[4:6]
COMPILERS = [(gcc, re.sub("gcc", "g++", gcc)), (clang, re.sub(r"clang(-\d+)?$", r"clang++\1", clang))]
os.chdir(root)


def compile_model(folder: str, *options: str) -> pathlib.Path:
    subprocess.run(["uma", "compile", model, *options, "-o", folder], check=True, stdout=subprocess.DEVNULL)
    return root / folder


def run(*command, folder=root, status=0, **variables) -> str:
    """Runs a command without the environment: uma is not on the path."""
    environment = {"PATH": "/usr/bin:/bin", **variables}
    result = subprocess.run([str(part) for part in command], cwd=folder, env=environment, capture_output=True, text=True)
    if result.returncode != status or "warning" in result.stderr:
        sys.exit(f"{command}: status {result.returncode}\n{result.stdout}\n{result.stderr}")
    return result.stdout


def files(folder: pathlib.Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def move(package: pathlib.Path) -> pathlib.Path:
    """Moves a package to a new folder with nothing else."""
    place = root / f"moved {len(os.listdir(root))}" / package.name
    place.parent.mkdir()
    return pathlib.Path(shutil.copytree(package, place))


expected = None


def check_output(text: str, what: str) -> None:
    global expected
    numbers = [float(number) for number in text.removeprefix("probabilities:").split()]
    expected = expected or numbers
    if len(numbers) != 10 or any(abs(x - y) > 1e-5 for x, y in zip(numbers, expected)):
        sys.exit(f"{what}: {text}, expected {expected}")


# make and CMake, for every form of the weights and the sources.
forms = {
    "flat": ["-a", "vanilla"],
    "mlf": ["-a", "vanilla", "--format=mlf", "--source-size=16"],
    "array": ["--weights=array"],
    "image": ["-a", "vanilla", "--weights=image", "--source-size=16"],
}
# Each with make and with CMake, by each compiler, as C and as C++; all of these together for the format with most folders.
for number, (name, options) in enumerate(forms.items()):
    package = compile_model(name, *options)
    for turn, ((cc, cxx), as_cxx) in enumerate(itertools.product(COMPILERS, (False, True))):
        if name == "mlf" or turn == number:
            place, settings = move(package), ["AS_CXX=1"] if as_cxx else []
            check_output(run("make", "-s", "run", f"CC={cc}", f"CXX={cxx}", "CFLAGS=-O1", *settings, folder=place), name)
        if name == "mlf" or 3 - turn == number:
            place = move(package)
            run("cmake", "-S", place, "-B", place / "build", *(["-DUMA_AS_CXX=ON"] if as_cxx else []), CC=cc, CXX=cxx)
            run("cmake", "--build", place / "build", "-j2")
            check_output(run(place / "build/digits_example"), name)

# The files of one project are those of no other.
own = {
    "cmake": {"CMakeLists.txt", "main.c", "uma_hooks.h"},
    "make": {"Makefile", "main.c", "uma_hooks.h"},
    "zephyr": {"zephyr/module.yml", "zephyr/CMakeLists.txt", "zephyr/Kconfig"},
    "esp-idf": {"CMakeLists.txt", "idf_component.yml"},
}
sources = files(root / "flat") - own["cmake"] - own["make"]
for project, names in own.items():
    found = files(compile_model(project, "-a", "vanilla", f"--project={project}"))
    if found != sources | names:
        sys.exit(f"{project}: {found}")
result = subprocess.run(["uma", "run", "zephyr"], capture_output=True, text=True)
if (result.returncode, result.stderr) != (2, "uma: error: zephyr: has no Makefile; compile the model with --project=make\n"):
    sys.exit(f"uma run: status {result.returncode}, {result.stderr}")

# Zephyr: the module builds the network if it is chosen, and its devices if their models are.
package = compile_model("zephyr", "-a", "vanilla", "--project=zephyr", "--source-size=16")
module = yaml.safe_load((package / "zephyr/module.yml").read_text())
if module != {"name": "digits", "build": {"cmake": "zephyr", "kconfig": "zephyr/Kconfig"}}:
    sys.exit(f"module.yml: {module}")
# A name that YAML takes for a truth value.
pathlib.Path("no.mlir").write_text('''func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> attributes {uma.network = "no"} {
  %0 = uma.graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
''')
subprocess.run(["uma", "compile", "no.mlir", "--project=zephyr,esp-idf,make", "-o", "no"], check=True, stdout=subprocess.DEVNULL)
if yaml.safe_load(pathlib.Path("no/zephyr/module.yml").read_text())["name"] != "no":
    sys.exit("module.yml: the name is no text")
symbols = re.findall(r"^config (\w+)$", (package / "zephyr/Kconfig").read_text(), re.MULTILINE)
if symbols != ["UMA_DIGITS", "UMA_DIGITS_MODELS"]:
    sys.exit(f"Kconfig: {symbols}")
project = root / "zephyr-app"
project.mkdir()
shutil.copy(sdk / "zephyr.cmake", project / "CMakeLists.txt")
program = root / "flat/main.c"
settings = [f"-DZEPHYR_MODULE={package}", f"-DPROGRAM={program}", *(f"-DCONFIG_{symbol}=ON" for symbol in symbols)]
run("cmake", "-S", project, "-B", project / "build", *settings)
run("cmake", "--build", project / "build")
check_output(run(project / "build/app"), "zephyr")
(project / "none.c").write_text("int main(void) { return 0; }\n")
run("cmake", "-S", project, "-B", project / "none", f"-DZEPHYR_MODULE={package}", f"-DPROGRAM={project / 'none.c'}")
run("cmake", "--build", project / "none")

# ESP-IDF: the component has the network without its devices, also beside a CMakeLists.txt for other projects.
for number, projects in enumerate(("esp-idf", "cmake,esp-idf")):
    package = compile_model(f"idf{number}", "-a", "vanilla", f"--project={projects}")
    manifest = yaml.safe_load((package / "idf_component.yml").read_text())
    if not re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"]) or manifest["dependencies"] != {"idf": ">=4.4"}:
        sys.exit(f"idf_component.yml: {manifest}")
    project = root / f"idf-app{number}"
    project.mkdir()
    shutil.copy(sdk / "idf.cmake", project / "CMakeLists.txt")
    models = package / "devices/vanilla/vanilla.c"
    run("cmake", "-S", project, "-B", project / "build", f"-DCOMPONENT={package}", f"-DPROGRAM={program}", f"-DMODELS={models}")
    run("cmake", "--build", project / "build")
    check_output(run(project / "build/app"), projects)

# Arduino: every source of src/ is compiled, with src/ to include from, and the example is C++.
package = compile_model("arduino", "-a", "vanilla", "--project=arduino,make", "--source-size=16")
properties = dict(line.split("=", 1) for line in (package / "library.properties").read_text().splitlines())
for key in ("name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures", "includes"):
    if key not in properties:
        sys.exit(f"library.properties: no {key}")
if properties["name"] != "digits" or properties["includes"] != "digits.h":
    sys.exit(f"library.properties: {properties}")
build = root / "arduino-build"
build.mkdir()
for source in package.glob("src/**/*.c"):
    run(gcc, "-Os", "-std=gnu11", f"-I{package}/src", "-c", source, "-o", build / f"{source.name}.o")
sketch = build / "sketch.cpp"
sketch.write_text((package / "examples/digits/digits.ino").read_text() + "int main() { setup(); loop(); }\n")
flags = ["-std=gnu++11", "-Wall", "-Wextra", f"-I{package}/src", "-include", sdk / "Arduino.h"]
run(COMPILERS[0][1], *flags, sketch, *build.glob("*.o"), "-o", build / "sketch")
if run(build / "sketch") != "status 0, microseconds 0\n":
    sys.exit("arduino: the sketch does not run")
check_output(run("make", "-s", "run", folder=move(package)), "arduino, make")

# What is not there, and what cannot be together.
for options, message in (
    (["--project=cmaek"], "--project=cmaek: expected cmake, make, arduino, zephyr or esp-idf; did you mean 'cmake'?"),
    (["--project=make,"], "--project=: expected cmake, make, arduino, zephyr or esp-idf"),
    (["--project=make,\x1b[31m"], "--project=\\x1B[31m: expected cmake, make, arduino, zephyr or esp-idf"),
    (["--format=mfl"], "--format=mfl: expected flat or mlf"),
    (["--format=mlf", "--project=arduino"], "--project=arduino has the C in src/, where --format=mlf has the model; use --format=flat"),
    (["--weights=arrays"], "--weights=arrays: expected auto, array, incbin or image; did you mean 'array'?"),
):
    result = subprocess.run(["uma", "compile", model, *options, "-o", "none"], capture_output=True, text=True)
    if (result.returncode, result.stderr) != (2, f"uma: error: {message}\n") or os.path.exists("none"):
        sys.exit(f"{options}: status {result.returncode}, {result.stderr}")
