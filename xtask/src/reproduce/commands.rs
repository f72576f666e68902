// SPDX-License-Identifier: MIT OR Apache-2.0

//! How the results came about.

use super::runs::Runs;

/// Without a GPU, and with one; `MATRICES` is the folder of the test data.
const COMMANDS: &str = "\
Without a GPU:

    OCEAN_TEST_DATA=MATRICES cargo run --release --no-default-features --example estimation > benches/results/reproduction/estimation.json

On a GPU, the versions, the other workflow, and registers and shares, all in one process so that they take turns:

    ocean bench --suite --max-products 1000000000 --forms staged --tools ocean,cusparse_default --runs 7 --seconds 1 --profile --variant v1:ablation=v1 --variant v2:ablation=v2 --variant v3:ablation=v3 --variant v4:ablation=v4 --variant auto: --variant exact:workflow=exact --variant v4_exact:ablation=v4,workflow=exact --variant v4_estimate:ablation=v4,workflow=estimate --variant r32:ablation=v4,registers=32 --variant r64:ablation=v4,registers=64 --variant s1:ablation=v4,sampling=0.01 --variant s5:ablation=v4,sampling=0.05 --json benches/results/reproduction/suite.json
    ocean bench MATRICES --max-products 1000000000 --forms staged --tools ocean,cusparse_default --runs 7 --seconds 1 --profile --variant v1:ablation=v1 --variant v2:ablation=v2 --variant v3:ablation=v3 --variant v4:ablation=v4 --variant auto: --variant exact:workflow=exact --variant v4_exact:ablation=v4,workflow=exact --variant v4_estimate:ablation=v4,workflow=estimate --variant r32:ablation=v4,registers=32 --variant r64:ablation=v4,registers=64 --variant s1:ablation=v4,sampling=0.01 --variant s5:ablation=v4,sampling=0.05 --json benches/results/reproduction/data.json

For the headline table:

    ocean bench --suite --json benches/results/suite-h200.json
    ocean bench MATRICES --json benches/results/data-h200.json

And then:

    cargo xtask reproduce
";

pub fn section(versions: &Runs, headline: &Runs) -> String {
    let origins: Vec<String> =
        versions.origins.iter().chain(&headline.origins).map(|origin| format!("- {origin}\n")).collect();
    format!("## Commands\n\n{COMMANDS}\nThe files of the GPU that are there:\n\n{}", origins.concat())
}
