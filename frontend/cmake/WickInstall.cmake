# What `cmake --install` puts where. Two components, for the runtime serves without the program, on
# any machine, and the program is for the one that builds:
#
#   runtime  include/wick/*.h, share/cmake/wick, share/pkgconfig/wick.pc
#   program  bin/wick

include_guard(GLOBAL)
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(WICK_PACKAGE_FOLDER "${CMAKE_INSTALL_DATADIR}/cmake/wick")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/wick"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT runtime
  FILES_MATCHING PATTERN "*.h")
install(TARGETS wick_runtime EXPORT wickTargets
  INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT wickTargets NAMESPACE wick:: DESTINATION "${WICK_PACKAGE_FOLDER}" COMPONENT runtime)

set(WICK_INSTALLED_PROGRAM "${CMAKE_INSTALL_BINDIR}/wick")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/wickConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/wickConfig.cmake"
  INSTALL_DESTINATION "${WICK_PACKAGE_FOLDER}"
  PATH_VARS WICK_INSTALLED_PROGRAM)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/wickConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
    "${PROJECT_BINARY_DIR}/package/wickConfig.cmake"
    "${PROJECT_BINARY_DIR}/package/wickConfigVersion.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/WickAddGraph.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/WickProgram.cmake"
  DESTINATION "${WICK_PACKAGE_FOLDER}" COMPONENT runtime)

set(pkgconfig_folder "${CMAKE_INSTALL_DATADIR}/pkgconfig")
string(REGEX REPLACE "[^/]+" ".." WICK_UP_TO_PREFIX "${pkgconfig_folder}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/wick.pc.in" "${PROJECT_BINARY_DIR}/package/wick.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/wick.pc"
  DESTINATION "${pkgconfig_folder}" COMPONENT runtime)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT runtime)

if(TARGET wick_cli)
  install(TARGETS wick_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT program)
endif()
