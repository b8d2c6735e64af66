"""The same networks by the rules of TensorFlow Lite in browsers, which has its layers and sums computed by XNNPACK. Each rule is one of
its own:

    layers   sums are multiplied by one f32 factor and rounded half to even (the kernels of TensorFlow Lite multiply by an
             integer of 31 bits and shift, which rounds twice)
    add      operands are multiplied by integers of 21 bits, added, and shifted once; halves are rounded up
    softmax  exponentials in f32 from a table (the reference kernel computes in integers)

Average pools have TensorFlow Lite's rule.
"""

import numpy as np
from tflite_integers import Network, finish

f32 = np.float32


class BrowserNetwork(Network):
    def rescale(self, sums, x, w, result):
        factors = [x.scales[0] * scale / result.scales[0] for scale in np.broadcast_to(w.scales, sums.shape[-1])]
        return np.rint(sums.astype(f32) * np.array(factors, f32)).astype(np.int64)

    def fully_connected(self, options, operands, result):
        (x, data), (w, weights), (_, bias) = operands
        sums = (data - x.zero) @ (weights - w.zero).T + bias
        return finish(self.rescale(sums, x, w, result), result, options.number(0, "b"))

    def add(self, options, operands, result):
        factors = [tensor.scales[0] / result.scales[0] for tensor, _ in operands]
        shift = 21 - int(np.frexp(max(factors))[1])
        total = 1 << (shift - 1)
        for (tensor, data), factor in zip(operands, factors):
            total = total + int(np.rint(np.ldexp(np.float64(factor), shift))) * (data - tensor.zero)
        return finish(total >> shift, result, options.number(0, "b"))

    def softmax(self, options, operands, result):
        tensor, data = operands[0]
        factor = -tensor.scales[0] * f32(options.number(0, "f"))
        table = np.exp(factor * np.arange(256, dtype=f32))
        exponentials = table[data.max(-1, keepdims=True) - data]
        sums = np.cumsum(exponentials, -1, dtype=f32)[..., -1:]
        numbers = exponentials * (f32(1) / (sums * result.scales[0])) + f32(0.5)
        return np.clip(numbers.astype(np.int64) + result.zero, -128, 127)
