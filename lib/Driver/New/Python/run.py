"""Compiles a small network for @name@, runs it and compares with the CPU."""

import numpy as np
import uma.tvm as tvm
from uma.tvm import relay
from uma.tvm.micro.testing.aot_test_utils import AOT_DEFAULT_RUNNER
from uma.tvm.testing.aot import AOTTestModel, compile_and_run, generate_ref_data

from backend import @Name@Backend


def create_conv2d(groups=1, weight_shape=32):
    """One convolution with constant weights."""
    rng = np.random.default_rng(0)
    data = relay.var("data", shape=(1, 3, 16, 16))
    weights = relay.const(rng.standard_normal((weight_shape, 3 // groups, 3, 3)).astype("float32"))
    out = relay.nn.conv2d(data, weights, padding=(1, 1), groups=groups, channels=weight_shape, kernel_size=(3, 3))
    mod = tvm.IRModule.from_expr(relay.Function([data], relay.nn.relu(out)))
    inputs = {"data": rng.standard_normal((1, 3, 16, 16)).astype("float32")}
    return mod, inputs, generate_ref_data(mod, inputs)


def main():
    mod, inputs, outputs = create_conv2d()
    accelerator = @Name@Backend()
    accelerator.register()
    mod = accelerator.partition(mod)
    print(mod)
    target = tvm.target.Target("@name@", host=tvm.target.Target("c"))
    model = AOTTestModel(module=mod, inputs=inputs, outputs=outputs)
    compile_and_run(model, AOT_DEFAULT_RUNNER, interface_api="c", use_unpacked_api=True, target=target, test_dir="build", verbose=True)


if __name__ == "__main__":
    main()
