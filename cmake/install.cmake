# The package: library, headers, find_package(maggi) files, and the command line when it is built.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/maggi)

install(TARGETS maggi EXPORT maggi-targets FILE_SET HEADERS)
install(EXPORT maggi-targets NAMESPACE maggi:: DESTINATION ${package_dir})

# a static library leaves the linking of what it uses to its user
get_target_property(library_type maggi TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(MAGGI_STATIC ON)
else()
  set(MAGGI_STATIC OFF)
endif()
configure_package_config_file(cmake/maggiConfig.cmake.in maggiConfig.cmake INSTALL_DESTINATION ${package_dir})
# before 1.0 a minor version may break its users
write_basic_package_version_file(maggiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/maggiConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/maggiConfigVersion.cmake
  DESTINATION ${package_dir})
if(MAGGI_SUNDIALS_USED)  # a user of the static library looks for SUNDIALS as we do
  install(FILES cmake/FindMaggiSundials.cmake DESTINATION ${package_dir})
endif()
if(TARGET maggi-app AND NOT MAGGI_STATIC)  # finds a shared library beside it, wherever the prefix is moved
  set_target_properties(maggi-app PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
endif()
