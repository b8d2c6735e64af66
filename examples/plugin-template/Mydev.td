//===- Mydev.td - Dialect of the device -*- tablegen -*--------------------===//
//
// Part of the uma project, under the Apache License v2.0.
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//

#ifndef MYDEV_TD
#define MYDEV_TD

include "mlir/IR/OpBase.td"

def Mydev_Dialect : Dialect {
  let name = "mydev";
  let cppNamespace = "::mydev";
  let summary = "commands of the device";
}

def Mydev_FenceOp : Op<Mydev_Dialect, "fence"> {
  let summary = "wait for the device";
  let description = [{
    Waits until the results of all calls before it are in memory. It has unknown effects, so that passes keep its place.

    ```mlir
    mydev.fence
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // MYDEV_TD
