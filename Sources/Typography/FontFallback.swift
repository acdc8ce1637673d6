internal import COffprintPango
import OffprintCoreTypes

struct FallbackKey: Hashable {
  var codepoint: UInt32
  var isEmoji: Bool
  var bold: Bool
  var oblique: Bool
  /// Variations of the fallback face depend on the description, which is therefore part of the key.
  var font: UInt32
}

/// Fallback faces for text of one script. Chromium requests a face for the first missing character, uses it for all missing characters that
/// it supports, and so on; if a face lacks a part of the cluster it was requested for, the rest is shown as missing in the primary face.
struct FallbackSegment {
  var script = HB_SCRIPT_INVALID
  var isEmoji = false
  var faces: [FaceInstance] = []
  var isExhausted = false

  mutating func move(to script: hb_script_t, isEmoji: Bool) {
    if script != self.script || isEmoji != self.isEmoji { self = FallbackSegment(script: script, isEmoji: isEmoji) }
  }
}

extension FontRegistry {
  /// The order in which fontconfig sorts faces with equal coverage: regular ones first, then newer revisions.
  static func isAskedBefore(_ a: FontFace, _ b: FontFace) -> Bool {
    let x = a.info, y = b.info
    if x.isItalic != y.isItalic { return !x.isItalic }
    if abs(x.weight - 400) != abs(y.weight - 400) { return abs(x.weight - 400) < abs(y.weight - 400) }
    if abs(x.stretch - 100) != abs(y.stretch - 100) { return abs(x.stretch - 100) < abs(y.stretch - 100) }
    if x.revision != y.revision { return x.revision > y.revision }
    if a.contentDigest == b.contentDigest { return a.index < b.index }
    return x.postScriptName.utf8.lexicographicallyPrecedes(y.postScriptName.utf8)
  }
}

extension FontContext {
  /// The face for one grapheme cluster: the first of the families that supports all its characters, otherwise a fallback.
  ///
  /// - Parameters:
  ///   - shaped: The characters as shaped: for small capitals, the capitals.
  ///   - isText: Whether text presentation is requested, so that color faces come last.
  ///   - segment: The earlier fallbacks for text of the same script.
  func face(
    for cluster: ArraySlice<UInt32>, shapedAs shaped: ArraySlice<UInt32>, isEmoji: Bool, isText: Bool, font: FontHandle,
    _ resolved: ResolvedFont, _ segment: inout FallbackSegment
  ) -> FaceInstance? {
    guard let base = cluster.first else { return resolved.primary }
    if isEmoji, let emoji = fallback(cluster, isEmoji: true, font: font, resolved) { return emoji }
    for entry in resolved.entries
    where entry.isUsed(for: base) && entry.instance.face.covers(cluster: shaped) && !(isText && entry.instance.face.info.hasColor) {
      return entry.instance
    }
    if let known = segment.faces.first(where: { $0.face.covers(cluster: shaped) }) { return known }
    guard !segment.isExhausted else { return resolved.primary }
    guard let other = fallback(cluster.prefix(1), isEmoji: false, font: font, resolved) else {
      segment.isExhausted = true
      return resolved.primary
    }
    segment.faces.append(other)
    segment.isExhausted = !other.face.covers(cluster: shaped)
    return segment.isExhausted ? resolved.primary : other
  }

  private static let maximumFallbacks = 65_536

  private func fallback(_ cluster: ArraySlice<UInt32>, isEmoji: Bool, font: FontHandle, _ resolved: ResolvedFont) -> FaceInstance? {
    guard let base = cluster.first else { return nil }
    let description = resolved.description
    let key = FallbackKey(
      codepoint: base, isEmoji: isEmoji, bold: description.weight >= 600, oblique: description.style.isItalic, font: font.index)
    if cluster.count == 1, let known = fallbacks[key] { return known }
    let found = search(cluster, isEmoji: isEmoji, description)
    if cluster.count == 1 {
      if fallbacks.count > FontContext.maximumFallbacks { fallbacks.removeAll() }
      fallbacks[key] = .some(found)
    }
    return found
  }

  private func search(_ cluster: ArraySlice<UInt32>, isEmoji: Bool, _ description: FontDescription) -> FaceInstance? {
    let ordered = fonts.registry.orderedFallbackFaces
    if isEmoji {
      let emoji = ordered.first { $0.info.hasColor && cluster.first.map($0.covers) ?? false }
      return emoji.map { fallbackInstance(of: $0, description) }
    }
    if let region = FontContext.region(description.language),
      let face = ordered.first(where: { $0.info.postScriptName.contains("CJK" + region.lowercased()) && $0.covers(cluster: cluster) })
    {
      return fallbackInstance(of: face, description)
    }
    if let plain = plainFace(cluster, description) { return fallbackInstance(of: plain, description) }
    if let plain = ordered.first(where: { !$0.info.hasColor && $0.covers(cluster: cluster) }) {
      return fallbackInstance(of: plain, description)
    }
    return ordered.first { $0.covers(cluster: cluster) }.map { fallbackInstance(of: $0, description) }
  }

  /// The faces that Chromium tries before fontconfig's sorting by coverage: for bold and slanted text the regular face of the first family
  /// (`FallbackOnStandardFontStyle`), then fontconfig's default, which is sans-serif.
  private func plainFace(_ cluster: ArraySlice<UInt32>, _ description: FontDescription) -> FontFace? {
    let registry = fonts.registry
    func regular(_ found: [Int]?) -> FontFace? {
      let faces = (found ?? []).compactMap { registry.faces.indices.contains($0) ? registry.faces[$0] : nil }
      let plain = FaceRequest(weight: 400, stretch: 100, style: .normal)
      guard let best = FontMatching.match(faces.map { FaceCapabilities($0.info) }, plain).first else { return nil }
      return !faces[best].info.hasColor && faces[best].covers(cluster: cluster) ? faces[best] : nil
    }
    if description.weight >= 600 || description.style != .normal, let family = description.families.first {
      let found =
        switch family {
        case .named(let name): registry.index.lookup(name.text)
        case .generic(let generic): registry.index.lookup(generic)
        }
      if let face = regular(found) { return face }
    }
    return regular(registry.index.lookup(.sansSerif))
  }

  /// The suffix in names of a pan-CJK family for the regional form of a language; nil for other languages.
  static func region(_ language: String) -> String? {
    let parts = language.lowercased().split(whereByte: { $0 == 0x2D || $0 == 0x5F })
    switch parts.first {
    case "ja": return "JP"
    case "ko": return "KR"
    case "zh":
      if parts.contains("hk") || parts.contains("mo") { return "HK" }
      return parts.contains("tw") || parts.contains("hant") ? "TC" : "SC"
    default: return nil
    }
  }
}
