// SPDX-License-Identifier: MIT OR Apache-2.0
//! C against the serial reference: the same entries with the same bits.

use ocean::csr::OwnedCsr;

use crate::value::Number;

/// What was compared, or the first difference. Both matrices have sound structure and one shape.
pub fn compare<V: Number>(expected: &OwnedCsr<V>, found: &OwnedCsr<V>) -> Result<String, String> {
    for row in 0..expected.rows {
        let (want, have) = (expected.row(row), found.row(row));
        let (want_columns, have_columns) = (&expected.columns[want.clone()], &found.columns[have.clone()]);
        if want_columns != have_columns {
            return Err(pattern_fault(row, want_columns, have_columns));
        }
        for (want, have) in want.zip(have) {
            let (want_value, have_value) = (expected.values[want], found.values[have]);
            if want_value.bits() != have_value.bits() {
                let differing = differing_values(expected, found);
                let column = expected.columns[want];
                return Err(format!(
                    "C({row}, {column}) is {have_value:?} but the reference has {want_value:?}; \
                     {differing} of {} entries differ",
                    expected.nnz()
                ));
            }
        }
    }
    Ok(format!("all {} entries have the bits of the serial reference", expected.nnz()))
}

fn pattern_fault(row: usize, want: &[i32], have: &[i32]) -> String {
    let difference = want.iter().zip(have).find(|(want, have)| want != have);
    match difference {
        Some((want, have)) if want < have => format!("C({row}, {want}) is missing"),
        Some((_, have)) => format!("C({row}, {have}) is there, which no product reaches"),
        None => format!("row {row} of C has {} entries, the reference {}", have.len(), want.len()),
    }
}

/// How many values differ where the patterns agree.
fn differing_values<V: Number>(expected: &OwnedCsr<V>, found: &OwnedCsr<V>) -> usize {
    expected.values.iter().zip(&found.values).filter(|(want, have)| want.bits() != have.bits()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> OwnedCsr<f64> {
        OwnedCsr { rows: 2, cols: 4, offsets: vec![0, 2, 3], columns: vec![1, 3, 0], values: vec![1.0, f64::NAN, 0.0] }
    }

    fn fault(damage: impl Fn(&mut OwnedCsr<f64>)) -> String {
        let mut found = matrix();
        damage(&mut found);
        compare(&matrix(), &found).expect_err("a difference")
    }

    #[test]
    fn the_first_difference_is_named() {
        assert!(compare(&matrix(), &matrix()).is_ok(), "a NaN is as good as another");
        assert_eq!(
            fault(|c| c.values[0] = 1.0 + f64::EPSILON),
            "C(0, 1) is 1.0000000000000002 but the reference has 1.0; 1 of 3 entries differ"
        );
        assert!(fault(|c| c.values[2] = -0.0).starts_with("C(1, 0) is -0.0 but the reference has 0.0"));
        assert!(fault(|c| c.values[1] = 2.0).starts_with("C(0, 3) is 2.0 but the reference has NaN"));
        assert_eq!(fault(|c| c.columns[0] = 2), "C(0, 1) is missing");
        assert_eq!(fault(|c| c.columns[1] = 2), "C(0, 2) is there, which no product reaches");
        let cut = fault(|c| {
            c.offsets = vec![0, 1, 2];
            c.columns.remove(1);
            c.values.remove(1);
        });
        assert_eq!(cut, "row 0 of C has 1 entries, the reference 2");
    }
}
