// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is done to one node's distribution: loops, pruning, inflation.

use super::process::Rules;
use crate::csr::OwnedCsr;

/// Another node, and how much flows there.
pub(super) type Entry = (i32, f64);

/// The first distributions: every node has a loop as heavy as its heaviest edge. Row r of `weights`, which has sorted rows
/// without loops, is node `first + r`.
pub fn with_loops(weights: &OwnedCsr<f64>, first: usize) -> OwnedCsr<f64> {
    let rows = (0..weights.rows).map(|row| {
        let node = first + row;
        let mut row = entries(weights, row);
        let heaviest = row.iter().map(|entry| entry.1).fold(0.0, f64::max);
        let at = row.partition_point(|entry| (entry.0 as usize) < node);
        row.insert(at, (node as i32, if heaviest > 0.0 { heaviest } else { 1.0 }));
        scaled(row)
    });
    from_rows(weights.cols, rows)
}

pub(super) fn entries(matrix: &OwnedCsr<f64>, row: usize) -> Vec<Entry> {
    matrix.row(row).map(|entry| (matrix.columns[entry], matrix.values[entry])).collect()
}

pub(super) fn from_rows(cols: usize, rows: impl Iterator<Item = Vec<Entry>>) -> OwnedCsr<f64> {
    let mut matrix = OwnedCsr { rows: 0, cols, offsets: vec![0], columns: vec![], values: vec![] };
    for row in rows {
        matrix.columns.extend(row.iter().map(|entry| entry.0));
        matrix.values.extend(row.iter().map(|entry| entry.1));
        matrix.offsets.push(matrix.columns.len() as i64);
        matrix.rows += 1;
    }
    matrix
}

fn mass(row: &[Entry]) -> f64 {
    row.iter().map(|entry| entry.1).sum()
}

fn scaled(mut row: Vec<Entry>) -> Vec<Entry> {
    let mass = mass(&row);
    row.iter_mut().for_each(|entry| entry.1 /= mass);
    row
}

/// The `count` heaviest, of equal ones the first, in the order of nodes.
fn heaviest(row: &[Entry], count: usize) -> Vec<Entry> {
    let mut row = row.to_vec();
    if count < row.len() {
        row.select_nth_unstable_by(count, |one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        row.truncate(count);
        row.sort_unstable_by_key(|entry| entry.0);
    }
    row
}

/// Drops what is small; takes some of it back where too little is left; cuts down what is too long.
pub(super) fn prune(whole: &[Entry], rules: &Rules) -> Vec<Entry> {
    let mut kept: Vec<Entry> = whole.iter().copied().filter(|entry| entry.1 >= 1.0 / rules.prune).collect();
    if kept.len() < rules.recover && kept.len() < whole.len() && mass(&kept) < rules.mass {
        kept = heaviest(whole, rules.recover);
    } else if kept.len() > rules.select {
        kept = heaviest(whole, rules.select);
        if mass(&kept) < rules.mass && rules.select < rules.recover {
            kept = heaviest(whole, rules.recover);
        }
    }
    scaled(kept)
}

/// 0 for a distribution that is flat where it is not 0.
pub(super) fn chaos(row: &[Entry]) -> f64 {
    let largest = row.iter().map(|entry| entry.1).fold(0.0, f64::max);
    let squares: f64 = row.iter().map(|entry| entry.1 * entry.1).sum();
    row.len() as f64 * (largest - squares)
}

pub(super) fn inflate(mut row: Vec<Entry>, power: f64) -> Vec<Entry> {
    row.iter_mut().for_each(|entry| entry.1 = entry.1.powf(power));
    scaled(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path of three nodes: loops of 1, so that the ends keep 1/2 and the middle 1/3.
    #[test]
    fn a_step_by_hand() {
        let weights =
            OwnedCsr { rows: 3, cols: 3, offsets: vec![0, 1, 3, 4], columns: vec![1, 0, 2, 1], values: vec![1.0; 4] };
        let first = with_loops(&weights, 0);
        assert_eq!(first.columns, [0, 1, 0, 1, 2, 1, 2]);
        assert_eq!(first.values, [0.5, 0.5, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.5, 0.5]);
        let expanded = crate::reference::multiply(&first, &first);
        // Row 0: 1/4 + 1/6, 1/4 + 1/6, 1/6.
        let row = entries(&expanded, 0);
        let close = |found: f64, want: f64| assert!((found - want).abs() < 1e-15, "{found} is not {want}");
        [5.0 / 12.0, 5.0 / 12.0, 2.0 / 12.0].iter().zip(&row).for_each(|(&want, entry)| close(entry.1, want));
        // 3 (5/12 - (25 + 25 + 4) / 144) = 3 * 6 / 144.
        close(chaos(&prune(&row, &Rules::default())), 0.125);
        let inflated = inflate(row, 2.0);
        [25.0 / 54.0, 25.0 / 54.0, 4.0 / 54.0].iter().zip(&inflated).for_each(|(&want, entry)| close(entry.1, want));
    }

    /// The nodes of a part are counted from its first.
    #[test]
    fn a_part_of_the_rows_gets_the_same_loops() {
        let whole =
            OwnedCsr { rows: 3, cols: 3, offsets: vec![0, 1, 3, 4], columns: vec![1, 0, 2, 1], values: vec![1.0; 4] };
        let last = OwnedCsr { rows: 1, cols: 3, offsets: vec![0, 1], columns: vec![1], values: vec![1.0] };
        assert_eq!(entries(&with_loops(&last, 2), 0), entries(&with_loops(&whole, 0), 2));
    }

    #[test]
    fn pruning_drops_recovers_and_selects() {
        let row = |values: &[f64]| -> Vec<Entry> { values.iter().enumerate().map(|(i, &v)| (i as i32, v)).collect() };
        let nodes = |row: Vec<Entry>| row.into_iter().map(|entry| entry.0).collect::<Vec<_>>();
        let whole = row(&[0.5, 0.04, 0.41, 0.05]);
        let rules = Rules { prune: 10.0, select: 3, recover: 3, mass: 0.9, ..Rules::default() };
        // 0.91 is left of two: enough.
        assert_eq!(nodes(prune(&whole, &rules)), [0, 2]);
        // Too little: three of the whole column.
        assert_eq!(nodes(prune(&whole, &Rules { mass: 0.95, ..rules })), [0, 2, 3]);
        // Too many: the largest; and more again, if those are too light.
        let rules = Rules { prune: 1_000.0, select: 1, ..rules };
        assert_eq!(nodes(prune(&whole, &Rules { mass: 0.4, ..rules })), [0]);
        assert_eq!(nodes(prune(&whole, &rules)), [0, 2, 3]);
        assert!((mass(&prune(&whole, &rules)) - 1.0).abs() < 1e-15);
    }
}
