import OffprintCoreTypes

/// Maps names to faces.
struct FamilyIndex: Sendable {
  /// Families found by scanning; empty if the names are in a catalog.
  private(set) var families: [ByteString: [Int]] = [:]
  /// PostScript and full names, of one face each.
  private(set) var faceNames: [ByteString: Int] = [:]
  private var catalog: FontCatalog?

  /// Substitutes for a family, metric-compatible if possible, in order of preference.
  private static let aliases: [ByteString: [String]] = [
    "serif": ["liberation serif", "tinos", "noto serif", "dejavu serif"],
    "sans-serif": ["liberation sans", "arimo", "noto sans", "dejavu sans"],
    "monospace": ["liberation mono", "cousine", "noto sans mono", "dejavu sans mono"],
    "emoji": ["noto color emoji"], "math": ["latin modern math"],
    "arial": ["liberation sans", "arimo"], "helvetica": ["liberation sans", "arimo"],
    "times": ["liberation serif", "tinos"], "times new roman": ["liberation serif", "tinos"],
    "courier": ["liberation mono", "cousine"], "courier new": ["liberation mono", "cousine"],
    "calibri": ["carlito"], "cambria": ["caladea"], "georgia": ["gelasio"],
  ]

  init(catalog: FontCatalog) { self.catalog = catalog }

  init(faces: [FontFace]) {
    for (index, face) in faces.enumerated() {
      let family = face.info.family.lowercased(), legacy = face.info.legacyFamily.lowercased()
      families[family, default: []].append(index)
      if legacy != family, !legacy.isEmpty { families[legacy, default: []].append(index) }
      for name in face.info.localizedFamilies.lazy.map({ $0.lowercased() }) where name != family && name != legacy {
        if families[name]?.last != index { families[name, default: []].append(index) }
      }
    }
    for (index, face) in faces.enumerated() {
      let names = [face.info.postScriptName.lowercased(), face.info.fullName.lowercased()]
      for name in names + face.info.localizedFullNames.map({ $0.lowercased() }) where faceNames[name] == nil {
        faceNames[name] = index
      }
    }
  }

  /// The faces with a name, ignoring case. A family takes precedence over a face's own name, and that over an alias.
  func lookup(_ name: String) -> [Int]? {
    let name = FamilyIndex.normalized(name)
    if let known = entry(name) { return known.family.isEmpty ? known.face.map { [$0] } : known.family }
    for alias in FamilyIndex.aliases[name] ?? [] {
      if let family = entry(alias)?.family, !family.isEmpty { return family }
    }
    return nil
  }

  /// The family or face with exactly this name.
  private func entry(_ name: String) -> (family: [Int], face: Int?)? {
    if let catalog { return catalog.entry(name) }
    let family = families[name], face = faceNames[name]
    return family == nil && face == nil ? nil : (family ?? [], face)
  }

  /// The faces of a generic family; nil if Chromium continues with the next name.
  func lookup(_ generic: GenericFontFamily) -> [Int]? {
    switch generic {
    case .standard, .serif, .uiSerif: lookup("serif")
    case .sansSerif, .systemUI, .uiSansSerif: lookup("sans-serif")
    case .monospace, .uiMonospace: lookup("monospace")
    case .emoji: lookup("emoji")
    case .math: lookup("math")
    case .cursive, .fantasy, .uiRounded, .fangsong: nil  // no such family is configured, so the standard font is used
    }
  }

  private static func normalized(_ name: String) -> String {
    name.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5a).contains($0) } ? name : name.lowercased()
  }
}

/// The properties of a description that select a face within a family.
struct FaceRequest: Hashable, Sendable {
  var weight: Float
  var stretch: Float
  var style: FontStyle

  init(weight: Float, stretch: Float, style: FontStyle) { self.weight = weight; self.stretch = stretch; self.style = style }

  init(_ description: FontDescription) {
    weight = min(max(description.weight, 1), 1000)
    stretch = min(max(description.stretch, 0), 1000)
    style = description.style
  }
}

