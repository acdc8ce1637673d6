import CSS
import CoreTypes
import DOM

// Text boxes. https://drafts.csswg.org/css-text-3/#transforming
extension BoxTreeBuilder {
  mutating func generateText(_ bytes: ArraySlice<UInt8>, node: NodeID, style: ComputedStyle, into siblings: inout [PendingBox]) {
    appendText(bytes, node: node, style: style, into: &siblings)
  }

  /// Adds a text box; nothing for no text.
  mutating func appendText(
    _ bytes: some Collection<UInt8>, node: NodeID, style: ComputedStyle, into siblings: inout [PendingBox], pseudo: PseudoElement? = nil
  ) {
    guard !bytes.isEmpty else { return }
    let start = UInt32(truncatingIfNeeded: tree.text.count)
    if style.text.textTransform == .none && !style.text.textTransformFullWidth {
      tree.text.append(contentsOf: bytes)
    } else {
      tree.text.append(contentsOf: TextTransform.apply(Array(bytes), style: style))
    }
    var box = Box(kind: .text, style: textStyle(style))
    box.node = node
    box.pseudo = pseudo
    box.isInlineLevel = true
    box.text = TextRange(start: start, end: UInt32(truncatingIfNeeded: tree.text.count))
    var pending = PendingBox(box)
    pending.isCollapsibleSpace = isCollapsibleSpace(bytes, style: style)
    siblings.append(pending)
  }

  /// Text boxes have their parent's style; which of its properties apply to text is for who reads them to know.
  private func textStyle(_ style: ComputedStyle) -> ComputedStyle { style }

  func isCollapsibleSpace(_ bytes: some Collection<UInt8>, style: ComputedStyle) -> Bool {
    switch style.text.whiteSpaceCollapse {
    case .collapse: bytes.allSatisfy { $0 == 0x20 || $0 == 0x0A || $0 == 0x09 || $0 == 0x0D || $0 == 0x0C }
    case .preserveBreaks: bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    default: false
    }
  }
}

/// https://drafts.csswg.org/css-text-3/#text-transform-property
enum TextTransform {
  static func apply(_ bytes: [UInt8], style: ComputedStyle) -> [UInt8] {
    let language = style.font.language.prefix(2).lowercased()
    var result =
      switch style.text.textTransform {
      case .none: bytes
      case .uppercase: uppercase(bytes, language: language)
      case .lowercase: lowercase(bytes, language: language)
      case .capitalize: capitalize(bytes, language: language)
      }
    if style.text.textTransformFullWidth { result = fullWidth(result) }
    return result
  }

  private static func isASCII(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

  private static func uppercase(_ bytes: [UInt8], language: String) -> [UInt8] {
    let isTurkic = language == "tr" || language == "az"
    if isASCII(bytes) && !isTurkic { return bytes.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 } }
    return map(bytes) { scalar, _ in
      if isTurkic && scalar == "i" { return "İ" }
      if language == "el" { return greekUppercase(scalar) }
      return scalar.properties.uppercaseMapping
    }
  }

  /// Greek capitals lose their tonos.
  private static func greekUppercase(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "ά", "Ά": "Α"
    case "έ", "Έ": "Ε"
    case "ή", "Ή": "Η"
    case "ί", "Ί", "ΐ": "Ι"
    case "ό", "Ό": "Ο"
    case "ύ", "Ύ", "ΰ": "Υ"
    case "ώ", "Ώ": "Ω"
    default: scalar.properties.uppercaseMapping
    }
  }

  private static func lowercase(_ bytes: [UInt8], language: String) -> [UInt8] {
    let isTurkic = language == "tr" || language == "az"
    if isASCII(bytes) && !isTurkic { return bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } }
    var previousIsLetter = false
    return map(bytes) { scalar, next in
      defer { previousIsLetter = scalar.properties.isAlphabetic }
      if isTurkic && scalar == "I" { return "ı" }
      if isTurkic && scalar == "İ" { return "i" }
      if scalar == "Σ" && previousIsLetter && !(next?.properties.isAlphabetic ?? false) { return "ς" }
      return scalar.properties.lowercaseMapping
    }
  }

  /// The first typographic letter unit of each word. https://drafts.csswg.org/css-text-3/#valdef-text-transform-capitalize
  private static func capitalize(_ bytes: [UInt8], language: String) -> [UInt8] {
    var isInWord = false
    return map(bytes) { scalar, _ in
      let properties = scalar.properties
      let isLetter = properties.isAlphabetic || properties.generalCategory == .decimalNumber
      let joins = scalar == "'" || scalar == "’" || properties.generalCategory == .nonspacingMark
      defer { isInWord = isLetter || (isInWord && joins) }
      guard isLetter && !isInWord else { return String(Character(scalar)) }
      if scalar == "i" && (language == "tr" || language == "az") { return "İ" }
      return properties.titlecaseMapping
    }
  }

  private static func fullWidth(_ bytes: [UInt8]) -> [UInt8] {
    map(bytes) { scalar, _ in
      switch scalar.value {
      case 0x20: "\u{3000}"
      case 0x21...0x7E: Unicode.Scalar(scalar.value + 0xFEE0).map { String(Character($0)) } ?? ""
      default: String(Character(scalar))
      }
    }
  }

  private static func map(_ bytes: [UInt8], _ transform: (Unicode.Scalar, Unicode.Scalar?) -> String) -> [UInt8] {
    let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    for (index, scalar) in scalars.enumerated() {
      result.append(contentsOf: transform(scalar, index + 1 < scalars.count ? scalars[index + 1] : nil).utf8)
    }
    return result
  }
}
