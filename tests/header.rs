// SPDX-License-Identifier: MIT OR Apache-2.0

//! The headers in include/ are what src/ffi gives, and every C and C++ compiler mode takes them without a warning.

mod interface;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use interface::{DIST, ONE, Part, assert_fresh, has, root, skip, spelled_right, without_links};

#[test]
fn headers_are_fresh() {
    for part in [ONE, DIST] {
        assert_fresh(part.header, &header(&part));
    }
}

fn header(part: &Part) -> String {
    let config = fs::read_to_string(root().join(part.config)).expect("the configuration can be read");
    let config = config
        .replace("@MAJOR@", env!("CARGO_PKG_VERSION_MAJOR"))
        .replace("@MINOR@", env!("CARGO_PKG_VERSION_MINOR"))
        .replace("@PATCH@", env!("CARGO_PKG_VERSION_PATCH"));
    let filled = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(part.config);
    fs::write(&filled, config).expect("the test's folder can be written");
    let config = cbindgen::Config::from_file(&filled).expect("it is a configuration of cbindgen's");

    let builder = cbindgen::Builder::new().with_config(config);
    let builder = part.sources().into_iter().fold(builder, |builder, file| builder.with_src(file));
    let mut header = Vec::new();
    builder.generate().unwrap_or_else(|error| panic!("{}: {error}", part.folder)).write(&mut header);
    tidy(&String::from_utf8(header).expect("cbindgen writes UTF-8"))
}

/// What cbindgen's configuration cannot say: some enumerators have a second name, the postfix stays on its line, a remark of one line takes one line, and
/// rustdoc's section on safety, which tells a reader of C nothing, goes.
fn tidy(header: &str) -> String {
    let header = without_links(header).replace(")\nOCEAN_NOEXCEPT;", ") OCEAN_NOEXCEPT;");
    let mut lines: Vec<String> = Vec::new();
    let mut in_safety = false;
    for line in header.lines().map(str::trim_end) {
        let text = line.trim_start();
        if text == "* # Safety" {
            in_safety = true;
            while lines.last().is_some_and(|last| last.trim_start() == "*") {
                lines.pop();
            }
        }
        in_safety &= text != "*/";
        if !in_safety {
            lines.push(line.to_string());
            lines.extend(spelled_right(line));
        }
        if text == "*/" {
            join_remark(&mut lines);
        }
    }
    lines.dedup_by(|next, last| next.is_empty() && last.is_empty());
    lines.join("\n") + "\n"
}

/// Makes `/**`, ` * Text.`, ` */` at the end one line.
fn join_remark(lines: &mut Vec<String>) {
    if let [.., open, text, _] = &lines[..]
        && open.trim_start() == "/**"
        && let Some((indent, text)) = text.split_once(" * ")
    {
        let joined = format!("{indent}/** {text} */");
        lines.truncate(lines.len() - 3);
        lines.push(joined);
    }
}

#[test]
fn tidy_joins_the_postfix_and_short_remarks_and_drops_safety() {
    let given = "  /**\n   * One, [`Two`].\n   */\n  A = 1,\n\n\n/**\n * Does it.\n * Twice.\n *\n * # Safety\n *\n * Pointers.\n */\n\
                 int f(int a)\nOCEAN_NOEXCEPT;\n";
    let wanted = "  /** One, Two. */\n  A = 1,\n\n/**\n * Does it.\n * Twice.\n */\nint f(int a) OCEAN_NOEXCEPT;\n";
    assert_eq!(tidy(given), wanted);
}

/// Standards that the header promises to serve.
const C: [&str; 3] = ["c99", "c11", "c17"];
const CPP: [&str; 4] = ["c++11", "c++14", "c++17", "c++20"];

#[test]
fn header_compiles_clean_in_every_standard() {
    let name = "header_compiles_clean_in_every_standard";
    every_standard(name, "alone", "#include <ocean.h>\n#include <ocean.h>\n", &[]);
    every_standard(name, "dist", "#include <ocean_dist.h>\n#include <ocean_dist.h>\n", &[]);
}

#[test]
fn header_compiles_clean_with_cuda_headers_before_and_after() {
    let name = "header_compiles_clean_with_cuda_headers_before_and_after";
    let Some(cuda) = cuda_include() else {
        return skip(name, "no CUDA headers");
    };
    let cuda = ["-isystem".to_string(), cuda.display().to_string()];
    let check = "oceanDataType_t check(cudaDataType type, cudaStream_t stream);\n\
                 oceanDataType_t check(cudaDataType type, cudaStream_t stream) { (void)stream; return type; }\n";
    let before = format!("#include <cuda_runtime_api.h>\n#include <ocean.h>\n{check}");
    let after = format!("#include <ocean.h>\n#include <cuda_runtime_api.h>\n{check}");
    every_standard(name, "cuda-before", &before, &cuda);
    every_standard(name, "cuda-after", &after, &cuda);
}

/// The folder of CUDA's headers, where build.rs found a toolkit.
fn cuda_include() -> Option<PathBuf> {
    toolkit::find().ok().map(|kit| kit.root.join("include")).filter(|dir| dir.join("library_types.h").is_file())
}

#[allow(dead_code, reason = "build.rs uses the rest")]
#[path = "../buildscript/toolkit.rs"]
mod toolkit;

fn every_standard(test: &str, name: &str, source: &str, flags: &[String]) {
    for (compiler, extension, standards) in [("cc", "c", &C[..]), ("c++", "cpp", &CPP[..])] {
        if !has(compiler) {
            skip(test, &format!("no {compiler}"));
            continue;
        }
        // One file for each test: they run at the same time.
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{extension}"));
        fs::write(&file, source).expect("the test's folder can be written");
        for standard in standards {
            let output = Command::new(compiler)
                .arg(format!("-std={standard}"))
                .args(["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "-I"])
                .arg(root().join("include"))
                .args(flags)
                .arg(&file)
                .output()
                .expect("the compiler starts");
            let words = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{compiler} -std={standard}, {name}:\n{words}");
        }
    }
}
