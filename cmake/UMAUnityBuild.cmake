# Builds from scratch in a third of the time: UMA_UNITY_BUILD.
#
# Nearly all the time of compiling one file goes into MLIR's headers. Here the files of a library are
# compiled together, a few at a time, and what they all include is compiled once, ahead of them. The
# price is that a change of one file compiles its neighbours again, which is why only `make` does so.

# A translation unit has at most this many files, so that all cores are busy to the end.
set(UMA_UNITY_BATCH_SIZE 12)

if(UMA_UNITY_BUILD)
  # REUSE_FROM takes the precompiled header of a target that compiles something.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/uma-pch.cpp CONTENT "")
  add_library(uma-pch OBJECT ${PROJECT_BINARY_DIR}/uma-pch.cpp)
  uma_configure_target(uma-pch)
  target_precompile_headers(uma-pch PRIVATE ${CMAKE_CURRENT_LIST_DIR}/PrecompiledHeader.h)
  add_dependencies(uma-pch uma-headers)
endif()

# uma_unity_build(NAME): makes target NAME a unity build, in evenly large parts.
function(uma_unity_build name)
  if(NOT UMA_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${name} SOURCES)
  list(LENGTH sources count)
  math(EXPR units "(${count} + ${UMA_UNITY_BATCH_SIZE} - 1) / ${UMA_UNITY_BATCH_SIZE}")
  math(EXPR size "(${count} + ${units} - 1) / ${units}")
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
  target_precompile_headers(${name} REUSE_FROM uma-pch)
endfunction()
