# SPDX-License-Identifier: MIT OR Apache-2.0
#
# cmake -DBUILD=... -DPREFIX=... -P install.cmake: installs into a folder that is then renamed to PREFIX, so that a path
# kept from the installation leads nowhere.
set(staged "${PREFIX}-as-installed")
file(REMOVE_RECURSE "${staged}" "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${staged}" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "cmake --install failed: ${failed}")
endif()
file(RENAME "${staged}" "${PREFIX}")
