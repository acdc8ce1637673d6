internal import COffprintPango
internal import Synchronization

/// Assigns unique numbers to faces and face instances, for caches that outlive them.
private let nextIdentifier = Atomic<UInt64>(1)

func makeIdentifier() -> UInt64 { nextIdentifier.wrappingAdd(1, ordering: .relaxed).oldValue }

/// The bytes of a font file: memory-mapped, or a web font's.
final class FontData: @unchecked Sendable {
  // Immutable after `init`; HarfBuzz's reference counting is atomic.
  let blob: OpaquePointer

  /// Maps the file at `path`; nil if it cannot be read.
  init?(path: String) {
    guard let blob = hb_blob_create_from_file_or_fail(path) else { return nil }
    hb_blob_make_immutable(blob)
    self.blob = blob
  }

  /// Copies `bytes`.
  init?(bytes: [UInt8]) {
    let copy = bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) {
        hb_blob_create_or_fail($0.baseAddress, UInt32(clamping: $0.count), HB_MEMORY_MODE_DUPLICATE, nil, nil)
      }
    }
    guard let copy else { return nil }
    hb_blob_make_immutable(copy)
    blob = copy
  }

  private init(empty: Void) { blob = hb_blob_get_empty() }
  static let empty = FontData(empty: ())

  deinit { hb_blob_destroy(blob) }

  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    var length: UInt32 = 0
    guard let start = hb_blob_get_data(blob, &length) else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(length))
    return try bytes.withMemoryRebound(to: UInt8.self, body)
  }
}

/// One face of a font file. Immutable; shared by all threads.
public final class FontFace: @unchecked Sendable {
  // HarfBuzz faces can be shared between threads once immutable: their tables are loaded with atomic operations.
  public let identifier: UInt64
  public let info: FaceInfo
  /// The path of the face's file; empty for a web font.
  public let path: String
  /// The index of the face in its file.
  public let index: Int
  /// Hash of the file's content.
  public let contentDigest: FontDigest

  /// Loaded when the face is first used.
  private final class Loaded: Sendable {
    let data: FontData
    nonisolated(unsafe) let hbFace: OpaquePointer
    /// Only for `hb_font_get_nominal_glyph`.
    nonisolated(unsafe) let plainFont: OpaquePointer?

    init(_ data: FontData, index: Int) {
      self.data = data
      hbFace = hb_face_create(data.blob, UInt32(clamping: index))
      hb_face_make_immutable(hbFace)
      let plainFont = hb_font_create(hbFace)
      hb_ot_font_set_funcs(plainFont)
      hb_font_make_immutable(plainFont)
      self.plainFont = plainFont
    }

    deinit {
      hb_font_destroy(plainFont)
      hb_face_destroy(hbFace)
    }
  }

  private let reference = AtomicLazyReference<Loaded>()
  private let given: FontData?

  /// - Parameter data: If nil, the file is opened on first use; if it no longer exists, the face has no glyphs.
  init(data: FontData?, index: Int, info: FaceInfo, path: String, digest: FontDigest) {
    given = data
    self.index = index
    self.info = info
    self.path = path
    contentDigest = digest
    identifier = makeIdentifier()
  }

  private var loaded: Loaded {
    if let cached = reference.load() { return cached }
    return reference.storeIfNil(Loaded(given ?? FontData(path: path) ?? FontData.empty, index: index))
  }

  var data: FontData { loaded.data }
  var hbFace: OpaquePointer { loaded.hbFace }
  private var plainFont: OpaquePointer? { loaded.plainFont }

  /// The glyph of a character, 0 if the face does not have it.
  package func glyph(for codepoint: UInt32) -> UInt32 {
    if let coverage = info.coverage, !coverage.mayContain(codepoint) { return 0 }
    var glyph: UInt32 = 0
    return hb_font_get_nominal_glyph(plainFont, codepoint, &glyph) != 0 ? glyph : 0
  }

  /// Whether the face has a glyph for the character.
  public func covers(_ codepoint: UInt32) -> Bool { glyph(for: codepoint) != 0 }

  /// Whether the face supports a grapheme cluster, taking into account that shaping composes and decomposes characters.
  func covers(cluster: ArraySlice<UInt32>) -> Bool {
    guard let base = cluster.first else { return true }
    let functions = hb_unicode_funcs_get_default()
    var current = base
    guard covers(base) || TextCharacter.isIgnorable(base) || coversDecomposed(base) || coversReplaced(base) else { return false }
    for codepoint in cluster.dropFirst() where !TextCharacter.isIgnorable(codepoint) {
      var composed: UInt32 = 0
      if hb_unicode_compose(functions, current, codepoint, &composed) != 0, covers(composed) {
        current = composed
      } else if !covers(codepoint) {
        return false
      }
    }
    return true
  }

  private func coversDecomposed(_ codepoint: UInt32) -> Bool {
    guard codepoint >= 0xc0 else { return false }
    var first: UInt32 = 0, second: UInt32 = 0
    return hb_unicode_decompose(hb_unicode_funcs_get_default(), codepoint, &first, &second) != 0 && covers(first)
      && (second == 0 || covers(second))
  }

  /// Characters that shaping replaces if they are missing: spaces of other widths by the plain space, and the non-breaking hyphen by the
  /// hyphen.
  private func coversReplaced(_ codepoint: UInt32) -> Bool {
    switch codepoint {
    case 0xa0, 0x2000...0x200a, 0x202f, 0x205f, 0x3000: covers(0x20)
    case 0x2011: covers(0x2010)
    default: false
    }
  }

  /// The advance of a character's glyph in font units; nil if the face does not have it.
  func advance(of codepoint: UInt32) -> Double? {
    let glyph = glyph(for: codepoint)
    return glyph == 0 ? nil : Double(hb_font_get_glyph_h_advance(plainFont, glyph))
  }

  /// The height of a character's outline above the baseline in font units, 0 if it has none.
  func top(of codepoint: UInt32) -> Double {
    var extents = hb_glyph_extents_t()
    let glyph = glyph(for: codepoint)
    guard glyph != 0, hb_font_get_glyph_extents(plainFont, glyph, &extents) != 0 else { return 0 }
    return Double(extents.y_bearing)
  }
}

/// A face with variation settings and synthesized styles. Glyphs of equal instances are identical.
public final class FaceInstance: Sendable {
  public let identifier: UInt64
  public let face: FontFace
  public let variations: [FontVariation]
  /// Whether boldness is synthesized.
  public let isSyntheticBold: Bool
  /// Whether a slant is synthesized.
  public let isSyntheticOblique: Bool
  let overrides: FontFaceOverrides
  /// For a face with color glyphs.
  public let palette: FontPalette

  init(
    face: FontFace, variations: [FontVariation] = [], isSyntheticBold: Bool = false, isSyntheticOblique: Bool = false,
    overrides: FontFaceOverrides = FontFaceOverrides(), palette: FontPalette = FontPalette()
  ) {
    self.palette = palette
    identifier = makeIdentifier()
    self.face = face
    self.variations = variations
    self.isSyntheticBold = isSyntheticBold
    self.isSyntheticOblique = isSyntheticOblique
    self.overrides = overrides
  }

  /// An `hb_font_t` in font units; owned by the caller.
  func makeHBFont() -> OpaquePointer? {
    guard let font = hb_font_create(face.hbFace) else { return nil }
    hb_ot_font_set_funcs(font)
    let settings = variations.map { hb_variation_t(tag: $0.tag.raw, value: $0.value) }
    if !settings.isEmpty { hb_font_set_variations(font, settings, UInt32(settings.count)) }
    return font
  }
}
