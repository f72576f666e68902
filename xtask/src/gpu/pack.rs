// SPDX-License-Identifier: MIT OR Apache-2.0

//! The folder that travels: programs without debug information, and a list of those that are tests.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{bytes_below, failed};
use crate::cmake::Program;
use crate::shell::Step;

/// A pack being filled.
pub struct Pack {
    folder: PathBuf,
    tests: Vec<String>,
}

impl Pack {
    /// An empty folder in place of whatever was there.
    pub fn new(folder: &Path) -> Result<Self, String> {
        if folder.exists() {
            fs::remove_dir_all(folder).map_err(failed(folder))?;
        }
        fs::create_dir_all(folder).map_err(failed(folder))?;
        Ok(Self { folder: folder.into(), tests: Vec::new() })
    }

    /// Adds a test program. `run.sh` says what kinds and marks there are.
    pub fn test(&mut self, name: &str, kind: &str, marks: &str, program: &Program) -> Result<(), String> {
        let words = |words: &[String]| if words.is_empty() { "-".into() } else { words.join(" ") };
        let settings: Vec<String> = program.environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
        // A Rust and a C test may share a name, and one program may be a test in several environments.
        let known = self.tests.iter().filter(|line| line.starts_with(&format!("{name}\t"))).count();
        let name = if known == 0 { name.to_string() } else { format!("{name}-{kind}-{known}") };
        self.program(&name, &program.file)?;
        self.tests.push([&name, kind, marks, &words(&settings), &words(&program.arguments)].join("\t"));
        Ok(())
    }

    /// Adds a program or library, stripped.
    pub fn program(&self, name: &str, file: &Path) -> Result<(), String> {
        if self.folder.join(name).exists() {
            return Err(format!("two programs are called {name}"));
        }
        self.file(name, file)?;
        let stripped = Step::new("strip").arg(self.folder.join(name)).read();
        stripped.map(drop).ok_or_else(|| format!("strip can't work on {}", file.display()))
    }

    /// Adds a file as it is.
    pub fn file(&self, name: &str, file: &Path) -> Result<(), String> {
        fs::copy(file, self.folder.join(name)).map(drop).map_err(failed(file))
    }

    /// Adds a file with this text.
    pub fn text(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        fs::write(&path, text).map_err(failed(&path))
    }

    /// Adds a program that is text.
    pub fn script(&self, name: &str, text: &str) -> Result<(), String> {
        self.text(name, text)?;
        let path = self.folder.join(name);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(failed(&path))
    }

    /// Adds a test that is a script, whose last line has the form of our own programs'.
    pub fn script_test(&mut self, name: &str, text: &str) -> Result<(), String> {
        self.tests.push([name, "program", "-", "-", "-"].join("\t"));
        self.script(name, text)
    }

    /// Adds files below a folder of the pack.
    pub fn folder(&self, name: &str, files: &[PathBuf]) -> Result<(), String> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        files.iter().try_for_each(|file| {
            let to = folder.join(file.file_name().unwrap_or_default());
            fs::copy(file, to).map(drop).map_err(failed(file))
        })
    }

    /// Writes the list of tests.
    pub fn list(&self) -> Result<(), String> {
        self.text("tests.tsv", &(self.tests.join("\n") + "\n"))
    }

    /// How much there is by now.
    pub fn bytes(&self) -> Result<u64, String> {
        bytes_below(&self.folder)
    }
}
