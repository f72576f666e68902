// SPDX-License-Identifier: MIT OR Apache-2.0
//! Matrix descriptors, and what the caller has to know of them to keep its promises.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

use ocean::ffi::oceanStatus_t::OCEAN_STATUS_SUCCESS;
use ocean::ffi::*;

use super::super::input::Input;
use super::memory::Block;

/// A number in place of an enumerator, as C may pass it.
pub fn number<T>(number: i32) -> MaybeUninit<T> {
    assert_eq!(size_of::<T>(), size_of::<i32>());
    let mut raw = MaybeUninit::<T>::uninit();
    // SAFETY: as large as an i32, and nobody reads it as a T before it is checked.
    unsafe { raw.as_mut_ptr().cast::<i32>().write(number) };
    raw
}

/// One of these enumerators, or rarely any number.
pub fn choice<T>(input: &mut Input<'_>, numbers: &[i32]) -> MaybeUninit<T> {
    // No enumerator has so high a number: what is refused cannot be taken for another width of an array.
    number(if input.rarely(64) { input.number() as i32 | 256 } else { input.of(numbers) })
}

/// A descriptor, alive or not, with the arrays that were given to it.
pub struct Matrix {
    pub descr: oceanSpMatDescr_t,
    rows: i64,
    /// Offsets, columns and values. None is NULL, or an array that the library allocated.
    arrays: [Option<Block>; 3],
    /// Bytes of an offset, a column and a value.
    widths: [usize; 3],
    /// Entries that columns and values have room for.
    room: i64,
    /// Changes with the arrays and what is in them.
    pub version: u64,
}

/// What all matrices of one input mostly have in common, so that products meet.
pub struct Kind {
    pub sizes: [i64; 2],
    pub data_type: i32,
    pub values: bool,
}

const TYPES: [(i32, usize); 8] = [(0, 4), (1, 8), (2, 2), (14, 2), (4, 8), (5, 16), (6, 4), (15, 4)];

impl Kind {
    pub fn new(input: &mut Input<'_>) -> Self {
        let sizes = [(); 2].map(|()| input.below(10) as i64);
        Self { sizes, data_type: TYPES[input.below(TYPES.len())].0, values: !input.rarely(4) }
    }
}

impl Matrix {
    /// A descriptor that should be, or, where a size is near a limit or a number is wrong, may be refused.
    pub fn new(input: &mut Input<'_>, kind: &Kind) -> Self {
        let hollow = input.rarely(6);
        let [rows, cols] = [(); 2].map(|()| match input.below(16) {
            0 if hollow => input.number(),
            0..4 if hollow => input.size(),
            4 => input.below(10) as i64,
            other => kind.sizes[other % 2],
        });
        // Without arrays any size may be declared: nothing can be read.
        let small = !hollow && (0..256).contains(&rows);
        let (base, wide) = (input.below(2) as i64, [input.flag(), input.flag()]);
        let data_type = if input.rarely(16) { input.below(40) as i32 - 3 } else { kind.data_type };
        let value_bytes = TYPES.iter().find(|(number, _)| *number == data_type).map_or(16, |(_, bytes)| *bytes);
        let widths = [if wide[0] { 8 } else { 4 }, if wide[1] { 8 } else { 4 }, value_bytes];

        let (offsets, columns) = if small { pattern(input, rows, cols, base) } else { (vec![], vec![]) };
        let nnz = if small { columns.len() as i64 } else { input.size() };
        let mut arrays = [None, None, None];
        let empty = small && input.rarely(3); // as C is before its arrays are known
        if small && !empty {
            let values: Vec<u8> = (0..columns.len() * value_bytes).map(|at| at as u8).collect();
            arrays = [
                Some(Block::of(&encoded(&offsets, widths[0]))),
                Some(Block::of(&encoded(&columns, widths[1]))),
                (kind.values && !input.rarely(16)).then(|| Block::of(&values)),
            ];
        }
        let nnz = if empty { 0 } else { nnz };
        let pointers = arrays.each_ref().map(|block| block.as_ref().map_or(null_mut(), Block::pointer));
        let mut descr = null_mut();
        let index = |wide: bool| if wide { 3 } else { 2 };
        // SAFETY: the address of a local; arrays as long as declared, which live as long as the descriptor.
        let status = unsafe {
            oceanCreateCsr(
                if input.rarely(64) { null_mut() } else { &mut descr },
                rows,
                cols,
                nnz,
                pointers[0],
                pointers[1],
                pointers[2],
                choice(input, &[index(wide[0])]),
                choice(input, &[index(wide[1])]),
                choice(input, &[base as i32]),
                data_type,
            )
        };
        super::judge(status);
        assert_eq!(status == OCEAN_STATUS_SUCCESS, !descr.is_null(), "creates NULL on failure, and only then");
        Self { descr, rows, arrays, widths, room: nnz, version: 0 }
    }

