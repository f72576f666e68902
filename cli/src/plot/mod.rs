// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pictures of one product, as SVG: `ocean explain --plot`.

mod estimates;
mod spy;
mod stages;

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use crate::failure::{Failure, Result};

pub use estimates::Estimates;
pub use spy::Pattern;
pub use stages::draw as stages;

/// Colours that stay apart for most kinds of colour blindness (Okabe and Ito).
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);
const GREY: RGBColor = RGBColor(110, 110, 110);

/// A picture's text, or why it could not be drawn.
type Drawn = std::result::Result<String, Box<dyn Error>>;

/// The structure of A, B and C side by side.
pub fn spy(patterns: &[Pattern<'_>; 3]) -> Drawn {
    spy::draw(patterns)
}

/// Writes a picture into the folder, and gives its path.
pub fn write(folder: &Path, name: &str, drawn: Drawn) -> Result<String> {
    let path = folder.join(name);
    let fail = |error: &dyn std::fmt::Display| Failure::refused(format!("{}: {error}", path.display()));
    let svg = drawn.map_err(|error| fail(&error))?;
    std::fs::create_dir_all(folder).map_err(|error| fail(&error))?;
    std::fs::write(&path, svg).map_err(|error| fail(&error))?;
    Ok(path.display().to_string())
}
