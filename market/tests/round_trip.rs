// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is written reads back as the same bits.

use ocean_market::{
    Csr, Field, Matrix, Problem, Scalar, Stage, Storage, read, read_bytes, read_with_progress, write, write_to,
};
use proptest::collection::vec;
use proptest::num::f64::{ANY, NORMAL, SUBNORMAL, ZERO};
use proptest::prelude::*;

/// A matrix with ascending rows, duplicates allowed.
fn csr<T: Scalar + std::fmt::Debug>(value: impl Strategy<Value = T> + Clone) -> impl Strategy<Value = Csr<T>> {
    (0usize..8, 1usize..8).prop_flat_map(move |(rows, cols)| {
        let row = vec((0..cols as i32, value.clone()), 0..6);
        vec(row, rows).prop_map(move |lines| {
            let mut csr = Csr { rows, cols, offsets: vec![0], columns: vec![], values: vec![] };
            for mut line in lines {
                line.sort_by_key(|entry| entry.0);
                csr.columns.extend(line.iter().map(|entry| entry.0));
                csr.values.extend(line.iter().map(|entry| entry.1));
                csr.offsets.push(csr.columns.len() as i64);
            }
            csr
        })
    })
}

fn through_text(matrix: &Matrix, field: Field) -> Matrix {
    let mut text = Vec::new();
    write_to(&mut text, matrix, field, &[]).expect("memory takes all");
    let market = read_bytes(&text, "written").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((market.header.field, market.header.storage), (field, Storage::General));
    market.matrix
}

/// Equal bits, where any NaN is as good as another.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

proptest! {
    #[test]
    fn reals(matrix in csr(ANY | NORMAL | SUBNORMAL | ZERO)) {
        let Matrix::Real(back) = through_text(&Matrix::Real(matrix.clone()), Field::Real) else { panic!("real") };
        prop_assert_eq!((&back.offsets, &back.columns), (&matrix.offsets, &matrix.columns));
        prop_assert!(back.values.iter().zip(&matrix.values).all(|(&a, &b)| same(a, b)));
        let Matrix::Complex(back) = through_text(&Matrix::Real(matrix.clone()), Field::Complex) else { panic!("complex") };
        prop_assert!(back.values.iter().zip(&matrix.values).all(|(&a, &b)| same(a.0, b) && a.1 == 0.0));
    }

    #[test]
    fn integers(matrix in csr((-(1i64 << 53)..=1 << 53).prop_map(|value| value as f64))) {
        let matrix = Matrix::Real(matrix);
        prop_assert_eq!(through_text(&matrix, Field::Integer), matrix);
    }

    #[test]
    fn complex_numbers(matrix in csr((NORMAL | ZERO, NORMAL | SUBNORMAL))) {
        let matrix = Matrix::Complex(matrix);
        prop_assert_eq!(through_text(&matrix, Field::Complex), matrix);
    }

    #[test]
    fn patterns(matrix in csr(NORMAL)) {
        let ones = Csr { values: vec![1.0; matrix.nnz()], ..matrix.clone() };
        prop_assert_eq!(through_text(&Matrix::Real(matrix), Field::Pattern), Matrix::Real(ones));
    }

    #[test]
    fn transposing_twice(matrix in csr(NORMAL)) {
        prop_assert_eq!(matrix.transpose().transpose(), matrix);
    }

    /// The order of the lines does not matter, save among duplicates.
    #[test]
    fn entries_in_any_order(matrix in csr(NORMAL), seed in any::<u64>()) {
        let mut sorted = matrix.clone();
        sorted.sum_duplicates();
        let mut text = Vec::new();
        write_to(&mut text, &Matrix::Real(sorted.clone()), Field::Real, &[]).expect("memory takes all");
        let text = String::from_utf8(text).expect("ASCII");
        let mut lines: Vec<&str> = text.lines().collect();
        for i in (3..lines.len()).rev() {
            let mixed = seed.wrapping_mul(6_364_136_223_846_793_005).rotate_left(i as u32 % 64);
            lines.swap(i, 2 + (mixed % (i as u64 - 1)) as usize);
        }
        let back = read_bytes(lines.join("\n").as_bytes(), "shuffled").expect("sound").matrix;
        prop_assert_eq!(back, Matrix::Real(sorted));
    }
}

fn small() -> Matrix {
    let values = vec![1.0, -0.5, 1e300, 2e-9];
    Matrix::Real(Csr { rows: 2, cols: 3, offsets: vec![0, 1, 4], columns: vec![2, 0, 1, 2], values })
}

#[test]
fn digits_are_the_shortest() {
    let mut text = Vec::new();
    write_to(&mut text, &small(), Field::Real, &[" two lines\n below the banner"]).expect("memory takes all");
    let expected = "%%MatrixMarket matrix coordinate real general\n% two lines\n% below the banner\n\
                    2 3 4\n1 3 1\n2 1 -0.5\n2 2 1e300\n2 3 2e-9\n";
    assert_eq!(String::from_utf8(text).expect("ASCII"), expected);
}

#[test]
fn a_value_that_does_not_fit_the_field_is_named_and_no_file_is_made() {
    let path = std::env::temp_dir().join(format!("ocean_market_{}_refused.mtx", std::process::id()));
    let error = write(&path, &small(), Field::Integer, &[]).expect_err("-0.5 is no integer");
    assert!(error.to_string().ends_with("entry (2, 1) = -0.5 cannot be written as integer"), "{error}");
    assert!(!path.exists());

    let complex =
        Matrix::Complex(Csr { rows: 1, cols: 1, offsets: vec![0, 1], columns: vec![0], values: vec![(1.0, 0.0)] });
    let problem = write_to(Vec::new(), &complex, Field::Real, &[]).expect_err("complex");
    assert!(matches!(problem, Problem::Unwritable { row: 1, col: 1, .. }));
}

#[test]
fn files_are_gzipped_by_name_and_progress_ends_complete() {
    for (name, gzipped) in [("plain.mtx", false), ("zipped.mtx.gz", true)] {
        let path = std::env::temp_dir().join(format!("ocean_market_{}_{name}", std::process::id()));
        write(&path, &small(), Field::Real, &["made by a test"]).expect("the folder for temporary files takes it");
        let bytes = std::fs::read(&path).expect("just written");
        assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), gzipped);

        let mut seen = Vec::new();
        let market = read_with_progress(&path, &mut |progress| seen.push(progress)).expect("just written");
        assert_eq!(market, read(&path).expect("just written"));
        assert_eq!(market.matrix, small());
        assert_eq!(market.header.comments, ["made by a test"]);
        for stage in [Stage::Inflate, Stage::Parse] {
            let last = seen.iter().rfind(|progress| progress.stage == stage);
            assert_eq!(last.is_some(), gzipped || stage == Stage::Parse);
            assert!(last.is_none_or(|last| last.done == last.total && last.total > 0), "{last:?}");
        }
        std::fs::remove_file(&path).expect("just written");
    }
    let error = write("/no/such/folder/a.mtx", &small(), Field::Real, &[]).expect_err("no folder");
    assert!(error.to_string().starts_with("/no/such/folder/a.mtx: "), "{error}");
}
