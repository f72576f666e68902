// SPDX-License-Identifier: MIT OR Apache-2.0

//! Runs other programs: says what it runs, and keeps what they print where a layer counts results.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fmt};

/// The folder with the workspace's `Cargo.toml`.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Cargo's target folder, where everything that this crate makes goes too.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// One program with its arguments, run in the workspace's root unless told otherwise.
pub struct Step {
    command: Command,
    settings: Vec<(OsString, OsString)>,
}

/// What a program did and printed.
pub struct Output {
    /// What it exited with; `None` if a signal ended it.
    pub status: Option<i32>,
    /// stdout and stderr, as they came.
    pub lines: Vec<String>,
}

impl Output {
    /// Whether it exited with 0.
    pub fn success(&self) -> bool {
        self.status == Some(0)
    }
}

impl Step {
    /// `program`, found on PATH if it is a bare name.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.current_dir(root()).stdin(Stdio::null());
        // cargo runs this program with its own library folders in front; tests must not find libocean.so there.
        if let Some(path) = env::var_os("LD_LIBRARY_PATH") {
            let foreign = env::split_paths(&path).filter(|dir| !dir.starts_with(target()));
            command.env("LD_LIBRARY_PATH", env::join_paths(foreign).expect("they were joined before"));
        }
        Self { command, settings: Vec::new() }
    }

    /// The cargo that runs this program.
    pub fn cargo() -> Self {
        Self::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// Adds one argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Adds arguments.
    pub fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    /// Sets an environment variable.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.settings.push((name.as_ref().into(), value.as_ref().into()));
        self.command.env(name, value);
        self
    }

    /// Takes an environment variable away.
    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// Runs with this terminal's output. An error says what failed.
    pub fn run(mut self) -> Result<(), String> {
        self.announce();
        match self.command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{self}: {status}")),
            Err(error) => Err(format!("{self}: {error}")),
        }
    }

    /// Runs, and shows what the program printed only if it failed.
    pub fn run_quietly(mut self) -> Result<(), String> {
        self.announce();
        let output = self.command.output().map_err(|error| format!("{self}: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        print!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        Err(format!("{self}: {}", output.status))
    }

    /// Runs, prints what the program prints as it comes, and keeps it. Only a program that can't start is an error.
    pub fn tee(mut self) -> Result<Output, String> {
        self.announce();
        if io::stdout().is_terminal() {
            self.command.env("CARGO_TERM_COLOR", "always");
        }
        let (reader, writer) = io::pipe().map_err(|error| format!("{self}: {error}"))?;
        let copy = writer.try_clone().map_err(|error| format!("{self}: {error}"))?;
        let shown = self.to_string();
        let mut child =
            self.command.stdout(copy).stderr(writer).spawn().map_err(|error| format!("{shown}: {error}"))?;
        drop(self); // with its ends of the pipe, so that reading ends when the program does

        let mut reader = BufReader::new(reader);
        let mut lines = Vec::new();
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
            let text = String::from_utf8_lossy(&line);
            print!("{text}");
            lines.push(text.trim_end().to_string());
            line.clear();
        }
        let status = child.wait().map_err(|error| format!("{shown}: {error}"))?;
        Ok(Output { status: status.code(), lines })
    }

    /// Runs in silence and gives stdout; `None` if it can't start or fails.
    pub fn read(mut self) -> Option<String> {
        let output = self.command.stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn announce(&self) {
        println!("$ {self}");
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.settings {
            write!(f, "{}={} ", name.display(), quoted(value))?;
        }
        let program = Path::new(self.command.get_program());
        write!(f, "{}", program.file_name().unwrap_or(program.as_os_str()).display())?;
        self.command.get_args().try_for_each(|arg| write!(f, " {}", quoted(arg)))
    }
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy().replace(&format!("{}/", root().display()), "");
    if word.is_empty() || word.contains(|c: char| c.is_whitespace() || "|&;<>()$`\"'*?[#~".contains(c)) {
        format!("'{word}'")
    } else {
        word
    }
}

/// The program of this name on PATH.
pub fn find_program(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|dir| dir.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_shows_what_one_would_type() {
        let step = Step::new("/usr/bin/env").arg("a b").arg(root().join("Cargo.toml")).env("NAME", "1;2");
        assert_eq!(step.to_string(), "NAME='1;2' env 'a b' Cargo.toml");
    }

    #[test]
    fn tee_keeps_both_streams_and_the_exit_status() {
        let output = Step::new("sh").args(["-c", "echo one; echo two >&2; exit 3"]).tee().unwrap();
        assert_eq!(output.status, Some(3));
        assert_eq!(output.lines, ["one", "two"]);
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error_with_its_name() {
        let error = Step::new("no-such-program-at-all").run().unwrap_err();
        assert!(error.contains("no-such-program-at-all"), "{error}");
    }
}
