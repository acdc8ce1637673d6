// The C library functions that the package calls. Each has a stub that opens its library on the first call: a start that renders nothing (a
// cache hit, `--version`) opens two libraries instead of forty-five. A function that is missing here is linked as usual, so that its
// library is loaded at every start; `.ci/start-libraries` reports it.
//
// LIBRARY(name, file, package of Debian and Ubuntu) FUNCTION(name of its library, name)

// checksums, regular expressions, Unicode normalization
LIBRARY(glib, "libglib-2.0.so.0", "libglib2.0-0")
FUNCTION(glib, g_checksum_copy) FUNCTION(glib, g_checksum_free) FUNCTION(glib, g_checksum_get_digest) FUNCTION(glib, g_checksum_new)
FUNCTION(glib, g_checksum_update) FUNCTION(glib, g_clear_error) FUNCTION(glib, g_free) FUNCTION(glib, g_hmac_get_digest)
FUNCTION(glib, g_hmac_new) FUNCTION(glib, g_hmac_unref) FUNCTION(glib, g_hmac_update) FUNCTION(glib, g_regex_match_full)
FUNCTION(glib, g_regex_new) FUNCTION(glib, g_regex_unref) FUNCTION(glib, g_unichar_break_type) FUNCTION(glib, g_unichar_iswide)
FUNCTION(glib, g_utf8_normalize)

// the cache's index
LIBRARY(sqlite, "libsqlite3.so.0", "libsqlite3-0")
FUNCTION(sqlite, sqlite3_bind_blob) FUNCTION(sqlite, sqlite3_bind_double) FUNCTION(sqlite, sqlite3_bind_int64)
FUNCTION(sqlite, sqlite3_bind_null) FUNCTION(sqlite, sqlite3_bind_text) FUNCTION(sqlite, sqlite3_bind_zeroblob)
FUNCTION(sqlite, sqlite3_busy_handler) FUNCTION(sqlite, sqlite3_clear_bindings) FUNCTION(sqlite, sqlite3_close_v2)
FUNCTION(sqlite, sqlite3_column_blob) FUNCTION(sqlite, sqlite3_column_bytes) FUNCTION(sqlite, sqlite3_column_double)
FUNCTION(sqlite, sqlite3_column_int64) FUNCTION(sqlite, sqlite3_column_text) FUNCTION(sqlite, sqlite3_column_type)
FUNCTION(sqlite, sqlite3_create_function_v2) FUNCTION(sqlite, sqlite3_db_config) FUNCTION(sqlite, sqlite3_errmsg)
FUNCTION(sqlite, sqlite3_exec) FUNCTION(sqlite, sqlite3_extended_errcode) FUNCTION(sqlite, sqlite3_finalize)
FUNCTION(sqlite, sqlite3_get_auxdata) FUNCTION(sqlite, sqlite3_open_v2) FUNCTION(sqlite, sqlite3_prepare_v3)
FUNCTION(sqlite, sqlite3_reset) FUNCTION(sqlite, sqlite3_result_int) FUNCTION(sqlite, sqlite3_set_auxdata) FUNCTION(sqlite, sqlite3_step)
FUNCTION(sqlite, sqlite3_value_bytes) FUNCTION(sqlite, sqlite3_value_text)

// glyphs
LIBRARY(freetype, "libfreetype.so.6", "libfreetype6")
FUNCTION(freetype, FT_Done_Face) FUNCTION(freetype, FT_Done_FreeType) FUNCTION(freetype, FT_Init_FreeType)
FUNCTION(freetype, FT_Load_Glyph) FUNCTION(freetype, FT_Load_Sfnt_Table) FUNCTION(freetype, FT_New_Memory_Face)
FUNCTION(freetype, FT_Outline_Decompose) FUNCTION(freetype, FT_Outline_Embolden) FUNCTION(freetype, FT_Outline_Get_CBox)
FUNCTION(freetype, FT_Outline_Transform) FUNCTION(freetype, FT_Outline_Translate) FUNCTION(freetype, FT_Render_Glyph)
FUNCTION(freetype, FT_Select_Size) FUNCTION(freetype, FT_Set_Char_Size) FUNCTION(freetype, FT_Set_Var_Design_Coordinates)

