# SPDX-License-Identifier: MIT OR Apache-2.0
#
# cpack: an archive and, where there is dpkg, a Debian package of what cmake --install installs.
set(CPACK_GENERATOR TGZ)
find_program(DPKG_EXECUTABLE dpkg)
if(DPKG_EXECUTABLE)
  list(APPEND CPACK_GENERATOR DEB)
endif()

set(CPACK_PACKAGE_NAME ocean-spgemm)
set(CPACK_PACKAGE_VENDOR "The ocean authors")
set(CPACK_PACKAGE_CONTACT "The ocean authors" CACHE STRING "Who answers for the package: name <address>")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/packages")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_CURRENT_SOURCE_DIR}/LICENSE-MIT")
set(CPACK_RESOURCE_FILE_README "${CMAKE_CURRENT_SOURCE_DIR}/README.md")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
# The libraries need the C library alone; a driver and cuSPARSE are looked for at run time.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6, libgcc-s1")
if(OCEAN_CUDA)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libstdc++6")
endif()
# The loader learns of new libraries.
set(triggers "${CMAKE_CURRENT_BINARY_DIR}/debian/triggers")
file(WRITE "${triggers}" "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${triggers}")
include(CPack)
