"""Models in MLIR that are damaged, or valid and no network of C: one message each, the documented exit status, no crash, and
nothing left behind."""
# RUN: rm -rf %t && mkdir %t
# RUN: %python -B %s %t %S/Inputs/status.py | FileCheck %s --match-full-lines --implicit-check-not={{.}}
# RUN: not ls %t/out

import os
import subprocess
import sys

os.chdir(sys.argv[1])


def compile(text, name="net.mlir", command=("compile", "-o", "out")):
    with open(name, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    subprocess.run([sys.executable, sys.argv[2], "uma", command[0], name, *command[1:]], check=True)
    os.remove(name)


def network(argument="tensor<4xf32>", result=None, attributes='uma.network = "net"'):
    """A function that returns its argument."""
    return f"func.func @main(%x: {argument}) -> {result or argument} attributes {{{attributes}}} {{ return %x : {argument} }}\n"


# What names the network.

# CHECK: net.mlir:1:1: error: the network 'net' returns nothing; expected at least one result
# CHECK-NEXT: status 2, 1 lines of errors
compile('func.func @main(%x: tensor<4xf32>) attributes {uma.network = "net"} { return }')
# CHECK-NEXT: net.mlir:1:1: error: uma.network is no name; expected a string that is not empty
# CHECK-NEXT: status 2, 1 lines of errors
compile(network(attributes='uma.network = ""'))
# CHECK-NEXT: net.mlir:1:1: error: uma.network is no name; expected a string that is not empty
# CHECK-NEXT: status 2, 1 lines of errors
compile(network(attributes="uma.network = 3 : i32"))
# CHECK-NEXT: net.mlir:2:1: error: is the second network of the module, beside 'net'; a package holds one
# CHECK-NEXT: status 2, 1 lines of errors
compile(network() + network().replace("@main", "@other").replace('"net"', '"other"'))
# CHECK-NEXT: net.mlir:1:1: error: the network 'net' has no body
# CHECK-NEXT: status 2, 1 lines of errors
compile('func.func private @main(tensor<4xf32>) -> tensor<4xf32> attributes {uma.network = "net"}')

# Types that C has no arrays for, and sizes that no memory has.

# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'f32': expected a tensor whose sizes are known
# CHECK-NEXT: status 3, 1 lines of errors
compile(network("f32"))
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'memref<4xf32>': expected a tensor whose sizes are known
# CHECK-NEXT: status 3, 1 lines of errors
compile(network("memref<4xf32>"))
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<?x4xf32>': expected a tensor whose sizes are known
# CHECK-NEXT: status 3, 1 lines of errors
compile(network("tensor<?x4xf32>"))
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<*xf32>': expected a tensor whose sizes are known
# CHECK-NEXT: status 3, 1 lines of errors
compile(network("tensor<*xf32>"))
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<0x4xf32>': expected at least one element: C has no empty arrays
# CHECK-NEXT: status 3, 1 lines of errors
compile(network("tensor<0x4xf32>"))
# CHECK-NEXT: net.mlir:1:1: error: input 0 ('image') of the network is 'tensor<1099511627776xf32>': is larger than 4 GiB, the most that a tensor may have
# CHECK-NEXT: status 3, 1 lines of errors
compile(network("tensor<1099511627776xf32>").replace("tensor<1099511627776xf32>)", 'tensor<1099511627776xf32> {uma.name = "image"})', 1))
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<4294967296x4294967296xf32>': is larger than 4 GiB, the most that a tensor may have
# CHECK-NEXT: status 3, 1 lines of errors
compile(network("tensor<4294967296x4294967296xf32>"))
for type in ("i3", "i128", "index", "f8E3M4", "complex<f32>", "!quant.uniform<i8:f32, 0.5>", "vector<4xf32>"):
    compile(network(f"tensor<4x{type}>"))
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<4xi3>': C has no type for its elements; expected f32, f64, floats of 8 or 16 bits, or integers of 1, 8, 16, 32 or 64 bits
# CHECK-NEXT: status 3, 1 lines of errors
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<4xi128>': C has no type for its elements; expected f32, f64, floats of 8 or 16 bits, or integers of 1, 8, 16, 32 or 64 bits
# CHECK-NEXT: status 3, 1 lines of errors
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<4xindex>': C has no type for its elements; expected f32, f64, floats of 8 or 16 bits, or integers of 1, 8, 16, 32 or 64 bits
# CHECK-NEXT: status 3, 1 lines of errors
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<4xf8E3M4>': C has no type for its elements; expected f32, f64, floats of 8 or 16 bits, or integers of 1, 8, 16, 32 or 64 bits
# CHECK-NEXT: status 3, 1 lines of errors
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<4xcomplex<f32>>': C has no type for its elements; expected f32, f64, floats of 8 or 16 bits, or integers of 1, 8, 16, 32 or 64 bits
# CHECK-NEXT: status 3, 1 lines of errors
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>': C has no type for its elements; expected f32, f64, floats of 8 or 16 bits, or integers of 1, 8, 16, 32 or 64 bits
# CHECK-NEXT: status 3, 1 lines of errors
# CHECK-NEXT: net.mlir:1:1: error: input 0 of the network is 'tensor<4xvector<4xf32>>': C has no type for its elements; expected f32, f64, floats of 8 or 16 bits, or integers of 1, 8, 16, 32 or 64 bits
# CHECK-NEXT: status 3, 1 lines of errors
# CHECK-NEXT: net.mlir:2:8: error: has a result of type 'tensor<1099511627776xf32>', which is larger than 4 GiB, the most that a tensor may have
# CHECK-NEXT: status 3, 1 lines of errors
compile("""func.func @main(%x: tensor<1xf32>) -> tensor<f32> attributes {uma.network = "net"} {
  %y = uma.graph.broadcast_to %x [1099511627776] : (tensor<1xf32>) -> tensor<1099511627776xf32>
  %z = uma.graph.max %y : (tensor<1099511627776xf32>) -> tensor<f32>
  return %z : tensor<f32>
}""")

# A network that calls itself.

# CHECK-NEXT: net.mlir:1:{{[0-9]+}}: error: 'func.call' op calls '@main', which is no function with a uma.target; inline it first (pass 'inline')
# CHECK-NEXT: status 3, 1 lines of errors
compile(network().replace("return %x", "%y = func.call @main(%x) : (tensor<4xf32>) -> tensor<4xf32>\n return %y"))

# What MLIR's readers do not survive.

# CHECK-NEXT: uma: error: net.mlir: is no valid MLIR: its parser crashes on it
# CHECK-NEXT: status 2, 1 lines of errors
compile(network(attributes=f'uma.network = "net", x = {"[" * 100000}'))
# CHECK-NEXT: uma: error: net.mlir: is no valid MLIR: its parser crashes on it
# CHECK-NEXT: status 2, 1 lines of errors
compile(network(attributes=f'uma.network = "net", x = {"[" * 100000}'), command=("explain", "-a", "vanilla"))

# Bytecode with six bytes missing, which `uma-opt` does not survive; the same cut short; and what is no bytecode.
with open(os.path.join(os.path.dirname(sys.argv[2]), "crash.mlirbc"), "rb") as file:
    crash = file.read()
# CHECK-NEXT: uma: error: net.mlirbc: is damaged: MLIR's bytecode reader crashes on it
# CHECK-NEXT: status 2, 1 lines of errors
compile(crash, "net.mlirbc")
# CHECK-NEXT: uma: error: net.mlirbc: is damaged: MLIR's bytecode reader crashes on it
# CHECK-NEXT: status 2, 1 lines of errors
compile(crash, "net.mlirbc", ("run", "--compare"))
# CHECK-NEXT: net.mlirbc: error: attempting to parse {{.*}}
# CHECK-NEXT: net.mlirbc: note: in bytecode version {{.*}}
# CHECK-NEXT: status 2, 2 lines of errors
compile(crash[:60], "net.mlirbc")
