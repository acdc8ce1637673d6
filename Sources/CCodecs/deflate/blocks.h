#pragma once
#include "huffman.h"
#include <stddef.h>
#include <stdint.h>

/// Literal bytes followed by a match, whose length is 0 without a match.
typedef struct {
  uint32_t literals;
  uint16_t length, distance;
} deflate_sequence;

enum { DEFLATE_LONGEST = 258, DEFLATE_WINDOW = 32768, DEFLATE_SEQUENCES = 1 << 12, DEFLATE_LITERALS = 1 << 16 };

/// Writes DEFLATE data block by block.
typedef struct {
  uint8_t *bytes;
  size_t length, capacity;
  uint64_t bits;
  unsigned bit_count;
  /// Memory could not be allocated; the data is incomplete.
  int failed;
  /// The current block.
  uint8_t *literals;
  deflate_sequence *sequences;
  uint32_t literal_count, sequence_count, pending_literals;
} deflate_writer;

int deflate_writer_create(deflate_writer *writer);
void deflate_writer_destroy(deflate_writer *writer);
void deflate_writer_begin(deflate_writer *writer);
/// Writes the current block.
void deflate_write_block(deflate_writer *writer, int is_last);
/// Ends the data at a byte boundary; if it is not the last part of a stream, by an empty stored block.
void deflate_write_end(deflate_writer *writer, int is_last);

/// Whether the block has space for more; must be checked before adding.
static inline int deflate_has_room(const deflate_writer *writer, uint32_t literals, uint32_t sequences) {
  return writer->literal_count + literals <= DEFLATE_LITERALS && writer->sequence_count + sequences + 1 <= DEFLATE_SEQUENCES;
}

static inline void deflate_add_match(deflate_writer *writer, uint32_t length, uint32_t distance) {
  writer->sequences[writer->sequence_count++] =
      (deflate_sequence){writer->pending_literals, (uint16_t)length, (uint16_t)(distance & 0xffff)};
  writer->pending_literals = 0;
}

/// Adds a match of any length of at least three bytes, splitting it if necessary.
static inline void deflate_add_long_match(deflate_writer *writer, size_t length, uint32_t distance) {
  while (length > 0) {
    size_t part = length <= DEFLATE_LONGEST ? length : length - DEFLATE_LONGEST < 3 ? DEFLATE_LONGEST - 3 : DEFLATE_LONGEST;
    if (!deflate_has_room(writer, 0, 1)) deflate_write_block(writer, 0);
    deflate_add_match(writer, (uint32_t)part, distance);
    length -= part;
  }
}

static inline void deflate_add_literal(deflate_writer *writer, uint8_t byte) {
  writer->literals[writer->literal_count++] = byte;
  writer->pending_literals++;
}
