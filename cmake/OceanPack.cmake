# SPDX-License-Identifier: MIT OR Apache-2.0
#
# cpack: an archive and, where there is dpkg, a Debian package of what cmake --install installs.
set(CPACK_GENERATOR TGZ)
find_program(DPKG_EXECUTABLE dpkg)
if(DPKG_EXECUTABLE)
  list(APPEND CPACK_GENERATOR DEB)
  install(FILES packaging/debian/copyright DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/ocean-spgemm")
endif()

set(CPACK_PACKAGE_NAME ocean-spgemm)
set(CPACK_PACKAGE_VENDOR "The ocean authors")
set(CPACK_PACKAGE_CONTACT "The ocean authors" CACHE STRING "Who answers for the package: name <address>")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/packages")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE-MIT")
set(CPACK_RESOURCE_FILE_README "${CMAKE_CURRENT_SOURCE_DIR}/README.md")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Behind a C ABI with the call sequence of cuSPARSE's SpGEMM. Libraries for C, C++ and Fortran,
an interposer for programs of cuSPARSE, and a source file for MPI. A GPU is not needed.")
# The libraries need the C library alone; a driver and cuSPARSE are looked for at run time.
# No older C library than the one that they are linked to here.
execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE libc ERROR_QUIET)
string(REGEX MATCH "[0-9]+\\.[0-9]+" libc "${libc}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6")
if(libc)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS " (>= ${libc})")
endif()
string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libgcc-s1")
if(OCEAN_CUDA)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libstdc++6")
endif()
# The loader learns of new libraries.
set(triggers "${CMAKE_CURRENT_BINARY_DIR}/debian/triggers")
file(WRITE "${triggers}" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${triggers}")
include(CPack)
