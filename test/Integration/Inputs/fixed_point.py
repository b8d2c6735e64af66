"""TensorFlow Lite's fixed-point arithmetic in NumPy's integers, from the definitions of its reference kernels and of gemmlowp. A number
with n integer bits stands for itself divided by 2^(31 - n)."""

import math

import numpy as np

ONE = 2**31 - 1


def factor(number: float) -> tuple[int, int]:
    """A real factor as an integer of 31 bits and an exponent of 2."""
    mantissa, exponent = math.frexp(number)
    fixed = math.floor(mantissa * 2**31 + 0.5)
    return (fixed // 2, exponent + 1) if fixed == 2**31 else (fixed, exponent)


def high(a: np.ndarray, b) -> np.ndarray:
    """The product of two numbers without integer bits; halves are rounded up."""
    product = a * b
    return np.where(product >= 0, product + 2**30, product + 1 - 2**30) // 2**31 + (
        (product < 0) & ((product + 1 - 2**30) % 2**31 != 0))


def shift_right(number: np.ndarray, bits) -> np.ndarray:
    """Divides by a power of two; halves are rounded away from zero."""
    rest = number & ((1 << bits) - 1)
    threshold = (((1 << bits) - 1) >> 1) + (number < 0)
    return (number >> bits) + (rest > threshold)


def multiply(number: np.ndarray, fixed: int, exponent: int) -> np.ndarray:
    """The left shift saturates; TensorFlow Lite does not say what happens there."""
    return shift_right(high(np.clip(number * (1 << max(exponent, 0)), -ONE - 1, ONE), fixed), max(-exponent, 0))


def scale(number: np.ndarray, by: float) -> np.ndarray:
    """Multiplies int64 numbers by a real factor."""
    return multiply(number, *factor(by))


def radius(integer_bits: int, exponent: int) -> int:
    return math.floor((2**integer_bits - 1) * 2 ** (31 - integer_bits) / 2**exponent)


def exp_of_negative(number: np.ndarray, integer_bits: int) -> np.ndarray:
    fraction = 31 - integer_bits
    quarter = 1 << (fraction - 2)
    part = (number & (quarter - 1)) - quarter
    x = (part << integer_bits) + (1 << 28)
    x2 = high(x, x)
    x3, x4 = high(x2, x), high(x2, x2)
    tail = shift_right(high(shift_right(x4, 2) + x3, round(2**31 / 3)) + x2, 1)
    center = round(2**31 * math.exp(-1 / 8))
    result = center + high(x + tail, center)
    remainder = part - number
    for power in range(-2, integer_bits):
        bit = (remainder >> (fraction + power)) & 1
        result = np.where(bit != 0, high(result, round(2**31 * math.exp(-(2.0**power)))), result)
    return np.where(number == 0, ONE, result)


def newton(number: np.ndarray) -> np.ndarray:
    """2 / (1 + number), with two integer bits."""
    half = (number + ONE + 1) // 2
    x = round(2**29 * 48 / 17) + high(half, -round(2**29 * 32 / 17))
    for _ in range(3):
        x = x + 4 * high(x, 2**29 - high(half, x))
    return x


def logistic(number: np.ndarray) -> np.ndarray:
    positive = np.minimum(2 * newton(exp_of_negative(-np.abs(number), 4)), ONE)
    return np.where(number == 0, 2**30, np.where(number > 0, positive, ONE - positive))


def tanh(number: np.ndarray) -> np.ndarray:
    positive = np.minimum(4 * (newton(exp_of_negative(-np.abs(number), 5)) - 2**29), ONE)
    return np.where(number == 0, 0, np.sign(number) * positive)


def saturating(function, steps: np.ndarray, by: float, bits: int, zero: int) -> np.ndarray:
    """The kernels of logistic and tanh, which look at numbers with 4 integer bits."""
    fixed, exponent = factor(by * 2**27)
    limit = radius(4, exponent)
    inside = shift_right(function(multiply(np.clip(steps, -limit, limit), fixed, exponent)), 31 - bits) + zero
    return np.clip(np.where(steps <= -limit, -128, np.where(steps >= limit, 127, inside)), -128, 127)


def softmax(stored: np.ndarray, by: float) -> np.ndarray:
    """Softmax of stored integers along the last axis, as 256ths minus 128. `by` is the scale times beta."""
    fixed, exponent = factor(min(by * 2**26, 2.0**31 - 1))
    difference = stored - stored.max(-1, keepdims=True)
    used = difference >= -radius(5, exponent)
    exponential = np.where(used, exp_of_negative(high(np.where(used, difference, 0) << exponent, fixed), 5), 0)
    sums = shift_right(exponential, 12).sum(-1, keepdims=True)
    zeros = 32 - np.frompyfunc(lambda x: int(x).bit_length(), 1, 1)(sums).astype(np.int64)
    reciprocal = np.minimum(2 * newton((sums << zeros) - 2**31), ONE)
    result = shift_right(high(exponential, reciprocal), 12 - zeros + 31 - 8)
    return np.clip(result - 128, -128, 127)


def hard_swish(steps: np.ndarray, x_scale: float, y_scale: float) -> np.ndarray:
    """The kernel's integers of 16 bits, without the zero point of the result."""

    def clip(number: np.ndarray) -> np.ndarray:
        return np.clip(number, -(2**15), 2**15 - 1)

    def high16(a: np.ndarray, b: int) -> np.ndarray:
        return np.floor_divide(a * b + 2**14, 2**15)

    fine = np.float32(x_scale) * np.float32(1 / 128)
    (out, out_exponent), (in_, in_exponent) = factor(float(fine / np.float32(y_scale))), factor(float(fine / np.float32(3 / 32768)))
    out, in_ = (min((fixed + 2**15) >> 16, 2**15 - 1) for fixed in (out, in_))
    value = steps * 128
    gate = clip(value << (in_exponent - 1)) if in_exponent > 0 else value
    gate = high16(gate, in_)
    gate = clip(2 * gate) if in_exponent > 0 else shift_right(gate, -in_exponent)
    gate = (gate + 2**15) >> 1
    product = gate * high16(value, out)
    return shift_right(np.sign(product) * (np.abs(product) >> 15), -out_exponent)
