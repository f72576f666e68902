// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that break the format: the line and the words of each refusal.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use ocean_market::{Problem, read, read_bytes};

const REAL: &str = "%%MatrixMarket matrix coordinate real general\n";

/// What stands in the file, the line to blame, and what the message must contain.
#[rustfmt::skip] // a table reads by row
const TABLE: &[(&str, u64, &str)] = &[
    ("", 1, "the first line must be `%%MatrixMarket matrix"),
    ("1 1 1\n", 1, "found `1 1 1`"),
    ("%MatrixMarket matrix coordinate real general\n1 1 0\n", 1, "the first line must be"),
    ("\u{feff}%%MatrixMarket matrix coordinate real general\n1 1 0\n", 1, "the first line must be"),
    (" %%matrixmarket matrix coordinate real general\n1 1 0\n", 1, "the first line must be"),
    ("%%MatrixMarket matrix coordinate real\n1 1 0\n", 1, "the first line must be"),
    ("%%MatrixMarket matrix coordinate real general more\n1 1 0\n", 1, "the first line must be"),
    ("%%MatrixMarket vector coordinate real general\n1 1 0\n", 1, "unknown object `vector`"),
    ("%%MatrixMarket matrix sparse real general\n1 1 0\n", 1, "unknown layout `sparse` in the banner; known: coordinate, array"),
    ("%%MatrixMarket matrix coordinate double general\n1 1 0\n", 1, "unknown field `double`"),
    ("%%MatrixMarket matrix coordinate real lower\n1 1 0\n", 1, "unknown storage `lower`"),
    ("%%MatrixMarket matrix array pattern general\n1 1\n", 1, "combines `array` with `pattern`"),
    ("%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n", 1, "combines `pattern` with `skew-symmetric`"),
    ("%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n", 1, "combines `real` with `hermitian`"),
    ("%%MatrixMarket matrix coordinate integer hermitian\n1 1 0\n", 1, "combines `integer` with `hermitian`"),
    ("%%MatrixMarket matrix coordinate pattern hermitian\n1 1 0\n", 1, "combines `pattern` with `hermitian`"),

    ("%%MatrixMarket matrix coordinate real general", 1, "ends before the size line `rows columns entries`"),
    ("%%MatrixMarket matrix array real general\n% only this\n", 3, "ends before the size line `rows columns`"),
    ("%%MatrixMarket matrix coordinate real general\n% c\n1 1\n", 3, "the number of entries is missing"),
    ("%%MatrixMarket matrix coordinate real general\n1 1 1 1\n", 2, "`1` follows where the line should end"),
    ("%%MatrixMarket matrix array real general\n1 1 1\n1\n", 2, "`1` follows where the line should end"),
    ("%%MatrixMarket matrix coordinate real general\n-1 1 0\n", 2, "the number of rows `-1` is not a whole number"),
    ("%%MatrixMarket matrix coordinate real general\n1 x 0\n", 2, "the number of columns `x` is not a whole number"),
    ("%%MatrixMarket matrix coordinate real general\n1 1 18446744073709551616\n", 2, "`18446744073709551616` is not a whole number of at most 64 bits"),
    ("%%MatrixMarket matrix coordinate real general\n2147483648 1 0\n", 2, "2147483648 rows are more than the 2147483647"),
    ("%%MatrixMarket matrix array real general\n1 4294967296\n", 2, "4294967296 columns are more than"),
    ("%%MatrixMarket matrix coordinate real general\n2147483647 1 0\n", 2, "2147483647 rows are more than a file of 61 bytes may declare, which is 4194304"),
    ("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", 2, "symmetric storage needs a square matrix, the size line says 2 by 3"),

    ("%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 2 1\n", 5, "declares 3 entries but the file ends after 2"),
    ("%%MatrixMarket matrix coordinate real general\n2 2 18446744073709551615\n1 1 1\n", 4, "declares 18446744073709551615 entries but the file ends after 1"),
    ("%%MatrixMarket matrix array real general\n4194304 4194304\n1\n", 4, "declares 17592186044416 entries but the file ends after 1"),
    ("%%MatrixMarket matrix array real symmetric\n3 3\n1\n2\n", 5, "declares 6 entries but the file ends after 2"),
    ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n\n2 2 1\n", 5, "`2 2 1` follows the last of the 1 entries"),
    ("%%MatrixMarket matrix array real general\n1 1\n1\n2\n", 4, "`2` follows the last of the 1 entries"),
    ("%%MatrixMarket matrix coordinate real general\n1 1 1\n% late\n1 1 1\n", 3, "a comment (`%`) stands among the entries"),
    ("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n% late\n", 4, "a comment (`%`) stands among the entries"),

    ("%%MatrixMarket matrix coordinate real general\n2 3 1\n0 1 1\n", 3, "the row index 0 is not in 1 to 2"),
    ("%%MatrixMarket matrix coordinate real general\n2 3 1\n3 1 1\n", 3, "the row index 3 is not in 1 to 2"),
    ("%%MatrixMarket matrix coordinate real general\n2 3 1\n1 4 1\n", 3, "the column index 4 is not in 1 to 3"),
    ("%%MatrixMarket matrix coordinate real general\n2 3 1\n1 4294967297 1\n", 3, "the column index 4294967297 is not in 1 to 3"),
    ("%%MatrixMarket matrix coordinate real general\n2 3 1\n1 -1 1\n", 3, "the column index `-1` is not a whole number"),
    ("%%MatrixMarket matrix coordinate real general\n2 3 1\n1.0 1 1\n", 3, "the row index `1.0` is not a whole number"),
    ("%%MatrixMarket matrix coordinate real general\n0 3 1\n1 1 1\n", 3, "the row index 1 is not in 1 to 0"),

    ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n", 3, "the value is missing"),
    ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1\n", 3, "the column index is missing"),
    ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1.5 2\n", 3, "`2` follows where the line should end"),
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", 3, "`1` follows where the line should end"),
    ("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1\n", 3, "the imaginary part is missing"),
    ("%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 1 1 2i\n", 3, "the imaginary part `2i` is not a number"),
    ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1.0D+00\n", 3, "the value `1.0D+00` is not a number"),
    ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1,5\n", 3, "the value `1,5` is not a number"),
    ("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\u{0}\n", 3, "the value `1\\0` is not a number"),
    ("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.0\n", 3, "the value `1.0` is not a whole number"),
    ("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 9007199254740993\n", 3, "9007199254740993 is beyond 2^53"),
    ("%%MatrixMarket matrix array real general\n1 2\n1 2\n", 3, "`2` follows where the line should end"),

    ("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", 3, "entry (1, 2) is above the diagonal; symmetric storage"),
    ("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n1 2 1 0\n", 3, "entry (1, 2) is above the diagonal; hermitian storage"),
    ("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 0\n", 3, "entry (2, 2) is on the diagonal"),
    ("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 1 -3\n", 3, "entry (2, 2) has the imaginary part -3"),
    ("%%MatrixMarket matrix array complex hermitian\n1 1\n1 nan\n", 3, "entry (1, 1) has the imaginary part NaN"),
];

