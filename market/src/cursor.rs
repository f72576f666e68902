// SPDX-License-Identifier: MIT OR Apache-2.0
//! Walks over the text byte by byte and counts lines. Knows blanks, words and numbers, no matrices.

use crate::Problem;
use crate::error::excerpt;

/// A place in the text. A carriage return counts as a blank, so both line ends work.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    /// The line that the next byte belongs to, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Bytes already passed.
    pub(crate) fn passed(&self) -> usize {
        self.at
    }

    /// Bytes in all.
    pub(crate) fn total(&self) -> usize {
        self.bytes.len()
    }

    /// Bytes still to come.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// The next byte, if any.
    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// Goes to the first byte of the next line that is not blank, or to the end of the text.
    #[inline]
    pub(crate) fn skip_blank_lines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.at += 1;
            self.line += 1;
        }
    }

    /// The rest of this line, which ends before the line break; does not move.
    pub(crate) fn rest_of_line(&self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end])
    }

    /// Takes the rest of this line and goes to the next.
    pub(crate) fn take_line(&mut self) -> &'a [u8] {
        let line = self.rest_of_line();
        self.at += line.len();
        self.skip_blanks(); // the carriage return
        if self.peek() == Some(b'\n') {
            self.at += 1;
            self.line += 1;
        }
        line
    }

    /// Takes the next word of this line.
    #[inline]
    pub(crate) fn word(&mut self, what: &'static str) -> Result<&'a [u8], Problem> {
        self.skip_blanks();
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).unwrap_or(rest.len());
        if end == 0 {
            return Err(Problem::Missing { what });
        }
        self.at += end;
        Ok(&rest[..end])
    }

    /// Takes the next word, digits only, as a number; one past 64 bits is not a number.
    #[inline]
    pub(crate) fn natural(&mut self, what: &'static str) -> Result<u64, Problem> {
        // Nineteen digits always fit: the sum needs no check, only the count of digits does.
        const SAFE_DIGITS: usize = 19;
        self.skip_blanks();
        let start = self.at;
        let mut value = 0u64;
        while let Some(byte @ b'0'..=b'9') = self.peek() {
            value = value.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            self.at += 1;
        }
        let digits = self.at - start;
        if (1..=SAFE_DIGITS).contains(&digits) && matches!(self.peek(), None | Some(b' ' | b'\t' | b'\r' | b'\n')) {
            return Ok(value);
        }
        self.at = start;
        let word = self.word(what)?;
        let parsed = if word.iter().all(u8::is_ascii_digit) { parse(word) } else { None };
        parsed.ok_or_else(|| not_a(what, word, "whole number of at most 64 bits"))
    }

    /// Takes the next word as a real number.
    #[inline]
    pub(crate) fn real(&mut self, what: &'static str) -> Result<f64, Problem> {
        let word = self.word(what)?;
        parse(word).ok_or_else(|| not_a(what, word, "number"))
    }

    /// Takes the next word as an integer that binary64 holds exactly.
    #[inline]
    pub(crate) fn integer(&mut self, what: &'static str) -> Result<f64, Problem> {
        const EXACT: u64 = 1 << 53;
        let word = self.word(what)?;
        let value: i64 = parse(word).ok_or_else(|| not_a(what, word, "whole number of at most 64 bits"))?;
        if value.unsigned_abs() > EXACT {
            return Err(Problem::Inexact { value });
        }
        Ok(value as f64)
    }

    /// Takes the line break; anything else is an error.
    #[inline]
    pub(crate) fn end_of_line(&mut self) -> Result<(), Problem> {
        self.skip_blanks();
        match self.peek() {
            None => Ok(()),
            Some(b'\n') => {
                self.at += 1;
                self.line += 1;
                Ok(())
            }
            Some(_) => Err(Problem::Trailing { found: excerpt(self.rest_of_line()) }),
        }
    }
}

/// A word as Rust parses it: reals may be `1`, `.5`, `-1e-3`, `inf`, `NaN`.
#[inline]
fn parse<T: std::str::FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

fn not_a(what: &'static str, word: &[u8], kind: &'static str) -> Problem {
    Problem::Number { what, found: excerpt(word), kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn naturals_stop_at_64_bits() {
        let parse = |text: &str| Cursor::new(text.as_bytes()).natural("n");
        assert_eq!(parse("0007").unwrap(), 7);
        assert_eq!(parse("9999999999999999999").unwrap(), 9_999_999_999_999_999_999);
        assert_eq!(parse("18446744073709551615").unwrap(), u64::MAX);
        assert_eq!(parse("00000000000000000000000042").unwrap(), 42);
        for bad in ["18446744073709551616", "+1", "-1", "1.0", "1x", "x", "\u{661}"] {
            assert!(matches!(parse(bad), Err(Problem::Number { .. })), "{bad}");
        }
        assert!(matches!(parse(" \n1"), Err(Problem::Missing { what: "n" })));
    }

    #[test]
    fn lines_are_counted_with_either_line_end() {
        let mut cursor = Cursor::new(b"a b\r\n\r\n \t\nc\n");
        assert_eq!(cursor.take_line(), b"a b");
        cursor.skip_blank_lines();
        assert_eq!(cursor.line(), 4);
        assert_eq!(cursor.word("w").unwrap(), b"c");
        cursor.end_of_line().unwrap();
        assert_eq!((cursor.line(), cursor.left(), cursor.passed()), (5, 0, 12));
        cursor.end_of_line().unwrap(); // the end of the text ends a line too
        assert_eq!(cursor.take_line(), b"");
    }
}
