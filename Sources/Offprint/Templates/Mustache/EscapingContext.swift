/// The context in HTML after the bytes written so far, as far as escaping requires: text, a tag, an attribute's value, a style sheet.
///
/// Follows the tokenizer (https://html.spec.whatwg.org/multipage/parsing.html#tokenization), with fewer states.
struct EscapingContext {
  enum State: Equatable {
    case text, tagOpen, tagName, tag, attributeName, beforeValue
    /// With its quote; 0 if unquoted.
    case value(UInt8)
    case markup, comment
    /// The contents of `style`, of `script`, or of an element that contains only text.
    case style, script, rawText
  }

  private(set) var state = State.text
  /// The state within a style sheet or a `style` attribute.
  private(set) var css = StyleContext()
  private var isEndTag = false
  private var tagName: [UInt8] = []
  private var attributeName: [UInt8] = []
  /// Whether spaces followed the name: `=` still belongs to it, anything else begins the next attribute.
  private var isNameEnded = false
  /// How many bytes of the end of a comment, or of `</name`, have been matched.
  private var matched = 0

  /// Whether the context is CSS.
  var isStyle: Bool {
    if case .value = state { return isStyleAttribute }
    return state == .style
  }
  private var isStyleAttribute: Bool { attributeName == Array("style".utf8) }

  /// For messages.
  var name: String {
    if isStyle { return "in a style sheet" }
    return switch state {
    case .tagOpen, .tagName, .tag, .attributeName: "in a tag"
    default: "here"
    }
  }

  mutating func advance(over bytes: some Collection<UInt8>) {
    for byte in bytes {
      if state == .text && byte != UInt8(ascii: "<") { continue }
      advance(byte)
    }
  }

  private mutating func advance(_ byte: UInt8) {
    let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0C || byte == 0x0D
    switch state {
    case .text: if byte == UInt8(ascii: "<") { state = .tagOpen }
    case .tagOpen: openTag(byte)
    case .tagName:
      if isSpace || byte == UInt8(ascii: "/") {
        state = .tag
      } else if byte == UInt8(ascii: ">") {
        closeTag()
      } else {
        Self.add(byte, &tagName)
      }
    case .tag:
      if byte == UInt8(ascii: ">") {
        closeTag()
      } else if !isSpace && byte != UInt8(ascii: "/") {
        beginName(byte)
      }
    case .attributeName:
      if byte == UInt8(ascii: "=") {
        (state, css) = (.beforeValue, StyleContext())
      } else if byte == UInt8(ascii: ">") {
        closeTag()
      } else if isSpace {
        isNameEnded = true
      } else if byte == UInt8(ascii: "/") {
        state = .tag
      } else if isNameEnded {
        beginName(byte)
      } else {
        Self.add(byte, &attributeName)
      }
    case .beforeValue: beforeValue(byte, isSpace)
    case .value(let quote): value(byte, quote, isSpace)
    case .markup, .comment: comment(byte)
    case .style, .script, .rawText: rawText(byte, isSpace)
    }
  }

  private mutating func beginName(_ byte: UInt8) {
    (attributeName, isNameEnded, state) = ([], false, .attributeName)
    Self.add(byte, &attributeName)
  }

  private mutating func beforeValue(_ byte: UInt8, _ isSpace: Bool) {
    if isSpace { return }
    if byte == UInt8(ascii: ">") { return closeTag() }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return state = .value(byte) }
    state = .value(0)
    if isStyleAttribute { css.advance(byte) }
  }

  private static func add(_ byte: UInt8, _ name: inout [UInt8]) {
    let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    if name.count < 64 { name.append(lower) }
  }

  private mutating func openTag(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "/") where !isEndTag: isEndTag = true
    case UInt8(ascii: "!"), UInt8(ascii: "?"): (state, matched, isEndTag) = (.markup, 0, false)
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      (state, tagName) = (.tagName, [])
      Self.add(byte, &tagName)
    case UInt8(ascii: "<"): isEndTag = false
    default: (state, isEndTag) = (.text, false)
    }
  }

  private mutating func closeTag() {
    defer { isEndTag = false }
    matched = 0
    guard !isEndTag else { return state = .text }
    switch String(decoding: tagName, as: UTF8.self) {
    case "style": (state, css) = (.style, StyleContext())
    case "script": state = .script
    case "textarea", "title", "xmp", "iframe", "noembed", "noframes": state = .rawText
    default: state = .text
    }
  }

  private mutating func value(_ byte: UInt8, _ quote: UInt8, _ isSpace: Bool) {
    if quote == 0 {
      if isSpace { return state = .tag }
      if byte == UInt8(ascii: ">") { return closeTag() }
    } else if byte == quote {
      return state = .tag
    }
    if isStyleAttribute { css.advance(byte) }
  }

  /// `<!…>`, or `<!--…-->`.
  private mutating func comment(_ byte: UInt8) {
    if state == .markup {
      matched = byte == UInt8(ascii: "-") ? matched + 1 : -1000
      if matched == 2 { (state, matched) = (.comment, 2) } else if byte == UInt8(ascii: ">") { state = .text }
    } else if byte == UInt8(ascii: "-") {
      matched += 1
    } else {
      if byte == UInt8(ascii: ">") && matched >= 2 { state = .text }
      matched = 0
    }
  }

  /// Until `</name`.
  private mutating func rawText(_ byte: UInt8, _ isSpace: Bool) {
    if state == .style { css.advance(byte) }
    let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    if matched == tagName.count + 2 {
      if isSpace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">") {
        isEndTag = true
        state = .tag
        if byte == UInt8(ascii: ">") { closeTag() }
        return
      }
      matched = 0
    } else if matched >= 2, matched - 2 < tagName.count, tagName[matched - 2] == lower {
      matched += 1
    } else if matched == 1 && byte == UInt8(ascii: "/") {
      matched = 2
    } else {
      matched = byte == UInt8(ascii: "<") ? 1 : 0
    }
  }
}

/// The context within a style sheet: https://www.w3.org/TR/css-syntax-3/#tokenization, with fewer states.
struct StyleContext {
  enum State: Equatable { case value, string(UInt8), comment, url }
  private(set) var state = State.value
  private var isEscaped = false
  /// The last bytes, in lowercase.
  private var last: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)

  mutating func advance(_ byte: UInt8) {
    let lower = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    defer { last = (last.1, last.2, last.3, lower) }
    if isEscaped { return isEscaped = false }
    if byte == UInt8(ascii: "\\") && state != .comment { return isEscaped = true }
    switch state {
    case .string(let quote): if byte == quote || byte == 0x0A { state = .value }
    case .comment: if byte == UInt8(ascii: "/") && last.3 == UInt8(ascii: "*") { state = .value }
    case .url:
      if byte == UInt8(ascii: ")") { state = .value }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { state = .string(byte) }
    case .value:
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { state = .string(byte) }
      if byte == UInt8(ascii: "*") && last.3 == UInt8(ascii: "/") { state = .comment }
      if byte == UInt8(ascii: "("), last.1 == UInt8(ascii: "u"), last.2 == UInt8(ascii: "r"), last.3 == UInt8(ascii: "l") { state = .url }
    }
  }
}
