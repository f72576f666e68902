! SPDX-License-Identifier: MIT OR Apache-2.0
! C = A * B by the staged calls, in Fortran's own counting from 1.
program multiply
  use, intrinsic :: iso_c_binding
  use ocean
  implicit none

  integer(c_int), target :: a_offsets(5) = [1, 4, 5, 8, 10]
  integer(c_int), target :: a_columns(9) = [1, 3, 4, 2, 1, 3, 4, 2, 4]
  real(c_float), target :: a_values(9) = [1., 2., 3., 4., 5., 6., 7., 8., 9.]
  integer(c_int), target :: b_offsets(5) = [1, 3, 5, 8, 9]
  integer(c_int), target :: b_columns(8) = [1, 4, 2, 4, 1, 2, 3, 2]
  real(c_float), target :: b_values(8) = [1., 2., 3., 4., 5., 6., 7., 8.]
  integer(c_int), parameter :: expected_offsets(5) = [1, 5, 7, 11, 13]
  integer(c_int), parameter :: expected_columns(12) = [1, 2, 3, 4, 2, 4, 1, 2, 3, 4, 2, 4]
  real(c_float), parameter :: expected_values(12) = [11., 36., 14., 2., 12., 16., 35., 92., 42., 10., 96., 32.]

  integer(c_int), parameter :: plain = OCEAN_OPERATION_NON_TRANSPOSE
  integer(c_int), parameter :: algorithm = OCEAN_SPGEMM_DEFAULT
  real(c_float), target :: one = 1., zero = 0.
  integer(c_int), target :: c_offsets(5)
  integer(c_int), allocatable, target :: c_columns(:)
  real(c_float), allocatable, target :: c_values(:)
  integer(c_int8_t), allocatable, target :: buffer1(:), buffer2(:)
  type(c_ptr) :: handle, a, b, c, descr
  integer(c_size_t) :: bytes1, bytes2
  integer(c_int64_t) :: rows, columns, entries

  call check(oceanCreateWithBackend(handle, OCEAN_BACKEND_HOST), "oceanCreateWithBackend")
  call create(a, 9, c_loc(a_offsets), c_loc(a_columns), c_loc(a_values))
  call create(b, 8, c_loc(b_offsets), c_loc(b_columns), c_loc(b_values))
  call create(c, 0, c_loc(c_offsets), c_null_ptr, c_null_ptr)
  call check(oceanSpGEMM_createDescr(descr), "createDescr")

  bytes1 = 0
  call check(oceanSpGEMM_workEstimation(handle, plain, plain, c_loc(one), a, b, c_loc(zero), c, CUDA_R_32F, &
      algorithm, descr, bytes1, c_null_ptr), "workEstimation, query")
  allocate(buffer1(bytes1))
  call check(oceanSpGEMM_workEstimation(handle, plain, plain, c_loc(one), a, b, c_loc(zero), c, CUDA_R_32F, &
      algorithm, descr, bytes1, c_loc(buffer1)), "workEstimation")
  bytes2 = 0
  call check(oceanSpGEMM_compute(handle, plain, plain, c_loc(one), a, b, c_loc(zero), c, CUDA_R_32F, &
      algorithm, descr, bytes2, c_null_ptr), "compute, query")
  allocate(buffer2(bytes2))
  call check(oceanSpGEMM_compute(handle, plain, plain, c_loc(one), a, b, c_loc(zero), c, CUDA_R_32F, &
      algorithm, descr, bytes2, c_loc(buffer2)), "compute")

  call check(oceanSpMatGetSize(c, rows, columns, entries), "oceanSpMatGetSize")
  if (entries /= 12) error stop "C has the wrong number of entries"
  allocate(c_columns(entries), c_values(entries))
  call check(oceanCsrSetPointers(c, c_loc(c_offsets), c_loc(c_columns), c_loc(c_values)), "oceanCsrSetPointers")
  call check(oceanSpGEMM_copy(handle, plain, plain, c_loc(one), a, b, c_loc(zero), c, CUDA_R_32F, &
      algorithm, descr), "copy")

  if (any(c_offsets /= expected_offsets)) error stop "C's row offsets are wrong"
  if (any(c_columns /= expected_columns)) error stop "C's columns are wrong"
  if (any(c_values /= expected_values)) error stop "C's values are wrong"

  call check(oceanSpGEMM_destroyDescr(descr), "destroyDescr")
  call check(oceanDestroySpMat(a), "oceanDestroySpMat")
  call check(oceanDestroySpMat(b), "oceanDestroySpMat")
  call check(oceanDestroySpMat(c), "oceanDestroySpMat")
  call check(oceanDestroy(handle), "oceanDestroy")
  print '(a)', "Fortran: multiplied"

contains

  subroutine create(matrix, entries, offsets, columns, values)
    type(c_ptr), intent(out) :: matrix
    integer, intent(in) :: entries
    type(c_ptr), intent(in) :: offsets, columns, values
    call check(oceanCreateCsr(matrix, 4_c_int64_t, 4_c_int64_t, int(entries, c_int64_t), offsets, columns, values, &
        OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ONE, CUDA_R_32F), "oceanCreateCsr")
  end subroutine

  subroutine check(status, what)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: what
    if (status == OCEAN_STATUS_SUCCESS) return
    print '(a, ": status ", i0)', what, status
    error stop 1
  end subroutine

end program multiply
