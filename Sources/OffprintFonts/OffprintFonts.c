#include "OffprintFonts.h"

// A target has at least one source.
const char offprint_fonts_folder[] = "Fonts";
