# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Tests that install the package, move it, and build c_tests/consumer and examples against it. Label: consumer.
set(consumer "${CMAKE_CURRENT_SOURCE_DIR}/c_tests/consumer")
set(work "${CMAKE_CURRENT_BINARY_DIR}/consumer")
set(prefix "${work}/moved")

# consumer_test(name command... [NEEDS fixture...] [MAKES fixture])
function(consumer_test name)
  cmake_parse_arguments(arg "" "MAKES" "COMMAND;NEEDS" ${ARGN})
  add_test(NAME "consumer.${name}" COMMAND ${arg_COMMAND})
  set_tests_properties("consumer.${name}" PROPERTIES LABELS consumer
    FIXTURES_REQUIRED "${arg_NEEDS}" FIXTURES_SETUP "${arg_MAKES}")
endfunction()

# Configures and builds the consumer in a folder of this name.
function(consumer_project name)
  cmake_parse_arguments(arg "" "NEEDS" "OPTIONS" ${ARGN})
  file(REMOVE_RECURSE "${work}/${name}")
  consumer_test("build_by_${name}" NEEDS "${arg_NEEDS}" MAKES "built_by_${name}" COMMAND
    "${CMAKE_CTEST_COMMAND}" --build-and-test "${consumer}" "${work}/${name}"
    --build-generator "${CMAKE_GENERATOR}" --build-options ${arg_OPTIONS})
  foreach(program IN ITEMS multiply_c multiply_cpp interposed)
    consumer_test("${program}_by_${name}" NEEDS "built_by_${name}" COMMAND "${work}/${name}/${program}")
  endforeach()
  if(TARGET Ocean::ocean_static)
    consumer_test("multiply_c_static_by_${name}" NEEDS "built_by_${name}" COMMAND "${work}/${name}/multiply_c_static")
  endif()
  if(CMAKE_Fortran_COMPILER)
    consumer_test("multiply_fortran_by_${name}" NEEDS "built_by_${name}" COMMAND "${work}/${name}/multiply_fortran")
  endif()
endfunction()

consumer_test(install MAKES installed COMMAND
  "${CMAKE_COMMAND}" "-DBUILD=${CMAKE_CURRENT_BINARY_DIR}" "-DPREFIX=${prefix}" -P "${consumer}/install.cmake")

# The static library's need for the CUDA runtime is met from the same toolkit as here.
set(toolkit "-DCUDAToolkit_ROOT=${CUDAToolkit_ROOT}")
consumer_project(find_package NEEDS installed OPTIONS
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DOCEAN_VERSION=${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}" "${toolkit}")
consumer_project(add_subdirectory OPTIONS
  "-DOCEAN_SOURCE=${CMAKE_CURRENT_SOURCE_DIR}" "-DOCEAN_TARGET_DIR=${OCEAN_TARGET_DIR}"
  "-DOCEAN_CUDA=${OCEAN_CUDA}" "-DOCEAN_CUDA_ARCHS=${archs}" "${toolkit}")

math(EXPR next_minor "${PROJECT_VERSION_MINOR} + 1")
consumer_test(refuses_the_next_minor_version NEEDS installed COMMAND
  "${CMAKE_COMMAND}" -S "${consumer}" -B "${work}/refused" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DOCEAN_VERSION=${PROJECT_VERSION_MAJOR}.${next_minor}")
set_tests_properties(consumer.refuses_the_next_minor_version PROPERTIES
  PASS_REGULAR_EXPRESSION "requested version \"${PROJECT_VERSION_MAJOR}.${next_minor}\"")

find_program(PKG_CONFIG_EXECUTABLE pkg-config)
if(PKG_CONFIG_EXECUTABLE)
  consumer_test(pkg_config NEEDS installed COMMAND
    "${CMAKE_COMMAND}" -E env "CC=${CMAKE_C_COMPILER}" "CXX=${CMAKE_CXX_COMPILER}" "FC=${CMAKE_Fortran_COMPILER}"
    "${consumer}/pkg_config.sh" "${prefix}/${CMAKE_INSTALL_LIBDIR}" "${prefix}/${CMAKE_INSTALL_DATADIR}" "${work}/pkg_config")
endif()

# The examples: built and run as one tree, and configured one by one, as those who copy a folder do.
set(examples "${CMAKE_CURRENT_SOURCE_DIR}/examples")
file(REMOVE_RECURSE "${work}/examples")
consumer_test(examples NEEDS installed COMMAND
  "${CMAKE_CTEST_COMMAND}" --build-and-test "${examples}" "${work}/examples" --build-generator "${CMAKE_GENERATOR}"
  --build-options "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror" "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"
  --test-command "${CMAKE_CTEST_COMMAND}" --output-on-failure --no-tests=error)
file(GLOB example_projects RELATIVE "${examples}" "${examples}/*/CMakeLists.txt")
set(without_tools)
if(NOT CMAKE_Fortran_COMPILER)
  list(APPEND without_tools fortran)
endif()
if(NOT MPI_C_FOUND)
  list(APPEND without_tools mpi)
endif()
foreach(project IN LISTS example_projects)
  get_filename_component(example "${project}" DIRECTORY)
  if(NOT example IN_LIST without_tools)
    consumer_test("example_${example}_alone" NEEDS installed COMMAND
      "${CMAKE_COMMAND}" -S "${examples}/${example}" -B "${work}/example_${example}" "-DCMAKE_PREFIX_PATH=${prefix}")
  endif()
endforeach()

consumer_test(package COMMAND
  "${CMAKE_COMMAND}" "-DBUILD=${CMAKE_CURRENT_BINARY_DIR}" "-DWORK=${work}/packages" -P "${consumer}/package.cmake")
# It builds again before it packs, and would find the library half written by a test that has cargo build it too.
set_tests_properties(consumer.package PROPERTIES RUN_SERIAL TRUE)
