// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrices for tests, all of them the same on every run.

use ocean::csr::OwnedCsr;
use ocean::scalar::Stored;

/// SplitMix64 (Steele, Lea, Flood 2014): small, and good enough to spread things.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.bits()) * end as u128) >> 64) as usize
    }

    /// In (-1, 1), each part with a full mantissa, so that every order of sums shows.
    pub fn value<V: Stored>(&mut self) -> V {
        let mut part = || (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
        V::nearest(part(), if V::TYPE.is_complex() { part() } else { 0.0 })
    }
}

/// From the columns of each row; values are random.
pub fn from_rows<V: Stored>(cols: usize, rows: impl IntoIterator<Item = Vec<i32>>, random: &mut Random) -> OwnedCsr<V> {
    let (mut offsets, mut columns) = (vec![0], vec![]);
    for row in rows {
        columns.extend(row);
        offsets.push(columns.len() as i64);
    }
    let values = columns.iter().map(|_| random.value()).collect();
    OwnedCsr::new(offsets.len() - 1, cols, offsets, columns, values).unwrap()
}

/// `count` different columns below `cols`, ascending.
pub fn distinct(count: usize, cols: usize, random: &mut Random) -> Vec<i32> {
    let count = count.min(cols);
    // One out of each of `count` equal stretches.
    (0..count)
        .map(|i| {
            let (first, end) = (i * cols / count, (i + 1) * cols / count);
            (first + random.below(end - first)) as i32
        })
        .collect()
}

/// Rows of a random length below `2 * mean`, sorted, without repeats.
pub fn random<V: Stored>(rows: usize, cols: usize, mean: usize, seed: u64) -> OwnedCsr<V> {
    let mut random = Random(seed);
    let lengths: Vec<usize> = (0..rows).map(|_| random.below(2 * mean + 1)).collect();
    let rows: Vec<_> = lengths.into_iter().map(|length| distinct(length, cols, &mut random)).collect();
    from_rows(cols, rows, &mut random)
}

/// As [`random`], in random order and with repeats.
pub fn messy<V: Stored>(rows: usize, cols: usize, mean: usize, seed: u64) -> OwnedCsr<V> {
    let mut random = Random(seed);
    let row = |random: &mut Random| {
        let length = if cols == 0 { 0 } else { random.below(2 * mean + 1) };
        (0..length).map(|_| random.below(cols) as i32).collect()
    };
    let rows: Vec<_> = (0..rows).map(|_| row(&mut random)).collect();
    from_rows(cols, rows, &mut random)
}

/// Entries (i, i + d) for d in `-half..=half`, as far as they lie inside.
pub fn banded<V: Stored>(n: usize, half: usize, seed: u64) -> OwnedCsr<V> {
    let row = |i: usize| (i.saturating_sub(half)..(i + half + 1).min(n)).map(|j| j as i32).collect();
    from_rows(n, (0..n).map(row), &mut Random(seed))
}

/// Every entry there.
pub fn full<V: Stored>(rows: usize, cols: usize, seed: u64) -> OwnedCsr<V> {
    from_rows(cols, (0..rows).map(|_| (0..cols as i32).collect()), &mut Random(seed))
}

/// The identity, with random values.
pub fn diagonal<V: Stored>(n: usize, seed: u64) -> OwnedCsr<V> {
    banded(n, 0, seed)
}

/// An R-MAT-like graph: most entries in few rows and columns.
pub fn skewed<V: Stored>(scale: u32, edges: usize, seed: u64) -> OwnedCsr<V> {
    let n = 1usize << scale;
    let mut random = Random(seed);
    let mut rows = vec![vec![]; n];
    for _ in 0..edges {
        let (mut i, mut j) = (0, 0);
        for _ in 0..scale {
            let quarter = random.below(100);
            i = 2 * i + usize::from(quarter >= 76);
            j = 2 * j + usize::from((57..76).contains(&quarter) || quarter >= 95);
        }
        rows[i].push(j as i32);
    }
    for row in &mut rows {
        row.sort_unstable();
        row.dedup();
    }
    from_rows(n, rows, &mut random)
}
