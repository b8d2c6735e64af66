//===- RegisterAllPasses.cpp - Registration of all passes -----------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#include "uma/InitAll.h"

#include "uma/Accel/Language/Passes.h"
#include "uma/Accel/Mapping/Passes.h"
#include "uma/Accel/Partition/Passes.h"
#include "uma/CPU/Transforms/Passes.h"
#include "uma/Conversion/Passes.h"
#include "uma/Graph/Transforms/Passes.h"
#include "uma/Pipelines/Passes.h"
#include "uma/TIR/Transforms/Passes.h"

void uma::registerAllPasses() {
  cpu::registerUMACPUPasses();
  graph::registerUMAGraphPasses();
  tir::registerUMATIRPasses();
  accel::registerUMAAccelLanguagePasses();
  accel::registerUMAAccelMappingPasses();
  accel::registerUMAAccelPasses();
  registerUMAConversionPasses();
  registerUMAPipelinesPasses();
}
