# Installation and the `find_package(UMA)` package.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/uma ${PROJECT_SOURCE_DIR}/include/uma-c
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/uma
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        FILES_MATCHING PATTERN "*.h.inc" PATTERN CMakeFiles EXCLUDE)
# Where dialects/CMakeLists.txt installs the accelerators.
set(UMA_INSTALL_DIALECTS_DIR ${CMAKE_INSTALL_DATADIR}/uma/dialects)
set(UMA_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/uma)
install(EXPORT UMATargets DESTINATION ${UMA_CMAKE_DIR} COMPONENT dev)
install(EXPORT UMACTargets NAMESPACE UMA:: DESTINATION ${UMA_CMAKE_DIR} COMPONENT dev)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/UMAConfig.cmake.in
  ${PROJECT_BINARY_DIR}/UMAConfig.cmake INSTALL_DESTINATION ${UMA_CMAKE_DIR}
  PATH_VARS UMA_INSTALL_DIALECTS_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/UMAConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/UMAConfig.cmake ${PROJECT_BINARY_DIR}/UMAConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/UMAPlugin.cmake
        DESTINATION ${UMA_CMAKE_DIR} COMPONENT dev)

# For other build systems. The prefix is relative to this file, so that an installation can be moved.
set(UMA_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH UMA_PREFIX_FROM_PKGCONFIG /${UMA_PKGCONFIG_DIR} /)
configure_file(${CMAKE_CURRENT_LIST_DIR}/uma-c.pc.in ${PROJECT_BINARY_DIR}/uma-c.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/uma-c.pc DESTINATION ${UMA_PKGCONFIG_DIR} COMPONENT dev)
