// SPDX-License-Identifier: MIT OR Apache-2.0
//! alike: rows of C that are as long as others. Kernels: `cuda/analysis/alike.cu`.

use super::analysis::{Facts, described};
use super::kernels::{
    OCEAN_ALIKE_ANYWHERE, OCEAN_ALIKE_NEIGHBOURS, OCEAN_ALIKE_SHIFTED, OceanAlike, OceanAlikeSizes, ocean_alike,
    ocean_alike_sizes,
};
use super::sizes::{Listing, counts_of};
use super::sketch::QueuedSample;
use super::{Cuda, launched};
use crate::backend::{Look, Looked};
use crate::csr::Csr;
use crate::error::Result;
use crate::memory::{Address, Allocation, Carver, Span};
use crate::spgemm::{Alike, Likeness};

/// See [`crate::backend::Backend::alike`]. O(nnz(A)), of shifted rows O(nnz(B)) as well; hardly anything where no rows
/// are alike.
pub fn alike(on: &Cuda, a: &Csr, b: &Csr, look: &Look<'_>) -> Result<Looked> {
    let &Look { alike: Alike { likeness, heads, .. }, arrays, most_counted, sampled } = look;
    let (kind, words, places) = match likeness {
        Likeness::Neighbours => (OCEAN_ALIKE_NEIGHBOURS, 0, 0),
        Likeness::Shifted => (OCEAN_ALIKE_SHIFTED, (b.rows as usize).div_ceil(32), 0),
        // Half empty: a place that is taken by another row costs the row its head.
        Likeness::Anywhere => (OCEAN_ALIKE_ANYWHERE, 0, (2 * a.rows as usize).next_power_of_two()),
    };
    let take = |carver: &mut Carver| (carver.take::<u32>(words), carver.take::<i32>(places));
    let mut probe = Carver::new(Address::NULL);
    take(&mut probe);
    let scratch = Allocation::new(&on.memory, probe.bytes(), "rows that are alike")?;
    let (shifted, table) = take(&mut Carver::new(scratch.address()));
    let facts = Facts::begin(on)?;
    let params = OceanAlike {
        a: described(a)?,
        b: described(b)?,
        likeness: kind,
        heads: heads.address.pointer(),
        shifted: shifted.address.pointer(),
        table: table.address.pointer(),
        table_size: places as i64,
        products: arrays.sizes.address.pointer::<i64>().cast_const(),
        counted: facts.counted(),
    };
    let current = on.context.enter()?;
    // SAFETY: both matrices were inspected, and fit each other; there is room for every row.
    launched("alike", unsafe { ocean_alike(&raw const params, on.stream.0) })?;
    drop(current);
    let counted = facts.counted().cast_const();
    let mut listing = Listing::to_count(a, b, arrays).with_heads(heads);
    listing.most_counted = (likeness != Likeness::Neighbours).then_some((counted, most_counted));
    facts.queue_list(on, &listing)?;
    let queued = sampled.map(|sampled| QueuedSample::new(on, a, b, &sampled, (counted, most_counted))).transpose()?;
    let (from, mut sample) =
        queued.as_ref().map_or((Address::NULL, Vec::new()), |queued| (queued.found.address, queued.room()));
    let found = facts.read_with(on, from, &mut sample)?;
    let taken = queued.filter(|_| found.counted > most_counted);
    Ok(Looked {
        counted: found.counted,
        listed: Some(counts_of(&found.binned)),
        sample: taken.map(|queued| queued.sample(&sample)),
    })
}

/// Gives every row the size of the one that stands for it.
pub fn spread(on: &Cuda, alike: &Alike, sizes: Span<i64>) -> Result<()> {
    let params = OceanAlikeSizes {
        heads: alike.heads.address.pointer(),
        sizes: sizes.address.pointer(),
        count: alike.heads.len as i64,
    };
    let _current = on.context.enter()?;
    // SAFETY: heads are rows, and there is a size for each.
    launched("alike_sizes", unsafe { ocean_alike_sizes(&raw const params, on.stream.0) })
}
