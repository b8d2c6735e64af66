#include "uma/InitAll.h"
#ifdef HAS_UMAGraphTransforms
#include "uma/Graph/Transforms/Passes.h"
#endif
#ifdef HAS_UMATIRTransforms
#include "uma/TIR/Transforms/Passes.h"
#endif
#ifdef HAS_UMAAccelLanguage
#include "uma/Accel/Language/Passes.h"
#endif
#ifdef HAS_UMAAccelPartition
#include "uma/Accel/Partition/Passes.h"
#endif
#if defined(HAS_UMATIRToEmitC) && defined(HAS_UMAAccelPartition)
#include "uma/Conversion/Passes.h"
#elif defined(HAS_UMATIRToEmitC)
namespace uma {
#define GEN_PASS_DECL_CONVERTTIRTOEMITCPASS
#include "uma/Conversion/Passes.h.inc"
}
#endif
#ifdef HAS_ALL
#include "uma/Pipelines/Passes.h"
#endif
void uma::registerAllPasses() {
#ifdef HAS_UMAGraphTransforms
  graph::registerUMAGraphPasses();
#endif
#ifdef HAS_UMATIRTransforms
  tir::registerUMATIRPasses();
#endif
#ifdef HAS_UMAAccelLanguage
  accel::registerUMAAccelLanguagePasses();
#endif
#ifdef HAS_UMAAccelPartition
  accel::registerUMAAccelPasses();
#endif
#if defined(HAS_UMATIRToEmitC) && defined(HAS_UMAAccelPartition)
  registerUMAConversionPasses();
#elif defined(HAS_UMATIRToEmitC)
  mlir::registerPass([] { return createConvertTIRToEmitCPass(); });
#endif
#ifdef HAS_ALL
  registerUMAPipelinesPasses();
#endif
}
