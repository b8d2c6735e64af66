"""TFLite_Detection_PostProcess with options or shapes that are wrong: each gives one message. Damaged options never crash."""
# RUN: %python -B %s %t | FileCheck %s

import os
import random
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "Inputs"))
import flexbuffers
from tflite import Model

count = 0
OPTIONS = {
    "max_detections": 3,
    "max_classes_per_detection": 1,
    "num_classes": 2,
    "nms_score_threshold": 0.1,
    "nms_iou_threshold": 0.5,
    **{name + "_scale": 10.0 for name in "yxhw"},
}


def make(encoded: bytes, scores=(1, 8, 2), results: int = 4):
    model = Model()
    inputs = [model.input("boxes", (1, 8, 4)), model.input("scores", scores), model.input("anchors", (8, 4))]
    outputs = [model.tensor(f"y{i}", ()) for i in range(results)]
    model.add("CUSTOM", inputs, outputs, custom="TFLite_Detection_PostProcess", custom_options=encoded)
    return model, outputs


def refuse(changes, **arguments) -> None:
    global count
    count += 1
    model, outputs = make(changes if isinstance(changes, bytes) else flexbuffers.encode({**OPTIONS, **changes}), **arguments)
    model.refuse(f"{count:02}", outputs)


# CHECK: 01.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): has options that are no map of FlexBuffers
refuse(b"")
# CHECK-NEXT: 02.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): has options that are no map of FlexBuffers
refuse(bytes([7, 4, 1]))
# CHECK-NEXT: 03.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): option 'max_detections' is 0; expected at least 1
refuse({"max_detections": 0})
# CHECK-NEXT: 04.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): option 'num_classes' is -2; expected at least 1
refuse({"num_classes": -2})
# CHECK-NEXT: 05.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): option 'nms_iou_threshold' is 1.5; expected more than 0 and at most 1
refuse({"nms_iou_threshold": 1.5})
# CHECK-NEXT: 06.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): option 'nms_score_threshold' is nan; expected a number
refuse({"nms_score_threshold": float("nan")})
# CHECK-NEXT: 07.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): option 'w_scale' is 0; expected more than 0
refuse({"w_scale": 0.0})
# CHECK-NEXT: 08.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): option 'max_classes_per_detection' is 3, more than the 2 classes, which is not supported
refuse({"max_classes_per_detection": 3})
# CHECK-NEXT: 09.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): boxes of the shape 1x8x4, scores of 1x8x5 and anchors of 8x4 do not fit each other or 2 classes
refuse({}, scores=(1, 8, 5))
# CHECK-NEXT: 10.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): has 3 results; expected 4
refuse({}, results=3)
# CHECK-NEXT: 11.tflite: error: operator 'y0' (custom 'TFLite_Detection_PostProcess'): the result has the shape {{.*}}, more than the supported 2 GiB
refuse({"max_detections": 2**31 - 1})

# CHECK-NEXT: damaged options: 60, each accepted or refused with one message
generator = random.Random(7)
for _ in range(60):
    encoded = bytearray(flexbuffers.encode(OPTIONS))
    for _ in range(generator.randint(1, 3)):
        encoded[generator.randrange(len(encoded))] = generator.choice([0, 1, 4, 127, 128, 255, generator.randrange(256)])
    del encoded[len(encoded) - generator.choice([0, 0, 0, 1, 5]) :]
    model, outputs = make(bytes(encoded))
    model.write("damaged", outputs)
    path = os.path.join(sys.argv[1], "damaged.tflite")
    done = subprocess.run(["uma-translate", "--import-tflite", path], capture_output=True, text=True)
    if done.returncode not in (0, 1) or len(done.stderr.splitlines()) != done.returncode:
        sys.exit(f"{bytes(encoded)!r}: status {done.returncode}: {done.stderr}")
print("damaged options: 60, each accepted or refused with one message")
