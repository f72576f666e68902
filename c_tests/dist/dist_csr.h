// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One rank's part of a test's matrix, on its way in and out.
#ifndef OCEAN_TEST_DIST_CSR_H
#define OCEAN_TEST_DIST_CSR_H

#include <ocean_dist.h>

#include "../csr.h"

int rank_of(oceanDistHandle_t dist);
int ranks_of(oceanDistHandle_t dist);

// A rank's first row of so many: rank 1 has none of them where there are 3 ranks or more.
int64_t first_row(int64_t rows, int rank, int ranks);

// By rows, with these indices.
oceanDistMat_t put_rows(oceanDistHandle_t dist, const Csr* matrix, oceanDataType_t type, oceanIndexType_t offset_type,
                        oceanIndexType_t col_type, oceanIndexBase_t base);
// Every ranks'th entry, from the last to the first.
oceanDistMat_t put_entries(oceanDistHandle_t dist, const Csr* matrix, oceanDataType_t type, oceanIndexBase_t base);
// The values of this rank's rows.
void put_values(oceanDistHandle_t dist, oceanDistMat_t mat, const Csr* matrix);

// This rank's rows of a product are those of `want`, from rows that were cut as put_rows does, or evenly.
void check_rows(oceanDistHandle_t dist, oceanDistMat_t mat, const Csr* want, oceanDataType_t type, bool even);

#endif  // OCEAN_TEST_DIST_CSR_H
