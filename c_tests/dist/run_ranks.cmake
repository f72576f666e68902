# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Runs PROGRAM on RANKS ranks; each has to end well and to leave a file in FOLDER: what mpirun prints is mixed within lines.
#
#   cmake -DMPIEXEC=mpirun -DRANKS=3 -DPROGRAM=ranks -DFOLDER=ends -DSHIM=libocean_mpi.so -P run_ranks.cmake
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(ENV{OCEAN_MPI_SHIM} "${SHIM}")
set(ENV{RAYON_NUM_THREADS} 1)
# OpenMPI: more ranks than cores, as root in a container, over the one interface that reaches itself.
foreach(setting rmaps_base_oversubscribe=1 mpi_yield_when_idle=1 btl_tcp_if_include=lo oob_tcp_if_include=lo)
  string(REPLACE "=" ";" setting "${setting}")
  list(GET setting 0 name)
  list(GET setting 1 value)
  set(ENV{OMPI_MCA_${name}} "${value}")
endforeach()
set(ENV{OMPI_ALLOW_RUN_AS_ROOT} 1)
set(ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} 1)
execute_process(COMMAND "${MPIEXEC}" -n ${RANKS} "${PROGRAM}" "${FOLDER}" RESULT_VARIABLE result TIMEOUT 100)
file(GLOB ends "${FOLDER}/*")
list(LENGTH ends ended)
if(NOT result EQUAL 0 OR NOT ended EQUAL RANKS)
  message(FATAL_ERROR "mpirun ended with ${result}, and ${ended} of ${RANKS} ranks came to their end")
endif()
