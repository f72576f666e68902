// SPDX-License-Identifier: MIT OR Apache-2.0
//! `ocean man`.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::arguments::{Arguments, ManArguments};
use crate::failure::{Failure, Result};
use crate::output;

pub fn run(arguments: &ManArguments) -> Result<()> {
    let command = Arguments::command().disable_help_subcommand(true);
    if let Some(folder) = &arguments.output {
        return clap_mangen::generate_to(command, folder)
            .map_err(|error| Failure::refused(format!("{}: {error}", folder.display())));
    }
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(Failure::refused)?;
    output::text(&String::from_utf8_lossy(&page))
}
