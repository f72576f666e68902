# SPDX-License-Identifier: MIT OR Apache-2.0
#
# cmake -DBUILD=... -DWORK=... -P package.cmake: packs, and sees that each file in the packages is one that we know: ours, or
# the libraries, whose parts THIRD-PARTY.md names. Then programs are built with what the Debian package installs.
file(REMOVE_RECURSE "${BUILD}/packages" "${WORK}")
file(MAKE_DIRECTORY "${WORK}")
get_filename_component(bin "${CMAKE_COMMAND}" DIRECTORY)
execute_process(COMMAND "${bin}/cpack" WORKING_DIRECTORY "${BUILD}" RESULT_VARIABLE failed OUTPUT_QUIET)
if(failed)
  message(FATAL_ERROR "cpack failed: ${failed}")
endif()

# Runs a command, and shows what it printed only if it fails.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    message(FATAL_ERROR "${ARGV}: ${failed}\n${said}")
  endif()
endfunction()

# Builds programs with the package below this prefix, by CMake and by pkg-config, and runs them and the command.
function(use_installed prefix work)
  set(consumer "${CMAKE_CURRENT_LIST_DIR}")
  run("${CMAKE_COMMAND}" -S "${consumer}" -B "${work}/cmake" "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF)
  run("${CMAKE_COMMAND}" --build "${work}/cmake" --target multiply_c)
  run("${work}/cmake/multiply_c")
  find_program(pkg_config pkg-config)
  if(pkg_config)
    file(GLOB libdir "${prefix}/lib/libocean.so" "${prefix}/lib/*/libocean.so")
    get_filename_component(libdir "${libdir}" DIRECTORY)
    run("${consumer}/pkg_config.sh" "${libdir}" "${prefix}/share" "${work}/pkg_config")
  endif()
  if(EXISTS "${prefix}/bin/ocean")
    run("${prefix}/bin/ocean" --version)
  endif()
endfunction()

set(known
  "/lib/([^/]+/)?libocean\\.(a|so|so\\.[0-9]+|so\\.[0-9]+\\.[0-9]+\\.[0-9]+)"
  "/lib/([^/]+/)?libocean_cusparse\\.so"
  "/lib/([^/]+/)?cmake/Ocean/Ocean(Config|ConfigVersion|Targets)\\.cmake"
  "/lib/([^/]+/)?pkgconfig/ocean\\.pc"
  "/include/ocean[a-z_]*\\.(h|hpp)"
  "/lib/([^/]+/)?libocean_mpi\\.so"
  "/share/ocean/fortran/ocean(_dist)?\\.f90"
  "/share/ocean/mpi/ocean_mpi\\.c"
  "/share/licenses/ocean/(LICENSE-MIT|LICENSE-APACHE|THIRD-PARTY\\.md)"
  "/share/doc/ocean-spgemm/copyright"
  "/bin/ocean"
  "/share/man/man1/ocean[a-z0-9-]*\\.1"
  "/share/bash-completion/completions/ocean"
  "/share/fish/vendor_completions.d/ocean\\.fish"
  "/share/zsh/site-functions/_ocean")

file(GLOB packages "${BUILD}/packages/*.tar.gz" "${BUILD}/packages/*.deb")
if(NOT packages)
  message(FATAL_ERROR "cpack made no package")
endif()
foreach(package IN LISTS packages)
  get_filename_component(name "${package}" NAME)
  set(unpacked "${WORK}/${name}")
  file(MAKE_DIRECTORY "${unpacked}")
  if(name MATCHES "\\.deb$")
    execute_process(COMMAND dpkg-deb --extract "${package}" "${unpacked}" RESULT_VARIABLE failed)
  else()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E tar xf "${package}" WORKING_DIRECTORY "${unpacked}" RESULT_VARIABLE failed)
  endif()
  if(failed)
    message(FATAL_ERROR "${name} can't be unpacked")
  endif()
  file(GLOB_RECURSE files RELATIVE "${unpacked}" "${unpacked}/*")
  set(licences 0)
  foreach(file IN LISTS files)
    set(is_known FALSE)
    foreach(pattern IN LISTS known)
      if("/${file}" MATCHES "${pattern}$")
        set(is_known TRUE)
      endif()
    endforeach()
    if(NOT is_known)
      message(FATAL_ERROR "${name} has ${file}: whose is it, and under which licence?")
    endif()
    if(file MATCHES "share/licenses/ocean/")
      math(EXPR licences "${licences} + 1")
    endif()
    # What is text says itself that it is ours.
    if(file MATCHES "\\.(h|hpp|f90|cmake)$" AND NOT file MATCHES "ConfigVersion")
      file(STRINGS "${unpacked}/${file}" head LIMIT_COUNT 3)
      if(NOT head MATCHES "SPDX-License-Identifier: MIT OR Apache-2.0")
        message(FATAL_ERROR "${name}: ${file} names no licence")
      endif()
    endif()
  endforeach()
  if(NOT licences EQUAL 3)
    message(FATAL_ERROR "${name} has ${licences} of 3 licence files")
  endif()
  list(LENGTH files count)
  message(STATUS "${name}: ${count} files")

  if(name MATCHES "\\.deb$")
    use_installed("${unpacked}/usr" "${WORK}/use")
  endif()
endforeach()
