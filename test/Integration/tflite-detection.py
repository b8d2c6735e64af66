"""TFLite_Detection_PostProcess, the end of SSD networks, on random boxes: the numbers are NumPy's, from the definition of the operator."""
# REQUIRES: gcc
# RUN: rm -rf %t && mkdir %t
# RUN: env PYTHONPATH=%source/test/Import/TFLite/Inputs:%S/Inputs CFLAGS=-O1 %python -B %s %t | FileCheck %s
# CHECK: detection: all 32 results equal

import flexbuffers
import numpy as np
from tflite_group import Group

random = np.random.default_rng(4)
SCALES = np.array([10, 10, 5, 5], np.float32)


def decode(encoded: np.ndarray, anchors: np.ndarray) -> np.ndarray:
    center = encoded[:, :2] / SCALES[:2] * anchors[:, 2:] + anchors[:, :2]
    half = np.float32(0.5) * np.exp(encoded[:, 2:4] / SCALES[2:]) * anchors[:, 2:]
    return np.concatenate([center - half, center + half], 1).astype(np.float32)


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    size = np.maximum(np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2]), 0)
    common = size.prod()
    areas = (a[2:] - a[:2]).prod(), (b[2:] - b[:2]).prod()
    return 0 if min(areas) <= 0 else common / (sum(areas) - common)


def suppress(boxes, scores, least, limit, count):
    kept = []
    for box in np.argsort(-scores, kind="stable"):
        if len(kept) < count and scores[box] >= least and all(overlap(boxes[box], boxes[k]) <= limit for k in kept):
            kept.append(int(box))
    return kept


def detect(boxes, scores, options):
    """Returns (box, class, score) of each detection."""
    least, limit, count = options["nms_score_threshold"], options["nms_iou_threshold"], options["max_detections"]
    if options["use_regular_nms"]:
        found = []
        for number in range(scores.shape[1]):
            for box in suppress(boxes, scores[:, number], least, limit, options["detections_per_class"]):
                found.append((box, number, scores[box, number]))
        return sorted(found, key=lambda entry: -entry[2])[:count]
    found = []
    for box in suppress(boxes, scores.max(1), least, limit, count):
        for number in np.argsort(-scores[box], kind="stable")[: options["max_classes_per_detection"]]:
            found.append((box, number, scores[box, number]))
    return found


group = Group("detection")
for number in range(8):
    count, classes, regular, background = [30, 12][number % 2], 4, number >= 5, number % 3 != 0
    options = {
        "max_detections": [6, 20, 3][number % 3],
        "max_classes_per_detection": 2 if number == 4 else 1,
        "detections_per_class": 3,
        "use_regular_nms": regular,
        "nms_score_threshold": [0.3, 0.0, 0.9, 2.0][number % 4],
        "nms_iou_threshold": [0.5, 0.1][number % 2],
        "num_classes": classes,
        **{name + "_scale": float(scale) for name, scale in zip("yxhw", SCALES)},
    }
    encoded = random.standard_normal((1, count, 4 + number % 2)).astype(np.float32)
    anchors = random.random((count, 4)).astype(np.float32)
    scores = random.random((1, count, classes + background)).astype(np.float32)
    boxes = decode(encoded[0, :, :4], anchors)
    found = detect(boxes, scores[0, :, background:], options)
    size = options["max_detections"] * options["max_classes_per_detection"]
    corners, labels, values = np.zeros((1, size, 4), np.float32), np.zeros((1, size), np.float32), np.zeros((1, size), np.float32)
    for i, (box, label, value) in enumerate(found):
        corners[0, i], labels[0, i], values[0, i] = boxes[box], label, value
    total = np.float32([len(found) // options["max_classes_per_detection"]])
    custom = {"custom": "TFLite_Detection_PostProcess", "custom_options": flexbuffers.encode(options)}
    group.check("CUSTOM", [encoded, scores, (anchors,)], [corners, labels, values, total], **custom)
group.run()
