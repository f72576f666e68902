// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether C is a sound matrix at all: shape, offsets, columns.

use ocean::csr::OwnedCsr;

/// What was looked at, or the first fault.
pub fn check<V>(c: &OwnedCsr<V>, rows: usize, cols: usize) -> Result<String, String> {
    if (c.rows, c.cols) != (rows, cols) {
        return Err(format!("C is {} x {}, not {rows} x {cols}", c.rows, c.cols));
    }
    if c.offsets.len() != rows + 1 {
        return Err(format!("C has {} offsets for {rows} rows", c.offsets.len()));
    }
    let entries = c.columns.len();
    if c.values.len() != entries {
        return Err(format!("C has {entries} columns but {} values", c.values.len()));
    }
    if c.offsets[0] != 0 {
        return Err(format!("C's first offset is {}", c.offsets[0]));
    }
    if let Some(row) = (0..rows).find(|&row| c.offsets[row] > c.offsets[row + 1]) {
        return Err(format!("C's offsets fall in row {row}: {} to {}", c.offsets[row], c.offsets[row + 1]));
    }
    if c.offsets[rows] != entries as i64 {
        return Err(format!("C's last offset is {} for {entries} entries", c.offsets[rows]));
    }

    for row in 0..rows {
        let columns = &c.columns[c.offsets[row] as usize..c.offsets[row + 1] as usize];
        if let Some(&column) = columns.iter().find(|&&column| column < 0 || column as usize >= cols) {
            return Err(format!("row {row} of C has the column {column}, beyond its {cols} columns"));
        }
        if let Some(pair) = columns.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(format!("row {row} of C has column {} before column {}", pair[0], pair[1]));
        }
    }
    Ok(format!("{rows} rows ascend strictly, {entries} columns are in range"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound() -> OwnedCsr<f64> {
        OwnedCsr { rows: 3, cols: 4, offsets: vec![0, 2, 2, 3], columns: vec![1, 3, 0], values: vec![1.0, 2.0, 3.0] }
    }

    fn fault(damage: impl Fn(&mut OwnedCsr<f64>)) -> String {
        let mut c = sound();
        damage(&mut c);
        check(&c, 3, 4).expect_err("a damaged matrix")
    }

    #[test]
    fn every_kind_of_damage_is_found() {
        assert_eq!(check(&sound(), 3, 4).expect("sound"), "3 rows ascend strictly, 3 columns are in range");
        assert_eq!(check(&sound(), 3, 5).expect_err("shape"), "C is 3 x 4, not 3 x 5");
        assert_eq!(fault(|c| c.offsets.truncate(3)), "C has 3 offsets for 3 rows");
        assert_eq!(fault(|c| c.values.truncate(2)), "C has 3 columns but 2 values");
        assert_eq!(fault(|c| c.offsets[0] = 1), "C's first offset is 1");
        assert_eq!(fault(|c| c.offsets[1] = 3), "C's offsets fall in row 1: 3 to 2");
        assert_eq!(fault(|c| c.offsets[3] = 4), "C's last offset is 4 for 3 entries");
        assert_eq!(fault(|c| c.columns[1] = 4), "row 0 of C has the column 4, beyond its 4 columns");
        assert_eq!(fault(|c| c.columns[2] = -1), "row 2 of C has the column -1, beyond its 4 columns");
        assert_eq!(fault(|c| c.columns[1] = 1), "row 0 of C has column 1 before column 1");
        assert_eq!(fault(|c| c.columns.swap(0, 1)), "row 0 of C has column 3 before column 1");
    }
}
