// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arrays with a guard band on either side. What is new holds rubbish, what is over holds other rubbish.

use std::ffi::c_void;

const BAND: usize = 256;
const BAND_BYTE: u8 = 0xA5;

/// What nobody has written yet.
pub const FRESH: u8 = 0xCD;

/// What nobody may read any more: NaN, index -1.
pub const DEAD: u8 = 0xFF;

/// So many bytes of the caller's, which lie where both the host backend and the emulated device can read them.
pub struct Guarded {
    /// In words, for alignment.
    _memory: Vec<u128>,
    first: *mut u8,
    len: usize,
}

// SAFETY: a plain array; who shares it says when it is written.
unsafe impl Send for Guarded {}

impl Guarded {
    /// `len` bytes, `shift` past a boundary of 16.
    pub fn new(len: usize, shift: usize) -> Self {
        let mut memory = vec![0u128; (BAND + shift + len + BAND).div_ceil(16)];
        // SAFETY: inside the memory, by its size.
        let first = unsafe { memory.as_mut_ptr().cast::<u8>().add(BAND + shift) };
        let guarded = Self { _memory: memory, first, len };
        // SAFETY: the bands lie inside the memory.
        unsafe {
            first.sub(BAND).write_bytes(BAND_BYTE, BAND);
            first.add(len).write_bytes(BAND_BYTE, BAND);
        }
        guarded.fill(FRESH);
        guarded
    }

    pub fn of(bytes: &[u8]) -> Self {
        let guarded = Self::new(bytes.len(), 0);
        // SAFETY: as many bytes, of different arrays.
        unsafe { guarded.first.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        guarded
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Its first byte; NULL, if it has none.
    pub fn pointer(&self) -> *mut c_void {
        if self.len == 0 { std::ptr::null_mut() } else { self.first.cast() }
    }

    pub fn address(&self) -> usize {
        self.first as usize
    }

    pub fn fill(&self, byte: u8) {
        // SAFETY: all of its own bytes.
        unsafe { self.first.write_bytes(byte, self.len) };
    }

    pub fn read(&self) -> Vec<u8> {
        // SAFETY: its own bytes, all of them written when it was made.
        unsafe { std::slice::from_raw_parts(self.first, self.len) }.to_vec()
    }

    #[track_caller]
    pub fn check(&self, what: &str) {
        let intact = |start: *const u8| {
            // SAFETY: a band, inside the memory.
            unsafe { std::slice::from_raw_parts(start, BAND) }.iter().all(|&byte| byte == BAND_BYTE)
        };
        assert!(intact(self.first.wrapping_sub(BAND)), "{what}: written before its start");
        assert!(intact(self.first.wrapping_add(self.len)), "{what}: written past its {} bytes", self.len);
    }
}
