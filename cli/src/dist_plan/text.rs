// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report as tables.

use std::fmt::Write;

use super::Report;

pub fn table(report: &Report) -> String {
    let mut out = report.a.line("A");
    // Writing to a string cannot fail.
    let _ = match report.permuted {
        Some(seed) => writeln!(out, "{:<14}rows and columns in one random order, seed {seed}", "permuted"),
        None => writeln!(out, "{:<14}as it is", "order"),
    };
    let _ = writeln!(out, "{:<14}A * A; entries that a GPU receives, counted; seconds by the model", "product");
    for world in &report.worlds {
        let _ = writeln!(out, "\n{} GPUs, {} a node", world.gpus, report.per_node);
        let _ = writeln!(
            out,
            "{:<33}{:>24}{:>12}{:>20}{:>10}{:>21}",
            "", "from other nodes", "in node", "imbalance of", "memory", "model, seconds"
        );
        let _ = writeln!(
            out,
            "{:<20}{:>13}{:>12}{:>12}{:>12}{:>10}{:>10}{:>10}{:>11}{:>10}",
            "", "grid", "mean", "most", "mean", "entries", "products", "GB, most", "to move", "in all"
        );
        for way in &world.ways {
            let [node_rows, node_cols, in_rows, in_cols] = way.grid;
            let grid = format!("{node_rows}x{node_cols} of {in_rows}x{in_cols}");
            let _ = writeln!(
                out,
                "{:<20}{grid:>13}{:>12.0}{:>12.0}{:>12.0}{:>10.2}{:>10.2}{:>10.3}{:>11.2e}{:>10.2e}",
                way.name,
                way.entries.between_nodes.mean,
                way.entries.between_nodes.max,
                way.entries.in_node.mean,
                way.entries.owned.imbalance(),
                way.entries.products.imbalance(),
                way.memory_bytes / 1e9,
                way.model_seconds.between_nodes + way.model_seconds.in_node,
                way.model_seconds.total,
            );
        }
        let ratio = |ratio: Option<f64>| ratio.map_or("none".into(), |ratio| format!("{ratio:.2}"));
        let _ = writeln!(
            out,
            "between nodes, summa / trident unfiltered: {} counted, {} by the formula for even matrices",
            ratio(world.summa_over_trident),
            ratio(world.summa_over_trident_by_formula),
        );
    }
    out
}
