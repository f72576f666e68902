// SPDX-License-Identifier: MIT OR Apache-2.0
#include "mailbox.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"

typedef struct Letter {
  int from, tag, taken;
  const void* data;
  size_t bytes;
  struct Letter* next;
} Letter;

// What test() is asked about: a letter of this rank's, or a letter that it waits for.
typedef struct Request {
  int is_send, from, tag;
  void* data;
  size_t bytes;
  Letter* letter;
  struct Request* next;
} Request;

typedef struct {
  int rank, fail_next_send;
  Letter* box;    // the oldest letter first
  Request* open;  // of its own thread alone
} Rank;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Rank ranks_of_test[MAX_RANKS];
static int count, nodes[MAX_RANKS], node_size;
static void (*work_of_test)(oceanDistHandle_t dist);
static void (*table_work)(const oceanDistTransport_t* table, void* user);

static Request* open_request(Rank* own, Request with) {
  Request* asked = malloc(sizeof *asked);
  if (asked == NULL) abort();
  with.next = own->open;
  *asked = with;
  own->open = asked;
  return asked;
}

static void close_request(Rank* own, Request* asked) {
  Request** at = &own->open;
  while (*at != asked) at = &(*at)->next;
  *at = asked->next;
  free(asked->letter);  // of a send; a receiver has none
  free(asked);
}

static int post(void* user, int32_t to, int32_t tag, const void* data, size_t bytes, void** request) {
  Rank* own = user;
  if (own->fail_next_send != 0) {
    const int code = own->fail_next_send;
    own->fail_next_send = 0;
    return code;
  }
  Letter* letter = malloc(sizeof *letter);
  if (letter == NULL) abort();
  *letter = (Letter){.from = own->rank, .tag = tag, .data = data, .bytes = bytes};
  pthread_mutex_lock(&lock);
  Letter** end = &ranks_of_test[to].box;
  while (*end != NULL) end = &(*end)->next;
  *end = letter;
  pthread_mutex_unlock(&lock);
  *request = open_request(own, (Request){.is_send = 1, .letter = letter});
  return 0;
}

static int await(void* user, int32_t from, int32_t tag, void* data, size_t bytes, void** request) {
  *request = open_request(user, (Request){.from = from, .tag = tag, .data = data, .bytes = bytes});
  return 0;
}

// Copies the first letter that fits; returns 0 if there is none, -1 if it is too long.
static int take(Rank* own, const Request* asked, size_t* bytes) {
  for (Letter** at = &own->box; *at != NULL; at = &(*at)->next) {
    Letter* letter = *at;
    if (letter->from != asked->from || letter->tag != asked->tag) continue;
    if (letter->bytes > asked->bytes) return -1;
    if (letter->bytes > 0) memcpy(asked->data, letter->data, letter->bytes);
    *bytes = letter->bytes;
    *at = letter->next;
    letter->taken = 1;  // its sender frees it
    return 1;
  }
  return 0;
}

static int test(void* user, void* request, int32_t* done, size_t* bytes) {
  Request* asked = request;
  int code = 0, finished;
  pthread_mutex_lock(&lock);
  if (asked->is_send) {
    finished = asked->letter->taken;
  } else {
    finished = take(user, asked, bytes);
    if (finished < 0) code = 71;
  }
  pthread_mutex_unlock(&lock);
  if (finished > 0) close_request(user, asked);
  *done = finished > 0;
  return code;
}

// Takes this rank's letters back: its memory is not to be touched any more.
static void leave(void* user) {
  Rank* own = user;
  pthread_mutex_lock(&lock);
  for (int to = 0; to < count; to++) {
    Letter** at = &ranks_of_test[to].box;
    while (*at != NULL) {
      Letter* letter = *at;
      if (letter->from == own->rank) {
        *at = letter->next;
      } else {
        at = &letter->next;
      }
    }
  }
  pthread_mutex_unlock(&lock);
  while (own->open != NULL) close_request(own, own->open);
}

void mailbox_fail_next_send(void* user, int code) { ((Rank*)user)->fail_next_send = code; }

int mailbox_letters(void) {
  int letters = 0;
  for (int rank = 0; rank < count; rank++) {
    for (const Letter* letter = ranks_of_test[rank].box; letter != NULL; letter = letter->next) letters++;
  }
  return letters;
}

static oceanDistTransport_t table_of(int rank) {
  return (oceanDistTransport_t){sizeof(oceanDistTransport_t), rank, count, nodes, post, await, test, leave};
}

static void on_table(int rank) {
  const oceanDistTransport_t table = table_of(rank);
  table_work(&table, &ranks_of_test[rank]);
}

void on_tables(int ranks, void (*work)(const oceanDistTransport_t* table, void* user)) {
  count = ranks;
  table_work = work;
  for (int rank = 0; rank < ranks; rank++) {
    nodes[rank] = node_size > 0 ? rank / node_size : rank;
    ranks_of_test[rank] = (Rank){.rank = rank};
  }
  harness_threads(ranks, on_table);
}

static void with_handle(const oceanDistTransport_t* table, void* user) {
  oceanDistOptions_t options = NULL;
  oceanDistHandle_t dist = NULL;
  CHECK_OK(oceanDistCreateOptions(&options));
  CHECK_OK(oceanDistSetTimeout(options, 20));
  CHECK_OK(oceanDistCreateWithTransport(&dist, NULL, table, user, options));
  CHECK_OK(oceanDistDestroyOptions(options));
  int rank = -1, ranks = -1, per_node = -1;
  CHECK_OK(oceanDistGetRank(dist, &rank, &ranks, &per_node));
  CHECK_INT(rank, table->rank);
  CHECK_INT(ranks, table->ranks);
  CHECK_INT(per_node, node_size);
  work_of_test(dist);
  CHECK_OK(oceanDistDestroy(dist));
}

void on_ranks(int ranks, int per_node, void (*work)(oceanDistHandle_t dist)) {
  work_of_test = work;
  node_size = per_node;
  on_tables(ranks, with_handle);
  node_size = 0;
  CHECK_INT(mailbox_letters(), 0);
}
