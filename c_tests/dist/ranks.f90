! SPDX-License-Identifier: MIT OR Apache-2.0
!
! An MPI program in Fortran: the product of a tridiagonal matrix with itself over the ranks that mpirun starts, bit for bit
! that of a serial loop. Each rank that comes to its end leaves a file in the folder that is its argument.
program ranks
  use mpi
  use ocean_dist
  implicit none

  integer, parameter :: n = 50
  integer :: level, ierror, file
  integer(c_int) :: rank, size, per_node
  type(c_ptr) :: dist, options, a, c
  character(len=1024) :: folder, name

  dist = c_null_ptr
  options = c_null_ptr
  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, ierror)
  call check(oceanDistCreateOptions(options), "options")
  call check(oceanDistSetTimeout(options, 30.0_c_double), "timeout")
  call check(oceanDistSetAlgorithm(options, OCEAN_DIST_TRIDENT), "algorithm")
  call check(oceanDistCreateFortran(dist, c_null_ptr, int(MPI_COMM_WORLD, c_int), options), "dist")
  call check(oceanDistGetRank(dist, rank, size, per_node), "rank")

  call put(a)
  c = c_null_ptr
  call check(oceanDistSpGEMM(dist, a, a, options, c), "product")
  call compare(c)
  call refuse(a)

  call check(oceanDistDestroyMat(c), "C")
  call check(oceanDistDestroyMat(a), "A")
  call check(oceanDistDestroyOptions(options), "options")
  call check(oceanDistDestroy(dist), "dist")
  call MPI_Finalize(ierror)

  call get_command_argument(1, folder)
  write (name, "(a,a,i0)") trim(folder), "/", rank
  open (newunit=file, file=trim(name), status="new")
  close (file)

contains

  subroutine check(status, what)
    integer(c_int), intent(in) :: status
    character(len=*), intent(in) :: what
    integer :: code
    if (status == OCEAN_STATUS_SUCCESS) return
    print *, what, ": ", message()
    call MPI_Abort(MPI_COMM_WORLD, 1, code)
  end subroutine

  function message() result(text)
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i
    call c_f_pointer(oceanGetLastErrorString(), letters, [1000])
    text = ""
    do i = 1, 1000
      if (letters(i) == c_null_char) exit
      text = text // letters(i)
    end do
  end function

  integer function first_row(of)
    integer, intent(in) :: of
    first_row = n * of / size
  end function

  real(c_double) function entry_of(i, j)
    integer, intent(in) :: i, j
    entry_of = 0
    if (i == j) entry_of = 2 + 0.1_c_double * i
    if (abs(i - j) == 1) entry_of = -1 / real(i + j, c_double)
  end function

  subroutine put(mat)
    type(c_ptr), intent(out) :: mat
    integer(c_int), target :: offsets(n + 1), columns(3 * n)
    real(c_double), target :: values(3 * n)
    integer :: i, j, at, rows
    at = 1
    rows = 0
    do i = first_row(rank) + 1, first_row(rank + 1)
      rows = rows + 1
      offsets(rows) = at
      do j = max(1, i - 1), min(n, i + 1)
        columns(at) = j
        values(at) = entry_of(i, j)
        at = at + 1
      end do
    end do
    offsets(rows + 1) = at
    mat = c_null_ptr
    call check(oceanDistCreateMatRows(dist, mat, int(n, c_int64_t), int(n, c_int64_t), &
      int(first_row(rank), c_int64_t), int(rows, c_int64_t), c_loc(offsets), c_loc(columns), c_loc(values), &
      OCEAN_INDEX_32I, OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ONE, CUDA_R_64F), "A")
  end subroutine

  ! Each entry is the sum of its products by ascending column of A, each operation rounded.
  subroutine compare(mat)
    type(c_ptr), intent(in) :: mat
    integer(c_int64_t) :: first, rows, nnz
    integer(c_int64_t), allocatable, target :: offsets(:)
    integer(c_int), allocatable, target :: columns(:)
    real(c_double), allocatable, target :: values(:)
    real(c_double) :: want
    real(c_double), volatile :: term
    integer :: i, j, k, code
    integer(c_int64_t) :: at
    call check(oceanDistMatGetRows(mat, first, rows, nnz), "rows")
    allocate (offsets(rows + 1), columns(nnz + 1), values(nnz + 1))
    call check(oceanDistMatCopyRows(mat, c_loc(offsets), c_loc(columns), c_loc(values), OCEAN_INDEX_64I, &
      OCEAN_INDEX_32I, OCEAN_INDEX_BASE_ONE), "copy")
    at = 1
    do i = int(first) + 1, int(first + rows)
      do j = max(1, i - 2), min(n, i + 2)
        want = 0
        do k = max(1, i - 1, j - 1), min(n, i + 1, j + 1)
          term = entry_of(i, k) * entry_of(k, j)
          if (k == max(1, i - 1, j - 1)) then
            want = term
          else
            want = want + term
          end if
        end do
        if (columns(at) /= j .or. transfer(values(at), 1_c_int64_t) /= transfer(want, 1_c_int64_t)) then
          print *, "C(", i, ",", j, ") is ", values(at), " in column ", columns(at), ", not ", want
          call MPI_Abort(MPI_COMM_WORLD, 1, code)
        end if
        at = at + 1
      end do
    end do
    if (at /= nnz + 1) call MPI_Abort(MPI_COMM_WORLD, 1, code)
  end subroutine

  subroutine refuse(mat)
    type(c_ptr), intent(in) :: mat
    type(c_ptr) :: wrong
    integer(c_int) :: status
    integer :: code
    wrong = c_null_ptr
    status = oceanDistSpGEMM(dist, mat, c_null_ptr, options, wrong)
    if (status /= OCEAN_STATUS_INVALID_VALUE .or. index(message(), "rank 0: matB is NULL") /= 1) then
      print *, message()
      call MPI_Abort(MPI_COMM_WORLD, 1, code)
    end if
  end subroutine

end program
