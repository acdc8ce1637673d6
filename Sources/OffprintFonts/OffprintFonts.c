#include "OffprintFonts.h"

// A C target needs at least one source.
const char offprint_fonts_folder[] = "Fonts";
