! SPDX-License-Identifier: MIT OR Apache-2.0
! C = A * A for arrays from cudaMalloc, by three functions of the CUDA runtime and iso_c_binding alone.
module cuda_memory
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: cudaMemcpyDefault = 4

  interface
    function cudaMalloc(pointer, bytes) bind(c, name="cudaMalloc")
      import
      type(c_ptr), intent(out) :: pointer
      integer(c_size_t), value :: bytes
      integer(c_int) :: cudaMalloc
    end function
    function cudaMemcpy(to, from, bytes, kind) bind(c, name="cudaMemcpy")
      import
      type(c_ptr), value :: to, from
      integer(c_size_t), value :: bytes
      integer(c_int), value :: kind
      integer(c_int) :: cudaMemcpy
    end function
    function cudaFree(pointer) bind(c, name="cudaFree")
      import
      type(c_ptr), value :: pointer
      integer(c_int) :: cudaFree
    end function
  end interface

contains

  !> A copy on the device of `bytes` at `host`.
  function device_copy_of(host, bytes) result(device)
    type(c_ptr), intent(in) :: host
    integer(c_size_t), intent(in) :: bytes
    type(c_ptr) :: device
    if (cudaMalloc(device, bytes) /= 0) error stop 'cudaMalloc failed'
    if (cudaMemcpy(device, host, bytes, cudaMemcpyDefault) /= 0) error stop 'cudaMemcpy failed'
  end function

end module

program multiply_cuda
  use, intrinsic :: iso_c_binding
  use cuda_memory
  use ocean
  implicit none

  integer(c_int32_t), target :: offsets(3) = [1, 3, 4], columns(3) = [1, 2, 2]  ! A = [2 1; 0 3]
  real(c_double), target :: values(3) = [2, 1, 3], one = 1
  real(c_double), allocatable, target :: result(:)
  integer(c_int), parameter :: N = OCEAN_OPERATION_NON_TRANSPOSE, I = OCEAN_INDEX_32I
  integer(c_int64_t) :: rows, cols, nnz
  type(c_ptr) :: handle, a, c, c_values, d_offsets, d_columns, d_values

  d_offsets = device_copy_of(c_loc(offsets), c_sizeof(offsets))
  d_columns = device_copy_of(c_loc(columns), c_sizeof(columns))
  d_values = device_copy_of(c_loc(values), c_sizeof(values))

  call check(oceanCreateWithBackend(handle, OCEAN_BACKEND_CUDA))
  call check(oceanCreateCsr(a, 2_c_int64_t, 2_c_int64_t, 3_c_int64_t, d_offsets, d_columns, d_values, &
      I, I, OCEAN_INDEX_BASE_ONE, CUDA_R_64F))
  call check(oceanCreateCsr(c, 2_c_int64_t, 2_c_int64_t, 0_c_int64_t, c_null_ptr, c_null_ptr, c_null_ptr, &
      I, I, OCEAN_INDEX_BASE_ONE, CUDA_R_64F))
  call check(oceanSpGEMM(handle, N, N, c_loc(one), a, a, c_null_ptr, c_null_ptr, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT))

  call check(oceanSpMatGetSize(c, rows, cols, nnz))
  call check(oceanSpMatGetValues(c, c_values))  ! on the device, as all of C
  allocate (result(nnz))
  if (cudaMemcpy(c_loc(result), c_values, nnz * c_sizeof(one), cudaMemcpyDefault) /= 0) error stop 'cudaMemcpy failed'
  print '(*(g0, 1x))', int(result)  ! 4 5 9

  call check(oceanDestroySpMat(c))
  call check(oceanDestroySpMat(a))
  call check(oceanDestroy(handle))
  if (cudaFree(d_offsets) /= 0 .or. cudaFree(d_columns) /= 0 .or. cudaFree(d_values) /= 0) error stop 'cudaFree failed'

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status == OCEAN_STATUS_SUCCESS) return
    print '(a, i0)', 'ocean: status ', status
    error stop 1
  end subroutine

end program
