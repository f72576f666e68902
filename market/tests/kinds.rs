// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every kind of header, by hand: the matrix that each file means.

use ocean_market::{Csr, Field, Layout, Market, Matrix, Problem, Storage, read_bytes};

fn read(text: &str) -> Market {
    read_bytes(text.as_bytes(), "test.mtx").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn real(text: &str) -> Csr<f64> {
    match read(text).matrix {
        Matrix::Real(csr) => csr,
        Matrix::Complex(_) => panic!("not real: {text}"),
    }
}

fn complex(text: &str) -> Csr<(f64, f64)> {
    match read(text).matrix {
        Matrix::Complex(csr) => csr,
        Matrix::Real(_) => panic!("not complex: {text}"),
    }
}

fn csr<T: Clone>(rows: usize, cols: usize, offsets: &[i64], columns: &[i32], values: &[T]) -> Csr<T> {
    Csr { rows, cols, offsets: offsets.to_vec(), columns: columns.to_vec(), values: values.to_vec() }
}

#[test]
fn coordinate_real_general_is_sorted_into_rows() {
    let text = "%%MatrixMarket matrix coordinate real general\n3 4 5\n3 2 -5e-1\n1 4 2.25\n3 1 +4\n1 1 .5\n3 4 0\n";
    assert_eq!(real(text), csr(3, 4, &[0, 2, 2, 5], &[0, 3, 0, 1, 3], &[0.5, 2.25, 4.0, -0.5, 0.0]));
    assert_eq!(real(text).explicit_zeros(), 1, "a stored zero is an entry");
}

#[test]
fn coordinate_real_symmetric_mirrors_below_the_diagonal() {
    let text = "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 2 3\n3 3 4\n";
    assert_eq!(real(text), csr(3, 3, &[0, 2, 4, 6], &[0, 1, 0, 2, 1, 2], &[1.0, 2.0, 2.0, 3.0, 3.0, 4.0]));
}

#[test]
fn coordinate_real_skew_symmetric_mirrors_the_negative() {
    let text = "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n3 2 -6\n";
    assert_eq!(real(text), csr(3, 3, &[0, 1, 3, 4], &[1, 0, 2, 1], &[-5.0, 5.0, 6.0, -6.0]));
}

#[test]
fn coordinate_integer_of_each_storage() {
    let head = "%%MatrixMarket matrix coordinate integer";
    let general = real(&format!("{head} general\n2 2 2\n1 2 -7\n2 1 9007199254740992\n"));
    assert_eq!(general, csr(2, 2, &[0, 1, 2], &[1, 0], &[-7.0, 9_007_199_254_740_992.0]));
    let symmetric = real(&format!("{head} symmetric\n2 2 1\n2 1 +3\n"));
    assert_eq!(symmetric, csr(2, 2, &[0, 1, 2], &[1, 0], &[3.0, 3.0]));
    let skew = real(&format!("{head} skew-symmetric\n2 2 1\n2 1 3\n"));
    assert_eq!(skew, csr(2, 2, &[0, 1, 2], &[1, 0], &[-3.0, 3.0]));
}

#[test]
fn coordinate_pattern_counts_as_one() {
    let head = "%%MatrixMarket matrix coordinate pattern";
    let general = real(&format!("{head} general\n2 3 2\n2 3\n1 1\n"));
    assert_eq!(general, csr(2, 3, &[0, 1, 2], &[0, 2], &[1.0, 1.0]));
    let symmetric = real(&format!("{head} symmetric\n2 2 2\n2 1\n2 2\n"));
    assert_eq!(symmetric, csr(2, 2, &[0, 1, 3], &[1, 0, 1], &[1.0, 1.0, 1.0]));
}

#[test]
fn coordinate_complex_of_each_storage() {
    let head = "%%MatrixMarket matrix coordinate complex";
    let body = "2 2 2\n1 1 4 0\n2 1 1 -2\n";
    let general = complex(&format!("{head} general\n{body}"));
    assert_eq!(general, csr(2, 2, &[0, 1, 2], &[0, 0], &[(4.0, 0.0), (1.0, -2.0)]));
    let symmetric = complex(&format!("{head} symmetric\n{body}"));
    assert_eq!(symmetric, csr(2, 2, &[0, 2, 3], &[0, 1, 0], &[(4.0, 0.0), (1.0, -2.0), (1.0, -2.0)]));
    let hermitian = complex(&format!("{head} hermitian\n{body}"));
    assert_eq!(hermitian, csr(2, 2, &[0, 2, 3], &[0, 1, 0], &[(4.0, 0.0), (1.0, 2.0), (1.0, -2.0)]));
    let skew = complex(&format!("{head} skew-symmetric\n2 2 1\n2 1 1 -2\n"));
    assert_eq!(skew, csr(2, 2, &[0, 1, 2], &[1, 0], &[(-1.0, 2.0), (1.0, -2.0)]));
}

#[test]
fn array_real_goes_column_by_column_and_keeps_zeros() {
    let head = "%%MatrixMarket matrix array real";
    let general = real(&format!("{head} general\n2 3\n1\n2\n3\n0\n5\n6\n"));
    assert_eq!(general, csr(2, 3, &[0, 3, 6], &[0, 1, 2, 0, 1, 2], &[1.0, 3.0, 5.0, 2.0, 0.0, 6.0]));
    let symmetric = real(&format!("{head} symmetric\n2 2\n1\n2\n3\n"));
    assert_eq!(symmetric, csr(2, 2, &[0, 2, 4], &[0, 1, 0, 1], &[1.0, 2.0, 2.0, 3.0]));
    let skew = real(&format!("{head} skew-symmetric\n3 3\n1\n2\n3\n"));
    let expected = csr(3, 3, &[0, 2, 4, 6], &[1, 2, 0, 2, 0, 1], &[-1.0, -2.0, 1.0, -3.0, 2.0, 3.0]);
    assert_eq!(skew, expected);
}

#[test]
fn array_integer_and_complex_of_each_storage() {
    let integer = real("%%MatrixMarket matrix array integer general\n1 2\n-1\n2\n");
    assert_eq!(integer, csr(1, 2, &[0, 2], &[0, 1], &[-1.0, 2.0]));
    let symmetric = real("%%MatrixMarket matrix array integer symmetric\n1 1\n3\n");
    assert_eq!(symmetric, csr(1, 1, &[0, 1], &[0], &[3.0]));
    let skew = real("%%MatrixMarket matrix array integer skew-symmetric\n1 1\n");
    assert_eq!(skew, csr(1, 1, &[0, 0], &[], &[]));

    let head = "%%MatrixMarket matrix array complex";
    let body = "2 2\n1 0\n2 3\n4 0\n";
    let general = complex(&format!("{head} general\n1 2\n1 2\n3 4\n"));
    assert_eq!(general, csr(1, 2, &[0, 2], &[0, 1], &[(1.0, 2.0), (3.0, 4.0)]));
    let symmetric = complex(&format!("{head} symmetric\n{body}"));
    let (first, last) = ((1.0, 0.0), (4.0, 0.0));
    assert_eq!(symmetric, csr(2, 2, &[0, 2, 4], &[0, 1, 0, 1], &[first, (2.0, 3.0), (2.0, 3.0), last]));
    let hermitian = complex(&format!("{head} hermitian\n{body}"));
    assert_eq!(hermitian, csr(2, 2, &[0, 2, 4], &[0, 1, 0, 1], &[first, (2.0, -3.0), (2.0, 3.0), last]));
    let skew = complex(&format!("{head} skew-symmetric\n2 2\n1 2\n"));
    assert_eq!(skew, csr(2, 2, &[0, 1, 2], &[1, 0], &[(-1.0, -2.0), (1.0, 2.0)]));
}

#[test]
fn duplicates_stay_in_stored_order_until_summed() {
    let text = "%%MatrixMarket matrix coordinate real symmetric\n2 2 4\n2 1 3\n2 1 1\n1 1 9\n2 1 2\n";
    let mut csr = real(text);
    assert_eq!(csr.offsets, [0, 4, 7]);
    assert_eq!(csr.columns, [0, 1, 1, 1, 0, 0, 0]);
    assert_eq!(csr.values, [9.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0]);
    csr.sum_duplicates();
    assert_eq!(csr.values, [9.0, 6.0, 6.0]);
}

#[test]
fn the_header_says_what_the_file_said() {
    let text = "%%MatrixMarket MATRIX Coordinate REAL Symmetric \r\n% one\r\n\r\n%%two\r\n%\r\n\r\n2 2 1\r\n\r\n 2\t1  3 \r\n\r\n";
    let header = read(text).header;
    assert_eq!((header.layout, header.field, header.storage), (Layout::Coordinate, Field::Real, Storage::Symmetric));
    assert_eq!((header.rows, header.cols, header.stored), (2, 2, 1));
    assert_eq!(header.comments, [" one", "%two", ""]);
}

#[test]
fn numbers_are_what_rust_parses() {
    let text = "%%MatrixMarket matrix array real general\n6 1\nNaN\ninf\n-Infinity\n1e400\n5e-324\n-0\n";
    let values = real(text).values;
    assert!(values[0].is_nan());
    assert_eq!(values[1..5], [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::from_bits(1)]);
    assert_eq!(values[5].to_bits(), (-0.0f64).to_bits());
}

#[test]
fn empty_shapes_are_matrices() {
    for (rows, cols) in [(0, 0), (0, 5), (5, 0), (3, 3)] {
        let csr = real(&format!("%%MatrixMarket matrix coordinate real general\n{rows} {cols} 0\n"));
        assert_eq!((csr.rows, csr.cols, csr.nnz()), (rows, cols, 0));
        assert_eq!(csr.offsets, vec![0; rows + 1]);
    }
    let csr = real("%%MatrixMarket matrix array real general\n0 7"); // and no last line break
    assert_eq!((csr.rows, csr.cols, csr.nnz()), (0, 7, 0));
}

#[test]
fn the_last_column_of_the_widest_matrix_can_be_named() {
    let csr = real("%%MatrixMarket matrix coordinate pattern general\n1 2147483647 1\n1 2147483647\n");
    assert_eq!(csr.columns, [i32::MAX - 1]);
    let wider = b"%%MatrixMarket matrix coordinate pattern general\n1 2147483648 0\n";
    let error = read_bytes(wider, "wide.mtx").expect_err("no 32-bit index for the last column");
    assert!(matches!(error.problem, Problem::TooLarge { what: "columns", value: 2_147_483_648, .. }), "{error}");
}
