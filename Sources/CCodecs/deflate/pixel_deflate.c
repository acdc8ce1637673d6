// zlib streams of PNG rows. Matches are searched by whole pixels, which are a quarter to a half as many positions as bytes, and first where
// rendered pages have them: repeated rows, runs of one color, the row above; then by hash.
#include "../include/pixel_deflate.h"
#include "blocks.h"
#include "pixel_rows.h"
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_BITS = 14, HASH_SIZE = 1 << HASH_BITS, LONE_BITS = 12, LONE_SIZE = 1 << LONE_BITS, LONE_REACH = DEFLATE_WINDOW, CHAIN_SIZE = DEFLATE_WINDOW, CHAIN_MASK = CHAIN_SIZE - 1 };
/// Matches of at least SHORT pixels are taken without searching by hash; at most MOST_KNOWN positions of a match are added to the hash
/// table.
enum { SHORT = 8, MOST_KNOWN = 16 };

struct codecs_pixel_deflater {
  deflate_writer writer;
  size_t width, bytes, row_words;
  /// `2^32 / row_words`, for dividing by multiplication.
  uint64_t reciprocal;
  unsigned depth;
  int is_translucent;
  uint32_t adler;
  /// Encoded rows, each preceded by a word for its filter byte. `base` is the number of the first word in the image.
  uint32_t *window;
  size_t window_size, window_rows, window_most, history_rows;
  uint32_t base;
  /// The index of the last unfiltered row in the window, or -1.
  ptrdiff_t plain_row;
  int was_filtered;
  /// Two rows of words, one row of zeros, and one row being filtered.
  uint32_t *row_memory, *current, *above, *scratch;
  uint8_t *packed;
  size_t row_capacity, rows;
  uint32_t *last_copy;
  uint32_t head[HASH_SIZE], lone[LONE_SIZE], chain[CHAIN_SIZE];
};

codecs_pixel_deflater *codecs_pixel_deflater_create(void) {
  codecs_pixel_deflater *d = malloc(sizeof *d);
  if (!d) return NULL;
  memset(d, 0, offsetof(codecs_pixel_deflater, head));
  if (!deflate_writer_create(&d->writer)) {
    codecs_pixel_deflater_destroy(d);
    return NULL;
  }
  return d;
}

void codecs_pixel_deflater_destroy(codecs_pixel_deflater *d) {
  if (!d) return;
  deflate_writer_destroy(&d->writer);
  free(d->window);
  free(d->row_memory);
  free(d);
}

size_t codecs_pixel_deflater_memory(const codecs_pixel_deflater *d) {
  return d->writer.capacity + (d->window_size + 5 * d->row_capacity) * 4;
}

/// Allocates five rows at once: two of words, one filtered, the pixels of the last row, and its bytes.
static int prepare_rows(codecs_pixel_deflater *d) {
  size_t capacity = d->width + 8;
  if (capacity > d->row_capacity) {
    free(d->row_memory);
    d->row_memory = malloc(5 * capacity * sizeof(uint32_t));
    d->row_capacity = d->row_memory ? capacity : 0;
    if (!d->row_memory) return 0;
  }
  capacity = d->row_capacity;
  d->current = d->row_memory;
  d->above = d->current + capacity;
  d->scratch = d->above + capacity;
  d->last_copy = d->scratch + capacity;
  d->packed = (uint8_t *)(d->last_copy + capacity);
  memset(d->above, 0, d->width * sizeof(uint32_t));
  return 1;
}

static void forget(codecs_pixel_deflater *d) {
  memset(d->head, 0, sizeof d->head);
  memset(d->lone, 0, sizeof d->lone);
}

