// SPDX-License-Identifier: MIT OR Apache-2.0
//! Products of matrices that are spread over ranks: *Trident* (two dimensions between nodes, one or two inside), Sparse
//! SUMMA, and products by rows that fetch only what they need.
//!
//! [`Grid`], [`Cuts`], [`Layout`] and [`Schedule`] say who holds what and who needs which piece when; they know of
//! sizes alone. [`Comm`] is what a transport offers, [`World`] what a program calls. Local products are ocean's own.
//! `docs/distributed.md` says how it works, and how to run it on a cluster.
//!
//! ```
//! use std::time::Duration;
//! use ocean::dist::{Entries, Options, Setup, ThreadComm, World};
//!
//! // Four ranks in nodes of two, as threads; each holds one entry of the diagonal.
//! std::thread::scope(|scope| {
//!     for comm in ThreadComm::world(4, 2) {
//!         scope.spawn(move || {
//!             let setup = Setup { timeout: Some(Duration::from_secs(60)), ..Setup::default() };
//!             let mut world = World::new(Box::new(comm), setup).unwrap();
//!             let rank = world.rank() as u64;
//!             let a = Entries { rows: 4, cols: 4, row: vec![rank], col: vec![rank], values: vec![2.0] };
//!             let product = world.multiply(&a, None, &Options::default()).unwrap();
//!             assert_eq!(product.c.block.values, [4.0]);
//!             if rank == 0 {
//!                 println!("{}", product.explanation.unwrap()); // auto's table of candidates
//!             }
//!         });
//!     }
//! });
//! ```

mod bits;
mod choose;
mod cluster;
mod comm;
pub mod cost;
mod cuts;
mod entries;
mod grid;
mod layout;
mod local;
mod permutation;
mod plan;
mod prepared;
mod probe;
mod profile;
mod reactor;
mod route;
mod schedule;
mod session;
mod shape;
mod trace;
pub mod volume;
mod wire;
mod worker;
mod world;

pub use choose::{Candidate, Explanation};
pub use cluster::Clustering;
pub use comm::{Comm, Delay, MpiComm, ThreadComm, Ticket};
pub(crate) use comm::{Queue, Requests};
pub use cuts::Cuts;
pub use entries::{Entries, Matrix};
pub use grid::{Grid, Seat, common_per_node};
pub use layout::{Block, Layout};
pub use permutation::Permutation;
pub use plan::Plan;
pub use prepared::Prepared;
pub use probe::{Event, Nobody, Probe};
pub use profile::{Profile, Traffic};
pub use schedule::{Need, Operand, Parcel, Schedule};
pub use shape::{Algorithm, Shape, Sums};
pub use trace::{Moment, Trace};
pub use world::{Options, Product, Setup, World};

/// A number that tells values apart that print differently; the same in every process of one build.
pub(crate) fn fingerprint(value: &impl std::fmt::Debug) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    format!("{value:?}").hash(&mut hasher);
    hasher.finish()
}
