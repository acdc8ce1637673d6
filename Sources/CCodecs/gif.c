// Color quantization and LZW compression for GIF.
#include "gif.h"
#include <stdlib.h>
#include <string.h>

void codecs_gif_threshold(const uint32_t *pixels, size_t count, uint32_t *out) {
  for (size_t i = 0; i < count; i++) {
    uint32_t pixel = pixels[i], alpha = pixel >> 24, result = 0xff000000;
    if (alpha < 128) {
      out[i] = 0;
      continue;
    }
    for (int shift = 0; shift < 24; shift += 8) {
      uint32_t component = ((pixel >> shift & 255) * 255 + alpha / 2) / alpha;
      result |= (component > 255 ? 255 : component) << shift;
    }
    out[i] = result;
  }
}

static int differs(uint32_t a, uint32_t b, int clears) { return a != b && (!clears || b == 0); }

int codecs_row_difference(const uint32_t *a, const uint32_t *b, uint32_t width, int clears, uint32_t *first, uint32_t *end) {
  if (memcmp(a, b, (size_t)width * 4) == 0) return 0;
  uint32_t left = 0, right = width;
  while (left < right && !differs(a[left], b[left], clears)) left++;
  while (right > left && !differs(a[right - 1], b[right - 1], clears)) right--;
  *first = left;
  *end = right;
  return right > left;
}

// MARK: Colors

enum { SLOTS = 1024 };

static uint32_t slot_of(uint32_t color) { return (color * 0x9e3779b1u) >> 22; }

void codecs_gif_colors_clear(codecs_gif_colors *colors) { memset(colors, 0, sizeof *colors); }

int codecs_gif_colors_find(const codecs_gif_colors *colors, uint32_t color) {
  for (uint32_t slot = slot_of(color);; slot = (slot + 1) % SLOTS) {
    uint32_t index = colors->slots[slot];
    if (!index) return -1;
    if (colors->colors[index - 1] == color) return (int)index - 1;
  }
}

static int add(codecs_gif_colors *colors, uint32_t color, uint32_t most) {
  if (codecs_gif_colors_find(colors, color) >= 0) return 1;
  if (colors->count >= most || colors->count >= CODECS_GIF_COLORS) return 0;
  uint32_t slot = slot_of(color);
  while (colors->slots[slot]) slot = (slot + 1) % SLOTS;
  colors->colors[colors->count++] = color;
  colors->slots[slot] = (uint16_t)colors->count;
  return 1;
}

int codecs_gif_colors_add(codecs_gif_colors *colors, const uint32_t *pixels, size_t count) {
  uint32_t last = 0;
  for (size_t i = 0; i < count; i++) {
    if (!pixels[i] || pixels[i] == last) continue;
    last = pixels[i];
    if (!add(colors, last, CODECS_GIF_COLORS)) return 0;
  }
  return 1;
}

void codecs_gif_colors_fill(codecs_gif_colors *colors, const uint32_t *pixels, size_t count, uint32_t most) {
  uint32_t last = 0;
  for (size_t i = 0; i < count && colors->count < most; i++) {
    if (pixels[i] && pixels[i] != last) add(colors, last = pixels[i], most);
  }
}

// MARK: Quantization, by X. Wu, "Efficient statistical computations for optimal color quantization", Graphics Gems II, 1991: boxes of colors are
// split where the sum of the variances of both parts is smallest.

enum { SIDE = 33, CELLS = SIDE * SIDE * SIDE };

typedef struct {
  int64_t count, red, green, blue;
  int64_t squares;
} moments;

typedef struct {
  int low[3], high[3];  // of red, green, blue; the low end is excluded
  double variance;
} color_box;

static moments *cell(moments *cells, int r, int g, int b) { return &cells[(r * SIDE + g) * SIDE + b]; }

static void sum_up(moments *to, const moments *other, int sign) {
  to->count += sign * other->count;
  to->red += sign * other->red;
  to->green += sign * other->green;
  to->blue += sign * other->blue;
  to->squares += sign * other->squares;
}

