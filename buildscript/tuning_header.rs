// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prints the constants of a Rust file as a C++ header, so that a number shared with kernels is written once.

/// `pub const ROW_TILE: u32 = 1_024;` becomes `constexpr unsigned kRowTile = 1024;`.
///
/// Nothing but documentation and such lines is understood, so that none is passed over in silence.
///
/// # Errors
/// The first other line.
pub fn header(rust: &str) -> Result<String, String> {
    let mut cpp = String::from(
        "// Written by build.rs from src/tuning/kernel.rs; each number is explained there.\n#pragma once\n",
    );
    cpp += "#include <cstdint>\n\nnamespace ocean::tuning {\n";
    for (number, line) in rust.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        cpp += &constant(line)
            .ok_or_else(|| format!("line {}: not `pub const NAME: TYPE = NUMBER;`: {line}", number + 1))?;
    }
    Ok(cpp + "}  // namespace ocean::tuning\n")
}

fn constant(line: &str) -> Option<String> {
    let (name, rest) = line.strip_prefix("pub const ")?.split_once(": ")?;
    let (kind, value) = rest.strip_suffix(';')?.split_once(" = ")?;
    let (kind, suffix) = match kind {
        "u32" => ("unsigned", "u"),
        "i32" => ("int", ""),
        "i64" => ("int64_t", "ll"),
        "usize" => ("size_t", "ull"),
        _ => return None,
    };
    let digits = value.replace('_', "");
    let plain = digits.strip_prefix('-').unwrap_or(&digits);
    if plain.is_empty() || !plain.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    Some(format!("constexpr {kind} {} = {digits}{suffix};\n", camel_case(name)))
}

fn camel_case(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..].to_lowercase();
    format!("k{}", name.split('_').filter(|word| !word.is_empty()).map(capital).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_keeps_its_value_and_takes_a_c_name() {
        let rust = "//! Doc.\n\n/// Why.\npub const ROW_TILE: u32 = 1_024;\npub const LEAST: i64 = -5;\n";
        let cpp = header(rust).unwrap();
        assert!(cpp.contains("constexpr unsigned kRowTile = 1024u;\n"), "{cpp}");
        assert!(cpp.contains("constexpr int64_t kLeast = -5ll;\n"), "{cpp}");
    }

    #[test]
    fn what_is_not_understood_is_an_error_with_its_line() {
        for line in [
            "pub const A: u32 = 1 << 3;",
            "pub const A: f64 = 1.0;",
            "pub const A: u32 = 2; // why",
            "const A: u32 = 2;",
        ] {
            let error = header(&format!("\n{line}\n")).unwrap_err();
            assert!(error.starts_with("line 2: ") && error.contains(line), "{error}");
        }
    }
}
