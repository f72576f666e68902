! SPDX-License-Identifier: MIT OR Apache-2.0
! C = A * A for arrays that OpenACC holds: use_device gives ocean the addresses where they are, and a loop of OpenACC reads
! C where ocean left it. Compiled without OpenACC, or run where it finds no GPU, everything stays on the host.
program multiply_openacc
  use, intrinsic :: iso_c_binding
  use ocean
#ifdef _OPENACC
  use openacc
#endif
  implicit none

  integer(c_int64_t), parameter :: size = 1000, entries = 3 * size - 2
  integer(c_int), parameter :: N = OCEAN_OPERATION_NON_TRANSPOSE, I = OCEAN_INDEX_32I
  integer(c_int32_t), target :: offsets(size + 1), columns(entries)
  real(c_double), target :: values(entries), one = 1
  real(c_double), pointer, contiguous :: result(:)
  real(c_double) :: total
  integer(c_int64_t) :: rows, cols, nnz
  integer(c_int) :: backend
  integer(c_int32_t) :: row, column, next
  type(c_ptr) :: handle, a, c, c_values

  next = 1  ! second differences on a line: rows -1 2 -1
  do row = 1, int(size, c_int32_t)
    offsets(row) = next
    do column = max(1, row - 1), min(int(size, c_int32_t), row + 1)
      columns(next) = column
      values(next) = merge(2, -1, column == row)
      next = next + 1
    end do
  end do
  offsets(size + 1) = next

  backend = OCEAN_BACKEND_HOST
#ifdef _OPENACC
  if (acc_get_device_type() == acc_device_nvidia) backend = OCEAN_BACKEND_CUDA
#endif
  call check(oceanCreateWithBackend(handle, backend))
  !$acc data copyin(offsets, columns, values)
  !$acc host_data use_device(offsets, columns, values)
  call check(oceanCreateCsr(a, size, size, entries, c_loc(offsets), c_loc(columns), c_loc(values), &
      I, I, OCEAN_INDEX_BASE_ONE, CUDA_R_64F))
  !$acc end host_data
  call check(oceanCreateCsr(c, size, size, 0_c_int64_t, c_null_ptr, c_null_ptr, c_null_ptr, &
      I, I, OCEAN_INDEX_BASE_ONE, CUDA_R_64F))
  call check(oceanSpGEMM(handle, N, N, c_loc(one), a, a, c_null_ptr, c_null_ptr, c, CUDA_R_64F, OCEAN_SPGEMM_DEFAULT))

  call check(oceanSpMatGetSize(c, rows, cols, nnz))
  call check(oceanSpMatGetValues(c, c_values))
  call c_f_pointer(c_values, result, [nnz])
  total = sum_of_sizes(nnz, result)
  !$acc end data
  ! Rows are 1 -4 6 -4 1; the first and the last are 5 -4 1, those beside them -4 6 -4 1.
  print '(a, i0, a, f0.1)', 'entries ', nnz, ', sum of sizes ', total
  if (nnz /= 5 * size - 6 .or. total /= 16 * size - 14) error stop 'C is wrong'

  call check(oceanDestroySpMat(c))
  call check(oceanDestroySpMat(a))
  call check(oceanDestroy(handle))

contains

  !> Of values that lie where ocean left them: deviceptr takes no pointer of Fortran's, but a dummy argument.
  function sum_of_sizes(count, values) result(total)
    integer(c_int64_t), intent(in) :: count
    real(c_double), intent(in) :: values(count)
    real(c_double) :: total
    integer(c_int64_t) :: entry
    total = 0
    !$acc parallel loop deviceptr(values) reduction(+:total)
    do entry = 1, count
      total = total + abs(values(entry))
    end do
  end function

  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status == OCEAN_STATUS_SUCCESS) return
    print '(a, i0)', 'ocean: status ', status
    error stop 1
  end subroutine

end program