#[test]
fn each_refusal_names_file_line_and_fault() {
    for (text, line, words) in TABLE {
        let error = read_bytes(text.as_bytes(), "folder/bad.mtx").expect_err(text);
        let message = error.to_string();
        assert!(message.starts_with(&format!("folder/bad.mtx:{line}: ")), "{message}\nfor {text}");
        assert!(message.contains(words), "`{message}` lacks `{words}`");
        assert_eq!(error.line, Some(*line));
    }
}

#[test]
fn long_or_binary_text_is_quoted_short_and_printable() {
    let line = format!("{}\u{7}\n", "x".repeat(10_000));
    let message = read_bytes(line.as_bytes(), "a").expect_err("no banner").to_string();
    assert!(message.len() < 400 && message.contains("xxx..."), "{message}");
    let message = read_bytes(&[0xff, 0x07, 0x1b, b'\n'], "a").expect_err("no banner").to_string();
    assert!(message.chars().all(|character| !character.is_control()), "{message:?}");
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory takes all");
    encoder.finish().expect("memory takes all")
}

#[test]
fn gzip_is_known_by_its_bytes_and_its_damage_is_told() {
    let text = format!("{REAL}2 2 1\n2 1 5\n");
    let plain = read_bytes(text.as_bytes(), "a.mtx").expect("sound");
    let zipped = gzip(text.as_bytes());
    assert_eq!(read_bytes(&zipped, "named_like_plain.mtx").expect("sound"), plain);

    // Two members one after the other are one file.
    let (head, tail) = text.split_at(30);
    assert_eq!(read_bytes(&[gzip(head.as_bytes()), gzip(tail.as_bytes())].concat(), "a").expect("sound"), plain);

    let cut = read_bytes(&zipped[..zipped.len() - 9], "cut.mtx.gz").expect_err("cut");
    assert!(cut.to_string().starts_with("cut.mtx.gz: damaged gzip data"), "{cut}");
    let mut flipped = zipped.clone();
    let checksum = flipped.len() - 8;
    flipped[checksum] ^= 1;
    let error = read_bytes(&flipped, "a").expect_err("the checksum is wrong");
    assert!(matches!(error.problem, Problem::Gzip(_)), "{error}");

    // Lines count in the text, not in the file.
    let error = read_bytes(&gzip(b"%%MatrixMarket matrix array real general\n1 1\nx\n"), "a.gz").expect_err("x");
    assert_eq!(error.line, Some(3), "{error}");
}

#[test]
fn a_small_file_that_inflates_without_end_is_refused() {
    let bomb = gzip(&[REAL.as_bytes(), &vec![b'\n'; 80 << 20]].concat());
    let error = read_bytes(&bomb, "bomb.mtx.gz").expect_err("no matrix");
    assert!(matches!(error.problem, Problem::Bomb { .. }), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let error = read("no/such/file.mtx").expect_err("it does not exist");
    assert!(matches!(error.problem, Problem::Io(_)));
    assert!(error.to_string().starts_with("no/such/file.mtx: "), "{error}");
    assert_eq!(error.line, None);
}
