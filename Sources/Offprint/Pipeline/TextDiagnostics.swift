import OffprintCSS
import OffprintCoreTypes
import OffprintLayout
import OffprintPainting
import OffprintTypography

extension Diagnostic.Code {
  /// Characters are missing from all fonts: missing-glyph boxes are drawn, and the image is degraded.
  static let missingGlyph: Diagnostic.Code = "missingGlyph"
  /// A font family is not available, and another one is used.
  static let familyFallback: Diagnostic.Code = "familyFallback"
  /// Text was truncated with an ellipsis.
  static let textClipped: Diagnostic.Code = "textClipped"
}

/// Reports characters missing from all fonts: one diagnostic for each font pack that would provide them.
enum MissingGlyphReport {
  private struct Group {
    var pack: FontPack?
    var kind: CharacterKind
    var codepoints: [UInt32] = []
  }

  /// The maximum number of characters in a diagnostic.
  private static let named = 8

  /// - Parameter codepoints: Without duplicates, in painting order.
  static func diagnostics(_ codepoints: [UInt32]) -> [Diagnostic] {
    var groups: [Group] = []
    for codepoint in codepoints {
      let pack = FontPack.covering(codepoint), kind = CharacterKind(codepoint)
      let index = groups.firstIndex { $0.pack == pack && $0.kind == kind } ?? groups.endIndex
      if index == groups.endIndex { groups.append(Group(pack: pack, kind: kind)) }
      groups[index].codepoints.append(codepoint)
    }
    return groups.map { Diagnostic(.missingGlyph, .degraded, sentence($0)) }
  }

  private static func sentence(_ group: Group) -> String {
    let count = group.codepoints.count
    let what = count == 1 ? "A character of the text has no glyph in any font" : "\(count) characters of the text have no glyph in any font"
    var listed = group.codepoints.prefix(named).map(text).joined(separator: ", ")
    if count > named { listed += " and \(count - named) more" }
    return "\(what): \(listed)\(scripts(group)); \(advice(group))."
  }

  /// `中 (U+4E2D)`; only the number for characters that cannot be shown alone.
  private static func text(_ codepoint: UInt32) -> String {
    let digits = String(codepoint, radix: 16, uppercase: true)
    let number = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    guard CharacterKind(codepoint) == .assigned, let scalar = Unicode.Scalar(codepoint) else { return number }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .nonspacingMark, .spacingMark, .enclosingMark: return number
    default: return "\(Character(scalar)) (\(number))"
    }
  }

  private static func scripts(_ group: Group) -> String {
    guard group.kind == .assigned else { return group.kind == .privateUse ? " (private use)" : " (not assigned by Unicode)" }
    var names: [String] = []
    for codepoint in group.codepoints {
      let script = UnicodeScript.isEmoji(codepoint) ? "emoji" : UnicodeScript(of: codepoint).name
      if script != "common", script != "inherited", !names.contains(script) { names.append(script) }
    }
    guard !names.isEmpty else { return "" }
    return names.count == 1 && names == ["emoji"]
      ? " (emoji)" : " (\(names.count == 1 ? "script" : "scripts") \(names.prefix(named).joined(separator: ", ")))"
  }

  private static func advice(_ group: Group) -> String {
    switch group.kind {
    case .privateUse: "add the folder of their font with \(OptionName.fonts.text), or load the font with @font-face"
    case .unassigned: "add a folder of fonts that have them with \(OptionName.fonts.text)"
    case .assigned:
      group.pack.map { "\($0.hint), or add a folder of fonts with \(OptionName.fonts.text)" }
        ?? "add a folder of fonts that have them with \(OptionName.fonts.text)"
    }
  }
}

extension LaidOutPage {
  /// A style used by text, and the first face it is drawn with.
  private struct StyledText {
    var style: ComputedStyle
    var face: FontFace
  }