int codecs_pixel_deflater_begin(codecs_pixel_deflater *d, size_t width, unsigned bytes, unsigned depth, const uint32_t *above) {
  d->width = width;
  d->bytes = bytes;
  d->depth = depth;
  d->row_words = width + 1;
  d->reciprocal = (1ull << 32) / d->row_words + 1;
  d->history_rows = DEFLATE_WINDOW / (width * bytes + 1) + 1;
  d->window_most = d->history_rows * 2 + 8;
  d->rows = d->window_rows = 0;
  d->base = 1;
  d->plain_row = -1;
  d->was_filtered = d->is_translucent = 0;
  d->adler = 1;
  size_t needed = d->window_most * d->row_words + 8;
  if (needed > d->window_size) {
    free(d->window);
    d->window = malloc(needed * sizeof(uint32_t));
    d->window_size = d->window ? needed : 0;
  }
  forget(d);
  deflate_writer_begin(&d->writer);
  if (!d->window || d->writer.failed || !prepare_rows(d)) return 0;
  if (above) {
    // The row is available for filters, but not in the window, so matches cannot refer to it.
    pixel_row_words(above, width, bytes, d->above);
    memcpy(d->last_copy, above, width * sizeof *above);
    d->rows = 1;
  }
  return 1;
}

/// Returns a free row of the window, dropping rows that are further back than the maximum distance of a match.
static uint32_t *next_window_row(codecs_pixel_deflater *d) {
  if (d->window_rows == d->window_most) {
    size_t gone = d->window_most - d->history_rows;
    memmove(d->window, d->window + gone * d->row_words, d->history_rows * d->row_words * sizeof(uint32_t));
    d->window_rows = d->history_rows;
    d->plain_row -= (ptrdiff_t)gone;
    if (d->plain_row < 0) d->plain_row = -1;
    d->base += (uint32_t)(gone * d->row_words);
    if (d->base > 1u << 30) {
      forget(d);
      d->base = 1;
    }
  }
  return d->window + d->window_rows * d->row_words;
}

static inline size_t same_words(const uint32_t *a, const uint32_t *b, size_t most) {
  size_t count = 0;
  while (count + 2 <= most) {
    uint64_t x, y;
    memcpy(&x, a + count, 8);
    memcpy(&y, b + count, 8);
    if (x != y) return count + (a[count] == b[count]);
    count += 2;
  }
  return count + (count < most && a[count] == b[count]);
}

static inline uint32_t hash(const uint32_t *words) {
  uint64_t pair = (uint64_t)words[0] << 32 | words[1];
  return (uint32_t)((pair * 0x9e3779b97f4a7c15ull) >> (64 - HASH_BITS));
}

static inline void insert(codecs_pixel_deflater *d, size_t place) {
  uint32_t *slot = &d->head[hash(d->window + place)], number = d->base + (uint32_t)place;
  d->chain[number & CHAIN_MASK] = *slot;
  *slot = number;
}

static inline uint32_t *lone_slot(codecs_pixel_deflater *d, uint32_t word) { return &d->lone[(word * 0x9e3779b1u) >> (32 - LONE_BITS)]; }

typedef struct {
  size_t length;
  uint32_t distance;
} match;

/// The distance in bytes between the word at `x` and the word `back` words before it, whose position in its row is stored in `there`.
static inline size_t byte_distance(const codecs_pixel_deflater *d, size_t x, size_t back, size_t *there) {
  size_t rows = back <= x ? 0 : ((back - x + d->row_words - 1) * d->reciprocal) >> 32;
  *there = x + rows * d->row_words - back;
  return back * d->bytes - rows * (d->bytes - 1);
}

/// The last occurrence of a pixel's value, if it is within reach.
static inline match find_lone(codecs_pixel_deflater *d, size_t place, size_t x) {
  uint32_t word = d->window[place], number = d->base + (uint32_t)place, candidate = *lone_slot(d, word);
  size_t back = number - candidate, there;
  if (candidate < d->base || back > LONE_REACH || d->window[place - back] != word) return (match){0, 0};
  size_t distance = byte_distance(d, x, back, &there);
  return distance <= LONE_REACH && there > 0 ? (match){1, (uint32_t)distance} : (match){0, 0};
}

