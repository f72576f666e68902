// SPDX-License-Identifier: MIT OR Apache-2.0
//! No bytes make the reader panic: noise, damaged files, damaged gzip, and lines put together from the
//! words that matter.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::read_bytes;

fn try_read(bytes: &[u8]) {
    match read_bytes(bytes, "noise") {
        Ok(market) => {
            // What is accepted is sound enough to work with.
            // Every column costs memory in the transpose.
            if market.matrix.cols() <= 1 << 20 {
                let _ = market.matrix.transpose().transpose();
            }
            let mut summed = market.matrix.clone();
            summed.sum_duplicates();
            assert!(summed.nnz() <= market.matrix.nnz());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

const FILES: [&str; 5] = [
    "%%MatrixMarket matrix coordinate real general\n% c\n3 4 4\n1 1 1.5\n3 4 -2e3\n2 2 0\n1 3 .5\n",
    "%%MatrixMarket matrix coordinate complex hermitian\n3 3 3\n1 1 1 0\n2 1 1.5 -2\n3 2 0 1\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\r\n3 3 3\r\n1 1\r\n2 1\r\n3 3\r\n",
    "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
    "%%MatrixMarket matrix array integer general\n2 2\n1\n-2\n3\n4",
];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

#[derive(Clone, Debug)]
enum Damage {
    Set(Index, u8),
    Insert(Index, u8),
    Remove(Index),
    Cut(Index),
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        let length = bytes.len();
        match self {
            Self::Set(at, byte) => bytes[at.index(length)] = *byte,
            Self::Insert(at, byte) => bytes.insert(at.index(length + 1), *byte),
            Self::Remove(at) => drop(bytes.remove(at.index(length))),
            Self::Cut(at) => bytes.truncate(at.index(length)),
        }
    }
}

fn damage() -> impl Strategy<Value = Damage> {
    // Half of the bytes are ones that mean something.
    let byte = prop_oneof![any::<u8>(), select(b"%0123456789-+.eE \t\r\nnaif".to_vec())];
    prop_oneof![
        (any::<Index>(), byte.clone()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (any::<Index>(), byte).prop_map(|(at, byte)| Damage::Insert(at, byte)),
        any::<Index>().prop_map(Damage::Remove),
        any::<Index>().prop_map(Damage::Cut),
    ]
}

const WORDS: [&str; 26] = [
    "%%MatrixMarket matrix ",
    "coordinate ",
    "array ",
    "real ",
    "integer ",
    "pattern ",
    "complex ",
    "general\n",
    "symmetric\n",
    "skew-symmetric\n",
    "hermitian\n",
    "\n",
    " ",
    "\t",
    "\r\n",
    "%",
    "0 ",
    "1 ",
    "2 ",
    "3 ",
    "-1 ",
    "2147483647 ",
    "18446744073709551616 ",
    "nan ",
    "inf ",
    "1e999 ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn on_noise(bytes in vec(any::<u8>(), 0..200)) {
        try_read(&bytes);
    }

    #[test]
    fn on_noise_below_a_good_banner(banner in select(FILES.to_vec()), tail in vec(select(b" 0123456789.-e%\n\r".to_vec()), 0..100)) {
        let mut bytes = banner.lines().next().unwrap_or_default().as_bytes().to_vec();
        bytes.push(b'\n');
        bytes.extend(tail);
        try_read(&bytes);
    }

    #[test]
    fn on_damaged_files(file in select(FILES.to_vec()), damages in vec(damage(), 1..8)) {
        let mut bytes = file.as_bytes().to_vec();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        try_read(&bytes);
        try_read(&gzip(&bytes));
    }

    #[test]
    fn on_damaged_gzip(file in select(FILES.to_vec()), damages in vec(damage(), 1..4)) {
        let mut bytes = gzip(file.as_bytes());
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        try_read(&bytes);
    }

    #[test]
    fn on_words_in_any_order(words in vec(select(WORDS.to_vec()), 0..30)) {
        try_read(words.concat().as_bytes());
        try_read(format!("%%MatrixMarket matrix coordinate real general\n{}", words.concat()).as_bytes());
    }
}