  /// The page's texts, one for each distinct font style.
  private var texts: [StyledText] {
    var seen: Set<UnsafePointer<OffprintCSS.FontStyle>> = []
    var result: [StyledText] = []
    func add(_ style: ComputedStyle, _ face: FaceInstance?) {
      if let face, seen.insert(style.record.pointee.font).inserted { result.append(StyledText(style: style, face: face.face)) }
    }
    for fragment in fragments.fragments where fragment.kind == .text && fragments.texts.indices.contains(Int(fragment.payload)) {
      add(fragment.style, fragments.texts[Int(fragment.payload)].glyphs.first?.face)
    }
    for run in drawnRuns { add(run.style, run.face) }
    return result
  }

  /// The text runs of inline SVG.
  var drawnRuns: [SVGText.Run] {
    var runs: [SVGText.Run] = []
    var nodes = fragments.drawings.reversed().map(\.root)
    while let node = nodes.popLast() {
      if case .text(let text) = node.kind {
        for case .glyphs(let run) in text.items { runs.append(run) }
      }
      nodes += node.children.reversed()
    }
    return runs
  }

  /// One diagnostic for all elements whose text ends in an ellipsis; nil if no text does.
  var textClipping: Diagnostic? {
    guard fragments.texts.contains(where: \.isEllipsis) else { return nil }
    var names: [String] = [], count = 0
    for fragment in ellipses {
      count += 1
      var node = tree[fragment.box].node
      while !node.isNone, styled.document[node].kind != .element { node = styled.document[node].parent }
      guard !node.isNone, names.count < Self.maximumFallbacks else { continue }
      let name = String(decoding: styled.document.names[styled.document[node].name], as: UTF8.self)
      if !names.contains(name) { names.append(name) }
    }
    guard count > 0 else { return nil }
    let what = count == 1 ? "A line of text does" : "\(count) lines of text do"
    return Diagnostic(
      .textClipped, .note, "\(what) not fit and \(count == 1 ? "ends" : "end") in an ellipsis, in \(names.joined(separator: ", ")).")
  }

  /// The ellipses of the page, in tree order. Flex items, grid items and table cells that are laid out more than once leave fragments that
  /// are not part of the page, so all fragments cannot simply be searched.
  private var ellipses: [Fragment] {
    var result: [Fragment] = []
    var seen = [Bool](repeating: false, count: fragments.fragments.count), waiting = [fragments.root]
    while let id = waiting.popLast() {
      guard seen.indices.contains(id.index), !seen[id.index] else { continue }
      seen[id.index] = true
      let fragment = fragments[id], text = Int(fragment.payload)
      if fragment.kind == .text, fragments.texts.indices.contains(text), fragments.texts[text].isEllipsis { result.append(fragment) }
      waiting += fragments.children(of: id).reversed().map(\.fragment)
    }
    return result
  }

  /// The first families of the page's text that are not available, without duplicates, with the family used instead.
  func familyFallbacks(_ fonts: FontSet) -> [Diagnostic] {
    var seen: Set<ByteString> = []
    var result: [Diagnostic] = []
    for text in texts {
      guard let asked = text.style.font.families.lazy.compactMap(Self.askedName).first, !fonts.knows(family: asked),
        seen.insert(asked.lowercased()).inserted
      else { continue }
      guard result.count < Self.maximumFallbacks else { break }
      result.append(Diagnostic(.familyFallback, .note, Self.sentence(asked, text.face.info.family)))
    }
    return result
  }

  private static let maximumFallbacks = 32
  /// Names that request the user interface's font. Font stacks begin with them to support several platforms, so they are not reported.
  private static let interfaceNames: Set = ["-apple-system", "blinkmacsystemfont"]

  /// The name of a family; nil for generic families, which are always available.
  private static func askedName(_ family: OffprintCSS.FontStyle.Family) -> String? {
    guard case .named(let name) = family, !interfaceNames.contains(name.text.lowercased()) else { return nil }
    return name.text
  }

  private static func sentence(_ asked: String, _ drawn: String) -> String {
    let pack = FontPack.all.first { $0.family?.lowercased() == asked.lowercased() }
    let advice = pack.map(\.hint) ?? "add its folder with \(OptionName.fonts.text), or load it with @font-face"
    return "The font family '\(asked.prefix(100))' is not available, and '\(drawn.prefix(100))' is used instead; \(advice)."
  }
}