/// The match with the position `back` words before, if it is longer than `best`.
static inline match match_back(const codecs_pixel_deflater *d, size_t place, size_t x, size_t back, match best) {
  size_t there, distance = byte_distance(d, x, back, &there), most = d->row_words - (x > there ? x : there);
  const uint32_t *words = d->window + place, *other = words - back;
  if (there == 0 || distance > DEFLATE_WINDOW || best.length >= most || other[best.length] != words[best.length]) return best;
  size_t length = same_words(words, other, most);
  return length > best.length ? (match){length, (uint32_t)distance} : best;
}

/// The longest match found by hash, if it is longer than `best`.
static inline match find(const codecs_pixel_deflater *d, size_t place, size_t x, match best) {
  const uint32_t *words = d->window + place;
  size_t most = d->row_words - x;
  uint32_t number = d->base + (uint32_t)place, candidate = d->head[hash(words)];
  for (unsigned tries = d->depth; tries > 0 && candidate >= d->base && candidate < number; tries--) {
    size_t back = number - candidate;
    if (back > DEFLATE_WINDOW) break;
    size_t there, distance = byte_distance(d, x, back, &there);
    if (distance > DEFLATE_WINDOW) break;
    size_t limit = d->row_words - there < most ? d->row_words - there : most;
    const uint32_t *other = words - back;
    if (limit > best.length && other[best.length] == words[best.length]) {
      size_t length = same_words(words, other, limit);
      if (length > best.length) {
        best = (match){length, (uint32_t)distance};
        if (length >= 32 || length == most) break;
      }
    }
    uint32_t next = d->chain[candidate & CHAIN_MASK];
    if (next >= candidate) break;
    candidate = next;
  }
  return best;
}

static inline void add_pixel(codecs_pixel_deflater *d, size_t x) {
  deflate_writer *w = &d->writer;
  if (!deflate_has_room(w, 4, 0)) deflate_write_block(w, 0);
  memcpy(w->literals + w->literal_count, d->packed + (x - 1) * d->bytes, 4);
  w->literal_count += d->bytes;
  w->pending_literals += d->bytes;
}

/// Encodes a row of the window; the row that matches of the row above refer to is `up` rows back.
static void code_row(codecs_pixel_deflater *d, size_t row, size_t up, row_filter filter) {
  size_t start = row * d->row_words, end = d->row_words;
  size_t up_words = up * d->row_words, up_distance = up * (d->width * d->bytes + 1);
  const uint32_t *words = d->window + start;
  if (up_distance > DEFLATE_WINDOW) up = 0;
  if (!deflate_has_room(&d->writer, 1, 0)) deflate_write_block(&d->writer, 0);
  deflate_add_literal(&d->writer, (uint8_t)filter);
  for (size_t x = 1; x < end;) {
    match best = {0, 0};
    if (x > 1 && words[x] == words[x - 1]) best = (match){same_words(words + x, words + x - 1, end - x), (uint32_t)d->bytes};
    if (up > 0 && best.length < 64 && (words - up_words)[x] == words[x]) {
      size_t length = same_words(words + x, words + x - up_words, end - x);
      if (length > best.length) best = (match){length, (uint32_t)up_distance};
    }
    // Diagonal structures, such as gradients, continue from the row above, one pixel to the right.
    if (best.length < SHORT && row > 0) best = match_back(d, start + x, x, d->row_words - 1, best);
    int has_pair = x + 1 < end;
    if (best.length < SHORT && has_pair) {
      best = find(d, start + x, x, best.length > 0 ? best : (match){1, 0});
      if (best.distance == 0) best.length = 0;
    }
    if (best.length == 0 && d->bytes > 2) best = find_lone(d, start + x, x);
    *lone_slot(d, words[x]) = d->base + (uint32_t)(start + x);
    if (best.length * d->bytes < 3) {
      add_pixel(d, x);
      if (has_pair) insert(d, start + x);
      x++;
      continue;
    }
    deflate_add_long_match(&d->writer, best.length * d->bytes, best.distance);
    // Runs are found without the hash table; of other matches, only the first positions are worth adding.
    size_t known = best.distance == d->bytes ? 1 : best.length < MOST_KNOWN ? best.length : MOST_KNOWN;
    for (size_t i = 0; i < known && x + i + 1 < end; i++) insert(d, start + x + i);
    if (known < best.length && x + best.length < end) insert(d, start + x + best.length - 1);
    x += best.length;
  }
}

