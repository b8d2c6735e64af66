//===- Arduino.h - Stand-in for Arduino's core -*- C++ -*------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
//
// The part of Arduino's core that sketches of packages use, on a host.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>

struct SerialPort {
  void begin(unsigned long) {}
  void print(const char *text) { printf("%s", text); }
  void print(int value) { printf("%d", value); }
  void print(long value) { printf("%ld", value); }
  void println(unsigned long value) { printf("%lu\n", value); }
};
static SerialPort Serial;
static inline unsigned long micros() { return 7; }
void setup();
void loop();
