// SPDX-License-Identifier: MIT OR Apache-2.0
//! What sixteen ranks do while one of them is late: `cargo run --example timeline [folder]` writes `timeline.txt`, one line
//! an event, and `timeline.svg`. Only the row and the column of the late rank wait for it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ocean::dist::{Algorithm, Delay, Entries, Layout, Setup, Shape, Sums, ThreadComm, Trace, World};

const RANKS: usize = 16;
const SIZE: u64 = 320;

/// A sparse pattern, of which a rank gives what its own block holds.
fn block_of(layout: &Layout, rank: usize) -> Entries<f64> {
    let block = layout.block(rank);
    let mut entries = Entries { rows: SIZE, cols: SIZE, row: vec![], col: vec![], values: vec![] };
    for row in block.rows {
        for col in block.cols.clone().filter(|col| (row * 7 + col * 3) % 40 == 0) {
            entries.row.push(row);
            entries.col.push(col);
            entries.values.push(1.0);
        }
    }
    entries
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    let trace = Arc::new(Trace::default());
    let delay: Delay = Arc::new(|from, _, bytes| Duration::from_millis(if from == 0 && bytes > 520 { 300 } else { 0 }));
    std::thread::scope(|scope| {
        for comm in ThreadComm::with_delay(RANKS, 1, Some(delay)) {
            let trace = Arc::clone(&trace);
            scope.spawn(move || -> ocean::error::Result<()> {
                let setup = Setup { per_node: Some(1), probe: trace, ..Setup::default() };
                let mut world = World::new(Box::new(comm), setup)?;
                let Some(shape) = Shape::of(Algorithm::Trident, RANKS, 1)? else { return Ok(()) };
                let layout = shape.layouts([SIZE; 3]).0;
                let a = world.distribute(&block_of(&layout, world.rank()), &layout)?;
                let plan = world.plan(&a, &a, shape, Sums::ByRounds(1))?;
                world.execute(&plan, &a, &a).map(drop)
            });
        }
    });
    std::fs::write(folder.join("timeline.txt"), trace.lines())?;
    std::fs::write(folder.join("timeline.svg"), trace.svg(Some(0)))?;
    println!("{} events in {}", trace.moments().len(), folder.join("timeline.svg").display());
    Ok(())
}