// shaping
LIBRARY(harfbuzz, "libharfbuzz.so.0", "libharfbuzz0b")
FUNCTION(harfbuzz, hb_blob_create_from_file_or_fail) FUNCTION(harfbuzz, hb_blob_create_or_fail) FUNCTION(harfbuzz, hb_blob_destroy)
FUNCTION(harfbuzz, hb_blob_get_data) FUNCTION(harfbuzz, hb_blob_get_empty) FUNCTION(harfbuzz, hb_blob_make_immutable)
FUNCTION(harfbuzz, hb_buffer_add) FUNCTION(harfbuzz, hb_buffer_add_codepoints) FUNCTION(harfbuzz, hb_buffer_clear_contents)
FUNCTION(harfbuzz, hb_buffer_create) FUNCTION(harfbuzz, hb_buffer_destroy) FUNCTION(harfbuzz, hb_buffer_get_glyph_infos)
FUNCTION(harfbuzz, hb_buffer_get_glyph_positions) FUNCTION(harfbuzz, hb_buffer_set_cluster_level)
FUNCTION(harfbuzz, hb_buffer_set_content_type) FUNCTION(harfbuzz, hb_buffer_set_direction) FUNCTION(harfbuzz, hb_buffer_set_language)
FUNCTION(harfbuzz, hb_buffer_set_script) FUNCTION(harfbuzz, hb_face_collect_unicodes) FUNCTION(harfbuzz, hb_face_create)
FUNCTION(harfbuzz, hb_face_destroy) FUNCTION(harfbuzz, hb_face_make_immutable) FUNCTION(harfbuzz, hb_font_create)
FUNCTION(harfbuzz, hb_font_destroy) FUNCTION(harfbuzz, hb_font_get_glyph_extents) FUNCTION(harfbuzz, hb_font_get_glyph_h_advance)
FUNCTION(harfbuzz, hb_font_get_nominal_glyph) FUNCTION(harfbuzz, hb_font_get_var_coords_normalized)
FUNCTION(harfbuzz, hb_font_make_immutable) FUNCTION(harfbuzz, hb_font_set_variations) FUNCTION(harfbuzz, hb_language_from_string)
FUNCTION(harfbuzz, hb_ot_font_set_funcs) FUNCTION(harfbuzz, hb_ot_layout_table_get_feature_tags)
FUNCTION(harfbuzz, hb_ot_layout_table_get_script_tags) FUNCTION(harfbuzz, hb_ot_math_get_constant)
FUNCTION(harfbuzz, hb_ot_math_get_glyph_assembly) FUNCTION(harfbuzz, hb_ot_math_get_glyph_italics_correction)
FUNCTION(harfbuzz, hb_ot_math_get_glyph_variants) FUNCTION(harfbuzz, hb_ot_math_get_min_connector_overlap)
FUNCTION(harfbuzz, hb_ot_math_has_data) FUNCTION(harfbuzz, hb_ot_metrics_get_variation) FUNCTION(harfbuzz, hb_set_create)
FUNCTION(harfbuzz, hb_set_destroy) FUNCTION(harfbuzz, hb_set_get_population) FUNCTION(harfbuzz, hb_set_next_range)
FUNCTION(harfbuzz, hb_shape) FUNCTION(harfbuzz, hb_shape_full) FUNCTION(harfbuzz, hb_unicode_compose)
FUNCTION(harfbuzz, hb_unicode_decompose)
FUNCTION(harfbuzz, hb_unicode_funcs_get_default) FUNCTION(harfbuzz, hb_unicode_general_category) FUNCTION(harfbuzz, hb_unicode_mirroring)
FUNCTION(harfbuzz, hb_unicode_script)

// bidirectional text
LIBRARY(fribidi, "libfribidi.so.0", "libfribidi0")
FUNCTION(fribidi, fribidi_get_bidi_types) FUNCTION(fribidi, fribidi_get_bracket_types)
FUNCTION(fribidi, fribidi_get_par_embedding_levels_ex)

// where lines may break
LIBRARY(pango, "libpango-1.0.so.0", "libpango-1.0-0")
FUNCTION(pango, pango_get_log_attrs) FUNCTION(pango, pango_language_from_string)

