// Blocks with dynamic Huffman codes: https://www.rfc-editor.org/rfc/rfc1951#section-3.2.7
#include "blocks.h"
#include <stdlib.h>
#include <string.h>

enum { LITERAL_SYMBOLS = 286, DISTANCE_SYMBOLS = 30, LENGTH_SYMBOLS = 19, END_OF_BLOCK = 256 };

static const uint16_t length_bases[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                          31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extras[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

static unsigned length_slot(unsigned length) {
  if (length >= DEFLATE_LONGEST) return 28;
  if (length < 11) return length - 3;
  unsigned offset = length - 3, log = 31 - (unsigned)__builtin_clz(offset);
  return 4 * (log - 1) + (offset >> (log - 2) & 3);
}

/// `offset` is the distance minus one, 0 to 32767.
static unsigned distance_slot(unsigned offset) {
  if (offset < 4) return offset;
  unsigned log = 31 - (unsigned)__builtin_clz(offset);
  return 2 * log + (offset >> (log - 1) & 1);
}

static unsigned distance_extra(unsigned slot) { return slot < 4 ? 0 : slot / 2 - 1; }
static unsigned distance_base(unsigned slot) { return slot < 4 ? slot : (2 + (slot & 1)) << (slot / 2 - 1); }

int deflate_writer_create(deflate_writer *writer) {
  memset(writer, 0, sizeof *writer);
  writer->literals = malloc(DEFLATE_LITERALS);
  writer->sequences = malloc(DEFLATE_SEQUENCES * sizeof *writer->sequences);
  return writer->literals && writer->sequences;
}

void deflate_writer_destroy(deflate_writer *writer) {
  free(writer->literals);
  free(writer->sequences);
  free(writer->bytes);
}

static int reserve(deflate_writer *writer, size_t more) {
  if (writer->capacity - writer->length >= more) return 1;
  size_t capacity = writer->capacity + writer->capacity / 2 + more;
  uint8_t *bytes = realloc(writer->bytes, capacity);
  if (!bytes) {
    writer->failed = 1;
    return 0;
  }
  writer->bytes = bytes;
  writer->capacity = capacity;
  return 1;
}

void deflate_writer_begin(deflate_writer *writer) {
  writer->length = writer->bit_count = 0;
  writer->bits = 0;
  writer->failed = 0;
  writer->literal_count = writer->sequence_count = writer->pending_literals = 0;
  reserve(writer, 64);
}

/// At most 48 bits may be added between two flushes; there must be space for eight bytes.
static inline void put(deflate_writer *writer, uint64_t bits, unsigned count) {
  writer->bits |= bits << writer->bit_count;
  writer->bit_count += count;
}

static inline void flush(deflate_writer *writer) {
  uint64_t bits = writer->bits;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bits = __builtin_bswap64(bits);
#endif
  memcpy(writer->bytes + writer->length, &bits, 8);
  unsigned bytes = writer->bit_count / 8;
  writer->length += bytes;
  writer->bits >>= bytes * 8;
  writer->bit_count &= 7;
}

typedef struct {
  huffman_code literals[LITERAL_SYMBOLS + 2], distances[DISTANCE_SYMBOLS];
} code_pair;

static void count_symbols(const deflate_writer *writer, uint32_t *literals, uint32_t *distances) {
  // Four tables, because consecutive increments of the same counter would have to wait for each other.
  uint32_t parts[4][256] = {{0}};
  uint32_t i = 0;
  for (; i + 4 <= writer->literal_count; i += 4) {
    for (unsigned k = 0; k < 4; k++) parts[k][writer->literals[i + k]]++;
  }
  for (; i < writer->literal_count; i++) parts[0][writer->literals[i]]++;
  for (unsigned b = 0; b < 256; b++) literals[b] = parts[0][b] + parts[1][b] + parts[2][b] + parts[3][b];
  for (i = 0; i < writer->sequence_count; i++) {
    literals[257 + length_slot(writer->sequences[i].length)]++;
    distances[distance_slot(writer->sequences[i].distance - 1u)]++;
  }
  literals[END_OF_BLOCK]++;
}

/// Run-length encoded code lengths: the symbols of https://www.rfc-editor.org/rfc/rfc1951#page-13, with their extra bits above bit 8.
static unsigned code_lengths(const uint8_t *lengths, unsigned count, uint16_t *symbols) {
  unsigned made = 0;
  for (unsigned i = 0; i < count;) {
    unsigned run = 1, value = lengths[i];
    while (i + run < count && lengths[i + run] == value) run++;
    i += run;
    if (value != 0) {
      symbols[made++] = (uint16_t)value;
      run--;
    }
    while (run >= 3) {
      unsigned most = value == 0 ? 138 : 6, part = run < most ? run : most;
      unsigned symbol = value != 0 ? 16 : part < 11 ? 17 : 18;
      symbols[made++] = (uint16_t)(symbol | (part - (symbol == 18 ? 11 : 3)) << 8);
      run -= part;
    }
    while (run-- > 0) symbols[made++] = (uint16_t)value;
  }
  return made;
}

static void write_codes(deflate_writer *writer, const code_pair *codes) {
  static const uint8_t order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  static const uint8_t extras[3] = {2, 3, 7};
  uint8_t lengths[LITERAL_SYMBOLS + DISTANCE_SYMBOLS];
  unsigned literals = LITERAL_SYMBOLS, distances = DISTANCE_SYMBOLS, used = LENGTH_SYMBOLS;
  while (literals > 257 && codes->literals[literals - 1].length == 0) literals--;
  while (distances > 1 && codes->distances[distances - 1].length == 0) distances--;
  for (unsigned i = 0; i < literals; i++) lengths[i] = (uint8_t)codes->literals[i].length;
  for (unsigned i = 0; i < distances; i++) lengths[literals + i] = (uint8_t)codes->distances[i].length;
  uint16_t symbols[LITERAL_SYMBOLS + DISTANCE_SYMBOLS];
  unsigned count = code_lengths(lengths, literals + distances, symbols);
  uint32_t counts[LENGTH_SYMBOLS] = {0};
  for (unsigned i = 0; i < count; i++) counts[symbols[i] & 255]++;
  huffman_code short_codes[LENGTH_SYMBOLS];
  huffman_build(counts, LENGTH_SYMBOLS, 7, short_codes);
  while (used > 4 && short_codes[order[used - 1]].length == 0) used--;
  put(writer, (literals - 257) | (distances - 1) << 5 | (used - 4) << 10, 14);
  flush(writer);
  for (unsigned i = 0; i < used; i++) {
    put(writer, short_codes[order[i]].length, 3);
    flush(writer);
  }
  for (unsigned i = 0; i < count; i++) {
    unsigned symbol = symbols[i] & 255;
    put(writer, short_codes[symbol].bits, short_codes[symbol].length);
    if (symbol >= 16) put(writer, symbols[i] >> 8, extras[symbol - 16]);
    flush(writer);
  }
}

static void write_literals(deflate_writer *writer, const huffman_code *codes, const uint8_t *bytes, uint32_t count) {
  uint32_t i = 0;
  for (; i + 3 <= count; i += 3) {
    for (unsigned k = 0; k < 3; k++) put(writer, codes[bytes[i + k]].bits, codes[bytes[i + k]].length);
    flush(writer);
  }
  for (; i < count; i++) put(writer, codes[bytes[i]].bits, codes[bytes[i]].length);
  flush(writer);
}

static void write_match(deflate_writer *writer, const code_pair *codes, unsigned length, unsigned offset) {
  unsigned slot = length_slot(length), far = distance_slot(offset);
  put(writer, codes->literals[257 + slot].bits, codes->literals[257 + slot].length);
  put(writer, length - length_bases[slot], length_extras[slot]);
  put(writer, codes->distances[far].bits, codes->distances[far].length);
  put(writer, offset - distance_base(far), distance_extra(far));
  flush(writer);
}

void deflate_write_block(deflate_writer *writer, int is_last) {
  uint32_t literal_counts[LITERAL_SYMBOLS + 2] = {0}, distance_counts[DISTANCE_SYMBOLS] = {0};
  // A code has at most 15 bits, and a match up to 13 and 5 extra bits; the code tables are short.
  if (!writer->failed && reserve(writer, 1024 + 2 * (size_t)writer->literal_count + 6 * (size_t)writer->sequence_count)) {
    code_pair codes;
    count_symbols(writer, literal_counts, distance_counts);
    huffman_build(literal_counts, LITERAL_SYMBOLS, HUFFMAN_LONGEST, codes.literals);
    huffman_build(distance_counts, DISTANCE_SYMBOLS, HUFFMAN_LONGEST, codes.distances);
    put(writer, (uint64_t)(is_last != 0) | 2 << 1, 3);
    write_codes(writer, &codes);
    const uint8_t *literals = writer->literals;
    for (uint32_t i = 0; i < writer->sequence_count; i++) {
      deflate_sequence sequence = writer->sequences[i];
      write_literals(writer, codes.literals, literals, sequence.literals);
      literals += sequence.literals;
      write_match(writer, &codes, sequence.length, sequence.distance - 1u);
    }
    write_literals(writer, codes.literals, literals, writer->pending_literals);
    put(writer, codes.literals[END_OF_BLOCK].bits, codes.literals[END_OF_BLOCK].length);
    flush(writer);
  }
  writer->literal_count = writer->sequence_count = writer->pending_literals = 0;
}

void deflate_write_end(deflate_writer *writer, int is_last) {
  if (writer->failed || !reserve(writer, 32)) return;
  // An empty stored block: https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4
  if (!is_last) put(writer, 0, 3);
  writer->bit_count = (writer->bit_count + 7) & ~7u;
  flush(writer);
  if (is_last) return;
  put(writer, 0xffff0000, 32);
  flush(writer);
}