/// The range of properties a face supports: from an `@font-face` rule or a variable font's axes, or single values.
struct FaceCapabilities: Hashable, Sendable {
  var weight: ClosedRange<Float>
  var stretch: ClosedRange<Float>
  var isItalic: Bool
  /// Degrees; nil if the face is not slanted by an angle.
  var oblique: ClosedRange<Float>?

  init(weight: ClosedRange<Float>, stretch: ClosedRange<Float>, isItalic: Bool, oblique: ClosedRange<Float>? = nil) {
    self.weight = weight; self.stretch = stretch; self.isItalic = isItalic; self.oblique = oblique
  }

  init(_ info: FaceInfo) {
    weight = info.axis("wght").map { min($0.minimum, $0.maximum)...max($0.minimum, $0.maximum) } ?? info.weight...info.weight
    stretch = info.axis("wdth").map { min($0.minimum, $0.maximum)...max($0.minimum, $0.maximum) } ?? info.stretch...info.stretch
    isItalic = info.isItalic
    if let slant = info.axis("slnt") {
      oblique = min(-slant.maximum, -slant.minimum)...max(-slant.maximum, -slant.minimum)
    } else if info.isOblique || (info.axis("ital")?.maximum ?? 0) > 0 {
      oblique = 0...20
    }
  }
}

/// https://drafts.csswg.org/css-fonts-4/#font-style-matching
enum FontMatching {
  /// The indexes of `candidates` that remain after matching by stretch, style and weight, which are equal in all requested properties.
  static func match(_ candidates: [FaceCapabilities], _ request: FaceRequest) -> [Int] {
    var left = Array(candidates.indices)
    left = closest(left) { stretchDistance(candidates[$0].stretch, request.stretch) }
    left = closest(left) { styleDistance(candidates[$0], request.style) }
    return closest(left) { weightDistance(candidates[$0].weight, request.weight) }
  }

  private static func closest(_ indexes: [Int], _ distance: (Int) -> Float) -> [Int] {
    guard indexes.count > 1 else { return indexes }
    let distances = indexes.map(distance)
    guard let least = distances.min() else { return indexes }
    return zip(indexes, distances).filter { $0.1 == least }.map(\.0)
  }

  /// Large enough that every value on the preferred side comes first.
  private static let otherSide: Float = 10_000

  static func stretchDistance(_ range: ClosedRange<Float>, _ wanted: Float) -> Float {
    if range.contains(wanted) { return 0 }
    let isBelow = range.upperBound < wanted
    let distance = isBelow ? wanted - range.upperBound : range.lowerBound - wanted
    return isBelow == (wanted <= 100) ? distance : otherSide + distance
  }

  static func styleDistance(_ face: FaceCapabilities, _ wanted: FontStyle) -> Float {
    let isSlanted = face.oblique.map { $0.upperBound > 0 } ?? false
    switch wanted {
    case .normal: return face.oblique?.contains(0) == true && !face.isItalic ? 0 : !face.isItalic && !isSlanted ? 0 : isSlanted ? 1 : 2
    case .italic: return face.isItalic ? 0 : isSlanted ? 1 : 2
    case .oblique(let angle):
      guard angle != 0 else { return styleDistance(face, .normal) }
      // For negative angles, Chromium uses upright faces if none has a slant axis.
      if angle < 0, !isSlanted { return face.isItalic ? 2 : 1 }
      if let range = face.oblique, isSlanted, !face.isItalic {
        return range.contains(angle) ? 0 : min(abs(range.lowerBound - angle), abs(range.upperBound - angle)) / 1000
      }
      return face.isItalic ? 1 : 2
    }
  }

  static func weightDistance(_ range: ClosedRange<Float>, _ wanted: Float) -> Float {
    if range.contains(wanted) { return 0 }
    let isBelow = range.upperBound < wanted
    let distance = isBelow ? wanted - range.upperBound : range.lowerBound - wanted
    if wanted >= 400, wanted <= 500 {
      // First up to 500, then below, then above.
      if !isBelow { return range.lowerBound <= 500 ? distance : 2 * otherSide + distance }
      return otherSide + distance
    }
    return isBelow == (wanted < 400) ? distance : otherSide + distance
  }
}
