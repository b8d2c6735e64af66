"""Each command of a network on Chocolate fails once with each status: the network returns the status and names the layer of the
command, and the next run in the same process is right. The expected layers come from the text of the command lists and the
durations in the timeline, with a second implementation of the engines and tokens."""
# REQUIRES: full, gcc
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %gcc | FileCheck %s

import collections
import json
import os
import pathlib
import random
import subprocess
import sys

folder, gcc = pathlib.Path(sys.argv[1]), sys.argv[2]
network = folder / "net.mlir"
SIZE, CHANNELS, CLASSES = 12, 16, 10
STATUSES = (1, 2, 3)

# Runs the network without a fault, then with each fault and again without one. Prints the layers that failed.
MAIN = r"""
#include "net.h"
#include "chocolate_device.h"
#include "errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *failed_layer;
int failed_status, failures;

static int8_t x[NET_INPUT_X_SIZE], y[NET_OUTPUT_Y_SIZE], expected[NET_OUTPUT_Y_SIZE];
static _Alignas(NET_WORKSPACE_ALIGNMENT) unsigned char workspace[NET_WORKSPACE_SIZE];

static int run(void) {
  failures = 0;
  failed_layer = "";
  failed_status = 0;
  memset(y, 0, sizeof(y));
  return net_run(x, y, workspace);
}

static void expect_right(int command) {
  if (run() != 0 || failures != 0 || memcmp(y, expected, sizeof(y)) != 0)
    printf("command %d: the next run is wrong\n", command);
}

int main(int count, char **arguments) {
  const int commands = count > 1 ? atoi(arguments[1]) : 0;
  long long executed = commands;
  for (size_t k = 0; k < sizeof(x); ++k)
    x[k] = (int8_t)(k * 37 % 251 - 120);
  if (run() != 0)
    return 1;
  memcpy(expected, y, sizeof(y));
  for (int command = 0; command < commands; ++command) {
    for (int status = 1; status <= 3; ++status) {
      chocolate_device_inject(executed + command, status);
      const int result = run();
      printf("%d %d %d %d %d %s\n", command, status, result, failures, failed_status, failed_layer);
      executed += command + 1;
      expect_right(command);
      executed += commands;
    }
  }
  return 0;
}
"""
HOOKS = """
#include "errors.h"
#define UMA_ON_ERROR(layer, status) (failed_layer = (layer), failed_status = (status), ++failures)
"""
HEADER = """
#pragma once
extern const char *failed_layer;
extern int failed_status, failures;
"""


