// Huffman codes of DEFLATE: https://www.rfc-editor.org/rfc/rfc1951#section-3.2.2
#include "huffman.h"
#include <string.h>

typedef struct {
  uint32_t count;
  uint16_t symbol;
} leaf;

static void sort(leaf *leaves, unsigned count) {
  // Shell sort: there are few symbols, and the order of equal counts is the same on every machine.
  static const unsigned gaps[] = {132, 57, 23, 10, 4, 1};
  for (unsigned g = 0; g < sizeof gaps / sizeof *gaps; g++) {
    for (unsigned i = gaps[g]; i < count; i++) {
      leaf moved = leaves[i];
      unsigned j = i;
      for (; j >= gaps[g]; j -= gaps[g]) {
        leaf other = leaves[j - gaps[g]];
        if (other.count < moved.count || (other.count == moved.count && other.symbol < moved.symbol)) break;
        leaves[j] = other;
      }
      leaves[j] = moved;
    }
  }
}

/// Counts the codes of each length, by the two-queue method for Huffman trees.
static void count_lengths(const leaf *leaves, unsigned count, unsigned longest, uint32_t *of_length) {
  uint32_t weight[HUFFMAN_MOST_SYMBOLS];
  uint16_t parent[2 * HUFFMAN_MOST_SYMBOLS];
  unsigned next_leaf = 0, next_tree = 0, trees = 0;
  while (trees + 1 < count) {
    uint32_t sum = 0;
    for (int side = 0; side < 2; side++) {
      int takes_leaf = next_leaf < count && (next_tree >= trees || leaves[next_leaf].count <= weight[next_tree]);
      unsigned node = takes_leaf ? next_leaf : count + next_tree;
      sum += takes_leaf ? leaves[next_leaf++].count : weight[next_tree++];
      parent[node] = (uint16_t)(count + trees);
    }
    weight[trees++] = sum;
  }
  uint8_t depth[2 * HUFFMAN_MOST_SYMBOLS];
  unsigned root = count + trees - 1;
  depth[root] = 0;
  for (unsigned node = root; node-- > 0;) {
    unsigned deep = depth[parent[node]] + 1u;
    depth[node] = (uint8_t)deep;
    if (node < count) of_length[deep < longest ? deep : longest]++;
  }
}

/// Lengthens other codes until those that exceed the limit fit.
static void limit_lengths(uint32_t *of_length, unsigned longest) {
  uint32_t used = 0;
  for (unsigned length = 1; length <= longest; length++) used += of_length[length] << (longest - length);
  while (used > 1u << longest) {
    unsigned length = longest - 1;
    while (length > 0 && of_length[length] == 0) length--;
    if (length == 0) return;
    of_length[longest]--;
    of_length[length]--;
    of_length[length + 1] += 2;
    used--;
  }
}

static uint16_t reversed(uint32_t code, unsigned length) {
  uint32_t result = 0;
  for (unsigned i = 0; i < length; i++) result |= (code >> i & 1) << (length - 1 - i);
  return (uint16_t)result;
}

static void assign(huffman_code *codes, unsigned symbols, const uint32_t *of_length, unsigned longest) {
  uint32_t next[HUFFMAN_LONGEST + 2] = {0}, code = 0;
  for (unsigned length = 1; length <= longest; length++) {
    next[length] = code;
    code = (code + of_length[length]) << 1;
  }
  for (unsigned symbol = 0; symbol < symbols; symbol++) {
    unsigned length = codes[symbol].length;
    if (length > 0) codes[symbol].bits = reversed(next[length]++, length);
  }
}

void huffman_build(const uint32_t *counts, unsigned symbols, unsigned longest, huffman_code *codes) {
  leaf leaves[HUFFMAN_MOST_SYMBOLS];
  uint32_t of_length[HUFFMAN_LONGEST + 1] = {0};
  unsigned count = 0;
  memset(codes, 0, symbols * sizeof *codes);
  for (unsigned symbol = 0; symbol < symbols; symbol++) {
    if (counts[symbol] > 0) leaves[count++] = (leaf){counts[symbol], (uint16_t)symbol};
  }
  // With a single code, which has one bit, decoders expect a second one.
  for (unsigned symbol = 0; count < 2 && symbol < symbols; symbol++) {
    if (counts[symbol] == 0) leaves[count++] = (leaf){0, (uint16_t)symbol};
  }
  sort(leaves, count);
  count_lengths(leaves, count, longest, of_length);
  limit_lengths(of_length, longest);
  unsigned next = 0;
  for (unsigned length = longest; length > 0; length--) {
    for (uint32_t i = 0; i < of_length[length]; i++) codes[leaves[next++].symbol].length = (uint16_t)length;
  }
  assign(codes, symbols, of_length, longest);
}
