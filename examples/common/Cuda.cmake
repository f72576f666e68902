# SPDX-License-Identifier: MIT OR Apache-2.0
option(OCEAN_EXAMPLES_CUDA "Multiply on the GPU, with memory from the CUDA runtime" OFF)

# Where that is wanted, gives the program its memory on the GPU: see memory.h.
function(example_in_gpu_memory program)
  if(OCEAN_EXAMPLES_CUDA)
    find_package(CUDAToolkit REQUIRED)
    target_compile_definitions("${program}" PRIVATE OCEAN_EXAMPLES_CUDA)
    target_link_libraries("${program}" PRIVATE CUDA::cudart)
  endif()
endfunction()
