// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a file to a matrix.

use std::io::Read;
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::assemble::assemble;
use crate::cursor::Cursor;
use crate::{Error, Field, Header, Matrix, Problem, body};

/// A file's matrix and what its head said.
#[derive(Clone, Debug, PartialEq)]
pub struct Market {
    /// Banner, comments and sizes as stored.
    pub header: Header,
    /// The whole matrix.
    pub matrix: Matrix,
}

/// How far a read has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is going on.
    pub stage: Stage,
    /// Bytes done of this stage.
    pub done: u64,
    /// Bytes of this stage in all.
    pub total: u64,
}

/// The stages of a read that take time, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A gzipped file is inflated; counts its bytes as they lie on disk.
    Inflate,
    /// The text is parsed; counts its bytes.
    Parse,
}

/// Reads a file, plain or gzipped.
///
/// # Errors
/// A file that cannot be opened, or breaks the format: see [`Problem`].
pub fn read(path: impl AsRef<Path>) -> Result<Market, Error> {
    read_with_progress(path, &mut |_| {})
}

/// Like [`read`]; calls `progress` every few megabytes, and at the end of each stage.
///
/// # Errors
/// As [`read`].
pub fn read_with_progress(path: impl AsRef<Path>, progress: &mut dyn FnMut(Progress)) -> Result<Market, Error> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|error| Error::new(path, None, Problem::Io(error)))?;
    decode(bytes.as_slice(), path, progress)
}

/// Reads from memory, plain or gzipped; `name` is what errors call it.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(bytes: &[u8], name: impl AsRef<Path>) -> Result<Market, Error> {
    decode(bytes, name.as_ref(), &mut |_| {})
}

fn decode(bytes: &[u8], name: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Market, Error> {
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    if bytes.starts_with(&GZIP) {
        let text = inflate(bytes, progress).map_err(|problem| Error::new(name, None, problem))?;
        parse(&text, name, progress)
    } else {
        parse(bytes, name, progress)
    }
}

fn inflate(bytes: &[u8], progress: &mut dyn FnMut(Progress)) -> Result<Vec<u8>, Problem> {
    const PIECE: u64 = 4 << 20;
    // Matrices shrink to a third or, where rows repeat, to a hundredth; gzip alone can do a thousandth.
    const BOMB_FROM: u64 = 64 << 20;
    const BOMB_RATIO: u64 = 200;
    let mut decoder = MultiGzDecoder::new(bytes);
    let mut text = Vec::new();
    loop {
        let before = text.len();
        decoder.by_ref().take(PIECE).read_to_end(&mut text).map_err(Problem::Gzip)?;
        let done = (bytes.len() - decoder.get_ref().len()) as u64;
        progress(Progress { stage: Stage::Inflate, done, total: bytes.len() as u64 });
        let inflated = text.len() as u64;
        if inflated > BOMB_FROM && inflated / done.max(1) > BOMB_RATIO {
            return Err(Problem::Bomb { packed: done, inflated });
        }
        if text.len() == before {
            return Ok(text);
        }
    }
}

fn parse(bytes: &[u8], name: &Path, progress: &mut dyn FnMut(Progress)) -> Result<Market, Error> {
    let total = bytes.len() as u64;
    let mut report = |done| progress(Progress { stage: Stage::Parse, done, total });
    let mut text = Cursor::new(bytes);
    let market = market(&mut text, &mut report).map_err(|problem| {
        let line = if let Problem::Memory { .. } = problem { None } else { Some(text.line()) };
        Error::new(name, line, problem)
    })?;
    report(total);
    Ok(market)
}

fn market(text: &mut Cursor<'_>, progress: &mut dyn FnMut(u64)) -> Result<Market, Problem> {
    let header = Header::parse(text)?;
    let matrix = match header.field {
        Field::Real => {
            Matrix::Real(assemble(&header, &body::read(text, &header, |text| text.real("value"), progress)?)?)
        }
        Field::Integer => {
            Matrix::Real(assemble(&header, &body::read(text, &header, |text| text.integer("value"), progress)?)?)
        }
        Field::Pattern => Matrix::Real(assemble(&header, &body::read(text, &header, |_| Ok(1.0), progress)?)?),
        Field::Complex => {
            let pair = |text: &mut Cursor<'_>| Ok((text.real("real part")?, text.real("imaginary part")?));
            Matrix::Complex(assemble(&header, &body::read(text, &header, pair, progress)?)?)
        }
    };
    Ok(Market { header, matrix })
}