    /// Whether it was made with arrays or for some.
    fn small(&self) -> bool {
        (0..256).contains(&self.rows)
    }

    /// Gives the descriptor arrays that are as long as it says now.
    pub fn refresh(&mut self, force: bool) {
        let (mut rows, mut cols, mut nnz) = (0, 0, 0);
        // SAFETY: addresses of locals; any pointer may be asked for.
        let status = unsafe { oceanSpMatGetSize(self.descr, &mut rows, &mut cols, &mut nnz) };
        let given = self.arrays.iter().any(Option::is_some);
        let grown = nnz > self.room && given;
        if status != OCEAN_STATUS_SUCCESS || !self.small() || !(grown || force) || nnz > 1 << 20 {
            return;
        }
        let counts = [rows as usize + 1, nnz as usize, nnz as usize];
        let mut blocks = [0, 1, 2].map(|at| Some(Block::new(counts[at] * self.widths[at])));
        if given && self.arrays[2].is_none() {
            blocks[2] = None;
        }
        let pointers = blocks.each_ref().map(|block| block.as_ref().map_or(null_mut(), Block::pointer));
        let status = oceanCsrSetPointers(self.descr, pointers[0], pointers[1], pointers[2]);
        assert_eq!(status, OCEAN_STATUS_SUCCESS, "aligned arrays");
        (self.arrays, self.room) = (blocks, nnz);
        self.version += 1;
    }

    /// What the arrays hold.
    pub fn bytes(&self) -> [Option<Vec<u8>>; 3] {
        self.arrays.each_ref().map(|block| block.as_ref().map(Block::bytes))
    }

    /// The arrays are the library's now.
    pub fn forget(&mut self) {
        self.arrays = [None, None, None];
        self.version += 1;
    }

    pub fn values(&self) -> *mut c_void {
        self.arrays[2].as_ref().map_or(null_mut(), Block::pointer)
    }
}

/// Offsets and columns, mostly by the rules.
fn pattern(input: &mut Input<'_>, rows: i64, cols: i64, base: i64) -> (Vec<i64>, Vec<i64>) {
    let mut offsets = vec![base];
    for row in 0..rows as usize {
        offsets.push(offsets[row] + if cols > 0 { input.below(5) as i64 } else { 0 });
    }
    let nnz = offsets[rows as usize] - base;
    let below = cols.clamp(1, 200) as usize;
    let mut columns: Vec<i64> = (0..nnz).map(|_| base + input.below(below) as i64).collect();
    if input.rarely(12) {
        let array = if input.flag() || columns.is_empty() { &mut offsets } else { &mut columns };
        let at = input.below(array.len());
        array[at] = if input.flag() { input.number() } else { input.below(100) as i64 - 50 };
    }
    (offsets, columns)
}

fn encoded(indices: &[i64], bytes: usize) -> Vec<u8> {
    indices.iter().flat_map(|index| index.to_le_bytes()[..bytes].to_vec()).collect()
}
