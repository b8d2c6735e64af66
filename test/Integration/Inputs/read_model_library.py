"""Reads a package in the Model Library Format by TVM's documentation of it alone (docs/arch/model_library_format.rst, which
describes version 5), checks every documented entry, and compiles its C. All that it takes from elsewhere is how to call the
entry function, which that page leaves to the compiler: docs/getting-started.md. Prints what it read.

usage: read_model_library.py PACKAGE WORK [--cc COMMAND] [--input NAME=FILE]... [--output NAME=FILE]..."""

import argparse
import datetime
import json
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tarfile

# DLPack's numbers: kDLCPU and kDLExtDev.
DEVICES = {"1", "12"}
DTYPES = {"float64": 8, "float32": 4, "float16": 2, "bfloat16": 2, "int64": 8, "int32": 4, "int16": 2, "int8": 1, "uint64": 8,
          "uint32": 4, "uint16": 2, "uint8": 1, "bool": 1, "float8_e4m3fn": 1, "float8_e5m2": 1}


def check(holds: bool, problem: str) -> None:
    if not holds:
        sys.exit(f"read_model_library: {problem}")


def unpack(package: pathlib.Path, folder: pathlib.Path) -> None:
    """«Model Library Format is contained within a tarball. All paths are relative to the root of the tarball.»"""
    shutil.rmtree(folder, ignore_errors=True)
    if package.is_dir():
        shutil.copytree(package, folder)
        return
    with tarfile.open(package) as archive:
        for member in archive.getmembers():
            check(member.isfile(), f"{member.name}: not a file")
            check(not member.name.startswith(("/", "../")), f"{member.name}: not below the root")
        archive.extractall(folder)


