// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks of a matrix as bytes. Columns are counted from the block's own first one, in 16 bits where they fit; row lengths
//! take the fewest bytes that hold the longest; where fewer than half of the rows have entries, only those are listed.

use std::ops::Range;

use super::bits::Bits;
use crate::csr::OwnedCsr;
use crate::error::{Error, Result};
use crate::heap;
use crate::scalar::Scalar;

/// What memory for them is for.
const BLOCK: &str = "a block that travels";

/// The part of a block with sorted rows in `rows` and `cols`, counted from there; of its rows and columns only those
/// in the filters.
pub(super) fn cut<V: Scalar>(
    block: &OwnedCsr<V>,
    rows: Range<usize>,
    cols: Range<usize>,
    keep_rows: Option<&Bits>,
    keep_cols: Option<&Bits>,
) -> OwnedCsr<V> {
    let mut offsets = heap::room(rows.len() + 1, BLOCK);
    offsets.push(0);
    let mut part = OwnedCsr { rows: rows.len(), cols: cols.len(), offsets, columns: vec![], values: vec![] };
    for row in rows.clone() {
        if keep_rows.is_none_or(|keep| keep.get(row - rows.start)) {
            let all = block.row(row);
            let columns = &block.columns[all.clone()];
            let first = columns.partition_point(|&column| (column as usize) < cols.start);
            let last = columns.partition_point(|&column| (column as usize) < cols.end);
            for entry in all.start + first..all.start + last {
                let column = block.columns[entry] as usize - cols.start;
                if keep_cols.is_none_or(|keep| keep.get(column)) {
                    heap::push(&mut part.columns, column as i32, BLOCK);
                    heap::push(&mut part.values, block.values[entry], BLOCK);
                }
            }
        }
        part.offsets.push(part.columns.len() as i64);
    }
    part
}

/// What the first bytes say.
struct Head {
    nnz: usize,
    listed: Option<usize>,
    length_bytes: usize,
    column_bytes: usize,
}

impl Head {
    const BYTES: usize = 32;

    fn write(&self) -> [u64; 4] {
        [
            self.nnz as u64,
            self.listed.map_or(u64::MAX, |rows| rows as u64),
            self.length_bytes as u64,
            self.column_bytes as u64,
        ]
    }
}

/// The block as bytes; nothing at all if it has no entry.
pub(super) fn encode<V: Scalar>(block: &OwnedCsr<V>) -> Vec<u8> {
    if block.nnz() == 0 {
        return vec![];
    }
    let lengths: Vec<u64> = heap::collected(block.offsets.windows(2).map(|pair| (pair[1] - pair[0]) as u64), BLOCK);
    let filled = lengths.iter().filter(|&&length| length > 0).count();
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let head = Head {
        nnz: block.nnz(),
        listed: (2 * filled < block.rows).then_some(filled),
        length_bytes: [1, 2, 4].into_iter().find(|&bytes| longest < 1 << (8 * bytes)).unwrap_or(8),
        column_bytes: if block.cols <= 1 << 16 { 2 } else { 4 },
    };
    let rows = head.listed.map_or(block.rows * head.length_bytes, |listed| listed * (4 + head.length_bytes));
    let mut bytes = heap::room(Head::BYTES + rows + block.nnz() * (head.column_bytes + size_of::<V>()), BLOCK);
    head.write().iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
    for (row, &length) in lengths.iter().enumerate() {
        if head.listed.is_some() {
            if length == 0 {
                continue;
            }
            bytes.extend_from_slice(&(row as u32).to_le_bytes());
        }
        bytes.extend_from_slice(&length.to_le_bytes()[..head.length_bytes]);
    }
    block.columns.iter().for_each(|column| bytes.extend_from_slice(&column.to_le_bytes()[..head.column_bytes]));
    bytes.extend_from_slice(value_bytes(&block.values));
    bytes
}

