// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Matrix Market reader: it gives a matrix by the rules of CSR that survives being written, or says what is wrong
//! and in which line.

use ocean_market::{Csr, Field, Matrix, Problem, Scalar, read_bytes, write_to};

/// Any bytes are a file.
pub fn run(bytes: &[u8]) {
    let market = match read_bytes(bytes, "file") {
        Ok(market) => market,
        Err(error) => {
            let no_line = matches!(error.problem, Problem::Gzip(_) | Problem::Bomb { .. } | Problem::Memory { .. });
            assert!(no_line || error.line.is_some_and(|line| line > 0), "{error}");
            assert!(error.to_string().len() < 1_000);
            return;
        }
    };
    let field = match &market.matrix {
        Matrix::Real(csr) => {
            check(csr);
            Field::Real
        }
        Matrix::Complex(csr) => {
            check(csr);
            Field::Complex
        }
    };
    let mut text = vec![];
    write_to(&mut text, &market.matrix, field, &[]).expect("memory takes all");
    let again = read_bytes(&text, "again").expect("what was written can be read");
    assert_eq!(format!("{:?}", again.matrix), format!("{:?}", market.matrix), "bits change on the way out and in");
}

fn check<V: Scalar>(csr: &Csr<V>) {
    assert_eq!((csr.offsets.len(), csr.offsets[0]), (csr.rows + 1, 0));
    assert_eq!(csr.offsets[csr.rows] as usize, csr.columns.len());
    assert_eq!(csr.columns.len(), csr.values.len());
    assert!(csr.offsets.is_sorted());
    for row in 0..csr.rows {
        let columns = &csr.columns[csr.row(row)];
        assert!(columns.is_sorted() && columns.iter().all(|&column| (0..csr.cols as i64).contains(&column.into())));
    }
}
