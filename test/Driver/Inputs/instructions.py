"""Prints a description with instructions of every form, whose C is a model on single elements: `instructions.py model|wrong`."""
import sys

print("accelerator core {")
for lanes in (1, 4, 8, 16):
    for kind, count, data, weight in (("quads", 4, "u8", "i8"), ("pairs", 2, "i16", "i16")):
        products = " + ".join(f"x[{i}] * w[{i}]" for i in range(count))
        bits = data.lstrip("ui")
        unsigned = "u" if data[0] == "u" else ""
        last = count - 1 if sys.argv[1] == "wrong" else count
        print(f"""  instruction {kind}{lanes}(sum: i32, x: {data}[{count}], w: {weight}[{count}]) {{
    sum = sum + {products}
    lanes {lanes}
    guard "defined(HAS_MODEL)"
    code {{
#ifndef SOURCE
#define SOURCE x
#endif
      {unsigned}int{bits}_t a[{lanes * count}];
      int{bits}_t b[{lanes * count}];
      int32_t c[{lanes}];
      int i;
      memcpy(a, &SOURCE, sizeof(x));
      memcpy(b, &w, sizeof(w));
      memcpy(c, &sum, sizeof(sum));
      for (i = 0; i < {lanes * count}; ++i)
        if (i % {count} < {last})
          c[i / {count}] = (int32_t)((uint32_t)c[i / {count}] + (uint32_t)(a[i] * b[i]));
      memcpy(&sum, c, sizeof(sum));
    }}
  }}""")
print("}")
