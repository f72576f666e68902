// SPDX-License-Identifier: MIT OR Apache-2.0
//! The environment variables, each read once.

use std::env;
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStringExt;
use std::sync::OnceLock;

/// How much is said on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing.
    Off,
    /// What failed.
    Error,
    /// Also who serves what.
    Info,
}

/// What the user asked for.
pub struct Settings {
    /// `OCEAN_DISABLE=1`: everything goes to the real library.
    pub disabled: bool,
    /// `OCEAN_STATS=1`: say at exit what was done.
    pub statistics: bool,
    /// `OCEAN_LOG`.
    pub level: Level,
    /// `OCEAN_CUSPARSE_LIBRARY`: the real library's file.
    pub library: Option<CString>,
    /// `OCEAN_BACKEND=host`: arrays lie in host memory. Never assumed: they are the GPU's in every program that knows
    /// of cuSPARSE, but for our own tests.
    pub on_host: bool,
}

/// What the environment said when this was first asked.
pub fn settings() -> &'static Settings {
    static SETTINGS: OnceLock<Settings> = OnceLock::new();
    SETTINGS.get_or_init(|| Settings {
        disabled: asked_for(env::var_os("OCEAN_DISABLE").as_deref()),
        statistics: asked_for(env::var_os("OCEAN_STATS").as_deref()),
        level: level(env::var("OCEAN_LOG").as_deref().unwrap_or_default()),
        library: env::var_os("OCEAN_CUSPARSE_LIBRARY")
            .filter(|path| !path.is_empty())
            .and_then(|path| CString::new(path.into_vec()).ok()),
        on_host: env::var_os("OCEAN_BACKEND").is_some_and(|backend| backend == "host"),
    })
}

/// Unset, empty and 0 ask for nothing.
fn asked_for(value: Option<&OsStr>) -> bool {
    value.is_some_and(|value| !value.is_empty() && value != "0")
}

/// Names that are not known count as the default, errors: a typo must not hide them.
fn level(name: &str) -> Level {
    match name {
        "off" => Level::Off,
        "info" | "debug" | "trace" => Level::Info,
        _ => Level::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_and_0_ask_for_nothing() {
        for (value, asked) in [(None, false), (Some(""), false), (Some("0"), false), (Some("1"), true)] {
            assert_eq!(asked_for(value.map(OsStr::new)), asked, "{value:?}");
        }
    }

    #[test]
    fn only_info_and_finer_say_who_serves_what() {
        assert!(level("info") == Level::Info && level("trace") == Level::Info);
        assert!(level("") == Level::Error && level("warn") == Level::Error && level("off") == Level::Off);
    }
}
