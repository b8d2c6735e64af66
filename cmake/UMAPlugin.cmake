# uma_add_plugin(NAME source...): a plugin, NAME.so, for `uma -a` and for mlir-opt.
#
# It shares libMLIR.so and libUMA.so with the program that loads it. Do not link it to static libraries of MLIR or uma:
# a second copy would have registries of its own.
function(uma_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE UMA)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter -Wno-comment -fno-exceptions)
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${name} PRIVATE -fno-rtti)
  endif()
  # mydev.so, not libmydev.so. Symbols stay visible: libMLIR.so compares the addresses of MLIR's TypeIDs.
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET default)
endfunction()
