# Installation and the `find_package(UMA)` package.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/uma
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/uma
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h.inc" PATTERN CMakeFiles EXCLUDE)
# Where dialects/CMakeLists.txt installs the accelerators.
set(UMA_INSTALL_DIALECTS_DIR ${CMAKE_INSTALL_DATADIR}/uma/dialects)
set(UMA_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/uma)
install(EXPORT UMATargets DESTINATION ${UMA_CMAKE_DIR})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/UMAConfig.cmake.in
  ${PROJECT_BINARY_DIR}/UMAConfig.cmake INSTALL_DESTINATION ${UMA_CMAKE_DIR}
  PATH_VARS UMA_INSTALL_DIALECTS_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/UMAConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/UMAConfig.cmake ${PROJECT_BINARY_DIR}/UMAConfigVersion.cmake
        DESTINATION ${UMA_CMAKE_DIR})