// the system's fonts
LIBRARY(fontconfig, "libfontconfig.so.1", "libfontconfig1")
FUNCTION(fontconfig, FcConfigDestroy) FUNCTION(fontconfig, FcConfigGetConfigFiles) FUNCTION(fontconfig, FcConfigGetFontDirs)
FUNCTION(fontconfig, FcInitLoadConfig) FUNCTION(fontconfig, FcStrListDone) FUNCTION(fontconfig, FcStrListNext)

// outlines, PDF and SVG
LIBRARY(cairo, "libcairo.so.2", "libcairo2")
FUNCTION(cairo, cairo_clip) FUNCTION(cairo, cairo_close_path) FUNCTION(cairo, cairo_create) FUNCTION(cairo, cairo_curve_to)
FUNCTION(cairo, cairo_destroy) FUNCTION(cairo, cairo_fill) FUNCTION(cairo, cairo_font_face_destroy)
FUNCTION(cairo, cairo_font_face_set_user_data) FUNCTION(cairo, cairo_font_face_status) FUNCTION(cairo, cairo_font_options_create)
FUNCTION(cairo, cairo_font_options_destroy) FUNCTION(cairo, cairo_font_options_set_hint_metrics)
FUNCTION(cairo, cairo_font_options_set_hint_style) FUNCTION(cairo, cairo_font_options_set_variations)
FUNCTION(cairo, cairo_ft_font_face_create_for_ft_face) FUNCTION(cairo, cairo_get_source) FUNCTION(cairo, cairo_identity_matrix)
FUNCTION(cairo, cairo_image_surface_create_for_data) FUNCTION(cairo, cairo_line_to) FUNCTION(cairo, cairo_move_to)
FUNCTION(cairo, cairo_new_path) FUNCTION(cairo, cairo_paint) FUNCTION(cairo, cairo_paint_with_alpha)
FUNCTION(cairo, cairo_pattern_add_color_stop_rgba) FUNCTION(cairo, cairo_pattern_create_linear)
FUNCTION(cairo, cairo_pattern_create_radial) FUNCTION(cairo, cairo_pattern_destroy) FUNCTION(cairo, cairo_pattern_set_extend)
FUNCTION(cairo, cairo_pattern_set_filter) FUNCTION(cairo, cairo_pdf_surface_add_outline)
FUNCTION(cairo, cairo_pdf_surface_create_for_stream) FUNCTION(cairo, cairo_pdf_surface_restrict_to_version)
FUNCTION(cairo, cairo_pdf_surface_set_metadata) FUNCTION(cairo, cairo_pdf_surface_set_size) FUNCTION(cairo, cairo_pop_group_to_source) FUNCTION(cairo, cairo_push_group)
FUNCTION(cairo, cairo_rectangle) FUNCTION(cairo, cairo_restore) FUNCTION(cairo, cairo_save) FUNCTION(cairo, cairo_set_antialias)
FUNCTION(cairo, cairo_set_dash) FUNCTION(cairo, cairo_set_fill_rule) FUNCTION(cairo, cairo_set_font_face)
FUNCTION(cairo, cairo_set_font_matrix) FUNCTION(cairo, cairo_set_font_options) FUNCTION(cairo, cairo_set_line_cap)
FUNCTION(cairo, cairo_set_line_join) FUNCTION(cairo, cairo_set_line_width) FUNCTION(cairo, cairo_set_matrix) FUNCTION(cairo, cairo_set_tolerance)
FUNCTION(cairo, cairo_set_miter_limit) FUNCTION(cairo, cairo_set_operator) FUNCTION(cairo, cairo_set_source)
FUNCTION(cairo, cairo_set_source_rgba) FUNCTION(cairo, cairo_set_source_surface) FUNCTION(cairo, cairo_show_page)
FUNCTION(cairo, cairo_show_glyphs) FUNCTION(cairo, cairo_show_text_glyphs) FUNCTION(cairo, cairo_status) FUNCTION(cairo, cairo_stroke) FUNCTION(cairo, cairo_surface_destroy)
FUNCTION(cairo, cairo_surface_finish) FUNCTION(cairo, cairo_surface_flush) FUNCTION(cairo, cairo_surface_status)
FUNCTION(cairo, cairo_svg_surface_create_for_stream) FUNCTION(cairo, cairo_svg_surface_set_document_unit) FUNCTION(cairo, cairo_transform)
FUNCTION(cairo, cairo_translate)