static void fill(moments *cells, const uint32_t *pixels, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!pixels[i]) continue;
    int r = pixels[i] >> 16 & 255, g = pixels[i] >> 8 & 255, b = pixels[i] & 255;
    moments *at = cell(cells, (r >> 3) + 1, (g >> 3) + 1, (b >> 3) + 1);
    at->count++;
    at->red += r;
    at->green += g;
    at->blue += b;
    at->squares += r * r + g * g + b * b;
  }
  // Each cell becomes the sum of all cells up to it.
  for (int axis = 0; axis < 3; axis++) {
    for (int r = 1; r < SIDE; r++) {
      for (int g = 1; g < SIDE; g++) {
        for (int b = 1; b < SIDE; b++) {
          sum_up(cell(cells, r, g, b), cell(cells, r - (axis == 0), g - (axis == 1), b - (axis == 2)), 1);
        }
      }
    }
  }
}

static moments volume(moments *cells, const color_box *box) {
  moments result = {0, 0, 0, 0, 0};
  for (int corner = 0; corner < 8; corner++) {
    int r = corner & 1 ? box->low[0] : box->high[0], g = corner & 2 ? box->low[1] : box->high[1], b = corner & 4 ? box->low[2] : box->high[2];
    int lows = (corner & 1) + (corner >> 1 & 1) + (corner >> 2 & 1);
    sum_up(&result, cell(cells, r, g, b), lows % 2 ? -1 : 1);
  }
  return result;
}

static double mean_square(const moments *part) {
  if (!part->count) return 0;
  double r = (double)part->red, g = (double)part->green, b = (double)part->blue;
  return (r * r + g * g + b * b) / (double)part->count;
}

static double variance(moments *cells, const color_box *box) {
  moments all = volume(cells, box);
  return (double)all.squares - mean_square(&all);
}

// Returns 0 if the box consists of one cell.
static int cut(moments *cells, color_box *box, color_box *other) {
  double best = -1;
  int best_axis = 0, best_place = 0;
  moments all = volume(cells, box);
  for (int axis = 0; axis < 3; axis++) {
    for (int place = box->low[axis] + 1; place < box->high[axis]; place++) {
      color_box half = *box;
      half.high[axis] = place;
      moments first = volume(cells, &half), second = all;
      sum_up(&second, &first, -1);
      if (!first.count || !second.count) continue;
      double value = mean_square(&first) + mean_square(&second);
      if (value > best) {
        best = value;
        best_axis = axis;
        best_place = place;
      }
    }
  }
  if (best < 0) return 0;
  *other = *box;
  box->high[best_axis] = other->low[best_axis] = best_place;
  box->variance = variance(cells, box);
  other->variance = variance(cells, other);
  return 1;
}

static uint32_t color_of(moments *cells, const color_box *box) {
  moments all = volume(cells, box);
  if (!all.count) return 0;
  int64_t half = all.count / 2;
  uint32_t r = (uint32_t)((all.red + half) / all.count), g = (uint32_t)((all.green + half) / all.count), b = (uint32_t)((all.blue + half) / all.count);
  return 0xff000000 | r << 16 | g << 8 | b;
}

int codecs_gif_quantize(codecs_gif_colors *colors, const uint32_t *pixels, size_t count) {
  codecs_gif_colors_clear(colors);
  moments *cells = calloc(CELLS, sizeof *cells);
  if (!cells) return 0;
  fill(cells, pixels, count);
  color_box boxes[CODECS_GIF_COLORS] = {{.low = {0, 0, 0}, .high = {SIDE - 1, SIDE - 1, SIDE - 1}}};
  boxes[0].variance = variance(cells, &boxes[0]);
  int used = 1;
  while (used < CODECS_GIF_COLORS) {
    int widest = 0;
    for (int i = 1; i < used; i++) if (boxes[i].variance > boxes[widest].variance) widest = i;
    if (boxes[widest].variance <= 0) break;
    if (cut(cells, &boxes[widest], &boxes[used])) used++; else boxes[widest].variance = 0;
  }
  for (int i = 0; i < used; i++) {
    uint32_t color = color_of(cells, &boxes[i]);
    if (color) add(colors, color, CODECS_GIF_COLORS);
  }
  free(cells);
  return 1;
}

