// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the built command on files in a folder of its own.
#![allow(dead_code)] // each test program uses its part

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

/// What one run left behind.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The JSON object on stdout of a run that went well.
    pub fn json(&self) -> Json {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }

    /// The text on stdout of a run that went well and kept stderr clean.
    pub fn text(&self) -> &str {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "{}", self.stdout);
        &self.stdout
    }

    /// The one line on stderr of a run that was refused, and printed nothing else.
    pub fn error(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (2, ""), "{}", self.stderr);
        assert!(self.stderr.starts_with("error: ") && self.stderr.trim_end().lines().count() == 1, "{}", self.stderr);
        self.stderr.trim_end()
    }
}

/// A folder that goes away with the test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("ocean_cli_{}_{test}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files takes another");
        Self(folder)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file and gives its path.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).expect("a new file");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind is no reason to fail.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn ocean(arguments: &[&str]) -> Run {
    ocean_with(arguments, &[])
}

/// With environment variables.
pub fn ocean_with(arguments: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ocean"));
    let output = command.args(arguments).envs(variables.iter().copied()).output().expect("the command starts");
    Run {
        code: output.status.code().expect("no signal ended it"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The matrices of the vendor's SpGEMM samples, and their product.
pub const A: &str = "%%MatrixMarket matrix coordinate real general\n4 4 9\n\
                     1 1 1\n1 3 2\n1 4 3\n2 2 4\n3 1 5\n3 3 6\n3 4 7\n4 2 8\n4 4 9\n";
pub const B: &str = "%%MatrixMarket matrix coordinate integer general\n4 4 8\n\
                     1 1 1\n1 4 2\n2 2 3\n2 4 4\n3 1 5\n3 2 6\n3 3 7\n4 2 8\n";
pub const A_TIMES_B: &str = "%%MatrixMarket matrix coordinate real general\n4 4 12\n\
                             1 1 11\n1 2 36\n1 3 14\n1 4 2\n2 2 12\n2 4 16\n\
                             3 1 35\n3 2 92\n3 3 42\n3 4 10\n4 2 96\n4 4 32\n";

/// A matrix that is not square: 2 x 3.
pub const WIDE: &str = "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1\n1 3 2\n2 3 -3\n";

/// Whether a file is there.
pub fn exists(path: &str) -> bool {
    Path::new(path).exists()
}