/// Encodes a row that is equal to the one above: filtered with Up, it is all zeros.
static void code_repeated(codecs_pixel_deflater *d) {
  size_t length = d->width * d->bytes;
  uint32_t low = d->adler & 0xffff, high = d->adler >> 16;
  low = (low + ROW_UP) % 65521;
  high = (uint32_t)((high + (uint64_t)low * (length + 1)) % 65521);
  d->adler = high << 16 | low;
  if (!deflate_has_room(&d->writer, 8, 0)) deflate_write_block(&d->writer, 0);
  deflate_add_literal(&d->writer, ROW_UP);
  deflate_add_literal(&d->writer, 0);
  if (length > 3) deflate_add_long_match(&d->writer, length - 1, 1);
  else for (size_t i = 1; i < length; i++) deflate_add_literal(&d->writer, 0);
}

static void add_row(codecs_pixel_deflater *d, const uint32_t *pixels) {
  d->is_translucent |= d->bytes == 3 && !pixel_row_is_opaque(pixels, d->width);
  pixel_row_words(pixels, d->width, (unsigned)d->bytes, d->current);
  row_filter filter = pixel_row_choose(d->current, d->above, d->width, (unsigned)d->bytes, d->scratch);
  uint32_t *row = next_window_row(d);
  size_t number = d->window_rows;
  row[0] = filter;
  pixel_row_filter(filter, d->current, d->above, d->width, row + 1);
  pixel_row_pack(row + 1, d->width, (unsigned)d->bytes, d->packed + 1);
  d->packed[0] = (uint8_t)filter;
  d->adler = libdeflate_adler32(d->adler, d->packed, d->width * d->bytes + 1);
  d->packed++;
  size_t up = filter == ROW_NONE && d->plain_row >= 0 ? number - (size_t)d->plain_row : filter != ROW_NONE && d->was_filtered ? 1 : 0;
  code_row(d, number, up, filter);
  d->packed--;
  d->window_rows++;
  if (filter == ROW_NONE) d->plain_row = (ptrdiff_t)number;
  d->was_filtered = filter != ROW_NONE;
  uint32_t *swapped = d->current;
  d->current = d->above;
  d->above = swapped;
}

static void add_repeated(codecs_pixel_deflater *d) {
  uint32_t *row = next_window_row(d);
  memset(row, 0, d->row_words * sizeof *row);
  d->window_rows++;
  d->was_filtered = 0;
  code_repeated(d);
}

int codecs_pixel_deflater_add(codecs_pixel_deflater *d, const uint32_t *pixels, size_t stride, size_t count) {
  for (size_t y = 0; y < count; y++, pixels += stride) {
    if (d->rows > 0 && memcmp(pixels, d->last_copy, d->width * sizeof *pixels) == 0) {
      add_repeated(d);
    } else {
      add_row(d, pixels);
      memcpy(d->last_copy, pixels, d->width * sizeof *pixels);
    }
    d->rows++;
  }
  return !d->writer.failed && !d->is_translucent;
}

codecs_deflated codecs_pixel_deflater_finish(codecs_pixel_deflater *d, int is_last) {
  deflate_write_block(&d->writer, is_last);
  deflate_write_end(&d->writer, is_last);
  if (d->writer.failed) return (codecs_deflated){NULL, 0, 0};
  return (codecs_deflated){d->writer.bytes, d->writer.length, d->adler};
}

uint32_t codecs_adler_joined(uint32_t first, uint32_t second, size_t length) {
  const uint64_t modulus = 65521, rest = length % modulus;
  uint64_t low = (first & 0xffff) + (uint64_t)(second & 0xffff) + modulus - 1;
  uint64_t high = rest * (first & 0xffff) + (first >> 16) + (second >> 16) + modulus - rest;
  return (uint32_t)(high % modulus << 16 | low % modulus);
}