def make_type(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def make_weights(*shape):
    return [make_weights(*shape[1:]) for _ in range(shape[0])] if shape else random.randint(-90, 90)


def make_layer(name, operation, data, source, shape, result, attributes=""):
    """Returns a layer with random weights of a shape, from `data` of the type `source` to a tensor of a shape."""
    sums = make_type(result, "!s")
    return f"""
  %{name}_k = uma.graph.constant dense<{make_weights(*shape)}> : {make_type(shape, 'i8')}
  %{name}_w = uma.graph.storage_cast %{name}_k : ({make_type(shape, 'i8')}) -> {make_type(shape, '!w')}
  %{name}_s = uma.graph.{operation} %{data}, %{name}_w {attributes}
      : ({source}, {make_type(shape, '!w')}) -> {sums} loc("{name}")
  %{name} = uma.graph.requantize %{name}_s : ({sums}) -> {make_type(result, '!d')}"""


def write_network():
    image, pixels = (1, CHANNELS, SIZE, SIZE), CHANNELS * SIZE * SIZE
    data, flat = make_type(image, "!d"), make_type((1, pixels), "!d")
    random.seed(1)
    network.write_text(f"""!d = !quant.uniform<i8:f32, 0.5:3>
!w = !quant.uniform<i8:f32, 0.02>
!s = !quant.uniform<i32:f32, 0.01>
func.func @main(%stored: {make_type(image, 'i8')} {{uma.name = "x"}}) -> (tensor<1x{CLASSES}xi8> {{uma.name = "y"}})
    attributes {{uma.network = "net"}} {{
  %x = uma.graph.storage_cast %stored : ({make_type(image, 'i8')}) -> {data}"""
                       + make_layer("first", "conv2d", "x", data, (CHANNELS, CHANNELS, 3, 3), image, "padding [1, 1, 1, 1]")
                       + make_layer("second", "conv2d", "first", data, (CHANNELS, 1, 3, 3), image,
                                    f"padding [1, 1, 1, 1] groups {CHANNELS}") + f"""
  %third = uma.graph.quantized_add %second, %first : ({data}, {data}) -> {data} loc("third")
  %flat = uma.graph.reshape %third [1, {pixels}] : ({data}) -> {flat}"""
                       + make_layer("fourth", "dense", "flat", flat, (CLASSES, pixels), (1, CLASSES)) + f"""
  %y = uma.graph.storage_cast %fourth : (tensor<1x{CLASSES}x!d>) -> tensor<1x{CLASSES}xi8>
  return %y : tensor<1x{CLASSES}xi8>
}}
""")


ENGINES = ["load", "matrix", "vector", "store"]
OPERATIONS = {"load": "load", "store": "store", "conv": "matrix", "depthwise": "vector", "rescale": "vector", "add": "vector"}


def read_lists(path):
    """Returns the commands of each list: the operation, or the engines of a token, and the number of the layer."""
    text = subprocess.run(["uma-translate", "--chocolate-to-text", path], capture_output=True, text=True, check=True).stdout
    lists = []
    for line in text.splitlines():
        words = line.split()
        if words[0] == "list":
            lists.append([])
            layer = 0
        elif words[1] == "layer":
            layer = int(words[2])
        elif words[0].isdigit() and words[1] not in ("set", "end"):
            lists[-1].append((*words[1:], layer))
    return lists


def read_durations(path):
    """Returns the durations of the operations of each engine, in order."""
    events = json.loads(path.read_text())
    durations = collections.defaultdict(collections.deque)
    for event in sorted((e for e in events if e["ph"] == "X"), key=lambda e: e["ts"]):
        durations[event["tid"]].append(event["dur"])
    return durations


def execute(commands, durations):
    """Returns the commands of a list in the order in which they start."""
    queues = [collections.deque() for _ in ENGINES]
    for command in commands:
        # A push belongs to the first engine, and a pop to the second one.
        engine = command[1] if command[0] == "push" else command[2] if command[0] == "pop" else OPERATIONS[command[0]]
        queues[ENGINES.index(engine)].append(command)
    idle, tokens, order = [0] * len(ENGINES), collections.defaultdict(collections.deque), []

    def get_start(engine):
        name, *between, _ = queues[engine][0]
        if name != "pop":
            return idle[engine]
        waiting = tokens[tuple(between)]
        return max(idle[engine], waiting[0]) if waiting else float("inf")

    while any(queues):
        engine = min((e for e in range(len(ENGINES)) if queues[e]), key=get_start)
        start = get_start(engine)
        name, *between, _ = command = queues[engine].popleft()
        order.append(command)
        idle[engine] = start
        if name == "push":
            tokens[tuple(between)].append(start)
        elif name == "pop":
            tokens[tuple(between)].popleft()
        else:
            idle[engine] += durations[engine].popleft()
    return order


def check(title, options, regions, *flags):
    """Checks all errors of a network whose regions have layers of these names. Returns the expected layers."""
    package = folder / title
    subprocess.run(["uma", "compile", network, "-a", "chocolate", *options, "-o", package], check=True, stdout=subprocess.PIPE)
    (package / "uma_hooks.h").write_text(HOOKS)
    (package / "errors.h").write_text(HEADER)
    (package / "errors.c").write_text(MAIN)
    device = package / "devices" / "chocolate"
    program = package / "errors"
    sources = [package / "errors.c", package / "net.c", package / "net_weights.c", *sorted(device.glob("*.c"))]
    subprocess.run([gcc, "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined",
                    "-fno-sanitize-recover=all", "-DUMA_HOOKS", *flags, f"-I{package}", f"-I{device}", "-o", program, *sources,
                    "-lm"], check=True)
    files = {name: package / name.lower() for name in ("COMMANDS", "TRACE", "STATISTICS")}
    subprocess.run([program], check=True, env=os.environ | {f"CHOCOLATE_{k}": str(v) for k, v in files.items()})
    count = int(files["STATISTICS"].read_text().split("commands=")[1].split()[0])
    lists, durations = read_lists(files["COMMANDS"]), read_durations(files["TRACE"])
    expected = [(command[0], names[command[-1]]) for commands, names in zip(lists, regions, strict=True)
                for command in execute(commands, durations)]
    changes = sum(a[-1] != b[-1] for commands in lists for a, b in zip(commands, commands[1:]))
    print(f"{title}: {len(lists)} lists,", "all commands are counted," if len(expected) == count else f"{count} counted,",
          "layers alternate" if changes > len(lists) + 5 else "layers follow each other")

    output = subprocess.run([program, str(count)], check=True, capture_output=True, text=True).stdout.splitlines()
    cases = [(command, status) for command in range(count) for status in STATUSES]
    found = collections.defaultdict(set)
    for (command, status), line in zip(cases, output):
        operation, layer = expected[command]
        found[layer].add(operation)
        # The status is returned and reported once.
        if line.split() != [str(n) for n in (command, status, status, 1, status)] + [layer]:
            print(f"wrong: {line}, expected layer {layer} for {operation}")
    if len(output) != len(cases):
        print(f"{len(output)} lines, expected {len(cases)}:", *output[-3:])
    for name in sum(regions, []):
        print(f"  {name}:", *sorted(found[name]))
    return expected


write_network()
# CHECK: interleaved: 2 lists, all commands are counted, layers alternate
# CHECK-NEXT: first: conv load pop push rescale store
# CHECK-NEXT: second: depthwise load pop push rescale store
# CHECK-NEXT: third: add load pop push store
# CHECK-NEXT: fourth: conv load pop push rescale store
expected = check("interleaved", [], [["first", "second", "third"], ["fourth"]])
# CHECK-NEXT: alone: 4 lists, all commands are counted, layers follow each other
# CHECK-NEXT: first: conv load pop push rescale store
# CHECK-NEXT: second: depthwise load pop push rescale store
# CHECK-NEXT: third: add load pop push store
# CHECK-NEXT: fourth: conv load pop push rescale store
check("alone", ["--merge-regions=false"], [["first"], ["second"], ["third"], ["fourth"]])

# CHECK-NEXT: synchronous: 2 lists, all commands are counted, layers alternate
# CHECK-NEXT: first: conv load pop push rescale store
# CHECK-NEXT: second: depthwise load pop push rescale store
# CHECK-NEXT: third: add load pop push store
# CHECK-NEXT: fourth: conv load pop push rescale store
check("synchronous", [], [["first", "second", "third"], ["fourth"]], "-DUMA_SYNCHRONOUS")

# The environment variable shows the error of the last command of a layer, which is interleaved.
# CHECK-NEXT: exit 4: uma: error: network 'net' failed: layer 'second' failed with status 3
last = max(k for k, (_, layer) in enumerate(expected) if layer == "second")
done = subprocess.run(["uma", "run", network, "-a", "chocolate", "--cc", gcc], capture_output=True, text=True,
                      env=os.environ | {"CHOCOLATE_FAULT": f"{last}:3", "CFLAGS": "-O0"})
print(f"exit {done.returncode}:", done.stderr)
