! SPDX-License-Identifier: MIT OR Apache-2.0
program multiply  ! C = A * A for A = [2 1; 0 3], in Fortran's counting from 1
  use, intrinsic :: iso_c_binding
  use ocean
  implicit none

  integer(c_int32_t), target :: offsets(3) = [1, 3, 4], columns(3) = [1, 2, 2]
  real(c_double), target :: values(3) = [2, 1, 3], one = 1
  real(c_double), pointer :: result(:)
  integer(c_int), parameter :: N = OCEAN_OPERATION_NON_TRANSPOSE, I = OCEAN_INDEX_32I
  integer(c_int64_t) :: rows, cols, nnz
  type(c_ptr) :: handle, a, c, c_values

  call check(oceanCreateWithBackend(handle, OCEAN_BACKEND_HOST))
  call check(oceanCreateCsr(a, 2_c_int64_t, 2_c_int64_t, 3_c_int64_t, c_loc(offsets), c_loc(columns), c_loc(values), &
      I, I, OCEAN_INDEX_BASE_ONE, CUDA_R_64F))
  call check(oceanCreateCsr(c, 2_c_int64_t, 2_c_int64_t, 0_c_int64_t, c_null_ptr, c_null_ptr, c_null_ptr, &
      I, I, OCEAN_INDEX_BASE_ONE, CUDA_R_64F))
  call check(oceanSpGEMM(handle, N, N, c_loc(one), a, a, c_null_ptr, c_null_ptr, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT))

  call check(oceanSpMatGetSize(c, rows, cols, nnz))
  call check(oceanSpMatGetValues(c, c_values))
  call c_f_pointer(c_values, result, [nnz])
  print '(*(g0, 1x))', int(result)  ! 4 5 9

  call check(oceanDestroySpMat(c))  ! gives C's arrays back
  call check(oceanDestroySpMat(a))
  call check(oceanDestroy(handle))

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    character(len=1, kind=c_char), pointer :: text(:)
    integer :: length
    if (status == OCEAN_STATUS_SUCCESS) return
    call c_f_pointer(oceanGetLastErrorString(), text, [4096])
    length = 0
    do while (text(length + 1) /= c_null_char)
      length = length + 1
    end do
    print '(*(a))', text(:length)
    error stop 1
  end subroutine

end program
