# Debian packages by CPack: `make deb` writes uma, uma-dev and python3-uma into build/packages.
#
# Each install() names one of the components runtime, dev and python, which become one package each.
set(UMA_PACKAGE_CONTACT "The uma authors <uma@users.noreply.invalid>" CACHE STRING "Maintainer of the Debian packages")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME uma)
# Each package has a summary of its own, the first line of its description.
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
set(CPACK_PACKAGE_CONTACT ${UMA_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev)
if(TARGET uma-python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# libUMA.so is in the package uma, not in one that dpkg knows.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
# Permissions are 0755 and 0644 whatever the umask of the build is.
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME uma)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION devel)
# dpkg-shlibdeps finds the libraries of MLIR, LLVM, clang, ONNX and Protobuf, with their versions.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
# `uma run`, `uma test` and `uma check` call a C compiler; `uma run` builds by make. `uma compile` needs neither.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "gcc | c-compiler, libc6-dev | libc-dev, make")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS
  "gcc-arm-none-eabi, libnewlib-arm-none-eabi, qemu-system-arm, python3-uma, uma-dev")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "compiler from neural networks to C that calls accelerators
uma reads models in ONNX and TensorFlow Lite, finds the parts that an
accelerator can run, and writes a folder of C99: calls to the accelerator,
vectorised kernels for everything else, and a statically sized workspace.
An accelerator is described in one file, which the compiler loads when it
runs.

This package contains the programs uma, uma-opt, uma-translate, uma-memplan
and uma-lsp-server, their libraries, and the descriptions of accelerators.")

# The imported targets of find_package(UMA) name the libraries that these packages bring.
set(CPACK_DEBIAN_DEV_PACKAGE_NAME uma-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "uma (= ${version}), libmlir-22-dev, llvm-22-dev, mlir-22-tools, \
libonnx-dev, libprotobuf-dev, protobuf-compiler, libzstd-dev, zlib1g-dev")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "clang-22 | g++, cmake, pkg-config")
set(CPACK_COMPONENT_DEV_DESCRIPTION "development files of the uma compiler
uma compiles neural networks to C that calls accelerators.

This package contains the headers of the C library libuma-c with its
pkg-config file, the headers and libraries in C++, and the CMake package
UMA, which plugins and other MLIR tools use.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-uma)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
if(TARGET uma-python)
  # A compiled module loads in one minor version of Python.
  math(EXPR next "${UMA_PYTHON_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "uma (= ${version}), python3-numpy, \
python3 (>= 3.${UMA_PYTHON_MINOR}), python3 (<< 3.${next})")
endif()
# Workers for `uma explore` and `uma tune`; its search of fronts; tables.
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-deap, python3-distributed, python3-pandas")
# Compiles the module when it is installed, and removes the compiled files with it.
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_LIST_DIR}/debian/postinst ${CMAKE_CURRENT_LIST_DIR}/debian/prerm)
set(CPACK_COMPONENT_PYTHON_DESCRIPTION "Python module of the uma compiler
uma compiles neural networks to C that calls accelerators.

This package contains the Python module uma, which compiles, runs and
explains models on NumPy arrays.")

# Licence and documentation, where Debian's policy wants them.
set(doc ${CMAKE_INSTALL_DATADIR}/doc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${doc}/uma COMPONENT runtime)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/digits ${PROJECT_SOURCE_DIR}/examples/plugin-template
        DESTINATION ${doc}/uma/examples COMPONENT runtime
        PATTERN demo.sh EXCLUDE PATTERN train.py EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${doc}/uma COMPONENT runtime)
set(changelog ${PROJECT_BINARY_DIR}/changelog.gz)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
file(ARCHIVE_CREATE OUTPUT ${changelog} PATHS ${PROJECT_SOURCE_DIR}/CHANGELOG.md FORMAT raw COMPRESSION GZip)
set(folders runtime uma dev uma-dev)
if(TARGET uma-python)
  list(APPEND folders python python3-uma)
endif()
while(folders)
  list(POP_FRONT folders component package)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/debian/copyright ${changelog} DESTINATION ${doc}/${package}
          COMPONENT ${component})
endwhile()

include(CPack)