def is_size(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def check_workspaces(entries, keys: set[str], where: str) -> None:
    check(isinstance(entries, list) and len(entries) > 0, f"{where}: not a list with an entry")
    for entry in entries:
        check(keys <= entry.keys(), f"{where}: lacks {keys - entry.keys()}")
        check(str(entry["device"]) in DEVICES, f"{where}: device {entry['device']}")
        for key in keys - {"device"}:
            check(is_size(entry[key]), f"{where}: {key} is {entry[key]}")


def check_metadata(metadata: dict) -> None:
    required = {"export_datetime", "memory", "model_name", "executors", "target", "version"}
    check(required <= metadata.keys(), f"metadata.json lacks {required - metadata.keys()}")
    check(metadata["version"] == 5, f"version {metadata['version']}")
    datetime.datetime.strptime(metadata["export_datetime"], "%Y-%m-%d %H:%M:%SZ")
    check(isinstance(metadata["executors"], list), "executors is not a list")
    target = metadata["target"]
    check(isinstance(target, dict) and target.keys() <= DEVICES and "1" in target, f"target is {target}")
    check(all(isinstance(text, str) and text for text in target.values()), f"target is {target}")
    memory = metadata["memory"]
    check({"main", "operator_functions"} <= memory.keys(), f"memory has {list(memory)}")
    check_workspaces(memory["main"], {"device", "workspace_size_bytes", "constants_size_bytes", "io_size_bytes"}, "main")
    devices = {str(entry["device"]) for entry in memory["main"]}
    check(devices == target.keys(), f"memory of devices {devices}, targets {target}")
    for name, entries in memory["operator_functions"].items():
        check_workspaces(entries, {"device", "workspace_size_bytes"}, name)
        check({str(entry["device"]) for entry in entries} <= devices, f"{name}: a device that main does not have")
        check(entries[0]["workspace_size_bytes"] <= memory["main"][0]["workspace_size_bytes"], f"{name}: more than main")


def read_parameters(path: pathlib.Path) -> dict[str, bytes]:
    """Reads what tvm.relay.save_param_dict writes."""
    data, at = path.read_bytes(), 0

    def take(form: str):
        nonlocal at
        values = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    check(take("QQ") == (0xF7E58D4F05049CB7, 0), "parameters: no list of tensors")
    names = []
    for _ in range(take("Q")):
        size = take("Q")
        names.append(data[at : at + size].decode())
        at += size
    check(take("Q") == len(names), "parameters: names and tensors differ in number")
    result = {}
    for name in names:
        check(take("QQ") == (0xDD5E40F096B4A13F, 0), f"{name}: no tensor")
        check(take("ii") == (1, 0), f"{name}: not on the host")
        rank = take("i")
        code, bits, lanes = take("BBH")
        check(code in (0, 1, 2, 4) and lanes == 1, f"{name}: type {code} {bits} {lanes}")
        elements = 1
        for _ in range(rank):
            elements *= take("q")
        size = take("q")
        check(size == elements * ((bits + 7) // 8), f"{name}: {size} bytes")
        result[name] = data[at : at + size]
        at += size
    check(at == len(data), "parameters: bytes behind the last tensor")
    return result


def check_folders(folder: pathlib.Path, name: str) -> list[pathlib.Path]:
    """Checks the documented folders. Returns the C files."""
    sources = []
    for path in sorted((folder / "codegen").rglob("*")):
        if path.is_dir():
            continue
        target, kind, *rest = path.relative_to(folder / "codegen").parts
        # «Currently, only host is supported.»
        check(target == "host", f"{path}: target {target}")
        check(kind in ("src", "lib", "include"), f"{path}: neither src nor lib nor include")
        if kind == "src":
            check(len(rest) == 1 and path.suffix in (".c", ".cc", ".cpp"), f"{path}: no source")
            sources.append(path)
        if kind == "lib":
            check(len(rest) == 1 and path.suffix in (".o", ".a"), f"{path}: no object")
    check(len(sources) > 0, "no sources")
    check((folder / "src/relay.txt").is_file(), "src/relay.txt is missing")
    check((folder / f"parameters/{name}.params").is_file(), f"parameters/{name}.params is missing")
    return sources


def get_program(metadata: dict, header: str, chosen: argparse.Namespace) -> str:
    """Returns a program that runs the entry function NAME_run: tensors, then the workspace."""
    name, main = metadata["model_name"], metadata["memory"]["main"][0]
    prototype = re.search(rf"^int32_t {name}_run\((.*)\);$", header, re.MULTILINE)
    check(prototype is not None, f"{name}.h does not declare {name}_run")
    parameters = [text.strip() for text in prototype[1].split(",")]
    tables = {kind: main[f"{kind}s"] for kind in ("input", "output")}
    order = {kind: [] for kind in tables}
    for match in re.finditer(r"^ \* \w+: (input|output) (.*?), \w+, (?:scalar|[0-9x]+)(?:, aligned.*)?$", header, re.MULTILINE):
        order[match[1]].append(match[2])
    for kind, names in order.items():
        check(sorted(names) == sorted(tables[kind]), f"{kind}s are {names} in the header, {list(tables[kind])} in the metadata")
    check(len(parameters) == len(order["input"]) + len(order["output"]) + 1, f"parameters are {parameters}")
    text = f'#include "{name}.h"\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'
    text += f"static unsigned char workspace[{main['workspace_size_bytes']} + 1] __attribute__((aligned(4096)));\n"
    total, arguments, reads, writes = 0, [], "", ""
    inputs, outputs = list(order["input"]), list(order["output"])
    for number, parameter in enumerate(parameters[:-1]):
        kind = "input" if parameter.startswith("const ") else "output"
        tensor = (inputs if kind == "input" else outputs).pop(0)
        size = tables[kind][tensor]["size"]
        check(tables[kind][tensor]["dtype"] in DTYPES, f"{tensor}: type {tables[kind][tensor]['dtype']}")
        total += size
        text += f"static unsigned char buffer{number}[{size}] __attribute__((aligned(4096)));\n"
        arguments.append(f"({parameter.partition('*')[0]}*)buffer{number}")
        for option in chosen.input if kind == "input" else chosen.output:
            if option.rpartition("=")[0] == tensor:
                mode, call = ("rb", "fread") if kind == "input" else ("wb", "fwrite")
                code = f'  file = fopen({json.dumps(option.rpartition("=")[2])}, "{mode}");\n'
                code += f"  if (!file || {call}(buffer{number}, 1, {size}, file) != {size} || fclose(file) != 0) return 9;\n"
                reads, writes = (reads + code, writes) if kind == "input" else (reads, writes + code)
    check(total == main["io_size_bytes"], f"tensors have {total} bytes, io_size_bytes is {main['io_size_bytes']}")
    text += f"int main(void) {{\n  int status;\n  FILE *file = NULL;\n  (void)file;\n{reads}"
    text += f"  status = (int){name}_run({', '.join(arguments)}, workspace);\n  if (status != 0) return 8;\n{writes}  return 0;\n}}\n"
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--cc", default="cc -std=c99 -O1")
    parser.add_argument("--link", default="-lm")
    parser.add_argument("--input", action="append", default=[])
    parser.add_argument("--output", action="append", default=[])
    chosen = parser.parse_args()
    folder = chosen.work / "unpacked"
    unpack(chosen.package, folder)
    metadata = json.loads((folder / "metadata.json").read_text())
    check_metadata(metadata)
    name = metadata["model_name"]
    sources = check_folders(folder, name)
    parameters = read_parameters(folder / f"parameters/{name}.params")
    constants, size = metadata["memory"]["main"][0]["constants_size_bytes"], sum(map(len, parameters.values()))
    check(constants == size, f"constants_size_bytes is {constants}, the parameters have {size} bytes")
    includes = folder / "codegen/host/include"
    (chosen.work / "main.c").write_text(get_program(metadata, (includes / f"{name}.h").read_text(), chosen))
    objects = list((folder / "codegen/host/lib").glob("*.[oa]"))
    command = [*shlex.split(chosen.cc), f"-I{includes}", *sources, chosen.work / "main.c", *objects, "-o", chosen.work / "main"]
    subprocess.run([*command, *shlex.split(chosen.link)], check=True)
    subprocess.run([(chosen.work / "main").resolve()], check=True)
    print(f"{name}: {len(metadata['memory']['operator_functions'])} functions, {len(parameters)} parameters,", end=" ")
    print(f"{len(sources)} sources, targets {', '.join(metadata['target'].values())}")


main()