// MARK: Indexes

static int distance(uint32_t a, uint32_t b) {
  int r = (int)(a >> 16 & 255) - (int)(b >> 16 & 255), g = (int)(a >> 8 & 255) - (int)(b >> 8 & 255), bl = (int)(a & 255) - (int)(b & 255);
  return r * r + g * g + bl * bl;
}

static uint32_t nearest(const codecs_gif_colors *colors, uint32_t color) {
  int exact = codecs_gif_colors_find(colors, color);
  if (exact >= 0) return (uint32_t)exact;
  uint32_t best = 0;
  int least = 1 << 30;
  for (uint32_t i = 0; i < colors->count; i++) {
    int found = distance(colors->colors[i], color);
    if (found < least) least = found, best = i;
  }
  return best;
}

// Thresholds of an 8 × 8 Bayer matrix, -32 to 31: the bits of the coordinates, interleaved from the lowest to the highest.
static int threshold(uint32_t x, uint32_t y) {
  int value = 0;
  for (int bit = 0; bit < 3; bit++) value = value << 2 | (int)((((x ^ y) >> bit & 1) << 1) | (y >> bit & 1));
  return value - 32;
}

static uint32_t shifted(uint32_t color, int amount) {
  uint32_t result = 0xff000000;
  for (int shift = 0; shift < 24; shift += 8) {
    int component = (int)(color >> shift & 255) + amount;
    result |= (uint32_t)(component < 0 ? 0 : component > 255 ? 255 : component) << shift;
  }
  return result;
}

uint64_t codecs_gif_map(const codecs_gif_colors *colors, const uint32_t *pixels, uint32_t width, uint32_t height, uint32_t left, uint32_t top,
                        int dither, uint8_t *indexes) {
  enum { CACHE = 1 << 12 };
  uint32_t known[CACHE] = {0};
  uint8_t found[CACHE] = {0};
  uint64_t errors = 0;
  for (uint32_t y = 0; y < height; y++) {
    for (uint32_t x = 0; x < width; x++) {
      size_t i = (size_t)y * width + x;
      indexes[i] = 0;
      if (!pixels[i]) continue;
      uint32_t color = dither ? shifted(pixels[i], threshold(left + x, top + y) * dither / 32) : pixels[i];
      uint32_t slot = (color * 0x9e3779b1u) >> 20;
      if (known[slot] != color) {
        known[slot] = color;
        found[slot] = (uint8_t)nearest(colors, color);
      }
      // Index 0 is transparency.
      indexes[i] = (uint8_t)(found[slot] + 1);
      errors += (uint64_t)distance(colors->colors[found[slot]], pixels[i]);
    }
  }
  return errors;
}

// MARK: LZW: https://www.w3.org/Graphics/GIF/spec-gif89a.txt, appendix F

enum { CODES = 4096, ENTRIES = 1 << 14 };

typedef struct {
  uint32_t keys[ENTRIES];  // prefix << 8 | byte, plus 1; 0 if free
  uint16_t codes[ENTRIES];
  uint8_t *out;
  size_t capacity, size, block;
  uint32_t bits, bit_count;
} lzw_writer;

static void put_byte(lzw_writer *w, uint8_t byte) {
  if (w->size - w->block == 256) {  // the length byte and 255 bytes of data
    if (w->size < w->capacity) w->out[w->size] = 0;
    w->block = w->size++;
  }
  if (w->size < w->capacity) w->out[w->size] = byte;
  w->size++;
  if (w->block < w->capacity) w->out[w->block] = (uint8_t)(w->size - w->block - 1);
}

