// SPDX-License-Identifier: MIT OR Apache-2.0

//! Has CMake build the C, C++ and Fortran programs, and asks CTest for them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::setup::Tools;
use crate::shell::{Step, root, target};

/// Configures and builds the tests in `folder`. cargo's part goes to the usual target folder, so that nothing is
/// built twice.
pub fn build(tools: &Tools, folder: &Path, archs: &str, options: &[String]) -> Result<(), String> {
    let configure = Step::new("cmake").arg("-S").arg(root()).arg("-B").arg(folder).args([
        "-DOCEAN_TESTS=ON".to_string(),
        format!("-DOCEAN_TARGET_DIR={}", target().display()),
        format!("-DOCEAN_CUDA_ARCHS={archs}"),
    ]);
    let configure = match &tools.cuda {
        Ok(kit) => configure.arg("-DOCEAN_CUDA=ON").arg(format!("-DCUDAToolkit_ROOT={}", kit.root.display())),
        Err(_) => configure.arg("-DOCEAN_CUDA=OFF"),
    };
    configure.args(options).run()?;
    Step::new("cmake").arg("--build").arg(folder).args(["--parallel", &jobs().to_string()]).run()
}

/// How many programs may run at a time.
pub fn jobs() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// One of our own programs that CTest starts, for one test or for many.
pub struct Program {
    /// The program.
    pub file: PathBuf,
    /// The tests in it that CTest starts one by one; it takes many as well.
    pub arguments: Vec<String>,
    /// Variables that its tests set.
    pub environment: Vec<(String, String)>,
}

/// Programs that were built in `folder` and are started by tests that have none of these labels; scripts and compilers
/// are left out.
pub fn programs(folder: &Path, without: &[&str]) -> Result<Vec<Program>, String> {
    let listing = Step::new("ctest").arg("--test-dir").arg(folder).arg("--show-only=json-v1");
    let listing = listing.read().ok_or("ctest can't list its tests")?;
    let listing: Value = serde_json::from_str(&listing).map_err(|error| format!("ctest's list: {error}"))?;
    let mut programs = Program::of_list(&listing, without);
    programs.retain(|program| program.is_built_in(folder));
    if programs.is_empty() { Err("ctest lists no program".into()) } else { Ok(programs) }
}

impl Program {
    /// Its file's name.
    pub fn name(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn of_list(listing: &Value, without: &[&str]) -> Vec<Self> {
        let mut programs: Vec<Self> = Vec::new();
        for test in listing["tests"].as_array().into_iter().flatten() {
            let labels = property(test, "LABELS");
            let Some(program) = Self::of(test) else { continue };
            if labels.iter().any(|label| without.contains(&label.as_str())) {
                continue;
            }
            let same = |known: &&mut Self| known.file == program.file && known.environment == program.environment;
            match programs.iter_mut().find(same) {
                Some(known) => known.arguments.extend(program.arguments),
                None => programs.push(program),
            }
        }
        programs
    }

    fn of(test: &Value) -> Option<Self> {
        let settings = property(test, "ENVIRONMENT");
        let settings = settings.iter().filter_map(|setting| setting.split_once('='));
        let mut command = strings(&test["command"]).into_iter();
        Some(Self {
            file: command.next()?.into(),
            arguments: command.collect(),
            environment: settings.map(|(name, value)| (name.into(), value.into())).collect(),
        })
    }

    fn is_built_in(&self, folder: &Path) -> bool {
        self.file.starts_with(folder) && fs::read(&self.file).is_ok_and(|bytes| bytes.starts_with(b"\x7fELF"))
    }
}

fn property(test: &Value, name: &str) -> Vec<String> {
    let properties = test["properties"].as_array().into_iter().flatten();
    properties.filter(|property| property["name"] == name).flat_map(|property| strings(&property["value"])).collect()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn test(case: &str, setting: &str, label: &str) -> Value {
        json!({"command": ["/build/status", case], "properties": [
            {"name": "ENVIRONMENT", "value": ["A=1", setting]}, {"name": "LABELS", "value": [label]}]})
    }

    #[test]
    fn tests_of_one_program_become_one_program_for_each_environment() {
        let tests =
            [test("a", "B=x=y", "l"), test("b", "B=x=y", "l"), test("c", "B=2", "l"), test("d", "B=2", "heavy")];
        let programs = Program::of_list(&json!({"tests": tests}), &["heavy"]);
        assert_eq!(programs.len(), 2);
        assert_eq!(programs[0].name(), "status");
        assert_eq!(programs[0].arguments, ["a", "b"]);
        assert_eq!(programs[0].environment, [("A".into(), "1".into()), ("B".into(), "x=y".into())]);
        assert_eq!(programs[1].arguments, ["c"]);
    }

    #[test]
    fn a_test_without_a_command_is_none() {
        assert!(Program::of_list(&json!({"tests": [{"name": "not built"}]}), &[]).is_empty());
    }
}