/// The block again.
///
/// # Errors
/// [`Error::Internal`] if the bytes are not those of a block of this size.
pub(super) fn decode<V: Scalar>(bytes: &[u8], rows: usize, cols: usize) -> Result<OwnedCsr<V>> {
    let broken = || Error::Internal(format!("{} bytes that are no block of {rows} x {cols}", bytes.len()));
    let number = |at: usize, width: usize| {
        let mut whole = [0; 8];
        whole[..width].copy_from_slice(bytes.get(at..at + width)?);
        Some(u64::from_le_bytes(whole) as usize)
    };
    let word = |at: usize| number(8 * at, 8).ok_or_else(broken);
    let (nnz, listed, length_bytes, column_bytes) = (word(0)?, word(1)?, word(2)?, word(3)?);
    if length_bytes > 8 || !(column_bytes == 2 || column_bytes == 4) {
        return Err(broken());
    }
    let mut lengths = heap::filled(rows, 0i64, BLOCK);
    let mut at = Head::BYTES;
    for line in 0..if listed == usize::MAX { rows } else { listed } {
        let row = if listed == usize::MAX {
            line
        } else {
            at += 4;
            number(at - 4, 4).ok_or_else(broken)?
        };
        *lengths.get_mut(row).ok_or_else(broken)? = number(at, length_bytes).ok_or_else(broken)? as i64;
        at += length_bytes;
    }
    let mut offsets: Vec<i64> = heap::room(rows + 1, BLOCK);
    offsets.push(0);
    for length in lengths {
        // What wraps falls, and is refused below.
        offsets.push(offsets[offsets.len() - 1].wrapping_add(length));
    }
    let column_end = nnz.checked_mul(column_bytes).and_then(|length| at.checked_add(length)).ok_or_else(broken)?;
    let columns = bytes.get(at..column_end).ok_or_else(broken)?.chunks_exact(column_bytes);
    let column = |column: &[u8]| column.iter().rev().fold(0, |sum, &byte| sum << 8 | i32::from(byte));
    let columns = heap::collected(columns.map(column), BLOCK);
    let values = values::<V>(&bytes[column_end..], nnz).ok_or_else(broken)?;
    OwnedCsr::new(rows, cols, offsets, columns, values)
}

/// How many entries a packed block says that it has.
pub(super) fn entries(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |&number| u64::from_le_bytes(number))
}

/// Values as the bytes that they are.
pub(super) fn value_bytes<V: Scalar>(values: &[V]) -> &[u8] {
    // SAFETY: a scalar is one or two floating-point numbers of one width: plain bytes without padding.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Values out of bytes, if those are as many as they should be.
pub(super) fn values<V: Scalar>(bytes: &[u8], count: usize) -> Option<Vec<V>> {
    if Some(bytes.len()) != count.checked_mul(size_of::<V>()) {
        return None;
    }
    let mut values = heap::filled(count, V::ZERO, BLOCK);
    // SAFETY: as many bytes on either side, which do not overlap; any bytes are a floating-point number.
    unsafe { values.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(rows: usize, cols: usize, offsets: &[i64], columns: &[i32]) -> OwnedCsr<f64> {
        let values = (0..columns.len()).map(|i| i as f64 - 0.5).collect();
        OwnedCsr::new(rows, cols, offsets.to_vec(), columns.to_vec(), values).unwrap()
    }

    #[test]
    fn blocks_come_back_whole() {
        let long: Vec<i32> = (0..300).collect();
        for block in [
            block(2, 3, &[0, 2, 3], &[0, 2, 1]),
            block(5, 70_000, &[0, 0, 0, 2, 2, 2], &[65_535, 65_536]),
            block(1, 300, &[0, 300], &long),
            block(3, 65_536, &[0, 1, 1, 3], &[65_535, 0, 65_535]),
        ] {
            let bytes = encode(&block);
            assert_eq!(decode::<f64>(&bytes, block.rows, block.cols).unwrap(), block);
        }
        assert!(encode(&block(4, 4, &[0; 5], &[])).is_empty());
    }

    #[test]
    fn narrow_columns_and_empty_rows_cost_little() {
        let narrow = encode(&block(2, 100, &[0, 2, 4], &[1, 2, 3, 4]));
        assert_eq!(narrow.len(), Head::BYTES + 2 + 4 * (2 + 8));
        let mut offsets = vec![0; 1_001];
        offsets[1_000] = 1;
        assert_eq!(encode(&block(1_000, 100, &offsets, &[7])).len(), Head::BYTES + 5 + 2 + 8);
    }

    #[test]
    fn bytes_that_are_no_block_are_refused() {
        let bytes = encode(&block(2, 3, &[0, 2, 3], &[0, 2, 1]));
        for end in 0..bytes.len() {
            assert!(decode::<f64>(&bytes[..end], 2, 3).is_err(), "{end}");
        }
        assert!(decode::<f64>(&bytes, 2, 2).is_err());
        assert!(decode::<f64>(&bytes, 1, 3).is_err());
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x55;
            let _ = decode::<f64>(&other, 2, 3); // whatever it says, without a panic
        }
    }

    #[test]
    fn a_cut_counts_from_its_corner_and_leaves_out_what_is_not_wanted() {
        let whole = block(3, 6, &[0, 3, 5, 7], &[0, 2, 5, 2, 3, 1, 4]);
        let part = cut(&whole, 1..3, 2..5, None, None);
        assert_eq!((part.offsets.as_slice(), part.columns.as_slice()), ([0, 2, 3].as_slice(), [0, 1, 2].as_slice()));
        let mut keep = Bits::new(3);
        keep.set(1);
        keep.set(2);
        assert_eq!(cut(&whole, 0..3, 0..6, Some(&keep), None).offsets, [0, 0, 2, 4]);
        assert_eq!(cut(&whole, 1..3, 2..5, None, Some(&keep)).columns, [1, 2]);
    }
}
