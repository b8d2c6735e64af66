# The few CMake functions the project's own CMakeLists use.

# Settings every target of the project shares: include paths, warnings, MLIR's
# exception/RTTI rules, sanitizers.
function(uma_configure_target name)
  target_include_directories(${name} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_17)
  separate_arguments(definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(${name} PUBLIC ${definitions})
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra
    -Wno-unused-parameter -Wno-comment -fno-exceptions>)
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  endif()
  if(UMA_ENABLE_WERROR)
    target_compile_options(${name} PRIVATE -Werror)
  endif()
  if(UMA_ENABLE_ASAN)
    target_compile_options(${name} PRIVATE -fsanitize=address,undefined
      -fno-sanitize=vptr -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC -fsanitize=address,undefined)
  endif()
  if(UMA_BUILD_FUZZERS)
    target_compile_options(${name} PRIVATE -fsanitize=address,undefined,fuzzer-no-link
      -fno-sanitize=vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(${name} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# uma_add_library(NAME source... [DEPENDS tablegen-target...] [LINK_LIBS library...])
#
# A static library of the project. MLIR and LLVM come from their shared
# libraries, so they are never named in LINK_LIBS.
function(uma_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  uma_configure_target(${name})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} MLIR LLVM)
  # TableGen headers are included across libraries: generate all of them first.
  add_dependencies(${name} uma-headers ${ARG_DEPENDS})
  uma_unity_build(${name})
  set_property(GLOBAL APPEND PROPERTY UMA_LIBRARIES ${name})
  install(TARGETS ${name} EXPORT UMATargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
endfunction()

# uma_add_shared_library(NAME): one shared library with all static ones that were added so far.
#
# A target links either NAME or static libraries: two copies in one process would each have their own registries.
function(uma_add_shared_library name)
  get_property(libraries GLOBAL PROPERTY UMA_LIBRARIES)
  set(archives ${libraries})
  list(TRANSFORM archives REPLACE "(.+)" "$<TARGET_FILE:\\1>")
  # A target needs a source file of its own.
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} SHARED ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  uma_configure_target(${name})
  # The archives a second time, for the libraries that they need.
  target_link_libraries(${name} PRIVATE -Wl,--whole-archive ${archives} -Wl,--no-whole-archive ${libraries}
                                INTERFACE MLIR LLVM)
  # Calls inside of the library are bound when it is linked, as LLVM's are: each process starts with 15,000 fewer look-ups.
  if(NOT APPLE)
    target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions)
  endif()
  set_property(TARGET ${name} PROPERTY LINK_DEPENDS ${archives})
  add_dependencies(${name} uma-headers)
  # The interfaces in C++ change with each minor version.
  set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  install(TARGETS ${name} EXPORT UMATargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
          COMPONENT runtime NAMELINK_COMPONENT dev)
endfunction()

# uma_add_tool(NAME source... [LINK_LIBS library...])
function(uma_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  uma_configure_target(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  add_dependencies(${name} uma-headers)
  uma_unity_build(${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime)
endfunction()

# uma_tablegen(TD_FILE output -gen-option...): one generated file under
# ${CMAKE_CURRENT_BINARY_DIR}, made before any library of the project is built.
function(uma_tablegen td output)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${output} ${ARGN})
  # A file's rule is known in its own folder only: other folders depend on a target.
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/${output})
  string(MAKE_C_IDENTIFIER "generate-${path}" target)
  add_custom_target(${target} DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${output})
  set_property(GLOBAL APPEND PROPERTY UMA_GENERATED_HEADERS ${target})
endfunction()

# uma_tablegen_ops(TD_FILE base): declarations and definitions of one family's operations.
function(uma_tablegen_ops td base)
  uma_tablegen(${td} ${base}.h.inc -gen-op-decls)
  uma_tablegen(${td} ${base}.cpp.inc -gen-op-defs)
endfunction()

# uma_tablegen_passes(PREFIX): Passes.td in this folder.
function(uma_tablegen_passes prefix)
  uma_tablegen(Passes.td Passes.h.inc -gen-pass-decls -name ${prefix})
endfunction()

# Sets `variable` to the text of a file that is compiled in. A change of the file configures the build again.
function(uma_read_file path variable)
  file(READ ${path} text)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