static void put(lzw_writer *w, uint32_t code, uint32_t width) {
  w->bits |= code << w->bit_count;
  w->bit_count += width;
  while (w->bit_count >= 8) {
    put_byte(w, (uint8_t)w->bits);
    w->bits >>= 8;
    w->bit_count -= 8;
  }
}

static uint32_t entry_of(const lzw_writer *w, uint32_t prefix, uint8_t byte) {
  uint32_t key = (prefix << 8 | byte) + 1, slot = (key * 0x9e3779b1u) >> 18;
  while (w->keys[slot] && w->keys[slot] != key) slot = (slot + 1) % ENTRIES;
  return slot;
}

// The input: the indexes of the pixels, and which of them may be transparent.
typedef struct {
  const uint8_t *indexes, *free_pixels;
  size_t count;
  codecs_gif_transparency use;
} lzw_pixels;

// The bytes that a pixel may be written as, the preferred one first. Returns their number.
static int choices(const lzw_pixels *pixels, size_t i, uint8_t bytes[2]) {
  int is_free = pixels->free_pixels[i] && pixels->use != CODECS_GIF_COLOR;
  bytes[0] = is_free ? 0 : pixels->indexes[i];
  bytes[1] = pixels->indexes[i];
  return is_free && pixels->use != CODECS_GIF_TRANSPARENT && bytes[1] ? 2 : 1;
}

// Finds a long string in the table for the pixels from `i`, of which the first one is written as `byte`. Where pixels have two bytes, all
// strings are followed, up to a limit, or only the preferred one. Returns its length.
static size_t longest(const lzw_writer *w, const lzw_pixels *pixels, size_t i, uint8_t byte, uint32_t *code) {
  enum { STRINGS = 32 };
  uint16_t ends[2][STRINGS] = {{byte}};
  const int limit = pixels->use == CODECS_GIF_LONGEST ? STRINGS : 1;
  int count = 1, turn = 0;
  size_t length = 1;
  for (; i + length < pixels->count; length++) {
    uint8_t bytes[2];
    int byte_count = choices(pixels, i + length, bytes), found = 0;
    for (int k = 0; k < count; k++) {
      for (int b = 0; b < byte_count && found < limit; b++) {
        uint32_t slot = entry_of(w, ends[turn][k], bytes[b]);
        if (w->keys[slot]) ends[!turn][found++] = w->codes[slot];
      }
    }
    if (!found) break;
    count = found;
    turn = !turn;
  }
  *code = ends[turn][0];
  return length;
}

// The byte of the pixel with which the longer string starts.
static uint8_t first_byte(const lzw_writer *w, const lzw_pixels *pixels, size_t i) {
  uint8_t bytes[2];
  uint32_t code;
  if (choices(pixels, i, bytes) == 1 || pixels->use == CODECS_GIF_EITHER) return bytes[0];
  return longest(w, pixels, i, bytes[1], &code) > longest(w, pixels, i, bytes[0], &code) ? bytes[1] : bytes[0];
}

