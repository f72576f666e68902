// SPDX-License-Identifier: MIT OR Apache-2.0

//! How the results came about.

use super::runs::Runs;

/// Without a GPU, and with one; `MATRICES` is the folder of the test data. Matrices whose C is very large are left out: each
/// set of options has all of its C checked on the host.
const COMMANDS: &str = "\
Without a GPU:

    OCEAN_TEST_DATA=MATRICES cargo run --release --no-default-features --example estimation > benches/results/reproduction/estimation.json
    ocean generate er 20000 --degree 200 --seed 33 -o er_20k_200.mtx.gz
    cargo run --release --no-default-features --example estimation er_20k_200.mtx.gz > benches/results/reproduction/estimation-generated.json

On a GPU, the versions, the other workflow, and registers and shares, all in one process so that they take turns. Products whose
C has some 200 million entries or more are left out, since C is checked on the host for each set of options:

    ocean bench --matrix tiny_er_1k,tiny_p2d_10k,tiny_er_10k_16,p2d_300,p2d_2000,p3d7_128,p3d27_30,p3d27_100,er_1m_4,road_5m,web_1m,rmat16_16,fem51_200k,fem110_200k,clique48perm_200k,clique96_100k,clique_ER32_1m,rect_AAt_200k,amg_RA_96,amg_RAxP_96,dense_rc_1m --forms staged --tools ocean,cusparse_default --runs 7 --seconds 1 --profile --variant v1:ablation=v1 --variant v2:ablation=v2 --variant v3:ablation=v3 --variant v4:ablation=v4 --variant auto: --variant exact:workflow=exact --variant v4_exact:ablation=v4,workflow=exact --variant v4_estimate:ablation=v4,workflow=estimate --variant r32:ablation=v4,registers=32 --variant r64:ablation=v4,registers=64 --variant s1:ablation=v4,sampling=0.01 --variant s5:ablation=v4,sampling=0.05 --json benches/results/reproduction/suite.json
    ocean bench MATRICES --max-products 200000000 --forms staged --tools ocean,cusparse_default --runs 7 --seconds 1 --profile --variant v1:ablation=v1 --variant v2:ablation=v2 --variant v3:ablation=v3 --variant v4:ablation=v4 --variant auto: --variant exact:workflow=exact --variant v4_exact:ablation=v4,workflow=exact --variant v4_estimate:ablation=v4,workflow=estimate --variant r32:ablation=v4,registers=32 --variant r64:ablation=v4,registers=64 --variant s1:ablation=v4,sampling=0.01 --variant s5:ablation=v4,sampling=0.05 --json benches/results/reproduction/data.json
    ocean bench MATRICES --matrix ogbl_ddi,pbmc1k,hypothyroid_k1,ship001,mushroom_best,landmark,blogcatalog --forms staged --tools ocean,cusparse_default --runs 7 --seconds 1 --profile --variant v1:ablation=v1 --variant v2:ablation=v2 --variant v3:ablation=v3 --variant v4:ablation=v4 --variant auto: --variant exact:workflow=exact --variant v4_exact:ablation=v4,workflow=exact --variant v4_estimate:ablation=v4,workflow=estimate --variant r32:ablation=v4,registers=32 --variant r64:ablation=v4,registers=64 --variant s1:ablation=v4,sampling=0.01 --variant s5:ablation=v4,sampling=0.05 --json benches/results/reproduction/data-large.json

And in one call:

    ocean bench --matrix tiny_er_1k,tiny_p2d_10k,tiny_er_10k_16,p2d_300,p2d_2000,p3d7_128,p3d27_30,p3d27_100,er_1m_4,road_5m,web_1m,rmat16_16,fem51_200k,fem110_200k,clique48perm_200k,clique96_100k,clique_ER32_1m,rect_AAt_200k,amg_RA_96,amg_RAxP_96,dense_rc_1m --forms one_call --tools ocean --runs 7 --seconds 1 --variant auto: --variant exact:workflow=exact --json benches/results/reproduction/suite-one-call.json
    ocean bench MATRICES --max-products 200000000 --forms one_call --tools ocean --runs 7 --seconds 1 --variant auto: --variant exact:workflow=exact --json benches/results/reproduction/data-one-call.json
    ocean bench MATRICES --matrix ogbl_ddi,pbmc1k,hypothyroid_k1,ship001,mushroom_best,landmark,blogcatalog --forms one_call --tools ocean --runs 7 --seconds 1 --variant auto: --variant exact:workflow=exact --json benches/results/reproduction/data-large-one-call.json

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
