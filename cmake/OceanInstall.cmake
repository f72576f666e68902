# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Where the libraries, the header, the Fortran module's source and the package files go.
include(CMakePackageConfigHelpers)

# libocean.so.0.1.0, and the two links to it that the loader and the linker follow.
set(file "libocean.so.${PROJECT_VERSION}")
install(PROGRAMS "${OCEAN_SHARED_FILE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" RENAME "${file}")
set(links "${CMAKE_CURRENT_BINARY_DIR}/links")
file(MAKE_DIRECTORY "${links}")
foreach(link IN ITEMS "libocean.so.${PROJECT_VERSION_MAJOR}" libocean.so)
  file(CREATE_LINK "${file}" "${links}/${link}" SYMBOLIC) # right once it lies beside the library
  install(FILES "${links}/${link}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endforeach()
install(FILES "${OCEAN_STATIC_FILE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(PROGRAMS "${OCEAN_CUSPARSE_FILE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
if(OCEAN_FORTRAN)
  install(FILES fortran/ocean.f90 fortran/ocean_dist.f90 DESTINATION "${CMAKE_INSTALL_DATADIR}/ocean/fortran")
endif()
# The shim's source, for every other MPI; and the shim for the MPI that is here.
install(FILES mpi/ocean_mpi.c DESTINATION "${CMAKE_INSTALL_DATADIR}/ocean/mpi")
if(TARGET ocean_mpi)
  install(TARGETS ocean_mpi LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
install(FILES LICENSE-MIT LICENSE-APACHE THIRD-PARTY.md DESTINATION "${CMAKE_INSTALL_DATADIR}/licenses/ocean")

# The command writes its manual pages and completions itself.
if(OCEAN_COMMAND)
  install(PROGRAMS "${OCEAN_COMMAND_FILE}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
  set(said "${CMAKE_CURRENT_BINARY_DIR}/command")
  file(MAKE_DIRECTORY "${said}/man")
  install(CODE "
    function(run)
      execute_process(COMMAND \"${OCEAN_COMMAND_FILE}\" \${ARGV} RESULT_VARIABLE failed OUTPUT_VARIABLE text)
      if(failed)
        message(FATAL_ERROR \"ocean \${ARGV}: \${failed}\")
      endif()
      set(text \"\${text}\" PARENT_SCOPE)
    endfunction()
    run(man -o \"${said}/man\")
    foreach(shell bash fish zsh)
      run(completions \${shell})
      file(WRITE \"${said}/ocean.\${shell}\" \"\${text}\")
    endforeach()")
  install(DIRECTORY "${said}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" FILES_MATCHING PATTERN "*.1")
  install(FILES "${said}/ocean.bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME ocean)
  install(FILES "${said}/ocean.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  install(FILES "${said}/ocean.zsh" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" RENAME _ocean)
endif()

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/Ocean")
configure_package_config_file(cmake/OceanConfig.cmake.in OceanConfig.cmake
  INSTALL_DESTINATION "${package}" PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR)
# While the version begins with 0, a new minor version may change the interface.
write_basic_package_version_file(OceanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES "${CMAKE_CURRENT_BINARY_DIR}/OceanConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/OceanConfigVersion.cmake"
        cmake/OceanTargets.cmake
  DESTINATION "${package}")

# From lib/pkgconfig back to the prefix, so that the installed tree may be moved.
file(RELATIVE_PATH to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
set(private_libraries "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc")
if(OCEAN_CUDA)
  string(PREPEND private_libraries "-lcudart_static -lstdc++ ")
endif()
configure_file(cmake/ocean.pc.in ocean.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/ocean.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