// PNG
LIBRARY(deflate, "libdeflate.so.0", "libdeflate0")
FUNCTION(deflate, libdeflate_adler32) FUNCTION(deflate, libdeflate_alloc_compressor) FUNCTION(deflate, libdeflate_alloc_decompressor)
FUNCTION(deflate, libdeflate_crc32) FUNCTION(deflate, libdeflate_free_compressor) FUNCTION(deflate, libdeflate_free_decompressor)
FUNCTION(deflate, libdeflate_zlib_compress) FUNCTION(deflate, libdeflate_zlib_compress_bound)
FUNCTION(deflate, libdeflate_zlib_decompress)

// embedded images
LIBRARY(png, "libpng16.so.16", "libpng16-16")
FUNCTION(png, png_create_info_struct) FUNCTION(png, png_create_read_struct) FUNCTION(png, png_destroy_read_struct)
FUNCTION(png, png_error) FUNCTION(png, png_get_color_type) FUNCTION(png, png_get_image_height) FUNCTION(png, png_get_image_width)
FUNCTION(png, png_get_io_ptr) FUNCTION(png, png_get_rowbytes) FUNCTION(png, png_get_valid) FUNCTION(png, png_longjmp)
FUNCTION(png, png_read_info) FUNCTION(png, png_read_row) FUNCTION(png, png_read_update_info) FUNCTION(png, png_set_add_alpha)
FUNCTION(png, png_set_bgr) FUNCTION(png, png_set_chunk_malloc_max) FUNCTION(png, png_set_compression_buffer_size)
FUNCTION(png, png_set_expand) FUNCTION(png, png_set_gray_to_rgb) FUNCTION(png, png_set_interlace_handling)
FUNCTION(png, png_set_keep_unknown_chunks) FUNCTION(png, png_set_longjmp_fn) FUNCTION(png, png_set_read_fn)
FUNCTION(png, png_set_strip_16) FUNCTION(png, png_set_user_limits)

// embedded and output images
LIBRARY(jpeg, JPEG_FILE, JPEG_PACKAGE)
FUNCTION(jpeg, jpeg_CreateCompress) FUNCTION(jpeg, jpeg_CreateDecompress) FUNCTION(jpeg, jpeg_calc_output_dimensions)
FUNCTION(jpeg, jpeg_destroy_compress) FUNCTION(jpeg, jpeg_destroy_decompress) FUNCTION(jpeg, jpeg_finish_compress)
FUNCTION(jpeg, jpeg_has_multiple_scans) FUNCTION(jpeg, jpeg_mem_dest) FUNCTION(jpeg, jpeg_read_header) FUNCTION(jpeg, jpeg_read_scanlines)
FUNCTION(jpeg, jpeg_resync_to_restart) FUNCTION(jpeg, jpeg_set_defaults) FUNCTION(jpeg, jpeg_set_quality)
FUNCTION(jpeg, jpeg_simple_progression) FUNCTION(jpeg, jpeg_start_compress) FUNCTION(jpeg, jpeg_start_decompress)
FUNCTION(jpeg, jpeg_std_error) FUNCTION(jpeg, jpeg_write_m_byte) FUNCTION(jpeg, jpeg_write_m_header) FUNCTION(jpeg, jpeg_write_scanlines)

// embedded and output images
LIBRARY(webp, "libwebp.so.7", "libwebp7")
FUNCTION(webp, WebPConfigInitInternal) FUNCTION(webp, WebPConfigLosslessPreset) FUNCTION(webp, WebPEncode)
FUNCTION(webp, WebPFreeDecBuffer) FUNCTION(webp, WebPGetFeaturesInternal) FUNCTION(webp, WebPIDecGetRGB) FUNCTION(webp, WebPIDelete)
FUNCTION(webp, WebPINewDecoder) FUNCTION(webp, WebPIUpdate) FUNCTION(webp, WebPInitDecoderConfigInternal) FUNCTION(webp, WebPMemoryWrite)
FUNCTION(webp, WebPMemoryWriterClear) FUNCTION(webp, WebPMemoryWriterInit) FUNCTION(webp, WebPPictureAlloc)
FUNCTION(webp, WebPPictureFree) FUNCTION(webp, WebPPictureInitInternal)

// compressed fonts
LIBRARY(zlib, "libz.so.1", "zlib1g")
FUNCTION(zlib, uncompress)
