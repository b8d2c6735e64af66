# UMA_UNITY_BUILD: builds from scratch in a fraction of the time.
#
# Parsing MLIR's headers takes most of the time that it takes to compile a file. A unity build compiles
# up to a dozen files of a library as one translation unit, with a precompiled header for the includes
# that most files share. A change of one file compiles its whole translation unit again, so CMake's
# presets build per file.

# Files per translation unit: small enough to keep all cores busy until the end.
set(UMA_UNITY_BATCH_SIZE 12)

if(UMA_UNITY_BUILD)
  # A precompiled header belongs to a target that compiles something.
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/uma-pch.cpp CONTENT "")
  add_library(uma-pch OBJECT ${PROJECT_BINARY_DIR}/uma-pch.cpp)
  uma_configure_target(uma-pch)
  target_precompile_headers(uma-pch PRIVATE ${CMAKE_CURRENT_LIST_DIR}/PrecompiledHeader.h)
  # The same headers give the same bytes, which ccache recognises.
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(uma-pch PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
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
  get_target_property(type ${name} TYPE)
  if(type STREQUAL EXECUTABLE)
    # -fPIE would need a precompiled header of its own.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
  endif()
endfunction()
