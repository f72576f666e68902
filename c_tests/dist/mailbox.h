// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A transport of the tests' own: ranks are threads, and a message is a letter in the receiver's box, which says where
// the sender's bytes lie. The receiver copies them from there; until then the send is not done.
#ifndef OCEAN_TEST_MAILBOX_H
#define OCEAN_TEST_MAILBOX_H

#include <ocean_dist.h>

enum { MAX_RANKS = 8 };

// Runs work(dist) on so many ranks at once, each with a handle, in nodes of per_node. A rank waits 20 s for another.
void on_ranks(int ranks, int per_node, void (*work)(oceanDistHandle_t dist));

// As on_ranks, but no handle is made yet: work gets the table and what belongs to it.
void on_tables(int ranks, void (*work)(const oceanDistTransport_t* table, void* user));

// The next send of this rank fails with this number.
void mailbox_fail_next_send(void* user, int code);

// Letters that nobody has taken, in all boxes.
int mailbox_letters(void);

#endif  // OCEAN_TEST_MAILBOX_H