size_t codecs_gif_compress(const uint8_t *indexes, const uint8_t *free_pixels, size_t count, codecs_gif_transparency use, uint32_t bits,
                           uint8_t *out, size_t capacity) {
  lzw_writer *w = calloc(1, sizeof *w);
  if (!w) return 0;
  *w = (lzw_writer){.out = out, .capacity = capacity, .size = 2, .block = 1};
  if (capacity > 1) out[0] = (uint8_t)bits;
  const lzw_pixels pixels = {indexes, free_pixels, count, use};
  const uint32_t clear = 1u << bits;
  uint32_t width = bits + 1, next = clear + 2;
  put(w, clear, width);
  size_t i = 0;
  int is_full = 0;
  size_t since = 0, codes = 0;
  double best = 0;
  uint8_t byte = count ? first_byte(w, &pixels, 0) : 0;
  while (i < count) {
    uint32_t prefix;
    size_t length = longest(w, &pixels, i, byte, &prefix);
    i += length;
    since += length;
    put(w, prefix, width);
    codes++;
    if (i == count) break;
    // The table gets the string with the first byte of the next one, which is therefore chosen before.
    byte = first_byte(w, &pixels, i);
    if (!is_full) {
      uint32_t slot = entry_of(w, prefix, byte);
      // A string that is in the table already takes a code as well, which remains unused.
      if (!w->keys[slot]) {
        w->keys[slot] = (prefix << 8 | byte) + 1;
        w->codes[slot] = (uint16_t)next;
      }
      // The decoder adds an entry one code later.
      if (next == 1u << width && width < 12) width++;
      next++;
      if (next == CODES) is_full = 1, since = codes = 0, best = 0;
    } else if (codes == 256) {
      // A full table remains in use while it fits the pixels.
      double length = (double)since / (double)codes;
      if (length > best) best = length;
      since = codes = 0;
      if (length < best * 0.9) {
        put(w, clear, width);
        memset(w->keys, 0, sizeof w->keys);
        width = bits + 1;
        next = clear + 2;
        is_full = 0;
      }
    }
  }
  put(w, clear + 1, width);
  if (w->bit_count) put_byte(w, (uint8_t)w->bits);
  if (w->size - w->block > 1 && w->size < capacity) out[w->size++] = 0;
  size_t size = w->size <= capacity ? w->size : 0;
  free(w);
  return size;
}

// MARK: Decoding of the compressed data

typedef struct {
  const uint8_t *data;
  size_t size, offset, block_end;
  uint32_t bits, bit_count;
} lzw_reader;

// The next code; -1 at the end of the data.
static int32_t take(lzw_reader *r, uint32_t width) {
  while (r->bit_count < width) {
    if (r->offset == r->block_end) {
      if (r->offset >= r->size || !r->data[r->offset]) return -1;
      r->block_end = r->offset + 1 + r->data[r->offset];
      r->offset++;
    }
    if (r->offset >= r->size) return -1;
    r->bits |= (uint32_t)r->data[r->offset++] << r->bit_count;
    r->bit_count += 8;
  }
  int32_t code = (int32_t)(r->bits & ((1u << width) - 1));
  r->bits >>= width;
  r->bit_count -= width;
  return code;
}

// A string of the table: its position in the output, and its length.
typedef struct {
  size_t start;
  uint32_t length;
} lzw_string;

size_t codecs_gif_decompress(const uint8_t *data, size_t size, uint8_t *indexes, size_t count) {
  if (size < 2 || data[0] < 2 || data[0] > 8) return 0;
  const uint32_t bits = data[0], clear = 1u << bits;
  lzw_reader r = {.data = data, .size = size, .offset = 1, .block_end = 1};
  lzw_string *strings = calloc(CODES, sizeof *strings), last = {0, 0};
  if (!strings) return 0;
  uint32_t width = bits + 1, next = clear + 2;
  size_t i = 0;
  for (int32_t code; i < count && (code = take(&r, width)) >= 0;) {
    if ((uint32_t)code == clear) {
      width = bits + 1, next = clear + 2, last.length = 0;
      continue;
    }
    if ((uint32_t)code == clear + 1) break;
    // A string is the one before with the first byte of this one, which begins at `i`.
    if (last.length && next < CODES) strings[next++] = (lzw_string){last.start, last.length + 1};
    if ((uint32_t)code >= next && (uint32_t)code > clear) break;
    const lzw_string string = (uint32_t)code < clear ? (lzw_string){i, 1} : strings[code];
    if (string.length > count - i) break;
    last = (lzw_string){i, string.length};
    if ((uint32_t)code < clear) {
      indexes[i++] = (uint8_t)code;
    } else {
      for (uint32_t k = 0; k < string.length; k++, i++) indexes[i] = indexes[string.start + k];
    }
    if (next == 1u << width && width < 12) width++;
  }
  free(strings);
  return i;
}
