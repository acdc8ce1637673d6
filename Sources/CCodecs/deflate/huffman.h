#pragma once
#include <stdint.h>

enum { HUFFMAN_MOST_SYMBOLS = 288, HUFFMAN_LONGEST = 15 };

/// The bits in the order in which they are written; a length of 0 means that the symbol does not occur.
typedef struct {
  uint16_t bits, length;
} huffman_code;

/// The canonical code for symbols with these counts, limited to `longest` bits.
void huffman_build(const uint32_t *counts, unsigned symbols, unsigned longest, huffman_code *codes);
