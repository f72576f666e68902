# SPDX-License-Identifier: MIT OR Apache-2.0
#
# The targets that a program links to, for the source tree and for the installed package alike:
#
#   Ocean::ocean         the shared library
#   Ocean::ocean_static  the static one; only where the CUDA runtime that it needs is found
#   Ocean::fortran       the Fortran modules and the shared library; only where Fortran is enabled
#   Ocean::cusparse      the interposer, to be linked before cuSPARSE
#   Ocean::mpi           libocean_mpi.so, built with the project's own MPI; only where find_package(MPI) came before

# ocean_add_targets(SHARED file STATIC file CUSPARSE file INCLUDE dir FORTRAN dir MPI file SOVERSION number CUDA bool)
function(ocean_add_targets)
  cmake_parse_arguments(arg "" "SHARED;STATIC;CUSPARSE;INCLUDE;FORTRAN;MPI;SOVERSION;CUDA" "" ${ARGN})

  if(NOT TARGET Ocean::ocean)
    add_library(Ocean::ocean SHARED IMPORTED GLOBAL)
    set_target_properties(Ocean::ocean PROPERTIES
      IMPORTED_LOCATION "${arg_SHARED}"
      IMPORTED_SONAME "libocean.so.${arg_SOVERSION}"
      INTERFACE_INCLUDE_DIRECTORIES "${arg_INCLUDE}")
  endif()

  # Opens the shared library at run time, from beside itself. Not so much as a header: its interface is cuSPARSE's.
  if(NOT TARGET Ocean::cusparse)
    add_library(Ocean::cusparse SHARED IMPORTED GLOBAL)
    set_target_properties(Ocean::cusparse PROPERTIES
      IMPORTED_LOCATION "${arg_CUSPARSE}"
      IMPORTED_SONAME libocean_cusparse.so)
  endif()

  _ocean_static_dependencies(dependencies "${arg_CUDA}")
  if(dependencies AND NOT TARGET Ocean::ocean_static)
    add_library(Ocean::ocean_static STATIC IMPORTED GLOBAL)
    set_target_properties(Ocean::ocean_static PROPERTIES
      IMPORTED_LOCATION "${arg_STATIC}"
      IMPORTED_LINK_INTERFACE_LANGUAGES C
      INTERFACE_INCLUDE_DIRECTORIES "${arg_INCLUDE}"
      INTERFACE_LINK_LIBRARIES "${dependencies}")
  endif()

  # A .mod file belongs to one compiler, so the user's own compiles the module.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("Fortran" IN_LIST languages AND EXISTS "${arg_FORTRAN}/ocean.f90" AND NOT TARGET Ocean::fortran)
    set(modules "${CMAKE_CURRENT_BINARY_DIR}/ocean_fortran_modules")
    add_library(ocean_fortran OBJECT "${arg_FORTRAN}/ocean.f90" "${arg_FORTRAN}/ocean_dist.f90")
    set_target_properties(ocean_fortran PROPERTIES
      Fortran_MODULE_DIRECTORY "${modules}" POSITION_INDEPENDENT_CODE ON)
    target_include_directories(ocean_fortran INTERFACE "${modules}")
    target_link_libraries(ocean_fortran PUBLIC Ocean::ocean)
    add_library(Ocean::fortran ALIAS ocean_fortran)
  endif()

  # Handles of MPI differ from one MPI to the next, so this too is compiled by the user's own. Programs need not link it:
  # the library opens it at run time, by OCEAN_MPI_SHIM or from beside itself.
  if(TARGET MPI::MPI_C AND EXISTS "${arg_MPI}" AND NOT TARGET Ocean::mpi)
    add_library(ocean_mpi SHARED "${arg_MPI}")
    target_link_libraries(ocean_mpi PRIVATE MPI::MPI_C)
    add_library(Ocean::mpi ALIAS ocean_mpi)
  endif()
endfunction()

# What a program that takes in libocean.a links besides; empty if the CUDA runtime is not found. The archive leaves
# that out, so that a program which uses CUDA itself has one copy of it.
function(_ocean_static_dependencies result cuda)
  set(libraries gcc_s util rt pthread m dl c)
  if(cuda)
    find_package(CUDAToolkit QUIET)
    if(TARGET CUDA::cudart_static)
      set(cudart CUDA::cudart_static)
    else()
      find_library(Ocean_CUDART_STATIC cudart_static
        HINTS "${CUDAToolkit_ROOT}" ENV CUDA_HOME ENV CUDA_PATH
        PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib targets/sbsa-linux/lib)
      mark_as_advanced(Ocean_CUDART_STATIC)
      set(cudart "${Ocean_CUDART_STATIC}")
    endif()
    if(NOT cudart)
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
    list(PREPEND libraries "${cudart}" stdc++)
  endif()
  set(${result} "${libraries}" PARENT_SCOPE)
endfunction()
